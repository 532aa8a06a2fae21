"""The grader of a benchmark by its name, without opening its data: what grading a run again needs."""

from __future__ import annotations

from collections.abc import Callable

from osce.core.grades import Grade
from osce.core.items import Item
from osce.core.replies import Reply
from osce.grading import VERSION, grade

__all__ = ["VERSION", "grader"]


def grader(benchmark: str) -> Callable[[Reply, Item], Grade]:
    """All benchmarks so far are graded by their items' targets alone."""
    del benchmark
    return grade
