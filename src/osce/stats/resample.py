"""Resampling whole clusters, without ever building a resamples x items matrix.

Items are summed to one row per cluster first. Equal rows are then interchangeable: with 0/1 scores and singleton clusters
200,000 items are two distinct rows, and one multinomial draw gives how often each comes up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]

RESAMPLES = 2000
SEED = 20261201
_CELLS = 2_000_000
"""Cells of the largest weight matrix held at once (16 MB)."""


def encode(labels: Sequence[Any] | NDArray[Any]) -> tuple[Codes, int]:
    """Labels of any kind (n,) -> codes 0 ... k-1 (n,) and k."""
    values, codes = np.unique(np.asarray(labels), return_inverse=True)
    return codes.astype(np.int64).reshape(-1), len(values)


def cluster_sums(columns: Floats, clusters: Codes, n_clusters: int) -> Floats:
    """Sums per cluster: (n, K) and codes (n,) -> (C, K), rounded to 12 decimals so that the order of items does not matter."""
    out = np.empty((n_clusters, columns.shape[1]))
    for k in range(columns.shape[1]):
        out[:, k] = np.bincount(clusters, weights=columns[:, k], minlength=n_clusters)
    return np.round(out, 12)


def resampled_sums(rows: Floats, *, resamples: int = RESAMPLES, seed: int = SEED) -> Floats:
    """Column sums of C rows drawn with replacement, `resamples` times: (C, K) -> (B, K).

    The order of the rows does not matter: they are sorted first.
    """
    n = len(rows)
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    if len(distinct) > 64 and len(distinct) * 8 > n:
        expanded = np.repeat(distinct, counts, axis=0)
        return np.concatenate([w @ expanded for w in resample_weights(n, resamples=resamples, seed=seed)])
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS // len(distinct))
    parts = [
        rng.multinomial(n, counts / n, size=min(step, resamples - start)) @ distinct for start in range(0, resamples, step)
    ]
    return np.concatenate(parts)


def resample_weights(n: int, *, resamples: int = RESAMPLES, seed: int = SEED) -> Iterator[Floats]:
    """How often each of n rows is drawn, in chunks (b, n) whose b add up to `resamples`. The same seed and n give the same
    draws, so that many models can be resampled alike, one block of columns after the other."""
    rng = np.random.Generator(np.random.SFC64(seed))
    step = max(1, min(resamples, _CELLS // n))
    dtype = np.uint32 if n < 2**32 else np.uint64
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        weights = np.empty((size, n))
        for i in range(size):
            weights[i] = np.bincount(rng.integers(0, n, size=n, dtype=dtype), minlength=n)
        yield weights
