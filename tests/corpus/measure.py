"""How far what a parser made of a PDF is the truth."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from corpus.truth import Fact, Made
from youju.types import Block, ParsedDocument

_SPACE = re.compile(r"\s+")
_WIDE = r"[\u2e80-\u9fff\uff00-\uffef\u3000-\u303f“”‘’]"
_BESIDE_WIDE = re.compile(rf"(?<={_WIDE})\s+|\s+(?={_WIDE})")
_SHINGLE = 6
_OVERLAP = 0.7
_SAME = 28
_LONG = 60
_NAME = 4  # shorter ones may stand in a sentence


def squeezed(text: str) -> str:
    return _SPACE.sub("", text)


def measures(made: Made, document: ParsedDocument) -> dict[str, tuple[float, float]]:
    """Each measure as (what is right, of how many); those that the book says nothing about are left out."""
    seen = _Seen(document)
    body = [fact for fact in made.facts if fact.kind not in {"footnote", "caption"}]
    found = {
        "order": _order(body, seen),
        "coverage": _coverage(made.facts, seen),
        "paragraphs": _paragraphs(made.facts, document),
        "page": _pages(made.facts, seen, document),
        "heads_out": _absent(made, document),
        "heading_recall": _heading_recall(made.facts, document),
        "heading_precision": _heading_precision(made.facts, document),
        "heading_levels": _levels(made.facts, document),
        "cells": _cells(made.facts, document),
        "tables_whole": _whole_tables(made.facts, document),
        "formulas": _formulas(made.facts, document),
        "notes": _notes(made.facts, document),
        "captions": _captions(made.facts, document),
        "boxes": _boxes(made.facts, seen),
        "hidden_out": _hidden(made, document),
    }
    return {name: value for name, value in found.items() if value[1]}


class _Seen:
    """The blocks' text as one string, and which block each character is of."""

    def __init__(self, document: ParsedDocument) -> None:
        self.blocks = document.blocks
        self.text = ""
        self.starts: list[int] = []
        parts = []
        at = 0
        for block in document.blocks:
            parts.append(_plain(block))
            self.starts.append(at)
            at += len(parts[-1])
        self.text = "".join(parts)
        notes = [squeezed(block.text) for block in document.blocks if block.kind != "footnote"]
        self.running = "".join(notes)

    def block(self, fact: Fact) -> Block | None:
        """The block in which the fact begins."""
        text, found = squeezed(fact.text)[:_LONG], []
        at = self.text.find(text)
        while at >= 0:
            found.append(self.blocks[bisect_right(self.starts, at) - 1])
            at = self.text.find(text, at + 1)
        return min(found, key=lambda block: abs((block.page or 0) - fact.page), default=None)


def _plain(block: Block) -> str:
    if block.kind != "table":
        return squeezed(block.text)
    return squeezed("".join(cell for row in cells_of(block) for cell in row))


def cells_of(block: Block) -> list[list[str]]:
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in block.text.split("\n")]
    return [row for row in rows if not all(cell == "---" for cell in row)]


def _order(facts: Sequence[Fact], seen: _Seen) -> tuple[float, float]:
    """Adjacent blocks of which the first ends before the second begins."""
    flat = "".join(_plain(block) for block in seen.blocks if block.kind != "footnote")
    places, at = [], 0
    for fact in facts:
        text = squeezed(fact.text)
        start = flat.find(text[:_SAME], at)
        start = flat.find(text[:_SAME]) if start < 0 else start
        end = flat.find(text[-_SAME:], max(start, 0)) + len(text[-_SAME:]) if start >= 0 else -1
        places.append((start, end))
        at = max(start, 0)
    pairs = list(pairwise(places))
    return sum(0 <= a[0] < a[1] <= b[0] for a, b in pairs), len(pairs)


def _coverage(facts: Sequence[Fact], seen: _Seen) -> tuple[float, float]:
    there = {seen.text[at : at + _SHINGLE] for at in range(len(seen.text) - _SHINGLE + 1)}
    right = total = 0.0
    for fact in facts:
        text = squeezed(fact.text)
        total += len(text)
        if text in seen.text:
            right += len(text)
        elif len(text) >= _SHINGLE:
            pieces = [text[at : at + _SHINGLE] for at in range(len(text) - _SHINGLE + 1)]
            right += len(text) * sum(piece in there for piece in pieces) / len(pieces)
    return right, total


