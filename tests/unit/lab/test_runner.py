from __future__ import annotations

from dataclasses import replace
from functools import partial

from library import Scores
from youju.lab import corpus
from youju.lab.arms import chosen
from youju.lab.dataset import Case
from youju.lab.runner import Runner, timed
from youju.lab.turns import Chunks
from youju.providers.fakes import FakeEmbedder, FakeLLM
from youju.settings import Knobs

CASES = [
    Case(id="c1", category="factual", question="婚假有几天？", answerable=True),
    Case(id="c2", category="factual", question="一类城市住宿限额是多少？", answerable=True),
]


class CountingEmbedder(FakeEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def embed(self, texts, kind):
        if kind == "query":
            self.asked += texts
        return await super().embed(texts, kind)


def begin(library):
    fingerprint = library.embedder.profile.fingerprint

    async def begun(case):
        return await library.store.read(partial(corpus.asked, case=case, fingerprint=fingerprint))

    return begun


async def ran(library, *names, cases=CASES, retrieval_only=True, repeats=1, **parts):
    arms = chosen(names, replace(library.parts, **parts), Knobs(), "assistant", {})
    records = []

    async def keep(found):
        records.extend(found)

    await Runner(begin(library), [arms] * repeats, retrieval_only).run(cases, frozenset(), keep)
    return records


async def test_every_case_has_a_record_in_every_arm_and_repeat(library):
    records = await ran(library, "V1", "V2", "chat", repeats=2)
    assert len({(one.arm, one.case_id, one.repeat) for one in records}) == 3 * 2 * 2 == len(records)
    assert {one.broke for one in records} == {""}


async def test_what_arms_share_runs_once(library):
    reranker = Scores(*[1.0] * 4)
    counting = CountingEmbedder()
    await ran(library, "V2", "V3", "V4", cases=CASES[:1], embedder=counting, reranker=reranker)
    assert len(counting.asked) == 1
    assert reranker.asked == 1


async def test_arms_that_share_the_generation_give_the_same_answer_from_one_call(library):
    llm = FakeLLM(["甲[1]。", "乙[1]。", "丙[1]。"])
    parts = {"reranker": Scores(*[1.0] * 4), "llm": llm}
    records = await ran(library, "V3", "V4", cases=CASES[:1], retrieval_only=False, **parts)
    assert len({one.turn.answer.text for one in records}) == 1
    assert [one.turn.confidence is not None for one in records] == [False, True]


async def test_searching_only_stops_before_anything_is_written(library):
    records = await ran(library, "V2", "V2+gate", "chat")
    assert all(one.turn.answer is None and not one.turn.refusal for one in records if one.arm == "V2")
    assert all(one.turn.context for one in records if one.arm == "V2")
    assert all(one.turn.hits or one.turn.nearest for one in records)


async def test_a_case_that_breaks_stops_no_other(library):
    class Breaking(FakeEmbedder):
        async def embed(self, texts, kind):
            if any("婚假" in text for text in texts):
                raise RuntimeError("broken on purpose")
            return await super().embed(texts, kind)

    records = await ran(library, "V1", "V2", embedder=Breaking())
    broke = {(one.arm, one.case_id): one.broke for one in records}
    assert broke["V1", "c1"] == broke["V2", "c1"] == "internal：RuntimeError：broken on purpose"
    assert broke["V1", "c2"] == broke["V2", "c2"] == ""


async def test_a_degraded_turn_is_not_what_the_next_arm_goes_on_from(library):
    class Failing(Scores):
        async def score(self, query, hits):
            self.asked += 1
            return []

    reranker = Failing()
    records = await ran(library, "V3", "V4", cases=CASES[:1], reranker=reranker)
    assert reranker.asked == 2
    assert [one.turn.degradations[0].reason for one in records] == ["rerank_failed"] * 2


async def test_what_is_done_is_not_asked_again(library):
    arms = chosen(("V1", "V2"), library.parts, Knobs(), "assistant", {})
    records = []

    async def keep(found):
        records.extend(found)

    done = frozenset({("V1", "c1", 0), ("V2", "c1", 0), ("V1", "c2", 0)})
    await Runner(begin(library), [arms], retrieval_only=True).run(CASES, done, keep)
    assert [(one.arm, one.case_id) for one in records] == [("V2", "c2")]


async def test_with_nothing_eligible_nothing_is_searched(library):
    case = CASES[0].model_copy(update={"collections": ("没有的资料集",)})
    (record,) = await ran(library, "V2", cases=[case])
    assert (record.turn.refusal, record.turn.steps) == ("scope_empty", ())


async def test_a_case_is_asked_among_the_documents_and_collections_that_it_names(library):
    named = {"document_ids": ("d1",)}, {"document_ids": ("d2",)}, {"document_ids": ("d1",), "collections": ("甲", "乙")}
    cases = [CASES[0].model_copy(update={"id": f"n{n}"} | update) for n, update in enumerate(named)]
    found = {one.case_id: one for one in await ran(library, "V2", cases=cases)}
    only, unknown, both = (found[case.id] for case in cases)
    assert only.turn.scope.document_ids == ("d1",)
    assert {hit.chunk.document_id for hit in only.turn.hits} == {"d1"}
    assert [one.turn.refusal for one in (unknown, both)] == ["scope_empty"] * 2
    assert both.turn.scope_report.asked == {"document_ids": ["d1"], "collections": ["甲", "乙"]}


async def test_latencies_are_told_by_stage_cold_and_warm(library):
    arms = chosen(("V1", "V2"), library.parts, Knobs(), "assistant", {})
    found = await timed(begin(library), arms, CASES)
    assert set(found) == {"V1", "V2"}
    assert {"total", "total#cold", "ByVector", "Fuse#cold"} <= set(found["V2"])
    assert "ByWords" not in found["V1"]
    assert all(len(each) == 2 for each in found["V2"].values())
    assert sum(found["V2"]["ByWords"]) < sum(found["V2"]["total"])


async def test_a_turn_comes_back_from_the_disk_as_it_was(library):
    records = await ran(library, "chat", retrieval_only=False)
    chunks = Chunks()
    for record in records:
        packed, new = chunks.packed(record.turn)
        assert "text" not in str(packed["hits"])[:40] or new is not None
        assert chunks.turn(packed) == record.turn
    assert len(chunks.known) <= 4
