"""Whether the right documents are found: by name, whatever part of them."""

from __future__ import annotations

from functools import partial

from youju.lab.measures.base import Computed, Measure
from youju.lab.measures.channels import CHANNELS, ranked
from youju.lab.measures.ranks import reciprocal_rank
from youju.lab.relevance import documents, expected, of_document
from youju.lab.results import MeasureInfo
from youju.lab.score import Score, not_applicable, ok, share
from youju.lab.seen import Seen

NO_GOLD = "题目没有标注应找到的文档"


def hit(seen: Seen, ranking: str, k: int) -> Score:
    """1 if any of the first k chunks comes from an expected document, else 0; often called Recall@k of documents.

    n/a for a question that names no document, and where this ranking is not made.
    """
    chunks = ranked(seen, ranking)
    if isinstance(chunks, Score):
        return chunks
    if not documents(seen.case):
        return not_applicable(NO_GOLD)
    return ok(any(expected(seen, chunk) for chunk in chunks[:k]))


def all_docs(seen: Seen, ranking: str, k: int) -> Score:
    """1 if the first k chunks come from every document needed, one of its alternatives each, else 0; n/a as hit@k."""
    chunks = ranked(seen, ranking)
    if isinstance(chunks, Score):
        return chunks
    needed = documents(seen.case)
    if not needed:
        return not_applicable(NO_GOLD)
    missing = [
        "、".join(group)
        for group in needed
        if not any(of_document(seen, chunk, part) for chunk in chunks[:k] for part in group)
    ]
    return ok(not missing, "；".join(f"缺 {one}" for one in missing))


def mrr(seen: Seen, ranking: str) -> Score:
    """1 / rank of the first chunk from an expected document, 0 if there is none; n/a as hit@k."""
    chunks = ranked(seen, ranking)
    if isinstance(chunks, Score):
        return chunks
    if not documents(seen.case):
        return not_applicable(NO_GOLD)
    return ok(reciprocal_rank([expected(seen, chunk) for chunk in chunks]))


def channel_precision(seen: Seen, ranking: str) -> Score:
    """The share of all that a channel found that comes from an expected document.

    n/a as hit@k, and where the channel found nothing.
    """
    chunks = ranked(seen, ranking)
    if isinstance(chunks, Score):
        return chunks
    if not documents(seen.case) or not chunks:
        return not_applicable("通道没有找到片段" if documents(seen.case) else NO_GOLD)
    return share(sum(expected(seen, chunk) for chunk in chunks), len(chunks))


def measures() -> tuple[Measure, ...]:
    final = (
        Computed(_info("hit@1", "Hit@1", binary=True), partial(hit, ranking="final", k=1)),
        Computed(_info("hit@5", "Hit@5（文档的 Recall@5）", binary=True), partial(hit, ranking="final", k=5)),
        Computed(_info("all_docs@5", "全部文档@5", binary=True), partial(all_docs, ranking="final", k=5)),
        Computed(_info("mrr", "MRR"), partial(mrr, ranking="final")),
    )
    each = [
        one
        for name, title in CHANNELS.items()
        for one in (
            Computed(_info(f"{name}.hit@5", f"{title} Hit@5", binary=True), partial(hit, ranking=name, k=5)),
            Computed(_info(f"{name}.mrr", f"{title} MRR"), partial(mrr, ranking=name)),
            Computed(_info(f"{name}.precision", f"{title} Precision"), partial(channel_precision, ranking=name)),
        )
    ]
    return (*final, *each)


def _info(name: str, title: str, *, binary: bool = False) -> MeasureInfo:
    return MeasureInfo(name, title, "retrieval", binary=binary)
