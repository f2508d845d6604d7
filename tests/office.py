"""Office files as Office writes them, from the few lines of XML that a test is about."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
NAMES = f'xmlns:w="{W}" xmlns:p="{P}" xmlns:a="{A}" xmlns:m="{M}" xmlns:c="{C}" xmlns:r="{R}" xmlns:mc="{MC}"'
STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="H{n}"><w:name w:val="heading {n}"/></w:style>' for n in range(1, 5)
)
STYLES += '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>'


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """A package of these parts."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return data.getvalue()


def relations(*rows: tuple[str, str, str]) -> str:
    """The relations of a part; each row is id, kind, target."""
    inside = "".join(f'<Relationship Id="{key}" Type="{R}/{kind}" Target="{target}"/>' for key, kind, target in rows)
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<?xml version="1.0"?><Relationships xmlns="{space}">{inside}</Relationships>'


def docx(body: str, **parts: str) -> bytes:
    """A Word document; `parts` are the insides of styles, numbering, footnotes, …"""
    roots = {"styles": "styles", "numbering": "numbering", "footnotes": "footnotes", "endnotes": "endnotes"}
    parts = {"styles": STYLES} | parts
    return packed(
        {
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
            "word/_rels/document.xml.rels": relations(*((f"x{name}", name, f"{name}.xml") for name in parts)),
            "word/document.xml": f"<w:document {NAMES}><w:body>{body}</w:body></w:document>",
            **{f"word/{name}.xml": f"<w:{roots[name]} {NAMES}>{xml}</w:{roots[name]}>" for name, xml in parts.items()},
        }
    )


def p(text: str, style: str = "", properties: str = "", run: str = "") -> str:
    """A Word paragraph."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{r(text, run)}</w:p>"


def r(text: str, properties: str = "") -> str:
    """A Word run."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def tbl(*rows: str) -> str:
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"


def tc(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(text)}</w:tc>"


def numbering(*levels: tuple[str, str]) -> str:
    """A list (id 1) whose levels are (form, text)."""
    inside = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for at, (form, text) in enumerate(levels)
    )
    return (
        f'<w:abstractNum w:abstractNumId="7">{inside}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    )


def listed(text: str, level: int = 0, list_id: int = 1) -> str:
    """A Word paragraph with a number that Word counts."""
    return p(text, properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>')


def xlsx(sheets: Mapping[str, str], strings: str = "", styles: str = "", hidden: str = "") -> bytes:
    """A workbook: name → the inside of each sheet; the one named `hidden` is."""
    names = list(sheets)
    state = {hidden: ' state="hidden"'}
    tabs = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="s{n}"{state.get(name, "")}/>'
        for n, name in enumerate(names, start=1)
    )
    links = [(f"s{n}", "worksheet", f"sheets/{n}.xml") for n in range(1, len(names) + 1)]
    links += [("st", "styles", "styles.xml"), ("ss", "sharedStrings", "strings.xml")]
    space = f'xmlns="{S}" xmlns:r="{R}"'
    return packed(
        {
            "_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml")),
            "xl/_rels/workbook.xml.rels": relations(*links),
            "xl/workbook.xml": f"<workbook {space}><sheets>{tabs}</sheets></workbook>",
            "xl/styles.xml": f"<styleSheet {space}>{styles}</styleSheet>",
            "xl/strings.xml": f"<sst {space}>{strings}</sst>",
            **{
                f"xl/sheets/{n}.xml": f"<worksheet {space}>{sheets[name]}</worksheet>"
                for n, name in enumerate(names, 1)
            },
        }
    )


def row(n: int, *values: str | float | None, more: str = "") -> str:
    """A row of a sheet; words are written in place, None is no cell, text that begins with < is a cell as it is."""
    return f'<row r="{n}"{more}>{"".join(_cell(f"{chr(65 + at)}{n}", value) for at, value in enumerate(values))}</row>'


def _cell(place: str, value: str | float | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value if value.startswith("<") else f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def cells(*rows: str, before: str = "", merged: str = "") -> str:
    """The inside of a sheet; `merged` are areas with spaces between them."""
    areas = "".join(f'<mergeCell ref="{area}"/>' for area in merged.split())
    return f"{before}<sheetData>{''.join(rows)}</sheetData>" + (f"<mergeCells>{areas}</mergeCells>" if areas else "")


def pptx(*slides: str, notes: Mapping[int, str] | None = None, more: str = "", **parts: str) -> bytes:
    """A presentation; each slide is the inside of its shape tree, `notes` are texts by number of slide.

    `parts` are charts by name, related to the first slide under that name; `more` is the end of the presentation part.
    A slide that begins with ! is hidden.
    """
    notes = notes or {}
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="s{n}"/>' for n in range(1, len(slides) + 1))
    files = {
        "_rels/.rels": relations(("r1", "officeDocument", "ppt/presentation.xml")),
        "ppt/_rels/presentation.xml.rels": relations(
            *((f"s{n}", "slide", f"slides/{n}.xml") for n in range(1, len(slides) + 1))
        ),
        "ppt/presentation.xml": f"<p:presentation {NAMES}><p:sldIdLst>{ids}</p:sldIdLst>"
        f'<p:sldSz cx="9144000" cy="6858000"/>{more}</p:presentation>',
    }
    for n, slide in enumerate(slides, start=1):
        links = [("n", "notesSlide", f"../notes/{n}.xml")] if n in notes else []
        links += [(name, "chart", f"../charts/{name}.xml") for name in parts] if n == 1 else []
        hidden = ' show="0"' if slide.startswith("!") else ""
        tree = f"<p:cSld><p:spTree>{slide.removeprefix('!')}</p:spTree></p:cSld>"
        files[f"ppt/slides/{n}.xml"] = f"<p:sld {NAMES}{hidden}>{tree}</p:sld>"
        files[f"ppt/slides/_rels/{n}.xml.rels"] = relations(*links)
    for n, text in notes.items():
        tree = f"<p:cSld><p:spTree>{sp(text, role='body')}</p:spTree></p:cSld>"
        files[f"ppt/notes/{n}.xml"] = f"<p:notes {NAMES}>{tree}</p:notes>"
    files |= {f"ppt/charts/{name}.xml": f"<c:chartSpace {NAMES}>{xml}</c:chartSpace>" for name, xml in parts.items()}
    return packed(files)


def sp(*lines: str, role: str = "", at: tuple[int, int] = (0, 0), size: tuple[int, int] = (100, 20)) -> str:
    """A shape with text, placed in points; a line is the text of a paragraph or its XML."""
    kind = f'<p:ph type="{role}"/>' if role else ""
    (x, y), (wide, high) = at, size
    place = f'<a:off x="{x * 12700}" y="{y * 12700}"/><a:ext cx="{wide * 12700}" cy="{high * 12700}"/>'
    inside = "".join(line if line.startswith("<") else ap(line) for line in lines)
    return (
        f"<p:sp><p:nvSpPr><p:cNvPr/><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm>{place}</a:xfrm></p:spPr>"
        f"<p:txBody>{inside}</p:txBody></p:sp>"
    )


def ap(text: str, properties: str = "") -> str:
    """A paragraph on a slide."""
    return f"<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>"
