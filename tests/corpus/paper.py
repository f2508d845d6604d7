"""A PDF as bytes: what stands where on each page, in points from the top left of the page as it is shown."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from corpus.typeface import FULL, HALF, typeface
from pdfs import assembled

FONTS = {"song": "TestSong", "hei": "TestHeiti-Bold", "kai": "TestKai", "mono": "TestMono"}
UNMAPPED, NATIONAL = "unmapped", "national"  # a font without a Unicode map; one of the fonts no file embeds, in GBK


@dataclass(frozen=True)
class Text:
    """`y` is that of the base line; `spread` is added after each letter; `grey` 1 is white; `angle` turns left."""

    x: float
    y: float
    text: str
    size: float = 10.5
    font: str = "song"
    spread: float = 0.0
    mode: int = 0
    grey: float = 0.0
    angle: int = 0
    apart: bool = False


@dataclass(frozen=True)
class Bar:
    """A filled box; a thin one is a ruled line."""

    x0: float
    y0: float
    x1: float
    y1: float
    grey: float = 0.0


@dataclass
class Leaf:
    """A page: its size as shown, what is drawn on it in order, the turn that the file asks for."""

    width: float
    height: float
    items: list[Text | Bar] = field(default_factory=list)
    rotate: int = 0


@dataclass(frozen=True)
class Mark:
    """A bookmark: `level` from 1, `page` from 1."""

    level: int
    title: str
    page: int


def em(char: str) -> float:
    """The width of a character in sizes."""
    return 0.5 if char.isascii() or char in "⁰¹²³⁴⁵⁶⁷⁸⁹" else 1.0


def length(text: str, size: float) -> float:
    return sum(map(em, text)) * size


def paper(leaves: Sequence[Leaf], *, marks: Sequence[Mark] = (), labels: str = "", title: str = "") -> bytes:
    """The bytes of a PDF with these pages; `labels` is the /PageLabels entry as it is written in the file."""
    texts = [item for leaf in leaves for item in leaf.items if isinstance(item, Text)]
    codes = {char: at + 1 for at, char in enumerate(sorted({char for one in texts for char in one.text + " "}))}
    objects: list[bytes] = [b"", b"", _named(title)]
    fonts = b" ".join(b"/%s %d 0 R" % (key.encode(), number) for key, number in _fonts(objects, codes).items())
    kids = []
    for leaf in leaves:
        content = zlib.compress(_drawn(leaf, codes))
        stream = _add(objects, b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(content), content))
        wide, high = (leaf.height, leaf.width) if leaf.rotate % 180 else (leaf.width, leaf.height)
        box = b"[0 0 %g %g]/Rotate %d" % (wide, high, leaf.rotate)
        kids.append(
            _add(
                objects,
                b"<</Type/Page/Parent 2 0 R/MediaBox%s/Contents %d 0 R/Resources<</Font<<%s>>>>>>"
                % (box, stream, fonts),
            )
        )
    extra = b"/PageLabels" + labels.encode() if labels else b""
    if marks:
        extra += b"/Outlines %d 0 R" % _outline(objects, marks, kids)
    objects[0] = b"<</Type/Catalog/Pages 2 0 R%s>>" % extra
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    return assembled(objects, b"/Info 3 0 R")


def _add(objects: list[bytes], body: bytes) -> int:
    objects.append(body)
    return len(objects)


def _utf16(text: str) -> bytes:
    return b"<%s>" % ("\ufeff" + text).encode("utf-16-be").hex().encode()


def _named(title: str) -> bytes:
    return b"<</Title%s>>" % _utf16(title) if title else b"<<>>"


def _fonts(objects: list[bytes], codes: dict[str, int]) -> dict[str, int]:
    widths = b" ".join(b"%d[%d]" % (code, round(1000 * em(char))) for char, code in codes.items())
    map_number = _add(objects, _unicode_map(codes))
    outlines = typeface()
    program = _add(
        objects, b"<</Length %d/Length1 %d>>stream\n%s\nendstream" % (len(outlines), len(outlines), outlines)
    )
    glyphs = b"\0\0" + b"".join(struct.pack(">H", HALF if em(char) < 1 else FULL) for char in codes)
    glyph_map = _add(objects, b"<</Length %d>>stream\n%s\nendstream" % (len(glyphs), glyphs))
    made = {}
    for key, base in {**FONTS, UNMAPPED: "ABCDEF+Lost"}.items():
        name = base.encode()
        cid = _add(
            objects,
            b"<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
            b"/Supplement 0>>/FontDescriptor %d 0 R/DW 1000/W[%s]/CIDToGIDMap %d 0 R>>"
            % (name, _descriptor(objects, name, program), widths, glyph_map),
        )
        said = b"" if key == UNMAPPED else b"/ToUnicode %d 0 R" % map_number
        made[key] = _add(
            objects,
            b"<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]%s>>"
            % (name, cid, said),
        )
    light = b"STSong-Light"
    cid = _add(
        objects,
        b"<</Type/Font/Subtype/CIDFontType0/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>"
        b"/FontDescriptor %d 0 R/DW 1000/W[1 95 500 814 939 500]>>" % (light, _descriptor(objects, light)),
    )
    made[NATIONAL] = _add(
        objects,
        b"<</Type/Font/Subtype/Type0/BaseFont/%s-GBK-EUC-H/Encoding/GBK-EUC-H/DescendantFonts[%d 0 R]>>" % (light, cid),
    )
    return made


def _descriptor(objects: list[bytes], name: bytes, program: int = 0) -> int:
    file = b"/FontFile2 %d 0 R" % program if program else b""
    return _add(
        objects,
        b"<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[0 -200 1000 900]/Ascent 880/Descent -120/ItalicAngle 0"
        b"/CapHeight 700/StemV 80%s>>" % (name, 33 if b"Mono" in name else 32, file),
    )


def _unicode_map(codes: dict[str, int]) -> bytes:
    maps = "\n".join(f"<{code:04x}> <{char.encode('utf-16-be').hex()}>" for char, code in codes.items())
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def "
        f"1 begincodespacerange <0000> <ffff> endcodespacerange {len(codes)} beginbfchar\n{maps}\nendbfchar "
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    ).encode()
    return b"<</Length %d>>stream\n%s\nendstream" % (len(cmap), cmap)


def _drawn(leaf: Leaf, codes: dict[str, int]) -> bytes:
    wide, high = leaf.width, leaf.height
    turn = {
        0: "",
        90: f"0 1 -1 0 {high:g} 0 cm",
        180: f"-1 0 0 -1 {wide:g} {high:g} cm",
        270: f"0 -1 1 0 0 {wide:g} cm",
    }[leaf.rotate]
    parts = [turn.encode()]
    for item in leaf.items:
        if isinstance(item, Bar):
            box = (item.grey, item.x0, high - item.y1, item.x1 - item.x0, item.y1 - item.y0)
            parts.append(b"%g g %g %g %g %g re f" % box)
        else:
            parts.extend(_written(one, high, codes) for one in (_apart(item) if item.apart else [item]))
    return b"\n".join(parts)


def _apart(item: Text) -> list[Text]:
    """Each letter placed by itself, as some programs do; spaces are only gaps then."""
    found, x = [], item.x
    for char in item.text:
        if char != " ":
            found.append(Text(x, item.y, char, item.size, item.font, mode=item.mode, grey=item.grey))
        x += length(char, item.size) + item.spread
    return found


def _written(item: Text, high: float, codes: dict[str, int]) -> bytes:
    by_code = "".join(f"{codes[char]:04x}" for char in item.text)
    shown = item.text.encode("gbk").hex() if item.font == NATIONAL else by_code
    cos, sin = round(math.cos(math.radians(item.angle)), 6), round(math.sin(math.radians(item.angle)), 6)
    head = (item.grey, item.mode, item.font.encode(), item.size, item.spread)
    place = (cos, sin, -sin, cos, item.x, high - item.y)
    return b"BT %g g %d Tr /%s %g Tf %.3f Tc %g %g %g %g %.3f %.3f Tm <%s> Tj ET" % (*head, *place, shown.encode())


def _outline(objects: list[bytes], marks: Sequence[Mark], kids: Sequence[int]) -> int:
    root = _add(objects, b"")
    first = len(objects) + 1
    parents = [_parent(marks, at) for at in range(len(marks))]
    for at, mark in enumerate(marks):
        mine = [one for one in range(len(marks)) if parents[one] == at]
        beside = [one for one in range(len(marks)) if parents[one] == parents[at]]
        nth = beside.index(at)
        ends = {
            "Prev": beside[nth - 1] if nth else None,
            "Next": beside[nth + 1] if nth + 1 < len(beside) else None,
            "First": mine[0] if mine else None,
            "Last": mine[-1] if mine else None,
        }
        links = "".join(f"/{key} {first + one} 0 R" for key, one in ends.items() if one is not None)
        parent = root if parents[at] is None else first + int(parents[at] or 0)
        _add(
            objects,
            b"<</Title%s/Parent %d 0 R/Dest[%d 0 R/XYZ 0 0 0]%s>>"
            % (_utf16(mark.title), parent, kids[mark.page - 1], links.encode()),
        )
    tops = [first + at for at, parent in enumerate(parents) if parent is None]
    objects[root - 1] = b"<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>" % (tops[0], tops[-1], len(tops))
    return root


def _parent(marks: Sequence[Mark], at: int) -> int | None:
    above = [one for one in range(at) if marks[one].level < marks[at].level]
    return above[-1] if above else None
