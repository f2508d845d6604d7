"""Tables on a page: ruled grids, three-line tables, and rows whose cells stand under one another."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from youju.providers.pdf.cells import (
    cell,
    cells_by_gaps,
    columns_of,
    continued,
    cut,
    in_columns,
    rows_of,
    stacked,
    words,
)
from youju.providers.pdf.chars import Run
from youju.providers.pdf.geometry import Rule

_NEAR = 3.0
_MIN_FILLED = 0.4
_MIN_ROWS = 3
_MIN_LINES = 3
_WIDE = 0.6
_STOP = re.compile(r"[，。；、]|[a-z][,.] ")
_PROSE = 14  # characters a cell from which two columns are more likely prose


@dataclass(slots=True)
class Table:
    """A table with its place; `rows` are cells, the first row the head."""

    x0: float
    y0: float
    x1: float
    y1: float
    rows: list[list[str]]
    size: float


class Found(NamedTuple):
    tables: list[Table]
    rest: list[Run]


def tables(runs: Sequence[Run], rules: Sequence[Rule]) -> Found:
    """The tables of a page from top to bottom and the runs that are in none."""
    found: list[Table] = []
    rest = list(runs)
    across = _merged([rule for rule in rules if rule.horizontal], horizontal=True)
    down = _merged([rule for rule in rules if not rule.horizontal], horizontal=False)
    for xs, ys in _grids(across, down):
        count = len(found)
        rest = _take(rest, found, *_in_grid(rest, xs, ys), least_rows=1)
        for table in found[count:]:
            table.x0, table.y0, table.x1, table.y1 = xs[0], ys[0], xs[-1], ys[-1]
    for group in _line_groups(across, down):
        for bands in _tabular(rest, group):
            rest = _take(rest, found, *_between_lines(rest, bands))
    for rows in _aligned(rest):
        rest = _take(rest, found, [run for row in rows for run in row], cells_by_gaps(rows))
    return Found(sorted(found, key=lambda table: table.y0), rest)


def _take(
    rest: list[Run], found: list[Table], inside: list[Run], cells: list[list[str]], *, least_rows: int = 2
) -> list[Run]:
    """Add a table where the cells make one; the runs left over. A grid may be one row, the rest of a table."""
    filled = sum(bool(cell) for row in cells for cell in row)
    total = sum(len(row) for row in cells)
    columns = max((sum(bool(cell) for cell in row) for row in cells), default=0)
    if not inside or columns < 2 or len(cells) < least_rows or filled < _MIN_FILLED * total:  # noqa: PLR2004
        return rest
    box = (
        min(run.x0 for run in inside), min(run.y0 for run in inside),
        max(run.x1 for run in inside), max(run.y1 for run in inside),
    )  # fmt: skip
    found.append(Table(*box, cells, max(run.size for run in inside)))
    gone = {id(run) for run in inside}
    return [run for run in rest if id(run) not in gone]


def _merged(rules: Sequence[Rule], *, horizontal: bool) -> list[Rule]:
    """Collinear neighbours as one line: renderers draw a line once a cell."""

    def place(rule: Rule) -> tuple[float, float, float]:
        middle = (rule.y0 + rule.y1) / 2 if horizontal else (rule.x0 + rule.x1) / 2
        return (middle, rule.x0, rule.x1) if horizontal else (middle, rule.y0, rule.y1)

    tracks: list[list[tuple[float, float, float]]] = []
    for one in sorted(place(rule) for rule in rules):
        if tracks and one[0] - tracks[-1][0][0] < _NEAR / 2:
            tracks[-1].append(one)
        else:
            tracks.append([one])
    merged: list[Rule] = []
    for track in tracks:
        at = track[0][0]
        start, end = None, 0.0
        for _, low, high in [*sorted(track, key=lambda one: one[1]), (at, float("inf"), float("inf"))]:
            if start is not None and low > end + _NEAR:
                merged.append(Rule(start, at, end, at) if horizontal else Rule(at, start, at, end))
                start = None
            start, end = (low, high) if start is None else (start, max(end, high))
    return merged


def _grids(across: Sequence[Rule], down: Sequence[Rule]) -> list[tuple[list[float], list[float]]]:
    """The column and row edges of each group of lines that touch one another."""
    groups: list[tuple[list[Rule], list[Rule]]] = []
    for line in down:
        touching = [rule for rule in across if _touch(rule, line)]
        if touching:
            groups.append((touching, [line]))
    grids = []
    for rows, columns in _joined(groups):
        xs = _edges([*(line.x0 for line in columns), min(r.x0 for r in rows), max(r.x1 for r in rows)])
        ys = _edges([*(line.y0 for line in rows), min(c.y0 for c in columns), max(c.y1 for c in columns)])
        if len(xs) > 2 and len(ys) > 1:  # noqa: PLR2004 (two columns)
            grids.append((xs, ys))
    return grids


def _touch(across: Rule, down: Rule) -> bool:
    return across.x0 - _NEAR <= down.x0 <= across.x1 + _NEAR and down.y0 - _NEAR <= across.y0 <= down.y1 + _NEAR


def _joined(groups: list[tuple[list[Rule], list[Rule]]]) -> list[tuple[list[Rule], list[Rule]]]:
    """Groups that share a horizontal line, put together."""
    joined: list[tuple[list[Rule], list[Rule]]] = []
    for rows, columns in groups:
        same = [one for one in joined if any(row in one[0] for row in rows)]
        joined = [one for one in joined if one not in same]
        merged_rows = list(dict.fromkeys([*(r for one in same for r in one[0]), *rows]))
        joined.append((merged_rows, [*(c for one in same for c in one[1]), *columns]))
    return joined


def _edges(values: Iterable[float]) -> list[float]:
    edges: list[float] = []
    for value in sorted(values):
        if not edges or value - edges[-1] > _NEAR:
            edges.append(value)
    return edges


def _in_grid(runs: Sequence[Run], xs: list[float], ys: list[float]) -> tuple[list[Run], list[list[str]]]:
    inside = [
        run for run in runs
        if xs[0] - _NEAR <= (run.x0 + run.x1) / 2 <= xs[-1] + _NEAR and ys[0] < (run.y0 + run.y1) / 2 < ys[-1]
    ]  # fmt: skip
    cells: list[list[list[Run]]] = [[[] for _ in xs[1:]] for _ in ys[1:]]
    for run in inside:
        row = min(max(bisect_right(ys, (run.y0 + run.y1) / 2) - 1, 0), len(ys) - 2)
        for part in cut(run, xs):
            column = min(max(bisect_right(xs, (part.x0 + part.x1) / 2) - 1, 0), len(xs) - 2)
            cells[row][column].append(part)
    texts = [[cell(found) for found in row] for row in cells]
    return inside, [row for row in texts if any(row)]


def _line_groups(across: Sequence[Rule], down: Sequence[Rule]) -> list[list[Rule]]:
    """Three or more lines of one width above one another with nothing vertical between: a three-line table."""
    free = [rule for rule in across if not any(_touch(rule, one) for one in down)]
    free.sort(key=lambda rule: (round(rule.x0 / _NEAR), round(rule.x1 / _NEAR), rule.y0))
    groups = groupby(free, key=lambda rule: (round(rule.x0 / _NEAR), round(rule.x1 / _NEAR)))
    return [found for _, group in groups if len(found := list(group)) >= _MIN_LINES]


def _tabular(runs: Sequence[Run], group: Sequence[Rule]) -> list[list[Rule]]:
    """The stretches of lines between which the text stands in columns; what parts two tables does not."""
    stretches: list[list[Rule]] = [[group[0]]]
    for above, below in pairwise(group):
        rows = rows_of(_inside(runs, above, below))
        prose = [row for row in rows if len(row) == 1 and row[0].x1 - row[0].x0 > _WIDE * (above.x1 - above.x0)]
        if len(prose) * 2 <= len(rows) and (not rows or any(len(row) > 1 for row in rows)):
            stretches[-1].append(below)
        else:
            stretches.append([below])
    return [stretch for stretch in stretches if len(stretch) >= _MIN_LINES]


def _inside(runs: Sequence[Run], above: Rule, below: Rule) -> list[Run]:
    left, right = above.x0 - _NEAR, above.x1 + _NEAR
    return [run for run in runs if above.y0 < (run.y0 + run.y1) / 2 < below.y0 and left <= run.x0 and run.x1 <= right]


def _between_lines(runs: Sequence[Run], group: Sequence[Rule]) -> tuple[list[Run], list[list[str]]]:
    """The runs between the first and last line, and their cells: one row for the head, then one a line or a base."""
    inside = _inside(runs, group[0], group[-1])
    starts = columns_of([part for run in inside for part in words(run)])
    cells: list[list[str]] = []
    for at, (above, below) in enumerate(pairwise(group)):
        rows = rows_of([part for run in _inside(runs, above, below) for part in words(run)])
        full = sum(len(row) * 2 >= len(starts) for row in rows)
        whole = at == 0 or full < 2  # noqa: PLR2004 (two rows)
        found = [in_columns(row, starts) for row in rows]
        cells.extend([stacked(found)] if whole and found else continued(found))
    return inside, cells


def _aligned(runs: Sequence[Run]) -> list[list[list[Run]]]:
    """Stretches of neighbouring rows whose cells begin, or end, at the same places and are no prose."""
    rows = rows_of(runs)
    stretches: list[list[list[Run]]] = []
    current: list[list[Run]] = []
    for row in [*rows, []]:
        if current and (len(row) != len(current[-1]) or not _alike(current[-1], row)):
            stretches.append(current)
            current = []
        if len(row) > 1 and _gapped(row):
            current.append(row)
    return [rows for rows in stretches if len(rows) >= _MIN_ROWS and not _is_prose(rows)]


def _alike(above: Sequence[Run], below: Sequence[Run]) -> bool:
    if below[0].y0 - above[0].y1 > 1.5 * above[0].size:
        return False
    return all(
        min(abs(a.x0 - b.x0), abs(a.x1 - b.x1), abs(a.x0 + a.x1 - b.x0 - b.x1) / 2) < _NEAR
        for a, b in zip(above, below, strict=True)
    )


def _gapped(row: Sequence[Run]) -> bool:
    return all(after.x0 - before.x1 > before.size for before, after in pairwise(row))


def _is_prose(rows: Sequence[Sequence[Run]]) -> bool:
    """Columns of long or of equally wide cells are columns of text."""
    columns = [[row[at] for row in rows] for at in range(len(rows[0]))]
    if len(columns) > 2:  # noqa: PLR2004 (two columns)
        return all(_runs_on(column) for column in columns)
    long = all(sum(len(run.text) for run in column) > _PROSE * len(column) for column in columns)
    return long or all(_is_justified(column) for column in columns)


def _runs_on(column: Sequence[Run]) -> bool:
    """Whether cells are lines of sentences: most reach the edge, and some have a comma or a stop."""
    widest = max(run.x1 - run.x0 for run in column)
    full = median(run.x1 - run.x0 for run in column) > 0.9 * widest > _PROSE / 2 * column[0].size
    said = sum(bool(_STOP.search(run.text)) for run in column)
    return full and said >= 0.3 * len(column)


def _is_justified(column: Sequence[Run]) -> bool:
    widest = max(run.x1 - run.x0 for run in column)
    full = sum(run.x1 - run.x0 > 0.9 * widest for run in column)
    return full > 0.8 * len(column) and widest > _PROSE / 2 * column[0].size
