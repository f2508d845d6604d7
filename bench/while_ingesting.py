"""How long a question takes while a big book is ingested in the same process, against a quiet one.

    python bench/while_ingesting.py [--pages 500] [--rounds 2] [--asks 60] [--rate 2] [--store DIR] [--alone]

A round: half of the quiet questions, a new book with questions until it is READY, the other half of the quiet ones; so
that what else the machine does weighs on both alike. A question is a whole `Chat.ask`, timed from when it was due. The
book is Markdown of seeded recombined sentences of the samples, 1 200 characters a page. `--alone`: one more book with
nobody asking, for the rate of ingestion. On a machine that others use take many short rounds: `--pages 20 --rounds 10
--asks 20`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from embed_speed import resident_mib
from samples import cases, opened
from sqlalchemy import event

from youju.chat.service import Request
from youju.compose import App
from youju.storage.engine import Store

SOURCE = Path(__file__).parent.parent / "samples" / "source"
PAGE_CHARS = 1200
TICK_S = 0.02
WARM = 8


def book(pages: int, seed: int) -> str:
    """Markdown: a chapter every ten pages, a section every page, paragraphs of four sentences."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(SOURCE.glob("*.md")))
    found = {
        one for one in re.findall(r"[^\n。！？|#`]{12,90}[。！？]", text) if not one.lstrip().startswith(("-", "*"))
    }
    sentences = sorted(found)
    parts = [f"# 合订本 {seed}"]
    for page in range(pages):
        if page % 10 == 0:
            parts.append(f"## 第 {page // 10 + 1} 章")
        parts.append(f"### {page // 10 + 1}.{page % 10 + 1} 节")
        length = 0
        while length < PAGE_CHARS:
            parts.append("".join(chance.choices(sentences, k=4)))
            length += len(parts[-1])
    return "\n\n".join(parts)


@dataclass
class Watch:
    """What is seen beside the questions: held write locks, how late the loop was, resident memory."""

    held_ms: list[float] = field(default_factory=list)
    late_ms: list[float] = field(default_factory=list)
    resident: list[float] = field(default_factory=list)

    def on(self, store: Store) -> None:
        begun = [0.0]

        def begin(_: object) -> None:
            begun[0] = time.perf_counter()

        def end(_: object) -> None:
            self.held_ms.append((time.perf_counter() - begun[0]) * 1000)

        # Registered after the store's own, hence told when the lock is already held.
        event.listen(store._writer, "begin", begin)  # noqa: SLF001 - only a bench wants to know
        event.listen(store._writer, "commit", end)  # noqa: SLF001
        event.listen(store._writer, "rollback", end)  # noqa: SLF001

    async def run(self) -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(TICK_S)
            self.late_ms.append((time.perf_counter() - started - TICK_S) * 1000)
            self.resident.append(now_resident_mib())


def now_resident_mib() -> float:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return resident_mib()
    return int(statm.read_text().split()[1]) * resource.getpagesize() / 2**20


class Asking:
    """Questions at a steady rate, however long each takes; milliseconds from when each was due."""

    def __init__(self, app: App, questions: Sequence[str], rate: float) -> None:
        self._app = app
        self._questions = questions
        self._rate = rate
        self._asked = 0

    async def go(self, more: Callable[[int], bool]) -> list[float]:
        """Ask as long as `more(asked)` says so."""
        taken: list[float] = []
        running: list[asyncio.Task[None]] = []
        start, number = time.perf_counter(), 0
        while more(number):
            due = start + number / self._rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            running.append(asyncio.create_task(self._one(due, taken)))
            number += 1
        await asyncio.gather(*running)
        return taken

    async def _one(self, due: float, taken: list[float]) -> None:
        question = self._questions[self._asked % len(self._questions)]
        self._asked += 1
        await self._app.chat.ask(Request(question))
        taken.append((time.perf_counter() - due) * 1000)


async def ingest(app: App, folder: Path, pages: int, seed: int) -> tuple[float, int, str]:
    """Seconds, vectors, and the timeline."""
    path = folder / f"book{seed}.md"
    path.write_text(book(pages, seed), encoding="utf-8")
    accepted = await app.documents.accept(path)
    started = time.perf_counter()
    status = await app.documents.process(accepted)
    seconds = time.perf_counter() - started
    document = await app.documents.find(accepted.document_id)
    receipt = await app.documents.delete(accepted.document_id)
    timeline = document.active.timeline if document.active else ()
    return seconds, receipt.vectors, f"{status} {' '.join(f'{name} {taken:.1f}' for name, taken in timeline)}"


def shown(name: str, taken: Sequence[float]) -> str:
    p50, p95, top = np.percentile(taken, [50, 95, 100])
    return f"{name:5s} n {len(taken):4d}  p50 {p50:6.1f}  p95 {p95:6.1f}  max {top:6.1f} ms"


class Bench:
    def __init__(self, app: App, options: argparse.Namespace, folder: Path) -> None:
        self._app = app
        self._options = options
        self._folder = folder
        questions = [case.question for case in cases("dev")]
        random.Random(7).shuffle(questions)  # noqa: S311
        self._asking = Asking(app, questions, options.rate)
        self._watch = Watch()
        self._watch.on(app.documents.store)
        self._quiet: list[float] = []
        self._busy: list[float] = []

    async def run(self) -> None:
        await self._asking.go(lambda n: n < WARM)
        print(f"resident before {now_resident_mib():.0f} MiB, load {os.getloadavg()[0]:.2f}")
        for turn in range(self._options.rounds):
            await self._round(turn)
        print(shown("quiet", self._quiet), shown("busy", self._busy), sep="\n")
        ratio = np.percentile(self._busy, [50, 95]) / np.percentile(self._quiet, [50, 95])
        print(f"ratio p50 {ratio[0]:.2f}, p95 {ratio[1]:.2f}")
        print(f"resident while ingesting {max(self._watch.resident):.0f} MiB, peak {resident_mib():.0f}")
        if self._options.alone:
            seconds, vectors, timeline = await ingest(self._app, self._folder, self._options.pages, -1)
            print(f"alone: {seconds:.1f} s, {vectors} vectors, {vectors / seconds:.1f} vectors/s; {timeline}")

    async def _round(self, turn: int) -> None:
        half = -(-self._options.asks // 2)
        quiet = await self._asking.go(lambda n: n < half)
        self._watch.held_ms.clear()
        self._watch.late_ms.clear()
        watching = asyncio.create_task(self._watch.run())
        work = asyncio.create_task(ingest(self._app, self._folder, self._options.pages, turn))
        busy = await self._asking.go(lambda _: not work.done())
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        seconds, vectors, timeline = await work
        held, late = sorted(self._watch.held_ms)[:-6:-1], self._watch.late_ms
        quiet += await self._asking.go(lambda n: n < half)
        print(f"round {turn + 1}, load {os.getloadavg()[0]:.2f}")
        print(" ", shown("quiet", quiet))
        print(" ", shown("busy", busy))
        print(f"  ingested in {seconds:.1f} s, {vectors} vectors, {vectors / seconds:.1f} a second; {timeline}")
        print(f"  write lock held: longest {', '.join(f'{one:.0f}' for one in held)} ms")
        print(f"  loop late: p95 {np.percentile(late, 95):.1f}, max {max(late):.0f} ms")
        self._quiet += quiet
        self._busy += busy


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--asks", type=int, default=60)
    parser.add_argument("--rate", type=float, default=2.0)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "youju-bench-samples")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        async with opened(options.store) as app:
            await Bench(app, options, Path(folder)).run()


if __name__ == "__main__":
    asyncio.run(main())
