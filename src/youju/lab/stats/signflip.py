"""How often chance alone would give a sum as far from 0: were neither side better, each sign could be the other."""

from __future__ import annotations

import numpy as np

from youju.lab.stats.distributions import Floats

EXACT, DRAWS = 16, 10_000


def signflip(d: Floats, seed: int = 7) -> float:
    """The two-sided p of the sum of `d`; exact up to 16 that are not 0, else (1 + c) / (1 + 10 000) of seeded draws.

    Never 0; 1 where all are 0. Ties with the seen sum count against it.
    """
    sizes = np.abs(d[d != 0])
    if not len(sizes):
        return 1.0
    least = abs(float(d.sum())) - 1e-9 * float(sizes.sum())
    if len(sizes) <= EXACT:
        return float(np.mean(np.abs(_every_sum(sizes)) >= least))
    return float((1 + np.sum(np.abs(_drawn_sums(sizes, seed)) >= least)) / (1 + DRAWS))


def _every_sum(sizes: Floats) -> Floats:
    """Half of all the sums: the other half is the same with the opposite sign."""
    sums = sizes[:1]
    for size in sizes[1:]:
        sums = np.concatenate((sums + size, sums - size))
    return sums


def _drawn_sums(sizes: Floats, seed: int) -> Floats:
    """A byte holds the coins of eight cases; what each of its 256 values adds up to is looked up, not summed again."""
    width = -(-len(sizes) // 8)
    coins = np.frombuffer(np.random.default_rng(seed).bytes(DRAWS * width), np.uint8).reshape(DRAWS, width)
    eights = np.pad(sizes, (0, 8 * width - len(sizes))).reshape(width, 8)
    heads = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) @ eights.T
    return np.asarray(2 * heads[coins, np.arange(width)].sum(axis=1) - sizes.sum())
