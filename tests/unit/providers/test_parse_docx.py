from __future__ import annotations

import pytest

from office import docx, listed, numbering, p, packed, r, relations, tbl, tc
from youju.errors import DocumentError
from youju.providers.parse_docx import DocxParser

TEXT = "员工出差应当事先提出申请，经部门负责人批准后方可成行。"
HIDDEN = "<w:vanish/>"


@pytest.fixture
def read(tmp_path):
    def parsed(data: bytes):
        path = tmp_path / "file"
        path.write_bytes(data)
        return DocxParser().parse(path)

    return parsed


def told(document) -> list[tuple[str, int, str]]:
    return [(block.kind, block.level, block.text) for block in document.blocks]


def test_headings_come_from_styles_and_from_the_outline_level_of_a_paragraph(read):
    outline = '<w:outlineLvl w:val="1"/>'
    found = read(docx(p("第一章 总则", "H1") + p("目的", properties=outline) + p(TEXT)))
    assert told(found) == [("heading", 1, "第一章 总则"), ("heading", 2, "目的"), ("text", 0, TEXT)]


def test_a_style_that_is_based_on_a_heading_is_one_and_a_body_level_takes_it_back(read):
    styles = (
        '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="X"><w:name w:val="公司一级"/><w:basedOn w:val="H1"/></w:style>'
    )
    plain = p("不是标题", "X", '<w:outlineLvl w:val="9"/>')
    found = read(docx(p("概述", "X") + p(TEXT) + plain, styles=styles))
    assert told(found) == [("heading", 1, "概述"), ("text", 0, TEXT), ("text", 0, "不是标题")]


def test_a_whole_sentence_in_the_style_of_a_heading_is_text(read):
    found = read(docx(p("总则", "H1") + p("第一条 为了规范差旅费管理，制定本办法。", "H2")))
    assert told(found)[1] == ("text", 0, "第一条 为了规范差旅费管理，制定本办法。")


def test_the_title_is_above_all_headings(read):
    found = read(docx(p("差旅费办法", "T") + p("总则", "H1") + p(TEXT)))
    assert found.title == "差旅费办法"
    assert [(block.level, block.text) for block in found.blocks if block.level] == [(1, "差旅费办法"), (2, "总则")]


def test_without_styles_bold_numbered_lines_are_headings_and_items_of_a_list_are_not(read):
    bold = "<w:b/>"
    body = (
        p("一、总体要求", run=bold)
        + p(TEXT)
        + p("（一）适用范围", run=bold)
        + p(TEXT)
        + p("二、附则", run=bold)
        + p(TEXT)
    )
    levels = [block.level for block in read(docx(body)).blocks]
    assert [level > 0 for level in levels] == [True, False, True, False, True, False]
    assert levels[0] == levels[4] < levels[2]


def test_numbers_that_word_counts_are_shown(read):
    forms = numbering(("chineseCounting", "第%1条"), ("decimal", "（%2）"), ("lowerLetter", "%3)"))
    body = "".join(
        listed(text, level) for text, level in [("甲", 0), ("乙", 0), ("丙", 1), ("丁", 2), ("戊", 2), ("己", 0)]
    )
    found = read(docx(body, numbering=forms))
    assert told(found) == [
        ("text", 0, "第一条 甲"),
        ("text", 0, "第二条 乙"),
        ("list", 0, "（1） 丙\n  a) 丁\n  b) 戊"),
        ("text", 0, "第三条 己"),
    ]


def test_a_bullet_is_a_dash_and_a_list_one_block(read):
    found = read(docx(p(TEXT) + listed("甲") + listed("乙", 1), numbering=numbering(("bullet", ""), ("bullet", "o"))))
    assert told(found)[1] == ("list", 0, "- 甲\n  - 乙")


