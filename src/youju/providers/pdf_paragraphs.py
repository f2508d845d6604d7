"""Lines in reading order → blocks: paragraphs over line and page breaks, lists, code, tables, notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from youju.providers.lines import join_lines, table, width
from youju.providers.pdf_headings import typeface
from youju.providers.pdf_layout import Line
from youju.providers.titles import is_item, item_mark
from youju.text.headings import numbering
from youju.types import Block, BlockKind, Box

_END = ("。", "！", "？", "；", "：", "…", "”", "」", ".", "!", "?", ":", ";", "．")
_CAPTION = re.compile(r"^(?:[图表]|Fig(?:ure|\.)|Table)\s*[\d一二三四五六七八九十A-Z][\d.\-–—]*(?:\s|：|:|$)")
_CAPTION_MAX = 60
_WORD = re.compile(r"[（(“‘《【「]*[!-~\u2070-\u209f\u00b2\u00b3\u00b9]*.?[）)”’》】」，。、；：]*")
_CODE = 0.9
_PARTLY_CODE = 0.3
_BOLD = 0.9
_INDENT = 0.8  # in letters
_PLAIN = 0.1


@dataclass(frozen=True, slots=True)
class Measures:
    """Habits of the document: `body` in points, `leading` by typeface size, whether paragraphs begin indented."""

    body: float
    leading: Mapping[float, float]
    indents: bool

    def leading_of(self, line: Line) -> float:
        return self.leading.get(round(line.size * 2) / 2, 1.8 * line.size)


@dataclass(slots=True)
class _Draft:
    """A block being gathered; `items` are the lines of each list item, one item for other kinds."""

    kind: BlockKind
    items: list[list[Line]] = field(default_factory=list)
    level: int = 0

    @property
    def last(self) -> Line:
        return self.items[-1][-1]


def measured(lines: Sequence[Line], body: float) -> Measures:
    steps: dict[float, list[float]] = {}
    indented = 0
    for before, line in pairwise(lines):
        step = line.base - before.base
        if before.page == line.page and not before.table and not line.table and 0 < step < 3 * line.size:
            steps.setdefault(round(line.size * 2) / 2, []).append(step)
        if abs(line.size - body) < 0.5 and before.text.rstrip().endswith("。"):  # noqa: PLR2004 (half a point)
            indent = (line.x0 - line.left) / line.size
            indented += 1 if _INDENT < indent < 4 else -1 if _full(before) else 0  # noqa: PLR2004 (deeper is no indent)
    leading = {size: median(found) for size, found in steps.items()}
    return Measures(body, leading, indents=indented > 0)


def blocks(lines: Sequence[Line], levels: Mapping[int, int], notes: frozenset[int], measures: Measures) -> list[Block]:
    """The blocks of a document in reading order.

    Args:
        lines: of all pages.
        levels: heading levels by index in `lines`.
        notes: indexes of lines that belong to footnotes; a note comes after the block it interrupts.
        measures: see `measured`.
    """
    done: list[_Draft] = []
    waiting: list[_Draft] = []
    draft: _Draft | None = None
    for at, line in enumerate(lines):
        if at in notes:
            _note(waiting, line)
            continue
        kind = _kind(line, levels.get(at, 0))
        if draft and _goes_on(draft, line, kind, levels.get(at, 0), measures):
            _add(draft, line, kind)
            continue
        if draft:
            done.append(draft)
        done.extend(waiting)
        waiting = []
        draft = _Draft(kind, [[line]], levels.get(at, 0))
    done.extend([draft] if draft else [])
    return [_block(one) for one in [*done, *waiting]]


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
            if line.table or line.size > 0.92 * body or line.mono >= _CODE or _CAPTION.match(line.text):
                break
            small.append(at)
        if not small or len(small) == len(indexes):
            continue
        top = lines[small[-1]]
        ruled = any(0 <= top.y0 - height < 1.5 * body for height in tops.get(page, ()))
        if ruled or _NOTE.match(top.text):
            found.update(small)
    return frozenset(found)


_NOTE = re.compile(r"^(?:[①-⑳*＊†‡]|\[\d+\]|［\d+］|〔\d+〕|\(\d+\)|\d{1,3}[\s.．、]|\d{1,2}(?=[^\d\s.])|注[：:])")


def _note(waiting: list[_Draft], line: Line) -> None:
    if waiting and not _NOTE.match(line.text) and waiting[-1].last.page == line.page:
        waiting[-1].items[0].append(line)
    else:
        waiting.append(_Draft("footnote", [[line]]))


def _kind(line: Line, level: int) -> BlockKind:
    if line.table:
        return "table"
    if level:
        return "heading"
    if line.mono >= _CODE:
        return "code"
    if _CAPTION.match(line.text) and len(line.text) <= _CAPTION_MAX and not line.text.rstrip().endswith("。"):
        return "caption"
    return "list" if is_item(line.text) else "text"


def _goes_on(draft: _Draft, line: Line, kind: BlockKind, level: int, measures: Measures) -> bool:  # noqa: PLR0911 (one a case)
    last = draft.last
    step = line.base - last.base if line.page == last.page else 0.0
    leading = measures.leading_of(line)
    match draft.kind, kind:
        case "table", "table":
            return last.page + 1 == line.page and _columns(last) == _columns(line)
        case "heading", "heading":
            return draft.level == level and _second_line(last, line)
        case "code", "code":
            return step < 2.6 * leading
        case "code", "text":
            # A line of code with words its font lacks: what is Chinese in it comes in another.
            return step < 1.35 * leading and line.mono > _PARTLY_CODE and abs(line.size - last.size) < 0.05 * last.size
        case "text", "code":
            # Inline code that fills a line of its paragraph.
            return _filled(last, line) and not _ended(last) and _runs_on(draft, line, measures)
        case "list", "list":
            return step < 2 * leading
        case "list", "text":
            hanging = abs(line.x0 - _text_start(draft.items[-1])) < 0.6 * line.size
            return _runs_on(draft, line, measures, hanging=hanging)
        case "text", "list":
            # A sentence that is not over and fills its line goes on, even with what looks like an item's mark.
            inside = measures.indents and abs(line.x0 - line.left) < 0.3 * line.size
            over = inside or not _ended(last)
            return over and not _ends_with_colon(last) and _filled(last, line) and _runs_on(draft, line, measures)
        case (("text" | "caption"), "text"):
            return _runs_on(draft, line, measures)
    return False


def _text_start(item: Sequence[Line]) -> float:
    """Where the text of a list item begins, after its mark; where its second line does, once it has one."""
    if len(item) > 1:
        return item[1].x0
    mark = item_mark(item[0].text)
    for part in item[0].parts:
        if len(part.text) > len(mark) and len(part.starts) == len(part.text):
            return part.starts[len(mark)]
        mark = mark[len(part.text) :].lstrip()
    return item[0].x0


def _add(draft: _Draft, line: Line, kind: BlockKind) -> None:
    if draft.kind == "list" and kind == "list":
        draft.items.append([line])
    else:
        draft.items[-1].append(line)


def _second_line(first: Line, second: Line) -> bool:
    """Whether a heading line is the rest of the heading above it."""
    near = first.page == second.page and second.y0 - first.y1 < 0.6 * first.size
    return near and typeface(first) == typeface(second) and not numbering(second.text) and first.left == second.left


def _columns(line: Line) -> int:
    return max(len(row) for row in line.table.rows) if line.table else 0


def _full(line: Line) -> bool:
    return line.x1 > line.right - 2 * line.size


def _filled(last: Line, line: Line) -> bool:
    """Whether `last` had no room for the first word of `line`; the rule of a line that ends because it must."""
    word = _WORD.match(line.text)
    needed = width(word.group()) * 0.5 * line.size if word else line.size
    return _full(last) or last.x1 + needed > last.right - 0.5 * last.size


def _ends_with_colon(line: Line) -> bool:
    return line.text.rstrip().endswith(("：", ":"))


def _runs_on(draft: _Draft, line: Line, measures: Measures, *, hanging: bool = False) -> bool:
    """Whether a line of text belongs to the paragraph or list item that `draft` ends with."""
    last = draft.last
    size = last.size
    changed = last.bold >= _BOLD and line.bold < _PLAIN and not _full(last)
    if changed or abs(line.size - size) > 0.08 * size:
        return False
    indent = 0.0 if hanging else (line.x0 - line.left) / size
    if line.page != last.page or line.y0 < last.y0 or abs(line.left - last.left) > size:
        return _over_the_break(last, line, indent, indents=measures.indents)
    if line.base - last.base > 1.35 * measures.leading_of(line):
        return False
    if _begins(draft, indent):
        return False
    return _filled(last, line) or (not _ended(last) and last.x1 > last.right - 6 * size)


def _begins(draft: _Draft, indent: float) -> bool:
    """Whether a line so deeply indented begins a paragraph after the lines of `draft`."""
    last = draft.last
    before = (last.x0 - last.left) / last.size
    if indent <= _INDENT:
        return False
    whole_is_shifted = len(draft.items[-1]) > 1 and abs(before - indent) < 0.3  # noqa: PLR2004 (a third of a letter)
    return before < _INDENT or (_ended(last) and not whole_is_shifted)


def _ended(line: Line) -> bool:
    return line.text.rstrip().endswith(_END)


def _over_the_break(last: Line, line: Line, indent: float, *, indents: bool) -> bool:
    filled = _filled(last, line)
    if indent > _INDENT or not (filled or last.x1 > last.right - 6 * last.size):
        return False
    return not _ended(last) or (indents and filled)


def _block(draft: _Draft) -> Block:
    lines = [line for item in draft.items for line in item]
    first, last = lines[0].page, lines[-1].page
    return Block(
        kind=draft.kind,
        text=_text(draft, lines),
        page=first,
        page_end=last,
        level=draft.level,
        boxes=tuple(_boxes(lines)),
    )


def _text(draft: _Draft, lines: Sequence[Line]) -> str:
    if draft.kind == "table":
        return _table_text(lines)
    if draft.kind == "code":
        return _code_text(lines)
    if draft.kind == "list":
        margin = draft.items[0][0].x0
        return "\n".join(
            ("  " if item[0].x0 > margin + item[0].size else "") + join_lines([line.text for line in item])
            for item in draft.items
        )
    return join_lines([line.text for line in lines])


def _table_text(lines: Sequence[Line]) -> str:
    """One Markdown table; a head repeated on a following page is left out."""
    rows: list[list[str]] = []
    for line in lines:
        new = line.table.rows if line.table else []
        rows.extend(new[1:] if rows and new and new[0] == rows[0] else new)
    return table(rows)


def _code_text(lines: Sequence[Line]) -> str:
    """Lines as set, their depth told by where they begin, empty lines by the gaps."""
    letter = median((line.x1 - line.x0) / max(width(line.text), 1) for line in lines) or 1.0
    margins = {line.page: min(one.x0 for one in lines if one.page == line.page) for line in lines}
    steps = [b.base - a.base for a, b in pairwise(lines) if a.page == b.page and b.base > a.base]
    step = min(steps, default=0.0)
    shown: list[str] = []
    for before, line in zip([None, *lines], lines, strict=False):
        if before and step and before.page == line.page:
            shown.extend([""] * min(round((line.base - before.base) / step) - 1, 2))
        shown.append(" " * round((line.x0 - margins[line.page]) / letter) + line.text)
    return "\n".join(shown)


def _boxes(lines: Sequence[Line]) -> Iterator[Box]:
    """One box a page and column."""
    groups: list[list[Line]] = []
    for line in lines:
        if groups and groups[-1][-1].page == line.page and abs(groups[-1][-1].left - line.left) < line.size:
            groups[-1].append(line)
        else:
            groups.append([line])
    for group in groups:
        edges = (
            min(line.x0 for line in group), min(line.y0 for line in group),
            max(line.x1 for line in group), max(line.y1 for line in group),
        )  # fmt: skip
        yield Box(group[0].page, *(round(edge, 1) for edge in edges))
