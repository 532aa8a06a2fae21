"""Distribution functions against printed tables and against sums done the long way."""

from __future__ import annotations

import math

import pytest

from osce.stats._distributions import binomial_two_sided, chi2_sf, normal_cdf, normal_quantile, t_quantile


@pytest.mark.parametrize(
    ("df", "table"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (5, 2.57058), (9, 2.26216), (29, 2.04523), (120, 1.97993)],
)
def test_t_quantiles_of_the_tables(df: int, table: float) -> None:
    assert t_quantile(0.975, df) == pytest.approx(table, rel=2e-3)
    assert t_quantile(0.025, df) == pytest.approx(-table, rel=2e-3)


def test_t_becomes_normal() -> None:
    assert t_quantile(0.975, 10**6) == pytest.approx(normal_quantile(0.975), abs=1e-5)
    assert normal_cdf(normal_quantile(0.3)) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("x", "df", "p"),
    [(3.84146, 1, 0.05), (5.99146, 2, 0.05), (7.81473, 3, 0.05), (9.48773, 4, 0.05), (16.9190, 9, 0.05), (23.2093, 10, 0.01)],
)
def test_chi_square_points_of_the_tables(x: float, df: int, p: float) -> None:
    assert chi2_sf(x, df) == pytest.approx(p, rel=1e-4)


def test_chi_square_ends() -> None:
    assert chi2_sf(0.0, 3) == 1.0
    assert chi2_sf(1e6, 3) == 0.0


@pytest.mark.parametrize(("k", "n"), [(0, 5), (2, 5), (3, 5), (5, 10), (9, 10), (40, 100)])
def test_sign_test_is_the_binomial_sum(k: int, n: int) -> None:
    long_way = 2 * sum(math.comb(n, i) for i in range(min(k, n - k) + 1)) / 2**n
    assert binomial_two_sided(k, n) == pytest.approx(min(1.0, long_way))


def test_sign_test_of_very_many() -> None:
    assert 0 < binomial_two_sided(49_000, 100_000) < 1e-9
    assert binomial_two_sided(0, 0) == 1.0
