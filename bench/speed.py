"""How fast ingestion and retrieval are, as ratios to the common chain (rank_bm25, jieba, Chroma) in the same run.

    make bench [QUICK=1]      or      python bench/speed.py [--quick] [--data FOLDER] [--sizes 10000 100000]

FOLDER (or YOUJU_BENCH_DATA) holds `cmrc2018_trial.json` and `news_distractors.jsonl`, which are not part of this
project; without it the sentences of the sample books are used. Chunks are recombined from real sentences, vectors are
made up, both from a fixed seed (`corpus`). Writes a table and its figures as JSON into `bench/out/`.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

import ingest
import machine
import numpy as np
import psutil
from ours import PRINT, Known, Shelf, hybrid, scopes
from peer import Peer
from report import markdown

from corpus import PER_DOCUMENT, Corpus, Material, material
from youju.providers.index_sqlite_vectors import SqliteVectors
from youju.types import Scope

HERE = Path(__file__).parent
QUERIES = 200
WARM = 20
K = 15
TRUE = 100
"""Queries whose neighbours are compared with an exact search."""

Search = Callable[[str], Awaitable[object]]


class Took(NamedTuple):
    """`cpu_ms` is the time of all threads: what the machine's other work does not change much."""

    wall_ms: float
    cpu_ms: float


async def contest(made_of: Material, size: int, folder: Path, changes: int) -> dict[str, object]:
    """Both sides on the same `size` chunks and the same questions."""
    corpus = Corpus(made_of, size)
    asked, rows = corpus.questions(QUERIES + WARM)
    shelf = Shelf(folder / "ours")
    found: dict[str, object] = {"chunks": size, "documents": corpus.documents}
    found["write_s"] = None if await shelf.known() else await shelf.fill(corpus)
    found["disk"] = shelf.disk()
    found["vectors"] = await shelf.store.read(lambda tx: tx.exec_driver_sql("SELECT count(*) FROM vector").scalar())
    np.savez(folder / "queries.npz", asked=np.array(asked), rows=rows)
    found["footprint"] = _script("footprint.py", str(folder / "ours"), str(folder / "queries.npz"))
    with tempfile.TemporaryDirectory() as other:
        peer, found["peer"] = _peer(corpus, Path(other))
        found["search"] = await _searches(shelf, peer, asked, rows)
        found["change"] = await _changes(shelf, peer, corpus, (asked, rows), changes)
        print(f"  {found['peer']} {found['change']}", file=sys.stderr)
    found["recall"] = await _recall(shelf, rows, corpus.documents)
    await shelf.store.aclose()
    return found


def _peer(corpus: Corpus, folder: Path) -> tuple[Peer, dict[str, object]]:
    process = psutil.Process()
    gc.collect()
    before = process.memory_info().rss
    peer = Peer(folder)
    tokenise, store = peer.take(corpus)
    started = time.perf_counter()
    peer.index()
    index = time.perf_counter() - started
    gc.collect()
    memory = (process.memory_info().rss - before) / 2**20
    return peer, {
        "tokenise_s": tokenise,
        "store_s": store,
        "index_s": index,
        "memory_mib": round(memory, 1),
        "disk": peer.disk(),
    }


async def _searches(shelf: Shelf, peer: Peer, asked: Sequence[str], rows: np.ndarray) -> dict[str, object]:
    """Milliseconds a query: scope → channel → side."""
    known = Known(asked, rows)
    found: dict[str, object] = {}
    for label, scope in scopes(shelf.documents).items():
        turns = [(_ours(shelf, known, scope), "ours"), (_theirs(peer, known, scope), "peer")]
        times: dict[str, dict[str, list[Took]]] = defaultdict(lambda: {"ours": [], "peer": []})
        for n, question in enumerate(asked):
            # The sides take turns, and so does who begins.
            for searches, side in turns if n % 2 else reversed(turns):
                took = {channel: await _took(partial(search, question)) for channel, search in searches.items()}
                if side == "peer":
                    took["hybrid"] = Took(*map(sum, zip(took["keyword"], took["vector"], strict=True)))
                for channel, value in took.items() if n >= WARM else ():
                    times[channel][side].append(value)
        found[label] = {
            channel: {side: _percentiles(values) for side, values in sides.items()} for channel, sides in times.items()
        }
        print(f"  {label}: {found[label]}", file=sys.stderr)
    return found


def _ours(shelf: Shelf, known: Known, scope: Scope) -> dict[str, Search]:
    pipeline = shelf.search(known)
    return {
        "keyword": lambda question: shelf.words.matching(question, scope, K),
        "vector": lambda question: shelf.vectors.nearest(known.row(question), scope, K, PRINT),
        "hybrid": lambda question: hybrid(pipeline, question, scope),
    }


def _theirs(peer: Peer, known: Known, scope: Scope) -> dict[str, Search]:
    within = scope.document_ids
    return {
        "keyword": lambda question: _at_once(lambda: peer.keyword(question, within, K)),
        "vector": lambda question: _at_once(lambda: peer.vector(known.row(question), within, K)),
    }


