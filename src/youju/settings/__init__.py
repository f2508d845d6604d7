"""All settings: what there is (`sections`), and where the values come from (`loading`)."""

from youju.settings.loading import DATA_DIR, FILE, PREFIX, Entry, Loaded, explained, load
from youju.settings.sections import (
    REFUSAL,
    Answering,
    Bounds,
    Chunking,
    Embedding,
    Ingest,
    Keyword,
    Knobs,
    Llm,
    Log,
    Reranking,
    Section,
    Server,
    Settings,
)

__all__ = [
    "DATA_DIR",
    "FILE",
    "PREFIX",
    "REFUSAL",
    "Answering",
    "Bounds",
    "Chunking",
    "Embedding",
    "Entry",
    "Ingest",
    "Keyword",
    "Knobs",
    "Llm",
    "Loaded",
    "Log",
    "Reranking",
    "Section",
    "Server",
    "Settings",
    "explained",
    "load",
]