def test_a_list_begins_afresh_where_its_number_says_so(read):
    again = (
        '<w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>'
        "</w:lvlOverride></w:num>"
    )
    body = listed("甲") + listed("乙") + p(TEXT) + listed("丙", list_id=2) + listed("丁", list_id=2)
    found = read(docx(body, numbering=numbering(("decimal", "%1.")) + again))
    assert [block.text for block in found.blocks] == ["1. 甲\n2. 乙", TEXT, "1. 丙\n2. 丁"]


def test_articles_go_on_through_chapters_where_the_list_says_so(read):
    forms = numbering(("chineseCounting", "第%1章"), ("chineseCounting", "第%2条"))
    forms = forms.replace('<w:lvl w:ilvl="1">', '<w:lvl w:ilvl="1"><w:lvlRestart w:val="0"/>')
    body = "".join(listed(text, level) for text, level in [("总则", 0), ("甲。", 1), ("附则", 0), ("乙。", 1)])
    found = read(docx(body, numbering=forms))
    assert [block.text for block in found.blocks] == ["第一章 总则", "第一条 甲。", "第二章 附则", "第二条 乙。"]


def test_a_heading_whose_style_is_a_level_of_a_list_shows_its_number(read):
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="H{n}"><w:name w:val="heading {n}"/>'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        for n in (1, 2)
    )
    forms = numbering(("decimal", "%1"), ("decimal", "%1.%2"))
    for n in (0, 1):
        forms = forms.replace(f'w:ilvl="{n}">', f'w:ilvl="{n}"><w:pStyle w:val="H{n + 1}"/>')
    body = p("范围", "H1") + p(TEXT) + p("一般要求", "H2") + p(TEXT) + p("特殊要求", "H2") + p(TEXT)
    found = read(docx(body, styles=styles, numbering=forms))
    assert [block.text for block in found.blocks if block.level] == ["1 范围", "1.1 一般要求", "1.2 特殊要求"]


def test_the_first_of_several_chapters_is_no_title(read):
    assert read(docx(p("第一章 总则", "H1") + p(TEXT) + p("第二章 附则", "H1") + p(TEXT))).title == ""


def test_a_merged_value_stands_in_each_row_it_covers_and_heads_of_two_rows_become_one(read):
    down, on = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    wide = '<w:gridSpan w:val="2"/>'
    body = tbl(
        tc("职级", down) + tc("住宿费", wide),
        tc("", on) + tc("一线") + tc("其他"),
        tc("职员", down) + tc("450 元") + tc("320 元"),
        tc("", on) + tc("400 元") + tc("300 元"),
        tc("说明") + tc("凭票报销", wide),
    )
    assert read(docx(body)).blocks[0].text.split("\n") == [
        "| 职级 | 住宿费 一线 | 住宿费 其他 |",
        "| --- | --- | --- |",
        "| 职员 | 450 元 | 320 元 |",
        "| 职员 | 400 元 | 300 元 |",
        "| 说明 | 凭票报销 |  |",
    ]


def test_rows_marked_as_heads_are_joined(read):
    head = "<w:trPr><w:tblHeader/></w:trPr>"
    body = tbl(head + tc("城市") + tc("标准"), head + tc("（市）") + tc("（元）"), tc("北京") + tc("600"))
    assert read(docx(body)).blocks[0].text.split("\n")[::2] == ["| 城市 （市） | 标准 （元） |", "| 北京 | 600 |"]


@pytest.mark.parametrize("name", ["标题 1", "标题一", "一级标题", "1级标题", "Heading 1"])
def test_a_style_is_one_of_headings_by_its_name_in_either_language(read, name):
    styles = f'<w:style w:type="paragraph" w:styleId="X"><w:name w:val="{name}"/></w:style>'
    assert read(docx(p("概述", "X") + p(TEXT), styles=styles)).blocks[0].level == 1


