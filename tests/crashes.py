"""Processes that kill themselves at a chosen point: before or after the n-th call of a function that changes anything.

`python -m crashes` stays alive, imports everything once, and forks one process for every line of its input.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import apps
from youju.compose import App
from youju.documents import catalog, leftovers, retirement
from youju.ingest import intake, job, sandbox
from youju.ingest.worker import Worker
from youju.providers.index_sqlite_vectors import SqliteVectors
from youju.providers.index_sqlite_words import SqliteWords
from youju.storage import chunks
from youju.storage.blobs import Blobs
from youju.storage.engine import Store

WATCHED: tuple[tuple[Any, str], ...] = (
    (Blobs, "put"),
    (Blobs, "_settle"),
    (Blobs, "drop"),
    (Store, "write_now"),
    (Store, "checkpoint"),
    (SqliteVectors, "add"),
    (SqliteVectors, "drop"),
    (SqliteWords, "add"),
    (SqliteWords, "drop"),
    (SqliteWords, "scrub"),
    (apps.SqueezedEmbedder, "embed"),
    (intake.Spool, "flush"),
    (catalog, "accept"),
    (catalog, "move"),
    (catalog, "publish"),
    (catalog, "begin_delete"),
    (chunks, "write"),
    (chunks, "drop"),
    (job, "parse_in_child"),
    (leftovers, "arrived"),
    (leftovers, "expect"),
    (leftovers, "forget"),
    (leftovers, "remember"),
    (retirement, "carry_out"),
)


@dataclass
class Points:
    """Counts what is passed; kills at number `deadly`."""

    deadly: int | None
    passed: list[str] = field(default_factory=list)

    def reach(self, name: str) -> None:
        self.passed.append(name)
        if len(self.passed) - 1 == self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self, owner: Any, name: str) -> None:
        inner = getattr(owner, name)

        @functools.wraps(inner)
        def plain(*args: Any, **more: Any) -> Any:
            self.reach(f"before {name}")
            result = inner(*args, **more)
            self.reach(f"after {name}")
            return result

        @functools.wraps(inner)
        async def waiting(*args: Any, **more: Any) -> Any:
            self.reach(f"before {name}")
            result = await inner(*args, **more)
            self.reach(f"after {name}")
            return result

        setattr(owner, name, waiting if inspect.iscoroutinefunction(inner) else plain)


async def add(app: App, file: Path) -> None:
    await app.documents.process(await app.documents.accept(file))


async def upload(app: App, file: Path) -> None:
    async with intake.spooled(app.documents.blobs) as spool:
        spool.add(await asyncio.to_thread(file.read_bytes))
        await spool.flush()
        accepted = await app.documents.accept(spool.path, name=file.name)
    await app.documents.process(accepted)


async def delete(app: App, file: Path) -> None:
    await app.documents.delete((await app.documents.find(file.name)).id)


async def cancel(app: App, file: Path) -> None:
    await app.documents.cancel((await app.documents.find(file.name)).id)
    await app.documents.sweep()


async def work(app: App, file: Path) -> None:
    worker = Worker(app.documents)
    worker.start()
    while (await app.documents.find(file.name)).status != "READY":  # noqa: ASYNC110 - as long as it takes
        await asyncio.sleep(0.01)
    await worker.aclose()


DOING: dict[str, Callable[[App, Path], Awaitable[None]]] = {
    "add": add,
    "upload": upload,
    "delete": delete,
    "cancel": cancel,
    "work": work,
}


async def run(store: Path, what: str, file: Path) -> None:
    async with apps.opened(store) as app:
        await DOING[what](app, file)


class End(NamedTuple):
    """How it ended: `signal` None = by itself, after passing `points`."""

    signal: int | None
    points: list[str]


class Nursery:
    """Where the processes come from."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def run(self, store: Path, what: str, file: Path, deadly: int | None = None) -> End:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([str(store), what, str(file), deadly]), file=self.process.stdin, flush=True)
        return End(*json.loads(self.process.stdout.readline()))


@contextmanager
def nursery() -> Iterator[Nursery]:
    path = os.pathsep.join((str(Path(__file__).parent), *filter(None, sys.path)))
    with subprocess.Popen(
        [sys.executable, "-m", "crashes"],
        env=apps.environment(PYTHONPATH=path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Nursery(process)


def born(store: str, what: str, file: str, deadly: int | None) -> End:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        points = Points(deadly)
        for owner, name in WATCHED:
            points.watch(owner, name)
        asyncio.run(run(Path(store), what, Path(file)))
        with os.fdopen(write, "w") as told:
            json.dump(points.passed, told)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        said = told.read()
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return End(os.WTERMSIG(status), [])
    assert os.WEXITSTATUS(status) == 0
    return End(None, json.loads(said))


if __name__ == "__main__":
    assert sandbox
    for line in sys.stdin:
        sys.stdout.write(json.dumps(born(*json.loads(line))) + "\n")
        sys.stdout.flush()
