"""The sheets of a workbook: what is shown in their cells, row by row, in bounded time and memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from youju.errors import DocumentError
from youju.providers.office.number_format import BUILT_IN, general, is_date, shown
from youju.providers.office.package import Package
from youju.providers.office.sheet import Merge, Row, Sheet
from youju.providers.office.xml import Element, events, flag, number
from youju.text.normal import clean

_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_MERGE = re.compile(rb'mergeCell\s[^>]*?ref=["\']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["\']')
_STEP = 1 << 20
_SEAM = 200
_MOST_MERGES = 50_000
_MOST_CHARS = 48 << 20
_LAST_COLUMN = 16_384
_LAST_ROW = 1_048_576
MOST_ROWS = 200_000
MOST_CELLS = 2_000_000


@dataclass(frozen=True)
class SheetName:
    name: str
    part: str
    hidden: bool


@dataclass
class Workbook:
    """Reads sheets of an open package; `counts` tells what was left out: rows, columns, formulas, cut."""

    package: Package
    strings: Sequence[str]
    formats: Sequence[str]
    from_1904: bool
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def sheets(self) -> list[SheetName]:
        """The sheets with cells, in the order of their tabs."""
        relations = self.package.relations(self.package.main)
        found = []
        for row in self.package.root.iter("{s}sheet"):
            relation = relations.get(row.get("{rel}id", ""))
            if relation and relation.kind == "worksheet":
                hidden = row.get("state", "visible") != "visible"
                found.append(SheetName(clean(row.get("name", "")).strip() or "工作表", relation.target, hidden))
        return found

    def sheet(self, name: SheetName) -> Sheet:
        """What a sheet shows; rows past the bounds of the workbook are left out and counted as `cut`."""
        reader = _Reader(self)
        rows = []
        with self.package.stream(name.part) as file:
            for row in reader.rows(element for _, element in events(file, ("end",))):
                if self.counts["read"] >= MOST_ROWS or self.counts["cells"] >= MOST_CELLS:
                    self.counts["cut"] += 1
                    break
                self.counts["read"] += 1
                self.counts["cells"] += len(row.cells)
                rows.append(row)
        rows.sort(key=lambda row: row.n)
        return Sheet(rows, self._merges(name), frozenset(reader.hidden))

    def _merges(self, name: SheetName) -> list[Merge]:
        """The merged areas, which the file names after all rows: searched for, so that no tree is needed for it."""
        found: list[Merge] = []
        rest = b""
        with self.package.stream(name.part) as file:
            while data := file.read(_STEP):
                rest += data
                end = 0
                for match in _MERGE.finditer(rest):
                    left, top, right, bottom = (one.decode() for one in match.groups())
                    found.append(Merge(int(top), column(left), int(bottom), column(right)))
                    end = match.end()
                if len(found) > _MOST_MERGES:
                    return []
                rest = rest[max(end, len(rest) - _SEAM) :]
        return found

    def text(self, kind: str, cell: Element, style: int) -> tuple[str, bool]:
        """What a cell shows, and whether that is a plain number."""
        value = ""
        for node in cell:
            local = node.tag.rpartition("}")[2]
            if local == "v":
                value = node.text or ""
            elif local == "is":
                return _tidy(_rich(node)), False
        if kind == "s":
            at = number(value, -1)
            return (self.strings[at] if 0 <= at < len(self.strings) else ""), False
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, ""), False
        if kind in {"str", "e", "d"}:
            return _tidy(value), False
        if not value:
            self.counts["formulas"] += any(node.tag.endswith("}f") for node in cell)
            return "", False
        return self._number(value, style)

    def _number(self, value: str, style: int) -> tuple[str, bool]:
        form = self.formats[style] if 0 <= style < len(self.formats) else ""
        try:
            amount = float(value)
            if not form or form == "@":
                return general(amount), True
            return shown(amount, form, from_1904=self.from_1904), not _dated(form)
        except (ValueError, OverflowError):
            return _tidy(value), True


@dataclass
class _Reader:
    """Turns the events of one sheet into rows."""

    book: Workbook
    hidden: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)
    _last: int = 0

    def rows(self, elements: Iterator[Element]) -> Iterator[Row]:
        """The rows that hold something, from the elements of the sheet as each is complete."""
        count = 0
        for element in elements:
            local = element.tag.rpartition("}")[2]
            if local == "row":
                row = self._row(element)
                element.clear()
                count += 1
                if row.cells:
                    yield row
            elif local == "col":
                self._column(element)
            if local == "sheetData" or count > _LAST_ROW:
                return

    def _column(self, element: Element) -> None:
        if flag(element, "hidden") and element.get("hidden") is not None:
            first, last = number(element.get("min", "")), number(element.get("max", ""))
            self.columns |= set(range(max(first, 1), min(last, _LAST_COLUMN) + 1))

    def _row(self, element: Element) -> Row:
        n = number(element.get("r", ""), self._last + 1)
        self._last = n
        if element.get("hidden") in {"1", "true"}:
            self.hidden.add(n)
            self.book.counts["rows"] += len(element) > 0
            return Row(n, {})
        cells: dict[int, str] = {}
        words = at = 0
        for cell in element:
            at = _place(cell.get("r", ""), at + 1)
            text, plain = self.book.text(cell.get("t", "n"), cell, number(cell.get("s", "0")))
            if not text or at > _LAST_COLUMN:
                continue
            if at in self.columns:
                self.book.counts["columns"] += 1
                continue
            cells[at] = text
            words |= (not plain) << at
        return Row(n, cells, words)


def workbook(package: Package) -> Workbook:
    """The workbook of an open package.

    Raises:
        DocumentError: too_large: more text than any sheet a person wrote.
    """
    properties = package.root.find("{s}workbookPr")
    from_1904 = properties is not None and properties.get("date1904") in {"1", "true"}
    return Workbook(package, _strings(package), _formats(package.related(package.main, "styles")), from_1904)


@lru_cache(maxsize=4096)
def column(letters: str) -> int:
    """The number of a column, from 1."""
    found = 0
    for letter in letters:
        found = found * 26 + ord(letter) - ord("A") + 1
    return found


@lru_cache(maxsize=1024)
def _dated(form: str) -> bool:
    return is_date(form)


def _place(reference: str, following: int) -> int:
    match = _CELL.match(reference)
    return column(match.group(1)) if match else following


def _strings(package: Package) -> list[str]:
    related = package.relations(package.main).values()
    part = next((one.target for one in related if one.kind == "sharedStrings"), "")
    if not part or part not in package.names:
        return []
    found: list[str] = []
    total = 0
    with package.stream(part) as file:
        for _, element in events(file, ("end",)):
            if element.tag.endswith("}si"):
                found.append(_tidy(_rich(element)))
                total += len(found[-1]) + 1
                element.clear()
            if total > _MOST_CHARS:
                raise DocumentError("表格里的文字太多", remedy="请拆成几个较小的文件后再上传", code="too_large")
    return found


def _rich(element: Element) -> str:
    """The text of a string, without the readings above its characters."""
    parts = []
    for node in element:
        local = node.tag.rpartition("}")[2]
        if local == "t":
            parts.append(node.text or "")
        elif local == "r":
            parts.append(_rich(node))
    return "".join(parts)


def _tidy(text: str) -> str:
    return clean(text).strip() if text else ""


def _formats(root: Element | None) -> list[str]:
    """The number format of each style of cells."""
    if root is None:
        return []
    own: Mapping[int, str] = {
        number(row.get("numFmtId", "")): row.get("formatCode", "") for row in root.iter("{s}numFmt")
    }
    styles = root.find("{s}cellXfs")
    ids = [number(row.get("numFmtId", "")) for row in styles] if styles is not None else []
    return [own.get(key) or BUILT_IN.get(key, "") for key in ids]
