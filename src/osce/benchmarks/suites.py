"""Named sets of benchmarks."""

from __future__ import annotations

import difflib

from osce.core.errors import DataError

SUITES: dict[str, tuple[str, ...]] = {
    "first-ten": (
        "medqa",
        "medmcqa",
        "pubmedqa",
        "medbullets",
        "m_arc",
        "mmlu_pro_health",
        "careqa",
        "headqa",
        "medxpertqa",
        "fresh_calc",
    ),
    "smoke": ("fresh_calc", "medqa", "pubmedqa", "headqa"),
    "fresh": ("fresh_calc",),
}


def suite(name: str) -> tuple[str, ...]:
    """The benchmarks of a suite. Raises DataError with the nearest names."""
    if name in SUITES:
        return SUITES[name]
    near = difflib.get_close_matches(name, SUITES, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}? " if near else ""
    raise DataError(f"there is no suite {name!r}. {hint}Suites: {', '.join(SUITES)}")
