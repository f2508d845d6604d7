"""Why an answer is not as it should be: one cause a case, the earliest that explains it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from youju.lab.dataset import Evidence
from youju.lab.judgement import Claim, FactCoverage
from youju.lab.measures.judge_origins import origin
from youju.lab.relevance import documents, firsts, groups, of_document
from youju.lab.seen import Seen, walked
from youju.types import Chunk

Need = Callable[[Sequence[Chunk]], int | None]
_TOP_K = re.compile(r"Budget\(top_k=(\d+)")
Cause = Literal[
    "none",
    "retrieval_miss",
    "ranking_miss",
    "cut_by_budget",
    "ignored_context",
    "wrong_reasoning",
    "misled_by_noise",
    "hallucinated",
    "question_set",
    "over_refusal",
    "false_confidence",
    "broke",
]
TITLES: Mapping[Cause, str] = {
    "none": "无",
    "retrieval_miss": "没有检索到",
    "ranking_miss": "检索到但排名太低",
    "cut_by_budget": "超出上下文预算被裁掉",
    "ignored_context": "上下文里有但没有用",
    "wrong_reasoning": "依据正确但推断错误",
    "misled_by_noise": "被无关内容误导",
    "hallucinated": "凭空编造",
    "question_set": "题目本身有问题",
    "over_refusal": "不该拒答而拒答",
    "false_confidence": "该拒答而作答",
    "broke": "运行出错",
}
WAY: tuple[Cause, ...] = ("retrieval_miss", "ranking_miss", "cut_by_budget")
"""Where evidence can be lost, in the order of the way."""


def cause(seen: Seen) -> Cause:
    """Why the answer is wrong, incomplete or a refusal; "none" where nothing shows that it is.

    Without a judgement only the ranks speak: whether expected evidence was found, kept and let in, and whether the
    question was refused although it was. With one, an answer is fine when it states every vital fact and claims
    nothing that contradicts the reference or stands nowhere; otherwise missing evidence comes before what was made of
    it.
    """
    if seen.broke:
        return "broke"
    if not seen.case.answerable:
        return "false_confidence" if seen.answer else "none"
    lost = _lost(seen)
    if lost == "question_set":
        return lost
    if seen.refused:
        return "over_refusal" if lost == "none" else lost
    judgement = seen.judgement
    if judgement is None or judgement.claims is None or judgement.facts is None:
        return lost
    return _judged(seen, judgement.facts, judgement.claims, lost)


def _judged(seen: Seen, facts: tuple[FactCoverage, ...], claims: tuple[Claim, ...], lost: Cause) -> Cause:
    missing = [one for one in facts if one.weight == "vital" and one.covered != "covered"]
    relevant = frozenset(n for one in facts for n in one.chunks)
    # What the context says beyond the reference is no fault of an answer that says all it should.
    bad = [one for one in claims if one.right == "no" and (one.wrong == "contradicted" or one.founded == "no")]
    if not missing and not bad:
        return "none"
    if missing and lost != "none":
        return lost
    made = _of_claims(bad, relevant)
    if made != "none":
        return made
    if any(one.right == "no" and origin(one, relevant) == "irrelevant" for one in claims):
        return "misled_by_noise"
    if any(one.chunks for one in missing):
        return "ignored_context"
    # Labelled evidence stands in the context and yet holds no such fact: the labels do not fit each other.
    return (
        "question_set"
        if seen.retrieves and any(one.text for group in groups(seen.case) for one in group)
        else "retrieval_miss"
    )


def _of_claims(bad: list[Claim], relevant: frozenset[int]) -> Cause:
    """What explains claims against the reference, or from nowhere; the gravest doubt about the question first."""
    origins = {origin(one, relevant) for one in bad}
    if "relevant" in origins:
        return "question_set"
    if "undecided" in origins or any(one.against == "contradicted" for one in bad):
        return "wrong_reasoning"
    if "irrelevant" in origins:
        return "misled_by_noise"
    return "hallucinated" if origins else "none"


def _lost(seen: Seen) -> Cause:
    """Where expected evidence was lost first; "none" where all of it reached the context, or nothing is expected."""
    if not seen.retrieves:
        return "none"
    if seen.documents and not _exists(seen):
        return "question_set"
    places = {_place(seen, need) for need in _needs(seen)}
    return next((one for one in WAY if one in places), "none")


def _place(seen: Seen, need: Need) -> Cause:
    """Where on its way to the context a piece of evidence was lost."""
    if need([replace(item.hit.chunk, text=item.text) for item in seen.turn.context]) is not None:
        return "none"
    rankings = [seen.ranking(name) or () for name in ("vector", "keyword", "fused")]
    if all(need(ranking) is None for ranking in rankings):
        return "retrieval_miss"
    # A gate moves away what was ranked well enough.
    kept = [hit.chunk for hit in seen.turn.hits or seen.turn.nearest]
    rank = need(kept)
    if rank is None:
        return "ranking_miss"
    if not seen.turn.context:
        return "none"
    return "ranking_miss" if _full(seen) and rank > _last_rank(seen, kept) else "cut_by_budget"


def _full(seen: Seen) -> bool:
    """Whether as many chunks stand in the context as may, so that length cut nothing behind the last."""
    most = [found for step in walked(seen.turn.steps) if (found := _TOP_K.match(step.stage))]
    return bool(most) and len(seen.turn.context) >= int(most[-1][1])


def _last_rank(seen: Seen, kept: Sequence[Chunk]) -> int:
    entered = {item.hit.chunk.id for item in seen.turn.context}
    return max((rank for rank, chunk in enumerate(kept, start=1) if chunk.id in entered), default=0)


def _needs(seen: Seen) -> list[Need]:
    """For each piece of evidence, else for each document, at which rank a list of chunks first has it."""
    pieces = [tuple(one for one in group if one.text or one.pages) for group in groups(seen.case)]
    if any(pieces):
        return [partial(_first_piece, seen, group) for group in pieces if group]
    return [partial(_first_document, seen, either) for either in documents(seen.case)]


def _first_piece(seen: Seen, group: tuple[Evidence, ...], chunks: Sequence[Chunk]) -> int | None:
    return firsts(seen, chunks, [group])[0]


def _first_document(seen: Seen, either: tuple[str, ...], chunks: Sequence[Chunk]) -> int | None:
    from_it = (any(of_document(seen, chunk, part) for part in either) for chunk in chunks)
    return next((rank for rank, found in enumerate(from_it, start=1) if found), None)


def _exists(seen: Seen) -> bool:
    """Whether every document that the case needs is among the material."""
    known = seen.documents.values()
    return all(any(one.named(part) for part in either for one in known) for either in documents(seen.case))
