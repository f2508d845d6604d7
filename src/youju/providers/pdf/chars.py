"""PDF pages → runs of characters and ruled lines, in points from the top left of the page as it is shown.

The only file that talks to pdfium. pdfium is not thread-safe and dies of some files: call it in a process of its own.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from youju.providers.pdf.geometry import Rule, Shown, rules, shown
from youju.text.normal import clean

_BOLD = re.compile(r"bold|black|heav|semib|demi|hei\b|simhei|黑|fzht|fzlth|fzdbs|stheiti", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|consol|menlo|code|typewriter|等宽|cascadia", re.IGNORECASE)
_FIXED_PITCH = 1
_BOLD_WEIGHT = 600
_HYPHENS = {0x02, 0xFFFE}
_SPACES = frozenset(" \u3000\xa0\t")
_SLANT = 0.2  # sine of the angle from which text is a watermark rather than a line
_NAME_BYTES = 256
_INVISIBLE = 3  # the render mode of text that is not painted
_TINY = 1.0  # points: nobody can read smaller print
_COVERS = 0.5
# Bullets of symbol fonts; any other character for private use is a glyph that nothing says the meaning of.
_BULLETS = {0xF0B7: "•", 0xF0A7: "▪", 0xF06C: "●", 0xF06E: "■", 0xF075: "◆", 0xF0D8: "➢", 0xF0FC: "✓"}
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_EXPONENT = frozenset("0123456789+-−")
_NUMBER_END = re.compile("[0-9⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]")
_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_MAX_LOST = 50


@dataclass(slots=True)
class Run:
    """Neighbouring characters of one line. Boxes are the font's, not the ink's, so lines have even heights.

    `bold` and `mono` are shares in [0, 1]; `starts[i]` is where `text[i]` begins.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    bold: float = 0.0
    mono: float = 0.0
    starts: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Sheet:
    """A page as pdfium sees it. `text` is the whole text layer, cleaned; `label` the PDF's own page label.

    `scan`: a picture covers it. `hidden` counts the characters that no reader of the page can see; they are in no run.
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


class Style(NamedTuple):
    size: float
    bold: bool
    mono: bool
    upright: bool
    painted: bool


UNKNOWN = Style(10.0, bold=False, mono=False, upright=True, painted=True)


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
    width, height = page.get_size()
    seen = shown(page, width, height)
    layer = page.get_textpage()
    sheet = Sheet(index + 1, width, height, "", _label(document, index), rules=rules(page, seen), scan=_is_scan(page))
    try:
        text = layer.get_text_range() if layer.count_chars() else ""
        sheet.runs = list(_runs(layer, seen, sheet))
    finally:
        layer.close()
    sheet.text = clean(_PRIVATE.sub(_known, text.replace("\x02", "-").replace("\ufffe", "-")))
    if sheet.hidden:
        sheet.text = "\n".join(run.text for run in sheet.runs)
    return sheet


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


def _known(found: re.Match[str]) -> str:
    return _BULLETS.get(ord(found.group()), "\ufffd")


def _label(document: Any, index: int) -> str:  # noqa: ANN401
    buffer = ctypes.create_string_buffer(_NAME_BYTES)
    size = pdfium.FPDF_GetPageLabel(document.raw, index, buffer, _NAME_BYTES)
    return buffer.raw[: max(size - 2, 0)].decode("utf-16-le", "ignore") if 0 < size <= _NAME_BYTES else ""


def _runs(layer: Any, seen: Shown, sheet: Sheet) -> Iterator[Run]:  # noqa: ANN401
    raw = layer.raw
    x, y = ctypes.c_double(), ctypes.c_double()
    styles: dict[int, Style] = {}
    run: Run | None = None
    space = False
    for index in range(layer.count_chars()):
        code = pdfium.FPDFText_GetUnicode(raw, index)
        char = _char(code)
        if char in _SPACES:
            space = True
            continue
        if code in {10, 13}:
            if run:
                yield run
            run, space = None, False
            continue
        pdfium.FPDFText_GetCharOrigin(raw, index, x, y)
        style = _style(raw, index, styles)
        edges = _edges(raw, index, seen, style, sheet)
        if edges is None:
            continue
        base = seen.point(x.value, y.value)[1]
        if run and not _continues(run, edges, base, style):
            yield run
            run, space = None, False
        if run is None:
            run = Run("", *edges, base, style.size)
            space = False
        if _is_exponent(run, char, base, style):
            char, space = char.translate(_RAISED), False
        _extend(run, " " + char if space else char, edges, style)
        space = False
    if run:
        yield run


def _edges(raw: Any, index: int, seen: Shown, style: Style, sheet: Sheet) -> tuple[float, float, float, float] | None:  # noqa: ANN401
    """The box of a character that is painted upright on the page, in a size that can be read; the rest is counted."""
    box = pdfium.FS_RECTF()
    if not style.upright or not pdfium.FPDFText_GetLooseCharBox(raw, index, box):
        return None
    x0, y0, x1, y1 = seen.box(box.left, box.bottom, box.right, box.top)
    inside = -_TINY <= (x0 + x1) / 2 <= sheet.width + _TINY and -_TINY <= (y0 + y1) / 2 <= sheet.height + _TINY
    legible = style.size >= _TINY or y1 - y0 >= _TINY
    if inside and legible and (style.painted or sheet.scan):
        return x0, y0, x1, y1
    sheet.hidden += 1
    return None


def _is_exponent(run: Run, char: str, base: float, style: Style) -> bool:
    """Whether a small raised digit or sign stands right after a number: 10⁵ is not 105.

    After words and points it is the mark of a note, and stays as it is.
    """
    if char not in _EXPONENT or not _NUMBER_END.search(run.text[-1:]):
        return False
    return style.size < 0.8 * run.size and 0.2 * run.size < run.base - base < 0.8 * run.size


def _char(code: int) -> str:
    if code in _HYPHENS:
        return "-"
    char = chr(code) if 0 < code < 0x110000 else "\ufffd"  # noqa: PLR2004 (the end of Unicode)
    return _PRIVATE.sub(_known, char)


def _style(raw: Any, index: int, known: dict[int, Style]) -> Style:  # noqa: ANN401
    """Size, weight and pitch of a character; the same for all of one text object, so asked once for it."""
    text_object = pdfium.FPDFText_GetTextObject(raw, index)
    if not text_object:
        return UNKNOWN
    key = ctypes.addressof(text_object.contents)
    if key not in known:
        known[key] = _read_style(raw, index, text_object)
    return known[key]


def _read_style(raw: Any, index: int, text_object: Any) -> Style:  # noqa: ANN401
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(raw, index, matrix)
    scale = math.hypot(matrix.c, matrix.d) or 1.0
    font = pdfium.FPDFTextObj_GetFont(text_object)
    buffer = ctypes.create_string_buffer(_NAME_BYTES)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, _NAME_BYTES)
    # Names of Chinese fonts come in UTF-8 or GBK; a wrong character does not hurt the ASCII that is looked for.
    name = buffer.value.decode("utf-8", "ignore") + buffer.value.decode("gbk", "ignore")
    # pdfium's weight is unreliable (400 for a bold Noto): the name decides too.
    bold = bool(_BOLD.search(name)) or pdfium.FPDFFont_GetWeight(font) >= _BOLD_WEIGHT
    mono = bool(_MONO.search(name)) or bool(pdfium.FPDFFont_GetFlags(font) & _FIXED_PITCH)
    angle = pdfium.FPDFText_GetCharAngle(raw, index)
    upright = angle < 0 or min(abs(math.sin(angle)), abs(math.cos(angle))) < _SLANT
    painted = pdfium.FPDFTextObj_GetTextRenderMode(text_object) != _INVISIBLE
    return Style(pdfium.FPDFText_GetFontSize(raw, index) * scale or UNKNOWN.size, bold, mono, upright, painted)


def _continues(run: Run, edges: tuple[float, float, float, float], base: float, style: Style) -> bool:
    """Whether a character goes on the run: same line (a raised or lowered small one too), no jump."""
    x0, y0, _, y1 = edges
    size = max(run.size, style.size)
    same_line = abs(base - run.base) < 0.15 * size
    middle = (y0 + y1) / 2
    script = style.size < 0.85 * run.size and run.y0 <= middle <= run.y1 + 0.2 * run.size
    after_script = run.y0 <= run.base and abs(base - run.base) < 0.6 * size and style.size > run.size
    return (same_line or script or after_script) and run.x1 - size < x0 < run.x1 + 1.5 * size


def _extend(run: Run, text: str, edges: tuple[float, float, float, float], style: Style) -> None:
    before, new = len(run.text), len(text)
    whole = before + new
    run.bold = (run.bold * before + style.bold * new) / whole
    run.mono = (run.mono * before + style.mono * new) / whole
    run.text += text
    run.starts.extend([edges[0]] * new)
    run.x0, run.x1 = min(run.x0, edges[0]), max(run.x1, edges[2])
    if style.size >= 0.85 * run.size:  # scripts do not stretch the line
        run.y0, run.y1 = min(run.y0, edges[1]), max(run.y1, edges[3])
    run.size = max(run.size, style.size)


def opened(path: Any) -> Any:  # noqa: ANN401
    """The document at `path`; the caller closes it.

    Raises:
        pypdfium2.PdfiumError: see `needs_password`.
    """
    return pypdfium2.PdfDocument(path)


def needs_password(error: BaseException) -> bool:
    return bool(getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD)
