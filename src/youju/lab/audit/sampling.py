"""Which cases people look at, and what their verdicts prove of the whole set."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from youju.lab.dataset import Case
from youju.lab.stats.distributions import beta_quantile

BOUND, LEVEL = 0.05, 0.95
SIZE = 60  # the round number from which no fault at all proves BOUND; 59 would do


@dataclass(frozen=True, slots=True)
class Acceptance:
    """`upper` is the one-sided 95 % limit of the share of faulty cases; `more` must be seen without a fault to accept.

    `message` says it in Chinese with what to do next.
    """

    verdict: Literal["accepted", "rejected", "not yet"]
    seen: int
    faults: int
    upper: float
    more: int
    message: str


def sampled(cases: Sequence[Case], size: int = SIZE, seed: int = 7) -> list[Case]:
    """`size` cases in the order of the set, all of them if there are no more; the same seed gives the same ones.

    Each stratum (category × split) gives its share, rounded by largest remainder, and at least one while there is
    room: ties by name.
    """
    if len(cases) <= size:
        return list(cases)
    strata: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, case in enumerate(cases):
        strata[case.category, case.split].append(at)
    draw = random.Random(seed)  # noqa: S311 - a sample that can be drawn again, no secret
    chosen: list[int] = []
    for name, n in _shares({name: len(found) for name, found in strata.items()}, size).items():
        chosen += draw.sample(strata[name], n)
    return [cases[at] for at in sorted(chosen)]


def _shares(sizes: dict[tuple[str, str], int], total: int) -> dict[tuple[str, str], int]:
    names = sorted(sizes)
    base = 1 if len(names) <= total else 0
    whole = sum(sizes.values()) - base * len(names)
    exact = {name: (total - base * len(names)) * (sizes[name] - base) / whole for name in names}
    shares = {name: base + int(exact[name]) for name in names}
    by_rest = sorted(names, key=lambda name: (int(exact[name]) - exact[name], name))
    for name in by_rest[: total - sum(shares.values())]:
        shares[name] += 1
    return shares


def upper_limit(faults: int, seen: int, level: float = LEVEL) -> float:
    """The one-sided Clopper–Pearson upper limit of a share, in (0, 1]; 1 where nothing or only faults were seen."""
    return 1.0 if faults >= seen else beta_quantile(level, faults + 1, seen - faults)


def lower_limit(faults: int, seen: int, level: float = LEVEL) -> float:
    """The one-sided Clopper–Pearson lower limit of a share, in [0, 1)."""
    return 0.0 if faults == 0 else beta_quantile(1 - level, faults, seen - faults + 1)


def needed(faults: int, bound: float = BOUND) -> int:
    """How many cases must be seen for `faults` of them to prove a share of at most `bound` (0 → 59, 1 → 93)."""
    low, high = faults, faults + 1
    while upper_limit(faults, high) > bound:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if upper_limit(faults, middle) <= bound else (middle, high)
    return high


def accepted(faults: int, seen: int, whole: int, bound: float = BOUND) -> Acceptance:
    """What `faults` among `seen` cases prove of the `whole` set.

    accepted: the upper limit is at most `bound`. rejected: the lower limit is above it. When all cases were seen their
    share decides, without a limit.

    Raises:
        ValueError: counts that cannot be.
    """
    if not 0 <= faults <= seen <= whole:
        raise ValueError(f"cannot be: {faults} faults in {seen} of {whole}")
    if seen == whole and seen:
        share = faults / seen
        good = share <= bound
        message = f"全部 {seen} 题都看过，{faults} 题有错：" + ("合格" if good else "不合格，请改正后重新审核")
        return Acceptance("accepted" if good else "rejected", seen, faults, share, 0, message)
    upper = upper_limit(faults, seen)
    if upper <= bound:
        return Acceptance(
            "accepted", seen, faults, upper, 0, f"{seen} 题里 {faults} 题有错，错题率 ≤ {upper:.1%}：合格"
        )
    if lower_limit(faults, seen) > bound:
        message = f"{seen} 题里 {faults} 题有错，错题率超过 {bound:.0%}：不合格，请改正后重新抽样"
        return Acceptance("rejected", seen, faults, upper, 0, message)
    more = min(needed(faults, bound), whole) - seen
    message = f"{seen} 题里 {faults} 题有错，还不能下结论：请再看 {more} 题（都没有错才合格）"
    return Acceptance("not yet", seen, faults, upper, more, message)
