"""Whether the text layer of a page can be believed."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from youju.providers.parsing.decoding import garbage_ratio, plausibility
from youju.providers.pdf.chars import Run, Sheet

Layer = Literal["none", "useless", "doubtful", "good"]
"""none: no text. useless: garbage. doubtful: text over a picture of the page, which may lack some of what is on it."""

_GARBAGE = 0.02
_STRANGE = 0.05
_ONE_SCRIPT = 0.5
_SIGNS = 0.45
_MIN_TELLING = 40
_MIN_HAN = 80
_LEAST_PLAUSIBLE = 0.04
_SPACE = re.compile(r"\s")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SIGN = re.compile(r"[!-,/:-@\[-^`{-~]")  # without the leaders and dashes of contents and tables
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
# What documents are written in; the rest is rare enough to be a glyph number taken for a character.
_USUAL = re.compile(
    r"[\u0009-\u024f\u02b0-\u03ff\u0400-\u045f\u1e00-\u1eff\u2000-\u2bff\u2e80-\u33ff\u4e00-\u9fff\uac00-\ud7a3"
    r"\uf900-\ufaff\ufe10-\ufe4f\uff00-\uffee\U0001d400-\U0001d7ff\U0001f300-\U0001faff\U00020000-\U0002ffff]"
)


def layer(sheet: Sheet) -> Layer:
    """What the text layer of a page is worth, by what it says and what lies under it."""
    said = _SPACE.sub("", "".join(run.text for run in sheet.runs))
    if not said:
        return "none"
    if is_useless(said):
        return "useless"
    return "doubtful" if sheet.scan else "good"


def is_useless(said: str) -> bool:
    """Whether characters, without white space, are what no one wrote: garbage, glyph numbers, a wrong encoding."""
    if garbage_ratio(said) > _GARBAGE or len(_CONTROL.findall(said)) > _GARBAGE * len(said):
        return True
    if _strange(said) > _STRANGE * len(said):
        return True
    if len(said) >= _MIN_TELLING and len(_SIGN.findall(said)) > _SIGNS * len(said):
        return True
    han = "".join(_HAN.findall(said))
    return len(han) >= _MIN_HAN and plausibility(han) < _LEAST_PLAUSIBLE


def _strange(said: str) -> int:
    """Characters of rare scripts, unless the text is written in one of them."""
    scripts = Counter(_script(char) for char in said if not _USUAL.match(char))
    total = sum(scripts.values())
    most = max(scripts.values(), default=0)
    return 0 if most > _ONE_SCRIPT * len(said) and most > _ONE_SCRIPT * total else total


def _script(char: str) -> str:
    name = unicodedata.name(char, "")
    return name.split()[0] if name else ""


def covered(boxes: Sequence[tuple[float, float, float, float]], runs: Sequence[Run]) -> float:
    """The share, in [0, 1], of the area of boxes of text, as they are seen, over which runs of the layer lie."""
    seen = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)
    return sum(_under(box, runs) for box in boxes) / seen if seen else 1.0


def _under(box: tuple[float, float, float, float], runs: Sequence[Run]) -> float:
    """The area of a box of one line that runs lie over; a run that touches its height covers it."""
    x0, y0, x1, y1 = box
    spans = sorted(
        (max(run.x0, x0), min(run.x1, x1))
        for run in runs
        if min(run.y1, y1) - max(run.y0, y0) > 0.3 * min(run.y1 - run.y0, y1 - y0) and run.x0 < x1 and run.x1 > x0
    )
    width, reach = 0.0, x0
    for start, end in spans:
        width += max(end - max(start, reach), 0.0)
        reach = max(reach, end)
    return width * (y1 - y0)
