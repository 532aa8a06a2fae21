"""Does the place of an option sway the answer? The same items shown in several option orders.

Three views: accuracy in each order; consistency (is the chosen option TEXT the same in all orders?); and positions (how often
each label is answered against how often it is right).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from osce.stats._distributions import chi2_sf
from osce.stats.bootstrap import MIN_CLUSTERS, Estimate, Interval, bca, estimate, ratio_interval
from osce.stats.resample import RESAMPLES, SEED, Codes, Floats, cluster_sums, encode, resampled_sums

NONE = -1


@dataclass(frozen=True)
class Answers:
    """One row per answer, all arrays (n,).

    `item`, `cluster`, `order`, `rollout` are codes; `order` indexes `orders`. `label` and `gold` index `labels`, NONE = no
    label was read, or not exactly one label is right. `text` is any code of the chosen option's text, equal for equal
    texts of an item (NONE = nothing chosen); `arrangement` any code of the sequence of options shown. `score` is NaN where
    missing.
    """

    item: Codes
    cluster: Codes
    order: Codes
    rollout: Codes
    label: Codes
    gold: Codes
    text: Codes
    arrangement: Codes
    score: Floats
    orders: Sequence[str]
    labels: Sequence[str]


@dataclass(frozen=True)
class Position:
    """One label: its share of the answers and of the gold among the same answers, and the accuracy where it is gold."""

    label: str
    answered: float
    gold: float
    excess: float
    excess_low: float | None
    excess_high: float | None
    accuracy_when_gold: Estimate


@dataclass(frozen=True)
class OrderBias:
    """What `order_bias` found. Only reordered items bear on consistency and positions: `n_fixed` items were shown alike in all
    their orders (nothing to reorder), `n_one_order` items in one order only (an interrupted run).

    `consistency`: share of (item, rollout) with an answer read in at least two orders whose text is the same in all of them;
    `n_unread` of `n_reordered` had an answer read in fewer than two. `right_in_all`: share right in every order.
    `total_variation` = half the sum of |answered - gold| over labels: the share of answers that would have to move.
    `variation_by_chance` is the value that resampling noise alone stays under in 95 of 100 cases.
    `chi_square` (with `df`, `p`): Wald test that answers and gold have the same distribution over labels, with the
    covariance between clusters: the Stuart-Maxwell test of marginal homogeneity, made robust to clusters. None with fewer
    than 10 clusters or too few clusters for the labels.
    """

    by_order: dict[str, Estimate]
    consistency: Estimate
    right_in_all: Estimate
    positions: list[Position]
    total_variation: float | None
    variation_low: float | None
    variation_high: float | None
    variation_by_chance: float | None
    chi_square: float | None
    df: int | None
    p: float | None
    n_reordered: int
    n_unread: int
    n_fixed: int
    n_one_order: int


def order_bias(answers: Answers, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED) -> OrderBias:
    """Raises ValueError where there are not at least two orders."""
    if len(np.unique(answers.order)) < 2:
        raise ValueError("order bias needs answers in two option orders or more")
    how = _How(level, resamples, seed)
    orders_seen = _distinct_per_item(answers.item, answers.order)
    arrangements = _distinct_per_item(answers.item, answers.arrangement)
    moved = arrangements[answers.item] > 1
    same, right, clusters = _across_orders(answers, moved)
    read = ~np.isnan(same)
    positions, variation, chi = _positions(answers, moved, how)
    return OrderBias(
        by_order={
            name: _by_item(answers, answers.order == code, how)
            for code, name in enumerate(answers.orders)
            if (answers.order == code).any()
        },
        consistency=how.estimate(same[read], clusters[read]),
        right_in_all=how.estimate(right, clusters),
        positions=positions,
        total_variation=variation.value,
        variation_low=variation.interval.low,
        variation_high=variation.interval.high,
        variation_by_chance=variation.by_chance,
        chi_square=chi[0],
        df=chi[1],
        p=chi[2],
        n_reordered=len(same),
        n_unread=int((~read).sum()),
        n_fixed=int(((orders_seen > 1) & (arrangements == 1)).sum()),
        n_one_order=int((orders_seen == 1).sum()),
    )


@dataclass(frozen=True)
class _How:
    level: float
    resamples: int
    seed: int

    def estimate(self, scores: Floats, clusters: Codes, scored: Floats | None = None, asked: Floats | None = None) -> Estimate:
        return estimate(
            scores, clusters, scored=scored, asked=asked, level=self.level, resamples=self.resamples, seed=self.seed
        )


@dataclass(frozen=True)
class _Variation:
    value: float | None
    interval: Interval
    by_chance: float | None


def _distinct_per_item(item: Codes, what: Codes) -> NDArray[np.int64]:
    """How many different values of `what` each item has; indexed by item code (0 for codes that do not occur)."""
    pairs = np.unique(np.column_stack([item, what]), axis=0)
    return np.bincount(pairs[:, 0], minlength=int(item.max()) + 1).astype(np.int64)


def _by_item(answers: Answers, mask: NDArray[np.bool_], how: _How) -> Estimate:
    """Mean over items of each item's mean score over the answers in the mask."""
    codes, n = encode(answers.item[mask])
    scores = answers.score[mask]
    have = ~np.isnan(scores)
    asked = np.bincount(codes, minlength=n).astype(float)
    scored: Floats = np.bincount(codes, weights=have.astype(float), minlength=n).astype(float)
    totals = np.bincount(codes, weights=np.where(have, scores, 0.0), minlength=n)
    cluster = np.zeros(n, dtype=np.int64)
    cluster[codes] = answers.cluster[mask]
    with np.errstate(invalid="ignore"):
        return how.estimate(totals / scored, cluster, scored, asked)


