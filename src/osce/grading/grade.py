"""Reply and Item to Grade: pick the reader by the target's type, read without the target, then compare."""

from __future__ import annotations

from decimal import Decimal
from typing import assert_never

from osce.answers import read_choice, read_date, read_number, read_weeks_days
from osce.core.grades import Answer, Grade, Outcome
from osce.core.items import CalendarDate, Choice, Item, Number, Target, WeeksDays
from osce.core.replies import Reply
from osce.grading.compare import same_label, within

_OUTCOMES = {
    "several": Outcome.SEVERAL,
    "abstained": Outcome.ABSTAINED,
    "refused": Outcome.REFUSED,
    "truncated": Outcome.TRUNCATED,
    "unparsed": Outcome.UNPARSED,
}


def grade(reply: Reply, item: Item) -> Grade:
    """The grade of one reply: 1.0 when right, else 0.0, or `error` without a score when the provider failed."""
    if reply.failure is not None:
        return Grade(outcome=Outcome.ERROR, how=f"{reply.failure.kind}: {reply.failure.message}")
    answer = read_answer(reply, item)
    return grade_answer(answer, item.target)


def read_answer(reply: Reply, item: Item) -> Answer:
    """What the reply says. Of the target only its kind is used, never its value."""
    if reply.finish == "filter":
        return Answer(status="refused", how="content filter")
    truncated = reply.finish == "length"
    target = item.target
    if isinstance(target, Choice):
        answer = read_choice(reply.text, item.options, truncated=truncated)
    elif isinstance(target, Number):
        answer = read_number(reply.text, truncated=truncated)
    elif isinstance(target, CalendarDate):
        answer = read_date(reply.text, truncated=truncated)
    elif isinstance(target, WeeksDays):
        answer = read_weeks_days(reply.text, truncated=truncated)
    else:
        assert_never(target)
    if reply.refusal and answer.status != "answered":
        return Answer(status="refused", how="provider's refusal flag", span=answer.span)
    return answer


def grade_answer(answer: Answer, target: Target) -> Grade:
    """A reading compared with a target."""
    if answer.status != "answered" or answer.value is None:
        outcome = _OUTCOMES.get(answer.status, Outcome.UNPARSED)
        return Grade(outcome=outcome, score=0.0, how=answer.how, span=answer.span)
    right = is_right(answer.value, target)
    return Grade(
        outcome=Outcome.CORRECT if right else Outcome.WRONG,
        score=1.0 if right else 0.0,
        answer=answer.value,
        how=answer.how,
        span=answer.span,
    )


def is_right(value: str, target: Target) -> bool:
    """Whether the plain form of a reading ("B", "12.5", "2023-08-31", "17,4") meets the target."""
    if isinstance(target, Choice):
        return any(same_label(value, label) for label in target.labels)
    if isinstance(target, Number):
        return within(Decimal(value), target)
    if isinstance(target, CalendarDate):
        return value == target.value
    return value == f"{target.weeks},{target.days}"
