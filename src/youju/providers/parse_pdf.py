"""PDF → blocks with pages and boxes: from the text layer, and by OCR where a page has none that can be believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pypdfium2

from youju.errors import DocumentError
from youju.providers.ocr.reader import OnPage, needs_ocr, noted, unreadable
from youju.providers.ocr.scans import Scans
from youju.providers.pdf import chars as pdf_chars
from youju.providers.pdf.chars import Sheet
from youju.providers.pdf.document import Scroll, document, page_list
from youju.types import ParsedDocument

_HEAD_BYTES = 1024
_MOST_UNREAD = 0.5
"""Share of the pages with something on them that may be unread for want of OCR."""


@dataclass(frozen=True)
class PdfParser:
    """A `Parser` for PDFs; their scanned pages need the extra `ocr`.

    Args:
        max_garbage_ratio: share of garbage above which the file is refused.
        on_page: told of every page that is read by OCR.
    """

    max_garbage_ratio: float = 0.05
    on_page: OnPage | None = None
    suffixes: ClassVar[frozenset[str]] = frozenset({".pdf"})

    def parse(self, path: Path) -> ParsedDocument:
        opened = _opened(path)
        try:
            outline = pdf_chars.outline(opened)
            title = str(opened.get_metadata_value("Title"))
            sheets, lost = pdf_chars.sheets(opened)
            if not sheets:
                raise _broken("PDF 里没有能打开的页")
            return self._parsed(opened, sheets, lost, Scroll([], outline, title))
        finally:
            opened.close()

    def _parsed(self, opened: Any, sheets: Sequence[Sheet], lost: Sequence[int], scroll: Scroll) -> ParsedDocument:  # noqa: ANN401 (pypdfium2 has no types)
        scans = Scans(opened, self.on_page)
        read = scans.read(sheets)
        _refuse_unread(scans, read)
        unread = [n for n in scans.unread if n not in scans.readings.below]
        made = document(replace(scroll, sheets=read, unread=unread), self.max_garbage_ratio)
        made = noted(made, scans.readings)
        if not lost:
            return made
        skipped = f"有 {len(lost)} 页打不开，已跳过：第 {page_list(lost)} 页"
        return replace(made, warnings=(skipped, *made.warnings))


def _refuse_unread(scans: Scans, sheets: Sequence[Sheet]) -> None:
    """Nothing, unless too much of the document is still unread.

    Raises:
        DocumentError: needs_ocr, ocr_unreadable.
    """
    if not scans.installed and len(scans.unread) > _MOST_UNREAD * (len(sheets) - len(scans.blank)):
        raise needs_ocr(scans.unread)
    if scans.readings.below and not any(sheet.text.strip() for sheet in sheets):
        raise unreadable(scans.readings.best_below)


def _opened(path: Path) -> pypdfium2.PdfDocument:
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if not head:
        raise DocumentError("文件是空的，没有可读的内容", remedy="请检查文件是否保存完整后重新上传", code="empty")
    if b"%PDF-" not in head:
        raise _broken("这不是 PDF 文件")
    try:
        return pdf_chars.opened(path)
    except pypdfium2.PdfiumError as error:
        if pdf_chars.needs_password(error):
            raise DocumentError(
                "PDF 加了密码，无法打开", remedy="请用密码打开后另存为不加密的 PDF 再上传", code="encrypted"
            ) from error
        raise _broken("PDF 已损坏，无法打开") from error


def _broken(message: str) -> DocumentError:
    return DocumentError(message, remedy="请重新下载或重新导出后再上传", code="broken")
