"""Files that are archives inside: word processing, sheets, slides, books."""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
from collections.abc import Iterator, Mapping
from itertools import pairwise

from damage import damaged
from hostile.file import FAILED, File

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MAIN = "application/vnd.openxmlformats-officedocument"
WORDS = f"{MAIN}.wordprocessingml.document.main+xml"
SAID = "仓库的门每天二十二点锁上，钥匙由值班的人保管。"
LETTERS = "abcdefghijk"
LAUGHS = "".join(f'<!ENTITY {of} "{f"&{one};" * 10}">' for one, of in pairwise(LETTERS))
BOMB = f'<!DOCTYPE x [<!ENTITY a "ha">{LAUGHS}]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY % b SYSTEM "http://127.0.0.1:9/x"> %b;]>'
Parts = dict[str, str | bytes]


def archives() -> Iterator[File]:
    for suffix, (parts, main) in formats().items():
        yield File(f"plain{suffix}", packed(parts))
        for name, change in changes(parts, main).items():
            yield File(f"{name}{suffix}", packed(parts | change))
        yield from raw(suffix, parts, main)


def formats() -> dict[str, tuple[Parts, str]]:
    """Parts of the smallest sound file of each format, and the one that holds the text."""
    return {
        ".docx": (office("word/document.xml", WORDS, word(SAID)), "word/document.xml"),
        ".xlsx": (workbook(), "xl/worksheets/sheet1.xml"),
        ".pptx": (slides(), "ppt/slides/slide1.xml"),
        ".epub": (publication(), "OEBPS/one.xhtml"),
    }  # fmt: skip


def word(text: str, before: str = "") -> str:
    return f'{before}<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>'


def office(main: str, kind: str, text: str) -> Parts:
    rels = "application/vnd.openxmlformats-package.relationships+xml"
    types = (
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="{rels}"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/{main}" ContentType="{kind}"/></Types>'
    )
    return {"[Content_Types].xml": types, "_rels/.rels": related("officeDocument", main), main: text}


def related(kind: str, target: str) -> str:
    one = f'<Relationship Id="r1" Type="{LINKS}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{PACKAGE}/relationships">{one}</Relationships>'


def workbook() -> Parts:
    sheet = '<sheet name="一" sheetId="1" r:id="r1"/>'
    book = f'<workbook xmlns="{SHEET}" xmlns:r="{LINKS}"><sheets>{sheet}</sheets></workbook>'
    formula = '<f>WEBSERVICE("http://127.0.0.1:9")</f>'
    cells = "".join(
        f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>{SAID}</t></is></c><c r="B{n}">{formula}<v>{n}</v></c></row>'
        for n in (1, 2)
    )
    return office("xl/workbook.xml", f"{MAIN}.spreadsheetml.sheet.main+xml", book) | {
        "xl/_rels/workbook.xml.rels": related("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHEET}"><sheetData>{cells}</sheetData></worksheet>',
    }


def slides() -> Parts:
    show = (
        f'<p:presentation xmlns:p="{SLIDE}" xmlns:r="{LINKS}"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst>'
        "</p:presentation>"
    )
    frame = '<p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>'
    said = f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{SAID}</a:t></a:r></a:p></p:txBody>"
    tree = f"<p:cSld><p:spTree><p:sp>{frame}{said}</p:sp></p:spTree></p:cSld>"
    return office("ppt/presentation.xml", f"{MAIN}.presentationml.presentation.main+xml", show) | {
        "ppt/_rels/presentation.xml.rels": related("slide", "slides/slide1.xml"),
        "ppt/slides/slide1.xml": f'<p:sld xmlns:p="{SLIDE}" xmlns:a="{DRAWING}">{tree}</p:sld>',
    }


def publication() -> Parts:
    root = '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/>'
    named = "urn:oasis:names:tc:opendocument:xmlns:container"
    item = '<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>'
    return {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": f'<container version="1.0" xmlns="{named}"><rootfiles>{root}</rootfiles></container>',
        "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>'
        f'<manifest>{item}</manifest><spine><itemref idref="a"/></spine></package>',
        "OEBPS/one.xhtml": f'<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>一</h1><p>{SAID}</p></body></html>',
    }


def changes(parts: Parts, main: str) -> Mapping[str, Parts]:
    """What else, or what instead, is inside."""
    text = str(parts[main])
    at = text.index(SAID)
    deep = text[:at] + "<w:p>" * 100_000 + text[at:]
    return {
        "entities": {main: BOMB + text.replace(SAID, "&k;")},
        "outside": {main: OUTSIDE + text.replace(SAID, "&a;")},
        "zeros": {main: b"\0" * (64 << 20)},
        "spaces": {main: text[:at] + " " * (96 << 20) + text[at:]},
        "deep": {main: deep},
        "half": {main: text[: len(text) // 2]},
        "leaving": {"../../../../tmp/left": "x", "/tmp/left": "x", "C:\\left": "x", "CON": "x"},  # noqa: S108 - never written
        "macro": {"word/vbaProject.bin": b"\xd0\xcf\x11\xe0Auto_Open" * 9, "xl/macrosheets/sheet1.xml": "<x/>"},
        "matryoshka": {f"{n}.zip": packed({"inner": b"\0" * (1 << 20)}) for n in range(40)},
        "crowd": {f"{n}.xml": b"" for n in range(20_000)},
    }


def packed(parts: Parts) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED, 9)
    return data.getvalue()


def raw(suffix: str, parts: Parts, main: str) -> Iterator[File]:
    """What is wrong with the archive itself."""
    good = packed(parts)
    yield from (File(f"cut{n}{suffix}", good[: len(good) * n // 4]) for n in (1, 2, 3))
    yield File(f"lie{suffix}", lying(good))
    yield File(f"sealed{suffix}", sealed(good))
    yield File(f"empty{suffix}", packed({}))
    yield File(f"old{suffix}", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 4000)
    yield File(f"linked{suffix}", linked(parts))
    yield File(f"scratched{suffix}", damaged(good, main), FAILED)


def lying(good: bytes) -> bytes:
    """The directory says that every part is one byte long."""
    changed = bytearray(good)
    for at in places(good, b"PK\1\2"):
        struct.pack_into("<I", changed, at + 24, 1)
    return bytes(changed)


def sealed(good: bytes) -> bytes:
    """Every part says that a password is needed."""
    changed = bytearray(good)
    for sign, offset in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
        for at in places(good, sign):
            changed[at + offset] |= 1
    return bytes(changed)


def places(data: bytes, sign: bytes) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(sign), data)]


def linked(parts: Parts) -> bytes:
    """The parts are links to a file of the system."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in parts:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
    return data.getvalue()
