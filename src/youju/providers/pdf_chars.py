"""PDF pages → runs of characters and ruled lines, in points from the top left of the page as it is shown.

The only file that talks to pdfium. pdfium is not thread-safe and dies of some files: call it in a process of its own.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from youju.text.normal import clean

_BOLD = re.compile(r"bold|black|heav|semib|demi|hei\b|simhei|黑|fzht|fzlth|fzdbs|stheiti", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|consol|menlo|code|typewriter|等宽|cascadia", re.IGNORECASE)
_FIXED_PITCH = 1
_BOLD_WEIGHT = 600
_HYPHENS = {0x02, 0xFFFE}
_SPACES = frozenset(" \u3000\xa0\t")
_SLANT = 0.2  # sine of the angle from which text is a watermark rather than a line
_MAX_SEGMENTS = 20_000
_NAME_BYTES = 256
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


class Rule(NamedTuple):
    """A thin line: horizontal where it is wider than high."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def horizontal(self) -> bool:
        return self.x1 - self.x0 >= self.y1 - self.y0


@dataclass(slots=True)
class Sheet:
    """A page as pdfium sees it. `text` is the whole text layer, cleaned; `label` the PDF's own page label."""

    n: int
    width: float
    height: float
    text: str
    label: str
    runs: list[Run] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)


class Style(NamedTuple):
    size: float
    bold: bool
    mono: bool
    upright: bool


UNKNOWN = Style(10.0, bold=False, mono=False, upright=True)


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
    shown = _shown(page, width, height)
    layer = page.get_textpage()
    try:
        text = layer.get_text_range() if layer.count_chars() else ""
        runs = list(_runs(layer, shown))
    finally:
        layer.close()
    text = clean(text.replace("\x02", "-").replace("\ufffe", "-"))
    return Sheet(index + 1, width, height, text, _label(document, index), runs, _rules(page, shown))


def _label(document: Any, index: int) -> str:  # noqa: ANN401
    buffer = ctypes.create_string_buffer(_NAME_BYTES)
    size = pdfium.FPDF_GetPageLabel(document.raw, index, buffer, _NAME_BYTES)
    return buffer.raw[: max(size - 2, 0)].decode("utf-16-le", "ignore") if 0 < size <= _NAME_BYTES else ""


class _Shown(NamedTuple):
    """The affine map from page space to the page as shown (rotated, cropped, y down)."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        ax, ay = self.point(x0, y0)
        bx, by = self.point(x1, y1)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f


def _shown(page: Any, width: float, height: float) -> _Shown:  # noqa: ANN401
    """Read off pdfium by three points, enlarged since it answers in whole pixels."""
    scale, far = 64, 1000.0
    size = (round(width * scale), round(height * scale))

    def at(x: float, y: float) -> tuple[float, float]:
        px, py = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page.raw, 0, 0, *size, 0, x, y, px, py)
        return px.value / scale, py.value / scale

    (ox, oy), (xx, xy), (yx, yy) = at(0, 0), at(far, 0), at(0, far)
    return _Shown((xx - ox) / far, (xy - oy) / far, (yx - ox) / far, (yy - oy) / far, ox, oy)


def _runs(layer: Any, shown: _Shown) -> Iterator[Run]:  # noqa: ANN401
    raw = layer.raw
    box = pdfium.FS_RECTF()
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
        if not style.upright or not pdfium.FPDFText_GetLooseCharBox(raw, index, box):
            continue
        edges = shown.box(box.left, box.bottom, box.right, box.top)
        base = shown.point(x.value, y.value)[1]
        if run and not _continues(run, edges, base, style):
            yield run
            run, space = None, False
        if run is None:
            run = Run("", *edges, base, style.size)
            space = False
        _extend(run, " " + char if space else char, edges, style)
        space = False
    if run:
        yield run


def _char(code: int) -> str:
    if code in _HYPHENS:
        return "-"
    return chr(code) if 0 < code < 0x110000 else "\ufffd"  # noqa: PLR2004 (the end of Unicode)


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
    return Style(pdfium.FPDFText_GetFontSize(raw, index) * scale or UNKNOWN.size, bold, mono, upright)


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


def _rules(page: Any, shown: _Shown) -> list[Rule]:  # noqa: ANN401
    """The thin lines and the edges of stroked boxes."""
    found: list[Rule] = []
    budget = _MAX_SEGMENTS
    for one in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=3):
        budget -= max(pdfium.FPDFPath_CountSegments(one.raw), 1)
        if budget < 0:
            break
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(one.raw, fill, stroke)
        matrix = one.get_matrix()
        for corners in _strokes(one.raw):
            points = [shown.point(*matrix.on_point(x, y)) for x, y in corners]
            found.extend(_thin(points, stroked=bool(stroke.value)))
    return found


def _strokes(path: Any) -> Iterator[list[tuple[float, float]]]:  # noqa: ANN401
    """The corners of each part of a path."""
    x, y = ctypes.c_float(), ctypes.c_float()
    corners: list[tuple[float, float]] = []
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO and corners:
            yield corners
            corners = []
        corners.append((x.value, y.value))
        if pdfium.FPDFPathSegment_GetClose(segment):
            corners.append(corners[0])
    if corners:
        yield corners


def _thin(points: list[tuple[float, float]], *, stroked: bool) -> Iterator[Rule]:
    thin, short = 2.0, 4.0
    xs, ys = [x for x, _ in points], [y for _, y in points]
    whole = Rule(min(xs), min(ys), max(xs), max(ys))
    width, height = whole.x1 - whole.x0, whole.y1 - whole.y0
    if min(width, height) <= thin:
        if max(width, height) >= short:
            yield whole
        return
    if stroked:
        for (ax, ay), (bx, by) in pairwise(points):
            if min(abs(ax - bx), abs(ay - by)) <= thin / 2 and max(abs(ax - bx), abs(ay - by)) >= short:
                yield Rule(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))


def opened(path: Any) -> Any:  # noqa: ANN401
    """The document at `path`; the caller closes it.

    Raises:
        pypdfium2.PdfiumError: see `needs_password`.
    """
    return pypdfium2.PdfDocument(path)


def needs_password(error: BaseException) -> bool:
    return bool(getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD)
