"""A picture of text → blocks: photographs, screenshots, scans; a TIFF may have many pages."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

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
_PAPER = (595.0, 842.0)  # points of the sides of a page whose size is not known: A4
_LONG = 3.0  # times as high as wide: no page and no screen (2.2), but a screenshot of several
_LONG_WIDTH = 1200  # pixels of one; a strip is then no larger than a page
_LONGEST = 30.0  # times as high as wide: twenty strips, which take most of the time that a file is given
_WIDEST_LINE = 100.0  # times as wide as high: 20 pixels of height at the 2000 of width that the engine takes
_WIDEST = 8000  # pixels of what is much wider than high, which is read four times smaller


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
        if find_spec("PIL"):
            _refuse_at_once(path)
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
        from youju.providers.ocr.strips import Strips  # noqa: PLC0415

        with _opened(path) as picture:
            total = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
            for at in range(total):
                picture.seek(at)
                _refuse_giant(picture.size)
                points = _points(picture)
                shown = _on_white(ImageOps.exif_transpose(picture))
                _refuse_slender(shown.size)
                long = _is_long(shown.size)
                shown.thumbnail((_LONG_WIDTH, shown.height) if long else (LONGEST, LONGEST))
                if max(shown.size) < _SMALL:
                    shown = shown.resize((shown.width * 2, shown.height * 2), Image.Resampling.BICUBIC)
                scale = points / max(shown.size)
                reads = cast("Engine", Strips(reader)) if long else reader
                yield seen(np.ascontiguousarray(np.asarray(shown)[:, :, ::-1]), at + 1, scale, reads)
                if self.on_page:
                    self.on_page(at + 1, total)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The picture in a file; nothing of it is unpacked yet."""
    from PIL import Image  # noqa: PLC0415 (of the extra)

    try:
        with warnings.catch_warnings(action="ignore"), Image.open(path, formats=_FORMATS) as picture:
            yield picture
    except Image.DecompressionBombError as error:  # before its size can be asked for
        raise _too_many_pixels("的像素数") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise DocumentError(
            "图片已损坏，或不是图片，无法打开", remedy="请重新保存为 PNG 或 JPEG 后再上传", code="broken"
        ) from error


def _refuse_at_once(path: Path) -> None:
    """Nothing, unless it takes no engine, which is slow to make, to see that the picture cannot be read."""
    with _opened(path) as picture:
        _refuse_giant(picture.size)
        if max(picture.size) > _WIDEST_LINE * min(picture.size):
            _refuse_slender(picture.size)


def _refuse_giant(size: tuple[int, int]) -> None:
    if size[0] * size[1] > _MAX_PIXELS:
        raise _too_many_pixels(f"有 {size[0]} × {size[1]} 像素，")


def _too_many_pixels(size: str) -> DocumentError:
    return DocumentError(f"图片{size}太大了", remedy="请缩小到每边一万像素以内，或拆成几张", code="too_many_pixels")


def _refuse_slender(size: tuple[int, int]) -> None:
    width, height = size
    flat = width > _WIDEST_LINE * height or (width > _LONG * height and width > _WIDEST)
    if flat or height > _LONGEST * width:
        raise DocumentError(
            f"图片有 {width} × {height} 像素，太长了，缩小后文字认不出来",
            remedy="请裁成几张较短的图片后再上传",
            code="too_long",
        )


def _is_long(size: tuple[int, int]) -> bool:
    return size[1] > _LONG * size[0] and size[1] > _LONG * _SMALL


def _points(picture: Any) -> float:  # noqa: ANN401 (the type is of the extra)
    """Length of the longer side in points, by the resolution that the file tells."""
    dpi = float(min(picture.info.get("dpi", (0.0, 0.0))))
    if _DPI[0] <= dpi <= _DPI[1]:
        return float(72 * max(picture.size) / dpi)
    width, height = (float(side) for side in sorted(picture.size))
    return _PAPER[0] * height / width if height > _LONG * width else _PAPER[1]


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
