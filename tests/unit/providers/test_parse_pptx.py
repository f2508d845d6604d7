from __future__ import annotations

import pytest

from office import ap, pptx, sp
from youju.errors import DocumentError
from youju.providers.parse_pptx import PptxParser

TEXT = "灭火器每月检查一次，压力表的指针应当在绿色区域。"


@pytest.fixture
def read(tmp_path):
    def parsed(data: bytes):
        path = tmp_path / "file"
        path.write_bytes(data)
        return PptxParser().parse(path)

    return parsed


def told(document) -> list[tuple[str, int, str]]:
    return [(block.kind, block.page, block.text) for block in document.blocks]


def test_a_slide_is_a_page_and_its_title_a_heading_wherever_it_stands(read):
    found = read(pptx(sp(TEXT) + sp("消防安全", role="title", at=(0, 300)), sp("用电安全", role="title") + sp(TEXT)))
    assert told(found) == [("heading", 1, "消防安全"), ("text", 1, TEXT), ("heading", 2, "用电安全"), ("text", 2, TEXT)]
    assert [block.locator for block in found.blocks] == ["第 1 张", "第 1 张", "第 2 张", "第 2 张"]
    assert [page.text for page in found.pages] == [f"消防安全\n{TEXT}", f"用电安全\n{TEXT}"]
    assert (found.pages[0].width, found.pages[0].height) == (720.0, 540.0)


def test_a_body_is_a_list_with_levels_and_numbers_are_counted(read):
    auto = '<a:pPr><a:buAutoNum type="ea1ChsPeriod"/></a:pPr>'
    body = sp("甲", ap("乙", '<a:pPr lvl="1"/>'), "丙", role="body")
    numbered = sp(ap("报警", auto), ap("疏散", auto), at=(0, 50))
    assert told(read(pptx(sp("标题", role="title") + body + numbered)))[1:] == [
        ("list", 1, "- 甲\n  - 乙\n- 丙"),
        ("list", 1, "一、 报警\n二、 疏散"),
    ]


def test_shapes_are_read_from_top_to_bottom_and_side_by_side_from_left_to_right(read):
    shapes = [("右下", 200, 100), ("左下", 0, 100), ("右上", 200, 3), ("左上", 0, 0)]
    tree = sp("标题", role="title") + "".join(sp(f"{text}。", at=(x, y)) for text, x, y in shapes)
    assert [text for _, _, text in told(read(pptx(tree)))[1:]] == ["左上。", "右上。", "左下。", "右下。"]


def test_the_shapes_of_a_group_stay_together_where_the_group_stands(read):
    scale = '<a:off x="0" y="1270000"/><a:ext cx="1270000" cy="1270000"/>'
    inner = '<a:chOff x="0" y="0"/><a:chExt cx="12700000" cy="12700000"/>'
    parts = sp("组二。", at=(0, 500)) + sp("组一。", at=(0, 0))
    group = f"<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm>{scale}{inner}</a:xfrm></p:grpSpPr>{parts}</p:grpSp>"
    found = read(pptx(group + sp("上面。", at=(0, 20)) + sp("下面。", at=(0, 300))))
    assert [text for _, _, text in told(found)][1:] == ["上面。", "组一。", "组二。", "下面。"]
    assert found.blocks[3].boxes[0].y0 == 150.0  # 100 of the group and a tenth of 500


