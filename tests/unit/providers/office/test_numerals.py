from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.providers.office.numerals import chinese, numeral
from youju.text.numerals import parse_cn


@given(st.integers(1, 9999))
def test_a_chinese_number_reads_back_as_itself(n):
    assert parse_cn(chinese(n)) == n


@pytest.mark.parametrize(
    "n, form, text",
    [
        (10, "chineseCounting", "十"),
        (21, "chineseCountingThousand", "二十一"),
        (105, "chineseCounting", "一百零五"),
        (1010, "chineseCounting", "一千零一十"),
        (12, "chineseLegalSimplified", "壹拾贰"),
        (20, "ideographDigital", "二〇"),
        (3, "ideographTraditional", "丙"),
        (11, "ideographTraditional", "11"),
        (14, "lowerRoman", "xiv"),
        (28, "upperLetter", "BB"),
        (20, "decimalEnclosedCircle", "⑳"),
        (21, "decimalEnclosedCircle", "21"),
        (7, "decimalZero", "07"),
        (12, "decimalFullWidth", "１２"),
        (5, "something else", "5"),
        (0, "upperRoman", "0"),
    ],
)
def test_a_number_is_written_in_its_form_or_in_digits(n, form, text):
    assert numeral(n, form) == text
