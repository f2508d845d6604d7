"""Quantities as people write them."""

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.numbers import quantities

ANY = st.text(
    st.one_of(
        st.sampled_from("一二三十百千万亿年月日元天个第章0123456789.,%-/:（) xm¥$"),
        st.characters(exclude_categories=()),
    ),
    max_size=40,
)


def read(text):
    return [
        (str(q.value.normalize().quantize(Decimal(1)) if q.value == int(q.value) else q.value), q.unit)
        for q in quantities(text)
    ]


@pytest.mark.parametrize(
    "text,expected",
    [
        ("三天", [("3", "天")]),
        ("3天", [("3", "天")]),
        ("３ 天", [("3", "天")]),
        ("两年", [("2", "年")]),
        ("1.5万", [("15000", "")]),
        ("1.5万元", [("15000", "元")]),
        ("3亿", [("300000000", "")]),
        ("三百万元", [("3000000", "元")]),
        ("5%", [("5", "%")]),
        ("５％", [("5", "%")]),
        ("百分之五", [("5", "%")]),
        ("百分之三点五", [("3.5", "%")]),
        ("3个百分点", [("3", "百分点")]),
        ("1,200元", [("1200", "元")]),
        ("1,200,000.50元", [("1200000.50", "元")]),
        ("第1项，200元", [("200", "元")]),
        ("¥99", [("99", "元")]),
        ("99人民币", [("99", "元")]),
        ("$5", [("5", "美元")]),
        ("2025年3月1日", [("20250301", "日")]),
        ("2025-03-01", [("20250301", "日")]),
        ("2025/3/1", [("20250301", "日")]),
        ("二〇二五年三月一日", [("20250301", "日")]),
        ("2025年3月", [("202503", "年月")]),
        ("2025年", [("2025", "年")]),
        ("3月1日", [("301", "月日")]),
        ("3个月", [("3", "个月")]),
        ("3-5天", [("3", "天"), ("5", "天")]),
        ("3至5万元", [("30000", "元"), ("50000", "元")]),
        ("三到五天", [("3", "天"), ("5", "天")]),
        ("五六天", [("5", "天"), ("6", "天")]),
        ("15个工作日", [("15", "工作日")]),
        ("15个自然日", [("15", "自然日")]),
        ("15日", [("15", "天")]),
        ("30min", [("30", "分钟")]),
        ("30 分钟", [("30", "分钟")]),
        ("200ms", [("200", "毫秒")]),
        ("5km", [("5", "公里")]),
        ("5千米", [("5", "公里")]),
        ("512MiB", [("512", "MiB")]),
        ("8:30", [("510", "点")]),
        ("下午3点", [("900", "点")]),
        ("-5℃", [("-5", "℃")]),
        ("18周岁", [("18", "岁")]),
        ("30名员工", [("30", "人")]),
        ("半年", [("0.5", "年")]),
        ("两个半小时", [("2.5", "小时")]),
        ("一年半", [("1.5", "年")]),
        ("万分之五", [("0.05", "%")]),
        ("千分之三", [("0.3", "%")]),
        ("2,5,8", [("2", ""), ("5", ""), ("8", "")]),
        ("40%-75%", [("40", "%"), ("75", "%")]),
        ("八十分", [("80", "分")]),
        ("三分之一", [("0.333333", "")]),
        ("max_conn=100", [("100", "")]),
        ("1. 甲有3人", [("3", "人")]),
        ("一千二百六十", [("1260", "")]),
    ],
)
def test_a_quantity_has_one_value_and_one_unit_however_written(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "QW-4031", "v3.2", "3.2.1", "第三章", "第3-5章", "第一千二百六十条", "第二十条之一", "图2", "表3-1",
        "3.2节", "§3.2", "附录1", "〔2021〕5号", "国办发[2021]5号", "一般", "统一", "唯一", "万一", "一个",
        "一种", "十分重要", "二次函数", "三元方程", "一年级",
        "周一天气", "上半年", "十几天", "GB/T7714", "A4", "x2", "",
    ],
)  # fmt: skip
def test_numbers_in_names_and_words_are_none(text):
    assert quantities(text) == []


def test_a_formula_has_no_units():
    assert {q.unit for q in quantities("f(x)=2x+1, y=2m, 2m+1, (3s)")} == {""}


def test_kinds():
    kinds = [q.kind for q in quantities("3天 5% 3元 2025年3月1日 3个")]
    assert kinds == ["time", "percent", "money", "date", "number"]


def test_quantities_know_where_they_stand():
    (found,) = quantities("应在 ３ 天内")
    assert (found.start, found.end) == (3, 6)


@given(ANY)
def test_never_raises_and_spans_are_valid_and_in_order(text):
    found = quantities(text)
    assert all(0 <= q.start < q.end <= len(text) and q.value.is_finite() for q in found)
    assert [q.start for q in found] == sorted(q.start for q in found)


@pytest.mark.parametrize(
    "text", ["一" * 10000, "1" * 10000, "1," * 5000, "三天" * 5000, "第一" * 5000, "1/" * 5000, " " * 10000]
)
def test_ten_thousand_characters_take_linear_time(text):
    begin = time.process_time()
    quantities(text)
    assert time.process_time() - begin < 3
