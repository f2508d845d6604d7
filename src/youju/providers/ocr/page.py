"""A picture of a page → the page as the layout of PDFs takes it: runs of text and ruled lines, in points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

import cv2
import numpy as np

from youju.providers.ocr.engine import Engine, Image, Reading
from youju.providers.ocr.leaders import is_contents
from youju.providers.ocr.margins import written
from youju.providers.ocr.posture import Posture, levelled, quarters_off
from youju.providers.ocr.sizes import evened, measured
from youju.providers.ocr.wording import is_aired, worded
from youju.providers.pdf.chars import Run, Sheet
from youju.providers.pdf.geometry import Rule

_SURE = 0.85  # of a page that is read the right way up
_WORTH = 0.5  # of a line; what scores less is a drawing, or dirt
_HEAVY = 1.18  # a bold serif has strokes 1.2 to 1.4 times as thick; light ones come to 1.13
_LONG = 5.0  # letters: no stroke of a character is so long
_THICK = 0.3  # letters
_NEAR = 0.4  # letters: how far apart the ends of the lines of one table are seen


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
        sizes = evened([measured(line) for line in worth], worth)
        weights = [_stroke(ink, line) / size for line, size in zip(worth, sizes, strict=True)]
        usual, aired = median(weights), is_aired(line.text for line in worth)
        for line, size, weight in zip(worth, sizes, weights, strict=True):
            sheet.runs.append(_run(line, size, scale, bold=weight > _HEAVY * usual, aired=aired))
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


def _run(line: Reading, size: float, scale: float, *, bold: bool, aired: bool) -> Run:
    """A line with the box of its type: the detector's boxes are of uneven heights."""
    line = worded(line, size, aired=aired)
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


def _rules(ink: Image, size: float) -> Iterator[tuple[float, float, float, float]]:
    """Long thin stretches of ink, level or upright, their ends flush with others near by."""
    for across in (True, False):
        length = max(round(_LONG * size), 20)
        kernel = np.ones((1, length) if across else (length, 1), np.uint8)
        opened = cv2.morphologyEx(ink, cv2.MORPH_OPEN, kernel)
        _, _, stats, _ = cv2.connectedComponentsWithStats(opened)
        thin = [one[:4] for one in stats[1:].tolist() if min(one[2:4]) <= max(_THICK * size, 3)]
        boxes = [
            (x, y, x + width, y + height) if across else (y, x, y + height, x + width) for x, y, width, height in thin
        ]
        starts, ends = (dict(_flush([box[side] for box in boxes], _NEAR * size)) for side in (0, 2))
        for start, top, end, bottom in boxes:
            a, b, middle = starts[start], ends[end], (top + bottom) / 2
            yield (a, middle, b, middle) if across else (middle, a, middle, b)


def _flush(places: Iterable[float], near: float) -> Iterator[tuple[float, float]]:
    """Each place and where it lies when those near to the first of them are one."""
    first = -near
    for place in sorted(places):
        first = first if place - first <= near else place
        yield place, first
