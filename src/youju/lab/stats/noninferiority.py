"""Is the new one at most so much worse?"""

from __future__ import annotations

from typing import Literal

from youju.lab.stats.paired import Paired

Answer = Literal["yes", "no", "unclear"]


def noninferior(difference: Paired, margin: float, *, lower_is_better: bool = False) -> Answer:
    """Whether b is at most `margin` worse than a.

    Args:
        difference: of b to a.
        margin: in the measure's unit, ≥ 0.
        lower_is_better: a larger figure is the worse one.

    Returns:
        yes: the whole interval is above −margin. no: the whole interval is below. unclear: neither.
    """
    low, high = (-difference.high, -difference.low) if lower_is_better else (difference.low, difference.high)
    if low > -margin:
        return "yes"
    return "no" if high < -margin else "unclear"
