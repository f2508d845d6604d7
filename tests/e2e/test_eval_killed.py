"""`kill -9` in the middle of a run of the lab: taken up again, it gives the same figures and pays for nothing twice."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import time
from pathlib import Path

import pytest

import paid_models
import questions
from apps import MANUAL, RULES, added, opened, ran, started, written
from paid_models import paid_models as serving
from youju.providers.fakes import FakeEmbedder

pytestmark = pytest.mark.slow
KILLS = int(os.environ.get("EVAL_KILLS", "4"))
RUN = ("eval", "run", "set.jsonl", "--arms", "V0,V1,V2,chat", "--judge", "--despite-audit", "--json")
AT_ONCE = 4
"""Calls that may be on their way when the process is killed."""


@pytest.fixture(scope="module")
def models():
    with serving() as found:
        yield found


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a store of both books and a question set."""
    folder = tmp_path_factory.mktemp("home")
    books = [written(folder, "报销规定.md", RULES), written(folder, "网关手册.md", MANUAL)]

    async def fill() -> None:
        async with opened(folder / ".youju", FakeEmbedder()) as app:
            for book in books:
                await added(app, book)

    asyncio.run(fill())
    questions.written(folder)
    return folder


@pytest.fixture(scope="module")
def undisturbed(home, models, tmp_path_factory):
    """The folder of a run that nobody disturbs, its figures, and what it asked."""
    folder = copied(home, tmp_path_factory.mktemp("undisturbed"))
    models.forget()
    done = ran(started(RUN, folder, **paid_models.environment(models)))
    assert done.code == 0, done.err
    report = json.loads(done.out)
    assert (report["judge"]["controls"]["right"], report["manifest"]["stopped"]) == (25, "")
    # A judge by rules says the same again; asked all at once it says the same of the same.
    for way in ("noise", "modes"):
        assert {one["disagreement"] for one in report["judge"][way] if one["compared"]} == {0}
    # Eight answers without the books, then at most as many an arm: who asks the same shares the answer.
    assert 8 < models.of(paid_models.WRITES) <= 4 * 8
    # Controls, then at least the claims of each of those answers.
    assert models.of(paid_models.JUDGES) > 10 + models.of(paid_models.WRITES)
    return folder, figures(folder), models.asked.copy()


def copied(home: Path, folder: Path) -> Path:
    return Path(shutil.copytree(home, folder / "here"))


def figures(folder: Path) -> dict:
    """The report without what a clock says."""
    found = json.loads((folder / "youju-eval" / "report.json").read_text(encoding="utf-8"))
    del found["latency"]
    for name in ("begun_at", "finished_at"):
        del found["manifest"][name]
    for one in found["outcomes"]:
        del one["seconds"], one["stages"]
    return found


def kept(folder: Path) -> int:
    """How many calls were on the disk."""
    file = folder / "youju-eval" / "calls.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_run_goes_on_to_the_same_figures_and_repeats_no_call(home, models, undisturbed, tmp_path, seed):
    _, truth, asked = undisturbed
    draw = random.Random(seed)  # noqa: S311 - a seeded draw, no secret
    deadly, later_s = draw.randint(1, asked.total()), draw.choice([0.0, 0.0, draw.uniform(0, 0.03)])
    folder, environment = copied(home, tmp_path), paid_models.environment(models)
    models.forget()
    process = started(RUN, folder, **environment)

    def kill(number: int) -> None:
        if number == deadly:
            time.sleep(later_s)
            process.kill()

    models.watch = kill
    try:
        killed = ran(process)
    finally:
        models.watch = lambda _: None
    assert killed.code == -9
    before, paid = models.asked.total(), kept(folder)
    assert before - paid <= AT_ONCE
    resumed = ran(started((*RUN, "--resume"), folder, **environment))
    assert resumed.code == 0, resumed.err
    assert models.asked.total() - before == asked.total() - paid
    assert set(models.asked) == set(asked)
    assert figures(folder) == truth


def test_a_run_that_is_finished_asks_nothing_more(models, undisturbed):
    folder, truth, _ = undisturbed
    models.forget()
    again = ran(started((*RUN, "--resume"), folder, **paid_models.environment(models)))
    assert again.code == 0, again.err
    assert not models.asked
    assert len(list((folder / "youju-eval").glob("run-*"))) == 1
    assert figures(folder) == truth
