"""The choice reader, kind by kind."""

from __future__ import annotations

import pytest
from tests.answers import cases

from osce.answers import read_choice


def reading(response: str, options: dict[str, str]) -> str:
    answer = read_choice(response, options)
    if answer.status == "answered":
        assert answer.value in options
        assert answer.span is not None
        assert answer.how
        return answer.value
    assert answer.value is None
    return answer.status


@pytest.mark.parametrize(("response", "wanted"), cases.FORMS)
def test_forms(response: str, wanted: str) -> None:
    assert reading(response, cases.DRUGS) == wanted


@pytest.mark.parametrize(("response", "wanted"), cases.STATED)
def test_statements(response: str, wanted: str) -> None:
    assert reading(response, cases.DRUGS) == wanted


@pytest.mark.parametrize(("response", "wanted"), cases.NOTHING)
def test_no_single_answer(response: str, wanted: str) -> None:
    assert reading(response, cases.DRUGS) == wanted


@pytest.mark.parametrize(("response", "wanted"), cases.THINKING)
def test_reasoning_is_cut(response: str, wanted: str) -> None:
    assert reading(response, cases.DRUGS) == wanted


@pytest.mark.parametrize(("response", "wanted"), cases.LANGUAGES)
def test_languages(response: str, wanted: str) -> None:
    assert reading(response, cases.DRUGS) == wanted


@pytest.mark.parametrize(("response", "wanted"), cases.MORE)
def test_wordings(response: str, wanted: str) -> None:
    assert reading(response, cases.DRUGS) == wanted


@pytest.mark.parametrize(("response", "wanted"), cases.CHARACTERS)
def test_characters(response: str, wanted: str) -> None:
    assert reading(response, cases.DRUGS) == wanted


@pytest.mark.parametrize(
    ("options", "response", "wanted"), [(options, *case) for options, group in cases.WITH_OPTIONS for case in group]
)
def test_options_of_all_sorts(options: dict[str, str], response: str, wanted: str) -> None:
    assert reading(response, options) == wanted


@pytest.mark.parametrize("response", ["", "Let us think about", "<think>The answer is B.", "<answer>", "x " * 400])
def test_the_token_limit_makes_nothing_truncated(response: str) -> None:
    assert read_choice(response, cases.DRUGS, truncated=True).status == "truncated"
    assert read_choice(response, cases.DRUGS).status == "unparsed"


@pytest.mark.parametrize("response", ["B", "The answer is B. A is wrong beca", '{"answer": "B', "<answer>B", "\\boxed{B"])
def test_an_answer_before_the_limit_counts(response: str) -> None:
    assert read_choice(response, cases.DRUGS, truncated=True).value == "B"


def test_last_words_of_a_cut_off_argument_are_no_answer() -> None:
    argument = "We weigh the options at length. " * 20 + "One might think of ceftriaxone"
    assert read_choice(argument, cases.DRUGS, truncated=True).status == "truncated"
