"""The few functions of scipy that the statistics stand on, with types. Nothing else imports scipy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]


def normal_quantile(p: float) -> float:
    return float(special.ndtri(p))


def t_quantile(p: float, df: float) -> float:
    """The value below which a Student t with `df` (a fraction is fine) degrees of freedom lies with probability p."""
    return float(special.stdtrit(df, p))


def beta_quantile(p: float, a: float, b: float) -> float:
    """The value below which a Beta(a, b) variable lies with probability p; a, b > 0."""
    return float(special.betaincinv(a, b, p))


def binomial_cdf(k: Floats, n: Floats | float, p: float) -> Floats:
    """P(X ≤ k) for each k; 0 below 0, 1 from n on."""
    k, n = np.broadcast_arrays(np.asarray(k, float), np.asarray(n, float))
    within = np.clip(k, 0, np.maximum(n - 1, 0))
    # By the beta function: binomial functions of scipy take whole numbers of trials in other types only.
    inside = special.betainc(np.maximum(n - within, 1), within + 1, 1 - p)
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, inside))


def most_below(n: Floats, p: float) -> Floats:
    """For each n the largest k with P(X ≤ k) ≤ p at even odds; −1 where there is none."""
    k = np.floor(special.bdtrik(p, n, 0.5))
    k = np.where(np.isfinite(k), k, -1.0)
    k = np.where(binomial_cdf(k + 1, n, 0.5) <= p, k + 1, k)
    return np.where(binomial_cdf(k, n, 0.5) <= p, k, k - 1)


def binomial_pmf(n: int, p: float) -> Floats:
    """P(X = k) for k = 0 … n."""
    k = np.arange(n + 1.0)
    ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.asarray(np.exp(ways + special.xlogy(k, p) + special.xlog1py(n - k, -p)))
