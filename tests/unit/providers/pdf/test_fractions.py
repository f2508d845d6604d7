"""Which lines over and under letters are fraction bars."""

from __future__ import annotations

import pytest

from youju.providers.pdf.fractions import written_out
from youju.providers.pdf.geometry import Rule
from youju.providers.pdf.glyphs import Glyph


def letters(text: str, x: float, base: float, size: float = 10) -> list[Glyph]:
    found = []
    for char in text:
        wide = size * (0.5 if char.isascii() else 1)
        if char != " ":
            found.append(Glyph(char, x, base - 0.88 * size, x + wide, base + 0.12 * size, (x, base), size))
        x += wide
    return found


def bar(x0: float, x1: float, y: float) -> Rule:
    return Rule(x0, y - 0.25, x1, y + 0.25)


def said(glyphs: list[Glyph], *rules: Rule) -> str:
    return "".join(glyph.char for glyph in written_out(glyphs, rules))


@pytest.mark.parametrize(
    "above, below, whole",
    [
        ("3", "4", "3/4"),
        ("a+b", "2", "(a+b)/2"),
        ("x", "2a", "x/(2a)"),
        ("路程", "时间", "路程/时间"),
        ("2x", "3", "2x/3"),
    ],
)
def test_a_fraction_is_written_in_its_line(above, below, whole):
    # The line stands at 100, so the bar at 97, what is above it on 95, what is below on 105.
    wide = 5 * max(len(text.encode("gbk")) for text in (above, below))
    over = letters(above, 60 + (wide - 5 * len(above.encode("gbk"))) / 2, 95)
    under = letters(below, 60 + (wide - 5 * len(below.encode("gbk"))) / 2, 105)
    line = [*letters("k=", 48, 100), *over, *under, *letters("，", 62 + wide, 100)]
    assert said(line, bar(59, 61 + wide, 97)) == f"k={whole}，"


def test_an_underlined_word_is_no_fraction():
    line = letters("请在横线上填写姓名后交回", 50, 100)
    below = letters("第二行的文字写在这里面了", 50, 116)
    assert said([*line, *below], bar(80, 120, 102)) == "请在横线上填写姓名后交回第二行的文字写在这里面了"


def test_the_line_under_a_tables_head_is_no_fraction_bar():
    head, cell = letters("电压", 60, 100), letters("最大", 60, 116)
    assert said([*head, *cell], bar(55, 85, 104)) == "电压最大"


def test_without_lines_nothing_changes():
    assert said(letters("a+b", 50, 100)) == "a+b"
