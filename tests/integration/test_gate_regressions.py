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
CASES = 84
"""One question in five of the samples."""
OWN = {
    "parents": Own(base="chat", set={"expand": "parent"}),
    # The usual threshold cuts nothing from the first 15 of so small a store; one that never cuts cannot be missed.
    "strict": Own(base="chat", set={"similarity_threshold": 0.88}),
}


@dataclass
class Bench:
    """A store with the sample books, and the vectors of every text that was asked for."""

    store: Path
    cases: list[Case]
    out: Path
    known: dict

    def opened(self, store=None):
        embedder = EachOnce(E5Embedder(), self.known)
        return open_app(Settings(data=store or self.store), embedder=embedder)

    def run(self, fault: Fault = Fault(), *, concurrency=4, cases=None, seed=7, store=None) -> Results:  # noqa: B008
        return asyncio.run(self._run(fault, concurrency, cases or self.cases, seed, store))

    async def _run(self, fault, concurrency, cases, seed, store) -> Results:
        async with self.opened(store) as app:
            return await self.asked(app.lab, fault, concurrency, cases, seed)

    async def asked(self, lab: Lab, fault: Fault, concurrency=4, cases=None, seed=7) -> Results:
        if fault.arm == "V3":
            lab = replace(lab, parts=replace(lab.parts, reranker=FakeReranker()))
        plan = Plan((fault.arm,), OWN, concurrency=concurrency, timing_cases=0, seed=seed)
        asked = cases or self.cases
        with fault.patched():
            folder = await fault.changed(lab).run(plan, asked, self.out, about=described([], asked))
        return results(folder)


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Bench:
    folder = tmp_path_factory.mktemp("bench")
    whole = [case for one in samples.question_sets() for case in load(Path(str(one)))[0]]
    cases = [whole[at * len(whole) // CASES] for at in range(CASES)]
    made = Bench(folder / "store", cases, folder / "runs", {})

    async def fill() -> None:
        async with open_app(Settings(data=made.store)) as app:
            for book in samples.books():
                await app.documents.process(await app.documents.accept(Path(str(book))))

    asyncio.run(fill())
    return made


@pytest.fixture(scope="module")
def good(bench) -> dict[str, Results]:
    return {arm: bench.run(Fault(arm)) for arm in ("chat", "parents", "strict", "V3")}


def decided(before: Results, now: Results, arm: str) -> Verdict:
    return gate(before, now, arm=arm, primary="hit@5", margin=0.03)


UNSEEN = pytest.mark.xfail(reason="no measure sees it: each sample book is a field of its own", strict=True)


@pytest.mark.parametrize("name", [pytest.param(one, marks=UNSEEN) if one == "threshold 0" else one for one in FAULTS])
def test_a_regression_is_stopped(name, bench, good):
    fault = FAULTS[name]
    found = decided(good[fault.arm], bench.run(fault), fault.arm)
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
        cases = random.Random(number).sample(bench.cases, len(bench.cases))  # noqa: S311 - an order, no secret
        now = bench.run(Fault(arm), concurrency=1 + number % 8, cases=cases, seed=number)
        found = decided(good[arm], now, arm)
        alarms += [(number, arm, found.reasons)] if found.code else []
    assert not alarms
