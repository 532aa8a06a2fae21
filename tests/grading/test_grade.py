"""Reply and Item to Grade."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.answers import cases

from osce.core.grades import Answer, Outcome
from osce.core.items import CalendarDate, Choice, Item, Number, Target, WeeksDays
from osce.core.replies import Failure, Reply
from osce.grading import VERSION, grade, grade_answer, read_answer
from osce.grading.compare import medcalc_target, within


def item(target: Target, options: dict[str, str] | None = None) -> Item:
    return Item(id="q", question="?", target=target, options=options or {})


MCQ = item(Choice(("B",)), cases.DRUGS)


@dataclass(frozen=True)
class Row:
    reply: Reply
    outcome: Outcome
    score: float | None
    answer: str | None = None


@pytest.mark.parametrize(
    "row",
    [
        Row(Reply(text="The answer is B."), Outcome.CORRECT, 1.0, "B"),
        Row(Reply(text="The answer is C."), Outcome.WRONG, 0.0, "C"),
        Row(Reply(text="A and B"), Outcome.SEVERAL, 0.0),
        Row(Reply(text="I don't know"), Outcome.ABSTAINED, 0.0),
        Row(Reply(text="I'm sorry, but I can't help with that."), Outcome.REFUSED, 0.0),
        Row(Reply(text="Let us think"), Outcome.UNPARSED, 0.0),
        Row(Reply(text="Let us think", finish="length"), Outcome.TRUNCATED, 0.0),
        Row(Reply(text="<think>The answer is B", finish="length"), Outcome.TRUNCATED, 0.0),
        Row(Reply(text="The answer is B. A is too we", finish="length"), Outcome.CORRECT, 1.0, "B"),
        Row(Reply(text="", finish="filter"), Outcome.REFUSED, 0.0),
        Row(Reply(text="B", finish="filter"), Outcome.REFUSED, 0.0),
        Row(Reply(text="No.", refusal=True), Outcome.REFUSED, 0.0),
        Row(Reply(text="", reasoning="The answer is B."), Outcome.UNPARSED, 0.0),
        Row(Reply(failure=Failure(kind="server", message="HTTP 503", status=503)), Outcome.ERROR, None),
        Row(Reply(text="B", failure=Failure(kind="timeout", message="60 s")), Outcome.ERROR, None),
    ],
)
def test_outcomes(row: Row) -> None:
    graded = grade(row.reply, MCQ)
    assert (graded.outcome, graded.score, graded.answer) == (row.outcome, row.score, row.answer)


def test_how_and_where_are_carried_over() -> None:
    graded = grade(Reply(text="So the answer is (B)."), MCQ)
    assert graded.how == "stated"
    assert graded.span == (18, 19)


def test_a_failure_says_why() -> None:
    graded = grade(Reply(failure=Failure(kind="rate_limit", message="HTTP 429 five times")), MCQ)
    assert graded.score is None
    assert "rate_limit" in graded.how
    assert "429" in graded.how


def test_several_labels_may_be_right() -> None:
    either = item(Choice(("A", "C")), cases.DRUGS)
    assert [grade(Reply(text=label), either).score for label in "ABC"] == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("response", [response for response, _ in cases.FORMS + cases.STATED + cases.NOTHING + cases.LANGUAGES])
def test_the_reader_never_sees_the_gold(response: str) -> None:
    """Whatever the target is, the same is read at the same place by the same rule."""
    reply = Reply(text=response)
    readings = {read_answer(reply, item(Choice((gold,)), cases.DRUGS)) for gold in cases.DRUGS}
    assert len(readings) == 1
    grades = {(g.answer, g.how, g.span) for g in (grade(reply, item(Choice((gold,)), cases.DRUGS)) for gold in cases.DRUGS)}
    assert len(grades) == 1
    right = sum(grade(reply, item(Choice((gold,)), cases.DRUGS)).score == 1.0 for gold in cases.DRUGS)
    assert right == (1 if next(iter(readings)).status == "answered" else 0)


@pytest.mark.parametrize(
    ("response", "target", "score"),
    [
        ("25.2 mL/min", Number(value=25.2, lower=23.94, upper=26.46), 1.0),
        ("23.94", Number(value=25.2, lower=23.94, upper=26.46), 1.0),
        ("26.46", Number(value=25.2, lower=23.94, upper=26.46), 1.0),
        ("26.47", Number(value=25.2, lower=23.94, upper=26.46), 0.0),
        ("0.3", Number(value=0.3, lower=0.3, upper=0.1 * 3), 1.0),
        ("-3.2", Number(value=-3.2, lower=-3.36, upper=-3.04), 1.0),
        ("7", Number(value=7, lower=7, upper=7, integer=True), 1.0),
        ("6.5", Number(value=7, lower=7, upper=7, integer=True), 1.0),
        ("7.4", Number(value=7, lower=7, upper=7, integer=True), 1.0),
        ("7.5", Number(value=7, lower=7, upper=7, integer=True), 0.0),
        ("8", Number(value=7, lower=7, upper=7, integer=True), 0.0),
        ("-0.5", Number(value=0, lower=0, upper=0, integer=True), 1.0),
        ("the score is 7/10", Number(value=7, lower=7, upper=7, integer=True), 1.0),
        ("08/31/2023", CalendarDate("2023-08-31"), 1.0),
        ("31 August 2023", CalendarDate("2023-08-31"), 1.0),
        ("09/01/2023", CalendarDate("2023-08-31"), 0.0),
        ("('17 weeks', '4 days')", WeeksDays(17, 4), 1.0),
        ("17w4d", WeeksDays(17, 4), 1.0),
        ("17 weeks, 5 days", WeeksDays(17, 4), 0.0),
    ],
)
def test_values(response: str, target: Target, score: float) -> None:
    assert grade(Reply(text=response), item(target)).score == score


def test_a_range_is_no_number() -> None:
    assert grade(Reply(text="between 24 and 26"), item(Number(value=25, lower=24, upper=26))).outcome is Outcome.SEVERAL


def test_medcalc_rule() -> None:
    decimal = medcalc_target(100.0, integer=False)
    assert (decimal.lower, decimal.upper) == (95.0, 105.0)
    negative = medcalc_target(-10.0, integer=False)
    assert negative.lower < negative.value < negative.upper
    whole = medcalc_target(4, integer=True)
    assert (whole.lower, whole.upper, whole.integer) == (4, 4, True)
    given = medcalc_target(10.0, integer=False, lower=9.0, upper=12.0, unit="mg")
    assert (given.lower, given.upper, given.unit) == (9.0, 12.0, "mg")


def test_within_takes_bounds_as_they_are_written() -> None:
    from decimal import Decimal

    assert within(Decimal("1.1"), Number(value=1.1, lower=1.1, upper=1.1))


def test_an_answer_without_a_value_is_unparsed() -> None:
    assert grade_answer(Answer(status="answered"), Choice(("A",))).outcome is Outcome.UNPARSED


def test_there_is_a_version() -> None:
    assert isinstance(VERSION, str)
    assert VERSION
