"""XLSX → blocks: every row with the heads of its columns, located as 表名!行."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from youju.errors import DocumentError
from youju.providers.office.package import opened
from youju.providers.office.tabular import Place, Writer
from youju.providers.office.workbook import MOST_CELLS, MOST_ROWS, SheetName, Workbook, workbook
from youju.providers.parsing.decoding import garbage_ratio, refuse_garbage
from youju.types import Block, ParsedDocument

_UNNAMED = re.compile(r"(?:sheet|工作表|表)\s*\d*", re.IGNORECASE)
_NAMES_MAX = 10


@dataclass(frozen=True)
class XlsxParser:
    """A `Parser` for workbooks: values as they are shown, hidden sheets, rows and columns left out.

    Formulas are not computed: what the program that saved the file computed is read. Macros are not looked at.

    The suffix of the format before 2007 is taken too: what has it may be of this format under an old name, and what is
    not is refused with what to save it as.

    Args:
        max_garbage_ratio: share of garbage above which the file is refused.
        piece_chars: bound of a piece of a table in characters; small ones tell exactly where a row stands.
    """

    max_garbage_ratio: float = 0.05
    piece_chars: int = 440
    suffixes: ClassVar[frozenset[str]] = frozenset({".xlsx", ".xlsm", ".xls"})

    def parse(self, path: Path) -> ParsedDocument:
        with opened(path, "xlsx") as package:
            book = workbook(package)
            sheets = book.sheets
            visible = [sheet for sheet in sheets if not sheet.hidden]
            blocks = tuple(block for sheet in visible for block in self._sheet(book, sheet, len(visible)))
            title = package.title
        text = "\n\n".join(block.text for block in blocks)
        if not any(block.kind != "heading" for block in blocks):
            raise DocumentError("表格里没有可读的内容", remedy="请检查内容是否都在隐藏的工作表里", code="empty")
        ratio = garbage_ratio(text)
        refuse_garbage(ratio, self.max_garbage_ratio)
        return ParsedDocument(
            blocks=blocks,
            title=title,
            text=text,
            warnings=tuple(_warnings(book, [sheet.name for sheet in sheets if sheet.hidden])),
            quality={
                "characters": float(len(text)),
                "garbage_ratio": ratio,
                "sheets": float(len(visible)),
                "rows": float(book.counts["read"]),
            },
        )

    def _sheet(self, book: Workbook, sheet: SheetName, count: int) -> Iterator[Block]:
        named = count > 1 or not _UNNAMED.fullmatch(sheet.name)
        writer = Writer(Place(f"{sheet.name}!", ""), self.piece_chars, title_level=1 + named)
        blocks = list(writer.blocks(book.sheet(sheet)))
        if blocks and named:
            yield Block("heading", sheet.name, level=1)
        yield from blocks


def _warnings(book: Workbook, hidden: Sequence[str]) -> Iterator[str]:
    if hidden:
        more = "等" if len(hidden) > _NAMES_MAX else ""
        yield f"有 {len(hidden)} 个隐藏的工作表，未收录：{'、'.join(hidden[:_NAMES_MAX])}{more}"
    if book.counts["rows"]:
        yield f"有 {book.counts['rows']} 行是隐藏的，未收录"
    if book.counts["columns"]:
        yield f"隐藏的列里有 {book.counts['columns']} 格内容，未收录"
    if book.counts["formulas"]:
        yield f"有 {book.counts['formulas']} 个公式没有保存结果，按空白处理；用 Excel 或 WPS 打开并保存一次即可"
    if book.counts["cut"]:
        yield f"表格太大，只收录了前 {book.counts['read']} 行（上限 {MOST_ROWS} 行、{MOST_CELLS} 格）"
