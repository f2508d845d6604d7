"""How much of the labelled evidence is found, and how high it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from youju.lab.dataset import Evidence
from youju.lab.measures.base import Computed, Measure
from youju.lab.measures.channels import CHANNELS, ranked
from youju.lab.measures.ranks import average_precision, found, ndcg, reciprocal_rank
from youju.lab.relevance import Holds, firsts, groups, holds, holds_text, on_pages, relevant
from youju.lab.results import MeasureInfo
from youju.lab.score import Score, not_applicable, ok, share
from youju.lab.seen import Seen
from youju.types import Chunk

NO_GOLD = "题目没有标注出处"
BUDGET_CHARS = 2000


class Asked(NamedTuple):
    """A ranking and what it should hold; `wanted` is never empty."""

    chunks: tuple[Chunk, ...]
    wanted: tuple[tuple[Evidence, ...], ...]


def asked(seen: Seen, ranking: str, field: str = "") -> Asked | Score:
    """The ranking and the evidence; n/a without evidence that has `field` (text, pages), or without the ranking."""
    chunks = ranked(seen, ranking)
    if isinstance(chunks, Score):
        return chunks
    labelled = groups(seen.case) if seen.case.answerable else ()
    kept = [tuple(one for one in group if not field or getattr(one, field)) for group in labelled]
    wanted = tuple(group for group in kept if group)
    return Asked(chunks, wanted) if wanted else not_applicable(NO_GOLD)


def recall(seen: Seen, ranking: str, k: int, field: str = "", how: Holds = holds) -> Score:
    """|E ∩ L_k| / |E|: the share of the pieces of evidence that the first k chunks hold.

    Alternatives count once; a span over a chunk's border is held by both chunks together. Nothing retrieved is 0; no
    evidence labelled is n/a. page_recall counts pieces with pages, by page alone, which a large chunk inflates;
    span_recall those with a text, by their text.
    """
    given = asked(seen, ranking, field)
    if isinstance(given, Score):
        return given
    return share(found(firsts(seen, given.chunks, given.wanted, how), k), len(given.wanted))


def recall_in_chars(seen: Seen, ranking: str, chars: int) -> Score:
    """As recall@k, for what stands in the first `chars` characters of the ranking, so that size gains nothing."""
    given = asked(seen, ranking)
    if isinstance(given, Score):
        return given
    within = _cut(given.chunks, chars)
    return share(found(firsts(seen, within, given.wanted), len(within)), len(given.wanted))


def context_recall(seen: Seen) -> Score:
    """The share of the pieces of evidence in what the model was given; 0 where no context was made, n/a as recall@k."""
    given = asked(seen, "context")
    if isinstance(given, Score):
        return given
    wide = {item.hit.chunk.id: item.text for item in seen.turn.context}
    chunks = [replace(chunk, text=wide.get(chunk.id, chunk.text)) for chunk in given.chunks]
    return share(found(firsts(seen, chunks, given.wanted), len(chunks)), len(given.wanted))


def widened(seen: Seen) -> Score:
    """The share of the context's items whose text is wider than the chunk found; 0 in an arm that does not expand.

    n/a where no context was made.
    """
    context = seen.turn.context
    wider = sum(len(item.text) > len(item.hit.chunk.text) for item in context)
    return share(wider, len(context)) if context else not_applicable("没有建立上下文")


def evidence_mrr(seen: Seen, ranking: str) -> Score:
    """1 / rank of the first chunk that holds any of the evidence, 0 if none does; n/a as recall@k."""
    given = asked(seen, ranking)
    return given if isinstance(given, Score) else ok(reciprocal_rank(relevant(seen, given.chunks, given.wanted)))


def ndcg_at(seen: Seen, ranking: str, k: int) -> Score:
    """nDCG@k with gain 1 a piece of evidence, each counted where it is first held; in [0, 1]; n/a as recall@k."""
    given = asked(seen, ranking)
    return given if isinstance(given, Score) else ok(ndcg(firsts(seen, given.chunks, given.wanted), k))


def precision(seen: Seen, ranking: str, k: int) -> Score:
    """The share of k chunks that hold any of the evidence; k is the denominator even if fewer came; n/a as recall@k."""
    given = asked(seen, ranking)
    return given if isinstance(given, Score) else share(sum(relevant(seen, given.chunks, given.wanted)[:k]), k)


def context_precision(seen: Seen, ranking: str, k: int) -> Score:
    """Average precision in the first k, with the denominator min(k, |E|); in [0, 1]; n/a as recall@k."""
    given = asked(seen, ranking)
    return given if isinstance(given, Score) else ok(average_precision(firsts(seen, given.chunks, given.wanted), k))


def measures() -> tuple[Measure, ...]:
    return (
        Computed(_info("recall@5", "出处 Recall@5"), partial(recall, ranking="final", k=5)),
        Computed(_info("recall@10", "出处 Recall@10"), partial(recall, ranking="final", k=10)),
        Computed(
            _info("recall@2000chars", "前 2000 字的出处召回"),
            partial(recall_in_chars, ranking="final", chars=BUDGET_CHARS),
        ),
        Computed(
            _info("page_recall@5", "页面 Recall@5"),
            partial(recall, ranking="final", k=5, field="pages", how=on_pages),
        ),
        Computed(
            _info("span_recall@5", "原文 Recall@5"),
            partial(recall, ranking="final", k=5, field="text", how=holds_text),
        ),
        Computed(_info("evidence_mrr", "出处 MRR"), partial(evidence_mrr, ranking="final")),
        Computed(_info("ndcg@10", "nDCG@10"), partial(ndcg_at, ranking="final", k=10)),
        Computed(_info("precision@5", "Precision@5"), partial(precision, ranking="final", k=5)),
        Computed(_info("context_precision@5", "上下文精确率@5"), partial(context_precision, ranking="final", k=5)),
        Computed(_info("context_recall", "上下文召回"), context_recall),
        Computed(_info("widened", "上下文中扩展了的片段"), widened),
        *(one for name, title in CHANNELS.items() for one in _of_channel(name, title)),
    )


def _of_channel(name: str, title: str) -> Sequence[Measure]:
    return (
        Computed(_info(f"{name}.recall@5", f"{title} Recall@5"), partial(recall, ranking=name, k=5)),
        Computed(_info(f"{name}.evidence_mrr", f"{title} 出处 MRR"), partial(evidence_mrr, ranking=name)),
    )


def _info(name: str, title: str) -> MeasureInfo:
    return MeasureInfo(name, title, "retrieval")


def _cut(chunks: Sequence[Chunk], chars: int) -> list[Chunk]:
    """The chunks as far as they stand in the first `chars` characters; the last one may be a part."""
    kept: list[Chunk] = []
    for chunk in chunks:
        if chars <= 0:
            break
        kept.append(replace(chunk, text=chunk.text[:chars]))
        chars -= len(chunk.text)
    return kept
