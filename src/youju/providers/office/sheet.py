"""What is on a sheet: rows with their numbers, and areas merged over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """`n` is the number of the row as the program shows it; bit c of `words` is set where column c holds no number."""

    n: int
    cells: Mapping[int, str]
    words: int = -1


@dataclass(frozen=True, slots=True)
class Merge:
    """A merged area, rows and columns from 1 and inclusive."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True)
class Sheet:
    """The visible rows that hold something, in order. `hidden` are numbers of rows left out, which part no tables."""

    rows: Sequence[Row]
    merges: Sequence[Merge] = ()
    hidden: frozenset[int] = frozenset()
