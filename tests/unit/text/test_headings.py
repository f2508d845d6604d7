"""Numbered headings and what only looks like them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.headings import Numbering, is_toc_line, numbering

ANY = st.text(
    st.one_of(st.sampled_from("第三章节条0123.．一、（） 附录A例…\t"), st.characters(exclude_categories=())),
    max_size=40,
)


@pytest.mark.parametrize(
    "line,expected",
    [
        ("第一编 总则", Numbering(1, "1", "总则", "part")),
        ("第二部分 安装", Numbering(1, "2", "安装", "part")),
        ("第三章 函数的概念与性质", Numbering(2, "3", "函数的概念与性质", "chapter")),
        ("第三章函数", Numbering(2, "3", "函数", "chapter")),
        ("第 三 章　函数", Numbering(2, "3", "函数", "chapter")),
        ("第１２章 附则", Numbering(2, "12", "附则", "chapter")),
        ("第〇章 准备", Numbering(2, "0", "准备", "chapter")),
        ("第廿三回 王婆贪贿", Numbering(2, "23", "王婆贪贿", "chapter")),
        ("第壹章 绪论", Numbering(2, "1", "绪论", "chapter")),
        ("第三章", Numbering(2, "3", "", "chapter")),
        ("第二节 二次函数", Numbering(3, "2", "二次函数", "section")),
        ("第一千二百六十条 本法自2021年1月1日起施行。", Numbering(4, "1260", "", "article")),
        ("第两百条　当事人应当遵守。", Numbering(4, "200", "", "article")),
        ("第二十条之一 （适用范围）本条适用于个人。", Numbering(4, "20之1", "适用范围", "article")),
        ("第一条 【立法目的】为了保护权益，制定本法。", Numbering(4, "1", "立法目的", "article")),
        ("1 范围", Numbering(2, "1", "范围", "decimal")),
        ("1.1 术语和定义", Numbering(3, "1.1", "术语和定义", "decimal")),
        ("3.2二次函数", Numbering(3, "3.2", "二次函数", "decimal")),
        ("1.1.1 安装步骤", Numbering(4, "1.1.1", "安装步骤", "decimal")),
        ("§3.2 二次函数", Numbering(3, "3.2", "二次函数", "decimal")),
        ("3．2 二次函数", Numbering(3, "3.2", "二次函数", "decimal")),
        ("4.2 Retry policy", Numbering(3, "4.2", "Retry policy", "decimal")),
        ("3 个人信息保护", Numbering(2, "3", "个人信息保护", "decimal")),
        ("1 前言", Numbering(2, "1", "前言", "decimal")),
        ("2.3 版本管理", Numbering(3, "2.3", "版本管理", "decimal")),
        ("3 名词解释", Numbering(2, "3", "名词解释", "decimal")),
        ("1范围", Numbering(2, "1", "范围", "decimal")),
        ("附录A 参考资料", Numbering(2, "A", "参考资料", "appendix")),
        ("附录 B", Numbering(2, "B", "", "appendix")),
        ("附件一：申请表", Numbering(2, "1", "申请表", "appendix")),
        ("Chapter 3 Functions", Numbering(2, "3", "Functions", "chapter")),
        ("一、适用范围", Numbering(4, "1", "适用范围", "list")),
        ("（二）办理流程", Numbering(5, "2", "办理流程", "list")),
        ("例1", Numbering(6, "1", "", "block")),
        ("例 2 求函数的定义域", Numbering(6, "2", "求函数的定义域", "block")),
        ("练习1.1", Numbering(6, "1.1", "", "block")),
        ("定义1.1 设A是非空集合。", Numbering(6, "1.1", "", "block")),
        ("定理3 勾股定理", Numbering(6, "3", "勾股定理", "block")),
        ("**例 1** 求定义域", Numbering(6, "1", "求定义域", "block")),
        ("性质一", Numbering(6, "1", "", "block")),
    ],
)
def test_numbered_lines_are_read(line, expected):
    assert numbering(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "11.5.14.2的试验方法同样适用。",
        "3.5 元每人",
        "3.5元每人",
        "2025年3月1日起施行",
        "2025 年度报告已经发布，请查收，谢谢。",
        "3天内退款",
        "30 秒后重试",
        "5 个工作日内答复",
        "20 人以上",
        "100 万人口",
        "第三章所述方法",
        "第三条规定的情形除外。",
        "第三条常常被记反。例如下面的函数。",
        "第一节点名单",
        "第三章介绍了函数的概念，第四章介绍了导数。",
        "第三章 函数 ………… 45",
        "1.1 集合 . . . . . . . . 2",
        "1. 打开设备",
        "1、打开设备",
        "- 打开设备",
        "1.5 倍行距",
        "1 + 2 = 3",
        "2x + 1 = 0",
        "一、甲方应当按时付款，否则承担责任。",
        "（一）有下列情形之一的；",
        "例如下面的函数",
        "例3个学生",
        "表格中的数据",
        "附录中给出了证明。",
        "一般规定",
        "3.14",
        "",
        "   ",
        "正文从这里开始。",
    ],
)
def test_what_only_looks_like_a_heading_is_none(line):
    assert numbering(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "第一章 集合 …… 12",
        "1.1 集合........2",
        "附录A\t120",
        "第二节 函数      (45)",
        "一、总则 · · · · · · 3",
        "前言……ii",
    ],
)
def test_lines_of_a_table_of_contents(line):
    assert is_toc_line(line)


@pytest.mark.parametrize("line", ["第一章 集合", "他停了一下……然后走了", "共计 12", "甲    12", "3.14159", ""])
def test_lines_that_are_not_of_a_table_of_contents(line):
    assert not is_toc_line(line)


@given(ANY)
def test_no_line_is_too_odd(line):
    found = numbering(line)
    is_toc_line(line)
    assert found is None or (1 <= found.level <= 6 and found.number == found.number.strip())


DATA = Path(__file__).parent


def test_nearly_every_form_of_a_heading_is_recognised():
    """Lines of heading_forms.tsv: the line, the kind, the number and the title that are to be read from it."""
    forms = [line.split("\t") for line in (DATA / "heading_forms.tsv").read_text(encoding="utf-8").splitlines()]
    wanted = [(line, (kind, number, title)) for line, kind, number, title in forms]
    found = {line: numbering(line) for line, _ in wanted}
    wrong = [line for line, read in wanted if (one := found[line]) is None or (one.kind, one.number, one.title) != read]
    assert len(wanted) >= 80
    assert len(wrong) <= 0.02 * len(wanted), wrong


def test_hardly_any_line_that_only_looks_like_a_heading_is_taken_for_one():
    """Lines of heading_lookalikes.txt; → is a tab."""
    lines = (DATA / "heading_lookalikes.txt").read_text(encoding="utf-8").splitlines()
    fooled = [line for line in lines if numbering(line.replace("→", "\t"))]
    assert len(lines) >= 150
    assert len(fooled) <= 0.01 * len(lines), fooled
