"""What OCR loses in Chinese is put back."""

from __future__ import annotations

import pytest

from youju.providers.ocr.engine import Reading
from youju.providers.ocr.wording import is_aired, wide_signs, worded


def line(text: str, *starts: float) -> Reading:
    return Reading(text, 0.9, 0, 0, 100, 10, starts or tuple(10.0 * at for at in range(len(text))))


def test_a_gap_between_letters_is_a_space():
    # From 节 to 试 are 18 pixels, 1.8 letters; the space is put half way.
    found = worded(line("第节试用", 0, 10, 28, 38), 10)
    assert found.text == "第节 试用"
    assert found.starts == (0, 10, 19, 28, 38)


def test_letters_a_little_apart_are_one_word():
    assert worded(line("试用期", 0, 12.5, 25), 10).text == "试用期"


def test_less_of_a_gap_is_enough_behind_the_number_of_an_article():
    assert worded(line("第三条公司", 0, 10, 20, 32, 42), 10).text == "第三条 公司"
    assert worded(line("第三条的规定"), 10).text == "第三条的规定"


def test_the_number_of_an_example_stands_apart_from_what_follows():
    assert worded(line("例7青石", 0, 10, 19, 29), 10).text == "例7 青石"
    assert worded(line("例7的解", 0, 10, 15.5, 25.5), 10).text == "例7的解"
    assert worded(line("1.2气温", 0, 5, 8, 17, 27), 10).text == "1.2 气温"
    assert worded(line("共7人", 0, 10, 19), 10).text == "共7人"


def test_the_bullet_of_an_item_stands_apart_from_it():
    found = worded(line("·区间", 0, 8, 18), 10)
    assert found.text == "• 区间"
    assert found.starts == (0, 4, 8, 18)
    assert worded(line("甲·乙"), 10).text == "甲·乙"


def test_a_page_with_spaces_beside_latin_letters_has_them_everywhere():
    found = worded(line("设x与f(x)的值"), 10, aired=True)
    assert found.text == "设 x 与 f(x) 的值"
    assert len(found.starts) == len(found.text)
    assert list(found.starts) == sorted(found.starts)
    assert worded(line("设 x=2，则"), 10, aired=True).text == "设 x=2，则"


def test_a_page_has_such_spaces_when_some_were_seen():
    assert is_aired(["设 x 为数", "设 y 为数", "设 z 为数", "设x为数"])
    assert not is_aired(["设x为数"] * 50 + ["设 x 为数"] * 3)
    assert not is_aired(["设 x 为数"])


def test_letters_are_not_parted_from_signs():
    assert worded(line("甲，乙", 0, 10, 25), 10).text == "甲，乙"


def test_without_places_there_is_no_gap():
    assert worded(line("第三条公司", 0, 30), 10).text == "第三条公司"


@pytest.mark.parametrize(
    "read, meant",
    [
        ("解:因为;所以", "解：因为；所以"),
        ("是吗?是!", "是吗？是！"),
        ("(一）总监", "（一）总监"),
        ("（四)离职", "（四）离职"),
        ("规定(2025年版)", "规定（2025年版）"),
        ("QW-4029,否则", "QW-4029，否则"),
        ("f(x)=x+2, x>0", "f(x)=x+2, x>0"),
        ("求f(-1)与f(1)。", "求f(-1)与f(1)。"),
        ("(a) first; then", "(a) first; then"),
        ("12:30 到 1,500", "12:30 到 1,500"),
        ("甲)乙", "甲）乙"),
        ("", ""),
    ],
)
def test_signs_are_as_wide_as_what_stands_beside_them(read, meant):
    assert wide_signs(read) == meant
