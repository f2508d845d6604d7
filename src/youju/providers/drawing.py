"""What pictures of pages have in common: their size, how a place is highlighted, the PNG."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw

from youju.errors import DocumentError
from youju.types import Box

MAX_SIDE_PX = 2000
_MARKER = (255, 236, 130)
_ROOM = 0.003


def png(image: Image.Image, marks: Sequence[Box]) -> bytes:
    """The picture as a PNG, its marked places as if gone over with a yellow pen.

    Args:
        image: RGB.
        marks: in shares of the picture, 0 to 1, from its top left.
    """
    shown = _highlighted(image, marks) if marks else image
    data = io.BytesIO()
    shown.save(data, "PNG", compress_level=6)
    return data.getvalue()


def no_such_page(n: int, pages: int) -> DocumentError:
    return DocumentError(f"没有第 {n} 页，文件只有 {pages} 页", remedy="请给出文件里有的页", code="no_such_page")


def _highlighted(image: Image.Image, marks: Sequence[Box]) -> Image.Image:
    # Multiplied, so that black stays black and two marks over each other are as light as one.
    pen = Image.new("RGB", image.size, (255, 255, 255))
    draw = ImageDraw.Draw(pen)
    for mark in marks:
        draw.rectangle(_place(mark, *image.size), fill=_MARKER)
    return ImageChops.multiply(image, pen)


def _place(mark: Box, width: int, height: int) -> tuple[float, float, float, float]:
    left, right = sorted((_inside(mark.x0), _inside(mark.x1)))
    top, bottom = sorted((_inside(mark.y0), _inside(mark.y1)))
    return (left - _ROOM) * width, (top - _ROOM) * height, (right + _ROOM) * width, (bottom + _ROOM) * height


def _inside(share: float) -> float:
    return min(max(share, 0.0), 1.0)
