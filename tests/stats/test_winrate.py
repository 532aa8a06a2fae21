"""The weighted mean win rate: worked vectors, its identity with accuracy, and a published table."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osce.stats.winrate import DataSet, mean_over_opponents, pair_rates, standings

N = np.nan


def rates(*scores: list[float], **options: object) -> list[float]:
    array = np.array(scores, dtype=float)
    return mean_over_opponents(pair_rates(array, **options)).tolist()  # type: ignore[arg-type]


def data(benchmark: str, *scores: list[float], variant: str = "", clusters: list[str] | None = None) -> DataSet:
    array = np.array(scores, dtype=float)
    return DataSet(benchmark, array, clusters or [f"{benchmark}{i}" for i in range(array.shape[1])], variant)


def test_wins_losses_and_halves() -> None:
    assert rates([1, 0, 0.8], [0, 1, 0.6]) == pytest.approx([2 / 3, 1 / 3])


def test_a_missing_answer_loses_where_asked_for() -> None:
    a, b = [0.2, N, 0.5], [0.1, 0.3, 0.5]
    assert rates(a, b, missing="loss") == pytest.approx([0.5, 0.5])
    assert rates(a, b, missing="skip") == pytest.approx([0.75, 0.25])


def test_items_that_neither_has_do_not_count() -> None:
    assert rates([N, 1], [N, N], missing="loss") == pytest.approx([1.0, 0.0])
    assert np.isnan(rates([N, 1], [N, N], missing="skip")).all()


def test_tolerance_makes_ties() -> None:
    assert rates([0.1, 0.3], [0, 0], tolerance=0.1) == pytest.approx([0.75, 0.25])
    assert rates([0.4], [0.3], tolerance=0.1) == pytest.approx([0.5, 0.5])  # 0.4 - 0.3 > 0.1 in binary fractions
    assert rates([0.3 + 1e-12], [0.3]) == pytest.approx([0.5, 0.5])


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(1, 20), st.integers(0, 2**32 - 1))
def test_identity_with_accuracy(n_models: int, n_items: int, seed: int) -> None:
    """With 0/1 scores and nothing missing, S(m) = 1/2 + 1/2 (accuracy of m - mean accuracy of its opponents)."""
    x = np.random.default_rng(seed).integers(0, 2, (n_models, n_items)).astype(float)
    accuracy = x.mean(axis=1)
    for m, s in enumerate(mean_over_opponents(pair_rates(x))):
        assert s == pytest.approx(0.5 + 0.5 * (accuracy[m] - np.delete(accuracy, m).mean()))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(1, 12), st.integers(0, 2**32 - 1), st.sampled_from(["skip", "loss"]))
def test_what_one_wins_the_other_loses(n_models: int, n_items: int, seed: int, missing: str) -> None:
    rng = np.random.default_rng(seed)
    x = np.where(rng.random((n_models, n_items)) < 0.3, N, rng.integers(0, 4, (n_models, n_items)) / 3)
    w = pair_rates(x, missing=missing)  # type: ignore[arg-type]
    both = ~np.isnan(w)
    assert (both == both.T).all()
    assert w[both] + w.T[both] == pytest.approx(1.0)


def test_benchmarks_weigh_by_the_logarithm_of_their_items() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 2, (2, 10)).astype(float), rng.integers(0, 2, (2, 200)).astype(float)
    s = standings([data("x", *x), data("y", *y)], resamples=200)
    sx, sy = mean_over_opponents(pair_rates(x))[0], mean_over_opponents(pair_rates(y))[0]
    w = math.log(10), math.log(200)
    assert s[0].rate == pytest.approx((w[0] * sx + w[1] * sy) / sum(w))
    assert s[0].mean == pytest.approx((x[0].mean() + y[0].mean()) / 2)
    equal = standings([data("x", *x), data("y", *y)], weights="equal", resamples=200)
    assert equal[0].rate == pytest.approx((sx + sy) / 2)


def test_variants_share_one_benchmark_weight() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 2, (2, 50)).astype(float), rng.integers(0, 2, (2, 50)).astype(float)
    once = standings([data("x", *x), data("y", *y)], resamples=200)
    cut_up = standings([data("x", *x, variant=v) for v in ("op4", "op5", "op6")] + [data("y", *y)], resamples=200)
    assert [s.rate for s in once] == pytest.approx([s.rate for s in cut_up])
    assert [s.mean for s in once] == pytest.approx([s.mean for s in cut_up])
    assert cut_up[0].n_benchmarks == 2


def test_variants_of_the_same_stems_are_drawn_together() -> None:
    x = np.random.default_rng(3).integers(0, 2, (2, 100)).astype(float)
    stems = [f"s{i}" for i in range(100)]
    one = standings([data("x", *x, clusters=stems)])[0]
    two = standings([data("x", *x, variant="a", clusters=stems), data("x", *x, variant="b", clusters=stems)])[0]
    assert (one.mean_low, one.mean_high) == pytest.approx((two.mean_low, two.mean_high), abs=1e-9)


def test_one_item_benchmarks_weigh_the_same() -> None:
    s = standings([data("x", [1], [0]), data("y", [1], [0]), data("z", [0], [1])], resamples=200)
    assert s[0].rate == pytest.approx(2 / 3)


def test_a_model_without_a_benchmark_is_shown_but_not_ranked() -> None:
    full = [data("x", [1, 1, 0], [0, 1, 0], [0, 0, 0]), data("y", [1, 0, 1], [0, 0, 0], [N, N, N])]
    skip = standings(full, resamples=200)
    assert skip[2].rank is None
    assert skip[2].weight_covered == pytest.approx(0.5)
    assert skip[2].n_benchmarks == 1
    assert (skip[0].rank, skip[1].rank) == (1, 2)
    loss = standings(full, missing="loss", resamples=200)
    assert loss[2].rank == 3
    assert loss[2].rate is not None
    assert skip[2].rate is not None
    assert loss[2].rate < skip[2].rate


def test_a_model_without_one_variant_is_not_ranked() -> None:
    sets = [data("x", [1, 0], [0, 0], variant="op4"), data("x", [1, 0], [N, N], variant="op5")]
    assert [s.rank for s in standings(sets, resamples=200)] == [1, None]


def test_baselines_need_not_compete() -> None:
    x = [[1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    s = standings([data("x", *x)], competing=[True, True, False], resamples=200)
    assert s[0].rate == pytest.approx(pair_rates(np.array(x[:2], dtype=float))[0, 1])
    assert s[2].rate is not None
    assert s[2].rank is None
    assert [s[0].rank, s[1].rank] == [1, 2]


def test_intervals_of_rates_and_ranks() -> None:
    rng = np.random.default_rng(7)
    strong, middle, twin = (rng.random(300) < p for p in (0.9, 0.5, 0.5))
    s = standings([data("x", strong.astype(float), middle.astype(float), twin.astype(float))])
    assert (s[0].rank, s[0].rank_low, s[0].rank_high) == (1, 1, 1)
    assert {(s[1].rank_low, s[1].rank_high), (s[2].rank_low, s[2].rank_high)} == {(2, 3)}
    assert s[0].rate is not None
    assert s[0].rate_low is not None
    assert s[0].rate_high is not None
    assert s[0].rate_low < s[0].rate < s[0].rate_high
    # 0/1 scores: the rate moves half as far as the accuracy does
    assert s[0].rate_high - s[0].rate_low < 0.1


def test_gaps_and_no_gaps_meet_the_same_draws() -> None:
    rng = np.random.default_rng(8)
    x = rng.integers(0, 2, (3, 120)).astype(float)
    with_gap = np.column_stack([x, [N, N, N]])
    labels = [f"c{i}" for i in range(120)]
    a = standings([DataSet("x", x, labels)])
    b = standings([DataSet("x", with_gap, [*labels, "c0"])])
    for one, other in zip(a, b, strict=True):
        assert one.mean_low == pytest.approx(other.mean_low)
        assert one.rate_low == pytest.approx(other.rate_low)


def test_no_interval_where_resampling_cannot_know_one() -> None:
    s = standings([data("x", [1, 1, 1], [0, 0, 0])], resamples=200)
    assert s[0].mean == 1.0
    assert s[0].mean_low is None


def test_unequal_data_sets_are_refused() -> None:
    with pytest.raises(ValueError, match="same models"):
        standings([data("x", [1], [0]), data("y", [1])])
    with pytest.raises(ValueError, match="at least one"):
        standings([])


@pytest.mark.realdata
def test_published_mean_win_rates_of_medhelm(real_data: Path) -> None:
    """Nine models on 37 benchmarks: the published column follows within 0.002 when ties count half."""
    with (real_data / "leaderboards" / "medhelm_leaderboard.csv").open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.reader(file))
    assert table[0][:2] == ["Model", "Mean win rate"]
    scores = np.array([[float(cell) for cell in row[2:]] for row in table[1:]])
    published = np.array([float(row[1]) for row in table[1:]])
    assert scores.shape == (9, 37)
    sets = [DataSet(name, scores[:, [i]], [name]) for i, name in enumerate(table[0][2:])]
    ours = np.array([s.rate for s in standings(sets, weights="equal", resamples=200)])
    assert np.abs(np.round(ours, 3) - published).max() <= 0.002 + 1e-9  # the published column has three decimals
    # counting ties as losses does not reproduce it
    strict = np.array([(scores[m] > np.delete(scores, m, 0)).mean() for m in range(9)])
    assert np.abs(np.round(strict, 3) - published).max() > 0.005
