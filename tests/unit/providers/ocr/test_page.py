"""A picture of a page as runs of text of sizes that agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("cv2")

from youju.providers.ocr.engine import Reading
from youju.providers.ocr.page import seen

LONG = "离职而补充原岗位的无需报总经理批准由分管副总经理批准即"


class Told:
    """Reads these lines."""

    def __init__(self, *lines: Reading) -> None:
        self.found = lines

    def lines(self, image):
        return list(self.found)


def line(text: str, top: float, high: float, wide: float) -> Reading:
    return Reading(text, 0.98, 100, top, 100 + wide, top + high)


def sizes(*lines: Reading) -> list[float]:
    page = seen(np.full((1000, 1000, 3), 255, np.uint8), 1, 1.0, Told(*lines))
    return [run.size for run in page.sheet.runs]


def body(top: float) -> Reading:
    # 27 letters of 14 points, and .3 of the height that the detector adds: (27 × 14 + .3 × 16).
    return line(LONG, top, 16, 382.8)


def test_the_short_end_of_a_paragraph_has_the_size_of_its_paragraph():
    # Boxes of two letters are 1.5 letters high: 21 for 14.
    assert sizes(body(100), body(130), line("可。", 160, 21, 40)) == [14, 14, 14]


def test_a_heading_of_two_letters_is_larger_all_the_same():
    # 36 / 1.5
    assert sizes(body(100), body(130), line("前言", 40, 36, 60)) == [14, 14, 24]


def test_a_running_head_of_a_few_letters_is_smaller_all_the_same():
    # Five letters by their width, 11.2 points each: (5 × 11.2 + .3 × 14).
    assert sizes(body(100), body(130), line("第一辑器物", 40, 14, 60.2)) == [14, 14, 11.25]


def test_a_single_letter_has_a_box_as_high_as_that_of_a_long_line():
    # 24 / 1.2 = 20, which is not near 14
    assert sizes(body(100), body(130), line("甲", 40, 24, 30)) == [14, 14, 20]


def test_a_line_of_formulas_is_no_larger_for_their_signs():
    # Ten letters by its width, 20 points each; by its height 16.1 / 1.15 = 14.
    assert sizes(body(100), body(130), line("解：x+y=5-z,a+b", 160, 16.1, 200)) == [14, 14, 14]


def test_a_line_of_formulas_is_as_large_as_its_chinese_letters_are_apart():
    text = "由此条件得k+b=5,3k+b=11,2k=6,k=3"
    steps = [14 * at for at in range(5)] + [70 + 9 * at for at in range(len(text) - 5)]
    told = replace(line(text, 160, 19, 300), starts=tuple(100.0 + step for step in steps))
    assert sizes(body(100), body(130), told) == [14, 14, 14]


def test_a_line_that_was_stretched_to_fill_its_column_is_no_larger():
    # 27 letters of 17 points and .3 × 16: 1.21 times the body, but it ends where the column does, or short of it.
    full, short = line(LONG, 160, 16, 463.8), line(LONG, 160, 16, 463.8)
    assert sizes(body(100), body(130), full) == [14, 14, 14]
    assert sizes(body(100), body(130), line("报" * 40, 190, 16, 564.8), short) == [14, 14, 14, 17]


def test_a_line_of_formulas_is_no_smaller_for_their_thin_signs():
    # 16 signs of .55 letters, 11 points each, and .3 of the height: (16 × .55 × 11 + .3 × 18); .79 of the body.
    assert sizes(body(100), body(130), line("f(x)=ax+b=cx+d-e", 160, 18, 102.2)) == [14, 14, 14]


def test_lines_of_a_table_end_in_one_place():
    page = np.full((1000, 1000, 3), 255, np.uint8)
    for at, left in enumerate((100, 103, 99)):
        page[300 + 40 * at : 302 + 40 * at, left : 800 + at] = 0
    rules = seen(page, 1, 1.0, Told(body(100))).sheet.rules
    assert len(rules) == 3
    assert len({(rule.x0, rule.x1) for rule in rules}) == 1


def test_lines_of_the_part_that_was_read_lie_on_the_whole_page():
    page = np.full((1000, 1000, 3), 255, np.uint8)
    page[500:600, 400:800] = 0
    told = seen(page, 1, 0.5, Told(line(LONG, 0, 20, 384)))
    # The part begins 20 pixels left of the ink and above it, or up to 4 more: cells of 4 pixels.
    (run,) = told.sheet.runs
    assert 0.5 * (100 + 376) <= run.x0 <= 0.5 * (100 + 380)
    assert 0.5 * (10 + 476) <= (run.y0 + run.y1) / 2 <= 0.5 * (10 + 480)
