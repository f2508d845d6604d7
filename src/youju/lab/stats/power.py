"""What a sample can show, and how large it must be to show it: four of five tries, α = .05, two sides."""

from __future__ import annotations

import math

from youju.lab.stats.binary import mcnemar_power, rejecting
from youju.lab.stats.distributions import Floats, normal_quantile, t_quantile

POWER, ALPHA, HALVINGS = 0.8, 0.05, 20


def visible_shift(error: float, df: float) -> float:
    """The smallest true mean difference that a t test with this standard error shows."""
    return (t_quantile(1 - ALPHA / 2, df) + t_quantile(POWER, df)) * error


def visible_rate(n: int, discordance: float) -> float | None:
    """The smallest true difference of two rates that exact McNemar shows in n pairs; None below 6, where none is.

    `discordance`: the share of pairs that differ. Where it is too small for any difference to be seen, the answer is
    the share that would be, were all of one direction.
    """
    few, low, high = rejecting(n, ALPHA), 0.0, 1.0
    if _power(few, discordance, high) < POWER:
        return None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _power(few, discordance, middle) >= POWER else (middle, high)
    return high


def _power(few: Floats, discordance: float, difference: float) -> float:
    return mcnemar_power(few, min(1.0, max(discordance, difference)), difference)


def cases_needed(spread: float, effect: float, assumed: float = 0.0) -> int:
    """How many cases it takes to tell a true difference `assumed` from one of −`effect`; at least 2.

    Args:
        spread: standard deviation of a case's difference, > 0.
        effect: > −assumed; a margin that must not be lost, or a gain that must be seen.
        assumed: what the truth may be.

    Raises:
        ValueError: nothing to tell apart.
    """
    if effect + assumed <= 0 or spread <= 0:
        raise ValueError(f"no sample tells {assumed} from {-effect} at a spread of {spread}")
    z = normal_quantile(1 - ALPHA / 2) + normal_quantile(POWER)
    return max(2, math.ceil((z * spread / (effect + assumed)) ** 2))


def cases_to_exclude(share: float, level: float = 0.95) -> int:
    """How many cases without any difference say that fewer than `share` (in 0 … 1, both outside) differ."""
    return math.ceil(math.log(1 - level) / math.log(1 - share))
