"""How fast documents come in, by step, with the embedded default: sample books on the whole way of the product."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import jieba
from sqlalchemy import func, select
from sqlalchemy.engine import Connection

from youju import samples
from youju.compose import open_app
from youju.settings import Settings
from youju.storage import tables
from youju.text.tokens import index_terms


async def measured(limit: int) -> dict[str, object]:
    """Seconds and rates over the first `limit` sample books; tokenising is timed again, alone, beside jieba."""
    books = samples.books()[:limit]
    with tempfile.TemporaryDirectory() as folder:
        async with open_app(Settings(data=Path(folder) / "store")) as app:
            for book in books:
                accepted = await app.documents.accept(Path(str(book)))
                await app.documents.process(accepted)
            phases, texts, pages, vectors = await app.documents.store.read(_written)
    jieba.setLogLevel("ERROR")
    jieba.initialize()
    tokenise = _timed(index_terms, texts)
    theirs = _timed(jieba.lcut, texts)
    seconds = {
        "parse": phases["PARSING"],
        "chunk": phases["CHUNKING"],
        "tokenise": tokenise,
        "embed": phases["EMBEDDING"],
        "write": max(phases["INDEXING"] - tokenise, 0.001),
    }
    return {
        "books": len(books),
        "pages": pages,
        "chunks": len(texts),
        "vectors": vectors,
        "chars": sum(map(len, texts)),
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "chunks_per_s": {name: round(len(texts) / value, 1) for name, value in seconds.items()},
        "jieba_s": round(theirs, 3),
    }


def _written(tx: Connection) -> tuple[Counter[str], list[str], int, int]:
    phases: Counter[str] = Counter()
    pages = 0
    for row in tx.execute(select(tables.version.c.timeline, tables.version.c.pages)):
        phases.update(dict(row.timeline))
        pages += row.pages
    searched = select(tables.chunk.c.text).where(tables.chunk.c.role == "child")
    vectors = tx.execute(select(func.count()).select_from(tables.vector)).scalar_one()
    return phases, list(tx.execute(searched).scalars()), pages, int(vectors)


def _timed(cut: Callable[[str], object], texts: Sequence[str]) -> float:
    # The first call of either loads its dictionary.
    cut(texts[0])
    started = time.perf_counter()
    for text in texts:
        cut(text)
    return time.perf_counter() - started
