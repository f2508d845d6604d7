"""Boxes painted over text: what lies under them was struck out, and a reader of the page does not see it."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from youju.providers.pdf.geometry import Rule, Shown

_OPAQUE = 255
_LEAST = 4.0  # points; what is smaller is a line or a dot
_MOST_OF_PAGE = 0.5  # a larger box is a ground of the page, and clipped to less than it says
_CORNERS = 6
_MOST = 200  # boxes; more are a drawing, and would take long to compare with every letter


class Covers(NamedTuple):
    """`boxes` with when each was painted; `order`: when each text object was, by its address."""

    boxes: Sequence[tuple[int, Rule]]
    order: Mapping[int, int]

    def hide(self, key: int, x: float, y: float) -> bool:
        """Whether a point of a text object was painted over."""
        if not self.boxes or key not in self.order:
            return False
        painted = self.order[key]
        return any(at > painted and box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for at, box in self.boxes)


def covers(page: Any, view: Shown, size: tuple[float, float]) -> Covers:  # noqa: ANN401 (pypdfium2 has no types)
    """The opaque boxes of a page that were painted after text; those inside forms are left out."""
    boxes: list[tuple[int, Rule]] = []
    order: dict[int, int] = {}
    for at, one in enumerate(page.get_objects(max_depth=1)):
        if one.type == pdfium.FPDF_PAGEOBJ_TEXT:
            order[ctypes.addressof(one.raw.contents)] = at
        elif order and one.type == pdfium.FPDF_PAGEOBJ_PATH and _is_opaque_box(one.raw):
            box = Rule(*view.box(*one.get_bounds()))
            wide, high = box.x1 - box.x0, box.y1 - box.y0
            if min(wide, high) >= _LEAST and wide * high < _MOST_OF_PAGE * size[0] * size[1]:
                boxes.append((at, box))
    return Covers(boxes if len(boxes) <= _MOST else (), order)


def _is_opaque_box(path: Any) -> bool:  # noqa: ANN401
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    if not fill.value or pdfium.FPDFPageObj_HasTransparency(path):
        return False
    clip = pdfium.FPDFPageObj_GetClipPath(path)
    if clip and pdfium.FPDFClipPath_CountPaths(clip) > 0:
        return False
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    known = pdfium.FPDFPageObj_GetFillColor(path, red, green, blue, alpha)
    return bool(known) and alpha.value == _OPAQUE and _is_box(path)


def _is_box(path: Any) -> bool:  # noqa: ANN401
    """Whether all sides of a path are upright or level."""
    count = pdfium.FPDFPath_CountSegments(path)
    if not 4 <= count <= _CORNERS:  # noqa: PLR2004 (corners)
        return False
    x, y = ctypes.c_float(), ctypes.c_float()
    corners = []
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_BEZIERTO:
            return False
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        corners.append((round(x.value, 1), round(y.value, 1)))
    return len({one for one, _ in corners}) == 2 == len({other for _, other in corners})  # noqa: PLR2004 (two sides)
