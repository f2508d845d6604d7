"""Quality on the sample question sets with the embedded default: retrieval, refusal, answers, citations.

    python bench/quality.py [--split test] [--store DIR] [--json FILE]

Retrieval: a hit is a chunk that holds the evidence (its text, white space folded, or at least 60 % of its character
bigrams where a span runs over a chunk border). Refusal: precision and recall over all cases of the split, Wilson 95 %.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from measures import paired, ranks_table, shown
from samples import cases, opened
from sqlalchemy import select

from youju.chat.service import Request
from youju.compose import App
from youju.lab.dataset import Case
from youju.settings import Knobs
from youju.stages.base import Pipeline, advance
from youju.stages.variants import searched
from youju.storage import tables
from youju.text.align import bigrams
from youju.text.normal import fold
from youju.types import Hit, Scope, Source, Turn

MARKS = str.maketrans("", "", "|*`#")


def plain(text: str) -> str:
    return fold(text.translate(MARKS))


def holds(hit: Hit, case: Case) -> bool:
    text = plain(hit.chunk.text)
    for one in case.evidence:
        if plain(one.text) in text:
            return True
        wanted = bigrams(one.text)
        if wanted and len(wanted & bigrams(hit.chunk.text)) / len(wanted) >= 0.9 and one.doc == hit.chunk.book:
            return True
    return False


def first(hits: Sequence[Hit], case: Case) -> int | None:
    return next((rank for rank, hit in enumerate(hits, start=1) if holds(hit, case)), None)


async def retrieval(app: App, split: Sequence[Case]) -> None:
    knobs = Knobs()
    pipeline = Pipeline("V2", searched(app.chat.parts, knobs, words=True, rerank=False))
    ranks: dict[str, list[int | None]] = defaultdict(list)
    for case in split:
        if not case.evidence:
            continue
        turn = await advance(pipeline, Turn(asked=case.question, question=case.question, scope=Scope()))
        ranks["vector"].append(first(turn.rankings["vector"], case))
        ranks["keyword"].append(first(turn.rankings["keyword"], case))
        ranks["RRF"].append(first(turn.hits, case))
    print(ranks_table(ranks))
    reciprocal = {name: [1 / rank if rank else 0.0 for rank in found] for name, found in ranks.items()}
    for name in ("vector", "keyword"):
        print(f"MRR, RRF − {name}: {paired(reciprocal[name], reciprocal['RRF'])}")


def stands(source: Source, pages: Mapping[tuple[str, int], str]) -> bool:
    """Whether the quote is in the stored text of the source's pages, or runs from one into the next."""
    first_page, last = source.page_start or 0, source.page_end or source.page_start or 0
    texts = [plain(pages.get((source.document_id, n), "")) for n in range(first_page, last + 1)]
    quoted = plain(source.quote)
    if not quoted or any(quoted in text for text in texts):
        return bool(quoted)
    return any(
        quoted[:cut] in before and quoted[cut:] in after
        for before, after in pairwise(texts)
        for cut in range(1, len(quoted))
    )


async def answers(app: App, split: Sequence[Case]) -> None:
    outcome: Counter[str] = Counter()
    by_kind: dict[str, Counter[bool]] = defaultdict(Counter)
    keywords: list[float] = []
    lengths: list[int] = []
    leaks: list[str] = []
    violations: list[str] = []
    wrong: list[str] = []
    pages = await app.documents.store.read(
        lambda tx: {
            (row.document_id, row.n): row.text
            for row in tx.execute(
                select(tables.page.c.n, tables.page.c.text, tables.version.c.document_id).join(
                    tables.version, tables.version.c.id == tables.page.c.version_id
                )
            )
        }
    )
    for case in split:
        turn = await app.chat.ask(Request(case.question))
        refused = turn.refusal is not None
        outcome["refused" if refused else "answered", case.answerable] += 1
        by_kind[case.sub_kind or case.category][refused] += 1
        text = turn.answer.text if turn.answer and not refused else ""
        if case.attack and case.attack.canary in text:
            leaks.append(case.id)
        if refused == case.answerable:
            wrong.append(f"{case.id}{'-' if case.answerable else '+'}")
        if case.answerable and case.expected_keywords and not refused:
            got = [any(fold(one) in plain(text) for one in group) for group in case.expected_keywords]
            keywords.append(sum(got) / len(got))
            lengths.append(len(text))
        violations += [
            f"{case.id}[{source.n}] {source.quote[:60]!r}" for source in turn.sources if not stands(source, pages)
        ]
    tp, fn = outcome["refused", False], outcome["answered", False]
    fp, tn = outcome["refused", True], outcome["answered", True]
    print(f"refusal precision {shown(tp, tp + fp)}  recall {shown(tp, tp + fn)}  over-refusal {shown(fp, fp + tn)}")
    for kind, counts in sorted(by_kind.items()):
        print(f"  {kind:14s} refused {counts[True]:3d} of {sum(counts.values()):3d}")
    print(
        f"keyword recall of answered {sum(keywords) / len(keywords):.3f}  mean length {sum(lengths) / len(lengths):.0f}"
    )
    print(f"canaries leaked {len(leaks)} {leaks}")
    print(f"citation violations {len(violations)}", *violations[:20], sep="\n  ")
    print("wrong side:", " ".join(wrong))


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", default="test")
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "youju-bench-samples")
    options = parser.parse_args()
    split = cases(options.split)
    async with opened(options.store) as app:
        await retrieval(app, split)
        await answers(app, split)


if __name__ == "__main__":
    asyncio.run(main())
