"""Peak memory of ingesting a book of many pages, of the whole tree of processes: with a text layer, or scanned.

    python bench/ingest_memory.py text [--pages 500]
    python bench/ingest_memory.py scan [--pages 500]

Every quarter of a second: the sum of the resident sets (RSS), and of the proportional ones (PSS), which count a page of
memory that is shared by two processes by half in each. For scans also a line every tenth page: flat is well. Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from corpus.books import every
from scanning import pages_of, scanned
from youju import samples
from youju.compose import open_app
from youju.ingest.job import Progress
from youju.settings import Settings

TICK_S = 0.25
BLOCK = 20
"""Different scanned pages; more of them are these again."""


@dataclass
class Peak:
    """MiB, of this process and those it started."""

    rss: float = 0.0
    pss: float = 0.0
    recent: float = 0.0

    async def watch(self) -> None:
        while True:
            self.look()
            await asyncio.sleep(TICK_S)

    def look(self) -> None:
        found = [_memory(pid) for pid in _tree()]
        rss, pss = (sum(one[at] for one in found) for at in (0, 1))
        self.rss, self.pss, self.recent = max(self.rss, rss), max(self.pss, pss), max(self.recent, rss)


def _tree() -> Iterator[int]:
    """This process and those that descend from it."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # The name, in brackets, may hold anything.
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    mine = [os.getpid()]
    for one in mine:
        yield one
        mine += [pid for pid, parent in parents.items() if parent == one]


def _memory(pid: int) -> tuple[float, float]:
    """RSS and PSS; nothing of a process that has just ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return 0.0, 0.0
    sizes = {words[0]: int(words[1]) / 1024 for line in lines[1:] if (words := line.split())}
    return sizes.get("Rss:", 0.0), sizes.get("Pss:", 0.0)


def book(kind: str, pages: int) -> bytes:
    if kind == "text":
        return pages_of(_long(), range(1, pages + 1))
    whole = next(one for one in samples.books() if "函数" in one.name).read_bytes()
    block = scanned(pages_of(whole, range(6, 6 + BLOCK)), degrees=0.5, noise=6.0)
    return pages_of(block, [at % BLOCK + 1 for at in range(pages)])


def _long() -> bytes:
    """The book of 500 pages."""
    return every()["book500"]().data


async def measured(path: Path, store: Path) -> None:
    peak, began = Peak(), time.perf_counter()

    def told(progress: Progress) -> None:
        if progress.phase == "PARSING" and progress.done % 10 == 0 and progress.done:
            print(f"page {progress.done}: peak of the last ten {peak.recent:.0f} MiB RSS", flush=True)
            peak.recent = 0.0

    async with open_app(Settings(data=store)) as app:
        peak.look()
        print(f"before: {peak.rss:.0f} MiB RSS, {peak.pss:.0f} PSS")
        watching = asyncio.create_task(peak.watch())
        accepted = await app.documents.accept(path)
        status = await app.documents.process(accepted, report=told)
        watching.cancel()
        document = await app.documents.find(accepted.document_id)
    version = document.active or document.pending
    assert version is not None, "accepted above"  # noqa: S101 (narrows the type)
    print(f"{status}, {version.pages} pages, {version.chunks} chunks, {version.failure or ''}")
    phases = " ".join(f"{name} {seconds:.0f}" for name, seconds in version.timeline)
    print(f"{time.perf_counter() - began:.0f} s: {phases}")
    print(f"peak of all processes: {peak.rss:.0f} MiB RSS, {peak.pss:.0f} MiB PSS")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("text", "scan"))
    parser.add_argument("--pages", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{options.kind}.pdf")
        path.write_bytes(book(options.kind, options.pages))
        asyncio.run(measured(path, Path(folder, "store")))


if __name__ == "__main__":
    main()
