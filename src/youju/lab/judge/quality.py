"""How far a judge agrees with itself, and one way of asking with another."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from youju.lab.judge.judging import Mode, judged
from youju.lab.judgement import Judgement
from youju.lab.seen import Seen
from youju.stages.judge import Judge
from youju.text.normal import fold

SHARE = 0.1
Verdicts = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of `compared` verdicts of one part (claims, right, facts, relevance), how many `differed`.

    `alone` stand on one side only: claims that the other did not take from the answer, or parts that failed there.
    """

    part: str
    compared: int
    differed: int
    alone: int = 0

    @property
    def disagreement(self) -> float | None:
        """In [0, 1]; None where nothing could be compared."""
        return self.differed / self.compared if self.compared else None


def sample(seens: Sequence[Seen], seed: int, share: float = SHARE) -> list[int]:
    """Places of the answers to judge again, in order: `share` of those that cost calls, rounded up."""
    judgeable = [at for at, seen in enumerate(seens) if seen.judgement and not seen.refused and seen.answer.strip()]
    wanted = math.ceil(len(judgeable) * share)
    return sorted(random.Random(seed).sample(judgeable, wanted))  # noqa: S311 - a seeded draw, no secret


async def noise(seens: Sequence[Seen], judge: Judge, *, seed: int, share: float = SHARE) -> tuple[Agreement, ...]:
    """How often the same judge says something else of the same answer: the floor below which a difference is noise.

    Staged judgements are repeated on the claims of the first time, so that each verdict has its counterpart. `judge`
    must not be answered from a cache.
    """
    again = [seens[at] for at in sample(seens, seed, share)]
    second = await asyncio.gather(*(_again(seen, judge) for seen in again))
    return agreement([(seen.judgement, later) for seen, later in zip(again, second, strict=True) if seen.judgement])


async def modes(seens: Sequence[Seen], judge: Judge, *, seed: int, share: float = SHARE) -> tuple[Agreement, ...]:
    """How often a judge that is asked all at once disagrees with one that is asked step by step, on a drawn sample."""
    drawn = [seens[at] for at in sample(seens, seed, share)]
    firsts = [seen.judgement for seen in drawn if seen.judgement]
    others = await asyncio.gather(
        *(judged(seen, judge, mode=_other(first)) for seen, first in zip(drawn, firsts, strict=True))
    )
    return agreement(list(zip(firsts, others, strict=True)))


def agreement(pairs: Sequence[tuple[Judgement, Judgement]]) -> tuple[Agreement, ...]:
    """Verdicts of two judgements of the same answers side by side; claims and facts are paired by their text."""
    found = []
    for part in ("claims", "right", "facts", "relevance"):
        sides = [(_verdicts(first, part), _verdicts(second, part)) for first, second in pairs]
        both = [(a[key], b[key]) for a, b in sides for key in a.keys() & b.keys()]
        alone = sum(len(a.keys() ^ b.keys()) for a, b in sides)
        found.append(Agreement(part, len(both), sum(a != b for a, b in both), alone))
    return tuple(found)


async def _again(seen: Seen, judge: Judge) -> Judgement:
    first = seen.judgement
    if first is None or first.mode == "single":
        return await judged(seen, judge, mode="single")
    return await judged(seen, judge, claims=first.claims)


def _other(first: Judgement) -> Mode:
    return "single" if first.mode == "staged" else "staged"


def _verdicts(judgement: Judgement, part: str) -> Verdicts:
    if part == "claims":
        return {(part, fold(one.text)): one.founded for one in judgement.claims or ()}
    if part == "right":
        return {(part, fold(one.text)): one.right for one in judgement.claims or () if one.right}
    if part == "facts":
        return {(part, fold(one.text)): one.covered for one in judgement.facts or ()}
    return {(part, ""): judgement.relevance} if judgement.relevance else {}
