"""Gathered lines → the text and boxes of a block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from youju.providers.parsing.lines import join_lines, table, width
from youju.providers.pdf.layout import Line
from youju.types import Block, BlockKind, Box


@dataclass(slots=True)
class Draft:
    """A block being gathered; `items` are the lines of each list item, one item for other kinds."""

    kind: BlockKind
    items: list[list[Line]] = field(default_factory=list)
    level: int = 0

    @property
    def last(self) -> Line:
        return self.items[-1][-1]


def block(draft: Draft) -> Block:
    lines = [line for item in draft.items for line in item]
    first, last = lines[0].page, lines[-1].page
    return Block(
        kind=draft.kind,
        text=_text(draft, lines),
        page=first,
        page_end=last,
        level=draft.level,
        boxes=tuple(_boxes(lines)),
    )


def _text(draft: Draft, lines: Sequence[Line]) -> str:
    if draft.kind == "table":
        return table_text(lines)
    if draft.kind == "code":
        return _code_text(lines)
    if draft.kind == "list":
        margin = draft.items[0][0].x0
        return "\n".join(
            ("  " if item[0].x0 > margin + item[0].size else "") + join_lines([line.text for line in item])
            for item in draft.items
        )
    return join_lines([line.text for line in lines])


def table_text(lines: Sequence[Line]) -> str:
    """One Markdown table; a head repeated on a following page is left out."""
    rows: list[list[str]] = []
    for line in lines:
        new = line.table.rows if line.table else []
        rows.extend(new[1:] if rows and new and new[0] == rows[0] else new)
    return table(rows)


def _code_text(lines: Sequence[Line]) -> str:
    """Lines as set, their depth told by where they begin, empty lines by the gaps."""
    letter = median((line.x1 - line.x0) / max(width(line.text), 1) for line in lines) or 1.0
    margins = {line.page: min(one.x0 for one in lines if one.page == line.page) for line in lines}
    steps = [b.base - a.base for a, b in pairwise(lines) if a.page == b.page and b.base > a.base]
    step = min(steps, default=0.0)
    shown: list[str] = []
    for before, line in zip([None, *lines], lines, strict=False):
        if before and step and before.page == line.page:
            shown.extend([""] * min(round((line.base - before.base) / step) - 1, 2))
        shown.append(" " * round((line.x0 - margins[line.page]) / letter) + line.text)
    return "\n".join(shown)


def _boxes(lines: Sequence[Line]) -> Iterator[Box]:
    """One box a page and column."""
    groups: list[list[Line]] = []
    for line in lines:
        if groups and groups[-1][-1].page == line.page and abs(groups[-1][-1].left - line.left) < line.size:
            groups[-1].append(line)
        else:
            groups.append([line])
    for group in groups:
        edges = (
            min(line.x0 for line in group), min(line.y0 for line in group),
            max(line.x1 for line in group), max(line.y1 for line in group),
        )  # fmt: skip
        yield Box(group[0].page, *(round(edge, 1) for edge in edges))
