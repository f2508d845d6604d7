"""Bookmarks → the lines they name: hardly two programs write a title in both places alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache

from youju.providers.pdf.layout import Line
from youju.text.normal import fold

_NUMBER = re.compile(
    r"^(?:第[^\s]{1,6}?[编篇部卷章节讲课单元回]|[§\d][\d.．]*|[一二三四五六七八九十]{1,3}[、.．]|[（(][^（()）]{1,3}[)）]"
    r"|(?:chapter|section|part)\s*[\divxlc.]+)[\s.．:：、]*",
    re.IGNORECASE,
)
_PUNCTUATION = re.compile(r"[.．·•…。，、；：:;,\-–—_“”\"'《》〈〉]")
_NEAR = (0, 1, -1)  # pages from the one a bookmark leads to
_MOST = 3  # lines of one heading


def marked(lines: Sequence[Line], outline: Sequence[tuple[int, str, int]]) -> dict[int, int]:
    """The level, from 1, of each line that a bookmark names, by its index in `lines`.

    The same words on the bookmark's page count, then those that differ in signs, spaces or the number alone, then the
    same on the pages beside it; a title may go over up to three lines.
    """
    if not outline:
        return {}
    pages: dict[int, list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        if not line.table:
            pages[line.page].append(at)
    found: dict[int, int] = {}
    spellings = [cache(spelled) for spelled in (fold, _bare, _unnumbered)]
    for level, title, page in outline:
        for near in _NEAR:
            named = _named(title, lines, [at for at in pages.get(page + near, ()) if at not in found], spellings)
            if named:
                found |= dict.fromkeys(named, min(level, 6))
                break
    return found


def _named(
    title: str, lines: Sequence[Line], there: Sequence[int], spellings: Sequence[Callable[[str], str]]
) -> list[int]:
    """The lines among `there` that say the title, in the strictest of the spellings in which any does."""
    for plain in spellings:
        wanted = plain(title)
        if not wanted:
            continue
        for nth, at in enumerate(there):
            text = ""
            for more in range(_MOST):
                if nth + more >= len(there) or there[nth + more] != at + more:
                    break
                text += lines[at + more].text
                if plain(text) == wanted:
                    return list(range(at, at + more + 1))
                if not wanted.startswith(plain(text)):
                    break
    return []


def _bare(text: str) -> str:
    return _PUNCTUATION.sub("", fold(text))


def _unnumbered(text: str) -> str:
    return _bare(_NUMBER.sub("", text.strip(), count=1))
