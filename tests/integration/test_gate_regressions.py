"""Whether the gate stops what must not ship and lets pass what may, over the sample books and questions."""

from __future__ import annotations

import asyncio
import random
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from faults import FAULTS, Fault
from youju import samples
from youju.compose import App, open_app
from youju.lab.arms import Own
from youju.lab.assembling import results
from youju.lab.dataset import Case, load
from youju.lab.embedding import EachOnce
from youju.lab.gate import Verdict, gate
from youju.lab.plan import Plan
from youju.lab.results import Results
from youju.lab.service import Lab
from youju.lab.sets import described
from youju.providers.embed_e5 import E5Embedder
from youju.providers.fakes import FakeReranker
from youju.settings import Settings

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]
ANSWERED, SEARCHED = 28, 209
"""How many of the sample questions are answered, and how many only searched for: that costs a tenth."""
SEARCHING = {"tokeniser off", "keyword channel silent", "vector channel silent", "wrong prefix for queries"}
OWN = {
    "parents": Own(base="chat", set={"expand": "parent"}),
    # The usual threshold cuts little from the first 15 of so small a store; one that never cuts cannot be missed.
    "strict": Own(base="chat", set={"similarity_threshold": 0.88}),
}


@dataclass
class Bench:
    """A store with the sample books, and the vectors of every text that was asked for."""

    store: Path
    whole: list[Case]
    out: Path
    known: dict

    def some(self, n: int) -> list[Case]:
        return [self.whole[at * len(self.whole) // n] for at in range(n)]

    def opened(self, store=None):
        embedder = EachOnce(E5Embedder(), self.known)
        return open_app(Settings(data=store or self.store), embedder=embedder)

    def run(self, fault: Fault = Fault(), cases=None, **plan: object) -> Results:  # noqa: B008
        async def opened() -> Results:
            async with self.opened() as app:
                return await self.asked(app.lab, fault, cases, **plan)

        return asyncio.run(opened())

    async def asked(self, lab: Lab, fault: Fault, cases=None, **options) -> Results:
        if fault.arm == "V3":
            lab = replace(lab, parts=replace(lab.parts, reranker=FakeReranker()))
        plan = replace(Plan((fault.arm,), OWN, timing_cases=0), **options)
        asked = cases or self.some(ANSWERED)
        with fault.patched():
            folder = await fault.changed(lab).run(plan, asked, self.out, about=described([], asked))
        return results(folder)


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Bench:
    folder = tmp_path_factory.mktemp("bench")
    whole = [case for one in samples.question_sets() for case in load(Path(str(one)))[0]]
    made = Bench(folder / "store", whole, folder / "runs", {})

    async def fill() -> None:
        async with open_app(Settings(data=made.store)) as app:
            for book in samples.books():
                await app.documents.process(await app.documents.accept(Path(str(book))))

    asyncio.run(fill())
    return made


@pytest.fixture(scope="module")
def good(bench) -> dict[str, Results]:
    return {arm: bench.run(Fault(arm)) for arm in ("chat", "parents", "strict", "V3")}


@pytest.fixture(scope="module")
def searched(bench) -> Results:
    return bench.run(cases=bench.some(SEARCHED), measuring="retrieval")


def decided(before: Results, now: Results, arm: str) -> Verdict:
    return gate(before, now, arm=arm, primary="hit@5", margin=0.03)


@pytest.mark.parametrize("name", sorted(FAULTS.keys() - SEARCHING))
def test_a_regression_of_answers_is_stopped(name, bench, good):
    fault = FAULTS[name]
    found = decided(good[fault.arm], bench.run(fault), fault.arm)
    assert found.code == 1, found.reasons


@pytest.mark.parametrize("name", sorted(SEARCHING))
def test_a_regression_of_the_search_is_stopped(name, bench, searched):
    now = bench.run(FAULTS[name], bench.some(SEARCHED), measuring="retrieval")
    found = decided(searched, now, "chat")
    assert found.code == 1, found.reasons


def test_a_deleted_document_that_still_answers_is_stopped(bench, good, tmp_path):
    store = tmp_path / "store"
    shutil.copytree(bench.store, store)

    async def stale() -> Results:
        async with bench.opened() as old, bench.opened(store) as app:
            await deleted(app)
            parts = replace(
                app.lab.parts, vectors=old.lab.parts.vectors, words=old.lab.parts.words, chunks=old.lab.parts.chunks
            )
            return await bench.asked(replace(app.lab, parts=parts), Fault())

    found = decided(good["chat"], asyncio.run(stale()), "chat")
    assert found.code == 1
    assert {"hard:scope_kept:failed", "hard:documents_known:failed"} <= set(found.reasons)


async def deleted(app: App) -> None:
    """The first book is deleted."""
    await app.documents.delete((await app.documents.listed())[0].id)


def test_twenty_clean_runs_raise_no_alarm(bench, good):
    alarms = []
    for number in range(20):
        arm = ("chat", "parents", "strict", "V3")[number % 4]
        cases = bench.some(ANSWERED)
        random.Random(number).shuffle(cases)  # noqa: S311 - an order, no secret
        now = bench.run(Fault(arm), cases, concurrency=1 + number % 8, seed=number)
        found = decided(good[arm], now, arm)
        alarms += [(number, arm, found.reasons)] if found.code else []
    assert not alarms
