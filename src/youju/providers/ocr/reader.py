"""Pictures of pages → what was read, and how well: which pages, how sure, and when to give up."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING

from youju.errors import DocumentError
from youju.providers.pdf.document import page_list
from youju.types import Block, Page, ParsedDocument

if TYPE_CHECKING:
    from youju.providers.ocr.engine import Engine
    from youju.providers.ocr.page import Seen

OnPage = Callable[[int, int], None]
"""Told after each page: how many are done, of how many."""
READABLE = 0.6
"""Confidence below which what was read is no text."""
_SURE = 0.85
_MIN_CHARACTERS = 20
_PACKAGES = frozenset({"rapidocr", "onnxruntime", "cv2", "PIL", "pyclipper", "shapely", "omegaconf", "yaml"})


@dataclass
class Readings:
    """The pages that were read, by number. Those `below` the bar are left out of the document."""

    pages: dict[int, Seen] = field(default_factory=dict)
    below: list[int] = field(default_factory=list)
    best_below: float = 0.0

    def add(self, page: Seen) -> bool:
        """Whether it is worth keeping. A few doubtful characters are no text but strokes of a drawing."""
        if page.confidence >= (READABLE if page.characters >= _MIN_CHARACTERS else _SURE):
            self.pages[page.sheet.n] = page
            return True
        if page.characters >= _MIN_CHARACTERS:
            self.below.append(page.sheet.n)
            self.best_below = max(self.best_below, page.confidence)
        return False

    @property
    def confidence(self) -> float:
        """The mean over all characters read, in [0, 1]; 1 where nothing was."""
        weights = [(page.confidence, len(page.sheet.text)) for page in self.pages.values()]
        total = sum(weight for _, weight in weights)
        return sum(value * weight for value, weight in weights) / total if total else 1.0


def engine(detecting: Lock | None = None) -> Engine | None:
    """A new engine; None where the package for it is not installed. Those with the same lock find lines in turn."""
    try:
        from youju.providers.ocr.engine import Engine  # noqa: PLC0415 (an extra, and heavy: only where a page needs it)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in _PACKAGES:
            return None
        raise
    return Engine(detecting or Lock())


def processors() -> int:
    """How many of the machine's this process may use."""
    affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def noted(document: ParsedDocument, readings: Readings) -> ParsedDocument:
    """The document with its boxes on the pages as they lie, and with what is to be known about the readings."""
    warnings = [*document.warnings, *_warnings(readings)]
    quality = {**document.quality, "ocr_pages": float(len(readings.pages))}
    if readings.pages:
        quality["ocr_confidence"] = round(readings.confidence, 4)
    return replace(
        document,
        blocks=tuple(_lying(document.blocks, readings)),
        pages=tuple(_page(page, readings) for page in document.pages),
        warnings=tuple(warnings),
        quality=quality,
    )


def _lying(blocks: Iterable[Block], readings: Readings) -> Iterable[Block]:
    for block in blocks:
        boxes = tuple(
            replace(box, x0=x0, y0=y0, x1=x1, y1=y1)
            for box in block.boxes
            for x0, y0, x1, y1 in [_back((box.x0, box.y0, box.x1, box.y1), box.page, readings)]
        )
        yield replace(block, boxes=boxes)


def _back(box: tuple[float, float, float, float], n: int, readings: Readings) -> tuple[float, float, float, float]:
    page = readings.pages.get(n)
    if page is None or not (page.posture.quarters or page.posture.degrees):
        return box
    x0, y0, x1, y1 = page.posture.back(box)
    return round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)


def _page(page: Page, readings: Readings) -> Page:
    found = readings.pages.get(page.n)
    sideways = found is not None and found.posture.quarters % 2
    return replace(page, width=page.height, height=page.width) if sideways else page


def _warnings(readings: Readings) -> list[str]:
    warnings = []
    if readings.pages:
        done = sorted(readings.pages)
        warnings.append(f"有 {len(done)} 页由文字识别（OCR）读出，可能有错字：第 {page_list(done)} 页")
    unsure = sorted(n for n, page in readings.pages.items() if page.confidence < _SURE)
    if unsure:
        warnings.append(f"有 {len(unsure)} 页识别把握不大，引用前请核对原页：第 {page_list(unsure)} 页")
    if readings.below:
        warnings.append(f"有 {len(readings.below)} 页看不清，未收录：第 {page_list(sorted(readings.below))} 页")
    return warnings


def needs_ocr(pages: Sequence[int]) -> DocumentError:
    return DocumentError(
        f"有 {len(pages)} 页没有可用的文字层，多半是扫描件，需要文字识别（OCR）：第 {page_list(pages)} 页",
        remedy='请安装文字识别：pip install "youju[ocr]"，然后重试',
        code="needs_ocr",
    )


def unreadable(confidence: float) -> DocumentError:
    return DocumentError(
        f"扫描的文字看不清（识别把握 {confidence:.0%}），读出来的多半是错的",
        remedy="请用 200–300 dpi 重新扫描，或拍得更正、更亮、更清楚；手写和竖排的文字还不能识别",
        code="ocr_unreadable",
    )
