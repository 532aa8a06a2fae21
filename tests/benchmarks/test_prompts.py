"""What a model is shown: the answer's form is asked for in every format, the gold never slips in."""

from __future__ import annotations

from typing import get_args

import pytest

from osce.benchmarks import FILES, declaration
from osce.benchmarks.base import AnswerFormat
from osce.benchmarks.prompts import PLAIN, Paper, Shot, messages, prompter
from osce.core.items import CalendarDate, Choice, Item, Number, WeeksDays

FORMATS = get_args(AnswerFormat)
CHOICE = Item(
    id="1",
    question="Which one?",
    target=Choice(("B",)),
    options={"A": "this", "B": "that"},
    context="An abstract.",
    cluster="GOLD",
)
NUMBERED = Item(id="2", question="Which?", target=Choice(("2",)), options={"1": "this", "2": "that"})
DECIMAL = Item(id="3", question="How much?", target=Number(value=81.25, lower=77, upper=85, unit="mL/min"))
SCORE = Item(id="4", question="How many?", target=Number(value=3, lower=3, upper=3, integer=True))
DATE = Item(id="5", question="When?", target=CalendarDate("2031-02-17"))
AGE = Item(id="6", question="How old?", target=WeeksDays(31, 5))


@pytest.mark.parametrize(
    ("item", "format", "asks"),
    [
        (CHOICE, "xml", "<answer>X</answer>"),
        (CHOICE, "boxed", "\\boxed{X}"),
        (CHOICE, "json", '{"answer": "X"}'),
        (CHOICE, "letter", "the letter of the one correct option only"),
        (NUMBERED, "json", '{"answer": N}'),
        (NUMBERED, "letter", "the number of the one correct option only"),
        (DECIMAL, "xml", "a decimal number in mL/min"),
        (DECIMAL, "json", '{"answer": N}'),
        (DECIMAL, "letter", "a decimal number in mL/min (without the unit) only"),
        (SCORE, "boxed", "a whole number"),
        (DATE, "json", '{"answer": "YYYY-MM-DD"}'),
        (DATE, "letter", "a date"),
        (AGE, "xml", "<answer>W weeks D days</answer>"),
    ],
)
def test_every_kind_of_answer_is_asked_for_in_every_format(item: Item, format: AnswerFormat, asks: str) -> None:
    text = "\n".join(m.content for m in messages(item, format))
    assert asks in text
    assert item.question in text


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("item", [CHOICE, NUMBERED, DECIMAL, SCORE, DATE, AGE])
def test_shape_and_no_gold(item: Item, format: AnswerFormat) -> None:
    shown = messages(item, format, paper=Paper("boxed", "both"))
    assert [m.role for m in shown] in (["user"], ["system", "user"])
    text = "\n".join(m.content for m in shown)
    for secret in ("81.25", "77", "85", "2031", "31", "GOLD"):
        assert secret not in text
    for label, option in item.options.items():
        assert f"{label}. {option}" in text
    assert text == "\n".join(m.content for m in prompter(Paper("boxed", "both"))(item, format))


def test_a_right_answer_leaves_no_trace() -> None:
    other = Item(
        id="1", question="Which one?", target=Choice(("A",)), options={"A": "this", "B": "that"}, context="An abstract."
    )
    for format in FORMATS:
        assert messages(CHOICE, format) == messages(other, format)


def test_shots_answer_in_the_format_that_is_asked_for() -> None:
    shots = (Shot(CHOICE, "This is out."), Shot(NUMBERED))
    question = Item(id="9", question="And this?", target=Choice(("A",)), options={"A": "x", "B": "y"})
    for format, answer in (("xml", "<answer>B</answer>"), ("boxed", "\\boxed{B}"), ("json", '{"answer": "B"}')):
        text = messages(question, format, shots=shots)[-1].content
        assert f"This is out. {answer}" in text
        assert text.index("Which one?") < text.index("Which?") < text.index("And this?")
        assert text.count(answer) == 1
    letter = messages(question, "letter", shots=shots)[-1].content
    assert "Answer: B" in letter
    assert "This is out." not in letter


@pytest.mark.parametrize("name", FILES)
def test_each_paper_form_asks_once_or_twice_and_holds_the_question(name: str) -> None:
    paper = declaration(name).paper
    shown = messages(CHOICE, "paper", paper=paper)
    mark = {"xml": "<answer>X</answer>", "boxed": "\\boxed{X}", "json": '{"answer": "X"}', "letter": "only"}[paper.format]
    assert sum(m.content.count(mark) for m in shown) == (2 if paper.where == "both" else 1)
    assert all(part in shown[-1].content for part in ("Which one?", "this", "that", "An abstract."))
    assert "{" not in shown[-1].content.replace(mark, ""), "an unfilled placeholder"


def test_facts_of_the_reference_suite() -> None:
    """Format and place of the request per benchmark, as the reference suite has them (MedARC-AI/med-lm-envs)."""
    facts = {name: (declaration(name).paper.format, declaration(name).paper.where) for name in FILES}
    assert facts == {
        "medqa": ("xml", "system"),
        "medmcqa": ("xml", "system"),
        "medxpertqa": ("xml", "system"),
        "pubmedqa": ("boxed", "both"),
        "medbullets": ("boxed", "both"),
        "m_arc": ("boxed", "both"),
        "mmlu_pro_health": ("boxed", "both"),
        "careqa": ("boxed", "system"),
        "headqa": ("json", "user"),
    }
    assert {name for name in FILES if declaration(name).few} == {"m_arc", "mmlu_pro_health"}
    assert PLAIN.where == "user"
