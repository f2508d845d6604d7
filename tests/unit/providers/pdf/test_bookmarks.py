"""Bookmarks and the lines they name."""

from __future__ import annotations

import pytest

from youju.providers.pdf.bookmarks import marked
from youju.providers.pdf.layout import Line


def lines(*texts: str, page: int = 1) -> list[Line]:
    return [
        Line(page, text, 50, 80 + 16 * at, 350, 90 + 16 * at, 89 + 16 * at, 10, 0, 0) for at, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    "title, line",
    [
        ("渡口", "渡口"),
        ("第一章 渡口", "第一章　渡 口"),
        ("渡口", "1.2 渡口"),
        ("1.2 渡口", "渡口"),
        ("渡口（上）", "渡口(上)"),
        ("Chapter 3 Ferries", "Ferries"),
        ("渡口：往事", "渡口 往事"),
    ],
)
def test_a_title_is_found_however_it_is_spaced_and_numbered(title, line):
    assert marked(lines("正文在前。", line, "正文在后。"), [(2, title, 1)]) == {1: 2}


def test_a_title_over_two_lines_marks_both():
    assert marked(lines("论渡口的", "往事与今事", "正文。"), [(1, "论渡口的往事与今事", 1)]) == {0: 1, 1: 1}


def test_a_title_is_looked_for_on_the_pages_beside_too():
    there = [*lines("正文。"), *lines("渡口", page=2)]
    assert marked(there, [(1, "渡口", 1)]) == {1: 1}
    assert marked(there, [(1, "渡口", 4)]) == {}


def test_the_line_with_the_same_words_goes_before_one_without_the_number():
    assert marked(lines("渡口", "1 渡口"), [(1, "1 渡口", 1)]) == {1: 1}


def test_a_sentence_that_holds_the_title_is_none():
    assert marked(lines("渡口在河的对岸。"), [(1, "渡口", 1)]) == {}


def test_a_title_of_signs_alone_names_nothing():
    assert marked(lines("渡口"), [(1, "……", 1)]) == {}
