"""Is one model better than another? A paired test on the items both have, and Holm's correction for many pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from osce.stats._distributions import binomial_two_sided, normal_cdf, normal_quantile
from osce.stats.bootstrap import Interval, floats, ratio_interval, wilson
from osce.stats.resample import RESAMPLES, SEED, Floats, cluster_sums, encode

FLIPS = 20_000
_EXACT_UP_TO = 14
_NORMAL_FROM = 5_000
_CELLS = 4_000_000
_FEW = 10


@dataclass(frozen=True)
class Comparison:
    """Model a minus model b on common items. `difference`, `low`, `high` and `p` are None where nothing is in common.

    `method` names the test; `interval_method` the interval's. `n_differing` counts clusters with a difference: only they
    bear on the test.
    """

    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    method: str
    interval_method: str
    n_items: int
    n_clusters: int
    n_differing: int


def paired(
    a: ArrayLike | Sequence[float | None],
    b: ArrayLike | Sequence[float | None],
    clusters: Sequence[Any] | NDArray[Any],
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    level: float = 0.95,
    flips: int = FLIPS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    interval: bool = True,
) -> Comparison:
    """Scores of two models on the same items (n,), NaN or None = missing; items that either lacks are left out.

    Null hypothesis: within each cluster the two models' scores are exchangeable. `interval=False` spares the bootstrap.
    """
    x, y = floats(a), floats(b)
    codes, _ = encode(clusters)
    if not len(x) == len(y) == len(codes):
        raise ValueError(f"{len(x)}, {len(y)} scores and {len(codes)} cluster labels: all three must be of the same items")
    both = ~(np.isnan(x) | np.isnan(y))
    n_items = int(both.sum())
    if not n_items:
        return Comparison(None, None, None, None, "no item in common", "no item in common", 0, 0, 0)
    kept, n_clusters = encode(codes[both])
    rows = cluster_sums(np.column_stack([x[both] - y[both], np.ones(n_items)]), kept, n_clusters)
    p, method = sign_flip(rows[:, 0], flips=flips, seed=seed)
    n_differing = int(np.count_nonzero(rows[:, 0]))
    got = Interval(None, None, "not asked for")
    if interval:
        inside = all(v[both].min() >= bounds[0] and v[both].max() <= bounds[1] for v in (x, y))
        if inside and min(n_clusters, n_differing) < _FEW:
            got = _few_differences(rows, bounds[1] - bounds[0], level)
        else:
            got = ratio_interval(rows, bounds=None, level=level, resamples=resamples, seed=seed)
    mean = float(np.mean(x[both] - y[both]))
    return Comparison(mean, got.low, got.high, p, method, got.method, n_items, n_clusters, n_differing)


def _few_differences(rows: Floats, span: float, level: float) -> Interval:
    """Where few clusters differ, resampling sees too little: Wilson intervals of the gains and of the losses (each a mean of
    parts in [0, span], clusters as observations), joined by the square-and-add rule (Newcombe 1998; Zou & Donner 2008)."""
    n, z = len(rows), normal_quantile(0.5 + level / 2)
    gain, loss = (float(np.maximum(sign * rows[:, 0], 0).sum() / rows[:, 1].sum() / span) for sign in (1, -1))
    (gain_low, gain_high), (loss_low, loss_high) = wilson(gain, n, z), wilson(loss, n, z)
    down = math.hypot(gain - gain_low, loss_high - loss)
    up = math.hypot(gain_high - gain, loss - loss_low)
    difference = gain - loss
    return Interval(
        max(-1.0, difference - down) * span, min(1.0, difference + up) * span, "Wilson of gains and losses, square-and-add"
    )


def sign_flip(differences: Floats, *, flips: int = FLIPS, seed: int = SEED) -> tuple[float, str]:
    """Two-sided p of sum(differences) when every cluster's sign is a fair coin; and the name of the way it was had.

    Exact when all non-zero differences have one size (the sign test; McNemar's exact test for 0/1 scores) or are few;
    normal when they are many and none dominates; else by random flips, p = (1 + extreme) / (1 + flips), never 0.
    """
    d = differences[differences != 0]
    size = np.abs(d)
    if not len(d):
        return 1.0, "no cluster differs"
    if np.ptp(size) <= 1e-9 * size.max():
        return binomial_two_sided(int((d > 0).sum()), len(d)), "exact sign test"
    observed = abs(float(d.sum())) - 1e-9
    if len(d) <= _EXACT_UP_TO:
        bits = (np.arange(2 ** len(d))[:, None] >> np.arange(len(d))) & 1
        return float(np.mean(np.abs((2 * bits - 1) @ size) >= observed)), "exact sign flips"
    scale = float(size @ size)
    if len(d) >= _NORMAL_FROM and float(size.max()) ** 2 < scale / 1000:
        return 2 * normal_cdf(-abs(float(d.sum())) / scale**0.5), "sign flips (normal)"
    rng = np.random.default_rng(seed)
    ordered = np.sort(size)  # the items' order must not change the outcome
    step = max(1, _CELLS // len(d))
    extreme = 0
    for start in range(0, flips, step):
        signs = rng.integers(0, 2, size=(min(step, flips - start), len(d)), dtype=np.int8) * 2.0 - 1.0
        extreme += int((np.abs(signs @ ordered) >= observed).sum())
    return (1 + extreme) / (1 + flips), f"sign flips ({flips:,} random)"


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's (1979) adjusted p values in the given order; None stays None and does not count as a test."""
    known = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    out: list[float | None] = [None] * len(ps)
    running = 0.0
    for rank, (p, i) in enumerate(known):
        running = max(running, min(1.0, (len(known) - rank) * p))
        out[i] = running
    return out
