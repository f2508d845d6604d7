"""A picture of text → its lines, by RapidOCR with the models that come inside its package; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidocr import RapidOCR

from youju.text.normal import clean

Image = npt.NDArray[np.uint8]
_VOTERS = 9
LONGEST = 2000
"""Pixels of the longer side above which the engine would only scale the picture down."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A line as read. Edges and `starts` (where each character begins) in pixels; `score` in [0, 1]."""

    text: str
    score: float
    x0: float
    y0: float
    x1: float
    y1: float
    starts: tuple[float, ...] = ()


@dataclass
class Engine:
    """Reads pictures of pages, grey or colour, uint8, shape (height, width[, 3]), on one thread.

    Heavy to make: make one a thread and file. Finding the lines of a page takes most of the memory that an engine
    needs, 0.7 GB for a page of 2000 pixels: those that share the lock `detecting` do it one after the other.
    """

    detecting: Lock = field(default_factory=Lock, repr=False)
    _ocr: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._ocr = RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.text_score": 0.0,
                "Global.max_side_len": LONGEST,
                "Global.return_word_box": True,
                # By default it enlarges until the shorter side has 736 pixels: a strip becomes enormous.
                "Det.limit_type": "max",
                "Det.limit_side_len": LONGEST,
                "Global.return_single_char_box": True,
                # Lines of unlike lengths in one batch are all made as long as the longest.
                "Rec.rec_batch_num": 1,
                "EngineConfig.onnxruntime.intra_op_num_threads": 1,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )
        self._ocr.text_det = _InTurn(self._ocr._load_det_model(), self.detecting)  # noqa: SLF001 (no public way)

    def lines(self, image: Image) -> list[Reading]:
        """The lines that stand in the picture, in no order that means anything."""
        found = self._ocr(image, use_det=True, use_cls=False, use_rec=True)
        if found.txts is None or found.boxes is None:
            return []
        words = found.word_results if len(found.word_results) == len(found.txts) else [()] * len(found.txts)
        rows = zip(found.txts, found.scores, found.boxes, words, strict=True)
        return [_reading(*row) for row in rows if row[0].strip()]

    def boxes(self, image: Image) -> npt.NDArray[np.float32]:
        """The corners of what looks like lines of text, in pixels, shape (n, 4, 2); much quicker than `lines`."""
        found = self._ocr(image, use_det=True, use_cls=False, use_rec=False)
        return np.zeros((0, 4, 2), np.float32) if found.boxes is None else np.asarray(found.boxes, np.float32)

    def upside_down(self, image: Image, boxes: npt.NDArray[np.float32]) -> bool:
        """Whether most of the longest lines, lying in `boxes`, stand on their heads."""
        crops = list(_longest(image, boxes))
        votes = [self._ocr(crop, use_det=False, use_cls=True, use_rec=False).cls_res[0] for crop in crops]
        return bool(sum(score if label == "180" else -score for label, score in votes) > 0)


@dataclass(frozen=True)
class _InTurn:
    """Finds lines when it is its turn."""

    detector: Any
    turn: Lock

    def __call__(self, image: Image) -> Any:  # noqa: ANN401 (of a library without types)
        with self.turn:
            return self.detector(image)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (as above)
        return getattr(self.detector, name)


def _longest(image: Image, boxes: npt.NDArray[np.float32]) -> Iterator[Image]:
    lows, highs = boxes.min(axis=1).astype(int), boxes.max(axis=1).astype(int)
    order = np.argsort(lows[:, 0] - highs[:, 0])[:_VOTERS]
    for at in order:
        crop = image[max(lows[at, 1], 0) : highs[at, 1], max(lows[at, 0], 0) : highs[at, 0]]
        if min(crop.shape[:2]) > 1:
            yield np.ascontiguousarray(crop)


def _reading(text: str, score: float, corners: npt.NDArray[np.float32], words: Sequence[Any]) -> Reading:
    shown = clean(text).strip()
    (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return Reading(shown, float(score), x0, y0, x1, y1, tuple(_starts(shown, x0, x1, words)))


def _starts(text: str, x0: float, x1: float, words: Sequence[Any]) -> Iterator[float]:
    """Where each character begins: as the engine says, else in even steps."""
    solid = [char for char in text if char != " "]
    known = [float(word[2][0][0]) for word in words] if [word[0] for word in words] == solid else []
    at = 0
    for nth, char in enumerate(text):
        yield known[min(at, len(known) - 1)] if known else x0 + (x1 - x0) * nth / len(text)
        at += char != " "
