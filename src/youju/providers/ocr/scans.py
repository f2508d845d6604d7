"""The pages of a PDF, those that are pictures read by OCR where it is installed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from youju.providers.ocr.decision import COVERED, Decision, decision
from youju.providers.ocr.layer import Layer, covered, layer
from youju.providers.ocr.reader import OnPage, Readings, engine, processors
from youju.providers.parsing.decoding import garbage_ratio
from youju.providers.pdf.chars import Sheet

if TYPE_CHECKING:
    from youju.providers.ocr.engine import Engine
    from youju.providers.ocr.page import Seen

_LONGEST = 2000  # pixels; see the engine's
_GLANCE = 1040
_FINEST = 300 / 72  # pixels a point; more shows nothing more
_RUBBISH = 0.3
_MOST = 2


def at_once() -> int:
    """How many pages are read beside one another: what the text of one costs, finding the lines of another costs."""
    return min(_MOST, processors())


@dataclass
class Scans:
    """Reads the pages of an open PDF. `unread` then are those with something on them that did not become text."""

    document: Any
    on_page: OnPage | None = None
    readings: Readings = field(default_factory=Readings)
    unread: list[int] = field(default_factory=list)
    blank: set[int] = field(default_factory=set)
    installed: bool = True
    at_once: int = field(default_factory=at_once)
    _made: int = 0
    _idle: SimpleQueue[Engine] = field(default_factory=SimpleQueue, repr=False)
    _making: Lock = field(default_factory=Lock, repr=False)
    _detecting: Lock = field(default_factory=Lock, repr=False)

    def read(self, sheets: Sequence[Sheet]) -> list[Sheet]:
        """The sheets, those that are pictures of text in the form that OCR gave them."""
        found = {sheet.n: layer(sheet) for sheet in sheets}
        done = sum(one == "good" for one in found.values())
        result: list[Sheet] = []
        begun: deque[tuple[int, Callable[[], Sheet]]] = deque()

        def end() -> None:
            nonlocal done
            n, ended = begun.popleft()
            result.append(ended())
            done += found[n] != "good"
            if self.on_page and found[n] != "good":
                self.on_page(done, len(sheets))

        with ThreadPoolExecutor(self.at_once, "youju-ocr") as pool:
            for sheet in sheets:
                begun.append((sheet.n, self._begun(sheet, found[sheet.n], pool)))
                # Pictures of pages are large: one more than can be read waits.
                while len(begun) > self.at_once + 1:
                    end()
            while begun:
                end()
        return result

    def _begun(self, sheet: Sheet, worth: Layer, pool: ThreadPoolExecutor) -> Callable[[], Sheet]:
        """What gives the sheet as it is to be taken, once its turn comes; what reads it has begun."""
        todo = "keep" if worth == "good" else self.todo(sheet, worth)
        if todo == "blank":
            self.blank.add(sheet.n)
        if todo != "read":
            return lambda: sheet
        if not self._ready():
            return lambda: self._without(sheet, worth)
        seen = pool.submit(self._seen, self._picture(sheet, _LONGEST), sheet.n, 1 / _scale(sheet, _LONGEST))
        return lambda: self._by_ocr(sheet, worth, seen.result())

    def _seen(self, picture: npt.NDArray[np.uint8], n: int, scale: float) -> Seen:
        from youju.providers.ocr.page import seen  # noqa: PLC0415 (needs the extra)

        with self._reader() as reader:
            assert reader is not None, "asked before"  # noqa: S101 (narrows the type)
            return seen(picture, n, scale, reader)

    def todo(self, sheet: Sheet, worth: Layer) -> Decision:
        """What is to be done about a page whose layer is worth that: keep, read or blank."""
        todo = decision(worth, _grey(self._picture(sheet, _GLANCE)), sheet.runs, _scale(sheet, _GLANCE))
        if todo != "compare":
            return todo
        with self._reader() as reader:
            return "keep" if reader is None or self._covers(sheet, reader) else "read"

    def _covers(self, sheet: Sheet, reader: Engine) -> bool:
        scale = _scale(sheet, _GLANCE)
        corners = reader.boxes(self._picture(sheet, _GLANCE)) / scale
        boxes = [(*one.min(axis=0).tolist(), *one.max(axis=0).tolist()) for one in corners]
        return covered(boxes, sheet.runs) >= COVERED

    def _by_ocr(self, sheet: Sheet, worth: Layer, page: Seen) -> Sheet:
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

    def _ready(self) -> bool:
        """Whether there is an engine; one more is made where all are at work and there may be more."""
        with self._making:
            if self.installed and self._idle.empty() and self._made < self.at_once:
                one = engine(self._detecting)
                self.installed = one is not None
                if one is not None:
                    self._made += 1
                    self._idle.put(one)
        return self.installed

    @contextmanager
    def _reader(self) -> Iterator[Engine | None]:
        """An engine that nobody else uses meanwhile; None where the package is not installed."""
        if not self._ready():
            yield None
            return
        one = self._idle.get()
        try:
            yield one
        finally:
            self._idle.put(one)

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
