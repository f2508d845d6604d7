"""The parts of a judgement as the judge's measures need them, or the Score that says why there is none."""

from __future__ import annotations

from youju.lab.judgement import Claim, FactCoverage, Judgement, Relevance
from youju.lab.score import Score, error, not_applicable
from youju.lab.seen import Seen


def claims_of(seen: Seen, *, context: bool) -> tuple[Claim, ...] | Score:
    """The claims, at least one. `context`: without a context the measure is undefined."""
    judgement = _judgement(seen)
    if isinstance(judgement, Score):
        return judgement
    if judgement.claims is None:
        return _missing(judgement, "claims")
    if not judgement.claims:
        return not_applicable("回答没有可核对的论断")
    if context and not seen.turn.context:
        return not_applicable("没有上下文")
    return judgement.claims


def right_or_wrong(seen: Seen, *, context: bool) -> tuple[Claim, ...] | Score:
    """The claims, at least one, all of them held against a reference."""
    found = claims_of(seen, context=context)
    if not isinstance(found, Score) and any(claim.right is None for claim in found):
        return not_applicable("题目没有参考答案、要点或出处原文")
    return found


def facts_of(seen: Seen) -> tuple[FactCoverage, ...] | Score:
    """The coverage of our key facts, at least one."""
    judgement = _judgement(seen)
    if isinstance(judgement, Score):
        return judgement
    if not seen.case.key_facts:
        return not_applicable("题目没有要点")
    return _missing(judgement, "facts") if judgement.facts is None else judgement.facts


def relevance_of(seen: Seen) -> Relevance | Score:
    judgement = _judgement(seen)
    if isinstance(judgement, Score):
        return judgement
    return judgement.relevance or _missing(judgement, "relevance")


def _judgement(seen: Seen) -> Judgement | Score:
    if seen.broke:
        return error(seen.broke)
    return seen.judgement or not_applicable("没有请裁判")


def _missing(judgement: Judgement, part: str) -> Score:
    reason = judgement.error(part)
    return error(reason) if reason else not_applicable("没有请裁判判断这一项")
