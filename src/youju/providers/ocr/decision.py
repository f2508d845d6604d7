"""Which pages of a PDF are read by OCR: those with something on them and no text layer that can be believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from youju.providers.ocr.layer import Layer
from youju.providers.pdf.chars import Run

Decision = Literal["keep", "read", "compare", "blank"]
"""keep: the text layer. read: by OCR. compare: where text is seen with where the layer has it. blank: neither."""

COVERED = 0.85
"""Share of the text seen on a page that its layer must have, or it is read again."""
_LOOSE = 0.1
_DARKER = 60  # grey levels, of 255, by which ink is darker than paper
_BLANK = 0.0002
_BORDER = 0.03  # shadows of a scan


def decision(layer: Layer, grey: npt.NDArray[np.uint8], runs: Sequence[Run], scale: float) -> Decision:
    """What is to be done about a page.

    Args:
        layer: what its text layer is worth.
        grey: the page as it looks, in grey, shape (height, width).
        runs: of the text layer.
        scale: pixels a point in `grey`.
    """
    if layer == "good":
        return "keep"
    ink = inked(grey)
    if ink.mean() < _BLANK:
        return "blank" if layer == "none" else "keep"
    if layer in {"none", "useless"}:
        return "read"
    return "compare" if _outside(ink, runs, scale) > _LOOSE else "keep"


def inked(grey: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Where something darker than the paper is, or lighter on a dark page; not at the very edge."""
    paper = float(np.median(grey))
    ink: npt.NDArray[np.bool_] = np.abs(grey.astype(np.int16) - paper) > _DARKER
    edge = max(int(_BORDER * min(grey.shape)), 1)
    ink[:edge], ink[-edge:], ink[:, :edge], ink[:, -edge:] = False, False, False, False
    return ink


def _outside(ink: npt.NDArray[np.bool_], runs: Sequence[Run], scale: float) -> float:
    """The share of the ink over which the text layer has no text."""
    free = ink.copy()
    for run in runs:
        pad = 0.15 * run.size
        x0, x1 = (int(max(edge, 0) * scale) for edge in (run.x0 - pad, run.x1 + pad))
        y0, y1 = (int(max(edge, 0) * scale) for edge in (run.y0 - pad, run.y1 + pad))
        free[y0 : y1 + 1, x0 : x1 + 1] = False
    return float(free.sum()) / max(float(ink.sum()), 1.0)
