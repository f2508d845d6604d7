"""The body of a Word document as a row of paragraphs and tables, in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from youju.providers.office.grid import Cell, Grid, grid
from youju.providers.office.inline import Inline, Reader
from youju.providers.office.numbering import Label, Numbering
from youju.providers.office.styles import Style
from youju.providers.office.xml import Element, flag, number, value
from youju.providers.parsing.lines import join

_CONTAINERS = frozenset({"{w}sdtContent", "{w}ins", "{w}moveTo", "{w}customXml", "{w}smartTag", "{mc}Choice"})
_CONTENTS_PARTS = frozenset({"Table of Contents", "目录"})


@dataclass(frozen=True)
class Paragraph:
    """`text` begins with its number, if it has one; `size` in half points."""

    text: str
    style: Style
    label: Label | None = None
    bold: bool = False
    size: int = 0
    formula: bool = False
    note: bool = False


@dataclass(frozen=True)
class Table:
    grid: Grid


Item = Paragraph | Table


@dataclass
class Body:
    """Walks a document. `notes` are the trees of its footnotes and endnotes; `counts` what was left out."""

    reader: Reader
    numbering: Numbering
    notes: dict[str, dict[str, Element]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def items(self, parent: Element) -> list[Item]:
        """What stands under `parent`, notes and text boxes after the paragraph or table they belong to."""
        found: list[Item] = []
        open_end = ""
        for node in self._nodes(parent):
            if node.tag == "{w}tbl":
                found += self._table(node)
                continue
            inside = self._paragraph(node, open_end)
            open_end = ""
            if _runs_on(node) and len(inside) == 1 and isinstance(inside[0], Paragraph):
                open_end = inside[0].text
                continue
            found += inside
        return found

    def _nodes(self, parent: Element) -> Iterator[Element]:
        for node in parent:
            if node.tag in {"{w}p", "{w}tbl"}:
                yield node
            elif node.tag == "{w}sdt":
                if value(node, "{w}sdtPr/{w}docPartObj/{w}docPartGallery") in _CONTENTS_PARTS:
                    self.counts["toc"] += sum(1 for _ in node.iter("{w}p"))
                else:
                    yield from self._nodes(node)
            elif node.tag == "{mc}AlternateContent":
                yield from self._nodes(next(iter(node), node))
            elif node.tag in _CONTAINERS:
                yield from self._nodes(node)

    def _paragraph(self, node: Element, before: str) -> list[Item]:
        properties = node.find("{w}pPr")
        style = self.reader.styles.of(properties)
        if style.is_contents:
            self.counts["toc"] += 1
            return []
        read = self.reader.read(node, style)
        self.counts["hidden"] += read.hidden
        self.counts["pictures"] += read.pictures
        text = join(before, read.text)
        label = self._label(properties, style) if text else None
        bold, size = read.mostly()
        shown = label.text + text if label else text
        found: list[Item] = []
        if text:
            found.append(Paragraph(shown, style, label, bold, size or style.size, read.is_formula))
        for box in read.boxes:
            found += self.items(box)
        return found + self._notes(read)

    def _label(self, properties: Element | None, style: Style) -> Label | None:
        if not style.list_id:
            return None
        level = style.list_level
        if not level and not value(properties, "{w}numPr/{w}ilvl"):
            level = self.numbering.of_style(value(properties, "{w}pStyle"), style.list_id)
        return self.numbering.label(style.list_id, level)

    def _notes(self, read: Inline) -> list[Item]:
        found: list[Item] = []
        for key in read.notes:
            note = self.notes.get(key[0], {}).pop(key[1], None)
            texts = [item.text for item in self.items(note) if isinstance(item, Paragraph)] if note is not None else []
            if texts:
                mark = self.reader.numbers.get(key)
                found.append(Paragraph(_marked(mark, "\n".join(texts)), Style(), note=True))
        return found

    def _table(self, node: Element) -> list[Item]:
        after: list[Item] = []
        lines = list(self._rows(node))
        rows = [row for line in lines if (row := self._cells(line, after))]
        if rows and max(len(row) for row in rows) == 1:
            framed = (cell for row in lines for cell in row.iter("{w}tc"))
            return [item for cell in framed for item in self.items(cell)] + after if not after else self._frame(rows)
        return [Table(grid(rows, _marked_heads(lines))), *after] if rows else after

    def _frame(self, rows: list[list[Cell]]) -> list[Item]:
        return [Paragraph(cell.text, Style()) for row in rows for cell in row if cell.text]

    def _rows(self, table: Element) -> Iterator[Element]:
        for node in table:
            if node.tag == "{w}tr":
                if node.find("{w}trPr/{w}del") is None and not flag(node.find("{w}trPr/{w}hidden")):
                    yield node
            elif node.tag in {"{w}sdt", "{w}sdtContent", "{w}ins"}:
                yield from self._rows(node)

    def _cells(self, row: Element, after: list[Item]) -> list[Cell]:
        skipped = number(value(row, "{w}trPr/{w}gridBefore"))
        cells = [Cell("", skipped)] if skipped > 0 else []
        for node in _row_cells(row):
            merge = node.find("{w}tcPr/{w}vMerge")
            goes_on = merge is not None and merge.get("{w}val", "continue") == "continue"
            if value(node, "{w}tcPr/{w}hMerge") == "continue" and cells:
                continue
            span = number(value(node, "{w}tcPr/{w}gridSpan"), 1)
            cells.append(Cell(self._cell(node, after), span, goes_on))
        return cells

    def _cell(self, cell: Element, after: list[Item]) -> str:
        texts: list[str] = []
        for item in self.items(cell):
            if isinstance(item, Table):
                texts += ["，".join(filter(None, row)) for row in item.grid.all]
            elif item.note:
                after.append(item)
            else:
                texts.append(item.text)
        return "\n".join(texts)


def _marked_heads(rows: list[Element]) -> int:
    """How many rows at the top are to be repeated on every page."""
    marks = [flag(row.find("{w}trPr/{w}tblHeader")) for row in rows]
    return marks.index(False) if False in marks else 0


def _row_cells(row: Element) -> Iterator[Element]:
    for node in row:
        if node.tag == "{w}tc":
            yield node
        elif node.tag in {"{w}sdt", "{w}sdtContent", "{w}ins"}:
            yield from _row_cells(node)


def _runs_on(paragraph: Element) -> bool:
    """Whether the mark at the end of a paragraph was deleted: the next one belongs to it."""
    return paragraph.find("{w}pPr/{w}rPr/{w}del") is not None


def _marked(mark: int | None, text: str) -> str:
    return f"[^{mark}]: {text}" if mark else text