def _normal(text: str) -> str:
    return _BESIDE_WIDE.sub("", _SPACE.sub(" ", text)).strip()


def _paragraphs(facts: Sequence[Fact], document: ParsedDocument) -> tuple[float, float]:
    """Paragraphs that are a block, or an item of a list, to the letter."""
    there = {_normal(block.text) for block in document.blocks}
    there |= {_normal(line) for block in document.blocks if block.kind == "list" for line in block.text.split("\n")}
    mine = [fact for fact in facts if fact.kind in {"text", "list"}]
    return sum(_normal(fact.text) in there for fact in mine), len(mine)


def _pages(facts: Sequence[Fact], seen: _Seen, document: ParsedDocument) -> tuple[float, float]:
    """Blocks with both pages right, and the label of the first as printed."""
    labels = {page.n: page.label for page in document.pages}
    right = 0
    for fact in facts:
        block = seen.block(fact)
        if block and block.kind == "list" and block.page and block.page_end:
            inside = block.page <= fact.page and fact.page_end <= block.page_end
        else:
            inside = bool(block) and block is not None and (block.page, block.page_end) == (fact.page, fact.page_end)
        right += inside and labels.get(fact.page, "") == fact.label
    return right, len(facts)


def _absent(made: Made, document: ParsedDocument) -> tuple[float, float]:
    """Running heads, feet and numbers of pages that are in no block."""
    lines = [line.strip() for block in document.blocks for line in block.text.split("\n")]
    chapters = {squeezed(fact.text) for fact in made.facts}
    texts = [squeezed(line) for line in lines]
    flat = "".join(texts)
    right = total = 0
    for furniture in made.furniture.values():
        for text in map(squeezed, furniture):
            total += 1
            many = sum(line == text for line in texts)
            inside = len(text) > _NAME and text not in chapters and text in flat
            right += not inside and many <= (text in chapters)
    return right, total


def _headings(blocks: Sequence[Block] | Sequence[Fact]) -> list[tuple[str, int | None, int]]:
    return [(squeezed(one.text), one.page, one.level) for one in blocks if one.kind == "heading"]


def _heading_recall(facts: Sequence[Fact], document: ParsedDocument) -> tuple[float, float]:
    there = {(text, page) for text, page, _ in _headings(document.blocks)}
    mine = _headings(facts)
    return sum((text, page) in there for text, page, _ in mine), len(mine)


def _heading_precision(facts: Sequence[Fact], document: ParsedDocument) -> tuple[float, float]:
    true = {(text, page) for text, page, _ in _headings(facts)}
    found = _headings(document.blocks)
    return sum((text, page) in true for text, page, _ in found), len(found)


def _levels(facts: Sequence[Fact], document: ParsedDocument) -> tuple[float, float]:
    """Adjacent headings of which the second is deeper, higher or as deep as it should be."""
    there = {(text, page): level for text, page, level in _headings(document.blocks)}
    mine = [(level, there[text, page]) for text, page, level in _headings(facts) if (text, page) in there]
    pairs = list(pairwise(mine))
    return sum(_sign(a[0], b[0]) == _sign(a[1], b[1]) for a, b in pairs), len(pairs)


def _sign(one: int, other: int) -> int:
    return (one > other) - (one < other)


def _table_of(fact: Fact, document: ParsedDocument) -> list[Block]:
    """The blocks with rows of the table, known by their first cells."""
    keys = {squeezed(row[0]) for row in fact.rows[1:]}
    near = range(fact.page - 1, fact.page_end + 2)
    tables = [block for block in document.blocks if block.kind == "table" and block.page in near]
    return [block for block in tables if any(row and squeezed(row[0]) in keys for row in cells_of(block))]


def _cells(facts: Sequence[Fact], document: ParsedDocument) -> tuple[float, float]:
    """Cells that stand in their row and under their column's head."""
    right = total = 0
    for fact in facts:
        there: list[list[str]] = []
        for block in _table_of(fact, document):
            cells = [[squeezed(cell) for cell in row] for row in cells_of(block)]
            if cells[0] == [squeezed(cell) for cell in fact.rows[0]]:
                there.extend(cells)
        for row in fact.rows:
            mine = [squeezed(cell) for cell in row]
            total += len(mine)
            right += max((sum(a == b for a, b in zip(mine, one, strict=False)) for one in there), default=0)
    return right, total