def test_a_title_over_a_table_is_its_caption_and_a_table_in_a_cell_is_flat(read):
    inner = f"<w:tc>{tbl(tc('早餐') + tc('30 元'), tc('午餐') + tc('50 元'))}<w:p/></w:tc>"
    title = tc("表 1 补助标准", '<w:gridSpan w:val="2"/>')
    found = read(docx(tbl(title, tc("项目") + tc("标准"), tc("餐费") + inner)))
    assert told(found)[0] == ("caption", 0, "表 1 补助标准")
    assert found.blocks[1].text.endswith("| 餐费 | 早餐，30 元 午餐，50 元 |")


def test_a_frame_of_one_cell_is_no_table(read):
    assert told(read(docx(tbl(tc(TEXT))))) == [("text", 0, TEXT)]


def test_changes_are_accepted_and_hidden_text_is_told_of(read):
    body = (
        f"<w:p>{r('限额为')}<w:del>{r('300')}</w:del><w:ins>{r('500')}</w:ins>{r('元')}{r('内部备注', HIDDEN)}</w:p>"
        f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{r('前半句')}</w:p>{p('后半句')}"
    )
    found = read(docx(body))
    assert [block.text for block in found.blocks] == ["限额为500元", "前半句后半句"]
    assert found.warnings == ("有 4 个字设为隐藏，未收录",)


def test_a_footnote_stands_after_the_paragraph_that_refers_to_it(read):
    body = f'<w:p>{r("住宿费实报实销")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>{p(TEXT)}'
    notes = (
        f'<w:footnote w:type="separator" w:id="0">{p("线")}</w:footnote><w:footnote w:id="2">{p("含税。")}</w:footnote>'
    )
    assert told(read(docx(body, footnotes=notes))) == [
        ("text", 0, "住宿费实报实销[^1]"),
        ("footnote", 0, "[^1]: 含税。"),
        ("text", 0, TEXT),
    ]


def test_a_formula_stays_on_its_line(read):
    root = "<m:rad><m:deg/><m:e><m:r><m:t>x+1</m:t></m:r></m:e></m:rad>"
    square = "<m:sSup><m:e><m:r><m:t>a</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    ratio = f"<m:oMath><m:f><m:num>{square}</m:num><m:den>{root}</m:den></m:f></m:oMath>"
    body = f"<w:p>{r('其中 ')}{ratio}{r(' 为比值')}</w:p>"
    assert read(docx(body)).blocks[0].text == "其中 a²/(√(x+1)) 为比值"


def test_text_boxes_links_and_controls_are_read_and_forms_of_the_same_only_once(read):
    box = f"<w:txbxContent>{p('框里的话')}</w:txbxContent>"
    both = f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    link = f'<w:hyperlink r:id="x">{r("见附件")}</w:hyperlink>'
    control = f"<w:sdt><w:sdtContent>{p('控件里的话')}</w:sdtContent></w:sdt>"
    found = read(docx(f"<w:p>{link}<w:r>{both}</w:r></w:p>{control}"))
    assert [block.text for block in found.blocks] == ["见附件", "框里的话", "控件里的话"]


def test_a_table_of_contents_is_left_out(read):
    toc = '<w:style w:type="paragraph" w:styleId="C"><w:name w:val="toc 1"/></w:style>'
    found = read(docx(p("第一章 总则\t1", "C") + p(TEXT), styles=toc))
    assert told(found) == [("text", 0, TEXT)]
    assert found.quality["toc_lines"] == 1


def test_a_document_of_pictures_is_refused_with_the_way_to_ocr(read):
    with pytest.raises(DocumentError) as caught:
        read(docx("<w:p><w:r><w:drawing><a:blip/></w:drawing></w:r></w:p>"))
    assert caught.value.code == "no_text"
    assert "OCR" in caught.value.remedy


def test_the_strict_edition_is_read_too(read):
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    data = packed(
        {
            "_rels/.rels": relations(("r1", "officeDocument", "/word/document.xml")),
            "word/document.xml": f'<document xmlns="{strict}"><body><p><r><t>{TEXT}</t></r></p></body></document>',
        }
    )
    assert told(read(data)) == [("text", 0, TEXT)]
