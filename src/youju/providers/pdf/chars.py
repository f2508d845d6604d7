"""PDF pages → runs of characters and ruled lines, in points from the top left of the page as it is read.

pdfium is not thread-safe and dies of some files: call it in a process of its own.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from youju.providers.pdf.covers import covers
from youju.providers.pdf.fractions import written_out
from youju.providers.pdf.geometry import Rule, grounds, rules, shown
from youju.providers.pdf.glyphs import Glyph, Paint, glyphs, turned, without_private
from youju.providers.pdf.runs import Run, attached, runs
from youju.providers.pdf.vertical import stood_up
from youju.text.normal import clean

__all__ = ["Run", "Sheet", "needs_password", "opened", "outline", "sheets"]

_NAME_BYTES = 256
_COVERS = 0.5
_MAX_LOST = 50


@dataclass(slots=True)
class Sheet:
    """A page as it is read. `text` is the whole text layer, cleaned; `label` the PDF's own page label.

    `scan`: a picture covers it. `hidden` counts the characters that no reader of the page can see; they are in no run.
    `turn`: quarter turns to the right after which most of the page stands upright; sizes, runs and rules are as they
    are then. `aside` are runs that stand another way than the rest; `standing`, of a turned page, those
    of them that are upright on it as it is shown, with their places there.
    `contents`: it is known to be of a table of contents, whatever its lines have lost.
    """

    n: int
    width: float
    height: float
    text: str
    label: str
    runs: list[Run] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    scan: bool = False
    hidden: int = 0
    turn: int = 0
    aside: list[Run] = field(default_factory=list)
    standing: list[Run] = field(default_factory=list)
    contents: bool = False


def sheets(document: Any) -> tuple[list[Sheet], list[int]]:  # noqa: ANN401 (pypdfium2 has no types)
    """The pages in order, and the numbers of those that cannot be opened.

    A broken page tree may promise a million pages: it is believed until too many in a row are missing.
    """
    found: list[Sheet] = []
    lost: list[int] = []
    for index in range(len(document)):
        try:
            page = document[index]
        except pypdfium2.PdfiumError:
            lost.append(index + 1)
            if len(lost) > _MAX_LOST and lost[-_MAX_LOST] == index + 2 - _MAX_LOST:
                break
            continue
        try:
            found.append(_sheet(document, page, index))
        finally:
            page.close()
    return found, lost


def outline(document: Any) -> list[tuple[int, str, int]]:  # noqa: ANN401
    """Bookmarks as (level from 1, title, physical page from 1); those that lead nowhere are left out."""
    found = []
    for mark in document.get_toc(max_depth=6):
        target = mark.get_dest()
        index = target.get_index() if target else None
        if index is not None:
            found.append((mark.level + 1, clean(mark.get_title()).strip(), index + 1))
    return found


def _sheet(document: Any, page: Any, index: int) -> Sheet:  # noqa: ANN401
    size = page.get_size()
    view = shown(page, *size)
    layer = page.get_textpage()
    scan = _is_scan(page)
    try:
        text = layer.get_text_range() if layer.count_chars() else ""
        seen = glyphs(layer, view, size, Paint(grounds(page, view, size), covers(page, view, size), scan))
    finally:
        layer.close()
    seen.glyphs = stood_up(seen.glyphs)
    turn = Counter(glyph.turn for glyph in seen.glyphs).most_common(1)[0][0] if seen.glyphs else 0
    found = [Rule(*turned(rule, turn, size)) for rule in rules(page, view)]
    upright = [glyph for glyph in seen.glyphs if glyph.turn == turn]
    width, height = size[::-1] if turn % 2 else size
    sheet = Sheet(index + 1, width, height, "", _label(document, index), rules=found, scan=scan)
    sheet.hidden, sheet.turn = seen.hidden, turn
    sheet.runs = attached(runs(written_out([_upright(glyph, size) for glyph in upright], found)))
    if len(upright) < len(seen.glyphs):
        sheet.aside = list(_aside(seen.glyphs, turn, size))
        sheet.standing = list(runs(glyph for glyph in seen.glyphs if turn and not glyph.turn))
    sheet.text = clean(without_private(text.replace("\x02", "-").replace("\ufffe", "-")))
    if sheet.hidden:
        sheet.text = "\n".join(run.text for run in [*sheet.runs, *sheet.aside])
    return sheet


def _upright(glyph: Glyph, size: tuple[float, float]) -> Glyph:
    """The letter on the page turned so that it stands upright."""
    if not glyph.turn:
        return glyph
    x, y = glyph.base
    box = turned(glyph[1:5], glyph.turn, size)
    base = turned((x, y, x, y), glyph.turn, size)
    return glyph._replace(x0=box[0], y0=box[1], x1=box[2], y1=box[3], base=(base[0], base[1]))


def _aside(letters: Sequence[Glyph], turn: int, size: tuple[float, float]) -> Iterator[Run]:
    """The runs that stand another way, with the place they take on the page turned for the others."""
    for other in sorted({glyph.turn for glyph in letters} - {turn}):
        around = size[::-1] if other % 2 else size
        for run in runs(_upright(glyph, size) for glyph in letters if glyph.turn == other):
            x0, y0, x1, y1 = turned((run.x0, run.y0, run.x1, run.y1), turn - other, around)
            yield replace(run, x0=x0, y0=y0, x1=x1, y1=y1, base=y1, starts=[])


def _is_scan(page: Any) -> bool:  # noqa: ANN401
    """Whether pictures cover the page: unpainted text above them is what a machine read off them."""
    width, height = page.get_size()
    covered = 0.0
    for one in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        x0, y0, x1, y1 = one.get_bounds()
        covered += (x1 - x0) * (y1 - y0)
        if covered >= _COVERS * width * height:
            return True
    return False


def _label(document: Any, index: int) -> str:  # noqa: ANN401
    buffer = ctypes.create_string_buffer(_NAME_BYTES)
    size = pdfium.FPDF_GetPageLabel(document.raw, index, buffer, _NAME_BYTES)
    return buffer.raw[: max(size - 2, 0)].decode("utf-16-le", "ignore") if 0 < size <= _NAME_BYTES else ""


def opened(path: Any) -> Any:  # noqa: ANN401
    """The document at `path`; the caller closes it.

    Raises:
        pypdfium2.PdfiumError: see `needs_password`.
    """
    return pypdfium2.PdfDocument(path)


def needs_password(error: BaseException) -> bool:
    return bool(getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD)
