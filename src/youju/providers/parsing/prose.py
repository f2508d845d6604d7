"""How much of a text nobody wrote: encoded data, one key held down, accents without letters.

Measured, not proven: a file of nothing but genes or of bare checksums, line under line, counts as unwritten as well;
checksums with names beside them do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from youju.errors import DocumentError

# Lines without space or stop: encoded data is wrapped at 64 or 76, and the longest checksum in use has 128 characters.
_STRETCH = re.compile(r"(?<![\w+/=\-])[\w+/=\-]{41,}(?:\r?\n[\w+/=\-]{41,})*")
_STRETCH_MIN = 200
_WINDOW = 200
_FEW = 5  # times fewer different characters than characters; unpunctuated Chinese has one in two, at the least
_CHANGE = re.compile(r"(?<=[a-z])[A-Z0-9]|(?<=[A-Z])[a-z0-9]|(?<=[0-9])[A-Za-z]")
_CHANGES = 0.2  # a character: names in code have half as many, hexadecimal numbers twice and Base64 three times
_ACCENTS = re.compile(r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{5,}")
_LETTER = re.compile(r"[^\W_]")
_SPACE = re.compile(r"\s")
_REFUSED, _REFUSED_MIN = 0.8, 2_000
_NOTED = 0.05


def check_prose(text: str) -> tuple[str, ...]:
    """What a reader is to be told of a text that has parts nobody wrote: at most one warning.

    Raises:
        DocumentError: no_prose: hardly anything else is there.
    """
    unwritten = sum(_unwritten(text))
    share = unwritten / max(len(_SPACE.sub("", text)), 1)
    if share > _REFUSED and unwritten >= _REFUSED_MIN:
        raise DocumentError(
            f"文字有 {share:.0%} 不像人写的话：是编码后的数据，或者同样的几个字反复出现",
            remedy="请检查是否选错了文件；如果是 Base64 之类的编码，请解码成原来的文件后再上传",
            code="no_prose",
        )
    return (f"文字有 {share:.0%} 不像人写的话（编码后的数据或反复的字），问不出内容",) if share >= _NOTED else ()


def _unwritten(text: str) -> Iterator[int]:
    """The lengths of what nobody wrote."""
    for stretch in _STRETCH.finditer(text):
        solid = _SPACE.sub("", stretch.group())
        if len(solid) >= _STRETCH_MIN:
            windows = (solid[at : at + _WINDOW] for at in range(0, len(solid), _WINDOW))
            yield from (len(window) for window in windows if _is_noise(window))
    yield from (len(accents.group()) for accents in _ACCENTS.finditer(text))


def _is_noise(window: str) -> bool:
    if not _LETTER.search(window):  # a rule across the page
        return False
    few = len(set(window)) * _FEW < len(window)
    return few or len(_CHANGE.findall(window)) >= _CHANGES * len(window)
