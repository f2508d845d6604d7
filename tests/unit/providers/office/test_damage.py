"""Office files of which one part came to harm: what can be read without it, and what cannot."""

from __future__ import annotations

import pytest

from damage import damaged
from office import cells, docx, listed, numbering, p, pptx, row, sp, xlsx
from youju.errors import DocumentError
from youju.providers.parse_docx import DocxParser
from youju.providers.parse_pptx import PptxParser
from youju.providers.parse_xlsx import XlsxParser

TEXT = "员工出差应当事先提出申请，经部门负责人批准后方可成行。"
NOTED = '<w:p><w:r><w:t>话在此。</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
NOTE = f'<w:footnote w:id="2">{p("注解在此。")}</w:footnote>'
WORD = docx(p(TEXT) + NOTED + listed("第一项"), numbering=numbering(("decimal", "%1.")), footnotes=NOTE)
TALK = pptx(sp("山谷里的风"), sp("一夜的雨"), notes={1: "说慢一点"})
BOOK = xlsx({"Sheet1": cells(row(1, "城市", "标准"), row(2, "北京", 600))})


@pytest.fixture
def parsed(tmp_path):
    def parse(parser, data: bytes):
        path = tmp_path / "file"
        path.write_bytes(data)
        return parser.parse(path)

    return parse


@pytest.mark.parametrize("part", ["styles", "numbering", "footnotes"])
def test_a_word_document_is_read_without_a_part_beside_the_text(parsed, part):
    document = parsed(DocxParser(), damaged(WORD, f"word/{part}.xml"))
    assert document.text.startswith(TEXT)
    assert document.warnings == (f"文件里有 1 个部分已损坏，已跳过：word/{part}.xml",)


def test_a_sound_word_document_warns_of_nothing(parsed):
    assert parsed(DocxParser(), WORD).warnings == ()


@pytest.mark.parametrize("part", ["word/document.xml", "word/_rels/document.xml.rels", "_rels/.rels"])
def test_a_word_document_without_its_text_or_what_leads_to_it_is_broken(parsed, part):
    with pytest.raises(DocumentError) as caught:
        parsed(DocxParser(), damaged(WORD, part))
    assert caught.value.code == "broken"


def test_slides_beside_a_damaged_one_are_read_under_their_own_numbers(parsed):
    document = parsed(PptxParser(), damaged(TALK, "ppt/slides/1.xml"))
    assert {block.page for block in document.blocks} == {2}
    assert document.warnings == (
        "文件里有 1 个部分已损坏，已跳过：ppt/slides/1.xml",
        "有 1 张幻灯片已损坏，未收录：第 1 张",
    )


def test_a_slide_is_read_without_its_notes_and_relations(parsed):
    for part in ("ppt/notes/1.xml", "ppt/slides/_rels/1.xml.rels"):
        document = parsed(PptxParser(), damaged(TALK, part))
        assert [block.page for block in document.blocks if "山谷里的风" in block.text] == [1]
        assert document.warnings == (f"文件里有 1 个部分已损坏，已跳过：{part}",)


def test_a_presentation_without_a_sound_slide_is_broken(parsed):
    with pytest.raises(DocumentError) as caught:
        parsed(PptxParser(), damaged(pptx(sp("山谷里的风")), "ppt/slides/1.xml"))
    assert caught.value.code == "broken"


def test_a_workbook_is_not_read_without_its_formats(parsed):
    with pytest.raises(DocumentError) as caught:
        parsed(XlsxParser(), damaged(BOOK, "xl/styles.xml"))
    assert caught.value.code == "broken"
