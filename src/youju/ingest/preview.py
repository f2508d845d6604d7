"""What a file would become, without storing anything."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from youju.ingest.chunkers import Choice, Identity, chunk, coverage, strategy
from youju.ingest.job import Job
from youju.types import Chunk


@dataclass(frozen=True, slots=True)
class Preview:
    """`coverage` is the share of the file's characters that could be found, in [0, 1]."""

    title: str
    pages: int
    strategy: Choice
    chunks: tuple[Chunk, ...]
    coverage: float
    warnings: tuple[str, ...]


async def preview(job: Job, path: Path, suffix: str, title: str) -> Preview:
    """The strategy chosen for the file and the chunks it would have, children only.

    Raises:
        DocumentError: the file cannot be read well.
    """
    parsed = await job.parse(path, suffix)
    pieces = await asyncio.to_thread(chunk, parsed, Identity("preview", 0, "", title), job.sizes)
    children = tuple(piece for piece in pieces if piece.role == "child")
    found = coverage(parsed, pieces)
    return Preview(title, len(parsed.pages), strategy(parsed), children, found, parsed.warnings)


def preview_view(made: Preview, first: int) -> dict[str, object]:
    """The body of `POST /api/documents/preview`, with the first so many chunks."""
    return {
        "title": made.title,
        "pages": made.pages,
        "strategy": {"name": made.strategy.name, "reasons": list(made.strategy.reasons)},
        "chunks": len(made.chunks),
        "coverage": round(made.coverage, 4),
        "warnings": list(made.warnings),
        "first": [
            {
                "section": list(chunk.section),
                "kind": chunk.kind,
                "page_start": chunk.page_start,
                "page_end": chunk.page_end,
                "label_start": chunk.label_start or None,
                "label_end": chunk.label_end or None,
                "locator": chunk.locator or None,
                "text": chunk.text,
            }
            for chunk in made.chunks[:first]
        ],
    }
