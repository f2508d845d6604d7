"""Plain text without any marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from youju.providers.parse_text import TextParser
from youju.types import ParsedDocument


@pytest.fixture
def parse(tmp_path: Path):
    def parsed(text: str) -> ParsedDocument:
        path = tmp_path / "file.txt"
        path.write_text(text, encoding="utf-8")
        return TextParser().parse(path)

    return parsed


def shown(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in document.blocks]


def test_each_line_is_a_paragraph_where_lines_are_of_any_length(parse):
    long = "天还没有亮，路上一个人也没有，只有卖豆浆的老周在生火，他点了点头就过去了。"
    document = parse(f"第一章 起程\n　　他出了门。\n　　{long}\n　　很冷。\n")
    assert [block.kind for block in document.blocks] == ["heading", "text", "text", "text"]
    assert document.blocks[1].text == "他出了门。"


def test_hard_wrapped_lines_are_joined_as_their_language_wants(parse):
    chinese = [
        "这一段文字在四十列的地方被编辑器折断了，",
        "每一行的长度都差不多，所以应当重新连成一",
        "段，中间不加空格。",
    ]
    latin = [
        "This paragraph was wrapped by an editor",
        "at forty columns or so and is to be",
        "joined with spaces between its lines.",
    ]
    document = parse("\n".join([*chinese, "", *latin]))
    assert shown(document) == [("text", "".join(chinese)), ("text", " ".join(latin))]


def test_numbered_lines_are_headings_with_levels_in_their_order(parse):
    document = parse("第一章 总则\n第一节 目的\n本节说明目的。\n第二节 范围\n本节说明范围。\n")
    headings = [(block.text, block.level) for block in document.blocks if block.kind == "heading"]
    assert [text for text, _ in headings] == ["第一章 总则", "第一节 目的", "第二节 范围"]
    assert headings[0][1] < headings[1][1] == headings[2][1]


@pytest.mark.parametrize(
    "line",
    [
        "第三章规定的内容不适用于本条。",
        "3.2 版的参数有变化，请先备份。",
        "第十二条 员工迟到的，按照下列规定处理：",
        "1. 打开后盖；",
    ],
)
def test_sentences_that_begin_with_a_number_are_no_headings(parse, line):
    assert [
        block.kind for block in parse(f"说明如下，请仔细阅读。\n\n{line}\n\n其余照旧。").blocks if block.level
    ] == []


def test_an_enumeration_of_short_items_is_a_list_not_headings_without_text(parse):
    assert shown(parse("甲方提交下列材料。\n（一）营业执照\n（二）法人证明\n（三）授权书\n")) == [
        ("text", "甲方提交下列材料。"),
        ("list", "（一）营业执照\n（二）法人证明\n（三）授权书"),
    ]


def test_columns_parted_by_tabs_are_a_table(parse):
    assert shown(parse("价目如下。\n\n品名\t单价\n铅笔\t1.2 元\n")) == [
        ("text", "价目如下。"),
        ("table", "| 品名 | 单价 |\n| --- | --- |\n| 铅笔 | 1.2 元 |"),
    ]


def test_lines_of_contents_are_left_out_of_the_blocks_and_counted(parse):
    document = parse("第一章 总则……………… 1\n第二章 招聘……………… 9\n\n第一章 总则\n正文在此。\n")
    assert shown(document) == [("heading", "第一章 总则"), ("text", "正文在此。")]
    assert document.quality["toc_lines"] == 2
    assert "……" in document.text


def test_the_title_is_a_first_line_that_looks_like_one(parse):
    assert parse("慢行集\n\n父亲留下来的东西不多，一只闹钟算一件。\n").title == "慢行集"
    assert parse("父亲留下来的东西不多，一只闹钟算一件。\n").title == ""


def test_a_price_list_with_leaders_stays(parse):
    document = parse("价目\n\n甲套餐……………… 100\n乙套餐……………… 300\n丙套餐……………… 900\n\n以上含税。\n")
    assert document.quality["toc_lines"] == 0
    assert "乙套餐……………… 300" in "".join(block.text for block in document.blocks)


def test_columns_parted_by_wide_gaps_are_a_table(parse):
    document = parse("品名    单价    库存\n螺丝    0.5     100\n大螺母  0.3     200\n")
    assert shown(document) == [
        ("table", "| 品名 | 单价 | 库存 |\n| --- | --- | --- |\n| 螺丝 | 0.5 | 100 |\n| 大螺母 | 0.3 | 200 |")
    ]


def test_lines_drawn_across_the_page_part_paragraphs_and_say_nothing(parse):
    assert shown(parse("山谷\n==========\n风来了。\n\n* * *\n\n雪来了。\n")) == [
        ("text", "山谷"), ("text", "风来了。"), ("text", "雪来了。")
    ]  # fmt: skip


def test_labelled_lines_are_not_joined(parse):
    text = "时间：二〇三一年五月四日\n地点：城南三楼的会议室\n参加：林一陈二张三李四\n"
    assert [block.text for block in parse(text).blocks] == text.split("\n")[:3]


def test_the_word_before_a_novels_first_chapter_is_no_part_of_its_title(parse):
    assert parse("正文　第一章　起风\n　　风来了。\n").blocks[0].text == "第一章　起风"
