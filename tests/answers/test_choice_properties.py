"""What must hold of every response: no exception, honest spans, linear time, no dependence on the labels' names."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.answers import cases

from osce.answers import read_choice, read_date, read_number, read_weeks_days
from osce.answers.text import View

PIECES = st.sampled_from(
    ["The answer is ", "B", "(C)", "A", " and ", " or ", "not ", "\n", "\n\n", "**", "<answer>", "</answer>", "<think>", "</think>", "\\boxed{", "}", '{"answer": "', '"}', "Answer: ",
     "Ceftriaxone", "Option ", ". ", ", ", "because ", "I ", "is correct", "정답은 ", "答案：", "Ｂ", "\u200b", "В", "É", "12.5", " mL/min", "=", "2023-08-31", "17 weeks", "4 days", "-", "İ", "ﬁ", "⒝"]
)  # fmt: skip
RESPONSES = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=25).map("".join))
OPTIONS = st.one_of(
    st.just(cases.DRUGS),
    st.sampled_from([options for options, _ in cases.WITH_OPTIONS]),
    st.dictionaries(st.text(min_size=1, max_size=3), st.text(max_size=12), min_size=1, max_size=8),
)


@given(RESPONSES, OPTIONS, st.booleans())
def test_never_raises_and_says_where(response: str, options: dict[str, str], truncated: bool) -> None:
    answer = read_choice(response, options, truncated=truncated)
    assert (answer.status == "answered") == (answer.value is not None)
    if answer.value is not None:
        assert answer.value in options
    if answer.span is not None:
        start, end = answer.span
        assert 0 <= start < end <= len(response)
    if answer.status == "truncated":
        assert truncated


@given(RESPONSES, st.booleans())
def test_value_readers_never_raise(response: str, truncated: bool) -> None:
    for read in (read_number, read_date, read_weeks_days):
        answer = read(response, truncated=truncated)
        assert (answer.status == "answered") == (answer.value is not None)
        if answer.span is not None:
            assert 0 <= answer.span[0] <= answer.span[1] <= len(response)


@given(st.text(max_size=60))
def test_positions_lead_back(response: str) -> None:
    view = View(response)
    assert len(view.low) == len(view.norm)
    places = [view.original(k) for k in range(len(view.norm))]
    assert places == sorted(places)
    assert all(0 <= place < len(response) for place in places)


ALL = cases.FORMS + cases.STATED + cases.NOTHING + cases.THINKING + cases.LANGUAGES


@pytest.mark.parametrize("response", [response for response, _ in ALL])
def test_white_space_after_it_changes_nothing(response: str) -> None:
    assert read_choice(response, cases.DRUGS) == read_choice(response + " \n\n ", cases.DRUGS)


@pytest.mark.parametrize("response", [response for response, wanted in cases.FORMS + cases.STATED if wanted in cases.DRUGS])
def test_the_span_holds_what_was_read(response: str) -> None:
    answer = read_choice(response, cases.DRUGS)
    assert answer.span is not None
    assert answer.value is not None
    piece = response[slice(*answer.span)].lower()
    assert (
        piece == answer.value.lower()
        or cases.DRUGS[answer.value].lower() in piece
        or piece in cases.DRUGS[answer.value].lower()
    )


@pytest.mark.parametrize(("response", "piece"), [
    ("The\u200b answer\u200b is \u200bＢ.", "Ｂ"), ("\u2066\u2066答案：Ⓑ", "Ⓑ"), ("ﬁnally, the answer is (B)", "B"), ("İ said: the answer is В", "В"), ("⒝", "⒝"), ("Result ﬂuid … Answer: ceftriaxone", "ceftriaxone"),
])  # fmt: skip
def test_spans_are_in_the_response_as_it_came(response: str, piece: str) -> None:
    answer = read_choice(response, cases.DRUGS)
    assert answer.value == "B"
    assert answer.span is not None
    assert response[slice(*answer.span)] == piece


@pytest.mark.parametrize(
    "shape",
    [
        "{}",
        "({})",
        "The answer is {}.",
        "**Final answer: {}**",
        "<answer>{}</answer>",
        r"\boxed{{{}}}",
        '{{"answer": "{}"}}',
        "Answer: {}",
        "not {} but",
        "{} is correct",
        "The answer is not {}",
    ],
)
def test_every_label_is_read_alike(shape: str) -> None:
    options = {chr(65 + k): "" for k in range(26)}
    statuses = {read_choice(shape.format(label), options).status for label in options}
    assert len(statuses) == 1
    if "not" not in shape:
        assert all(read_choice(shape.format(label), options).value == label for label in options)


@pytest.mark.parametrize(
    "shape",
    [
        "The answer is {}.",
        "{}",
        "I choose {}.",
        "{} is the correct answer.",
        "Answer: **{}**",
        "The most likely diagnosis is {}.",
    ],
)
def test_options_in_another_order_are_read_by_their_text(shape: str) -> None:
    texts = list(cases.DRUGS.values())
    for turn in range(5):
        options = dict(zip("ABCDE", texts[turn:] + texts[:turn], strict=True))
        for label, text in options.items():
            assert read_choice(shape.format(text.lower()), options).value == label


MEGABYTE = 1_000_000
HOSTILE = [
    "a", "A", "A ", "(A", "A.", "(", "<answer>", "</answer>", "<think>", "</think>", "\\boxed{", "{", '{"answer": ', '"answer":"', "answer", "the answer is ", "answer is not ", "answer: ", "A and ", "A, ", "A/", "**", "**A", "\n", "\nA.", "\n\nquestion:",
    "is correct ", "not ", "if the answer is ", "option ", "actually ", "wait, ", "it is ", "\u200b", "В ", "答案", "選", "정답은", "Ⓑ", " ", "\t", ". ", "=", "-", "1,", "1", "1.", "12 weeks ", "1/", "the option that best fits ", "none of the above ", "I don't know ", "\\text{", "[[", "A|", "<|channel|>", "\\frac{1}{", "most likely diagnosis ",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_megabyte_takes_linear_time(piece: str) -> None:
    """Eight times the text may take at most about eight times as long (with room for a noisy machine)."""

    def seconds(size: int) -> float:
        response = (piece * (size // len(piece) + 1))[:size]
        start = time.process_time()
        read_choice(response, cases.DRUGS)
        for read in (read_number, read_date, read_weeks_days):
            read(response)
        return time.process_time() - start

    small = max(seconds(MEGABYTE // 8), 0.02)
    assert seconds(MEGABYTE) < 8 * small * 3
