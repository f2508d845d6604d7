"""Runs of a page → lines in reading order: columns found by cutting along white space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from youju.providers.pdf.cells import rows_of
from youju.providers.pdf.chars import Run
from youju.providers.pdf.gutters import cut_at, gutters, parted
from youju.providers.pdf.tables import Table

_MAX_DEPTH = 16
_MIN_COLUMN_ROWS = 4
_MIN_COLUMN_SHARE = 0.15
_WIDE_SHARE = 0.6
_FEW_CUTS = 6


@dataclass(slots=True)
class Line:
    """A line of text, or a whole table, with the edges of the column it stands in.

    `aside`: it stands another way than the rest of the page.
    """

    page: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    bold: float
    mono: float
    left: float = 0.0
    right: float = 0.0
    table: Table | None = None
    columns: bool = False
    aside: bool = False
    parts: list[Run] = field(default_factory=list)


def line(page: int, runs: Sequence[Run]) -> Line:
    """Runs of one base line as a line: a space where there is a gap."""
    text = runs[0].text
    for before, after in pairwise(runs):
        text += (" " if after.x0 - before.x1 > 0.15 * before.size else "") + after.text
    total = sum(len(run.text) for run in runs)
    return Line(
        page=page,
        text=text.strip(),
        x0=min(run.x0 for run in runs),
        y0=min(run.y0 for run in runs),
        x1=max(run.x1 for run in runs),
        y1=max(run.y1 for run in runs),
        base=runs[0].base,
        size=max(runs, key=lambda run: len(run.text)).size,
        bold=sum(run.bold * len(run.text) for run in runs) / total,
        mono=sum(run.mono * len(run.text) for run in runs) / total,
        parts=list(runs),
    )


def ordered(page: int, runs: Sequence[Run], tables: Sequence[Table]) -> list[Line]:
    """The lines and tables of a page in reading order."""
    rows = rows_of(parted(runs))
    starts = gutters(rows)
    if starts:
        rows = rows_of(cut_at(starts, [run for row in rows for run in row]))
    items = [line(page, part) for row in rows for part in _segments(row, starts)]
    items += [
        Line(page, "", t.x0, t.y0, t.x1, t.y1, t.y1, t.size, 0.0, 0.0, table=t) for t in tables
    ]  # fmt: skip
    return list(_cut(items, _bounds(items), 0, columns=False)) if items else []


def _segments(row: Sequence[Run], gutters: Sequence[float]) -> Iterator[list[Run]]:
    """The stretches of a row without a wide gap or a gutter: a list's mark stays with its item, columns part."""
    part = [row[0]]
    for run in row[1:]:
        gap = run.x0 - part[-1].x1
        between = gap > 0 and any(part[-1].x1 < start <= run.x0 + 1 for start in gutters)
        if between or gap > 1.2 * max(run.size, part[-1].size):
            yield part
            part = []
        part.append(run)
    yield part


def _bounds(items: Sequence[Line]) -> tuple[float, float]:
    return min(item.x0 for item in items), max(item.x1 for item in items)


def _cut(items: list[Line], bounds: tuple[float, float], depth: int, *, columns: bool) -> Iterator[Line]:
    if len(items) > 1 and depth < _MAX_DEPTH:
        sides = _side_by_side(items)
        if sides:
            for side in sides:
                yield from _cut(side, _bounds(side), depth + 1, columns=True)
            return
        parts = _bands(items, bounds) or _over_columns(items) or _halves(items)
        if parts:
            for part in parts:
                yield from _cut(part, bounds, depth + 1, columns=columns)
            return
    yield from _leaf(items, bounds, columns=columns)


def _side_by_side(items: Sequence[Line]) -> list[list[Line]] | None:
    """Left and right of the widest gap that runs through from top to bottom."""
    by_left = sorted(items, key=lambda item: item.x0)
    size = median(item.size for item in items)
    reach, best, at = by_left[0].x1, 0.9 * size, 0
    for index, item in enumerate(by_left[1:], start=1):
        if item.x0 - reach > best:
            best, at = item.x0 - reach, index
        reach = max(reach, item.x1)
    left, right = by_left[:at], by_left[at:]
    if min(len(left), len(right)) < _MIN_COLUMN_ROWS:
        return None
    if not all(_is_column(side) or _side_by_side(side) for side in (left, right)):
        return None
    whole = _bounds(items)
    narrowest = min(x1 - x0 for x0, x1 in (_bounds(left), _bounds(right)))
    return [left, right] if narrowest >= _MIN_COLUMN_SHARE * (whole[1] - whole[0]) else None


def _is_column(items: Sequence[Line]) -> bool:
    """Whether most rows are one item: more are the wide spaces of a justified line, or a table's cells."""
    rows = rows_of([item.parts[0] for item in items if item.parts])
    single = sum(len(row) == 1 for row in rows) + sum(item.table is not None for item in items)
    return single * 2 >= len(rows) and len(rows) + len(items) - sum(map(len, rows)) >= _MIN_COLUMN_ROWS


def _bands(items: Sequence[Line], bounds: tuple[float, float]) -> list[list[Line]] | None:
    """Bands of wide and of narrow items from top to bottom, so that a title over two columns parts from them."""
    wide = _WIDE_SHARE * (bounds[1] - bounds[0])
    bands: list[list[Line]] = []
    floor = 0.0
    for item in sorted(items, key=lambda one: (one.y0, one.x0)):
        same = bool(bands) and (bands[-1][-1].x1 - bands[-1][-1].x0 > wide) == (item.x1 - item.x0 > wide)
        if bands and (same or item.y0 < floor - 0.3 * item.size):
            bands[-1].append(item)
        else:
            bands.append([item])
        floor = max(floor, item.y1)
    return bands if len(bands) > 1 else None


def _over_columns(items: Sequence[Line]) -> list[list[Line]] | None:
    """A title, narrow as it may be, and the columns under it; or columns and what is below them."""
    by_top = sorted(items, key=lambda item: item.y0)
    if sum(below.y0 < above.y1 - 0.5 * above.size for above, below in pairwise(by_top)) < _MIN_COLUMN_ROWS:
        return None  # one line under another: no columns
    cuts = []
    floor = by_top[0].y1
    for at, item in enumerate(by_top[1:], start=1):
        if item.y0 > floor - 0.2 * item.size:
            cuts.append(at)
        floor = max(floor, item.y1)
    for at in cuts[:_FEW_CUTS]:
        if _side_by_side(by_top[at:]):
            return [by_top[:at], by_top[at:]]
    for at in cuts[: -_FEW_CUTS - 1 : -1]:
        if _side_by_side(by_top[:at]):
            return [by_top[:at], by_top[at:]]
    return None


def _halves(items: Sequence[Line]) -> list[list[Line]] | None:
    """Above and below the highest gap that runs through from left to right."""
    by_top = sorted(items, key=lambda item: item.y0)
    floor, best, at = by_top[0].y1, 0.0, 0
    for index, item in enumerate(by_top[1:], start=1):
        if item.y0 - floor > best:
            best, at = item.y0 - floor, index
        floor = max(floor, item.y1)
    return [by_top[:at], by_top[at:]] if at else None


def _leaf(items: Sequence[Line], bounds: tuple[float, float], *, columns: bool) -> Iterator[Line]:
    """Items that no gap parts: those of one base line become one line."""
    tables = [item for item in items if item.table]
    made = [*tables]
    page = items[0].page
    made += [line(page, row) for row in rows_of([run for item in items for run in item.parts])]
    for one in sorted(made, key=lambda item: item.base):
        one.left, one.right, one.columns = bounds[0], bounds[1], columns
        yield one
