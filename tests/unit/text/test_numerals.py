"""Chinese numerals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.numerals import parse_cn

DIGITS = "零一二三四五六七八九"


def written(n):
    """The numeral of n < 10000 by the school rule."""
    out, gap = "", False
    for unit, scale in (("千", 1000), ("百", 100), ("十", 10), ("", 1)):
        digit = n // scale % 10
        if digit:
            out += ("零" if gap and out else "") + DIGITS[digit] + unit
        gap = not digit
    return out


@pytest.mark.parametrize(
    "text,value",
    [
        ("〇", 0), ("零", 0), ("○", 0), ("三", 3), ("两", 2), ("十", 10), ("十二", 12), ("二十", 20),
        ("廿", 20), ("廿三", 23), ("卅", 30), ("壹", 1), ("贰拾伍", 25), ("一百", 100), ("一百零二", 102),
        ("一百二", 120), ("一百二十", 120), ("两百", 200), ("一千", 1000), ("一千零五", 1005),
        ("一千二百六十", 1260), ("两千五", 2500), ("三万五", 35000), ("三万零五", 30005), ("十万", 100000),
        ("一百二十万", 1200000), ("三亿", 300000000), ("一万亿", 1000000000000), ("二〇二五", 2025), ("12", 12),
        ("１２", 12), ("3万", 30000), ("一 百 二", 120), ("佰", None), ("百", None), ("十百", None),
        ("万万", None), ("", None), ("第", None), ("-3", None), ("1.5", None), ("1,200", None), ("三天", None),
        ("一" * 100, None),
    ],
)  # fmt: skip
def test_numerals_have_values(text, value):
    assert parse_cn(text) == value


@given(st.integers(1, 9999))
def test_every_number_below_ten_thousand_is_read(n):
    assert parse_cn(written(n)) == n


@given(
    st.text(st.one_of(st.sampled_from("零一二十百千万亿两廿1２ "), st.characters(exclude_categories=())), max_size=30)
)
def test_no_text_is_too_odd(text):
    value = parse_cn(text)
    assert value is None or value >= 0
