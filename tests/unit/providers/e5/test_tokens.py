"""Splitting into the most probable pieces, on a vocabulary small enough to do by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.providers.e5.tokens import Tokeniser
from youju.providers.e5.weights import Vocabulary

PIECES = {"<s>": 0.0, "<unk>": 0.0, "▁": -2.0, "a": -3.0, "b": -3.0, "ab": -4.0, "▁a": -4.5, "ba": -5.5, "é": -3.0}


def tokeniser(characters=None):
    names = list(PIECES)
    return Tokeniser(Vocabulary(names, list(PIECES.values()), characters or {}, start=0, end=0, unknown=1))


def split(text, characters=None):
    return [list(PIECES)[i] for i in tokeniser(characters).ids(text)]


def test_the_split_with_the_highest_sum_wins():
    # ▁+ab = −6; ▁a+b = −7.5; ▁+a+b = −8.
    assert split("ab") == ["▁", "ab"]
    # ▁a+ba = −10; ▁+ab+a = −9; ▁+a+ba = −10.5.
    assert split("aba") == ["▁", "ab", "a"]


def test_every_word_begins_with_the_mark_of_a_space_however_many_there_are():
    # ▁a = −4.5 against ▁+a = −5.
    assert split(" a  a ") == ["▁a", "▁a"]


def test_neighbouring_unknown_characters_are_one_token():
    assert split("xyb") == ["▁", "<unk>", "b"]
    assert split("xby") == ["▁", "<unk>", "b", "<unk>"]


def test_the_name_of_a_control_piece_in_a_text_is_plain_text():
    assert "<s>" not in split("<s>")


def test_characters_are_replaced_before_splitting():
    assert split("Ⓐ", {ord("Ⓐ"): "a"}) == ["▁a"]
    assert split("a\tb", {ord("\t"): " "}) == ["▁a", "▁", "b"]


def test_a_letter_and_its_accent_are_put_together():
    assert split("e\N{COMBINING ACUTE ACCENT}") == ["▁", "é"]


@pytest.mark.parametrize("text", ["", " ", "   "])
def test_nothing_but_spaces_has_no_tokens(text):
    assert split(text) == []


@given(st.text("ab "))
def test_the_pieces_put_together_are_the_text(text):
    assert "".join(split(text)).replace("▁", " ").split() == text.split()
