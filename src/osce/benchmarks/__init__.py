"""Benchmarks by name. One file here is one benchmark; `load` opens its variants."""

from __future__ import annotations

import difflib
import importlib
from pathlib import Path

from osce.benchmarks.base import AnswerFormat, Card, Dataset, Skipped
from osce.benchmarks.declare import Benchmark
from osce.core.errors import DataError

__all__ = ["AnswerFormat", "Card", "Dataset", "Skipped", "declaration", "load", "names"]

FILES = ("careqa", "headqa", "m_arc", "medbullets", "medmcqa", "medqa", "medxpertqa", "mmlu_pro_health", "pubmedqa")
"""Benchmarks whose rows lie in files: each is the module of that name with a BENCHMARK."""
GENERATED = ("fresh_calc",)
"""Benchmarks that are made from a seed and need no file."""


def names() -> tuple[str, ...]:
    """All benchmarks, in alphabetical order."""
    return tuple(sorted((*FILES, *GENERATED)))


def declaration(name: str) -> Benchmark:
    """What a benchmark of FILES declares. Only its own module is imported. Raises DataError with the nearest names."""
    if name not in FILES:
        raise unknown(name)
    module = importlib.import_module(f"osce.benchmarks.{name}")
    found: Benchmark = module.BENCHMARK
    return found


def load(spec: str, *, data_dir: Path | None = None, seed: int | None = None) -> list[Dataset]:
    """Open "name" (its default variants) or "name:variant".

    `data_dir` (else OSCE_DATA) is searched before the cache and the network; `seed` is for generated benchmarks. Raises
    DataError for an unknown name (with the nearest ones), and for files that are missing, changed or wholly wrong.
    """
    from osce.benchmarks.opening import open_variant, variant_of

    name, colon, variant = spec.strip().partition(":")
    if name in GENERATED:
        return _generate(name, variant, seed)
    benchmark = declaration(name)
    wanted = (variant,) if colon and variant else benchmark.default
    for each in wanted:
        variant_of(benchmark, each)
    return [open_variant(benchmark, each, data_dir) for each in wanted]


def unknown(name: str) -> DataError:
    near = difflib.get_close_matches(name.lower().replace("-", "_"), names(), n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(names())}."
    return DataError(f"there is no benchmark {name!r}. {hint} `osce list` shows them all.")


def _generate(name: str, variant: str, seed: int | None) -> list[Dataset]:
    module = importlib.import_module(f"osce.benchmarks.{name}")
    made: list[Dataset] = module.load(variant, seed=seed)
    return made
