"""Texts on the way in, rows on the way out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.errors import ProviderError
from youju.providers.embed_input import clean, distinct, unit


def test_nul_becomes_a_space_and_a_lone_surrogate_the_replacement_character():
    assert clean("前\0后\ud83d。") == "前 后\ufffd。"


def test_a_pair_of_surrogates_becomes_the_character_it_stands_for():
    assert clean("\ud83d\ude00") == "😀"


@given(st.text())
def test_ordinary_text_without_nul_is_left_alone(text):
    assert clean(text.replace("\0", "")) == text.replace("\0", "")


@given(st.text(st.characters(exclude_categories=())))
def test_what_comes_out_can_always_be_written_as_utf_8(text):
    assert clean(text).encode().decode() == clean(text)


def test_equal_texts_are_kept_once_and_found_again():
    different, where = distinct(["b", "a", "b"])
    assert different == ["b", "a"]
    assert where.tolist() == [0, 1, 0]


@given(st.lists(st.text()))
def test_places_lead_back_to_the_texts(texts):
    different, where = distinct(texts)
    assert [different[place] for place in where] == texts


def test_three_and_four_become_point_six_and_point_eight():
    assert unit(np.array([[3.0, 4.0]])).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)]]


@pytest.mark.parametrize(
    "row,code",
    [
        ([0.0, 0.0], "embedder_zero_vector"),
        ([float("nan"), 1.0], "embedder_not_finite"),
        ([float("inf"), 1.0], "embedder_not_finite"),
        ([1e300, 1e300], "embedder_not_finite"),
    ],
)
def test_a_row_without_direction_is_an_error(row, code):
    with pytest.raises(ProviderError) as caught:
        unit(np.array([row]))
    assert (caught.value.code, caught.value.part) == (code, "embedder")
