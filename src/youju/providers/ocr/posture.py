"""How a page lies in its picture: turned by a quarter, askew by a few degrees; and the picture set straight."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from youju.providers.ocr.engine import Engine, Image

_SEARCHED = 700  # pixels of the longer side
_FARTHEST = 6.0  # degrees; what is more askew was not meant to lie straight
_COARSE, _FINE = 0.5, 0.1
_STRAIGHT = 0.25  # degrees, less is not worth turning
_TELLING = 1.08
_LOOKED_AT = 1040
_MIN_LINES = 3
_TALL = 1.6


@dataclass(frozen=True, slots=True)
class Posture:
    """How to set a picture straight: `quarters` of a turn counter-clockwise, then `degrees` counter-clockwise.

    `width` and `height` are those of the picture after the quarters, in any unit.
    """

    quarters: int = 0
    degrees: float = 0.0
    width: float = 0.0
    height: float = 0.0

    def back(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """The box, in the unit of width and height, around a box of the straight page in the picture as it was."""
        x0, y0, x1, y1 = box
        corners = [self._back(x, y) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return min(xs), min(ys), max(xs), max(ys)

    def _back(self, x: float, y: float) -> tuple[float, float]:
        turn = math.radians(self.degrees)
        dx, dy = x - self.width / 2, y - self.height / 2
        x = self.width / 2 + dx * math.cos(turn) - dy * math.sin(turn)
        y = self.height / 2 + dx * math.sin(turn) + dy * math.cos(turn)
        width, height = self.width, self.height
        for _ in range(self.quarters):
            x, y, width, height = height - y, x, height, width
        return x, y


def levelled(image: Image, quarters: int = 0) -> tuple[Image, Posture]:
    """The picture turned by quarters counter-clockwise and its lines made level, and what that took."""
    image = np.ascontiguousarray(np.rot90(image, quarters)) if quarters else image
    degrees = skew(image)
    height, width = image.shape[:2]
    if degrees:
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
        paper = tuple(float(one) for one in np.atleast_1d(np.median(image, axis=(0, 1))))
        image = np.asarray(
            cv2.warpAffine(image, turn, (width, height), flags=cv2.INTER_CUBIC, borderValue=paper), np.uint8
        )
    return image, Posture(quarters, degrees, width, height)


def quarters_off(image: Image, engine: Engine) -> int:
    """By how many quarters to turn the picture counter-clockwise so that its text stands upright."""
    small, _ = thumbnail(image, _LOOKED_AT)
    boxes = engine.boxes(small)
    quarters = 0
    if _lie_down(boxes):
        small, quarters = np.ascontiguousarray(np.rot90(small)), 1
        boxes = engine.boxes(small)
    if len(boxes) >= _MIN_LINES and engine.upside_down(small, boxes):
        quarters += 2
    return quarters


def _lie_down(boxes: np.ndarray) -> bool:
    """Whether most of the text, by area, stands in boxes that are higher than wide."""
    if not len(boxes):
        return False
    width, height = np.ptp(boxes[:, :, 0], axis=1), np.ptp(boxes[:, :, 1], axis=1)
    tall = height > _TALL * width
    return bool((width * height)[tall].sum() > 2 * (width * height)[width > _TALL * height].sum()) and bool(tall.any())


def thumbnail(image: Image, longest: int) -> tuple[Image, float]:
    """The picture no longer than so many pixels, and the factor it was scaled by."""
    scale = min(longest / max(image.shape[:2]), 1.0)
    if scale == 1.0:
        return image, 1.0
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


def skew(image: Image) -> float:
    """Degrees by which to turn the picture counter-clockwise so that its lines lie level; 0 where nothing tells.

    Ink summed along level lines rises and falls most sharply: the angle that makes it so is searched.
    """
    small, _ = thumbnail(image if image.ndim == 2 else image.mean(axis=2).astype(np.uint8), _SEARCHED)  # noqa: PLR2004
    level, _ = cv2.threshold(small, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ink = (small <= level).astype(np.float32)
    if not 0 < ink.mean() < 0.5:  # noqa: PLR2004 (more ink than paper is a picture)
        return 0.0
    edge = int(0.03 * max(ink.shape))  # the dark border of a scan lies as the scanner does, not as the page
    ink[:edge], ink[-edge:], ink[:, :edge], ink[:, -edge:] = 0, 0, 0, 0
    coarse = {angle: _sharpness(ink, angle) for angle in np.arange(-_FARTHEST, _FARTHEST + 0.1, _COARSE)}
    best = max(coarse, key=lambda angle: coarse[angle])
    fine = {angle: _sharpness(ink, angle) for angle in np.arange(best - _COARSE, best + _COARSE + 0.01, _FINE)}
    found = max(fine, key=lambda angle: fine[angle])
    telling = fine[found] > _TELLING * coarse[0.0]
    return round(float(found), 1) if telling and abs(found) >= _STRAIGHT else 0.0


def _sharpness(ink: np.ndarray, angle: float) -> float:
    height, width = ink.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(angle), 1.0)
    rows = cv2.warpAffine(ink, turn, (width, height)).sum(axis=1, dtype=np.float64)
    return float(np.square(np.diff(rows)).sum())
