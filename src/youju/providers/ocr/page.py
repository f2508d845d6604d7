"""A picture of a page → the page as the layout of PDFs takes it: runs of text and ruled lines, in points."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean, median

import cv2
import numpy as np

from youju.providers.ocr.engine import Engine, Image, Reading
from youju.providers.ocr.leaders import is_contents
from youju.providers.ocr.margins import written
from youju.providers.ocr.posture import Posture, levelled, quarters_off
from youju.providers.ocr.wording import worded
from youju.providers.pdf.chars import Run, Sheet
from youju.providers.pdf.geometry import Rule

_SURE = 0.85  # of a page that is read the right way up
_WORTH = 0.5  # of a line; what scores less is a drawing, or dirt
_PAD = 0.3  # of the height of a box: what the detector adds at its ends
_TALL = 1.2  # letters: how high the detector's boxes are; those of two letters are a quarter higher, of more less so
_TALLER, _SINGLE = 0.1, 1.5  # a letter that it has less than five, but not where it has only one
_HALF_EMPTY = 0.4  # letters: what a sign of Chinese leaves empty at its right
_TELLING = 4  # pairs of letters
_CHINESE, _TALL_LATIN = 0.6, 1.15  # share of wide letters from which the width alone tells the size
_FEW = 5.0  # letters, from which the width tells the size better than the height
_ALIKE, _ALIKE_SHORT = 0.12, 0.22  # how much sizes measured off a picture differ by chance
_SHORT = 8
_HEAVY = 1.3
_LONG = 5.0  # letters: no stroke of a character is so long
_THICK = 0.3  # letters


@dataclass(frozen=True)
class Seen:
    """A page that was read.

    `confidence` is the mean score of its `characters` in [0, 1], 0 where there are none; those of lines that are
    hardly any are counted, too, but left out of the sheet.
    The sheet is the page set straight; `posture`, in points, leads back to the page as it is.
    """

    sheet: Sheet
    posture: Posture
    confidence: float
    characters: int


def seen(image: Image, n: int, scale: float, engine: Engine) -> Seen:
    """The page `n` whose picture has `scale` points a pixel."""
    straight, posture = levelled(image)
    lines = _lines(straight, engine)
    if lines and _confidence(lines) < _SURE and (quarters := quarters_off(image, engine)):
        turned, other = levelled(image, quarters)
        again = _lines(turned, engine)
        if _confidence(again) > _confidence(lines):
            straight, posture, lines = turned, other, again
    worth = [line for line in lines if line.score >= _WORTH]
    posture = replace(posture, width=posture.width * scale, height=posture.height * scale)
    sheet = Sheet(n, posture.width, posture.height, "\n".join(line.text for line in worth), "")
    if worth:
        ink = _ink(straight)
        sizes = _evened([_size(line) for line in worth], worth)
        weights = [_stroke(ink, line) / size for line, size in zip(worth, sizes, strict=True)]
        usual = median(weights)
        for line, size, weight in zip(worth, sizes, weights, strict=True):
            sheet.runs.append(_run(line, size, scale, bold=weight > _HEAVY * usual))
        sheet.contents = is_contents(sheet.runs)
        sheet.rules = [Rule(*(edge * scale for edge in rule)) for rule in _rules(ink, median(sizes))]
    return Seen(sheet, posture, _confidence(lines), sum(len(line.text) for line in lines))


def _lines(image: Image, engine: Engine) -> list[Reading]:
    left, top, part = written(image)
    return [
        replace(
            line,
            x0=line.x0 + left,
            y0=line.y0 + top,
            x1=line.x1 + left,
            y1=line.y1 + top,
            starts=tuple(start + left for start in line.starts),
        )
        for line in engine.lines(part)
    ]


def _confidence(lines: Sequence[Reading]) -> float:
    total = sum(len(line.text) for line in lines)
    return sum(line.score * len(line.text) for line in lines) / total if total else 0.0


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


def _size(line: Reading) -> float:
    height = line.y1 - line.y0
    letters = _letters(line.text)
    if letters >= _FEW:
        wide = (line.x1 - line.x0 - _PAD * height) / letters
        # Signs of formulas, and the air around them, make a line wider than its letters tell.
        return wide if _share_wide(line.text) > _CHINESE else min(wide, height / _TALL_LATIN, _pitch(line, wide))
    return height / (_TALL if letters < _SINGLE else _TALL + _TALLER * (_FEW - letters))


def _evened(sizes: Sequence[float], lines: Sequence[Reading]) -> list[float]:
    """Sizes near that of most characters are the same size, measured with an error."""
    pairs = sorted((size, len(line.text)) for size, line in zip(sizes, lines, strict=True))
    half, count, body = sum(chars for _, chars in pairs) / 2, 0, pairs[0][0]
    for size, chars in pairs:
        count += chars
        if count >= half:
            body = size
            break
    near = [_ALIKE_SHORT if len(line.text) < _SHORT else _ALIKE for line in lines]
    return [body if abs(size - body) <= share * body else size for size, share in zip(sizes, near, strict=True)]


def _run(line: Reading, size: float, scale: float, *, bold: bool) -> Run:
    """A line with the box of its type: the detector's boxes are of uneven heights."""
    line = worded(line, size)
    middle, points = (line.y0 + line.y1) / 2 * scale, size * scale
    starts = [start * scale for start in line.starts]
    return Run(
        text=line.text,
        x0=starts[0] if starts else line.x0 * scale,
        y0=middle - 0.65 * points,
        x1=line.x1 * scale,
        y1=middle + 0.65 * points,
        base=middle + 0.35 * points,
        size=round(points * 4) / 4,
        bold=float(bold),
        starts=starts,
    )


def _ink(image: Image) -> Image:
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)  # noqa: PLR2004
    _, ink = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    return np.asarray(ink, np.uint8)


def _stroke(ink: Image, line: Reading) -> float:
    """How thick the strokes of a line are, in pixels: twice its ink over the length of its outline."""
    crop = ink[max(int(line.y0), 0) : int(line.y1) + 1, max(int(line.x0), 0) : int(line.x1) + 1]
    outline = int(np.abs(np.diff(crop.astype(np.int8), axis=0)).sum() + np.abs(np.diff(crop.astype(np.int8))).sum())
    return 2.0 * float(crop.sum()) / outline if outline else 0.0


def _rules(ink: Image, size: float) -> list[tuple[float, float, float, float]]:
    """Long thin stretches of ink, level or upright."""
    found = []
    for across in (True, False):
        length = max(round(_LONG * size), 20)
        kernel = np.ones((1, length) if across else (length, 1), np.uint8)
        opened = cv2.morphologyEx(ink, cv2.MORPH_OPEN, kernel)
        _, _, stats, _ = cv2.connectedComponentsWithStats(opened)
        for x, y, width, height, _ in stats[1:].tolist():
            if min(width, height) <= max(_THICK * size, 3):
                middle_x, middle_y = x + width / 2, y + height / 2
                found.append((x, middle_y, x + width, middle_y) if across else (middle_x, y, middle_x, y + height))
    return found
