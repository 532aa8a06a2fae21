"""Does a 95 % interval cover the truth 95 times in 100? Simulated, because no formula says so for this one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from osce.stats.bootstrap import estimate
from osce.stats.compare import paired

REPEATS = 1500

# The share right is drawn per cluster from a beta distribution, so items of a cluster resemble one another.
CASES = [
    pytest.param(0.5, 50, 1, id="half right, 50 items"),
    pytest.param(0.8, 50, 1, id="80 % right, 50 items"),
    pytest.param(0.8, 20, 11, id="80 % right, 20 clusters of 1 to 11"),
    pytest.param(0.5, 8, 11, id="half right, 8 clusters (Wilson)"),
    pytest.param(0.95, 200, 11, id="95 % right, 200 clusters"),
    pytest.param(0.3, 400, 1, id="30 % right, 400 items"),
]


def drawn(p: float, n_clusters: int, largest: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    for _ in range(REPEATS):
        sizes = rng.integers(1, largest + 1, n_clusters)
        clusters = np.repeat(np.arange(n_clusters), sizes)
        share = rng.beta(4 * p, 4 * (1 - p), n_clusters)
        yield (rng.random(len(clusters)) < share[clusters]).astype(float), clusters


@pytest.mark.slow
@pytest.mark.parametrize(("p", "n_clusters", "largest"), CASES)
def test_interval_covers(p: float, n_clusters: int, largest: int) -> None:
    hits = 0
    for x, clusters in drawn(p, n_clusters, largest, seed=1):
        e = estimate(x, clusters, resamples=1000)
        assert e.low is not None
        assert e.high is not None
        hits += e.low <= p <= e.high
    assert 0.92 <= hits / REPEATS <= 0.975


@pytest.mark.slow
def test_interval_of_a_difference_covers() -> None:
    hits, false_alarms = 0, 0
    rng = np.random.default_rng(2)
    for x, clusters in drawn(0.6, 60, 5, seed=3):
        noise = rng.random(len(x))
        y = np.where(noise < 0.2, 1 - x, x)  # same ability on average when flips are balanced
        truth = (1 - 2 * 0.6) * 0.2
        c = paired(y, x, clusters, resamples=1000)
        assert c.low is not None
        assert c.high is not None
        hits += c.low <= truth <= c.high
        z = np.where(noise < 0.3, rng.permutation(x), x)
        swap = rng.random(60)[clusters] < 0.5
        p = paired(np.where(swap, x, z), np.where(swap, z, x), clusters, interval=False, flips=2000).p
        assert p is not None
        false_alarms += p <= 0.05
    assert 0.92 <= hits / REPEATS <= 0.975
    assert false_alarms / REPEATS <= 0.065
