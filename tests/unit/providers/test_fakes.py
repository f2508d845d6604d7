"""The embedder without a model."""

import numpy as np
import pytest

from youju.providers.fakes import FakeEmbedder


async def cosine(a, b):
    first, second = await FakeEmbedder().embed([a, b], "passage")
    return float(first @ second)


async def test_a_single_character_stands_in_the_place_of_its_checksum():
    # CRC-32 of "a" is E8B7BE43: odd, so the sign is plus; E8B7BE43 >> 1 ends in 21, so the place is 0x21 = 33.
    (row,) = await FakeEmbedder().embed(["a"], "query")
    assert np.flatnonzero(row).tolist() == [33]
    assert row[33] == 1


async def test_a_text_of_one_bigram_repeated_points_the_same_way():
    assert await cosine("aa", "aaa") == pytest.approx(1)


async def test_texts_that_share_words_are_nearer_than_others():
    question = "试用期离职要提前几天通知"
    assert await cosine(question, "试用期内离职，应提前三天通知公司。") > 0.3
    assert abs(await cosine(question, "网关重启后约三十秒恢复上线。")) < 0.2


async def test_capitals_do_not_matter():
    assert await cosine("ABC", "abc") == pytest.approx(1)


async def test_the_dimension_can_be_chosen_and_belongs_to_the_fingerprint():
    small, large = FakeEmbedder(dim=8), FakeEmbedder()
    assert (await small.embed(["字"], "query")).shape == (1, 8)
    assert small.profile.dim == 8
    assert small.profile.fingerprint != large.profile.fingerprint
    assert repr(small) == "fake@8"
