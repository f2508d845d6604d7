"""CSV and TSV → blocks: every row with the heads of its columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar

from youju.errors import DocumentError
from youju.providers.office.sheet import Row, Sheet
from youju.providers.office.tabular import Place, Writer
from youju.providers.parsing.decoding import read_text
from youju.providers.parsing.prose import check_prose
from youju.types import ParsedDocument

_DELIMITERS = ",\t;|，"
_SAMPLE_LINES = 200
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_SEPARATOR = re.compile(r"\Asep=(.)\n", re.IGNORECASE)
_NUMBER = re.compile(r"[-+(]?[¥$￥€]?\s*[\d,]*\.?\d+(?:[eE][-+]?\d+)?\s*[%)]?")
_MOST_ROWS = 200_000
_MOST_CELLS = 2_000_000


@dataclass(frozen=True)
class CsvParser:
    """A `Parser` for text with a delimiter, which is found out, in any of the encodings Chinese text comes in.

    Args:
        max_garbage_ratio: share of garbage above which the file is refused.
        piece_chars: bound of a piece of a table in characters.
    """

    max_garbage_ratio: float = 0.05
    piece_chars: int = 440
    suffixes: ClassVar[frozenset[str]] = frozenset({".csv", ".tsv"})

    def parse(self, path: Path) -> ParsedDocument:
        source, ratio = read_text(path, self.max_garbage_ratio)
        declared = _SEPARATOR.match(source)
        body = source[declared.end() :] if declared else source
        records = _records(body, declared.group(1) if declared else delimiter(body), first=2 if declared else 1)
        rows, cut = _bounded(records)
        blocks = tuple(Writer(Place(), self.piece_chars, title_level=1).blocks(Sheet(rows)))
        if not any(block.kind != "heading" for block in blocks):
            raise DocumentError("表格里没有可读的内容", remedy="请检查文件是否保存完整后重新上传", code="empty")
        told = check_prose(source)
        text = "\n\n".join(block.text for block in blocks)
        return ParsedDocument(
            blocks=blocks,
            text=text,
            title=next((block.text for block in blocks[:1] if block.level), ""),
            warnings=(*([f"表格太大，只收录了前 {len(rows)} 行"] if cut else []), *told),
            quality={"characters": float(len(text)), "garbage_ratio": ratio, "rows": float(len(rows))},
        )


def delimiter(text: str) -> str:
    """The character that parts most lines into the same number of cells, more than one; a comma where none does."""
    lines = [line for line in islice(io.StringIO(_QUOTED.sub("", text[: 1 << 18])), _SAMPLE_LINES) if line.strip()]

    def score(mark: str) -> tuple[float, int]:
        counts = [line.count(mark) for line in lines if mark in line]
        usual = max(set(counts), key=counts.count, default=0)
        return (counts.count(usual) / len(lines) if lines else 0.0, usual)

    return max(_DELIMITERS, key=score)


def _records(text: str, mark: str, first: int) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, skipinitialspace=True)
    n = first - 1
    while True:
        n += 1
        try:
            record = next(reader, None)
        except csv.Error as error:
            raise DocumentError(
                f"第 {n} 行读不出来，可能有引号没有配对",
                remedy="请用 Excel 或 WPS 打开后另存为 .xlsx 再上传",
                code="broken",
            ) from error
        if record is None:
            return
        cells = {at: text for at, cell in enumerate(record, start=1) if (text := cell.strip())}
        if cells:
            yield Row(n, cells, sum(1 << at for at, cell in cells.items() if not _NUMBER.fullmatch(cell)))


def _bounded(rows: Iterator[Row]) -> tuple[list[Row], bool]:
    """The rows up to the bound, and whether there were more."""
    kept: list[Row] = []
    cells = 0
    for row in rows:
        if len(kept) >= _MOST_ROWS or cells >= _MOST_CELLS:
            return kept, True
        kept.append(row)
        cells += len(row.cells)
    return kept, False
