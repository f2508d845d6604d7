"""Which lines are headings or list items, by what they say (typography is the layout's business)."""

from __future__ import annotations

import re

from youju.text.headings import Numbering, numbering

_MAX_HEADING = 40
_BARE_ARTICLE = 10
_EXERCISES = re.compile(r"练习|习题|复习|思考题")
_SENTENCE = re.compile(r"[。！？；;!?]|[，,：:]$|\.$")
_ITEM = re.compile(
    r"^\s*(?:[-*•●○▪◆■–·]\s+|\d{1,3}\s*[.．、)）]\s*(?!\d)|[(（]\d{1,3}[)）]|[a-zA-Z][.)）]\s|[①-⑳]"
    r"|[(（][一二三四五六七八九十]{1,3}[)）])"
)

_CAPTION = re.compile(r"^(?:[图表]|Fig(?:ure|\.)|Table)\s*[\d一二三四五六七八九十A-Z][\d.\-–—]*(?:\s|：|:|$)")
_CAPTION_MAX = 60


def heading_level(line: str) -> int:
    """The level, 1–6, of a line that is a numbered heading by itself; 0 for anything else.

    A sentence that merely begins with a number is none: headings are short and have no sentence marks. Neither are
    an article that begins on its line, nor 例 3 and 定义 1.2, which belong to the text under them.
    """
    line = line.strip()
    if len(line) > _MAX_HEADING or _SENTENCE.search(line):
        return 0
    found = numbering(line)
    return min(max(found.level, 1), 6) if found and names_section(found, line) else 0


def names_section(found: Numbering, line: str) -> bool:
    """Whether a numbering is one of sections rather than of an article's text, an example, a definition."""
    if found.kind == "block":
        return bool(_EXERCISES.match(line))
    if found.kind in {"article", "clause"}:
        return bool(found.title) or len(line) <= _BARE_ARTICLE
    return True


def is_item(line: str) -> bool:
    """Whether a line begins a list item."""
    return bool(_ITEM.match(line))


def item_mark(line: str) -> str:
    """The mark a list item begins with, its space included; "" for other lines."""
    found = _ITEM.match(line)
    return found.group() if found else ""


def is_caption(text: str) -> bool:
    """Whether a line names a figure or table: 图 3-1 …, 表2：…; not a sentence that begins so."""
    return bool(_CAPTION.match(text)) and len(text) <= _CAPTION_MAX and not text.rstrip().endswith(("。", "，", "；"))
