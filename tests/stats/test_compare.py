"""Paired tests: exact where they can be, the same answer from either side, honest where little differs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osce.stats.compare import holm, paired, sign_flip


def test_mcnemar_exact_for_single_items() -> None:
    # 8 items where only a is right, 2 where only b is, 20 alike: two-sided sign test of 2 in 10
    a = [1] * 8 + [0] * 2 + [1] * 20
    b = [0] * 8 + [1] * 2 + [1] * 20
    c = paired(a, b, list(range(30)))
    assert c.difference == pytest.approx(6 / 30)
    assert c.method == "exact sign test"
    assert c.p == pytest.approx(2 * (1 + 10 + 45) / 2**10)
    assert (c.n_items, c.n_clusters, c.n_differing) == (30, 30, 10)


def test_only_common_items_count() -> None:
    c = paired([1, None, 1, 0], [0, 1, None, 0], list("abcd"))
    assert (c.n_items, c.difference) == (2, 0.5)


def test_nothing_in_common_is_no_verdict() -> None:
    c = paired([1, None], [None, 1], ["a", "b"])
    assert (c.difference, c.p, c.low, c.n_items) == (None, None, None, 0)
    assert c.method == "no item in common"


def test_clusters_take_certainty_away() -> None:
    a, b = [1.0] * 40, [0.0] * 40
    apart = paired(a, b, list(range(40)))
    together = paired(a, b, [i // 10 for i in range(40)])
    assert apart.p == pytest.approx(2 / 2**40)
    assert together.p == pytest.approx(2 / 2**4)


def test_twins_do_not_differ_but_are_not_proved_equal() -> None:
    x = [1, 0, 1, 1] * 10
    c = paired(x, x, list(range(40)))
    assert (c.difference, c.p) == (0.0, 1.0)
    assert c.low == pytest.approx(-(1.959964**2) / (40 + 1.959964**2))
    assert c.high == pytest.approx(1.959964**2 / (40 + 1.959964**2))


def test_random_flips_agree_with_all_flips() -> None:
    d = np.array([0.3, -0.1, 0.5, 0.2, -0.4, 0.6, 0.1, 0.2, -0.2, 0.35, 0.15, -0.05, 0.45, 0.25])
    exact, name = sign_flip(d)
    assert name == "exact sign flips"
    long_way = np.mean([abs(np.dot(s, np.abs(d))) >= abs(d.sum()) - 1e-9 for s in itertools.product((-1, 1), repeat=14)])
    assert exact == pytest.approx(long_way)
    # two halves that cancel for certain leave the sum's distribution wider; a doubled sample is checked against the normal one
    many, name = sign_flip(np.concatenate([d, d, d]))
    assert name.startswith("sign flips (20,000")
    z = 3 * d.sum() / np.sqrt(3 * (d @ d))
    from osce.stats._distributions import normal_cdf

    assert many == pytest.approx(2 * normal_cdf(-abs(z)), abs=0.01)


def test_very_many_clusters_use_the_normal_form() -> None:
    rng = np.random.default_rng(0)
    p, name = sign_flip(rng.normal(0.02, 1, 20_000))
    assert name == "sign flips (normal)"
    assert 0 < p < 0.5
    with_giant = np.concatenate([rng.normal(0, 1, 6000), [1e4]])
    assert sign_flip(with_giant, flips=200)[1].startswith("sign flips (200")


def test_p_is_never_nought() -> None:
    d = np.concatenate([np.full(30, 0.5), np.full(30, 0.25)])
    p, _ = sign_flip(d)
    assert 0 < p < 1e-3


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([0, 0.5, 1, None]), st.sampled_from([0, 0.5, 1, None])), min_size=1, max_size=40))
def test_swapping_the_models_swaps_the_sign(pairs: list[tuple[float | None, float | None]]) -> None:
    a, b = [p[0] for p in pairs], [p[1] for p in pairs]
    clusters = [i // 2 for i in range(len(pairs))]
    there, back = paired(a, b, clusters, resamples=300), paired(b, a, clusters, resamples=300)
    if there.difference is None or back.difference is None:
        assert there.n_items == 0
        return
    assert there.difference == pytest.approx(-back.difference)
    assert there.p == pytest.approx(back.p, abs=0.02)
    assert there.low is not None
    assert there.high is not None
    assert there.low - 1e-12 <= there.difference <= there.high + 1e-12


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.5]) == [1.0, 1.0]
    assert holm([]) == []


def test_holm_leaves_missing_tests_out_of_the_family() -> None:
    assert holm([0.02, None, 0.03]) == [pytest.approx(0.04), None, pytest.approx(0.04)]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_between_raw_and_bonferroni(ps: list[float]) -> None:
    for p, adjusted in zip(ps, holm(ps), strict=True):
        assert adjusted is not None
        assert p - 1e-12 <= adjusted <= min(1.0, len(ps) * p) + 1e-12


def test_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="same items"):
        paired([1], [1, 0], ["a"])
