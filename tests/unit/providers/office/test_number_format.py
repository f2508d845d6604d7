from __future__ import annotations

import pytest

from youju.providers.office.number_format import general, is_date, shown


@pytest.mark.parametrize(
    "value, form, text",
    [
        (0.855, "0%", "86%"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (1200.0, '¥#,##0.00"元"', "¥1,200.00元"),
        (-5.0, "0.00;(0.00)", "(5.00)"),
        (-5.0, "0.00", "-5.00"),
        (0.0, '0;-0;"—"', "—"),
        (7.0, "000", "007"),
        (1.5, "0.0##", "1.5"),
        (12000.0, '0.0,"千"', "12.0千"),
        (45356.0, "yyyy-mm-dd", "2024-03-05"),
        (45356.0, "[$-804]yyyy年m月d日;@", "2024年3月5日"),
        (45356.75, "yyyy/m/d h:mm", "2024/3/5 18:00"),
        (0.75, "h:mm AM/PM", "6:00 PM"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (45356.0, "aaaa", "星期二"),
        (1234.5, "[Red]0.00", "1234.50"),
        (3.0, "[$€-407] 0.00", "€ 3.00"),
        (12345.0, "0.00E+00", "1.23E+04"),
        (3.5, "General", "3.5"),
        (-1.0, "yyyy-mm-dd", "-1"),
    ],
)
def test_a_number_is_shown_as_its_format_says(value, form, text):
    assert shown(value, form) == text


@pytest.mark.parametrize(
    "value, text", [(3.0, "3"), (0.1 + 0.2, "0.3"), (1200.5, "1200.5"), (13800000001.0, "13800000001")]
)
def test_without_a_format_a_number_is_as_short_as_it_can_be(value, text):
    assert general(value) == text


def test_months_are_dates_and_amounts_are_not():
    assert is_date("yyyy-mm")
    assert not is_date('#,##0.00"元"')


def test_the_other_epoch_begins_four_years_later():
    assert shown(0.0, "yyyy-mm-dd", from_1904=True) == "1904-01-01"
