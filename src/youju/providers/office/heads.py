"""The heads of the columns of a table in a sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from youju.providers.office.sheet import Merge, Row

_MOST_DEPTH = 3
_PERIOD = re.compile(r"(?:19|20)\d\d(?:\s*[年/.-]\s*(?:\d{1,2}\s*月?)?)?|\d{1,2}\s*月")
_SHARE = 0.5
_LETTERS = 26


@dataclass(frozen=True)
class Head:
    """`texts[i]` is the head of `columns[i]`; `depth` is how many rows of the table the heads take."""

    columns: tuple[int, ...]
    texts: tuple[str, ...]
    depth: int


def head(rows: Sequence[Row], columns: Sequence[int], wide: Mapping[int, Sequence[Merge]]) -> Head | None:
    """The heads at the top of a table, None where its first row is no row of heads.

    Heads are words in at least half of the columns, or periods (2023 年). Under heads merged over several columns the
    next row goes on with them.
    """
    if len(rows) < 2 or not _is_head(rows[0], columns):  # noqa: PLR2004 (a head and a row under it)
        return None
    depth = 1
    while depth < min(_MOST_DEPTH, len(rows) - 1) and wide.get(rows[depth - 1].n) and _goes_on(rows[depth]):
        depth += 1
    lines = [_spread(row, wide.get(row.n, ())) for row in rows[:depth]]
    texts = tuple(
        " ".join(dict.fromkeys(" ".join(line[column].split()) for line in lines if line.get(column)))
        for column in columns
    )
    return Head(tuple(columns), texts, depth)


def letters(columns: Sequence[int]) -> Head:
    """The names that the program itself gives the columns: A列, B列, … for a table without heads."""
    return Head(tuple(columns), tuple(f"{letter(column)}列" for column in columns), 0)


def letter(column: int) -> str:
    """The letters of a column, from 1: A … Z, AA."""
    text = ""
    while column > 0:
        column, at = divmod(column - 1, _LETTERS)
        text = chr(ord("A") + at) + text
    return text


def _is_head(row: Row, columns: Sequence[int]) -> bool:
    spelt = [bool(row.words >> column & 1) or bool(_PERIOD.fullmatch(text)) for column, text in row.cells.items()]
    return all(spelt) and len(spelt) >= _SHARE * len(columns)


def _goes_on(row: Row) -> bool:
    return all(row.words >> column & 1 for column in row.cells)


def _spread(row: Row, merges: Sequence[Merge]) -> Mapping[int, str]:
    """The cells of a row of heads, each in all the columns it is merged over."""
    cells = dict(row.cells)
    for merge in merges:
        if merge.left in row.cells:
            cells |= dict.fromkeys(range(merge.left, merge.right + 1), row.cells[merge.left])
    return cells
