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


async def preview(job: Job, path: Path, title: str) -> Preview:
    """The strategy chosen for the file and the chunks it would have, children only.

    Raises:
        DocumentError: the file cannot be read well.
    """
    parsed = await job.parse(path, path.suffix.lower())
    pieces = await asyncio.to_thread(chunk, parsed, Identity("preview", 0, "", title), job.sizes)
    children = tuple(piece for piece in pieces if piece.role == "child")
    found = coverage(parsed, pieces)
    return Preview(title, len(parsed.pages), strategy(parsed), children, found, parsed.warnings)
