"""The pages of a PDF, those that are pictures read by OCR where it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from youju.providers.ocr.decision import COVERED, Decision, decision
from youju.providers.ocr.layer import Layer, covered, layer
from youju.providers.ocr.reader import OnPage, Readings, engine
from youju.providers.parsing.decoding import garbage_ratio
from youju.providers.pdf.chars import Sheet

if TYPE_CHECKING:
    from youju.providers.ocr.engine import Engine

_LONGEST = 2000  # pixels; see the engine's
_GLANCE = 1040
_FINEST = 300 / 72  # pixels a point; more shows nothing more
_RUBBISH = 0.3


@dataclass
class Scans:
    """Reads the pages of an open PDF. `unread` then are those with something on them that did not become text."""

    document: Any
    on_page: OnPage | None = None
    readings: Readings = field(default_factory=Readings)
    unread: list[int] = field(default_factory=list)
    blank: set[int] = field(default_factory=set)
    installed: bool = True
    _engine: Engine | None = field(default=None, repr=False)

    def read(self, sheets: Sequence[Sheet]) -> list[Sheet]:
        """The sheets, those that are pictures of text in the form that OCR gave them."""
        found = {sheet.n: layer(sheet) for sheet in sheets}
        waiting = sum(one != "good" for one in found.values())
        done = len(sheets) - waiting
        result = []
        for sheet in sheets:
            if found[sheet.n] == "good":
                result.append(sheet)
                continue
            result.append(self._sheet(sheet, found[sheet.n]))
            done += 1
            if self.on_page:
                self.on_page(done, len(sheets))
        return result

    def _sheet(self, sheet: Sheet, worth: Layer) -> Sheet:
        todo = self.todo(sheet, worth)
        if todo == "blank":
            self.blank.add(sheet.n)
        if todo != "read":
            return sheet
        reader = self._reader()
        return self._without(sheet, worth) if reader is None else self._by_ocr(sheet, worth, reader)

    def todo(self, sheet: Sheet, worth: Layer) -> Decision:
        """What is to be done about a page whose layer is worth that: keep, read or blank."""
        todo = decision(worth, _grey(self._picture(sheet, _GLANCE)), sheet.runs, _scale(sheet, _GLANCE))
        if todo != "compare":
            return todo
        reader = self._reader()
        return "keep" if reader is None or self._covers(sheet, reader) else "read"

    def _covers(self, sheet: Sheet, reader: Engine) -> bool:
        scale = _scale(sheet, _GLANCE)
        corners = reader.boxes(self._picture(sheet, _GLANCE)) / scale
        boxes = [(*one.min(axis=0).tolist(), *one.max(axis=0).tolist()) for one in corners]
        return covered(boxes, sheet.runs) >= COVERED

    def _by_ocr(self, sheet: Sheet, worth: Layer, reader: Engine) -> Sheet:
        from youju.providers.ocr.page import seen  # noqa: PLC0415 (needs the extra)

        page = seen(self._picture(sheet, _LONGEST), sheet.n, 1 / _scale(sheet, _LONGEST), reader)
        if not self.readings.add(page):
            lost = worth == "useless" or sheet.n in self.readings.below
            return self._without(sheet, worth) if lost else sheet
        straight = not (page.posture.quarters or page.posture.degrees)
        return replace(page.sheet, label=sheet.label, rules=(straight and sheet.rules) or page.sheet.rules)

    def _without(self, sheet: Sheet, worth: Layer) -> Sheet:
        """The sheet as far as it can be used as it is."""
        said = "".join(run.text for run in sheet.runs)
        lost = len(sheet.text.strip()) * 2 < len(said)
        if worth == "none" or (worth == "useless" and (lost or garbage_ratio(said) > _RUBBISH)):
            self.unread.append(sheet.n)
            return replace(sheet, text="", runs=[])
        return sheet

    def _reader(self) -> Engine | None:
        if self._engine is None and self.installed:
            self._engine = engine()
            self.installed = self._engine is not None
        return self._engine

    def _picture(self, sheet: Sheet, longest: int) -> npt.NDArray[np.uint8]:
        page = self.document[sheet.n - 1]
        try:
            bitmap = page.render(scale=_scale(sheet, longest))
            return np.ascontiguousarray(bitmap.to_numpy()[:, :, :3])
        finally:
            page.close()


def _scale(sheet: Sheet, longest: int) -> float:
    """Pixels a point."""
    return float(min(longest / max(sheet.width, sheet.height, 1.0), _FINEST))


def _grey(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return np.asarray(picture.mean(axis=2), np.uint8)
