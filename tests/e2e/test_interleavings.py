"""Uploads, replacements, deletions and questions in orders of chance: no answer shows what is gone, nothing is left."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from apps import environment, opened
from interleaving import NAMES, Book, Play, ends, parsed_here, rest, text_of
from youju.ingest import job

pytestmark = pytest.mark.slow
ORDERS = int(os.environ.get("INTERLEAVINGS", "40"))
KILLS = int(os.environ.get("KILLS", "8"))
SHARES = 4
"""Tests that the orders are divided among."""


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("share", range(SHARES))
async def test_in_no_order_of_events_is_anything_answered_that_is_gone(tmp_path, monkeypatch, share) -> None:
    monkeypatch.setattr(job, "parse_in_child", parsed_here)
    faults: list[str] = []
    for seed in range(share, ORDERS, SHARES):
        async with opened(tmp_path / f"{seed}" / "store", log={"texts": False}) as app:
            play = Play(app, tmp_path / f"{seed}" / "in", seed)
            await play.run()
            await ends(play, play.books.values())
            faults += play.faults
    assert faults == []


def until_done(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if '"done' in line:
            return


def killed(store: Path, seed: int) -> list[dict]:
    """What a process told of its doings before it was killed."""
    path = os.pathsep.join((str(Path(__file__).parents[1]), *filter(None, sys.path)))
    with subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-m", "interleaving", str(store), str(seed)],
        env=environment(PYTHONPATH=path),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        # A catalogue without any version may be one that was lost: its originals are never swept.
        begun = list(until_done(process.stdout))
        time.sleep(random.Random(seed).random() ** 2 * 1.5)  # noqa: S311 - no secret
        process.kill()
        rows = [*begun, *process.stdout.read().splitlines(keepends=True)]
    return [json.loads(row) for row in rows if row.endswith("\n")]


def remembered(rows: list[dict]) -> tuple[dict[str, Book], set[str]]:
    """The books as they were told last, and the names of those in the midst of something."""
    books = {name: Book(name) for name in NAMES}
    midst = set()
    for row in rows:
        what = row.pop("what")
        books[row["name"]] = Book(**row | {"earlier": set(row["earlier"])})
        (midst.discard if what.startswith("done") else midst.add)(row["name"])
    return books, midst


async def ended(store: Path, seed: int, rows: list[dict]) -> list[str]:
    """What is wrong with a store whose process was killed, once the next one has worked on it."""
    books, midst = remembered([dict(row) for row in rows])
    contents = {(row["name"], token) for row in rows for token in (row["latest"], *row["earlier"]) if token}
    async with opened(store, log={"texts": False}) as app:
        play = Play(app, store.parent / "in", seed)
        play.books = books
        play.made = {sha256(text_of(*one).encode()).hexdigest(): one[1] for one in contents}
        play.worker.start()
        await rest(app, play.worker)
        await play.worker.aclose()
        there = {one.file_name.removesuffix(".md"): one for one in await app.documents.listed()}
        for name in midst:
            # Whether the last act came to pass nobody was told: the store says it.
            one, book = there.get(name), books[name]
            if one is None:
                books[name] = Book(name)
                continue
            before = play.made[one.active.sha256] if one.active else ""
            if before and before not in {book.latest, *book.earlier}:
                play.faults.append(f"seed {seed}: {book} has {before!r}")
            books[name] = Book(name, one.id, before or book.latest, {before}, not before, not before, one.enabled)
            books[name].settled = bool(before)
        found = {one.check for one in await app.doctor.examine() if one.level == "fault"}
        # Bytes that were safe, but not yet entered, are nobody's.
        if found - {"残留原始文件"} or (found and not midst):
            play.faults.append(f"seed {seed}: {found}")
        await app.documents.purge.residue()
        await ends(play, books.values())
        return play.faults


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("share", range(2))
def test_after_a_kill_at_any_moment_nothing_is_left_and_nothing_is_answered_that_is_gone(tmp_path, share) -> None:
    faults: list[str] = []
    for seed in range(share, KILLS, 2):
        store = tmp_path / f"{seed}" / "store"
        faults += asyncio.run(ended(store, seed, killed(store, seed)))
    assert faults == []
