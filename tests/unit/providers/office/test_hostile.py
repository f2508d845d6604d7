"""What a hostile office file may do: be refused with a code and a remedy, in time and without the disk."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from office import NAMES, STYLES, S, cells, docx, listed, numbering, p, packed, pptx, relations, row, sp, tbl, tc, xlsx
from youju.errors import DocumentError
from youju.providers.parse_csv import CsvParser
from youju.providers.parse_docx import DocxParser
from youju.providers.parse_pptx import PptxParser
from youju.providers.parse_xlsx import XlsxParser

TEXT = "员工出差应当事先提出申请，经部门负责人批准后方可成行。"
PARSERS = {"docx": DocxParser, "pptx": PptxParser, "xlsx": XlsxParser}
GOOD = {
    "docx": docx(p(TEXT)),
    "pptx": pptx(sp(TEXT)),
    "xlsx": xlsx({"Sheet1": cells(row(1, "城市", "标准"), row(2, "北京", 600))}),
}
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500


@pytest.fixture
def outcome(tmp_path):
    def code(kind: str, data: bytes) -> str:
        """The code of the refusal, "" where the file was read."""
        path = tmp_path / "file"
        path.write_bytes(data)
        try:
            document = PARSERS[kind]().parse(path)
        except DocumentError as error:
            return error.code if error.remedy else "no remedy"
        assert any(block.kind != "heading" for block in document.blocks)
        return ""

    return code


def body(xml: str) -> bytes:
    """A Word document whose main part is this XML."""
    return packed({"_rels/.rels": relations(("r", "officeDocument", "word/document.xml")), "word/document.xml": xml})


@pytest.mark.parametrize("kind", sorted(PARSERS))
@pytest.mark.parametrize(
    "data, code",
    [
        (b"", "empty"),
        ("只是改了名字的文字。".encode() * 9, "wrong_format"),
        (b"\x00\x81\xfe\x07" * 5000, "wrong_format"),
        (b"%PDF-1.7\n" + b"0" * 99, "wrong_format"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (OLE + "WordDocument".encode("utf-16-le"), "old_format"),
        (b"PK\x03\x04" + b"\xff" * 400, "broken"),
        (packed({"mimetype": "application/epub+zip"}), "wrong_format"),
        (packed({"_rels/.rels": relations(("r", "officeDocument", "../../../etc/passwd"))}), "wrong_format"),
    ],
    ids=["empty", "text", "noise", "pdf", "password", "old", "torn zip", "other zip", "path"],
)
def test_what_is_no_office_file_is_refused_and_says_why(outcome, kind, data, code):
    assert outcome(kind, data) == code


@pytest.mark.parametrize("kind", sorted(PARSERS))
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.95, 0.999])
def test_a_file_that_was_cut_off_is_broken(outcome, kind, share):
    assert outcome(kind, GOOD[kind][: int(len(GOOD[kind]) * share)]) == "broken"


@pytest.mark.parametrize("kind", sorted(PARSERS))
def test_flipped_bytes_are_read_or_refused_but_never_crash(outcome, kind):
    for at in range(30, len(GOOD[kind]), 37):
        data = bytearray(GOOD[kind])
        data[at] ^= 0xFF
        assert outcome(kind, bytes(data)) in {
            "",
            "broken",
            "wrong_format",
            "empty",
            "encrypted",
            "too_large",
            "garbled",
        }


@pytest.mark.parametrize("kind", sorted(PARSERS))
def test_another_office_file_under_this_suffix_is_told_by_its_name(outcome, kind):
    others = [other for other in PARSERS if other != kind]
    assert [outcome(kind, GOOD[other]) for other in others] == ["wrong_format"] * 2


@pytest.mark.parametrize(
    "data, name", [(b"%PDF-1.7", "PDF"), (b"{\\rtf1", "RTF"), (b"\xef\xbb\xbf\r\n<html><table>", "网页")]
)
def test_what_has_the_wrong_suffix_is_told_by_its_name(tmp_path, data, name):
    path = tmp_path / "file"
    path.write_bytes(data + b" " * 99)
    with pytest.raises(DocumentError) as caught:
        XlsxParser().parse(path)
    assert name in caught.value.message
    assert ".xlsx" in caught.value.remedy


def test_the_old_formats_name_what_to_save_as(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(OLE + "Workbook".encode("utf-16-le"))
    with pytest.raises(DocumentError) as caught:
        XlsxParser().parse(path)
    assert ".xlsx" in caught.value.remedy


@pytest.mark.parametrize(
    "entities",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
        "<!-- " + "x" * 70_000 + ' --><!DOCTYPE x [<!ENTITY a "b">]>',
    ],
    ids=["bomb", "file", "network", "behind a long comment"],
)
def test_a_document_that_declares_entities_is_refused(outcome, entities):
    assert (
        outcome("docx", body(f"{entities}<w:document {NAMES}><w:body>{p('&amp;')}</w:body></w:document>")) == "broken"
    )


def test_a_document_type_in_another_encoding_is_seen_too(outcome):
    xml = f'<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [<!ENTITY a "b">]><w:document {NAMES}/>'
    assert outcome("docx", body(xml.encode("utf-16"))) == "broken"


def test_a_part_that_unpacks_to_far_too_much_is_refused(outcome):
    assert outcome("docx", body(f"<w:document {NAMES}><w:body>" + " " * (97 << 20))) == "too_large"


def test_a_part_of_millions_of_empty_elements_is_refused(outcome, monkeypatch):
    monkeypatch.setattr("youju.providers.office.xml._MOST_ELEMENTS", 1000)
    assert outcome("docx", docx(p(TEXT) + "<w:p/>" * 999)) == "broken"


def test_a_directory_that_lies_about_a_size_does_not_help(outcome):
    data = bytearray(body(f"<w:document {NAMES}><w:body>" + " " * (20 << 20)))
    at = data.rindex(b"PK\x01\x02")
    size = struct.unpack_from("<I", data, at + 24)[0]
    assert size > 20 << 20
    struct.pack_into("<I", data, at + 24, 500)
    assert outcome("docx", bytes(data)) in {"broken", "too_large"}


def test_a_locked_archive_is_encrypted(outcome):
    data = bytearray(GOOD["docx"])
    for mark, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = data.find(mark)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(mark, at + 4)
    assert outcome("docx", bytes(data)) == "encrypted"


def test_deep_nesting_is_refused_or_read_but_never_crashes(outcome):
    deep = f"<w:document {NAMES}><w:body>{p(TEXT)}{'<w:sdt><w:sdtContent>' * 50_000}"
    deep += f"{'</w:sdtContent></w:sdt>' * 50_000}</w:body></w:document>"
    tables = TEXT
    for _ in range(200):
        tables = f"<w:tbl><w:tr><w:tc>{tables if tables.startswith('<') else p(tables)}</w:tc></w:tr></w:tbl>"
    math = "<m:f><m:num>" * 3000 + "<m:r><m:t>x</m:t></m:r>" + "</m:num></m:f>" * 3000
    assert outcome("docx", body(deep)) in {"", "broken", "too_large"}
    assert outcome("docx", docx(tables)) in {"", "broken"}
    assert outcome("docx", docx(p(TEXT) + f"<w:p><m:oMath>{math}</m:oMath></w:p>")) in {"", "broken", "too_large"}


def test_absurd_spans_numbers_and_loops_cost_nothing(outcome):
    spans = tbl(
        tc("甲", '<w:gridSpan w:val="999999999"/>') + tc("乙"),
        tc("丙", '<w:gridSpan w:val="-5"/>') + tc("丁"),
        tc("一") + tc("二"),
    )
    loop = '<w:style w:type="paragraph" w:styleId="A"><w:name w:val="a"/><w:basedOn w:val="A"/></w:style>'
    level = numbering(("upperRoman", "%1")).replace('w:start w:val="1"', 'w:start w:val="99999999999999999999"')
    assert outcome("docx", docx(spans + p(TEXT))) == ""
    assert outcome("docx", docx(p(TEXT, "A"), styles=STYLES + loop)) == ""
    assert outcome("docx", docx(listed(TEXT), numbering=level)) == ""


def test_a_footnote_that_refers_to_itself_is_told_once(outcome):
    line = '<w:p><w:r><w:t>话在此。</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    assert outcome("docx", docx(line, footnotes=f'<w:footnote w:id="2">{line}</w:footnote>')) == ""


def test_absurd_cells_and_merges_cost_nothing(outcome):
    odd = [
        '<c r="ZZZ9999999"><v>1</v></c>', '<c r="A0"><v>1e400</v></c>', '<c s="-3"><v>nan</v></c>',
        '<c t="s"><v>77</v></c>', '<c t="s"><v>-1</v></c>', '<c r="%%"><v>x</v></c>', '<c s="99"><v>inf</v></c>',
    ]  # fmt: skip
    merged = "A1:XFD1048576 " * 300
    sheet = cells(
        row(1, "城市", "标准"), row(2, "北京", *odd), row(-4, "负", 1), row(99999999999, "远", 1), merged=merged
    )
    assert outcome("xlsx", xlsx({"Sheet1": sheet})) == ""


def test_hundreds_of_thousands_of_empty_rows_are_read_in_time(outcome):
    empty = "".join(f'<row r="{n}"/>' for n in range(3, 300_000))
    sheet = f"<sheetData>{row(1, '城市', '标准')}{row(2, '北京', 600)}{empty}</sheetData>"
    assert outcome("xlsx", xlsx({"Sheet1": sheet})) in {"", "too_large"}


def test_odd_number_formats_show_the_number_in_some_way(outcome):
    forms = ["[", "]", "0" * 400, ";;;", "\\", "&quot;", "yyyy" * 90, "#,##0." + "0" * 40, "[$", "E+", "@@@", "?/?"]
    own = "".join(f'<numFmt numFmtId="{at}" formatCode="{form}"/>' for at, form in enumerate(forms, start=164))
    used = "".join(f'<xf numFmtId="{at}"/>' for at in range(164, 164 + len(forms)))
    styles = f"<numFmts>{own}</numFmts><cellXfs>{used}</cellXfs>"
    made = [
        row(at + 2, "甲", f'<c s="{at}"><v>1234.5</v></c>', f'<c s="{at}"><v>-3e30</v></c>') for at in range(len(forms))
    ]
    assert outcome("xlsx", xlsx({"Sheet1": cells(row(1, "名", "值", "值2"), *made)}, styles=styles)) == ""


def test_a_slide_without_a_tree_and_a_group_without_size_are_no_obstacle(outcome):
    group = f"<p:grpSp><p:nvGrpSpPr/><p:grpSpPr/>{sp(TEXT)}</p:grpSp>"
    assert outcome("pptx", pptx(group)) == ""
    odd = '<p:sp><p:spPr><a:xfrm><a:off x="x" y=""/><a:ext cx="-5"/></a:xfrm></p:spPr></p:sp>'
    assert outcome("pptx", pptx(odd + sp(TEXT))) == ""


def test_links_to_the_outside_are_never_followed(outcome):
    link = relations(("s1", "slide", "http://127.0.0.1:9/slide.xml")).replace("/>", ' TargetMode="External"/>')
    parts = {"_rels/.rels": relations(("r", "officeDocument", "ppt/p.xml")), "ppt/_rels/p.xml.rels": link}
    parts["ppt/p.xml"] = (
        f'<p:presentation {NAMES}><p:sldIdLst><p:sldId id="1" r:id="s1"/></p:sldIdLst></p:presentation>'
    )
    assert outcome("pptx", packed(parts)) == "empty"


def test_names_that_climb_and_names_that_repeat_never_touch_the_disk(outcome, tmp_path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive, zipfile.ZipFile(io.BytesIO(GOOD["docx"])) as good:
        archive.writestr("../../climbed.txt", "x")
        archive.writestr("/absolute.txt", "x")
        for name in good.namelist():
            archive.writestr(name, good.read(name))
    assert outcome("docx", data.getvalue()) == ""
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_sheet_that_is_its_own_strings_is_no_loop(outcome):
    parts = {
        "_rels/.rels": relations(("r", "officeDocument", "b.xml")),
        "_rels/b.xml.rels": relations(("s", "worksheet", "b.xml"), ("t", "sharedStrings", "b.xml")),
        "b.xml": f'<workbook xmlns="{S}" {NAMES}><sheets><sheet name="x" r:id="s"/></sheets></workbook>',
    }
    assert outcome("xlsx", packed(parts)) == "empty"


@pytest.mark.parametrize(
    "data, code", [(b"", "empty"), (b" \n\n", "empty"), (GOOD["xlsx"], "not_text"), (b",,,\n,,\n", "empty")]
)
def test_a_csv_that_is_none_is_refused(tmp_path, data, code):
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        CsvParser().parse(path)
    assert caught.value.code == code
