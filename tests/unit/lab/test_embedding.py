from __future__ import annotations

import numpy as np

from youju.lab.embedding import EachOnce
from youju.providers.fakes import FakeEmbedder


class Counting(FakeEmbedder):
    def __init__(self):
        super().__init__()
        self.asked = []

    def __repr__(self):
        return "counting"

    async def embed(self, texts, kind):
        self.asked.append((kind, *texts))
        return await super().embed(texts, kind)


async def test_a_text_is_embedded_once_on_each_side():
    real = Counting()
    once = EachOnce(real)
    first = await once.embed(["甲", "乙", "甲"], "passage")
    again = await once.embed(["乙", "丙"], "passage")
    await once.embed(["甲"], "query")
    assert real.asked == [("passage", "甲", "乙"), ("passage", "丙"), ("query", "甲")]
    assert np.array_equal(first, await FakeEmbedder().embed(["甲", "乙", "甲"], "passage"))
    assert np.array_equal(again, await FakeEmbedder().embed(["乙", "丙"], "passage"))


async def test_no_texts_have_the_shape_of_none_and_it_passes_for_the_one_it_stands_for():
    once = EachOnce(Counting())
    assert (await once.embed([], "query")).shape == (0, once.profile.dim)
    assert (repr(once), once.profile) == ("counting", FakeEmbedder().profile)
