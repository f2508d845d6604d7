from __future__ import annotations

import pytest

from office import cells, row, xlsx
from youju.errors import DocumentError
from youju.providers.parse_xlsx import XlsxParser


@pytest.fixture
def read(tmp_path):
    def parsed(data: bytes, **options: int):
        path = tmp_path / "file"
        path.write_bytes(data)
        return XlsxParser(**options).parse(path)

    return parsed


def told(document) -> list[tuple[str, str, list[str]]]:
    """Kind, place and lines of each block, without the rules of tables."""
    rules = [[line for line in block.text.split("\n") if "---" not in line] for block in document.blocks]
    return [(block.kind, block.locator, lines) for block, lines in zip(document.blocks, rules, strict=True)]


def test_every_row_stands_under_its_heads_and_its_place_is_told(read):
    found = read(xlsx({"费用": cells(row(1, "城市", "标准"), row(2, "北京", 600), row(3, "成都", 450))}))
    assert told(found) == [
        ("heading", "", ["费用"]),
        ("table", "费用!2-3", ["| 城市 | 标准 |", "| 北京 | 600 |", "| 成都 | 450 |"]),
    ]


def test_the_heads_are_repeated_in_every_piece_and_pieces_are_even(read):
    rows = [row(n, f"城市{n}", n) for n in range(2, 11)]
    found = read(xlsx({"Sheet1": cells(row(1, "城市", "标准"), *rows)}), piece_chars=110)
    tables = told(found)
    assert [lines[0] for _, _, lines in tables] == ["| 城市 | 标准 |"] * len(tables)
    assert [place for _, place, _ in tables] == ["Sheet1!2-6", "Sheet1!7-10"]


def test_a_title_over_the_heads_is_a_heading_and_a_remark_is_text(read):
    sheet = cells(
        row(1, "差旅费标准"),
        row(2, "单位：元"),
        row(3, "城市", "标准"),
        row(4, "北京", 600),
        row(5, "注：含税"),
        merged="A1:B1",
    )
    assert [(kind, lines[0]) for kind, _, lines in told(read(xlsx({"Sheet1": sheet})))] == [
        ("heading", "差旅费标准"),
        ("text", "单位：元"),
        ("table", "| 城市 | 标准 |"),
        ("text", "注：含税"),
    ]


def test_merged_values_are_filled_downwards_and_heads_of_two_rows_become_one(read):
    sheet = cells(
        row(1, "类别", "住宿费", None),
        row(2, None, "旺季", "淡季"),
        row(3, "一线", 600, 500),
        row(4, None, 580, 480),
        merged="A1:A2 B1:C1 A3:A4",
    )
    assert told(read(xlsx({"Sheet1": sheet})))[0][2] == [
        "| 类别 | 住宿费 旺季 | 住宿费 淡季 |",
        "| 一线 | 600 | 500 |",
        "| 一线 | 580 | 480 |",
    ]


def test_a_title_inside_a_table_is_a_heading_and_the_heads_go_on(read):
    sheet = cells(
        row(1, "项目", "金额"),
        row(2, "一、人员经费"),
        row(3, "工资", 9),
        row(4, "公用经费"),
        row(5, "办公", 3),
        merged="A4:B4",
    )
    assert [lines for _, _, lines in told(read(xlsx({"Sheet1": sheet})))] == [
        ["一、人员经费"],
        ["| 项目 | 金额 |", "| 工资 | 9 |"],
        ["公用经费"],
        ["| 项目 | 金额 |", "| 办公 | 3 |"],
    ]


def test_tables_with_a_blank_row_between_them_are_two_unless_the_second_only_goes_on(read):
    sheet = cells(
        row(1, "城市", "标准"), row(2, "北京", 600), row(4, "成都", 450), row(6, "项目", "金额"), row(7, "伙食", 100)
    )
    assert [(place, lines[0]) for _, place, lines in told(read(xlsx({"Sheet1": sheet})))] == [
        ("Sheet1!2", "| 城市 | 标准 |"),
        ("Sheet1!4", "| 城市 | 标准 |"),
        ("Sheet1!7", "| 项目 | 金额 |"),
    ]


