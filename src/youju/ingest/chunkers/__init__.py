"""Parsed documents → chunks. Pure: the same document gives the same chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from youju.ingest.chunkers import by_article, by_question, by_slide, by_structure
from youju.ingest.chunkers.assembling import assembled
from youju.ingest.chunkers.base import Identity, Piece, Section, Sizes, Strategy
from youju.ingest.chunkers.covering import Coverage, coverage, covered
from youju.ingest.chunkers.packing import pieces
from youju.ingest.chunkers.strategy import STRATEGIES, Choice, named, strategy
from youju.types import Block, Chunk, ParsedDocument

DEFAULT = Sizes()

__all__ = [
    "STRATEGIES",
    "Choice",
    "Coverage",
    "Identity",
    "Sizes",
    "Strategy",
    "chunk",
    "coverage",
    "covered",
    "named",
    "strategy",
]


def chunk(
    document: ParsedDocument, identity: Identity, sizes: Sizes = DEFAULT, chosen: Strategy | None = None
) -> list[Chunk]:
    """The chunks of a document: children in reading order, then their parents; ordinals count through.

    Args:
        document: as a parser returned it.
        identity: the version the chunks will belong to.
        sizes: in characters.
        chosen: the strategy to use instead of the one `strategy` finds.

    Returns:
        Each child holds whole blocks of one section; `text` is the body without title and headings. None is without a
        letter or digit: rows of points or spaces say nothing. Empty where the document has no body.
    """
    way = chosen or strategy(document).name
    solid = [block for block in document.blocks if block.text.strip()]
    sections = [_untitled(section, identity.book) for section in _divided(solid, way, sizes)]
    bounds = [by_slide.bounds(section, sizes) if way == "slides" else sizes for section in sections]
    cut = [pieces(section, own, document.pages) for section, own in zip(sections, bounds, strict=True)]
    found = [(section, _telling(parts)) for section, parts in zip(sections, cut, strict=True)]
    return assembled(document, [(section, told) for section, told in found if told], identity, sizes)


def _divided(blocks: Sequence[Block], way: Strategy, sizes: Sizes) -> list[Section]:
    if way == "slides":
        return by_slide.sections(blocks, sizes)
    by = {"law": by_article.sections, "qa": by_question.sections}
    return by.get(way, by_structure.sections)(blocks)


def _telling(found: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in found if any(map(str.isalnum, piece.body))]


def _untitled(section: Section, book: str) -> Section:
    """The section without a first heading that only says the title again: every source names the book anyway."""
    return replace(section, path=section.path[1:]) if section.path[:1] == (book,) else section
