"""What was read out of a response and what it is worth. The reader never sees the gold; the grade compares."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec


class Outcome(StrEnum):
    """What became of an item. `error` and `ungraded` carry no score and can be run again; all others carry one."""

    CORRECT = "correct"
    WRONG = "wrong"
    PARTIAL = "partial"
    ABSTAINED = "abstained"
    SEVERAL = "several"
    UNPARSED = "unparsed"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    ERROR = "error"
    UNGRADED = "ungraded"


SCORELESS = frozenset({Outcome.ERROR, Outcome.UNGRADED})


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reading of a response, made without the gold.

    `status` is "answered" (then `value` holds a label, a decimal number, an ISO date, or "weeks,days"), "several",
    "abstained", "refused", "truncated" or "unparsed". `how` names the rule that read it; `span` is the [start, end) of
    characters in the response text it was read from.
    """

    status: Literal["answered", "several", "abstained", "refused", "truncated", "unparsed"]
    value: str | None = None
    how: str = ""
    span: tuple[int, int] | None = None


class Grade(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`score` in [0, 1] (an author's own metric may differ), or None exactly when `outcome` is error or ungraded."""

    outcome: Outcome
    score: float | None = None
    answer: str | None = None
    how: str = ""
    span: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if (self.score is None) != (self.outcome in SCORELESS):
            raise ValueError(f"outcome {self.outcome.value} with score {self.score}: only error and ungraded have no score")
