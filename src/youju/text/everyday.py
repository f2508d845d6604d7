"""How much a word says by itself: 离心机 says what a text is about, 最高 or 开始 could stand in any."""

from __future__ import annotations

import math
import re
from functools import lru_cache

# Occurrences in the tokeniser's dictionary: its counts sum to 6e7; from exp(7) times rarer than all on, a word counts.
TOTAL = 6e7
COMMONEST, RAREST = 7.0, 14.0
LEAST = 0.1
CHINESE = re.compile(r"[\u4e00-\u9fff]+")


@lru_cache(maxsize=50_000)
def weight(word: str) -> float:
    """From .1 for the commonest words of everyday Chinese to 1 for rare ones, names, numbers and other scripts."""
    if not CHINESE.fullmatch(word):
        return 1.0
    # Its dictionary takes .1 s to load, which commands that grade nothing need not pay.
    import rjieba  # noqa: PLC0415

    rarity = math.log(TOTAL / max(rjieba.suggest_freq(word), 1))
    return min(1.0, max(LEAST, (rarity - COMMONEST) / (RAREST - COMMONEST)))
