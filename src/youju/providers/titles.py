"""Which lines are headings or list items, by what they say (typography is the layout's business)."""

from __future__ import annotations

import re

from youju.text.headings import is_toc_line, numbering

_MAX_HEADING = 40
_SENTENCE = re.compile(r"[。！？；;!?]|[，,：:]$|\.$")
_ITEM = re.compile(
    r"^\s*(?:[-*•●○▪◆■–·]\s+|\d{1,3}\s*[.．、)）]\s*(?!\d)|[(（]\d{1,3}[)）]|[a-zA-Z][.)）]\s|[①-⑳]"
    r"|[(（][一二三四五六七八九十]{1,3}[)）])"
)


def heading_level(line: str) -> int:
    """The level, 1–6, of a line that is a numbered heading by itself; 0 for anything else.

    A sentence that merely begins with a number is none: headings are short and have no sentence marks.
    """
    line = line.strip()
    found = numbering(line)
    if not found or len(line) > _MAX_HEADING or _SENTENCE.search(line) or is_toc_line(line):
        return 0
    return min(max(found.level, 1), 6)


def is_item(line: str) -> bool:
    """Whether a line begins a list item."""
    return bool(_ITEM.match(line))
