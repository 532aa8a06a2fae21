"""One reply against one target. What was read is compared here and nowhere else."""

from __future__ import annotations

import math

from osce.answers import read_choice, read_date, read_number, read_weeks_days
from osce.core.grades import Answer, Grade, Outcome
from osce.core.items import CalendarDate, Choice, Item, Number, Target, WeeksDays
from osce.core.replies import Reply

VERSION = "1"
"""Raised when a reader or a grader changes what any response is read as: part of every run's fingerprint."""


def read(reply: Reply, item: Item) -> Answer:
    """The reading of a reply in the form that the item asks for; the target's value is not looked at."""
    truncated = reply.finish == "length"
    if isinstance(item.target, Choice):
        return read_choice(reply.text, item.options, truncated=truncated)
    if isinstance(item.target, Number):
        return read_number(reply.text, truncated=truncated)
    if isinstance(item.target, CalendarDate):
        return read_date(reply.text, truncated=truncated)
    return read_weeks_days(reply.text, truncated=truncated)


def grade(reply: Reply, item: Item) -> Grade:
    """Outcome and score (1 or 0; None for a reply that failed). An empty reply cut by a content filter is a refusal."""
    if reply.failure is not None:
        return Grade(outcome=Outcome.ERROR, how=reply.failure.kind)
    answer = read(reply, item)
    if answer.status != "answered":
        refused = answer.status != "several" and (reply.refusal or reply.finish == "filter")
        outcome = Outcome.REFUSED if refused else Outcome(answer.status)
        return Grade(outcome=outcome, score=0.0, how=answer.how, span=answer.span)
    assert answer.value is not None
    right = is_right(answer.value, item.target)
    return Grade(
        outcome=Outcome.CORRECT if right else Outcome.WRONG,
        score=1.0 if right else 0.0,
        answer=answer.value,
        how=answer.how,
        span=answer.span,
    )


def is_right(value: str, target: Target) -> bool:
    """Whether a value as the readers write it meets the target."""
    if isinstance(target, Choice):
        return value in target.labels
    if isinstance(target, Number):
        number = float(value)
        if target.integer:
            return math.floor(number + 0.5) == math.floor(target.value + 0.5)
        return target.lower <= number <= target.upper
    if isinstance(target, CalendarDate):
        return value == target.value
    assert isinstance(target, WeeksDays)
    return value == f"{target.weeks},{target.days}"
