"""The weighted mean win rate, ranks and means over several benchmarks, each with a cluster-bootstrap interval.

For data set d, models m and k, item q with mean score r: w = 1, 1/2 (a tie) or 0. W(m,k,d) is the mean of w over items,
S(m,d) the mean of W over opponents, and the rate of m is sum(weight_b S(m,b)) / sum(weight_b) over benchmarks b, where
S(m,b) is the plain mean over the variants of b. weight_b = ln(items of b's largest variant): cutting a benchmark into more
variants gives it no more weight.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from osce.stats.resample import RESAMPLES, SEED, Floats, encode, resample_weights

TOLERANCE = 1e-9
_CELLS = 6_000_000
Missing = Literal["skip", "loss"]
"""skip = a pair is compared on the items both have; loss = a missing score loses against one that is there."""


@dataclass(frozen=True)
class DataSet:
    """One variant of one benchmark: item scores (models, items) with NaN for missing, cluster labels (items,).

    Cluster labels are shared by the variants of a benchmark: a stem drawn in one is drawn in all.
    """

    benchmark: str
    scores: Floats
    clusters: Sequence[Any] | NDArray[Any]
    variant: str = ""


@dataclass(frozen=True)
class Standing:
    """One model over all benchmarks. Rates, means and ranks are None where there is nothing to compare.

    An interval is None where every resample gives the same figure (all right, all wrong): it would be a lie.
    `weight_covered` = share of the benchmarks' weight in which the model could be compared; `mean` is the mean of benchmark
    means over `n_benchmarks`; ranks are over the models that have every data set (with missing = loss: over all), 1 = best,
    ties share the better rank.
    """

    rate: float | None
    rate_low: float | None
    rate_high: float | None
    weight_covered: float
    mean: float | None
    mean_low: float | None
    mean_high: float | None
    n_benchmarks: int
    rank: int | None
    rank_low: int | None
    rank_high: int | None


def pair_rates(scores: Floats, *, missing: Missing = "skip", tolerance: float = TOLERANCE) -> Floats:
    """W(m, k) over the items of one data set: (M, Q) -> (M, M), NaN on the diagonal and where nothing can be compared."""
    n = len(scores)
    out = np.full((n, n), np.nan)
    for m in range(n - 1):
        out[m, m + 1 :] = _ratio(np.hstack(_against(scores, m, missing, tolerance)).sum(axis=0, keepdims=True))[0]
        out[m + 1 :, m] = 1 - out[m, m + 1 :]
    return out


def _against(scores: Floats, m: int, missing: Missing, tolerance: float) -> tuple[Floats, Floats]:
    """w of model m against each later model, and whether the item counts: both (Q, M - m - 1). Every item that counts adds 1
    to the two sides together, so that the other direction is 1 minus this one."""
    mine, theirs = scores[m][:, None], scores[m + 1 :].T
    have, has = ~np.isnan(mine), ~np.isnan(theirs)
    with np.errstate(invalid="ignore"):
        difference = mine - theirs
    tie = np.abs(difference) <= tolerance + 1e-12  # 0.4 - 0.3 is a tie at tolerance 0.1, whatever binary fractions say
    wins = np.where(tie, 0.5, (difference > 0).astype(float))
    if missing == "loss":
        return np.where(have & has, wins, (have & ~has).astype(float)), (have | has).astype(float)
    both = (have & has).astype(float)
    return wins * both, both


def mean_over_opponents(rates: Floats, competes: NDArray[np.bool_] | None = None) -> Floats:
    """S(m) = mean of W(m, k) over the opponents k it could be compared with (those of `competes` (M,); default all):
    (..., M, M) -> (..., M), NaN where there is none."""
    known = ~np.isnan(rates)
    if competes is not None:
        known &= competes
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, rates, 0.0).sum(axis=-1) / known.sum(axis=-1))


def standings(
    data: Sequence[DataSet],
    *,
    missing: Missing = "skip",
    tolerance: float = TOLERANCE,
    weights: Literal["log", "equal"] = "log",
    competing: Sequence[bool] | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Standing]:
    """Rates, means and ranks of M models over all data sets. Every DataSet has the same models in the same rows.

    `competing` (M,) marks the models that count as opponents and are ranked (default all): baselines need not.
    Log weights of benchmarks with one item each are all 0; then all benchmarks weigh the same.
    Raises ValueError for data sets with different numbers of models, or of no data set.
    """
    if not data or len({len(d.scores) for d in data}) != 1:
        raise ValueError("every data set needs the same models in its rows, and at least one data set is needed")
    n_models = len(data[0].scores)
    competes = np.ones(n_models, dtype=bool) if competing is None else np.asarray(competing, dtype=bool)
    benchmarks = list(dict.fromkeys(d.benchmark for d in data))
    groups = [[d for d in data if d.benchmark == b] for b in benchmarks]
    omega = np.array([math.log(max(d.scores.shape[1] for d in g)) if weights == "log" else 1.0 for g in groups])
    if not omega.any():
        omega = np.ones(len(groups))
    parts = [
        _benchmark(g, competes, missing, tolerance, resamples=resamples, seed=seed + i) for i, g in enumerate(groups)
    ]  # each (1 + B, M) of S and of the mean; row 0 is what was observed
    rates = _weighted([p[0] for p in parts], omega)
    means = _weighted([p[1] for p in parts], np.ones(len(groups)))
    held = np.stack([~np.isnan(d.scores).all(axis=1) for d in data]).all(axis=0)
    rankable = ~np.isnan(np.stack([p[0][0] for p in parts])).any(axis=0) & competes & (held | (missing == "loss"))
    ranks = _ranks(np.where(rankable, rates, np.nan))
    covered = (~np.isnan(np.stack([p[0][0] for p in parts])) * omega[:, None]).sum(axis=0) / omega.sum()
    n_benchmarks = (~np.isnan(np.stack([p[1][0] for p in parts]))).sum(axis=0)
    tails = ((1 - level) / 2, (1 + level) / 2)
    out = []
    for m in range(n_models):
        rate, mean = _with_interval(rates[:, m], tails), _with_interval(means[:, m], tails)
        rank: tuple[int | None, int | None, int | None] = (None, None, None)
        if rankable[m]:
            low, high = np.quantile(ranks[1:, m], tails, method="inverted_cdf")
            rank = (int(ranks[0, m]), int(min(low, ranks[0, m])), int(max(high, ranks[0, m])))
        out.append(Standing(*rate, float(covered[m]), *mean, int(n_benchmarks[m]), *rank))
    return out


def _benchmark(
    variants: list[DataSet], competes: NDArray[np.bool_], missing: Missing, tolerance: float, *, resamples: int, seed: int
) -> tuple[Floats, Floats]:
    """S(m, b) and the mean of one benchmark, observed (row 0) and resampled: two arrays (1 + B, M)."""
    codes, n_clusters = encode(np.concatenate([np.asarray(d.clusters).astype(str) for d in variants]))
    split = np.split(codes, np.cumsum([d.scores.shape[1] for d in variants])[:-1])

    def blocks() -> Iterator[Floats]:
        for d, mine in zip(variants, split, strict=True):
            have = ~np.isnan(d.scores)
            yield _per_cluster(np.concatenate([np.where(have, d.scores, 0.0), have]).T, mine, n_clusters)
            for m in range(len(d.scores) - 1):
                yield _per_cluster(np.hstack(_against(d.scores, m, missing, tolerance)), mine, n_clusters)

    drawn = _drawn(blocks(), n_clusters, resamples, seed)
    rates, means = [], []
    for d in variants:
        n = len(d.scores)
        means.append(_ratio(next(drawn)))
        pairs = np.full((1 + resamples, n, n), np.nan)
        for m in range(n - 1):
            pairs[:, m, m + 1 :] = _ratio(next(drawn))
        for m in range(n):
            pairs[:, m + 1 :, m] = 1 - pairs[:, m, m + 1 :]
        rates.append(mean_over_opponents(pairs, competes))
    return _mean_known(rates), _mean_known(means)


def _per_cluster(block: Floats, codes: NDArray[np.int64], n_clusters: int) -> Floats:
    """(Q, K) -> (C, K)."""
    return np.stack([np.bincount(codes, weights=column, minlength=n_clusters) for column in block.T], axis=1)


def _ratio(sums: Floats) -> Floats:
    """First half of the columns over the second half; NaN for 0 / 0."""
    half = sums.shape[1] // 2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[:, :half] / sums[:, half:])


def _drawn(blocks: Iterator[Floats], n_clusters: int, resamples: int, seed: int) -> Iterator[Floats]:
    """For each block of rows (C, K): its column sums over all clusters (row 0) and over each resample, (1 + B, K). Every
    block meets the same draws; blocks are drawn together as far as memory allows, for drawing is what takes the time."""
    waiting: list[Floats] = []

    def flush() -> Iterator[Floats]:
        rows = np.hstack(waiting)
        sums = [rows.sum(axis=0, keepdims=True)]
        sums += [w @ rows for w in resample_weights(n_clusters, resamples=resamples, seed=seed)]
        cuts = np.cumsum([b.shape[1] for b in waiting])[:-1]
        waiting.clear()
        yield from np.split(np.concatenate(sums), cuts, axis=1)

    for block in blocks:
        waiting.append(block)
        if sum(b.size for b in waiting) > _CELLS:
            yield from flush()
    if waiting:
        yield from flush()


def _mean_known(parts: list[Floats]) -> Floats:
    """Mean over the first axis of what is known; NaN where nothing is."""
    return _weighted(parts, np.ones(len(parts)))


def _weighted(parts: list[Floats], weights: Floats) -> Floats:
    stacked = np.stack(parts)
    known = ~np.isnan(stacked)
    w = weights[:, None, None] * known
    with np.errstate(invalid="ignore"):
        return np.asarray((np.where(known, stacked, 0.0) * w).sum(axis=0) / w.sum(axis=0))


def _ranks(values: Floats) -> Floats:
    """1 + how many are better by more than rounding, row by row; NaN counts as no competitor."""
    out = np.empty(values.shape)
    for m in range(values.shape[1]):
        with np.errstate(invalid="ignore"):
            out[:, m] = 1 + (values > values[:, m : m + 1] + 1e-12).sum(axis=1)
    return out


def _with_interval(column: Floats, tails: tuple[float, float]) -> tuple[float | None, float | None, float | None]:
    observed, drawn = column[0], column[1:][~np.isnan(column[1:])]
    if np.isnan(observed):
        return None, None, None
    if not len(drawn) or np.ptp(drawn) <= 1e-12:  # all clusters alike: resampling cannot know the spread
        return float(observed), None, None
    low, high = np.quantile(drawn, tails)
    return float(observed), float(min(low, observed)), float(max(high, observed))
