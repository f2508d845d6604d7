"""Text that was read in the wrong encoding and saved again: valid characters that nobody wrote.

Only what proves itself counts: a stretch that, turned back into bytes, is well-formed in another encoding and says
something there. Rare characters alone prove nothing; mantras and names of plants are full of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# What a replacement character or fresh memory looks like, read as GBK.
_KNOWN = re.compile(r"(?:锟斤拷|锟斤|斤拷)+|烫{4,}|屯{4,}")
_WIDE = re.compile(r"[^\x00-\x7f]{4,}")
_NARROW = re.compile(r"[\u0080-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{2,}")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_CHINESE = re.compile(r"[\u4e00-\u9fff\u3000-\u303f\uff00-\uff65\u2013-\u2026]")
_LATIN = re.compile(r"[\u00a0-\u00ff\u2013-\u2026]")
_MOST = 0.6
_MIN_PAIRS = 4  # bytes: two Chinese characters in a row; no Latin word has so many accents


def misread(text: str) -> int:
    """How many characters of `text` come from a wrong encoding."""
    known = sum(len(found.group()) for found in _KNOWN.finditer(text))
    wide = sum(len(run) for run in _WIDE.findall(text) if _was_utf8(run))
    return known + wide + sum(map(len, _narrow(text)))


def _was_utf8(run: str) -> bool:
    """Whether Chinese characters are UTF-8 read as GBK: 绗涓鏉."""
    if not _HAN.search(run) or _KNOWN.search(run):
        return False
    back = run.encode("gbk", "ignore").decode("utf-8", "ignore")
    return 3 * len(_CHINESE.findall(back)) >= _MOST * 2 * len(run)


def _narrow(text: str) -> Iterator[str]:
    """Stretches of Latin letters and signs that are the bytes of Chinese (ÄÚÈÝ), or of UTF-8 (Ã©)."""
    for found in _NARROW.finditer(text):
        run = found.group()
        data = b"".join(_byte(char) for char in run)
        as_utf8 = data.decode("utf-8", "ignore")
        said = len(_LATIN.findall(as_utf8)) * 2 + len(_HAN.findall(as_utf8)) * 3
        if said >= _MOST * len(data) or _are_pairs(data):
            yield run


def _byte(char: str) -> bytes:
    try:
        return char.encode("latin-1")
    except UnicodeEncodeError:
        return char.encode("cp1252")


def _are_pairs(data: bytes) -> bool:
    back = data.decode("gb2312", "ignore")
    return len(data) >= _MIN_PAIRS and 2 * len(_HAN.findall(back)) >= _MOST * len(data)