def test_a_table_keeps_merged_values(read):
    cells = [["行为", "处罚"], ["违规动火", "停工"], ["", "辞退"]]
    down = {(1, 0): ' rowSpan="2"', (2, 0): ' vMerge="1"'}
    rows = "".join(
        "<a:tr>"
        + "".join(f"<a:tc{down.get((y, x), '')}><a:txBody>{ap(t)}</a:txBody></a:tc>" for x, t in enumerate(row))
        + "</a:tr>"
        for y, row in enumerate(cells)
    )
    frame = (
        f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    found = read(pptx(sp("处罚", role="title") + frame))
    assert found.blocks[1].text.split("\n")[2:] == ["| 违规动火 | 停工 |", "| 违规动火 | 辞退 |"]


def test_a_chart_is_its_figures(read):
    points = '<c:pt idx="0"><c:v>{}</c:v></c:pt><c:pt idx="1"><c:v>{}</c:v></c:pt>'
    series = (
        '<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>轻伤</c:v></c:pt></c:strCache></c:strRef></c:tx>'
        f"<c:cat>{points.format('2024年', '2025年')}</c:cat><c:val>{points.format(8, 5)}</c:val></c:ser>"
    )
    frame = (
        '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="one"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    found = read(pptx(sp("统计", role="title") + frame, one=series))
    assert found.blocks[1].text.split("\n")[0::2] == ["| 类别 | 轻伤 |", "| 2024年 | 8 |"]


def test_a_diagram_is_a_list_of_what_stands_in_it(read):
    space = 'xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
    points = "".join(
        f"<d:pt{kind}><d:t>{ap(text)}</d:t></d:pt>"
        for text, kind in [("报警", ""), ("x", ' type="pres"'), ("疏散", "")]
    )
    link = f'<d:relIds {space} r:dm="one"/>'
    frame = f"<p:graphicFrame><a:graphic><a:graphicData>{link}</a:graphicData></a:graphic></p:graphicFrame>"
    found = read(pptx(sp("流程", role="title") + frame, one=f"<c:x {space}>{points}</c:x>"))
    assert told(found)[1:] == [("list", 1, "- 报警\n- 疏散")]


def test_sections_of_a_presentation_are_above_the_titles_of_its_slides(read):
    sections = "".join(
        f'<s:section name="{name}"><s:sldIdLst><s:sldId id="{key}"/></s:sldIdLst></s:section>'
        for name, key in [("基础", 256), ("进阶", 257)]
    )
    more = f'<p:extLst xmlns:s="http://schemas.microsoft.com/office/powerpoint/2010/main">{sections}</p:extLst>'
    slides = [sp(title, role="title") + sp(TEXT) for title in ("甲", "乙")]
    found = read(pptx(*slides, more=more))
    assert [(block.level, block.text) for block in found.blocks if block.level] == [
        (1, "基础"),
        (2, "甲"),
        (1, "进阶"),
        (2, "乙"),
    ]


def test_notes_are_apart_and_hidden_slides_keep_their_number(read):
    found = read(
        pptx(
            sp("甲", role="title") + sp(TEXT), "!" + sp("密"), sp("乙", role="title") + sp(TEXT), notes={1: "现场演示"}
        )
    )
    assert told(found)[2] == ("text", 1, "备注：现场演示")
    assert [block.page for block in found.blocks] == [1, 1, 1, 3, 3]
    assert [page.n for page in found.pages] == [1, 2, 3]
    assert found.warnings == ("有 1 张幻灯片是隐藏的，未收录：第 2 张",)


def test_numbers_and_feet_of_slides_are_left_out(read):
    found = read(pptx(sp("甲", role="title") + sp(TEXT) + sp("3", role="sldNum") + sp("公司", role="ftr")))
    assert [text for _, _, text in told(found)] == ["甲", TEXT]


def test_a_slide_without_a_title_is_named_by_its_first_short_line_or_its_number(read):
    found = read(pptx(sp("应急流程") + sp(TEXT, at=(0, 50)), sp(TEXT)))
    assert [block.text for block in found.blocks if block.level] == ["应急流程", "第 2 张"]


def test_a_presentation_of_pictures_is_refused_with_the_way_to_ocr(read):
    with pytest.raises(DocumentError) as caught:
        read(pptx("<p:pic><p:blipFill><a:blip/></p:blipFill></p:pic>"))
    assert caught.value.code == "no_text"
