"""Sections of books, manuals and plain texts: as their headings divide them."""

from __future__ import annotations

from collections.abc import Sequence

from youju.ingest.chunkers.base import Section
from youju.types import Block


def sections(blocks: Sequence[Block]) -> list[Section]:
    """The sections of a document in reading order.

    A heading without text of its own is kept in the path of the section that follows it at its level or below; one
    that is followed by a higher heading or by nothing divides nothing and is dropped.
    """
    found: list[Section] = []
    path: list[Block] = []
    body: list[Block] = []
    folded = 0  # how many headings at the end of the path have had no text under them yet
    for block in blocks:
        if block.kind != "heading":
            body.append(block)
            continue
        if body:
            found.append(_section(path, body))
            folded = 0
        fixed = len(path) - folded
        path = [one for at, one in enumerate(path) if one.level < block.level + (at >= fixed)]
        folded = len(path) - min(fixed, len(path)) + 1
        body = []
        path.append(block)
    if body:
        found.append(_section(path, body))
    return found


def _section(path: Sequence[Block], body: Sequence[Block]) -> Section:
    return Section(tuple(heading.text for heading in path), tuple(body))
