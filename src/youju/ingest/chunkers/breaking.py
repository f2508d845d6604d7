"""Blocks → parts no larger than a child: cut where a reader would, never inside a sentence if there is another way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from youju.ingest.chunkers.base import Part, joined
from youju.text.lessons import STATEMENTS, opening
from youju.text.locators import rows, spread
from youju.text.sentences import split
from youju.types import Block, Page, Place

_CLAUSE = re.compile(r"(?<=[，、；,;])")
_ITEM = re.compile(r"^\S")
_PROBE = 12
_SPACE = re.compile(r"\s+")
# A table's head is its first line and the rule under it.
_HEAD_ROWS = 2


def parts(block: Block, limit: int, whole: int, pages: Sequence[Page], lead: int = 0) -> list[Part]:
    """The block in parts of at most `limit` characters, its own where it fits.

    `lead` is the length of a short text before it: the first part of a table that must be cut leaves room for it.

    Tables are cut between rows, the head repeated; lists between items; code and formulas only above `whole`
    characters, between lines; text between sentences, and inside one only if it alone is longer than `limit`. A
    definition or theorem is cut only above twice the limit.
    """
    unbreakable = block.kind in {"code", "formula"} and len(block.text) <= whole
    unbreakable |= block.kind == "text" and len(block.text) <= min(2 * limit, whole) and _states(block.text)
    if len(block.text) <= limit or unbreakable:
        return [Part(block.text, block, block.page, _last(block), _places([block.text], block)[0])]
    if block.kind == "table":
        texts = _rows(block.text, limit, lead)
    elif block.kind in {"code", "formula"}:
        texts = _packed(_lines(block.text, limit), limit, "\n")
    elif block.kind == "list":
        texts = [text for item in _items(block.text) for text in _prose(item, limit)]
        texts = _packed(texts, limit, "\n")
    else:
        texts = _prose(block.text, limit)
    return cut(block, texts, pages)


def cut(block: Block, texts: Sequence[str], pages: Sequence[Page]) -> list[Part]:
    """Pieces of a block, in order, with the pages and places they stand at."""
    places = _places(texts, block)
    return [Part(text, block, *_pages(text, block, pages), at) for text, at in zip(texts, places, strict=True)]


def _places(texts: Sequence[str], block: Block) -> list[tuple[Place, ...]]:
    """Where each piece of a block stands; of a table every row, where it says which rows it has."""
    if not block.locator:
        return [()] * len(texts)
    if block.kind != "table":
        return [(Place(0, block.locator),)] * len(texts)
    depth = len(_parted(block.text)[0])
    lines = [text.split("\n") for text in texts]
    names = iter(rows(block.locator, sum(len(one) - depth for one in lines)))
    return [tuple(_by_row(one, depth, [next(names) for _ in one[depth:]])) for one in lines]


def _by_row(lines: Sequence[str], depth: int, names: Sequence[str]) -> Iterator[Place]:
    start = 0
    for at, line in enumerate(lines):
        if not at and depth:
            yield Place(0, spread(names))
        elif at >= depth and (at == depth or names[at - depth] != names[at - depth - 1]):
            yield Place(start, names[at - depth])
        start += len(line) + 1


def _states(text: str) -> bool:
    begun = opening(text.split("\n", 1)[0])
    return begun is not None and begun.name in STATEMENTS


def _last(block: Block) -> int | None:
    return block.page if block.page_end is None else block.page_end


def _rows(text: str, limit: int, lead: int) -> list[str]:
    head, body = _parted(text)
    room = max(limit - len(joined(head)) - 1, 1)
    first = 1
    while first < len(body) and len(joined(body[: first + 1])) <= room - lead:
        first += 1
    groups = [joined(body[:first]), *_packed(body[first:], room, "\n")]
    return [joined([*head, group]) for group in groups if group]


def _parted(text: str) -> tuple[list[str], list[str]]:
    """The head of a table, none where it has none, and its rows."""
    lines = text.split("\n")
    rule = len(lines) > 1 and set(lines[1]) <= set("|-: ")
    return (lines[:_HEAD_ROWS], lines[_HEAD_ROWS:]) if rule else ([], lines)


def _items(text: str) -> list[str]:
    """The items of a list, each with the lines indented under it."""
    items: list[str] = []
    for line in text.split("\n"):
        if items and not _ITEM.match(line):
            items[-1] = joined([items[-1], line])
        else:
            items.append(line)
    return items


def _lines(text: str, limit: int) -> list[str]:
    return [piece for line in text.split("\n") for piece in (_hard([line], limit) if len(line) > limit else [line])]


def _prose(text: str, limit: int) -> list[str]:
    """Sentences packed into stretches of about equal length; `text` itself where it fits."""
    if len(text) <= limit:
        return [text]
    cuts = [0, *(span.end for span in split(text)[:-1]), len(text)]
    sentences = [text[start:end] for start, end in pairwise(cuts)]
    small = [piece for sentence in sentences for piece in _sentence(sentence, limit)]
    even = -(-len(text) // -(-len(text) // limit))
    return [piece.strip() for piece in _even(small, even, limit) if piece.strip()]


def _sentence(text: str, limit: int) -> list[str]:
    if len(text) <= limit:
        return [text]
    return _packed(_hard(_CLAUSE.split(text), limit), limit, "")


def _hard(texts: Iterable[str], limit: int) -> list[str]:
    return [text[at : at + limit] for text in texts for at in range(0, len(text), limit)]


def _packed(texts: Iterable[str], limit: int, glue: str) -> list[str]:
    """Neighbours joined as long as they fit."""
    packed: list[str] = []
    for text in texts:
        if packed and len(packed[-1]) + len(glue) + len(text) <= limit:
            packed[-1] += glue + text
        else:
            packed.append(text)
    return packed


def _even(texts: Iterable[str], even: int, limit: int) -> list[str]:
    """Neighbours joined up to about `even` characters, never above `limit`."""
    packed: list[str] = []
    for text in texts:
        fits = packed and len(packed[-1]) + len(text) <= limit
        if fits and len(packed[-1]) + len(text) / 2 <= even:
            packed[-1] += text
        else:
            packed.append(text)
    return packed


def _pages(text: str, block: Block, pages: Sequence[Page]) -> tuple[int | None, int | None]:
    """Where a piece of a block that runs over a page break stands, told by its first and last characters."""
    first, last = block.page, _last(block)
    if first is None or last is None or first == last:
        return first, last
    solid = _SPACE.sub("", text)
    inside = {page.n: _SPACE.sub("", page.text) for page in pages if first <= page.n <= last}
    starts = [n for n, there in inside.items() if solid[:_PROBE] in there]
    ends = [n for n, there in inside.items() if solid[-_PROBE:] in there]
    start = min(starts) if starts else first
    return start, max([n for n in ends if n >= start], default=last)
