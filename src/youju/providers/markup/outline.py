"""Pieces → blocks: paragraphs that are set as headings become headings, captions captions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from youju.providers.markup.frames import Piece
from youju.providers.parsing.titles import heading_level, is_caption
from youju.text.headings import numbering
from youju.types import Block

_BOLD_MAX = 30
_ENDS = re.compile(r"[。！？；，、：:;,.!?]\s*\Z|[。；！？]")
_DEEPEST = 6
_SURE = frozenset({"part", "chapter", "section", "appendix"})


def headed(pieces: Sequence[Piece], *, page_title: str = "") -> Iterator[Piece]:
    """The same pieces; a paragraph that names what follows is a heading.

    Numbered lines (第一章 …, bold 一、…) are, and short bold ones before text that is not. Levels go below the last
    heading the file marks as one.
    """
    marked = [piece for piece in pieces if piece.level]
    structured = any(piece.level > 1 for piece in marked)
    above = 0
    for at, piece in enumerate(pieces):
        if piece.level:
            above = piece.level
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        level = _level(piece, after, above, structured=structured) if piece.kind == "text" else 0
        if level and piece.text != page_title:
            yield replace(piece, kind="heading", level=level)
        elif piece.kind == "text" and is_caption(piece.text):
            yield replace(piece, kind="caption")
        else:
            yield piece


def _level(piece: Piece, after: Piece | None, above: int, *, structured: bool) -> int:
    """The level of a paragraph that is a heading, 0 for others."""
    text = piece.text
    if after is None or "\n" in text:
        return 0
    apart = piece.bold or piece.centred
    level = heading_level(text)
    if level:
        found = numbering(text)
        sure = found is not None and found.kind in _SURE
        listed = not apart and structured
        lone = after.kind == "text" and 0 < heading_level(after.text) <= level and not sure
        if sure or apart or not (listed or lone):
            return min(max(level, above + 1 if structured else level), _DEEPEST)
        return 0
    bold = piece.bold and len(text) <= _BOLD_MAX and not _ENDS.search(text) and any(map(str.isalpha, text))
    return min(above + 1, _DEEPEST) if bold and above and after.kind != "heading" and not after.bold else 0


def block(piece: Piece) -> Block:
    return Block(piece.kind, piece.text, piece.page, piece.page_end, piece.level, piece.locator)
