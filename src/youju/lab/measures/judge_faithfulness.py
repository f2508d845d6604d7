"""Claim faithfulness: how much of what the answer claims the context says, with what an evasive judge leaves open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from youju.lab.judgement import Claim
from youju.lab.measures.judge_parts import claims_of
from youju.lab.results import Better, MeasureInfo
from youju.lab.score import Score, not_applicable, share
from youju.lab.seen import Seen

Test = Callable[[Claim], bool]


@dataclass(frozen=True)
class ClaimShare:
    """Of the claims in `whole`, the share in `part`; n/a without claims, without a context, or with none in `whole`."""

    info: MeasureInfo
    part: Test
    whole: Test

    def __call__(self, seen: Seen) -> Score:
        claims = claims_of(seen, context=True)
        if isinstance(claims, Score):
            return claims
        counted = [claim for claim in claims if self.whole(claim)]
        if not counted:
            return not_applicable("裁判对所有论断都无法判断")
        return share(sum(map(self.part, counted)), len(counted))


def measures() -> tuple[ClaimShare, ...]:
    """Faithfulness Y/(Y+N) between its bounds Y/all and (Y+U)/all, the share of unknown and that of contradicted."""
    return (
        ClaimShare(_info("faithfulness", "忠实度"), _yes, _decided),
        ClaimShare(_info("faithfulness_strict", "忠实度（下界）"), _yes, _any),
        ClaimShare(_info("faithfulness_upper", "忠实度（上界）"), _possible, _any),
        ClaimShare(_info("unknown_rate", "无法判断的论断", "lower"), _unknown, _any),
        ClaimShare(_info("contradicted_share", "与上下文矛盾的论断", "lower"), _contradicted, _any),
    )


def _info(name: str, title: str, better: Better = "higher") -> MeasureInfo:
    return MeasureInfo(name, title, "judge", better)


def _yes(claim: Claim) -> bool:
    return claim.founded == "yes"


def _unknown(claim: Claim) -> bool:
    return claim.founded == "unknown"


def _contradicted(claim: Claim) -> bool:
    return claim.founded == "no" and claim.against == "contradicted"


def _decided(claim: Claim) -> bool:
    return claim.founded != "unknown"


def _possible(claim: Claim) -> bool:
    return claim.founded != "no"


def _any(_claim: Claim) -> bool:
    return True
