"""Rows of a sheet → blocks: tables told apart, titles above them, heads repeated in every piece, rows located."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from youju.providers.office.heads import Head, head, letters
from youju.providers.office.sheet import Merge, Row, Sheet
from youju.providers.parsing.lines import table
from youju.providers.parsing.titles import heading_level
from youju.types import Block

_MOST_ROWS = 40
_MOST_COLUMNS = 30
_TITLE_MAX = 60
_MOST_FILLED = 1_000_000  # areas may lie over each other
_NOTE = re.compile(r"^(?:注|备注|说明|附注|编制|制表|审核|单位|日期|填表)\s*\d*\s*[:：（(]")


@dataclass(frozen=True)
class Place:
    """How rows are named: 费用!12-40 in a workbook, 第 12-40 行 in a text file."""

    before: str = "第 "
    after: str = " 行"

    def of(self, first: int, last: int) -> str:
        return f"{self.before}{first if first == last else f'{first}-{last}'}{self.after}"


class _Line(NamedTuple):
    n: int
    text: str


@dataclass
class Writer:
    """Writes the blocks of a sheet. `piece_chars` bounds a piece of a table, its head included."""

    place: Place
    piece_chars: int
    title_level: int
    _head: Head | None = field(default=None)

    def blocks(self, sheet: Sheet) -> Iterator[Block]:
        tall, wide = _merges(sheet.merges)
        for group in _groups(_filled(sheet.rows, tall), sheet.hidden):
            yield from self._group(group, wide)

    def _group(self, rows: Sequence[Row], wide: Mapping[int, Sequence[Merge]]) -> Iterator[Block]:
        columns = _columns(rows)
        first = 0
        while first < len(rows) - 1 and len(columns) > 1 and _is_single(rows[first]):
            yield self._alone(rows[first])
            first += 1
        last = len(rows)
        while last > first + 1 and len(columns) > 1 and _is_note(rows[last - 1], wide):
            last -= 1
        yield from self._table(rows[first:last], columns, wide)
        for row in rows[last:]:
            yield self._line(row)

    def _alone(self, row: Row) -> Block:
        """A row above a table: its title, unless it is a remark."""
        text = _only(row)
        if len(text) > _TITLE_MAX or _NOTE.match(text) or text.endswith(("。", "；")):
            return self._line(row)
        return Block("heading", " ".join(text.split()), level=self.title_level)

    def _line(self, row: Row) -> Block:
        return Block("text", "，".join(row.cells.values()), locator=self.place.of(row.n, row.n))

    def _table(
        self, rows: Sequence[Row], columns: Sequence[int], wide: Mapping[int, Sequence[Merge]]
    ) -> Iterator[Block]:
        found = head(rows, columns, wide)
        before = self._head
        if found is None and before is not None and set(columns) <= set(before.columns):
            found = Head(before.columns, before.texts, 0)
        if found is None and (len(columns) == 1 or len(rows) == 1):
            for row in rows:
                yield self._line(row)
            return
        found = found or letters(columns)
        self._head = found
        body = rows[found.depth :]
        if not body:
            yield from map(self._line, rows)
        for titled, part in _parts(body, len(columns), wide):
            if titled:
                yield Block("heading", " ".join(_only(titled).split()), level=self.title_level + 1)
            yield from self._pieces(part, found)

    def _pieces(self, rows: Sequence[Row], found: Head) -> Iterator[Block]:
        room = self.piece_chars - len(table([found.texts]))
        run: list[_Line] = []
        for row in rows:
            text = table([[row.cells.get(column, "") for column in found.columns]]).partition("\n")[0]
            if len(text) <= room and len(found.columns) <= _MOST_COLUMNS:
                run.append(_Line(row.n, text))
                continue
            yield from self._run(run, found, room)
            run = []
            yield self._told(row, found)
        yield from self._run(run, found, room)

    def _run(self, run: Sequence[_Line], found: Head, room: int) -> Iterator[Block]:
        pieces = _packed(run, room)
        if len(pieces) > 1 and 2 * len(pieces[-1]) < len(pieces[-2]):
            together = [*pieces[-2], *pieces[-1]]
            middle = (len(together) + 1) // 2
            pieces[-2:] = [together[:middle], together[middle:]]
        for piece in pieces:
            text = "\n".join([table([found.texts]), *(line.text for line in piece)])
            yield Block("table", text, locator=self.place.of(piece[0].n, piece[-1].n))

    def _told(self, row: Row, found: Head) -> Block:
        """A row that is too long for a line of a table: 名称：值；名称：值."""
        named = zip(found.columns, found.texts, strict=True)
        pairs = [(name, " ".join(row.cells[column].split())) for column, name in named if column in row.cells]
        text = "；".join(f"{name}：{value}" if name else value for name, value in pairs)
        return Block("text", text, locator=self.place.of(row.n, row.n))


def _parts(
    rows: Sequence[Row], columns: int, wide: Mapping[int, Sequence[Merge]]
) -> Iterator[tuple[Row | None, Sequence[Row]]]:
    """The rows between titles that stand inside a table, over all its columns or numbered like headings."""
    starts = [
        at for at, row in enumerate(rows[:-1]) if columns > 1 and _is_title(row, wide) and len(rows[at + 1].cells) > 1
    ]
    cuts = [-1, *starts, len(rows)]
    for start, end in pairwise(cuts):
        if start >= 0 or end > 0:
            yield (rows[start] if start >= 0 else None), rows[start + 1 : end]


def _is_title(row: Row, wide: Mapping[int, Sequence[Merge]]) -> bool:
    if not _is_single(row) or len(_only(row)) > _TITLE_MAX or _NOTE.match(_only(row)):
        return False
    return row.n in wide or heading_level(_only(row)) > 0


def _packed(lines: Sequence[_Line], room: int) -> list[list[_Line]]:
    """Neighbouring lines together as long as they fit."""
    pieces: list[list[_Line]] = []
    length = 0
    for line in lines:
        length += len(line.text) + 1
        if not pieces or length > room or len(pieces[-1]) == _MOST_ROWS:
            pieces.append([])
            length = len(line.text) + 1
        pieces[-1].append(line)
    return pieces


def _columns(rows: Sequence[Row]) -> list[int]:
    return sorted({column for row in rows for column in row.cells})


def _only(row: Row) -> str:
    return next(iter(row.cells.values()))


def _is_single(row: Row) -> bool:
    return len(row.cells) == 1 and bool(row.words >> next(iter(row.cells)) & 1)


def _is_note(row: Row, wide: Mapping[int, Sequence[Merge]]) -> bool:
    return _is_single(row) and (row.n in wide or bool(_NOTE.match(_only(row))))


def _merges(merges: Sequence[Merge]) -> tuple[Sequence[Merge], Mapping[int, list[Merge]]]:
    """The merges over several rows, and by row those over several columns."""
    wide: dict[int, list[Merge]] = {}
    for merge in merges:
        if merge.right > merge.left:
            wide.setdefault(merge.top, []).append(merge)
    return [merge for merge in merges if merge.bottom > merge.top], wide


def _filled(rows: Sequence[Row], tall: Sequence[Merge]) -> list[Row]:
    """The rows with values that are merged downwards in every row they cover."""
    at = {row.n: index for index, row in enumerate(rows)} if tall else {}
    filled = list(rows)
    left = _MOST_FILLED
    for merge in tall:
        top = at.get(merge.top)
        text = rows[top].cells.get(merge.left) if top is not None else None
        if top is None or text is None:
            continue
        bit = rows[top].words & 1 << merge.left
        for index in range(top + 1, len(rows)):
            row = filled[index]
            left -= 1
            if row.n > merge.bottom or left < 0:
                break
            cells = dict(sorted({**row.cells, merge.left: text}.items()))
            filled[index] = Row(row.n, cells, row.words | bit)
    return filled


def _groups(rows: Sequence[Row], hidden: frozenset[int]) -> Iterator[Sequence[Row]]:
    """Stretches of rows without a blank one between them."""
    cuts = [
        at
        for at, (before, after) in enumerate(pairwise(rows), start=1)
        if any(n not in hidden for n in range(before.n + 1, min(after.n, before.n + 1 + len(hidden) + 1)))
    ]
    for first, last in pairwise([0, *cuts, len(rows)]):
        if last > first:
            yield rows[first:last]
