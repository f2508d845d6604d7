"""A picture of text → blocks: photographs, screenshots, scans; a TIFF may have many pages."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from youju.errors import DocumentError
from youju.providers.ocr.reader import OnPage, Readings, engine, needs_ocr, noted, unreadable
from youju.providers.pdf.document import Scroll, document
from youju.types import ParsedDocument

if TYPE_CHECKING:
    from youju.providers.ocr.engine import Engine
    from youju.providers.ocr.page import Seen

_FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP")
_MAX_PIXELS = 200_000_000  # 600 MB in colour, as much as the parser's process can take
_SMALL = 1000  # pixels of the longer side below which letters are too small to be found
_DPI = (100.0, 1200.0)  # what a scanner says; 72 and 96 mean that nobody knows
_PAPER = 842.0  # points of the longer side of a page whose size is not known: A4


@dataclass(frozen=True)
class ImageParser:
    """A `Parser` for pictures; needs the extra `ocr`.

    Args:
        max_garbage_ratio: share of garbage above which the file is refused.
        on_page: told of every page.
    """

    max_garbage_ratio: float = 0.05
    on_page: OnPage | None = None
    suffixes: ClassVar[frozenset[str]] = frozenset({".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp"})

    def parse(self, path: Path) -> ParsedDocument:
        if not path.stat().st_size:
            raise DocumentError("文件是空的，没有可读的内容", remedy="请检查文件是否保存完整后重新上传", code="empty")
        reader = engine()
        if reader is None:
            raise needs_ocr([1])
        readings = Readings()
        pages = list(self._seen(path, reader))
        for page in pages:
            if not readings.add(page):
                page.sheet.runs.clear()
                page.sheet.text = ""
        if readings.below and not readings.pages:
            raise unreadable(readings.best_below)
        return noted(document(Scroll([page.sheet for page in pages]), self.max_garbage_ratio), readings)

    def _seen(self, path: Path, reader: Engine) -> Iterator[Seen]:
        # The extra is here, or there would be no reader.
        import numpy as np  # noqa: PLC0415
        from PIL import Image, ImageOps  # noqa: PLC0415

        from youju.providers.ocr.engine import LONGEST  # noqa: PLC0415
        from youju.providers.ocr.page import seen  # noqa: PLC0415

        try:
            with warnings.catch_warnings(action="ignore"), Image.open(path, formats=_FORMATS) as picture:
                total = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
                for at in range(total):
                    picture.seek(at)
                    _refuse_giant(picture.size)
                    points = _points(picture)
                    shown = _on_white(ImageOps.exif_transpose(picture))
                    shown.thumbnail((LONGEST, LONGEST))
                    if max(shown.size) < _SMALL:
                        shown = shown.resize((shown.width * 2, shown.height * 2), Image.Resampling.BICUBIC)
                    scale = points / max(shown.size)
                    yield seen(np.ascontiguousarray(np.asarray(shown)[:, :, ::-1]), at + 1, scale, reader)
                    if self.on_page:
                        self.on_page(at + 1, total)
        except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError) as error:
            raise DocumentError(
                "图片已损坏，或不是图片，无法打开", remedy="请重新保存为 PNG 或 JPEG 后再上传", code="broken"
            ) from error


def _refuse_giant(size: tuple[int, int]) -> None:
    if size[0] * size[1] > _MAX_PIXELS:
        raise DocumentError(
            f"图片有 {size[0]} × {size[1]} 像素，太大了",
            remedy="请缩小到每边一万像素以内，或拆成几张",
            code="too_many_pixels",
        )


def _points(picture: Any) -> float:  # noqa: ANN401 (the type is of the extra)
    """Length of the longer side in points, by the resolution that the file tells."""
    dpi = float(min(picture.info.get("dpi", (0.0, 0.0))))
    return 72 * max(picture.size) / dpi if _DPI[0] <= dpi <= _DPI[1] else _PAPER


def _on_white(picture: Any) -> Any:  # noqa: ANN401
    """In colour, 8 bits, without transparency."""
    from PIL import Image  # noqa: PLC0415

    if picture.mode.startswith("I;16"):
        picture = picture.point(lambda value: value / 256).convert("L")
    if picture.mode in {"RGBA", "LA", "PA"} or "transparency" in picture.info:
        layered = picture.convert("RGBA")
        white = Image.new("RGBA", layered.size, "white")
        return Image.alpha_composite(white, layered).convert("RGB")
    return picture.convert("RGB")
