"""What a file would become, without storing anything."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from youju.ingest.chunkers import Choice, Coverage, Identity, Sizes, Strategy, chunk, covered, strategy
from youju.ingest.job import Job
from youju.types import Chunk


@dataclass(frozen=True, slots=True)
class Preview:
    """`chunks` are children only, of the bounds in `sizes`."""

    title: str
    pages: int
    strategy: Choice
    chunks: tuple[Chunk, ...]
    coverage: Coverage
    sizes: Sizes
    warnings: tuple[str, ...]


async def preview(job: Job, path: Path, suffix: str, title: str, asked: Strategy | None = None) -> Preview:
    """The strategy for the file, `asked` or the one that fits, and the chunks it would have, children only.

    Raises:
        DocumentError: the file cannot be read well.
    """
    parsed = await job.parse(path, suffix)
    choice = strategy(parsed, asked)
    sizes = job.sizes[choice.name]
    pieces = await asyncio.to_thread(chunk, parsed, Identity("preview", 0, "", title), sizes, choice.name)
    children = tuple(piece for piece in pieces if piece.role == "child")
    found = covered(parsed, pieces)
    return Preview(title, len(parsed.pages), choice, children, found, sizes, (*parsed.warnings, *found.warnings))


def sizes_view(made: Preview) -> dict[str, float]:
    """Figures on the lengths of the chunks, in characters, and the shares outside the bounds."""
    lengths = [len(chunk.text) for chunk in made.chunks] or [0]
    return {
        "least": min(lengths),
        "median": median(lengths),
        "most": max(lengths),
        "below_min": round(sum(one < made.sizes.child_min for one in lengths) / len(lengths), 4),
        "above_max": round(sum(one > made.sizes.child_max for one in lengths) / len(lengths), 4),
    }


def _sections(chunks: Sequence[Chunk]) -> list[dict[str, object]]:
    """The sections in reading order, each with its number of chunks and the page it begins on."""
    found: dict[tuple[str, ...], dict[str, object]] = {}
    counts: dict[tuple[str, ...], int] = {}
    for one in chunks:
        counts[one.section] = counts.get(one.section, 0) + 1
        found.setdefault(one.section, {"path": list(one.section), "page": one.page_start})
    return [{**view, "chunks": counts[path]} for path, view in found.items()]


def preview_view(made: Preview, first: int) -> dict[str, object]:
    """The body of `POST /api/documents/preview`, with the first so many chunks."""
    return {
        "title": made.title,
        "pages": made.pages,
        "strategy": {"name": made.strategy.name, "reasons": list(made.strategy.reasons)},
        "chunks": len(made.chunks),
        "coverage": round(made.coverage.share, 4),
        "pages_below": list(made.coverage.low),
        "sizes": sizes_view(made),
        "sections": _sections(made.chunks),
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
