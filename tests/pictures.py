"""Pictures of text: strips of a page of a sample book, drawn by pdfium."""

from __future__ import annotations

import io
from typing import Any

import pypdfium2

from youju import samples

BOOK = next(book for book in samples.books() if "函数" in book.name)


def strip(index: int, top: float, bottom: float, dpi: int = 150) -> Any:
    """A PIL image of a page of the book, from top to bottom as shares of its height."""
    document = pypdfium2.PdfDocument(BOOK.read_bytes())
    picture = document[index].render(scale=dpi / 72).to_pil().convert("RGB")
    document.close()
    return picture.crop((0, round(top * picture.height), picture.width, round(bottom * picture.height)))


def saved(picture: Any, kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def heading_and_prose() -> bytes:
    """A PNG: 1.4.2 复合函数 and three lines under it."""
    return saved(strip(9, 0.235, 0.36))