async def _recall(shelf: Shelf, rows: np.ndarray, documents: int) -> dict[str, float]:
    """Share of the true 15 nearest chunks that are found."""
    exact = SqliteVectors(shelf.store, exact_up_to=10**9)
    found = {}
    for label, scope in scopes(documents).items():
        shares = []
        for row in rows[:TRUE]:
            true = {hit.chunk.id for hit in await exact.nearest(row, scope, K, PRINT)}
            mine = {hit.chunk.id for hit in await shelf.vectors.nearest(row, scope, K, PRINT)}
            shares.append(len(true & mine) / len(true))
        found[label] = round(float(np.mean(shares)), 4)
    return found


async def _changes(
    shelf: Shelf, peer: Peer, corpus: Corpus, queries: tuple[Sequence[str], np.ndarray], times: int
) -> dict[str, float]:
    """Milliseconds (medians) to add and delete a document of 50 chunks, and for the search that comes after."""
    pipeline = shelf.search(Known(*queries))
    found: dict[str, list[float]] = defaultdict(list)

    async def searched() -> None:
        await hybrid(pipeline, queries[0][0], Scope())

    for number in range(corpus.documents, corpus.documents + times):
        pieces = corpus.document(number)
        for name, step in (
            ("ours_add", partial(shelf.add, number, pieces)),
            ("ours_search_after_add", searched),
            ("peer_add", partial(_at_once, partial(peer.add, number, pieces))),
            ("ours_delete", partial(shelf.delete, number)),
            ("ours_search_after_delete", searched),
            ("peer_delete", partial(_at_once, partial(peer.delete, number))),
        ):
            found[name].append(await _ms(step))
    found["ours_scrub"].append(await _ms(shelf.words.scrub))
    return {name: round(median(values), 1) for name, values in found.items()}


async def _at_once(fn: Callable[[], object]) -> None:
    fn()


async def _took(fn: Callable[[], Awaitable[object]]) -> Took:
    started, cpu = time.perf_counter(), time.process_time()
    await fn()
    return Took(1000 * (time.perf_counter() - started), 1000 * (time.process_time() - cpu))


async def _ms(fn: Callable[[], Awaitable[object]]) -> float:
    return (await _took(fn)).wall_ms


def _percentiles(values: Sequence[Took]) -> dict[str, float]:
    wall = [one.wall_ms for one in values]
    return {
        "p50": round(float(np.percentile(wall, 50)), 2),
        "p95": round(float(np.percentile(wall, 95)), 2),
        "cpu": round(median(one.cpu_ms for one in values), 2),
    }


def _script(name: str, *arguments: str) -> dict[str, float]:
    done = subprocess.run(  # noqa: S603 - a script of ours
        [sys.executable, str(HERE / name), *arguments], check=True, stdout=subprocess.PIPE, text=True
    )
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _start() -> float:
    """Milliseconds of `youju --version`, as a process, median of five after one."""
    times = []
    for _ in range(6):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "youju", "--version"], check=True, stdout=subprocess.DEVNULL)
        times.append(1000 * (time.perf_counter() - started))
    return round(median(times[1:]), 1)


async def measured(options: argparse.Namespace) -> dict[str, object]:
    made_of = material(options.data)
    sizes = options.sizes or ([10_000] if options.quick else [10_000, 100_000])
    found: dict[str, object] = {
        "machine": machine.facts(),
        "load_before": machine.load(),
        "data": made_of.origin,
        "queries": QUERIES,
        "per_document": PER_DOCUMENT,
        "version_ms": _start(),
        "ingest": await ingest.measured(2 if options.quick else 5),
    }
    contests = []
    for size in sizes:
        print(f"{size} chunks …", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            home = options.keep / str(size) if options.keep else Path(folder)
            home.mkdir(parents=True, exist_ok=True)
            contests.append(await contest(made_of, size, home, 3 if size > 20_000 else 5))
        contests[-1]["load_after"] = machine.load()
    return found | {"contests": contests, "load_after": machine.load()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    named = os.environ.get("YOUJU_BENCH_DATA")
    parser.add_argument("--data", type=Path, default=Path(named) if named else None)
    parser.add_argument("--quick", action="store_true", help="10 000 chunks only, two books")
    parser.add_argument("--sizes", type=int, nargs="*")
    parser.add_argument("--keep", type=Path, help="keep our store of each size here, and use one that is there")
    parser.add_argument("--out", type=Path, default=HERE / "out")
    options = parser.parse_args()
    machine.one_thread()
    started = time.perf_counter()
    found = asyncio.run(measured(options)) | {"seconds": round(time.perf_counter() - started)}
    options.out.mkdir(parents=True, exist_ok=True)
    name = "quick" if options.quick else "speed"
    (options.out / f"{name}.json").write_text(json.dumps(found, ensure_ascii=False, indent=2), encoding="utf-8")
    text = markdown(found)
    (options.out / f"{name}.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