def _across_orders(answers: Answers, moved: NDArray[np.bool_]) -> tuple[Floats, Floats, Codes]:
    """For each (item, rollout) of the reordered items: is the chosen text the same in all orders (NaN with fewer than two
    answers read), are all answers right (NaN where one has no score), and its cluster."""
    if not moved.any():
        return np.empty(0), np.empty(0), np.empty(0, dtype=np.int64)
    keys = np.column_stack([answers.item[moved], answers.rollout[moved]])
    groups, codes = np.unique(keys, axis=0, return_inverse=True)
    codes, n = codes.reshape(-1), len(groups)
    text, score = answers.text[moved], answers.score[moved]
    read = text != NONE
    n_read = np.bincount(codes, weights=read, minlength=n)
    first, last = np.full(n, np.iinfo(np.int64).max), np.full(n, np.iinfo(np.int64).min)
    np.minimum.at(first, codes[read], text[read])
    np.maximum.at(last, codes[read], text[read])
    same = np.where(n_read >= 2, (first == last).astype(float), np.nan)
    lowest = np.full(n, np.inf)
    np.minimum.at(lowest, codes, np.where(np.isnan(score), -np.inf, score))  # a missing score makes "all right" missing
    right = np.where(np.isneginf(lowest), np.nan, (lowest >= 1 - 1e-9).astype(float))
    cluster = np.zeros(n, dtype=np.int64)
    cluster[codes] = answers.cluster[moved]
    return same, right, cluster


def _positions(
    answers: Answers, moved: NDArray[np.bool_], how: _How
) -> tuple[list[Position], _Variation, tuple[float | None, int | None, float | None]]:
    use = moved & (answers.label != NONE) & (answers.gold != NONE)
    total = int(use.sum())
    if not total:
        reason = "no answer of a reordered item could be read"
        return [], _Variation(None, Interval(None, None, reason), None), (None, None, None)
    label, gold = answers.label[use], answers.gold[use]
    used: list[int] = np.flatnonzero(np.bincount(np.concatenate([label, gold]), minlength=len(answers.labels))).tolist()
    excess = np.column_stack([(label == i).astype(float) - (gold == i) for i in used])
    clusters, n_clusters = encode(answers.cluster[use])
    rows = cluster_sums(np.column_stack([excess, np.ones(total)]), clusters, n_clusters)
    positions = []
    for k, i in enumerate(used):
        interval = ratio_interval(rows[:, [k, -1]], bounds=(-1.0, 1.0), level=how.level, resamples=how.resamples, seed=how.seed)
        when_gold = _by_item(answers, moved & (answers.gold == i), how)
        share = float(np.mean(label == i)), float(np.mean(gold == i))
        positions.append(Position(answers.labels[i], *share, share[0] - share[1], interval.low, interval.high, when_gold))
    return positions, _variation(rows, how), _marginal_homogeneity(rows)


def _variation(rows: Floats, how: _How) -> _Variation:
    """Rows (C, L + 1): per cluster the excess of each label and, last, the number of answers."""
    observed = rows[:, :-1].sum(axis=0) / rows[:, -1].sum()
    value = float(np.abs(observed).sum() / 2)
    if len(rows) < MIN_CLUSTERS:
        return _Variation(value, Interval(None, None, f"none: fewer than {MIN_CLUSTERS} clusters"), None)
    sums = resampled_sums(rows, resamples=how.resamples, seed=how.seed)
    drawn = sums[:, :-1] / sums[:, -1:]
    totals = rows.sum(axis=0)
    left = totals - rows
    jackknife = np.abs(left[:, :-1] / np.maximum(left[:, -1:], 1e-12)).sum(axis=1) / 2
    interval = bca(np.sort(np.abs(drawn).sum(axis=1) / 2), value, jackknife, level=how.level)
    noise = np.abs(drawn - observed).sum(axis=1) / 2
    return _Variation(value, interval, float(np.quantile(noise, how.level)))


def _marginal_homogeneity(rows: Floats) -> tuple[float | None, int | None, float | None]:
    """(chi-square, df, p) that every label's expected excess is 0; df is the rank of the covariance between clusters."""
    n, n_labels = rows.shape[0], rows.shape[1] - 1
    if n < max(MIN_CLUSTERS, 3 * n_labels):
        return None, None, None
    total = rows[:, -1].sum()
    mean = rows[:, :-1].sum(axis=0) / total
    residual = rows[:, :-1] - mean * rows[:, -1:]
    covariance = residual.T @ residual * n / (n - 1) / total**2
    values, vectors = np.linalg.eigh(covariance)
    keep = values > 1e-9 * max(float(values[-1]), 1e-12)
    df = int(keep.sum())
    if not df:
        return None, None, None
    statistic = float((((vectors[:, keep].T @ mean) ** 2) / values[keep]).sum())
    return statistic, df, chi2_sf(statistic, df)