def test_a_table_without_heads_gets_the_letters_of_its_columns(read):
    assert told(read(xlsx({"Sheet1": cells(row(1, "北京", 600), row(2, "成都", 450))})))[0][2][0] == "| A列 | B列 |"


def test_numbers_are_shown_as_their_format_shows_them(read):
    styles = (
        '<numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="10"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs>'
    )
    made = [f'<c r="{at}2" s="{s}"><v>{v}</v></c>' for at, s, v in [("A", 1, 0.855), ("B", 2, 45356), ("C", 3, 45356)]]
    found = read(xlsx({"Sheet1": cells(row(1, "比例", "日期", "月份"), row(2, *made))}, styles=styles))
    assert told(found)[0][2][1] == "| 85.50% | 2024/3/5 | 2024年3月 |"


def test_strings_are_shared_and_readings_above_characters_left_out(read):
    strings = "<si><t>城市</t></si><si><r><t>北</t></r><r><t>京</t></r><rPh><t>ペキン</t></rPh></si>"
    shared = [row(n, f'<c r="A{n}" t="s"><v>{n - 1}</v></c>', "值") for n in (1, 2)]
    assert told(read(xlsx({"Sheet1": cells(*shared)}, strings=strings)))[0][2] == ["| 城市 | 值 |", "| 北京 | 值 |"]


def test_what_is_hidden_is_left_out_and_told_of(read):
    columns = '<cols><col min="3" max="3" hidden="1"/></cols>'
    sheet = cells(
        row(1, "城市", "标准", "底价"), row(2, "北京", 600), row(3, "暗", 1, more=' hidden="1"'), before=columns
    )
    found = read(xlsx({"费用": sheet, "内部": cells(row(1, "秘密"))}, hidden="内部"))
    assert told(found) == [("heading", "", ["费用"]), ("table", "费用!2", ["| 城市 | 标准 |", "| 北京 | 600 |"])]
    assert found.warnings == (
        "有 1 个隐藏的工作表，未收录：内部",
        "有 1 行是隐藏的，未收录",
        "隐藏的列里有 1 格内容，未收录",
    )


def test_a_formula_gives_what_was_saved_with_it_or_nothing_and_a_warning(read):
    made = ['<c r="B2"><f>1+1</f><v>2</v></c>', '<c r="B3"><f>1+2</f></c>']
    found = read(xlsx({"Sheet1": cells(row(1, "项", "值"), row(2, "甲", made[0]), row(3, "乙", made[1]))}))
    assert told(found)[0][2][1:] == ["| 甲 | 2 |", "| 乙 |  |"]
    assert "1 个公式没有保存结果" in found.warnings[0]


def test_a_row_too_long_for_a_line_names_each_value(read):
    found = read(xlsx({"Sheet1": cells(row(1, "名称", "说明"), row(2, "甲", "很长的说明" * 20))}), piece_chars=100)
    assert told(found) == [("text", "Sheet1!2", ["名称：甲；说明：" + "很长的说明" * 20])]


def test_a_million_declared_rows_cost_nothing(read):
    found = read(xlsx({"Sheet1": cells(row(1, "城市", "标准"), row(2, "北京", 600), row(1048576, "末行", 1))}))
    assert told(found)[-1][1] == "Sheet1!1048576"


def test_rows_past_the_bound_are_left_out_with_a_warning(read, monkeypatch):
    monkeypatch.setattr("youju.providers.office.workbook.MOST_ROWS", 2)
    found = read(xlsx({"Sheet1": cells(row(1, "城市", "标准"), row(2, "北京", 600), row(3, "成都", 450))}))
    assert told(found)[0][2] == ["| 城市 | 标准 |", "| 北京 | 600 |"]
    assert "只收录了前 2 行" in found.warnings[0]


def test_a_workbook_with_nothing_in_it_is_refused(read):
    with pytest.raises(DocumentError) as caught:
        read(xlsx({"Sheet1": cells()}))
    assert caught.value.code == "empty"
