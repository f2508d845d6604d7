"""PDFs written by hand: text at a place, in a size and font, with a Unicode map and no glyphs."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

FONTS = {"body": "TestSong", "bold": "TestSong-Bold", "mono": "TestMono"}
WIDTH, HEIGHT = 400, 600


@dataclass(frozen=True)
class Text:
    """`x` from the left, `y` of the base line from the top, in points; `mode` 3 paints nothing."""

    x: float
    y: float
    text: str
    size: float = 10
    font: str = "body"
    mode: int = 0


@dataclass(frozen=True)
class Picture:
    """A grey picture over the whole page: a scan."""


@dataclass(frozen=True)
class Bar:
    """A filled thin box: a ruled line."""

    x0: float
    y0: float
    x1: float
    y1: float


Item = Text | Bar | Picture


def lines(
    x: float, y: float, texts: Sequence[str], *, size: float = 10, leading: float = 16, font: str = "body"
) -> list[Item]:
    return [Text(x, y + at * leading, text, size, font) for at, text in enumerate(texts)]


def grid(x: Sequence[float], y: Sequence[float]) -> list[Item]:
    across = [Bar(x[0], one - 0.25, x[-1], one + 0.25) for one in y]
    return [*across, *(Bar(one - 0.25, y[0], one + 0.25, y[-1]) for one in x)]


def pdf(
    pages: Sequence[Sequence[Item]],
    *,
    title: str = "",
    outline: Sequence[tuple[str, int]] = (),
    labels: str = "",
    unmapped: str = "",
    rotate: int = 0,
) -> bytes:
    """The bytes of a PDF.

    Args:
        pages: what stands on each.
        title: in the metadata.
        outline: flat bookmarks, (title, page from 1).
        labels: the /PageLabels entry, written as PDF.
        unmapped: characters that the Unicode map sends to private use.
        rotate: degrees, of every page.
    """
    chars = sorted({char for page in pages for item in page if isinstance(item, Text) for char in _wide(item.text)})
    codes = {char: at + 1 for at, char in enumerate(chars)}
    objects: list[bytes] = [b"", b"", _info(title)]  # 1 catalog, 2 pages, 3 info
    fonts = b" ".join(
        b"/%s %d 0 R" % (name.encode(), _font(objects, base, codes, unmapped)) for name, base in FONTS.items()
    )
    kids = []
    for page in pages:
        content = zlib.compress(b"\n".join(_drawn(item, codes) for item in page))
        stream = _add(objects, b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(content), content))
        kids.append(
            _add(
                objects,
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Rotate %d/Contents %d 0 R/Resources<</Font<<%s>>>>>>"
                % (WIDTH, HEIGHT, rotate, stream, fonts),
            )
        )
    extra = b"/PageLabels" + labels.encode() if labels else b""
    if outline:
        extra += b"/Outlines %d 0 R" % _outline(objects, outline, kids)
    objects[0] = b"<</Type/Catalog/Pages 2 0 R%s>>" % extra
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    return assembled(objects, b"/Info 3 0 R")


def assembled(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """A file of these objects, numbered from 1; the first is the catalogue."""
    out = b"%PDF-1.7\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, len(out))
    return out + head + table + tail


def stream(data: bytes, filters: bytes = b"/FlateDecode") -> bytes:
    return b"<</Filter[%s]/Length %d>>stream\n%s\nendstream" % (filters, len(data), data)


def _add(objects: list[bytes], body: bytes) -> int:
    objects.append(body)
    return len(objects)


def _info(title: str) -> bytes:
    return b"<</Title<%s>>>" % ("\ufeff" + title).encode("utf-16-be").hex().encode() if title else b"<<>>"


def _font(objects: list[bytes], name: str, codes: dict[str, int], unmapped: str) -> int:
    base = name.encode()
    flags = 33 if "Mono" in name else 32
    descriptor = _add(
        objects,
        b"<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[0 -200 1000 900]/Ascent 880/Descent -120/ItalicAngle 0"
        b"/CapHeight 700/StemV 80>>" % (base, flags),
    )
    widths = b" ".join(b"%d[%d]" % (code, 500 if char.isascii() else 1000) for char, code in codes.items())
    cid = _add(
        objects,
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
        b"/Supplement 0>>/FontDescriptor %d 0 R/DW 1000/W[%s]>>" % (base, descriptor, widths),
    )
    said = {char: "\ue000" if char in unmapped else char for char in codes}
    maps = "\n".join(f"<{code:04x}> <{said[char].encode('utf-16-be').hex()}>" for char, code in codes.items())
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def "
        f"1 begincodespacerange <0000> <ffff> endcodespacerange {len(codes)} beginbfchar\n{maps}\nendbfchar "
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    ).encode()
    to_unicode = _add(objects, b"<</Length %d>>stream\n%s\nendstream" % (len(cmap), cmap))
    return _add(
        objects,
        b"<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>"
        % (base, cid, to_unicode),
    )


def _drawn(item: Item, codes: dict[str, int]) -> bytes:
    if isinstance(item, Bar):
        return b"%g %g %g %g re f" % (item.x0, HEIGHT - item.y1, item.x1 - item.x0, item.y1 - item.y0)
    if isinstance(item, Picture):
        return b"q %d 0 0 %d 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI Q" % (WIDTH, HEIGHT)
    shown = "".join(f"{codes[char]:04x}" for char in _wide(item.text)).encode()
    place = (item.mode, item.font.encode(), item.size, item.x, HEIGHT - item.y)
    return b"BT %d Tr /%s %g Tf %g %g Td <%s> Tj ET" % (*place, shown)


def _wide(text: str) -> str:
    """pdfium leaves out a lone character without a glyph, which has no width; a space gives it some."""
    return text + " " if len(text) == 1 else text


def _outline(objects: list[bytes], marks: Sequence[tuple[str, int]], kids: Sequence[int]) -> int:
    first = len(objects) + 2
    root = _add(
        objects, b"<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>" % (first, first + len(marks) - 1, len(marks))
    )
    for at, (title, page) in enumerate(marks):
        siblings = (b"/Prev %d 0 R" % (first + at - 1) if at else b"") + (
            b"/Next %d 0 R" % (first + at + 1) if at + 1 < len(marks) else b""
        )
        name = ("\ufeff" + title).encode("utf-16-be").hex().encode()
        _add(objects, b"<</Title<%s>/Parent %d 0 R/Dest[%d 0 R/Fit]%s>>" % (name, root, kids[page - 1], siblings))
    return root
