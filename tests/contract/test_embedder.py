"""What every embedder keeps to: fake, built in, and behind a local server."""

import asyncio

import numpy as np
import pytest

from servers import Server, in_json
from youju.ports import Embedder
from youju.providers.embed_e5 import E5Embedder
from youju.providers.embed_openai import OpenAIEmbedder
from youju.providers.fakes import FakeEmbedder

TEXTS = ["试用期内离职，应提前三日通知公司。", "网关重启后约三十秒恢复上线。", "Functions map one set to another."]
ODD = ["", " ", "\n", "\0", "a\0b", "\ud83d", "好\udc00人", "😀👨‍👩‍👧", "\u202e", "啊", "\ufeff", "a" * 3000]


async def seven_times_too_long_and_backwards(body):
    rows = 7 * await FakeEmbedder().embed(body["input"], "passage")
    data = [{"index": i, "embedding": row.tolist()} for i, row in enumerate(rows)]
    return in_json({"data": data[::-1]})


@pytest.fixture(scope="module")
def built_in():
    embedder = E5Embedder(threads=2)
    yield embedder
    asyncio.run(embedder.aclose())


@pytest.fixture(params=["fake", "e5", "openai"])
async def embedder(request, monkeypatch):
    if request.param == "e5":
        yield request.getfixturevalue("built_in")
    elif request.param == "fake":
        yield FakeEmbedder()
    else:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        async with Server(seven_times_too_long_and_backwards) as server:
            embedder = OpenAIEmbedder(base_url=server.address, api_key="k", model="m", batch_size=2, retries=0)
            yield embedder
            await embedder.aclose()


async def test_it_is_an_embedder(embedder):
    assert isinstance(embedder, Embedder)


async def test_one_row_a_text_of_the_profile_s_dimension_with_norm_one(embedder):
    rows = await embedder.embed(TEXTS, "passage")
    assert rows.shape == (3, embedder.profile.dim)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


async def test_no_texts_give_no_rows_of_the_right_width(embedder):
    rows = await embedder.embed([], "query")
    assert rows.shape == (0, embedder.profile.dim)
    assert embedder.profile.dim > 0


async def test_rows_stand_in_the_order_of_the_texts(embedder):
    rows = await embedder.embed(TEXTS, "passage")
    backwards = await embedder.embed(TEXTS[::-1], "passage")
    assert np.array_equal(rows, backwards[::-1])


async def test_a_text_has_the_same_row_alone_in_company_and_twice(embedder):
    together = await embedder.embed([*TEXTS, TEXTS[0]], "passage")
    (alone,) = await embedder.embed(TEXTS[:1], "passage")
    assert np.array_equal(together[0], alone)
    assert np.array_equal(together[3], alone)


@pytest.mark.parametrize("kind", ["query", "passage"])
async def test_any_string_is_embedded(embedder, kind):
    rows = await embedder.embed(ODD, kind)
    assert rows.shape == (len(ODD), embedder.profile.dim)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("kind", ["query", "passage"])
async def test_twelve_thousand_characters_are_embedded(embedder, kind):
    (row,) = await embedder.embed(["慢慢走，别着急，路还长呢。。" * 858], kind)
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5)


async def test_what_follows_a_nul_still_counts(embedder):
    first, second = await embedder.embed(["员工守则\0网关重启", "员工守则\0函数入门"], "passage")
    assert float(first @ second) < 0.999


async def test_the_same_words_are_nearer_than_others(embedder):
    passages = await embedder.embed(TEXTS, "passage")
    (question,) = await embedder.embed(["离职应提前几日通知公司？"], "query")
    assert int(np.argmax(passages @ question)) == 0


async def test_a_query_and_the_passage_equal_to_it_are_near(embedder):
    (query,), (passage,) = await embedder.embed(TEXTS[:1], "query"), await embedder.embed(TEXTS[:1], "passage")
    assert float(query @ passage) > embedder.profile.threshold


async def test_calls_at_the_same_time_do_not_disturb_each_other(embedder):
    expected = await embedder.embed(TEXTS, "passage")
    calls = await asyncio.gather(*(embedder.embed(TEXTS, "passage") for _ in range(8)))
    assert all(np.array_equal(rows, expected) for rows in calls)


async def test_the_profile_does_not_change_once_it_has_embedded(embedder):
    await embedder.embed(TEXTS, "passage")
    before = embedder.profile
    await embedder.embed(ODD, "query")
    assert embedder.profile == before
    assert before.fingerprint
    assert -1 <= before.threshold <= 1


async def test_the_name_is_no_address_in_memory(embedder):
    assert " at 0x" not in repr(embedder)
