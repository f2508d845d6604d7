"""Cells with spans → rows in which every value can be found by its head: what merging hid is told again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_MOST_HEADS = 3
_MOST_COLUMNS = 1000


@dataclass(frozen=True)
class Cell:
    """`goes_on`: the lower part of a cell merged downwards. `columns` is how many it covers."""

    text: str
    columns: int = 1
    goes_on: bool = False


@dataclass(frozen=True)
class Grid:
    """A table: what stands over its heads, the heads in one row, the rows under them."""

    titles: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def all(self) -> list[tuple[str, ...]]:
        return [self.head, *self.rows]


def grid(rows: Sequence[Sequence[Cell]], heads: int = 0) -> Grid:
    """The table of these rows, of which the first `heads` are marked as heads; 0 where none is.

    A value merged downwards stands in each of its rows; one merged sideways once, in its first column. A first row of
    one cell is a title. Heads of two rows become one: 住宿费 over 一线城市 and 其他城市 gives 住宿费 一线城市 and
    住宿费 其他城市.
    """
    rows = [row for row in rows if any(cell.text or cell.goes_on for cell in row)]
    titles: list[str] = []
    while len(rows) > 1 and len(rows[0]) == 1 and max(len(row) for row in rows) > 1:
        titles.append(rows[0][0].text)
        rows = rows[1:]
    marked = heads - len(titles)
    depth = marked if 0 < marked <= _MOST_HEADS and marked < len(rows) else _head_rows(rows)
    upper = _filled(rows[:depth], sideways=True)
    body = _filled(rows[:depth] + rows[depth:], sideways=False)[depth:]
    return Grid(tuple(filter(None, titles)), _joined(upper), tuple(tuple(row) for row in body if any(row)))


def _head_rows(rows: Sequence[Sequence[Cell]]) -> int:
    """How many rows the heads take: as many as a cell of the first is merged over, one more under a wide head."""
    if len(rows) < 3:  # noqa: PLR2004 (two rows of heads and one under them)
        return min(len(rows), 1)
    depth = 1
    while depth < min(_MOST_HEADS, len(rows) - 1) and _belongs(rows[depth - 1], rows[depth]):
        depth += 1
    return depth


def _belongs(above: Sequence[Cell], below: Sequence[Cell]) -> bool:
    """Whether a row goes on with the heads of the row above it."""
    wide = any(cell.columns > 1 for cell in above) and all(cell.columns == 1 for cell in below)
    joined = any(cell.goes_on for cell in below) and not all(cell.goes_on for cell in below)
    return wide and (joined or not any(cell.text[:1].isdigit() for cell in below))


def _filled(rows: Sequence[Sequence[Cell]], *, sideways: bool) -> list[list[str]]:
    filled: list[list[str]] = []
    for row in rows:
        line: list[str] = []
        for cell in row:
            at = len(line)
            text = filled[-1][at] if cell.goes_on and filled and at < len(filled[-1]) else cell.text
            span = max(1, min(cell.columns, _MOST_COLUMNS - at))
            line += [text, *([text if sideways else ""] * (span - 1))]
        filled.append(line)
    return filled


def _joined(heads: Sequence[Sequence[str]]) -> tuple[str, ...]:
    columns = max((len(head) for head in heads), default=0)
    padded = [[*head, *[""] * (columns - len(head))] for head in heads]
    return tuple(" ".join(dict.fromkeys(filter(None, column))) for column in zip(*padded, strict=True))
