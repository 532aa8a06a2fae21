"""The few distribution functions that the room needs, in closed form or by a series of stated error (no SciPy here)."""

from __future__ import annotations

import math
from statistics import NormalDist

_NORMAL = NormalDist()


def normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def normal_quantile(p: float) -> float:
    """0 < p < 1."""
    return _NORMAL.inv_cdf(p)


def t_quantile(p: float, df: int) -> float:
    """Quantile of Student's t, 0 < p < 1, df >= 1.

    Exact for df 1 and 2; else the Cornish-Fisher series to 1/df^4 (Abramowitz & Stegun 26.7.5), off by less than 0.2 % at
    p = 0.975 and df = 3, and by less than 0.01 % from df = 8 on.
    """
    if df == 1:
        return math.tan(math.pi * (p - 0.5))
    if df == 2:
        return (2 * p - 1) / math.sqrt(2 * p * (1 - p))
    z = normal_quantile(p)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(g / df ** (k + 1) for k, g in enumerate(terms))


def chi2_sf(x: float, df: int) -> float:
    """P(chi-square with df >= 1 degrees of freedom > x): the finite sum that holds for whole df (A&S 26.4.4 and 26.4.5)."""
    if x <= 0:
        return 1.0
    half = x / 2
    if df % 2 == 0:
        term = total = 1.0
        for k in range(1, df // 2):
            term *= half / k
            total += term
        return min(1.0, math.exp(-half) * total)
    term = math.sqrt(x) * math.sqrt(2 / math.pi) * math.exp(-half)
    total = 0.0
    for k in range(1, (df - 1) // 2 + 1):
        total += term
        term *= x / (2 * k + 1)
    return min(1.0, math.erfc(math.sqrt(half)) + total)


def binomial_two_sided(k: int, n: int) -> float:
    """Exact two-sided sign test: twice the smaller tail of Binomial(n, 1/2) at k, at most 1. Terms in logarithms, so that
    n may be large."""
    if n == 0:
        return 1.0
    tail = min(k, n - k)
    log_half_n = -n * math.log(2)
    logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) + log_half_n for i in range(tail + 1)]
    top = max(logs)
    return min(1.0, 2 * math.exp(top) * math.fsum(math.exp(v - top) for v in logs))
