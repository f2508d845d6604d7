"""The part of a picture that has something on it: finding lines costs by the area, and margins are empty."""

from __future__ import annotations

import cv2
import numpy as np

from youju.providers.ocr.engine import Image

_CELL = 4  # pixels
_CONTRAST = 24  # grey levels, of 255, above what is usual on this picture
_PAD = 0.02  # of the longer side
_WORTH = 0.9  # of the area, above which cutting saves nothing


def written(image: Image) -> tuple[int, int, Image]:
    """The left and top edge of the part with any contrast, in pixels, and that part; the whole where there is none.

    A noisy picture, or one with the shadow of a scanner's lid, has contrast everywhere and stays whole.
    """
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)  # noqa: PLR2004
    kernel = np.ones((_CELL, _CELL), np.uint8)
    contrast = cv2.subtract(cv2.dilate(grey, kernel), cv2.erode(grey, kernel))[::_CELL, ::_CELL]
    ys, xs = np.nonzero(contrast > int(np.median(contrast)) + _CONTRAST)
    if not len(ys):
        return 0, 0, image
    height, width = grey.shape
    pad = int(_PAD * max(height, width))
    left, right = max(int(xs.min()) * _CELL - pad, 0), min((int(xs.max()) + 1) * _CELL + pad, width)
    top, bottom = max(int(ys.min()) * _CELL - pad, 0), min((int(ys.max()) + 1) * _CELL + pad, height)
    if (right - left) * (bottom - top) > _WORTH * width * height:
        return 0, 0, image
    return left, top, np.ascontiguousarray(image[top:bottom, left:right])
