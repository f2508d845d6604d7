"""Languages of documents and pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.ingest.language import language, languages
from youju.types import Page, ParsedDocument

ZH, EN, JA = "函数是两个集合之间的对应。", "The gateway answers on port eight.", "これはページの説明です。"


@pytest.mark.parametrize(
    "text, name",
    [
        (ZH, "zh"),
        (EN, "en"),
        ("设置 retry_count 后重启网关", "zh"),  # 7 characters beside 2 words: 7/9
        ("网关 gateway 端口 port", "mixed"),  # 4 characters, 2 words: 4/6
        (JA, "other"),
        ("Привет, как дела?", "other"),
        ("Überprüfung der Geräte größer für Öl", "other"),
        ("3.14 + 2 = ……", None),
        ("", None),
    ],
)
def test_a_language_is_told_by_its_script(text, name):
    assert language(text) == name


@given(st.text(max_size=200))
def test_any_text_has_one_language_or_none(text):
    assert language(text) in {"zh", "en", "mixed", "other", None}


def test_pages_of_one_language_that_follow_each_other_are_named_together():
    pages = tuple(Page(n, text) for n, text in enumerate([ZH, ZH, "1 2 3", EN, ZH * 9], start=1))
    assert languages(ParsedDocument((), pages)) == {"language": "zh", "language_pages": "zh 1-2, en 4, zh 5"}


def test_a_document_without_pages_is_read_at_places_all_over_it():
    # 100 000 characters: the first fifth is English, which as words are few, the rest Chinese.
    found = languages(ParsedDocument((), text=(EN * 1000)[:20_000] + ("一" * 80_000)))
    assert found == {"language": "zh"}


def test_a_document_of_figures_alone_is_of_another_language():
    assert languages(ParsedDocument((), (Page(1, "1 2 3"),))) == {"language": "other"}


def test_only_so_many_changes_of_language_are_named():
    pages = tuple(Page(n, ZH if n % 2 else EN) for n in range(1, 61))
    found = languages(ParsedDocument((), pages))["language_pages"]
    assert found.endswith("zh 39, en 40 …")
