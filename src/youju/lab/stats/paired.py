"""Two arms on the same cases: the one comparison that everything else is made of."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from youju.lab.stats.binary import mcnemar, tango
from youju.lab.stats.distributions import Floats
from youju.lab.stats.interval import Interval, unseen
from youju.lab.stats.power import visible_rate, visible_shift
from youju.lab.stats.shift import BOOTSTRAP_FROM, Groups, Shift, grouped, percentile, shift
from youju.lab.stats.signflip import signflip

DISAGREE = 0.1
"""Two intervals agree while their ends are closer than this share of half their width."""
FEW_CLUSTERS = 8
"""Below it no sign flip of whole clusters is rarer than 1 in 64: p says little."""


@dataclass(frozen=True, slots=True)
class Paired:
    """What b gained over a. `delta` = mean_b − mean_a; `low` … `high` is where the true one lies.

    wins: cases where b has the larger figure, whether or not larger is better. mde: the smallest true difference that
    such a sample shows in four of five tries at α = .05; None where none does. spread: the standard deviation of a
    case's difference, as the interval saw it (documents counted in). clusters: 0 where each case stands for itself.

    method: tango, t, t+bootstrap, cluster_t, none. note, codes parted by a blank: no_cases, single_case,
    no_difference (no case differs; the interval is how often they may still), bootstrap_wider, t_wider (the two
    disagree), few_clusters.
    """

    n: int
    mean_a: float
    mean_b: float
    delta: float
    low: float
    high: float
    p: float
    wins: int
    ties: int
    losses: int
    mde: float | None
    method: str
    note: str = ""
    spread: float = 0.0
    clusters: int = 0


def paired(
    a: Sequence[float],
    b: Sequence[float],
    *,
    binary: bool = False,
    level: float = 0.95,
    seed: int = 7,
    clusters: Sequence[Hashable] | None = None,
) -> Paired:
    """The difference of two columns of the same cases.

    Args:
        a: the figures of the first arm, in any unit, without what is not applicable or an error.
        b: of the second, case by case in the same order.
        binary: figures are 0 or 1; where some are not (means of repeats) it is as if it were not said.
        level: of the interval.
        seed: of the draws that many cases need.
        clusters: what each case belongs to (its document); cases of one cluster need not be independent.

    Returns:
        For one case, or none, an interval without ends (−inf … inf).

    Raises:
        ValueError: columns of different lengths, or a figure that is not finite.
    """
    if len({len(a), len(b), len(a if clusters is None else clusters)}) > 1:
        raise ValueError(f"{len(a)} and {len(b)} figures are no pairs")
    before, after = np.asarray(a, float), np.asarray(b, float)
    d = after - before
    if not np.isfinite(d).all():
        raise ValueError("a figure is not finite")
    wins, losses, yes_no = int(np.sum(d > 0)), int(np.sum(d < 0)), bool(np.isin((before, after), (0, 1)).all())
    found = _found(d, binary=binary and yes_no, level=level, seed=seed, clusters=clusters)
    return Paired(
        n=len(d),
        mean_a=_mean(before),
        mean_b=_mean(after),
        delta=_mean(d),
        low=found.interval.low,
        high=found.interval.high,
        p=found.p,
        wins=wins,
        ties=len(d) - wins - losses,
        losses=losses,
        mde=found.mde,
        method=found.method,
        note=found.note,
        spread=found.spread,
        clusters=found.clusters,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    interval: Interval
    p: float
    mde: float | None
    method: str
    note: str = ""
    spread: float = 0.0
    clusters: int = 0


def _found(d: Floats, *, binary: bool, level: float, seed: int, clusters: Sequence[Hashable] | None) -> _Found:
    if len(d) < 2:  # noqa: PLR2004 - one case has no spread
        nothing = Interval(-np.inf, np.inf)
        return _Found(nothing, 1.0, None, "none", "single_case" if len(d) else "no_cases")
    groups = grouped(clusters) if clusters is not None else None
    count = 0 if groups is None else int(groups.max()) + 1
    if not d.any():
        bound = unseen(count or len(d), level)
        return _Found(Interval(-bound, bound), 1.0, bound, "none", "no_difference", clusters=count)
    if groups is not None and count < len(d):
        return _of_clusters(d, groups, binary=binary, level=level, seed=seed)
    return _of_pairs(d, level) if binary else _of_shifts(d, level, seed)


def _of_pairs(d: Floats, level: float) -> _Found:
    n, wins, losses = len(d), int(np.sum(d > 0)), int(np.sum(d < 0))
    mde = visible_rate(n, (wins + losses) / n)
    return _Found(tango(wins, losses, n, level), mcnemar(wins, losses), mde, "tango", spread=float(d.std(ddof=1)))


def _of_shifts(d: Floats, level: float, seed: int) -> _Found:
    plain = shift(d, np.arange(len(d)), level)
    p, mde = signflip(d, seed), visible_shift(plain.error, plain.df)
    if len(d) < BOOTSTRAP_FROM:
        return _Found(plain.interval, p, mde, "t", spread=plain.spread)
    interval, note = _wider(plain, percentile(d, level, seed))
    return _Found(interval, p, mde, "t+bootstrap", note, spread=plain.spread)


def _of_clusters(d: Floats, groups: Groups, *, binary: bool, level: float, seed: int) -> _Found:
    p = signflip(np.bincount(groups, weights=d).astype(float), seed)
    count = int(groups.max()) + 1
    few = "few_clusters" if count < FEW_CLUSTERS else ""
    if count == 1:
        return _Found(Interval(-np.inf, np.inf), p, None, "none", few, clusters=count)
    robust = shift(d, groups, level)
    mde = visible_shift(robust.error, robust.df)
    if binary:
        # Where few pairs differ, t is too narrow for documents as it is for cases.
        simple = _of_pairs(d, level)
        if _width(simple.interval) > _width(robust.interval):
            return replace(simple, p=p, mde=max(mde, simple.mde or 1.0), note=few, clusters=count)
    return _Found(robust.interval, p, mde, "cluster_t", few, robust.spread, count)


def _wider(plain: Shift, drawn: Interval) -> tuple[Interval, str]:
    """The t interval where both agree, else the wider of the two."""
    half = _width(plain.interval) / 2
    apart = max(abs(plain.interval.low - drawn.low), abs(plain.interval.high - drawn.high))
    if apart <= DISAGREE * half:
        return plain.interval, ""
    wider = _width(drawn) > 2 * half
    return (drawn, "bootstrap_wider") if wider else (plain.interval, "t_wider")


def _width(interval: Interval) -> float:
    return interval.high - interval.low


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0
