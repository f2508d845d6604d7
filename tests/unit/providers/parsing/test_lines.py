from __future__ import annotations

import pytest

from youju.providers.parsing.lines import join, join_lines, table, width


@pytest.mark.parametrize(
    "left, right, whole",
    [
        ("大幅提", "高了", "大幅提高了"),
        ("调用 API", "接口", "调用 API接口"),
        ("the quick", "fox", "the quick fox"),
        ("the ani-", "mals", "the animals"),
        ("数据面由 qw-", "proxy 进程组成", "数据面由 qw-proxy 进程组成"),
        ("Jean-", "Paul", "Jean-Paul"),
        ("在 /etc/qingwu/", "gateway.yaml", "在 /etc/qingwu/gateway.yaml"),
        ("either /", "or", "either / or"),
        ("", "甲", "甲"),
    ],
)
def test_a_line_break_leaves_a_space_only_between_latin_words(left, right, whole):
    assert join(left, right) == whole


def test_a_hard_break_stays():
    assert join_lines(["一\v", " 二"]) == "一\n二"


def test_a_table_pads_ragged_rows_and_escapes_bars():
    assert table([["a", "b"], ["x|y"], ["1\n2", "3"]]) == "| a | b |\n| --- | --- |\n| x\\|y |  |\n| 1 2 | 3 |"
    assert table([]) == ""


def test_chinese_is_two_columns_wide():
    assert width("甲a，") == 5


@pytest.mark.parametrize("line", ["短行", "word", "well-", "一行\v"])
def test_a_paragraph_of_very_many_lines_joins_in_linear_time(line):
    few, many = [join_lines([line] * n) for n in (3, 50_000)]
    assert many.startswith(few.rstrip("-"))
