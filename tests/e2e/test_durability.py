"""Processes killed at every step of what they do: nothing half done is seen, nothing is lost, nothing is left."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from apps import MANUAL, RULES, added, opened, written
from crashes import DOING, Nursery, nursery
from youju.chat.service import Request
from youju.compose import App
from youju.ingest.worker import Worker

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be killed and forked"),
]
QUESTION = "出差住宿费的上限是多少？"
OLD, NEW = "三百二十", "三百五十"
NOVEL = "# 新书\n\n" + "\n\n".join(
    f"## 第{n}节\n\n第 {n} 节说的是青梧网关的第 {n} 个参数，" + "它的默认值见附录，修改以后需要重新启动。" * 6
    for n in range(1, 41)
)
"""More than one slice of chunks."""


@pytest.fixture(scope="module")
def born() -> Iterator[Nursery]:
    with nursery() as made:
        yield made


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Path:
    """Stores to copy: `two` has 规定.md and 手册.md, `one` only the second, `waiting` a third that nobody has begun."""
    folder = tmp_path_factory.mktemp("shelf")

    async def fill() -> None:
        manual, rules = written(folder, "手册.md", MANUAL), written(folder, "规定.md", RULES)
        async with opened(folder / "one") as app:
            await added(app, manual)
        shutil.copytree(folder / "one", folder / "two")
        async with opened(folder / "two") as app:
            await added(app, rules)
        shutil.copytree(folder / "two", folder / "waiting")
        async with opened(folder / "waiting") as app:
            await app.documents.accept(written(folder, "新书.md", NOVEL))

    asyncio.run(fill())
    written(folder, "new/规定.md", RULES.replace(OLD, NEW))
    return folder


@asynccontextmanager
async def restarted(store: Path) -> AsyncIterator[App]:
    """As a server comes back: its worker has done what was waiting, and everything is READY or FAILED."""
    # The log of a question keeps what answered it, which is another matter.
    async with opened(store, log={"texts": False}) as app:
        worker = Worker(app.documents, poll_s=30)
        worker.start()
        try:
            async with asyncio.timeout(60):
                while not worker.idle:  # noqa: ASYNC110 - as long as it takes
                    await asyncio.sleep(0.01)
        finally:
            await worker.aclose()
        assert {one.status for one in await app.documents.listed()} <= {"READY", "FAILED"}
        yield app


async def wrong(app: App) -> set[str]:
    return {one.check for one in await app.doctor.examine() if one.level != "ok"}


async def answer(app: App) -> str:
    turn = await app.chat.ask(Request(QUESTION))
    return turn.answer.text if turn.answer else str(turn.refusal)


def everywhere(store: Path) -> bytes:
    return b"".join(path.read_bytes() for path in store.rglob("*") if path.is_file())


EVERY = 6
"""Of the points in between; 1 tries all of them, which takes minutes."""


def chosen(points: list[str]) -> list[int]:
    """The first and the last time each function ended, and some of the others.

    A function that begins changes nothing: being killed then is being killed after the one before.
    """
    ends = [n for n, point in enumerate(points) if point.startswith("after")]
    first = {points[n]: n for n in reversed(ends)}
    last = {points[n]: n for n in ends}
    return sorted({*first.values(), *last.values(), *ends[::EVERY]})


def crashes(
    born: Nursery, source: Path, target: Path, what: str, file: Path, until: str | None = None
) -> Iterator[tuple[str, Path]]:
    """A store for every point of what is done, as the process left it that was killed there.

    `until`: no point that comes after this one.
    """
    shutil.copytree(source, target)
    points = born.run(target, what, file).points
    shutil.rmtree(target)
    assert len(points) > 5
    for n in chosen(points if until is None else points[: points.index(until)]):
        point = points[n]
        shutil.copytree(source, target)
        assert born.run(target, what, file, n).signal == signal.SIGKILL, point
        yield f"{n}: {point}", target
        shutil.rmtree(target)


async def test_adding_a_file(born, shelf, tmp_path) -> None:
    file = shelf / "新书.md"
    for point, store in crashes(born, shelf / "two", tmp_path / "store", "add", file):
        async with restarted(store) as app:
            assert await wrong(app) == set(), point
            assert OLD in await answer(app), point
            before = {one.file_name for one in await app.documents.listed()}
            assert {"规定.md", "手册.md"} <= before, point
            await DOING["add"](app, file)
            listed = await app.documents.listed()
            assert [(one.file_name, one.status) for one in listed[2:]] == [("新书.md", "READY")], point
            assert await wrong(app) == set(), point


async def test_uploading_a_file_until_it_is_entered(born, shelf, tmp_path) -> None:
    file = shelf / "新书.md"
    for point, store in crashes(born, shelf / "two", tmp_path / "store", "upload", file, until="before parse_in_child"):
        async with restarted(store) as app:
            assert await wrong(app) == set(), point
            named = {one.file_name for one in await app.documents.listed()}
        assert sum(path.is_file() for path in (store / "blobs").rglob("*")) == len(named), point
        assert not list((store / "leases").iterdir()), point


async def test_replacing_a_file(born, shelf, tmp_path) -> None:
    file = shelf / "new" / "规定.md"
    for point, store in crashes(born, shelf / "two", tmp_path / "store", "add", file):
        async with restarted(store) as app:
            assert await wrong(app) == set(), point
            said = await answer(app)
            assert (OLD in said) != (NEW in said), point
            await DOING["add"](app, file)
            assert NEW in await answer(app), point
            assert len(await app.documents.listed()) == 2, point
            assert await wrong(app) == set(), point
        assert OLD.encode() not in everywhere(store), point


async def test_deleting_a_document(born, shelf, tmp_path) -> None:
    file = shelf / "规定.md"
    for point, store in crashes(born, shelf / "two", tmp_path / "store", "delete", file):
        async with restarted(store) as app:
            assert await wrong(app) == set(), point
            if len(await app.documents.listed()) == 2:
                assert OLD in await answer(app), point
                await DOING["delete"](app, file)
            assert await wrong(app) == set(), point
        assert OLD.encode() not in everywhere(store), point
        assert sum(path.is_file() for path in (store / "blobs").rglob("*")) == 1, point


async def test_a_worker_at_its_work(born, shelf, tmp_path) -> None:
    file = shelf / "新书.md"
    for point, store in crashes(born, shelf / "waiting", tmp_path / "store", "work", file):
        async with restarted(store) as app:
            listed = await app.documents.listed()
            assert [one.status for one in listed] == ["READY"] * 3, point
            assert OLD in await answer(app), point
            assert await wrong(app) == set(), point