def _whole_tables(facts: Sequence[Fact], document: ParsedDocument) -> tuple[float, float]:
    """Tables that are one block of as many rows, over the right pages."""
    mine = [fact for fact in facts if fact.rows]
    right = 0
    for fact in mine:
        blocks = _table_of(fact, document)
        right += (
            len(blocks) == 1
            and len(cells_of(blocks[0])) == len(fact.rows)
            and (blocks[0].page, blocks[0].page_end) == (fact.page, fact.page_end)
        )
    return right, len(mine)


def _formulas(facts: Sequence[Fact], document: ParsedDocument) -> tuple[float, float]:
    """Expressions that come out sign for sign in the sentence they stand in."""
    texts = [squeezed(block.text) for block in document.blocks]
    mine = [fact for fact in facts if fact.formula]
    right = 0
    for fact in mine:
        near = squeezed(fact.text)[:8] if fact.kind == "text" else ""
        right += any(squeezed(fact.formula) in text and near in text for text in texts)
    return right, len(mine)


def _notes(facts: Sequence[Fact], document: ParsedDocument) -> tuple[float, float]:
    there = {squeezed(block.text) for block in document.blocks if block.kind == "footnote"}
    mine = [fact for fact in facts if fact.kind == "footnote"]
    return sum(squeezed(fact.text) in there for fact in mine), len(mine)


def _captions(facts: Sequence[Fact], document: ParsedDocument) -> tuple[float, float]:
    there = {squeezed(block.text) for block in document.blocks if block.kind == "caption"}
    mine = [fact for fact in facts if fact.kind == "caption"]
    return sum(squeezed(fact.text) in there for fact in mine), len(mine)


def _boxes(facts: Sequence[Fact], seen: _Seen) -> tuple[float, float]:
    """Blocks whose boxes lie where their letters do; lists, of which a fact is but an item, and notes are left out."""
    right = total = 0
    for fact in facts:
        if fact.kind in {"list", "footnote"}:
            continue
        block = seen.block(fact)
        if block and block.kind == "list":
            continue
        total += len(fact.places)
        boxes = [(one.page, one.x0, one.y0, one.x1, one.y1) for one in block.boxes] if block else []
        right += sum(any(_overlap(place, box) >= _OVERLAP for box in boxes) for place in fact.places)
    return right, total


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Shared area over the area of both; boxes of one line differ in what they count as its height."""
    if one[0] != other[0]:
        return 0.0
    wide = min(one[3], other[3]) - max(one[1], other[1])
    high = min(one[4], other[4]) - max(one[2], other[2])
    if wide <= 0 or high <= 0:
        return 0.0
    both = sum((box[3] - box[1]) * (box[4] - box[2]) for box in (one, other))
    return wide * high / (both - wide * high)


def _hidden(made: Made, document: ParsedDocument) -> tuple[float, float]:
    flat = "".join(squeezed(block.text) for block in document.blocks)
    right = sum(squeezed(text) not in flat for text in made.hidden)
    return right + bool(made.hidden and document.warnings), len(made.hidden) + bool(made.hidden)


def added(results: Sequence[dict[str, tuple[float, float]]]) -> dict[str, tuple[float, float]]:
    """Measures of several books, what is right and of how many added up."""
    total: dict[str, tuple[float, float]] = {}
    for result in results:
        for name, (right, count) in result.items():
            before = total.get(name, (0.0, 0.0))
            total[name] = (before[0] + right, before[1] + count)
    return total


def misses(made: Made, document: ParsedDocument) -> Iterator[str]:
    """What is no block of its kind in the document, and headings that are none, for whoever mends the parser."""
    there = {(block.kind, _normal(block.text)) for block in document.blocks}
    items = {_normal(line) for block in document.blocks if block.kind == "list" for line in block.text.split("\n")}
    texts = {text: kind for kind, text in there} | dict.fromkeys(items, "list")
    true = {_normal(fact.text) for fact in made.facts if fact.kind == "heading"}
    for fact in made.facts:
        text = _normal(fact.text)
        if not fact.rows and (fact.kind, text) not in there and texts.get(text) != fact.kind:
            yield f"{fact.kind} p{fact.page} {texts.get(text, 'nowhere')}: {fact.text[:70]}"
    for block in document.blocks:
        if block.kind == "heading" and _normal(block.text) not in true:
            yield f"no heading p{block.page}: {block.text}"
