"""Pages read turned → boxes on them as they are shown; what stands another way than the rest of its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from youju.providers.pdf.chars import Run, Sheet
from youju.providers.pdf.glyphs import turned
from youju.providers.pdf.layout import Line, line
from youju.types import Block, Box

_REPEATED = 3  # pages, from which words up the edge are a tab or a label and no body


def as_shown(blocks: Sequence[Block], sheets: Sequence[Sheet]) -> list[Block]:
    """The blocks with their boxes on the pages as they are shown."""
    turns = {sheet.n: sheet for sheet in sheets if sheet.turn}
    if not turns:
        return list(blocks)
    return [replace(block, boxes=tuple(_shown(box, turns) for box in block.boxes)) for block in blocks]


def size_shown(sheet: Sheet) -> tuple[float, float]:
    """Width and height of the page as it is shown."""
    return (sheet.height, sheet.width) if sheet.turn % 2 else (sheet.width, sheet.height)


def aside(sheets: Sequence[Sheet], furniture: AbstractSet[int]) -> dict[int, list[Line]]:
    """Per page the lines that stand another way than the rest, but for what stands so on page after page."""
    pages: Counter[str] = Counter()
    for sheet in sheets:
        pages.update({run.text for run in sheet.aside})
    often = {text for text, count in pages.items() if count >= _REPEATED}
    return {
        sheet.n: [_line(sheet.n, run) for run in sheet.aside if run.text not in _heads(sheet, furniture) | often]
        for sheet in sheets
        if sheet.aside
    }


def _heads(sheet: Sheet, furniture: AbstractSet[int]) -> set[str]:
    return {run.text for run in sheet.standing if id(run) in furniture}


def _line(page: int, run: Run) -> Line:
    made = line(page, [run])
    made.left, made.right, made.aside = run.x0, run.x1, True
    return made


def _shown(box: Box, turns: Mapping[int, Sheet]) -> Box:
    sheet = turns.get(box.page)
    if not sheet:
        return box
    edges = turned((box.x0, box.y0, box.x1, box.y1), -sheet.turn, (sheet.width, sheet.height))
    return Box(box.page, *(round(edge, 1) for edge in edges))
