"""Runs → rows and the cells of a table's row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from youju.providers.parsing.lines import join_lines
from youju.providers.pdf.chars import Run

_NEAR = 3.0
_ASCII = "\x7f"


def rows_of(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs on one base line, from left to right; the lines from top to bottom."""
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda one: (one.base, one.x0)):
        if rows and abs(run.base - rows[-1][0].base) < 0.35 * max(run.size, rows[-1][0].size):
            rows[-1].append(run)
        else:
            rows.append([run])
    return [sorted(row, key=lambda one: one.x0) for row in rows]


def cut(run: Run, xs: Sequence[float]) -> list[Run]:
    """A run that crosses column edges, in its parts."""
    inner = [x for x in xs if run.x0 + _NEAR < x < run.x1 - _NEAR]
    if not inner or len(run.starts) != len(run.text):
        return [run]
    parts = []
    for _, group in groupby(range(len(run.text)), key=lambda at: bisect_right(inner, run.starts[at] + 1)):
        at = list(group)
        text = run.text[at[0] : at[-1] + 1]
        end = min(end_of(run, at[-1]), run.x1) if at[-1] + 1 < len(run.text) else run.x1
        parts.append(replace(run, text=text, x0=run.starts[at[0]], x1=end, starts=run.starts[at[0] : at[-1] + 1]))
    return parts


def cell(runs: Sequence[Run]) -> str:
    return join_lines([" ".join(run.text for run in row) for row in rows_of(runs)])


def end_of(run: Run, at: int) -> float:
    """About where a character ends: Chinese is as wide as high."""
    return run.starts[at] + run.size * (1.0 if run.text[at] > _ASCII else 0.6)


def words(run: Run) -> list[Run]:
    """A run in its parts where wide spaces are: cells that stand close to one another."""
    cuts = []
    for at, char in enumerate(run.text[:-1]):
        if char == " " and at and run.starts:
            end = end_of(run, at - 1)
            if run.starts[at + 1] - end > 0.4 * run.size:
                cuts.append(run.starts[at + 1] - 1)
    return cut(run, [run.x0, *cuts, run.x1])


def cells_by_gaps(rows: Sequence[Sequence[Run]]) -> list[list[str]]:
    """Cells where the gaps between columns run through; a row without a first cell goes on the one above."""
    starts = columns_of([run for row in rows for run in row])
    return continued([in_columns(row, starts) for row in rows])


def columns_of(runs: Sequence[Run]) -> list[float]:
    """Where the columns begin that runs of text fill from top to bottom."""
    columns: list[list[float]] = []
    for x0, x1 in sorted((run.x0, run.x1) for run in runs):
        if columns and x0 < columns[-1][1] + 1:
            columns[-1][1] = max(columns[-1][1], x1)
        else:
            columns.append([x0, x1])
    return [column[0] for column in columns]


def in_columns(row: Sequence[Run], starts: Sequence[float]) -> list[str]:
    texts = [""] * len(starts)
    for run in row:
        at = bisect_right(starts, run.x0 + 1) - 1
        texts[at] = f"{texts[at]} {run.text.strip()}".strip()
    return texts


def stacked(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of one row, joined cell by cell."""
    return [join_lines(cell) for cell in zip(*rows, strict=True)]


def continued(rows: Sequence[list[str]]) -> list[list[str]]:
    cells: list[list[str]] = []
    for row in rows:
        if cells and not row[0]:
            cells[-1] = stacked([cells[-1], row])
        else:
            cells.append(row)
    return cells
