"""A mean, its interval, its coverage: closed forms, properties, and data that leave nothing to resample."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osce.stats.bootstrap import BCA, WILSON, estimate, wilson
from osce.stats.resample import encode, resample_weights, resampled_sums

scores01 = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, None]), min_size=1, max_size=60)


def test_mean_and_counts() -> None:
    e = estimate([1, 0, None, 1], ["a", "a", "b", "c"])
    assert e.mean == pytest.approx(2 / 3)
    assert (e.n_items, e.n_scored, e.n_clusters) == (4, 3, 2)
    assert e.coverage == pytest.approx(0.75)


def test_missing_is_bounded_not_zero() -> None:
    e = estimate([1, 1, None, None], list("abcd"))
    assert e.mean == 1.0
    assert (e.worst, e.best) == (0.5, 1.0)


def test_bounds_count_answers_where_an_item_has_several() -> None:
    e = estimate([0.5, 1.0], ["a", "b"], scored=[2, 1], asked=[2, 3])
    assert e.coverage == pytest.approx(3 / 5)
    assert e.worst == pytest.approx((0.5 + 1 / 3) / 2)
    assert e.best == pytest.approx((0.5 + 1.0) / 2)


def test_nothing_scored() -> None:
    e = estimate([None, None], ["a", "b"])
    assert e.mean is None
    assert e.low is None
    assert (e.coverage, e.worst, e.best) == (0.0, 0.0, 1.0)
    empty = estimate([], [])
    assert (empty.mean, empty.coverage, empty.n_items) == (None, None, 0)


@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("n", [1, 2, 5, 20, 500])
def test_all_right_or_all_wrong_is_not_certainty(value: float, n: int) -> None:
    e = estimate([value] * n, list(range(n)))
    z = 1.959964
    assert e.method == WILSON
    low, high = (n / (n + z * z), 1.0) if value else (0.0, z * z / (n + z * z))
    assert e.low == pytest.approx(low, abs=1e-6)
    assert e.high == pytest.approx(high, abs=1e-6)


def test_all_right_counts_clusters_not_items() -> None:
    wide = estimate([1.0] * 100, [i // 20 for i in range(100)])
    narrow = estimate([1.0] * 100, list(range(100)))
    assert wide.low is not None
    assert narrow.low is not None
    assert wide.low == pytest.approx(5 / (5 + 1.959964**2))
    assert wide.low < narrow.low


def test_few_clusters_and_few_events_name_their_method() -> None:
    rng = np.random.default_rng(3)
    assert estimate((rng.random(200) < 0.5).astype(float), np.arange(200) % 9).method == WILSON
    assert estimate([0.0] * 3 + [1.0] * 97, list(range(100))).method == WILSON
    assert estimate([0.0] * 30 + [1.0] * 70, list(range(100))).method == BCA


def test_one_cluster_of_unbounded_scores_has_no_interval() -> None:
    e = estimate([2.0, 3.0], ["a", "a"])
    assert e.mean == 2.5
    assert e.low is None
    assert e.method.startswith("none")
    assert e.worst is None


def test_scores_beyond_the_bounds_still_get_an_interval() -> None:
    rng = np.random.default_rng(0)
    points = np.where(rng.random(400) < 0.6, 1.0, -0.25)
    e = estimate(points, np.arange(400))
    assert e.method == BCA
    assert e.low is not None
    assert e.low < e.mean < e.high  # type: ignore[operator]


def test_large_sample_agrees_with_the_normal_interval() -> None:
    n, p = 20_000, 0.37
    x = (np.arange(n) < p * n).astype(float)
    e = estimate(x, np.arange(n), resamples=8000)
    half = 1.96 * math.sqrt(p * (1 - p) / n)
    assert e.low == pytest.approx(p - half, abs=0.06 * half)
    assert e.high == pytest.approx(p + half, abs=0.06 * half)


def test_clustered_width_follows_the_ratio_estimator() -> None:
    rng = np.random.default_rng(5)
    sizes = rng.integers(1, 9, 600)
    clusters = np.repeat(np.arange(600), sizes)
    x = (rng.random(len(clusters)) < rng.beta(2, 2, 600)[clusters]).astype(float)
    s, m = np.bincount(clusters, x), np.bincount(clusters)
    r = x.mean()
    linear = 1.96 * math.sqrt(((s - r * m) ** 2).sum() * 600 / 599) / len(x)
    e = estimate(x, clusters, resamples=8000)
    assert e.low is not None
    assert e.high is not None
    assert (e.high - e.low) / 2 == pytest.approx(linear, rel=0.06)
    alone = estimate(x, np.arange(len(x)))
    assert alone.low is not None
    assert alone.high is not None
    assert alone.high - alone.low < e.high - e.low


@settings(max_examples=60, deadline=None)
@given(scores01, st.integers(1, 25), st.randoms(use_true_random=False))
def test_order_of_items_and_names_of_clusters_do_not_matter(scores: list[float | None], k: int, rnd: object) -> None:
    clusters = [i % k for i in range(len(scores))]
    first = estimate(scores, clusters, resamples=300)
    pairs = list(zip(scores, [f"name {97 - c}" for c in clusters], strict=True))
    rnd.shuffle(pairs)  # type: ignore[attr-defined]
    second = estimate([s for s, _ in pairs], [c for _, c in pairs], resamples=300)
    for field in ("mean", "low", "high", "coverage", "worst", "best"):
        assert getattr(first, field) == pytest.approx(getattr(second, field), abs=1e-9)
    assert first.method == second.method


@settings(max_examples=100, deadline=None)
@given(scores01, st.integers(1, 25))
def test_mean_lies_inside_and_interval_inside_the_bounds(scores: list[float | None], k: int) -> None:
    e = estimate(scores, [i % k for i in range(len(scores))], resamples=300)
    if e.mean is None:
        assert all(s is None for s in scores)
        return
    assert e.low is not None
    assert e.high is not None
    assert e.worst is not None
    assert e.best is not None
    assert 0 <= e.low <= e.mean <= e.high <= 1
    assert e.worst <= e.mean + 1e-12
    assert e.mean <= e.best + 1e-12


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=30, max_size=80), st.integers(2, 6))
def test_copies_inside_a_cluster_add_no_certainty(scores: list[float], copies: int) -> None:
    n = len(scores)
    once = estimate(scores, list(range(n)), resamples=400)
    again = estimate(scores * copies, list(range(n)) * copies, resamples=400)
    assert once.mean == pytest.approx(again.mean)
    if once.method == again.method == BCA:
        assert once.low == pytest.approx(again.low, abs=1e-9)
        assert once.high == pytest.approx(again.high, abs=1e-9)


def test_seed_decides() -> None:
    x, c = np.linspace(0, 1, 50) ** 2, np.arange(50)
    assert estimate(x, c, seed=1) == estimate(x, c, seed=1)
    assert estimate(x, c, seed=1).low != estimate(x, c, seed=2).low


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="one label per score"):
        estimate([1.0, 0.0], ["a"])
    with pytest.raises(ValueError, match="finite"):
        estimate([float("inf")], ["a"])


@pytest.mark.parametrize("distinct", [False, True], ids=["few distinct rows", "all rows distinct"])
def test_resampled_sums_have_the_moments_of_a_bootstrap(distinct: bool) -> None:
    n = 400
    x = np.arange(n, dtype=float) if distinct else np.arange(n) % 3.0
    sums = resampled_sums(np.column_stack([x, np.ones(n)]), resamples=6000, seed=9)
    assert (sums[:, 1] == n).all()
    assert sums[:, 0].mean() == pytest.approx(x.sum(), rel=4 * x.std() / math.sqrt(n * 6000) / x.mean())
    assert sums[:, 0].var() == pytest.approx(n * x.var(), rel=0.08)


def test_same_seed_draws_the_same_weights() -> None:
    first = np.concatenate(list(resample_weights(7, resamples=50, seed=4)))
    second = np.concatenate(list(resample_weights(7, resamples=50, seed=4)))
    assert (first == second).all()
    assert (first.sum(axis=1) == 7).all()


def test_labels_of_any_kind() -> None:
    codes, n = encode(["b", "a", "b"])
    assert (codes.tolist(), n) == ([1, 0, 1], 2)


def test_wilson_of_the_textbook() -> None:
    low, high = wilson(0.5, 10, 1.959964)  # (5 of 10)
    assert (low, high) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))
