"""How long a full run of the lab takes: 300 questions, every arm that works offline, a judge; then scoring it again.

    python bench/lab_speed.py [--store DIR] [--out DIR] [--questions 300] [--profile FILE]

The embedded embedder over the sample books, extractive answers, a reranker by shared words, a scripted judge, and a
scripted model for the arm without documents; the three services run in a process of their own on 127.0.0.1.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from machine import facts, load, one_thread
from samples import cases, opened

from youju import samples
from youju.lab.plan import Plan
from youju.lab.runs import Folder
from youju.lab.service import Progress
from youju.lab.sets import described

TESTS = Path(__file__).resolve().parent.parent / "tests"
OFFLINE = ("V1", "V2", "V2+gate", "V3", "V4", "V4+gate", "chat")
RUNS = {"V0": ("V0",), "offline": OFFLINE}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--store", type=Path)
    asked.add_argument("--out", type=Path, help="keep the runs here")
    asked.add_argument("--questions", type=int, default=300)
    asked.add_argument("--profile", type=Path)
    asked.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    chosen = asked.parse_args()
    if chosen.serve:
        asyncio.run(serve())
        return
    one_thread()
    os.environ["NO_PROXY"] = "127.0.0.1"
    print(facts())
    with tempfile.TemporaryDirectory() as folder, services() as (models, reranker):
        store, out = chosen.store or Path(folder) / "store", chosen.out or Path(folder)
        for name, arms in RUNS.items():
            settings = named(models, reranker, writes=name == "V0")
            with profiled(chosen.profile, name):
                asyncio.run(measured(store, out / name, settings, (arms, chosen.questions)))
            again(out / name)


async def measured(store: Path, out: Path, settings: dict[str, object], wanted: tuple[tuple[str, ...], int]) -> Folder:
    arms, limit = wanted
    async with opened(store, **settings) as app:
        whole = cases()
        asked = [whole[at * len(whole) // limit] for at in range(min(limit, len(whole)))]
        plan = Plan(arms, measuring="full")
        about = described([Path(one.name) for one in samples.question_sets()], asked)
        began = {"all": time.perf_counter()}

        def show(one: Progress) -> None:
            began.setdefault(one.doing, time.perf_counter())

        print(f"{len(asked)} questions × {len(arms)} arms {arms}, load {load()}")
        folder = await app.lab.run(plan, asked, out, about=about, show=show)
        ended = time.perf_counter()
    at = [*began.values(), ended]
    for name, start, end in zip(began, at, at[1:], strict=False):
        print(f"  {name:8} {end - start:7.1f} s")
    missing = [(one["name"], one["missing"]) for one in folder.manifest["arms"] if one["missing"]]
    print(f"  together {ended - began['all']:7.1f} s, load {load()}, {folder.manifest['spent']}, not run: {missing}")
    print(f"  controls {folder.manifest['judge']['controls']['right']}/25")
    return folder


def again(out: Path) -> None:
    """A new process scores the run and writes its report."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "youju", "eval", "report", str(out)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    print(f"  scored again and reported in {time.perf_counter() - started:.1f} s, load {load()}")


def named(models: str, reranker: str, *, writes: bool) -> dict[str, object]:
    """The settings that name the services."""
    found: dict[str, object] = {"judge": {"base_url": models, "model": "judges", "stream": False}}
    if writes:
        return found | {"llm": {"base_url": models, "model": "writes", "stream": False}}
    return found | {"reranker": {"provider": "tei", "base_url": reranker}}


@contextmanager
def services() -> Iterator[tuple[str, str]]:
    """Where the models and the reranker listen."""
    command = [sys.executable, __file__, "--serve"]
    path = os.pathsep.join((str(TESTS), str(TESTS.parent / "src")))
    with subprocess.Popen(  # noqa: S603 - this very file
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    ) as process:
        models, reranker = process.stdout.readline().split() if process.stdout else ("", "")
        try:
            yield models, reranker
        finally:
            process.kill()


async def serve() -> None:
    from paid_models import paid_models  # noqa: PLC0415 - of the tests, and only here
    from rerankers import rerank_server  # noqa: PLC0415

    with paid_models() as models:
        async with rerank_server() as reranker:
            print(models.address, reranker.address, flush=True)
            await asyncio.to_thread(sys.stdin.read)


@contextmanager
def profiled(file: Path | None, name: str) -> Iterator[None]:
    if file is None:
        yield
        return
    with cProfile.Profile() as profile:
        yield
    profile.dump_stats(file.with_suffix(f".{name}"))


if __name__ == "__main__":
    main()
