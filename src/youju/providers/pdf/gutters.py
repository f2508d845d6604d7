"""Lines that run over a narrow gutter → the halves that belong to either column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from youju.providers.pdf.cells import end_of
from youju.providers.pdf.chars import Run

_NARROWEST = 1.25  # in letters; less is the wide space of a justified line
_MIN_ROWS = 8
_MOST = 0.8
_COLUMN = 8  # letters; what is narrower is a table or a list of names
_FULL = 1.5
_CLOSE = (0.5, 2.0)  # how wide a narrow gutter is, in letters


class _Gap(NamedTuple):
    run: Run
    at: int
    end: float
    start: float


def parted(runs: Sequence[Run]) -> list[Run]:
    """The runs of a page; where most of many lines leave a gap at one place, and lines of prose end at it, they part.

    A list of names and numbers leaves gaps at one place too, but its left side is short or ragged.
    """
    gaps = [gap for run in runs for gap in _gaps(run)]
    if len(gaps) < _MIN_ROWS:
        return list(runs)
    start, _ = Counter(round(gap.start) for gap in gaps).most_common(1)[0]
    there = {id(gap.run): gap for gap in gaps if abs(gap.start - start) <= 1}
    if len(there) < _MIN_ROWS or not _are_columns(list(there.values())) or not _through(runs, there, start):
        return list(runs)
    return [half for run in runs for half in (_halves(there[id(run)]) if id(run) in there else (run,))]


def gutters(rows: Sequence[Sequence[Run]]) -> list[float]:
    """Where columns begin that stand close beside others: many lines end a little before the place.

    Args:
        rows: the runs on each base line, from left to right.
    """
    near: Counter[int] = Counter()
    for row in rows:
        for before, after in pairwise(row):
            gap = after.x0 - before.x1
            long = min(before.x1 - before.x0, after.x1 - after.x0) >= _COLUMN * before.size
            if long and _CLOSE[0] * before.size <= gap <= _CLOSE[1] * before.size:
                near[round(after.x0)] += 1
    return [float(start) for start, count in near.items() if count >= _MIN_ROWS]


def cut_at(starts: Sequence[float], runs: Sequence[Run]) -> list[Run]:
    """The runs; those that go on over a gutter in two."""
    return [half for run in runs for half in _cut_at(starts, run)]


def _cut_at(starts: Sequence[float], run: Run) -> tuple[Run, ...]:
    for gap in _gaps(run, _CLOSE[0]):
        if any(abs(gap.start - start) <= 1 for start in starts):
            return _halves(gap)
    return (run,)


def _gaps(run: Run, least: float = _NARROWEST) -> Iterator[_Gap]:
    if len(run.starts) != len(run.text):
        return
    for at in range(1, len(run.text) - 1):
        if run.text[at] == " ":
            end, start = end_of(run, at - 1), run.starts[at + 1]
            if start - end >= least * run.size:
                yield _Gap(run, at, end, start)


def _are_columns(gaps: Sequence[_Gap]) -> bool:
    size = median(gap.run.size for gap in gaps)
    left = median(gap.end - gap.run.x0 for gap in gaps)
    right = median(gap.run.x1 - gap.start for gap in gaps)
    edge = max(gap.end for gap in gaps)
    full = sum(gap.end > edge - _FULL * size for gap in gaps)
    return min(left, right) >= _COLUMN * size and full >= _MOST * len(gaps)


def _through(runs: Sequence[Run], there: dict[int, _Gap], start: float) -> bool:
    """Whether hardly any line between the first and the last of them crosses the gap."""
    top = min(gap.run.y0 for gap in there.values())
    bottom = max(gap.run.y1 for gap in there.values())
    crossing = [
        run for run in runs if run.y0 >= top and run.y1 <= bottom and run.x0 < start - run.size and run.x1 > start + 1
    ]
    return len(there) >= _MOST * len(crossing)


def _halves(gap: _Gap) -> tuple[Run, Run]:
    run, at = gap.run, gap.at
    left = replace(run, text=run.text[:at], x1=gap.end, starts=run.starts[:at])
    return left, replace(run, text=run.text[at + 1 :], x0=gap.start, starts=run.starts[at + 1 :])
