"""Footnotes: which lines at the foot of a page are not its body."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from youju.providers.parsing.titles import is_caption
from youju.providers.pdf.layout import Line

_SMALL = 0.92
_MONO = 0.5
_MARK = re.compile(r"^(?:[①-⑳*＊†‡]|\[\d+\]|［\d+］|〔\d+〕|\(\d+\)|\d{1,3}[\s.．、]|\d{1,2}(?=[^\d\s.])|注[：:])")


def footnotes(lines: Sequence[Line], tops: Mapping[int, Sequence[float]], body: float) -> frozenset[int]:
    """Indexes of the lines at the foot of each page that are small and stand below a rule or begin with a mark.

    Args:
        lines: of all pages in reading order.
        tops: per page the heights of its horizontal rules.
        body: size of the running text.
    """
    found: set[int] = set()
    by_page: dict[int, list[int]] = {}
    for at, line in enumerate(lines):
        by_page.setdefault(line.page, []).append(at)
    for page, indexes in by_page.items():
        small: list[int] = []
        for at in sorted(indexes, key=lambda one: -lines[one].base):
            line = lines[at]
            if line.table or line.size > _SMALL * body or line.mono >= _MONO or is_caption(line.text):
                break
            small.append(at)
        if not small or len(small) == len(indexes):
            continue
        top = lines[small[-1]]
        ruled = any(0 <= top.y0 - height < 1.5 * body for height in tops.get(page, ()))
        if ruled or begins_note(top.text):
            found.update(small)
    return frozenset(found)


def begins_note(text: str) -> bool:
    """Whether a line begins with a footnote's mark."""
    return bool(_MARK.match(text))
