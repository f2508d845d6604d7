"""Where things are on a page as it is shown, and the ruled lines on it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

_MAX_SEGMENTS = 20_000
_MAX_GROUNDS = 500
_THIN = 2.0  # points
_SHORT = 4.0
_PALE = 250  # of 255, from which a colour is that of paper


class Rule(NamedTuple):
    """A thin line: horizontal where it is wider than high."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def horizontal(self) -> bool:
        return self.x1 - self.x0 >= self.y1 - self.y0


class Shown(NamedTuple):
    """The affine map from page space to the page as shown (rotated, cropped, y down)."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        ax, ay = self.point(x0, y0)
        bx, by = self.point(x1, y1)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f


def shown(page: Any, width: float, height: float) -> Shown:  # noqa: ANN401
    """Read off pdfium by three points, enlarged since it answers in whole pixels."""
    scale, far = 64, 1000.0
    size = (round(width * scale), round(height * scale))

    def at(x: float, y: float) -> tuple[float, float]:
        px, py = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page.raw, 0, 0, *size, 0, x, y, px, py)
        return px.value / scale, py.value / scale

    (ox, oy), (xx, xy), (yx, yy) = at(0, 0), at(far, 0), at(0, far)
    return Shown((xx - ox) / far, (xy - oy) / far, (yx - ox) / far, (yy - oy) / far, ox, oy)


def rules(page: Any, seen: Shown) -> list[Rule]:  # noqa: ANN401
    """The thin lines and the edges of stroked boxes."""
    found: list[Rule] = []
    budget = _MAX_SEGMENTS
    for one in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=3):
        budget -= max(pdfium.FPDFPath_CountSegments(one.raw), 1)
        if budget < 0:
            break
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(one.raw, fill, stroke)
        matrix = one.get_matrix()
        for corners in _strokes(one.raw):
            points = [seen.point(*matrix.on_point(x, y)) for x, y in corners]
            found.extend(_thin(points, stroked=bool(stroke.value)))
    return found


def _strokes(path: Any) -> Iterator[list[tuple[float, float]]]:  # noqa: ANN401
    """The corners of each part of a path."""
    x, y = ctypes.c_float(), ctypes.c_float()
    corners: list[tuple[float, float]] = []
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO and corners:
            yield corners
            corners = []
        corners.append((x.value, y.value))
        if pdfium.FPDFPathSegment_GetClose(segment):
            corners.append(corners[0])
    if corners:
        yield corners


def _thin(points: list[tuple[float, float]], *, stroked: bool) -> Iterator[Rule]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    whole = Rule(min(xs), min(ys), max(xs), max(ys))
    width, height = whole.x1 - whole.x0, whole.y1 - whole.y0
    if min(width, height) <= _THIN:
        if max(width, height) >= _SHORT:
            yield whole
        return
    if stroked:
        for (ax, ay), (bx, by) in pairwise(points):
            if min(abs(ax - bx), abs(ay - by)) <= _THIN / 2 and max(abs(ax - bx), abs(ay - by)) >= _SHORT:
                yield Rule(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))


def grounds(page: Any, view: Shown, size: tuple[float, float]) -> list[Rule]:  # noqa: ANN401
    """What is painted on the page in another colour than white, or may be: letters in white show on it.

    What a form draws cannot be placed here: any form that paints counts for the whole page.
    """
    whole = Rule(0.0, 0.0, *size)
    found: list[Rule] = []
    for one in page.get_objects(max_depth=1):
        if one.type == pdfium.FPDF_PAGEOBJ_PATH and _dark(one.raw):
            bounds = one.get_bounds()
            found.append(Rule(*view.box(*bounds)))
        elif one.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            found.append(Rule(*view.box(*one.get_bounds())))
        elif one.type in {pdfium.FPDF_PAGEOBJ_SHADING, pdfium.FPDF_PAGEOBJ_FORM}:
            return [whole]
    return found if len(found) <= _MAX_GROUNDS else [whole]


def _dark(path: Any) -> bool:  # noqa: ANN401
    """Whether a path is filled with anything but white."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    if not fill.value:
        return False
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(path, red, green, blue, alpha):
        return True
    return bool(alpha.value) and min(red.value, green.value, blue.value) < _PALE
