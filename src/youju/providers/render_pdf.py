"""Pages of PDFs as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from PIL import Image

from youju.errors import DocumentError
from youju.providers.drawing import MAX_SIDE_PX, no_such_page, png
from youju.types import Box

_POINTS_PER_INCH = 72


@dataclass(frozen=True)
class PdfRenderer:
    """A `Renderer` for PDFs.

    Args:
        dpi: of a page that is not larger than `MAX_SIDE_PX` then.
    """

    dpi: int = 110

    def draw(self, path: Path, n: int, marks: Sequence[Box]) -> bytes:
        try:
            return png(self._page(path, n), marks)
        except pypdfium2.PdfiumError as error:
            raise DocumentError(
                f"第 {n} 页无法画出", remedy="请用阅读器打开原文件查看这一页", code="page_broken"
            ) from error

    def _page(self, path: Path, n: int) -> Image.Image:
        document = pypdfium2.PdfDocument(path)
        try:
            if not 1 <= n <= len(document):
                raise no_such_page(n, len(document))
            page = document[n - 1]
            scale = min(self.dpi / _POINTS_PER_INCH, MAX_SIDE_PX / max(*page.get_size(), 1.0))
            drawn: Image.Image = page.render(scale=scale).to_pil()
            return drawn.convert("RGB")
        finally:
            document.close()
