"""Which lines of a PDF are headings, and of which level: bookmarks, then numbering, then type."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from youju.providers.parsing.titles import is_item, names_section
from youju.providers.pdf.bookmarks import marked
from youju.providers.pdf.layout import Line
from youju.text.headings import Numbering, is_toc_line, numbering

_MAX_CHARS = 60
_SENTENCE = re.compile(r"[。；;]|[，、,：:]$|[^\d]\.$")
_LARGE = 1.15
_LARGER = 1.08
_SOMEWHAT_LARGE = 1.1  # for a line that stands alone
_FILLING = 10  # letters
_BOLD = 0.9
_END = ("。", "！", "？", "；", "：")
_MONO = 0.5
_SHORT = 30
_SMALLER = 0.6  # points below the body: print is not exact


class Typeface(NamedTuple):
    size: float
    bold: bool


def typeface(line: Line) -> Typeface:
    return Typeface(round(line.size * 2) / 2, line.bold >= _BOLD)


def levels(lines: Sequence[Line], body: float, outline: Sequence[tuple[int, str, int]]) -> dict[int, int]:
    """The level, from 1, of each line that is a heading, by its index in `lines`.

    Args:
        lines: of the whole document in reading order, without heads, feet and contents.
        body: the size of the running text in points.
        outline: bookmarks as (level, title, page).

    Returns:
        A level is that of the bookmark, else of the numbering; a heading that has neither gets the level that its
        typeface has elsewhere, or one below the next larger typeface.
    """
    marks = marked(lines, outline)
    known: dict[int, int] = {}
    candidates: list[int] = []
    for at, line in enumerate(lines):
        mark = marks.get(at, 0)
        if mark or _is_heading(lines, at, body):
            candidates.append(at)
            numbered = numbering(line.text.strip())
            level = mark or (numbered.level if numbered else 0)
            if level:
                known[at] = min(max(level, 1), 6)
    by_type = _by_type(lines, known)
    for face in sorted({typeface(lines[at]) for at in candidates}, reverse=True):
        by_type.setdefault(face, _inferred(face, by_type))
    return {at: known.get(at) or by_type[typeface(lines[at])] for at in candidates}


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def _by_type(lines: Sequence[Line], known: Mapping[int, int]) -> dict[Typeface, int]:
    votes: dict[Typeface, Counter[int]] = defaultdict(Counter)
    for at, level in known.items():
        votes[typeface(lines[at])][level] += 1
    return {face: count.most_common(1)[0][0] for face, count in votes.items()}


def _inferred(face: Typeface, by_type: Mapping[Typeface, int]) -> int:
    """One below what is set next larger; the larger ones are known before."""
    larger = [level for other, level in by_type.items() if other.size > face.size]
    return min(max(larger, default=0) + 1, 6)


def _is_heading(lines: Sequence[Line], at: int, body: float) -> bool:
    line = lines[at]
    text = line.text.strip()
    if not _can_be(line, text):
        return False
    bold = line.bold >= _BOLD
    if line.size >= _LARGE * body or (line.size >= _LARGER * body and bold):
        return True
    if not _stands_alone(lines, at):
        return False
    short = len(text) <= _SHORT and _gap_above(lines, at)
    if line.size >= _SOMEWHAT_LARGE * body:
        return short
    if line.size < body - _SMALLER:
        return bold and short and _heads_a_paragraph(lines, at)
    return _among_text(lines, at, text, short=short)


def _among_text(lines: Sequence[Line], at: int, text: str, *, short: bool) -> bool:
    """Whether a line of the body's size is a heading: by weight, or by a number that no list has."""
    line, found = lines[at], numbering(text)
    if found and not names_section(found, text):
        return False
    if line.bold >= _BOLD:
        return not _item_of_list(lines, at) if found else short
    if not found or line.x1 >= line.right - 4 * line.size:
        return False
    return _strong(text) or (len(text) <= _SHORT and _is_section(found, text) and not _among_such(lines, at, found))


def _is_section(found: Numbering, text: str) -> bool:
    """Whether a number is one that sections have even where they look like the text: 3.2 范围, 二、目标."""
    if not found.title or len(found.title) < 2:  # noqa: PLR2004 (a letter)
        return False
    return (found.kind == "decimal" and "." in found.number) or (found.kind == "list" and "、" in text[1:4])


def _among_such(lines: Sequence[Line], at: int, found: Numbering) -> bool:
    """Whether a line beside it is numbered the same way: then both are items of a list."""
    near = [lines[one] for one in (at - 1, at + 1) if 0 <= one < len(lines) and lines[one].page == lines[at].page]
    others = [numbering(one.text.strip()) for one in near]
    return any(one is not None and (one.kind, one.level) == (found.kind, found.level) for one in others)


def _can_be(line: Line, text: str) -> bool:
    if line.table or line.mono >= _MONO or len(text) > _MAX_CHARS or _SENTENCE.search(text) or is_toc_line(text):
        return False
    return any(char.isalpha() for char in text)


def _strong(text: str) -> bool:
    """Numbering that nobody gives to a list: 第三章, 第2节, 附录A."""
    return bool(re.match(r"(?:第\s*\S{1,8}\s*[编篇章节部卷讲]|附录|Chapter\b|Part\b|Appendix\b)", text))


def _stands_alone(lines: Sequence[Line], at: int) -> bool:
    """Whether neither the line before runs into this one nor this one into the next."""
    line = lines[at]
    before = lines[at - 1] if at else None
    after = lines[at + 1] if at + 1 < len(lines) else None
    bold = line.bold >= _BOLD
    runs_in = (
        before is not None
        and not before.table
        and before.page == line.page
        and abs(before.size - line.size) < _SMALLER
        and (before.bold >= _BOLD) == bold
        and before.x1 > before.right - 2 * before.size
        and not before.text.rstrip().endswith(_END)
    )
    full = line.x1 > line.right - 2 * line.size
    return not runs_in and not (full and after is not None and (after.bold >= _BOLD) == bold)


def _heads_a_paragraph(lines: Sequence[Line], at: int) -> bool:
    """Whether a small bold line stands over lines of text no larger: the head of a sidebar, not a figure's label."""
    line, below = lines[at], lines[at + 1 : at + 3]
    return len(below) > 1 and all(
        one.page == line.page
        and one.bold < _BOLD
        and not one.table
        and one.size <= line.size
        and abs(one.left - line.left) < 1
        and one.x1 - one.x0 > _FILLING * one.size
        for one in below
    )


def _gap_above(lines: Sequence[Line], at: int) -> bool:
    line, before = lines[at], lines[at - 1]
    first = not at or before.page != line.page or before.y0 > line.y0 or before.right <= line.left
    return first or line.y0 - before.y1 > 0.5 * line.size


def _item_of_list(lines: Sequence[Line], at: int) -> bool:
    """A bold line like 「1. 打开盖子」 among items of the same kind is an item."""
    near = [lines[one] for one in (at - 1, at + 1) if 0 <= one < len(lines)]
    return is_item(lines[at].text) and any(is_item(one.text) and one.bold >= _BOLD for one in near)
