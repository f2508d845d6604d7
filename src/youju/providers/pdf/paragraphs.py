"""Lines in reading order → blocks: paragraphs over line and page breaks, lists, code, tables, notes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from youju.providers.parsing.lines import width
from youju.providers.parsing.titles import is_caption, is_item, item_mark
from youju.providers.pdf.blocks import Draft, block
from youju.providers.pdf.headings import typeface
from youju.providers.pdf.layout import Line
from youju.providers.pdf.notes import begins_note
from youju.text.headings import numbering
from youju.types import Block, BlockKind

_END = ("。", "！", "？", "；", "：", "…", "”", "」", ".", "!", "?", ":", ";", "．")
_WORD = re.compile(r"[（(“‘《【「]*[!-~\u2070-\u209f\u00b2\u00b3\u00b9]*.?[）)”’》】」，。、；：]*")
_FORMULA_NUMBER = re.compile(r"\s*[（(][\w.\-–—]{1,8}[)）]\s*$")
_RELATION = re.compile(r"[=＝≈≤≥≠∝→⇒⇌]|(?<=\s)[<>](?=\s)")
_WORDS = re.compile(r"(?P<latin>[A-Za-z]{4,})|[\u4e00-\u9fff]")
_NO_FORMULA = re.compile(r"[。；：？！;\"'“”{}\\]|</|::=")
_FEW_WORDS = 8  # Chinese letters; a Latin word counts as four
_CONTINUED = re.compile(r"(?:续上?表|接上[页表]|表\s*[\w.\-–—]+\s*[（(]?\s*续|.{0,30}[（(]续[表上]?[)）]$)")
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
        notes: indexes of lines that belong to footnotes. A note comes after the block it interrupts, and so does a line
            that stands another way than the rest of its page.
        measures: see `measured`.
    """
    done: list[Draft] = []
    waiting: list[Draft] = []
    draft: Draft | None = None
    for at, line in enumerate(lines):
        if at in notes or line.aside:
            _note(waiting, line)
            continue
        if draft and draft.kind == "table" and _continues_table(lines, at, draft.last):
            continue
        kind = _kind(line, levels.get(at, 0))
        if draft and _goes_on(draft, line, kind, levels.get(at, 0), measures):
            _add(draft, line, kind)
            continue
        if draft:
            done.append(draft)
        done.extend(waiting)
        waiting = []
        draft = Draft(kind, [[line]], levels.get(at, 0))
    done.extend([draft] if draft else [])
    return [block(one) for one in [*done, *waiting]]


def _continues_table(lines: Sequence[Line], at: int, above: Line) -> bool:
    """Whether a line only says that the table above it goes on under it: 续表, 表 2（续）."""
    line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else None
    if line.table or below is None or not below.table:
        return False
    return above.page < line.page == below.page and bool(_CONTINUED.match(line.text.strip()))


def _note(waiting: list[Draft], line: Line) -> None:
    if line.aside:
        waiting.append(Draft("text", [[line]]))
    elif waiting and not begins_note(line.text) and waiting[-1].last.page == line.page and not waiting[-1].last.aside:
        waiting[-1].items[0].append(line)
    else:
        waiting.append(Draft("footnote", [[line]]))


def _kind(line: Line, level: int) -> BlockKind:
    if line.table:
        return "table"
    if level:
        return "heading"
    if line.mono >= _CODE:
        return "code"
    if is_caption(line.text):
        return "caption"
    if is_item(line.text):
        return "list"
    return "formula" if _is_formula(line) else "text"


def _words(text: str) -> int:
    return sum(4 if found["latin"] else 1 for found in _WORDS.finditer(text))


def _is_formula(line: Line) -> bool:
    """Whether a line that stands by itself says an equation, with its number at most."""
    text = _FORMULA_NUMBER.sub("", line.text)
    inset = line.x0 > line.left + 1.5 * line.size
    return inset and bool(_RELATION.search(text)) and _words(text) <= _FEW_WORDS and not _NO_FORMULA.search(text)


def _goes_on(draft: Draft, line: Line, kind: BlockKind, level: int, measures: Measures) -> bool:  # noqa: PLR0911 (one a case)
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
        case "text", ("code" | "formula"):
            # Inline code, or an equation, that fills a line of its paragraph.
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


def _add(draft: Draft, line: Line, kind: BlockKind) -> None:
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


def _runs_on(draft: Draft, line: Line, measures: Measures, *, hanging: bool = False) -> bool:
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


def _begins(draft: Draft, indent: float) -> bool:
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
