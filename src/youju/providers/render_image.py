"""A picture file is its own page; one of several frames has a page for each."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps

from youju.errors import DocumentError
from youju.providers.drawing import MAX_SIDE_PX, no_such_page, png
from youju.types import Box

_MAX_PIXELS = 200_000_000
_FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "TIFF")


@dataclass(frozen=True)
class ImageRenderer:
    """A `Renderer` for picture files, turned as their camera says."""

    def draw(self, path: Path, n: int, marks: Sequence[Box]) -> bytes:
        try:
            return png(_frame(path, n), marks)
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            raise DocumentError("图片无法打开", remedy="请重新导出图片后再上传", code="page_broken") from error


def _frame(path: Path, n: int) -> Image.Image:
    with warnings.catch_warnings():
        # Whatever is odd about a picture that can be shown all the same.
        warnings.simplefilter("ignore")
        with Image.open(path, formats=_FORMATS) as image:
            frames = getattr(image, "n_frames", 1)
            if not 1 <= n <= frames:
                raise no_such_page(n, frames)
            image.seek(n - 1)
            if image.width * image.height > _MAX_PIXELS:
                raise ValueError("too many pixels")
            image.draft("RGB", (MAX_SIDE_PX, MAX_SIDE_PX))
            turned = ImageOps.exif_transpose(image).convert("RGBA")
    turned.thumbnail((MAX_SIDE_PX, MAX_SIDE_PX))
    paper = Image.new("RGB", turned.size, (255, 255, 255))
    paper.paste(turned, mask=turned.getchannel("A"))
    return paper
