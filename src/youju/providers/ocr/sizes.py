"""How large the letters of lines are that OCR read: it tells boxes, which are of uneven heights."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from statistics import mean

from youju.providers.ocr.engine import Reading

_PAD = 0.3  # of the height of a box: what the detector adds at its ends
_TALL = 1.2  # letters: how high the detector's boxes are; those of two letters are a quarter higher, of more less so
_TALLER, _SINGLE = 0.1, 1.5  # a letter that it has less than five, but not where it has only one
_HALF_EMPTY = 0.4  # letters: what a sign of Chinese leaves empty at its right
_TELLING = 4  # pairs of letters
_CHINESE, _TALL_LATIN = 0.6, 1.15  # share of wide letters from which the width alone tells the size
_FEW = 5.0  # letters, from which the width tells the size better than the height
# How much sizes measured off a picture differ by chance.
_ALIKE, _ALIKE_SMALL, _ALIKE_SHORT, _ALIKE_STRETCHED = 0.12, 0.15, 0.22, 0.27
_SHORT, _LONG = 8, 16
_FORMULA = re.compile(r"[=≤≥<>√∈∪²³]|[a-z]\(")


def _letters(text: str) -> float:
    """How wide a text is from ink to ink, in its size."""
    empty = _HALF_EMPTY if text.endswith(tuple("。，、；：！？）」』")) else 0.0
    return sum(1.0 if unicodedata.east_asian_width(char) in "WF" else 0.28 if char in " .,;:'|il" else 0.55
               for char in text) - empty  # fmt: skip


def _pitch(line: Reading, otherwise: float) -> float:
    """From one Chinese letter to the next, on average; where there are few, what is said otherwise."""
    places = zip(line.text, line.text[1:], line.starts, line.starts[1:], strict=False)
    steps = [b - a for one, other, a, b in places if min(one, other) >= "\u3400" and max(one, other) <= "\u9fff"]
    return mean(steps) if len(steps) >= _TELLING else otherwise


def _share_wide(text: str) -> float:
    return sum(unicodedata.east_asian_width(char) in "WF" for char in text) / len(text)


def measured(line: Reading) -> float:
    """The size of a line, in pixels, by how wide its letters are, or of a few how high their box is."""
    height = line.y1 - line.y0
    letters = _letters(line.text)
    if letters >= _FEW:
        wide = (line.x1 - line.x0 - _PAD * height) / letters
        # Signs of formulas, and the air around them, make a line wider than its letters tell.
        return wide if _share_wide(line.text) > _CHINESE else min(wide, height / _TALL_LATIN, _pitch(line, wide))
    return height / (_TALL if letters < _SINGLE else _TALL + _TALLER * (_FEW - letters))


def evened(sizes: Sequence[float], lines: Sequence[Reading]) -> list[float]:
    """Sizes of the lines of a page, those near that of most characters made the same: they differ by chance.

    A line that fills the column was stretched until it did, and formulas have signs and air of many widths: these
    differ by more.
    """
    pairs = sorted((size, len(line.text)) for size, line in zip(sizes, lines, strict=True))
    half, count, body = sum(chars for _, chars in pairs) / 2, 0, pairs[0][0]
    for size, chars in pairs:
        count += chars
        if count >= half:
            body = size
            break
    edge = max(line.x1 for line in lines)
    return [
        body if 1 - _below(line) <= size / body <= 1 + _above(line, edge - body) else size
        for size, line in zip(sizes, lines, strict=True)
    ]


def _below(line: Reading) -> float:
    if _FORMULA.search(line.text):
        return _ALIKE_STRETCHED
    return _ALIKE_SHORT if _letters(line.text) < _FEW else _ALIKE_SMALL if len(line.text) < _SHORT else _ALIKE


def _above(line: Reading, edge: float) -> float:
    full = line.x1 >= edge and len(line.text) >= _LONG
    short = len(line.text) < _SHORT
    return max(_below(line), _ALIKE_STRETCHED if full else _ALIKE_SHORT if short else 0.0)
