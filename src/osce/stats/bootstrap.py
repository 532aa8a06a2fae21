"""A mean with its interval and its coverage.

Items that share a stem, a patient or an encounter are not independent, so clusters are drawn, not items; the statistic is
the ratio (sum of scores) / (number of scored items), which is right for clusters of unequal size.

Which interval: BCa (Efron 1987), with its normal quantile widened to sqrt(C/(C-1)) t(C-1) (Hesterberg 2015) for few
clusters. In simulations at nominal 95 % (tests/stats/test_coverage.py keeps six of them) the plain percentile interval
covered 84 to 93 % on skewed or few clusters; the rule used here covered 92 to 98 %, more only where 0/1 scores jump.
Where resampling cannot know the spread (fewer than 10
clusters, or fewer than 5 effective successes or failures, all right and all wrong among them) it collapses; there the
interval is Wilson's with the effective number of observations (Korn & Graubard 1998; Dean & Pagano 2015) and t quantile,
and the result says so in `method`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from osce.stats._distributions import normal_cdf, normal_quantile, t_quantile
from osce.stats.resample import RESAMPLES, SEED, Floats, cluster_sums, encode, resampled_sums

BCA = "cluster bootstrap (BCa)"
WILSON = "Wilson (effective n)"
MIN_CLUSTERS = 10
MIN_EVENTS = 5.0


@dataclass(frozen=True)
class Interval:
    """`low` and `high` are None where no interval can be had; `method` then says why."""

    low: float | None
    high: float | None
    method: str


@dataclass(frozen=True)
class Estimate:
    """A mean over items.

    `coverage` = scored / asked answers. `worst` and `best` are the mean if every missing score were the lower or upper
    bound; None where scores have no known bounds. `mean` is None when nothing is scored.
    """

    mean: float | None
    low: float | None
    high: float | None
    method: str
    n_items: int
    n_clusters: int
    n_scored: int
    coverage: float | None
    worst: float | None
    best: float | None


def floats(scores: ArrayLike | Sequence[float | None]) -> Floats:
    """None becomes NaN."""
    return np.asarray([np.nan if s is None else s for s in scores] if isinstance(scores, list | tuple) else scores, dtype=float)


def estimate(
    scores: ArrayLike | Sequence[float | None],
    clusters: Sequence[Any] | NDArray[Any],
    *,
    scored: ArrayLike | None = None,
    asked: ArrayLike | None = None,
    bounds: tuple[float, float] = (0.0, 1.0),
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """Mean of item scores (n,) with a cluster-bootstrap interval; NaN or None = missing.

    `clusters` (n,) are labels of any kind. Where an item's score is a mean over several answers, `scored` and `asked` (n,)
    say how many of them had a score and how many were asked for, so that coverage and bounds count answers.
    Raises ValueError for arrays of different length or infinite scores.
    """
    values = floats(scores)
    codes, _ = encode(clusters)
    if values.ndim != 1 or len(codes) != len(values):
        raise ValueError(f"{len(values)} scores and {len(codes)} cluster labels: one label per score is needed")
    if np.isinf(values).any():
        raise ValueError("scores must be finite or missing (NaN, None)")
    have = ~np.isnan(values)
    n_scored_of = have.astype(float) if scored is None else np.asarray(scored, dtype=float)
    n_asked_of = np.ones(len(values)) if asked is None else np.asarray(asked, dtype=float)
    n_items, n_scored = len(values), int(have.sum())
    total_asked = float(n_asked_of.sum())
    coverage = float(n_scored_of.sum()) / total_asked if total_asked else None
    if not n_scored:
        worst, best = bounds if n_items else (None, None)
        return Estimate(None, None, None, "no scored item", n_items, 0, 0, coverage, worst, best)
    bounded = bool(values[have].min() >= bounds[0] and values[have].max() <= bounds[1])
    worst, best = _missing_bounds(values, n_scored_of, n_asked_of, bounds) if bounded else (None, None)
    kept, n_clusters = encode(codes[have])
    rows = cluster_sums(np.column_stack([values[have], np.ones(n_scored)]), kept, n_clusters)
    mean = float(np.mean(values[have]))
    interval = ratio_interval(rows, bounds=bounds if bounded else None, level=level, resamples=resamples, seed=seed)
    return Estimate(mean, interval.low, interval.high, interval.method, n_items, n_clusters, n_scored, coverage, worst, best)


def _missing_bounds(
    values: Floats, scored: Floats, asked: Floats, bounds: tuple[float, float]
) -> tuple[float | None, float | None]:
    use = asked > 0
    if not use.any():
        return None, None
    share = np.minimum(scored[use] / asked[use], 1.0)
    known = np.where(np.isnan(values[use]), 0.0, values[use]) * share
    return float(np.mean(known + bounds[0] * (1 - share))), float(np.mean(known + bounds[1] * (1 - share)))


def ratio_interval(
    rows: Floats,
    *,
    bounds: tuple[float, float] | None = (0.0, 1.0),
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval:
    """Interval of sum(rows[:, 0]) / sum(rows[:, 1]) over resampled clusters; rows (C, 2), every count > 0.

    `bounds` are those of a single score; with None there is no fallback for few or equal clusters.
    """
    n = len(rows)
    totals = rows.sum(axis=0)
    ratio = float(totals[0] / totals[1])
    residual = rows[:, 0] - ratio * rows[:, 1]
    spread = float(np.abs(residual).max()) if n > 1 else 0.0
    variance = 0.0
    if spread > 1e-9:
        variance = float(residual @ residual) * n / (n - 1) / float(totals[1]) ** 2
    if bounds is not None:
        low, high = bounds
        p = min(1.0, max(0.0, (ratio - low) / (high - low)))
        effective = float(n) if not variance else min(p * (1 - p) * (high - low) ** 2 / variance, float(totals[1]))
        if n < MIN_CLUSTERS or effective * min(p, 1 - p) < MIN_EVENTS:
            quantile = t_quantile(0.5 + level / 2, n - 1) if variance else normal_quantile(0.5 + level / 2)
            a, b = wilson(p, max(effective, 1.0), quantile)
            return _clamped(low + a * (high - low), low + b * (high - low), ratio, WILSON)
    if not variance:
        return Interval(None, None, "none: one cluster, or all clusters alike, and scores without known bounds")
    sums = resampled_sums(rows, resamples=resamples, seed=seed)
    ratios = np.sort(sums[:, 0] / sums[:, 1])
    return bca(ratios, ratio, _jackknife(rows, totals), level=level)


def _jackknife(rows: Floats, totals: Floats) -> Floats:
    """The ratio without each cluster in turn, (C,)."""
    left = np.maximum(totals[1] - rows[:, 1], 1e-12)
    return np.asarray((totals[0] - rows[:, 0]) / left)


def bca(ordered: Floats, observed: float, jackknife: Floats, *, level: float = 0.95) -> Interval:
    """Bias-corrected, accelerated interval from sorted resampled statistics (B,) and leave-one-out statistics (C,)."""
    n, size = len(jackknife), len(ordered)
    below = int(np.searchsorted(ordered, observed - 1e-12, side="left"))
    ties = int(np.searchsorted(ordered, observed + 1e-12, side="right")) - below
    share = min(max((below + ties / 2) / size, 0.5 / size), 1 - 0.5 / size)
    bias = normal_quantile(share)
    d = jackknife.mean() - jackknife
    square = float(d @ d)
    acceleration = float((d**3).sum()) / (6 * square**1.5) if square > 0 else 0.0
    width = t_quantile(0.5 + level / 2, n - 1) * math.sqrt(n / (n - 1))
    ends = []
    for z in (bias - width, bias + width):
        bend = 1 - acceleration * z
        ends.append(float(np.quantile(ordered, normal_cdf(bias + z / bend) if bend > 0 else float(z > 0))))
    return _clamped(ends[0], ends[1], observed, BCA)


def wilson(p: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's (1927) score interval for a share p of n (n may be fractional)."""
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def _clamped(low: float, high: float, observed: float, method: str) -> Interval:
    """An interval that leaves out its own estimate (rounding, or a jump of a discrete statistic) is stretched to it."""
    return Interval(min(low, observed), max(high, observed), method)
