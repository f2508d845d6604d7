"""Pages of runs → a document: margins, contents, columns, headings, paragraphs, and how well all that went."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from youju.errors import DocumentError
from youju.providers.parsing.contents import contents
from youju.providers.parsing.decoding import garbage_ratio, refuse_garbage
from youju.providers.pdf.blocks import table_text
from youju.providers.pdf.chars import Sheet
from youju.providers.pdf.edges import justified
from youju.providers.pdf.headings import levels, squeezed
from youju.providers.pdf.layout import Line, ordered
from youju.providers.pdf.margins import Margins, margins
from youju.providers.pdf.notes import footnotes
from youju.providers.pdf.paragraphs import blocks, measured
from youju.providers.pdf.tables import tables
from youju.providers.pdf.turning import as_shown, aside, size_shown
from youju.text.headings import numbering
from youju.types import Block, Page, ParsedDocument

_PAGE_GARBAGE = 0.02
_MIN_TOC_LINES = 3
_JUNK_TITLE = re.compile(
    r"^(?:untitled|microsoft word|未命名|无标题|.*\.(?:docx?|pdf|indd|qxd|pptx?|wps))", re.IGNORECASE
)
_TITLE_MAX = 60
_COVER_CHARS = 200


@dataclass(frozen=True)
class Scroll:
    """What was read of a file, page by page. `unread` pages hold something, but nothing that became text.

    `outline`: bookmarks as (level, title, page); `title` as the file declares it.
    """

    sheets: Sequence[Sheet]
    outline: Sequence[tuple[int, str, int]] = ()
    title: str = ""
    unread: Sequence[int] = ()


def document(scroll: Scroll, max_garbage: float) -> ParsedDocument:
    """The document that the pages make.

    Raises:
        DocumentError: garbled; no_text_layer where no page has running text.
    """
    sheets, outline = scroll.sheets, scroll.outline
    whole = "".join(sheet.text for sheet in sheets)
    if not whole.strip():
        raise no_text(len(sheets))
    ratio = garbage_ratio(whole)
    refuse_garbage(ratio, max_garbage)
    body = _body_size(sheets)
    marks = frozenset((page, squeezed(title)) for _, title, page in outline)
    edges = margins(sheets, _heading_texts(sheets, outline, body), body, marks)
    lines = _lines(sheets, edges)
    known = {sheet.n for sheet in sheets if sheet.contents}
    without_toc, toc_pages = _without_contents(lines, _last_number(sheets, edges), known)
    found_title = _title(scroll.title, sheets, body)
    body_lines = justified([line for line in without_toc if not _is_title(line, sheets, found_title)])
    heights = {sheet.n: [rule.y0 for rule in sheet.rules if rule.horizontal] for sheet in sheets}
    notes = footnotes(body_lines, heights, body)
    cover = {at for at, line in enumerate(body_lines) if _on_cover(line, sheets)}
    found = blocks(body_lines, _levels(body_lines, notes | cover, body, outline), notes, measured(body_lines, body))
    if not any(block.kind != "heading" for block in found):
        raise no_text(len(sheets))
    empty = [sheet.n for sheet in sheets if not sheet.text.strip()]
    by_page: dict[int, list[Line]] = {sheet.n: [] for sheet in sheets}
    for line in lines:
        by_page[line.page].append(line)
    return ParsedDocument(
        blocks=tuple(block for block in as_shown(found, sheets) if block.text),
        pages=tuple(_page(sheet, edges, by_page[sheet.n]) for sheet in sheets),
        title=found_title or _first_heading(found),
        warnings=tuple(_warnings(sheets, scroll.unread)),
        quality={
            "characters": float(len(squeezed(whole))),
            "garbage_ratio": ratio,
            "pages": float(len(sheets)),
            "pages_without_text": float(len(empty)),
            "pages_labelled": float(len(edges.labels)),
            "toc_pages": float(toc_pages),
        },
    )


def _page(sheet: Sheet, edges: Margins, lines: Sequence[Line]) -> Page:
    """The page as one reads it: a file may draw list numbers or columns in any order."""
    text = "\n".join(table_text([line]) if line.table else line.text for line in lines)
    return Page(sheet.n, text, edges.labels.get(sheet.n, ""), *(round(side, 2) for side in size_shown(sheet)))


def _heading_texts(sheets: Sequence[Sheet], outline: Sequence[tuple[int, str, int]], body: float) -> frozenset[str]:
    """What a running head may repeat: bookmarks and whatever is set larger than the body."""
    large = {squeezed(run.text) for sheet in sheets for run in sheet.runs if run.size > 1.1 * body}
    return frozenset({squeezed(title) for _, title, _ in outline} | large)


def _body_size(sheets: Sequence[Sheet]) -> float:
    sizes: Counter[float] = Counter()
    for sheet in sheets:
        # A handbook may have more letters in its tables than in its text.
        for run in tables(sheet.runs, sheet.rules).rest or sheet.runs:
            sizes[round(run.size * 2) / 2] += len(run.text)
    return max(sizes, key=lambda size: sizes[size], default=10.0)


def _lines(sheets: Sequence[Sheet], edges: Margins) -> list[Line]:
    lines: list[Line] = []
    beside = aside(sheets, edges.furniture)
    for sheet in sheets:
        found = tables([run for run in sheet.runs if id(run) not in edges.furniture], sheet.rules)
        lines.extend([*ordered(sheet.n, found.rest, found.tables), *beside.get(sheet.n, ())])
    return [line for line in lines if line.table or line.text]


def _last_number(sheets: Sequence[Sheet], edges: Margins) -> int:
    """The highest number a page of the document goes by."""
    return max(sheets[-1].n, *(int(label) for label in edges.labels.values() if label.isdecimal()), 0)


def _without_contents(lines: Sequence[Line], last: int, known: AbstractSet[int]) -> tuple[list[Line], int]:
    """The lines without those of a table of contents; a page that is mostly contents goes with all its lines."""
    rows = [(at, row) for at, line in enumerate(lines) for row in _rows(line)]
    found = contents([row for _, row in rows], last)
    other = {at for nth, (at, _) in enumerate(rows) if nth not in found}
    total = Counter(line.page for line in lines)
    toc = Counter(line.page for at, line in enumerate(lines) if at not in other)
    pages = {page for page, count in toc.items() if count >= _MIN_TOC_LINES and count * 2 >= total[page]} | known
    return [line for at, line in enumerate(lines) if line.page not in pages and at in other], len(pages)


def _rows(line: Line) -> list[str]:
    return [" ".join(row) for row in line.table.rows] if line.table else [line.text]


def _levels(
    lines: Sequence[Line], notes: frozenset[int], body: float, outline: Sequence[tuple[int, str, int]]
) -> dict[int, int]:
    return {at: level for at, level in levels(lines, body, outline).items() if at not in notes}


def _title(declared: str, sheets: Sequence[Sheet], body: float) -> str:
    """The title the file declares, unless it is a file name; else the largest words on the first page."""
    declared = declared.strip()
    if declared and not _JUNK_TITLE.match(declared) and garbage_ratio(declared) == 0:
        return declared
    runs = sheets[0].runs
    largest = max((run.size for run in runs), default=0.0)
    words = [run.text.strip() for run in runs if run.size > 0.95 * largest]
    text = "".join(words)
    fits = largest > 1.3 * body and len(text) <= _TITLE_MAX and not any(numbering(word) for word in words)
    return text if fits else ""


def _on_cover(line: Line, sheets: Sequence[Sheet]) -> bool:
    """Whether a line is on a cover: names and publishers there are set large, but head nothing."""
    first = sheets[0].text
    return line.page == 1 and len(sheets) > 1 and len(first) < _COVER_CHARS and "。" not in first


def _is_title(line: Line, sheets: Sequence[Sheet], title: str) -> bool:
    """Whether a line is the title on a cover: known as the title, it is neither heading nor body."""
    return bool(title) and _on_cover(line, sheets) and squeezed(line.text) == squeezed(title)


def _first_heading(found: Sequence[Block]) -> str:
    """The heading above all others, unless it is only the first of several chapters."""
    highest = min((block.level for block in found if block.level), default=0)
    text = next((block.text for block in found if block.level and block.level == highest), "")
    return "" if numbering(text) else text


def _warnings(sheets: Sequence[Sheet], unread: Sequence[int]) -> list[str]:
    warnings = []
    if unread:
        warnings.append(f"有 {len(unread)} 页没有文字层，未收录：第 {page_list(unread)} 页")
    garbled = [sheet.n for sheet in sheets if garbage_ratio(sheet.text) > _PAGE_GARBAGE]
    if garbled:
        warnings.append(f"有 {len(garbled)} 页含乱码：第 {page_list(garbled)} 页")
    hidden = [sheet.n for sheet in sheets if sheet.hidden]
    if hidden:
        why = "未绘出、与纸同色、被盖住、过小或在页面之外"
        warnings.append(f"有 {len(hidden)} 页含看不见的文字（{why}），未收录：第 {page_list(hidden)} 页")
    return warnings


def page_list(numbers: Sequence[int]) -> str:
    shown = "、".join(str(n) for n in numbers[:20])
    return shown + ("等" if len(numbers) > 20 else "")  # noqa: PLR2004 (a message, not a list)


def no_text(pages: int) -> DocumentError:
    return DocumentError(
        f"这份文件的 {pages} 页上都没有可读的文字",
        remedy="请检查文件是否只有图片或空白页；扫描件请用 200–300 dpi 重新扫描",
        code="no_text_layer",
    )
