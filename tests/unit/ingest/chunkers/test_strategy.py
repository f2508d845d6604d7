"""Which strategy fits, and what two of them do differently."""

from __future__ import annotations

import time

import pytest

from youju.ingest.chunkers import Identity, Sizes, chunk, strategy
from youju.ingest.chunkers.by_article import article
from youju.types import Block, ParsedDocument

ME = Identity("d1", 1, "c1", "书")


def document(*blocks: tuple[str, str] | tuple[str, str, int]) -> ParsedDocument:
    return ParsedDocument(tuple(Block(one[0], one[1], level=one[2] if len(one) > 2 else 0) for one in blocks))


LAW = document(
    ("heading", "第一章 总则", 1),
    ("text", "本章说明目的和范围。"),
    ("text", "第一条 为规范用工管理，制定本规定。"),
    ("text", "第二条 本规定适用于全体员工。"),
    ("list", "（一）正式员工；\n（二）试用员工。"),
    ("text", "前款所称员工不包括实习生。"),
    ("heading", "第二章 招聘", 1),
    ("text", "第一千零三条 招聘应当公开。"),
    ("text", "第 一千零四 条之一 录用应当择优。"),
)
QA = document(
    ("heading", "安装", 1),
    ("heading", "怎样换电池？", 2),
    ("text", "答：推开后盖即可。"),
    ("heading", "问：能用充电电池吗", 2),
    ("text", "答：不建议。"),
    ("text", "问：门卡丢了怎么办？"),
    ("text", "答：在管理菜单里删除。"),
    ("text", "再重新登记一张。"),
)
TEXTBOOK = document(
    ("heading", "第一章", 1),
    ("text", "定义 1.1 设 A、B 是数集。"),
    ("heading", "1.1", 2),
    ("text", "例 1 求定义域。"),
    ("heading", "习题", 2),
    ("text", "证明：略。"),
)
MANUAL = document(
    ("heading", "1 概述", 1),
    ("code", "qwctl status"),
    ("heading", "2 安装", 1),
    ("list", "1. 下载。\n2. 解压。"),
    ("heading", "3 参数", 1),
    ("text", "见表。"),
)
TABLE = document(("text", "价目"), ("table", "| 品名 | 单价 |\n| --- | --- |\n| 铅笔 | 1.2 元 |"))
PLAIN = document(
    ("heading", "旧钟", 1), ("text", "父亲留下来的东西不多。"), ("heading", "渡口", 1), ("text", "船来了。")
)


@pytest.mark.parametrize(
    "given, name",
    [(LAW, "law"), (QA, "qa"), (TEXTBOOK, "textbook"), (MANUAL, "manual"), (TABLE, "table"), (PLAIN, "plain")],
)
def test_each_kind_of_document_gets_its_strategy_with_a_reason(given, name):
    choice = strategy(given)
    assert choice.name == name
    assert choice.reasons
    assert all(choice.reasons)


def test_an_article_is_a_chunk_with_its_items_and_paragraphs_and_its_number_in_the_path():
    chunks = chunk(LAW, ME)
    assert [(one.section, one.text) for one in chunks] == [
        (("第一章 总则",), "本章说明目的和范围。"),
        (("第一章 总则", "第一条"), "第一条 为规范用工管理，制定本规定。"),
        (
            ("第一章 总则", "第二条"),
            "第二条 本规定适用于全体员工。\n（一）正式员工；\n（二）试用员工。\n前款所称员工不包括实习生。",
        ),
        (("第二章 招聘", "第一千零三条"), "第一千零三条 招聘应当公开。"),
        (("第二章 招聘", "第一千零四条之一"), "第 一千零四 条之一 录用应当择优。"),
    ]


def test_an_article_whose_number_is_a_heading_is_not_named_twice():
    given = document(
        *(part for n in "一二三四" for part in (("heading", f"第{n}条", 1), ("text", f"第{n}项内容在这里。")))
    )
    assert strategy(given).name == "law"
    assert [one.section for one in chunk(given, ME)] == [("第一条",), ("第二条",), ("第三条",), ("第四条",)]


def test_a_long_article_is_cut_between_its_paragraphs():
    words = "款的内容写到二十个字左右就可以算是一款了。"
    given = document(
        *(("text", f"第{n}条 短。") for n in "一二三"), ("text", f"第四条 {words}"), ("text", words), ("text", words)
    )
    last = [
        one for one in chunk(given, ME, Sizes(10, 60, 0, 1800)) if one.section == ("第四条",) and one.role == "child"
    ]
    assert [one.text for one in last] == [f"第四条 {words}\n{words}", words]


def test_a_question_is_a_chunk_with_its_answer():
    chunks = chunk(QA, ME)
    assert [(one.section[-1], one.text) for one in chunks] == [
        ("怎样换电池？", "怎样换电池？\n答：推开后盖即可。"),
        ("问：能用充电电池吗", "问：能用充电电池吗\n答：不建议。"),
        ("问：门卡丢了怎么办？", "问：门卡丢了怎么办？\n答：在管理菜单里删除。\n再重新登记一张。"),
    ]


def test_a_chosen_strategy_overrules_the_found_one():
    whole = chunk(LAW, ME, chosen="plain")
    assert [one.section for one in whole] == [("第一章 总则",), ("第二章 招聘",)]


@pytest.mark.parametrize(
    "line, number",
    [
        ("第十二条 迟到", "第十二条"),
        ("第１２条　迟到", "第１２条"),
        ("第 三 条 请假", "第三条"),
        ("第两百条 附则", "第两百条"),
        ("第廿条【范围】", "第廿条"),
        ("第〇条", "第〇条"),
        ("第一百零一条之二 例外", "第一百零一条之二"),
        ("第三条规定的情形除外。", ""),
        ("根据第三条 的规定", ""),
        ("第三章 总则", ""),
    ],
)
def test_article_numbers_are_read_in_every_way_they_are_written(line, number):
    assert article(line) == number


def test_thousands_of_equal_articles_each_get_an_id_of_their_own():
    many = document(*[("text", "第一条 员工应当按时上班，迟到三次扣一天工资。")] * 3000)
    begin = time.process_time()
    chunks = chunk(many, ME)
    assert len({one.id for one in chunks}) == len(chunks) == 3000
    assert time.process_time() - begin < 5
