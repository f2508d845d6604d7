"""What OCR loses in Chinese: the gap after 第一条, and whether a sign is a wide one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from youju.providers.ocr.engine import Reading

# Letters from one to the next: of 2600 pairs without a space none is 1.3 apart, after a number half are less than 1.5.
_GAP, _GAP_NUMBERED = 1.4, 1.15
_NUMBERED = re.compile(r"第[一二三四五六七八九十百千零〇两]{1,8}[编章节条]")
_GAP_DIGIT = 0.8  # from a digit, which is half a letter wide, to a letter
_COUNTED = re.compile(r"(?:例|定义|定理|性质|推论|命题|引理|练习|习题) ?\d+(?:\.\d+)*|\d+(?:\.\d+)+")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_WIDE_BESIDE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3001-\u3011\u201c\u201d\uff01-\uff1f]")
_BULLET = re.compile(r"\A[·•∙・](?= ?[\u3400-\u9fff\u201c])")
_BESIDE = re.compile(r"[\u3400-\u9fff] ?[A-Za-z\d√]|[A-Za-z\d)\]²³] ?[\u3400-\u9fff]")
_SPACED, _MIN_SPACED = 0.2, 6
_SIGNS = dict(zip(",;:?!", "，；：？！", strict=True))


def is_aired(texts: Iterable[str]) -> bool:
    """Whether a page sets spaces between Chinese and other letters: OCR sees some of them, and hardly invents any."""
    beside = [pair for text in texts for at in range(len(text)) if (pair := _BESIDE.match(text, at))]
    spaced = sum(" " in pair[0] for pair in beside)
    return spaced >= _MIN_SPACED and spaced >= _SPACED * len(beside)


def worded(line: Reading, size: float, *, aired: bool = False) -> Reading:
    """The line with spaces where it has gaps between Chinese letters of this size, in pixels, and with wide signs.

    `aired`: between Chinese and other letters, too.
    """
    text = _BULLET.sub("•", wide_signs(line.text))
    if len(line.starts) != len(text):
        return replace(line, text=text)
    letters = list(_spaced(text, line.starts, size))
    letters = list(_aired(letters)) if aired else letters
    return replace(line, text="".join(letter for letter, _ in letters), starts=tuple(start for _, start in letters))


def _spaced(text: str, starts: tuple[float, ...], size: float) -> Iterator[tuple[str, float]]:
    numbered, counted = _NUMBERED.match(text), _COUNTED.match(text)
    ends = {numbered.end(): _GAP_NUMBERED} if numbered else {counted.end(): _GAP_DIGIT} if counted else {}
    for at, (letter, start) in enumerate(zip(text, starts, strict=True)):
        if at == 1 and text[0] == "•" and letter != " ":
            yield " ", (starts[0] + start) / 2
        if at and _HAN.match(letter) and (at in ends or _HAN.match(text[at - 1])):
            gap = start - starts[at - 1]
            if gap > ends.get(at, _GAP) * size:
                yield " ", starts[at - 1] + gap / 2
        yield letter, start


def _aired(letters: Sequence[tuple[str, float]]) -> Iterator[tuple[str, float]]:
    yield from letters[:1]
    for (before, start), (letter, at) in pairwise(letters):
        if _BESIDE.fullmatch(before + letter):
            yield " ", (start + at) / 2
        yield letter, at


def wide_signs(text: str) -> str:
    """The text with the signs of Chinese where they stand beside it; brackets in pairs; of the same length."""
    found = list(text)
    opened: list[int] = []
    for at, sign in enumerate(text):
        before, after = "".join(found[max(at - 1, 0) : at]), text[at + 1 : at + 2]
        beside = bool(_WIDE_BESIDE.match(before) or _WIDE_BESIDE.match(after))
        if sign in _SIGNS and beside:
            found[at] = _SIGNS[sign]
        elif sign in "(（":
            found[at] = "（" if beside else sign
            opened.append(at)
        elif sign in ")）" and opened:
            start = opened.pop()
            wide = "（" in found[start] or sign == "）"
            found[start], found[at] = ("（", "）") if wide else ("(", ")")
        elif sign == ")" and beside:
            found[at] = "）"
    return "".join(found)
