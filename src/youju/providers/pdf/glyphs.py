"""The letters of a page that a reader sees: where, how large, in what type, and which way up."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from youju.providers.pdf.covers import Covers
from youju.providers.pdf.geometry import Rule, Shown

_BOLD = re.compile(r"bold|black|heav|semib|demi|hei\b|simhei|黑|fzht|fzlth|fzdbs|stheiti", re.IGNORECASE)
_MONO = re.compile(
    r"mono|monl|courier|consol|menlo|code|typewriter|等宽|cascadia|(?:cm|ec|sf|lm|rm)\w?tt[\db]|inconsolata|andale",
    re.IGNORECASE,
)
_FIXED_PITCH = 1
_BOLD_WEIGHT = 600
_HYPHENS = {0x02, 0xFFFE}
_SPACES = frozenset(" \u3000\xa0\t")
_SLANT = 0.2  # sine of the angle from which text is a watermark rather than a line
_NAME_BYTES = 256
_UNPAINTED = frozenset({3, 7})  # render modes: neither filled nor stroked
_FILLED = frozenset({0, 4})
_PALE = 250  # of 255, from which ink is paper
_TINY = 1.0  # points: nobody can read smaller print
# Bullets of symbol fonts; any other character for private use is a glyph that nothing says the meaning of.
_BULLETS = {0xF0B7: "•", 0xF0A7: "▪", 0xF06C: "●", 0xF06E: "■", 0xF075: "◆", 0xF0D8: "➢", 0xF0FC: "✓"}
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_UPRIGHT_FORMS = str.maketrans(
    "︐︑︒︓︔︕︖︗︘︙︱︵︶︹︺︻︼︽︾︿﹀﹁﹂﹃﹄", "，、。：；！？〖〗…—（）〔〕【】《》〈〉「」『』"
)
_SLANTED = -1


class Glyph(NamedTuple):
    """A letter with the box of its font, in points on the page as shown.

    `turn`: quarter turns to the left that it lies on the page, -1 for any other angle. `space`, `begins`: whether white
    space, or a line end, stood before it.
    """

    char: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: tuple[float, float]
    size: float
    bold: bool = False
    mono: bool = False
    turn: int = 0
    space: bool = False
    begins: bool = False


class _Style(NamedTuple):
    size: float
    bold: bool
    mono: bool
    turn: int
    painted: bool
    pale: bool
    key: int = 0


_UNKNOWN = _Style(10.0, bold=False, mono=False, turn=0, painted=True, pale=False)


@dataclass(slots=True)
class Seen:
    """The letters of a page, and how many more no reader of it can see."""

    glyphs: list[Glyph] = field(default_factory=list)
    hidden: int = 0


class Paint(NamedTuple):
    """What is painted on a page beside its letters.

    `grounds`: what is not white, so that white letters show on it. `over`: what was painted over letters. `scan`: a
    picture covers the page, so that unpainted letters are what a machine read off it.
    """

    grounds: Sequence[Rule]
    over: Covers
    scan: bool


def glyphs(layer: Any, view: Shown, size: tuple[float, float], paint: Paint) -> Seen:  # noqa: ANN401
    """The letters that can be seen, as drawn.

    Args:
        layer: the text page.
        view: from the file's coordinates to the page as shown.
        size: width and height of the page as shown.
        paint: what else is painted on the page.
    """
    found = Seen()
    for glyph, style in _letters(layer.raw, layer.count_chars(), view):
        x, y = (glyph.x0 + glyph.x1) / 2, (glyph.y0 + glyph.y1) / 2
        if glyph.turn == _SLANTED:
            continue
        inside = -_TINY <= x <= size[0] + _TINY and -_TINY <= y <= size[1] + _TINY
        legible = style.size >= _TINY or glyph.y1 - glyph.y0 >= _TINY
        shows = not style.pale or any(one.x0 <= x <= one.x1 and one.y0 <= y <= one.y1 for one in paint.grounds)
        shows = shows and style.painted and not paint.over.hide(style.key, x, y)
        if inside and legible and (shows or paint.scan):
            found.glyphs.append(glyph)
        else:
            found.hidden += 1
    return found


def known(found: re.Match[str]) -> str:
    return _BULLETS.get(ord(found.group()), "\ufffd")


def without_private(text: str) -> str:
    """Text with bullets for those of symbol fonts and a mark for glyphs that mean nothing known."""
    return _PRIVATE.sub(known, text)


def turned(box: tuple[float, float, float, float], turn: int, size: tuple[float, float]) -> tuple[float, ...]:
    """A box on a page of this size after so many quarter turns of the page to the right."""
    x0, y0, x1, y1 = box
    for _ in range(turn % 4):
        x0, y0, x1, y1 = size[1] - y1, x0, size[1] - y0, x1
        size = size[1], size[0]
    return x0, y0, x1, y1


def _letters(raw: Any, count: int, view: Shown) -> Iterator[tuple[Glyph, _Style]]:  # noqa: ANN401
    x, y = ctypes.c_double(), ctypes.c_double()
    box = pdfium.FS_RECTF()
    styles: dict[int, _Style] = {}
    space = begins = False
    for index in range(count):
        code = pdfium.FPDFText_GetUnicode(raw, index)
        char = _char(code)
        if char in _SPACES:
            space = True
            continue
        if code in {10, 13}:
            space, begins = False, True
            continue
        if not pdfium.FPDFText_GetLooseCharBox(raw, index, box):
            continue
        pdfium.FPDFText_GetCharOrigin(raw, index, x, y)
        style = _style(raw, index, styles, view)
        edges = view.box(box.left, box.bottom, box.right, box.top)
        base = view.point(x.value, y.value)
        yield Glyph(char, *edges, base, *style[:4], space, begins), style
        space = begins = False


def _char(code: int) -> str:
    if code in _HYPHENS:
        return "-"
    char = chr(code) if 0 < code < 0x110000 else "\ufffd"  # noqa: PLR2004 (the end of Unicode)
    return without_private(char).translate(_UPRIGHT_FORMS)


def _style(raw: Any, index: int, styles: dict[int, _Style], view: Shown) -> _Style:  # noqa: ANN401
    """How a character is drawn; the same for all of one text object, so asked once for it."""
    text_object = pdfium.FPDFText_GetTextObject(raw, index)
    if not text_object:
        return _UNKNOWN
    key = ctypes.addressof(text_object.contents)
    if key not in styles:
        styles[key] = _read_style(raw, index, text_object, view)
    return styles[key]


def _read_style(raw: Any, index: int, text_object: Any, view: Shown) -> _Style:  # noqa: ANN401
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
    mode = pdfium.FPDFTextObj_GetTextRenderMode(text_object)
    ink = _ink(text_object)
    return _Style(
        size=pdfium.FPDFText_GetFontSize(raw, index) * scale or _UNKNOWN.size,
        bold=bold,
        mono=mono,
        turn=_turn(view.a * matrix.a + view.c * matrix.b, view.b * matrix.a + view.d * matrix.b),
        painted=mode not in _UNPAINTED and ink != 0,
        pale=mode in _FILLED and ink is not None and ink > _PALE,
        key=ctypes.addressof(text_object.contents),
    )


def _ink(text_object: Any) -> int | None:  # noqa: ANN401
    """The least of three colours that letters are filled with, plus one; 0 if transparent, None if unknown."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(text_object, red, green, blue, alpha):
        return None
    return min(red.value, green.value, blue.value) + 1 if alpha.value else 0


def _turn(x: float, y: float) -> int:
    """Quarter turns to the left of the direction in which text runs, y counting down."""
    length = math.hypot(x, y)
    if not length:
        return 0
    if min(abs(x), abs(y)) >= _SLANT * length:
        return _SLANTED
    if abs(x) > abs(y):
        return 0 if x > 0 else 2
    return 1 if y < 0 else 3
