"""Cells of an HTML table → a Markdown table; tables that only place things are told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from youju.providers.markup.tree import attribute, children
from youju.providers.parsing.lines import table

_MAX_SPAN = 100
_MAX_CELLS = 1_000_000
_PARTS = frozenset({"thead", "tbody", "tfoot"})
_CELLS = frozenset({"td", "th"})
_LOOKED_AT = 60  # rows
_SECTIONS = "table, h1, h2, h3, h4, article, section"
_PROSE = 600


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    columns: int
    rows: int


@dataclass
class Grid:
    """The rows of a table as they are read; `heads` of them come first and name the columns."""

    rows: list[list[Cell]] = field(default_factory=list)
    heads: int = 0

    def row(self, *, head: bool) -> None:
        if head and self.heads == len(self.rows):
            self.heads += 1
        self.rows.append([])

    def cell(self, text: str, node: LexborNode) -> None:
        if not self.rows:
            self.row(head=False)
        self.rows[-1].append(Cell(text, _span(node, "colspan"), _span(node, "rowspan")))

    def markdown(self) -> str:
        """The table, each merged cell's text once; several head rows become one. "" where no cell says anything."""
        lines, owners = self._laid()
        keep = [at for at, line in enumerate(lines) if any(line)]
        if not keep:
            return ""
        lines, owners = [lines[at] for at in keep], [owners[at] for at in keep]
        columns = max(map(len, lines))
        if columns * len(lines) > _MAX_CELLS:
            return "\n".join(" ".join(filter(None, line)) for line in lines)
        heads = sum(at < self.heads for at in keep)
        if 1 < heads < len(lines):
            lines = [_head(owners[:heads], columns), *lines[heads:]]
        return table(lines)

    def line(self) -> str:
        """All of it on one line, for a table inside a cell."""
        return "；".join(" ".join(cell.text for cell in row if cell.text) for row in self.rows)

    def _laid(self) -> tuple[list[list[str]], list[list[str]]]:
        """The rows with merged cells' text once, and again with it in all the places they cover."""
        once: list[list[str]] = []
        everywhere: list[list[str]] = []
        hanging: dict[int, tuple[int, str]] = {}  # column → how many more rows the cell above covers, its text
        room = _MAX_CELLS
        line: list[str] = []
        for row in self.rows:
            room -= len(line) if once else 0
            spans = room > 0
            hanging = hanging if spans else {}
            line = []
            full: list[str] = []
            for cell in row:
                _hung(line, full, hanging)
                for at in range(cell.columns if spans else 1):
                    if cell.rows > 1 and spans:
                        hanging[len(line)] = (cell.rows, cell.text)
                    line.append("" if at else cell.text)
                    full.append(cell.text)
            _hung(line, full, hanging)
            hanging = {column: (left - 1, text) for column, (left, text) in hanging.items() if left > 1}
            once.append(line)
            everywhere.append(full)
        return once, everywhere


def _hung(line: list[str], full: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    """Leave the places free that a cell of an earlier row covers."""
    while len(line) in hanging:
        full.append(hanging[len(line)][1])
        line.append("")


def _head(rows: Sequence[Sequence[str]], columns: int) -> list[str]:
    """One head from several: 产量 over 2023 → 产量 2023."""
    stacked = [[row[at] for row in rows if at < len(row)] for at in range(columns)]
    return [" ".join(dict.fromkeys(filter(None, names))) for names in stacked]


def _span(node: LexborNode, name: str) -> int:
    value = attribute(node, name)
    return min(max(int(value), 1), _MAX_SPAN) if value.isdecimal() and len(value) < 6 else 1  # noqa: PLR2004


def rows_of(node: LexborNode) -> list[LexborNode]:
    """The rows of the table itself, not of tables inside it."""
    found = []
    for child in children(node):
        inside = children(child) if child.tag in _PARTS else [child]
        found += [row for row in inside if row.tag == "tr"]
    return found


def places_only(node: LexborNode) -> bool:
    """Whether a table is there for the layout of the page: its cells are columns of it, not values."""
    if attribute(node, "role") in {"presentation", "none"}:
        return True
    rows = [[cell for cell in children(row) if cell.tag in _CELLS] for row in rows_of(node)[:_LOOKED_AT]]
    cells = [cell for row in rows for cell in row]
    if any(cell.tag == "th" for cell in cells) or any(child.tag in {"caption", "thead"} for child in children(node)):
        return False
    if len(rows) <= 1 or max(map(len, rows)) <= 1:
        return True
    return any(cell.css_first(_SECTIONS) is not None or len(cell.text()) > _PROSE for cell in cells)
