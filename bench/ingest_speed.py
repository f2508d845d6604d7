"""How fast files come in: by format and phase, and what each measure for speed brings, in the same run.

    python bench/ingest_speed.py [--quick] [formats] [embedding] [versions] [scans] [queue]

formats: characters, pages and passages a second of each. embedding: sessions of one thread against one of two, longest
first against as they come. versions: a new version with and without the vectors of unchanged chunks. scans: pages read
beside one another against one after the other. queue: files one after the other against two at a time. Sides take
turns. Against the engine of the package the weights come from: `embed_speed.py --chars 350`.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import machine
from formats import files, has_ocr
from while_ingesting import book

from youju.compose import App, open_app
from youju.providers.e5.engines import Int8Engine, framed
from youju.providers.e5.graph import build
from youju.providers.e5.tokens import Tokeniser
from youju.providers.e5.weights import E5Weights, find_weights
from youju.settings import Settings
from youju.storage import tables
from youju.types import Version

WORKERS = 2
PHASES = ("PARSING", "CHUNKING", "EMBEDDING", "INDEXING")


async def ingested(app: App, path: Path, **how: str) -> Version:
    accepted = await app.documents.accept(path, **how)  # type: ignore[arg-type]  # ids by name
    await app.documents.process(accepted)
    found = await app.documents.find(accepted.document_id)
    version = found.active
    if version is None or version.id != accepted.version_id:
        raise SystemExit(f"{path.name}: {found.pending and found.pending.failure}")
    return version


def written(folder: str, name: str, data: bytes) -> Path:
    path = Path(folder, name)
    path.write_bytes(data)
    return path


async def formats(pages: int, scans: int, _rounds: int) -> None:
    columns = ["file", "pages", "characters", "passages", *(f"{one} s" for one in PHASES)]
    columns += ["characters/s", "pages/s", "passages/s embedded"]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    with tempfile.TemporaryDirectory() as folder:
        async with open_app(Settings(data=Path(folder, "store"))) as app:
            await app.documents.job.embedder.embed(["先装入模型"], "passage")
            for name, data in files(pages, scans).items():
                path = written(folder, name, data)
                # The first time a format is read the system reads its parser from disk.
                await ingested(app, path)
                await app.documents.delete((await app.documents.find(path.name)).id)
                version = await ingested(app, path)
                await _row(app, name, version)


async def _row(app: App, name: str, version: Version) -> None:
    count = tables.vector.c.version_id == version.id
    vectors = await app.documents.store.read(lambda tx: len(tx.execute(tables.vector.select().where(count)).all()))
    seconds = dict(version.timeline)
    total = sum(seconds.values())
    figures = [version.pages or "", int(version.quality.get("characters", 0)), vectors]
    figures += [f"{seconds.get(one, 0):.2f}" for one in PHASES]
    figures += [f"{float(version.quality.get('characters', 0)) / total:.0f}"]
    figures += [f"{version.pages / total:.1f}" if version.pages else ""]
    figures += [f"{vectors / max(seconds.get('EMBEDDING', 0), 0.001):.1f}"]
    print(f"| {name.split('.', maxsplit=1)[0]} | {' | '.join(map(str, figures))} |", flush=True)


async def embedding(pages: int, _scans: int, rounds: int) -> None:
    import onnxruntime  # noqa: PLC0415 (heavy)

    weights = E5Weights(find_weights())
    tokeniser = Tokeniser(weights.vocabulary)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = WORKERS, 1
    wide = Int8Engine(weights)
    wide._session = onnxruntime.InferenceSession(build(weights), options)  # noqa: SLF001 (the arm that is not built)
    narrow = Int8Engine(weights)
    text = "".join(book(max(pages, 12), 5).split())
    # As chunks and their windows are: long and short ones in turn, 350 characters on average.
    lengths = [600, 100, 350, 480, 220] * 8
    passages = [text[at * 300 : at * 300 + length] for at, length in enumerate(lengths)]
    words = [weights.embed(framed(tokeniser.ids(f"passage: {one}"), weights)) for one in passages]
    longest = sorted(words, key=len, reverse=True)
    with ThreadPoolExecutor(WORKERS) as pool:
        arms: dict[str, Callable[[], object]] = {
            f"one session of {WORKERS} threads": lambda: [wide.mean(one) for one in words],
            f"{WORKERS} of one thread, as they come": lambda: list(pool.map(narrow.mean, words)),
            f"{WORKERS} of one thread, longest first": lambda: list(pool.map(narrow.mean, longest)),
        }
        took = _in_turns({name: partial(_seconds, arm) for name, arm in arms.items()}, rounds)
    _told(took, len(words), "passages/s")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _in_turns(arms: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    took: dict[str, list[float]] = {name: [] for name in arms}
    for turn in range(rounds):
        for name in list(arms)[:: 1 if turn % 2 else -1]:
            took[name].append(arms[name]())
    return took


def _told(took: Mapping[str, Sequence[float]], amount: float, unit: str) -> None:
    first = statistics.median(next(iter(took.values())))
    for name, seconds in took.items():
        middle = statistics.median(seconds)
        print(f"{name}: {amount / middle:.2f} {unit}, {first / middle:.2f} × the first", flush=True)


async def versions(pages: int, _scans: int, rounds: int) -> None:
    took: dict[str, list[float]] = {"vectors all made anew": [], "vectors of unchanged chunks kept": []}
    for turn in range(rounds):
        text = book(pages, 20 + turn)
        edited = text.replace("### 1.3 节", "### 1.3 节\n\n这一段是新加的，原来的书里没有。", 1)
        with tempfile.TemporaryDirectory() as folder:
            async with open_app(Settings(data=Path(folder, "store"))) as app:
                await ingested(app, written(folder, "书.md", text.encode()))
                path = written(folder, "书.md", edited.encode())
                other = await ingested(app, path, collection="别处")
                again = await ingested(app, path)
        for name, version in zip(took, (other, again), strict=True):
            took[name].append(dict(version.timeline)["EMBEDDING"])
        print(f"round {turn + 1}: {again.quality['chunks_reused']:.0f} of {again.chunks} chunks kept", flush=True)
    _told(took, 1, "new versions/s of embedding")


async def scans(_pages: int, scans_: int, rounds: int) -> None:
    if not has_ocr():
        print("OCR is not installed")
        return
    import pypdfium2  # noqa: PLC0415

    from youju.providers.ocr.scans import Scans  # noqa: PLC0415
    from youju.providers.pdf import chars  # noqa: PLC0415

    data = files(1, scans_)["pdf scanned.pdf"]

    def read(at_once: int) -> float:
        opened = pypdfium2.PdfDocument(data)
        return _seconds(lambda: Scans(opened, at_once=at_once).read(chars.sheets(opened)[0]))

    arms = {"one page at a time": partial(read, 1), f"{WORKERS} pages": partial(read, WORKERS)}
    _told(_in_turns(arms, rounds), scans_, "pages/s")


async def queue(pages: int, scans_: int, rounds: int) -> None:
    made = files(max(pages // 2, 2), max(scans_ // 2, 2))
    took: dict[int, list[float]] = {1: [], 2: []}
    for turn in range(rounds):
        for at_once in (1, 2) if turn % 2 else (2, 1):
            took[at_once].append(await _queue(made, at_once))
    _told({f"{n} at a time": seconds for n, seconds in took.items()}, len(made), "files/s")


async def _queue(made: Mapping[str, bytes], at_once: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        async with open_app(Settings(data=Path(folder, "store"))) as app:
            await app.documents.job.embedder.embed(["先装入模型"], "passage")
            free = asyncio.Semaphore(at_once)

            async def one(name: str, data: bytes) -> None:
                async with free:
                    await ingested(app, written(folder, name, data))

            began = time.perf_counter()
            await asyncio.gather(*(one(name, data) for name, data in made.items()))
            return time.perf_counter() - began


PARTS = {one.__name__: one for one in (formats, embedding, versions, scans, queue)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=" ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="little text, no queue: about a minute and a half")
    options = parser.parse_args()
    pages, scans_, rounds = (4, 2, 1) if options.quick else (30, 12, 3)
    for name in options.parts or (list(PARTS)[:4] if options.quick else PARTS):
        print(f"\n## {name} (load {machine.load()})\n", flush=True)
        asyncio.run(PARTS[name](pages, scans_, rounds))


if __name__ == "__main__":
    main()
