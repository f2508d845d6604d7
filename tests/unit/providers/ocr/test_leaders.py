"""Pages of contents are known by what OCR leaves of their leaders."""

from __future__ import annotations

from dataclasses import replace

from youju.providers.ocr.leaders import is_contents
from youju.providers.pdf.chars import Run, Sheet
from youju.providers.pdf.document import Scroll, document


def page(*rows: str) -> list[Run]:
    """Rows 20 points apart; `|` parts the runs of a row, 100 points apart."""
    return [
        Run(text=text, x0=100 * at, y0=20 * nth, x1=100 * at + 90, y1=20 * nth + 12, base=20 * nth + 10, size=10)
        for nth, row in enumerate(rows)
        for at, text in enumerate(row.split("|"))
    ]


def test_titles_with_what_is_left_of_leaders_are_contents():
    assert is_contents(page("目录", "第一章 山路..|…1", "1.1 早春.", "1.2 初夏...|....9", "第二章 河流|..12"))


def test_leaders_whose_numbers_are_all_lost_are_enough():
    assert is_contents(page("山路....", "河流...", "海岸…", "1.2 初夏...", "小结."))


def test_prices_behind_leaders_are_no_contents():
    assert not is_contents(page("面条....38", "米饭....2", "青菜....15", "豆腐....9", "汤....22"))


def test_sentences_that_trail_off_are_no_contents():
    assert not is_contents(page("他说……", "后来呢？", "没有人知道。", "那年冬天很冷。", "后来……", "雪停了。"))


def test_a_few_led_lines_on_a_page_of_text_are_no_contents():
    assert not is_contents(page("甲....1", "乙....2", "丙....3"))
    assert not is_contents([])


def test_what_is_on_a_page_known_to_be_contents_is_on_the_page_but_not_in_the_text():
    rows = ("第一章 山路.", "山路很长，走了三天。")
    first, second = (Sheet(at, 500, 700, row, "", page(row)) for at, row in enumerate(rows, start=1))
    found = document(Scroll([replace(first, contents=True), second]), max_garbage=1.0)
    assert [block.text for block in found.blocks] == ["山路很长，走了三天。"]
    assert found.pages[0].text == "第一章 山路."
    assert found.quality["toc_pages"] == 1
