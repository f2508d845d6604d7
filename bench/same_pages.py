"""Whether a scanned book answers from the same pages as the book itself: each sample book in both forms.

    python bench/same_pages.py [--books 函数 慢行 …] [--dpi 200] [--noise 6] [--degrees 0.5] [--keep DIR] [--misses]

Every question of the book's set is asked of both forms, each alone in a store of its own. The pages are those of the
cited sources; an answer that cites nothing has none, and agrees with another that cites nothing. Needs the extra `ocr`.
`--keep`: where the stores stay, to be asked again without reading the scans again.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from samples import cases

from scanning import scanned
from youju import samples
from youju.chat.service import Request
from youju.compose import open_app
from youju.ingest.job import Progress
from youju.lab.dataset import Case
from youju.settings import Settings
from youju.types import Turn


@dataclass(frozen=True)
class Found:
    """What a form of the book answers: the pages cited, and those of the first source."""

    pages: frozenset[int]
    first: frozenset[int]
    outcome: str


def asked_of(book: str) -> list[Case]:
    """The questions of the set that is about the book."""
    sets = {case.id.split("-")[0] for case in cases() if any(one.doc == book for one in case.evidence)}
    return [case for case in cases() if case.id.split("-")[0] in sets]


async def answered(path: Path, store: Path, asked: Sequence[Case]) -> list[Found]:
    async with open_app(Settings(data=store)) as app:
        accepted = await app.documents.accept(path)
        began = time.perf_counter()
        status = await app.documents.process(accepted, report=_told)
        print(f"{store.name}: {status} after {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        return [_found(await app.chat.ask(Request(case.question))) for case in asked]


def _found(turn: Turn) -> Found:
    cited = [one for one in turn.sources if one.cited]
    pages = frozenset(n for one in cited for n in range(one.page_start or 0, (one.page_end or 0) + 1))
    first = frozenset(range(cited[0].page_start or 0, (cited[0].page_end or 0) + 1)) if cited else frozenset()
    return Found(pages, first, str(turn.refusal or "answered"))


def _told(progress: Progress) -> None:
    if progress.phase == "PARSING" and progress.done % 10 == 1:
        print(f"page {progress.done} of {progress.total}", file=sys.stderr, flush=True)


def share(right: int, total: int) -> str:
    return f"{right}/{total} {right / max(total, 1):.3f}"


def compared(asked: Sequence[Case], text: Sequence[Found], scan: Sequence[Found], *, misses: bool) -> list[int]:
    """Questions, equal pages; of those with sources in either form: count, equal pages, equal first, overlapping."""
    pairs = list(zip(asked, text, scan, strict=True))
    citing = [(a, b) for _, a, b in pairs if a.pages or b.pages]
    if misses:
        for case, a, b in pairs:
            if a.pages != b.pages:
                pages = f"text {sorted(a.pages)} {a.outcome}; scan {sorted(b.pages)} {b.outcome}"
                print(f"  {case.id} {case.question} {pages}")
    return [
        len(pairs),
        sum(a.pages == b.pages for _, a, b in pairs),
        len(citing),
        sum(a.pages == b.pages for a, b in citing),
        sum(a.first == b.first for a, b in citing),
        sum(bool(a.pages & b.pages) for a, b in citing),
    ]


def row(name: str, counts: Sequence[int], gold: Sequence[str]) -> str:
    total, same, citing, *rest = counts
    return f"| {' | '.join([name, share(same, total), *(share(one, citing) for one in rest), *gold])} |"


def right(asked: Sequence[Case], found: Sequence[Found]) -> str:
    """Of the questions with evidence, those whose answer cites a page of it."""
    pairs = [(case, one) for case, one in zip(asked, found, strict=True) if case.answerable and case.evidence]
    hits = sum(bool(one.pages & {n for e in case.evidence for n in e.pages}) for case, one in pairs)
    return share(hits, len(pairs))


async def measured(options: argparse.Namespace, folder: Path) -> None:
    print("| book | same pages | same, where cited | same first source | a page in common | right: text | scan |")
    print("|---|---|---|---|---|---|---|", flush=True)
    everything = [0] * 6
    for book in samples.books():
        name = Path(book.name).stem
        if not book.name.endswith(".pdf") or (options.books and not any(one in name for one in options.books)):
            continue
        asked = asked_of(name)
        path, scan = folder / f"{name}.pdf", folder / "scan" / f"{name}.pdf"
        path.write_bytes(book.read_bytes())
        scan.parent.mkdir(exist_ok=True)
        if not scan.exists():
            scan.write_bytes(scanned(path.read_bytes(), options.dpi, degrees=options.degrees, noise=options.noise))
        text_found = await answered(path, folder / f"{name}-text", asked)
        scan_found = await answered(scan, folder / f"{name}-scan", asked)
        counts = compared(asked, text_found, scan_found, misses=options.misses)
        everything = [a + b for a, b in zip(everything, counts, strict=True)]
        print(row(name, counts, [right(asked, text_found), right(asked, scan_found)]), flush=True)
    print(row("all", everything, ["", ""]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--books", nargs="*", default=[])
    parser.add_argument("--dpi", type=int, default=200)
    parser.add_argument("--noise", type=float, default=6.0)
    parser.add_argument("--degrees", type=float, default=0.5)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as other:
        folder = options.keep or Path(other)
        folder.mkdir(exist_ok=True)
        asyncio.run(measured(options, folder))


if __name__ == "__main__":
    main()
