"""Where right and wrong claims come from: chunks that hold a fact, other chunks, or none.

Each claim has one origin, so that the shares of wrong claims add up: noise_sensitivity_relevant +
noise_sensitivity_irrelevant + hallucination + (wrong, origin undecided) = wrong claims / all claims.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from youju.lab.judgement import Claim, YesNo
from youju.lab.measures.judge_parts import facts_of, right_or_wrong
from youju.lab.results import MeasureInfo
from youju.lab.score import Score, share
from youju.lab.seen import Seen

Origin = Literal["relevant", "irrelevant", "nowhere", "undecided"]


def origin(claim: Claim, relevant: Collection[int]) -> Origin:
    """Where a claim comes from.

    Args:
        claim: judged against the context.
        relevant: context numbers that hold a key fact.

    Returns:
        relevant: at least one such chunk entails it; irrelevant: only others do; nowhere: no chunk does; undecided: the
        judge could not tell.
    """
    if claim.founded == "unknown":
        return "undecided"
    if claim.founded == "no":
        return "nowhere"
    return "relevant" if any(n in relevant for n in claim.chunks) else "irrelevant"


def relevant_chunks(seen: Seen) -> frozenset[int] | Score:
    """The context numbers that hold at least one key fact."""
    facts = facts_of(seen)
    return facts if isinstance(facts, Score) else frozenset(n for one in facts for n in one.chunks)


@dataclass(frozen=True)
class FromChunks:
    """Of all claims, the share that is wrong and comes from chunks of this kind; n/a without key facts or a context.

    Source:
        Noise sensitivity of RAGChecker, Ru and others, 2024.
    """

    info: MeasureInfo
    wanted: Origin

    def __call__(self, seen: Seen) -> Score:
        claims = right_or_wrong(seen, context=True)
        if isinstance(claims, Score):
            return claims
        relevant = relevant_chunks(seen)
        if isinstance(relevant, Score):
            return relevant
        wrong = [one for one in claims if one.right == "no"]
        return share(sum(origin(one, relevant) == self.wanted for one in wrong), len(claims))


@dataclass(frozen=True)
class FromNowhere:
    """Of all claims, the share that is right, or wrong, and stands in no chunk; n/a without a reference.

    Defined without a context, too: then all that a model says comes from nowhere.

    Source:
        Hallucination and self-knowledge of RAGChecker, Ru and others, 2024.
    """

    info: MeasureInfo
    right: YesNo

    def __call__(self, seen: Seen) -> Score:
        claims = right_or_wrong(seen, context=False)
        if isinstance(claims, Score):
            return claims
        return share(sum(one.right == self.right and one.founded == "no" for one in claims), len(claims))


def measures() -> tuple[FromChunks | FromNowhere, ...]:
    relevant = MeasureInfo("noise_sensitivity_relevant", "被相关片段误导", "judge", "lower")
    irrelevant = MeasureInfo("noise_sensitivity_irrelevant", "被无关片段误导", "judge", "lower")
    invented = MeasureInfo("hallucination", "凭空的错误论断", "judge", "lower")
    known = MeasureInfo("self_knowledge", "凭空但正确的论断", "judge", "neither")
    return (
        FromChunks(relevant, "relevant"),
        FromChunks(irrelevant, "irrelevant"),
        FromNowhere(invented, "no"),
        FromNowhere(known, "yes"),
    )
