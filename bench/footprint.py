"""What a store costs a process of its own: `python bench/footprint.py STORE QUERIES.npz` prints one line of JSON.

Memory is the resident set over what the process had before it opened the store, everything imported and the queries
read, the dictionary of the tokeniser loaded: after the first searches, after many, and after eight at once.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import psutil
from ours import PRINT, Known, Shelf, hybrid

from youju.compose import open_app
from youju.settings import Settings
from youju.text.tokens import query_terms
from youju.types import Scope

MANY = 2000
TOGETHER = 8


class Memory:
    """Resident MiB over the beginning."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._start = self._resident()

    def added(self) -> float:
        return round(self._resident() - self._start, 1)

    def _resident(self) -> float:
        gc.collect()
        return float(self._process.memory_info().rss) / 2**20


async def measured(folder: Path, asked: Sequence[str], rows: np.ndarray) -> dict[str, float]:
    query_terms("词典")
    memory = Memory()
    started = time.perf_counter()
    shelf = Shelf(folder)
    found = {"open_ms": _ms(started)}
    pipeline = shelf.search(Known(asked, rows))
    for name, search in (
        ("keyword", shelf.words.matching(asked[0], Scope(), 15)),
        ("vector", shelf.vectors.nearest(rows[0], Scope(), 15, PRINT)),
        ("hybrid", hybrid(pipeline, asked[1], Scope())),
    ):
        started = time.perf_counter()
        await search
        found[f"first_{name}_ms"] = _ms(started)
    found["after_first_mib"] = memory.added()
    for number in range(MANY):
        await hybrid(pipeline, asked[number % len(asked)], Scope())
        if number == MANY // 2:
            found["after_half_mib"] = memory.added()
    found["after_all_mib"] = memory.added()
    for start in range(0, 200, TOGETHER):
        several = [asked[(start + n) % len(asked)] for n in range(TOGETHER)]
        await asyncio.gather(*(hybrid(pipeline, question, Scope()) for question in several))
    found["eight_at_once_mib"] = memory.added()
    await shelf.store.aclose()
    return found


async def allocated(folder: Path, asked: Sequence[str], rows: np.ndarray) -> float:
    """MiB that Python and numpy hold for the store after a search in each channel; SQLite's own are not counted."""
    tracemalloc.start()
    shelf = Shelf(folder)
    await hybrid(shelf.search(Known(asked, rows)), asked[0], Scope())
    gc.collect()
    held = tracemalloc.get_traced_memory()[0] / 2**20
    tracemalloc.stop()
    await shelf.store.aclose()
    return round(held, 1)


async def opened(folder: Path, known: Known) -> float:
    """Milliseconds until the whole product stands over the store; imports are done."""
    started = time.perf_counter()
    async with open_app(Settings(data=folder), embedder=known):
        return _ms(started)


def _ms(started: float) -> float:
    return round(1000 * (time.perf_counter() - started), 1)


def main() -> None:
    folder, queries = Path(sys.argv[1]), np.load(sys.argv[2])
    asked = [str(one) for one in queries["asked"]]
    found = asyncio.run(measured(folder, asked, queries["rows"]))
    found["open_app_ms"] = asyncio.run(opened(folder, Known(asked, queries["rows"])))
    found["allocated_mib"] = asyncio.run(allocated(folder, asked, queries["rows"]))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
