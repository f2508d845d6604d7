"""The same text as a file of each format that is read; PDFs and pictures are made of pages of a sample book."""

from __future__ import annotations

import importlib.util
import io
import sys
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from while_ingesting import book

import ebooks
import office
from youju import samples


def files(pages: int, scans: int, *, ocr: bool | None = None) -> dict[str, bytes]:
    """By name: `pages` of 1 200 characters in each format, `scans` pages to be read by OCR where it is installed."""
    text = book(pages, 11)
    parts = text.split("\n\n")
    made: dict[str, Callable[[], bytes]] = {
        "md.md": text.encode,
        "txt.txt": lambda: "\n\n".join(one.lstrip("# ") for one in parts).encode("gb18030"),
        "html.html": lambda: _html(parts).encode(),
        "epub.epub": lambda: _epub(parts),
        "docx.docx": lambda: office.docx("".join(office.p(escape(one.lstrip("# ")), _style(one)) for one in parts)),
        "pptx.pptx": lambda: office.pptx(*_slides(parts)),
        "xlsx.xlsx": lambda: office.xlsx({"合订本": office.cells(*_rows(parts))}),
        "pdf text.pdf": lambda: _sample_pages(range(6, 6 + min(pages, 40))),
    }
    if has_ocr() if ocr is None else ocr:
        from scanning import scanned  # noqa: PLC0415 (needs the extra)

        made["pdf scanned.pdf"] = lambda: scanned(_sample_pages(range(6, 6 + scans)), degrees=0.5, noise=6.0)
        made["image.png"] = _picture
    return {name: make() for name, make in made.items()}


def has_ocr() -> bool:
    return importlib.util.find_spec("rapidocr") is not None


def _style(part: str) -> str:
    return f"Heading{len(part) - len(part.lstrip('#'))}" if part.startswith("#") else ""


def _tagged(part: str) -> str:
    level = len(part) - len(part.lstrip("#"))
    return f"<h{level}>{escape(part.lstrip('# '))}</h{level}>" if level else f"<p>{escape(part)}</p>"


def _html(parts: Sequence[str]) -> str:
    body = "".join(map(_tagged, parts))
    return f'<html><head><meta charset="utf-8"><title>合订本</title></head><body><main>{body}</main></body></html>'


def _epub(parts: Sequence[str]) -> bytes:
    chapters = ["".join(map(_tagged, parts[at : at + 40])) for at in range(0, len(parts), 40)]
    names = [f"c{at}.xhtml" for at in range(len(chapters))]
    return ebooks.book(dict(zip(names, map(ebooks.page, chapters), strict=True)), [(one, one) for one in names])


def _slides(parts: Sequence[str]) -> list[str]:
    return [office.sp(*(office.ap(escape(one)) for one in parts[at : at + 4])) for at in range(0, len(parts), 4)]


def _rows(parts: Sequence[str]) -> list[str]:
    told = [one for one in parts if not one.startswith("#")]
    return [office.row(1, "编号", "内容"), *(office.row(at, float(at), escape(one)) for at, one in enumerate(told, 2))]


def _sample_pages(numbers: range) -> bytes:
    import pypdfium2  # noqa: PLC0415 (as above)

    whole = next(one for one in samples.books() if "函数" in one.name).read_bytes()
    made = pypdfium2.PdfDocument.new()
    made.import_pages(pypdfium2.PdfDocument(whole), [n - 1 for n in numbers])
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def _picture() -> bytes:
    import pypdfium2  # noqa: PLC0415

    from scanning import picture_of  # noqa: PLC0415

    out = io.BytesIO()
    picture_of(pypdfium2.PdfDocument(_sample_pages(range(8, 9)))[0]).save(out, "PNG", dpi=(200, 200))
    return out.getvalue()
