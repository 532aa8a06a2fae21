"""Generated calculations: the note decides the answer, nothing depends on its neighbours, and the letters give nothing away."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osce.benchmarks import load
from osce.benchmarks.fresh.questions import QUESTIONS
from osce.benchmarks.fresh_calc import LABELS, generate
from osce.core.errors import DataError
from osce.core.items import CalendarDate, Choice, Number, WeeksDays
from osce.core.replies import Reply
from osce.grading import grade

SEEDS = st.integers(0, 10**9)
INDICES = st.integers(0, 10**6)


@given(SEEDS, INDICES)
@settings(deadline=None)
def test_an_item_is_its_seed_and_index_and_nothing_else(seed: int, index: int) -> None:
    first, second = generate("choice", seed, index), generate("choice", seed, index)
    assert first == second
    assert first.question == generate("numeric", seed, index).question


@given(SEEDS, INDICES)
@settings(deadline=None)
def test_options_are_four_distinct_ones_and_the_right_one_is_among_them(seed: int, index: int) -> None:
    item = generate("choice", seed, index)
    assert tuple(item.options) == tuple(LABELS)
    assert len(set(item.options.values())) == 4
    numeric = generate("numeric", seed, index)
    right = [
        label for label, text in item.options.items() if grade(Reply(text=f"<answer>{text}</answer>"), numeric).score == 1.0
    ]
    assert isinstance(item.target, Choice)
    assert right == list(item.target.labels), "exactly the gold option lies within the tolerance of the free form"


@given(SEEDS, INDICES)
@settings(deadline=None)
def test_targets_lie_within_their_own_bounds(seed: int, index: int) -> None:
    target = generate("numeric", seed, index).target
    if isinstance(target, Number):
        assert target.lower < target.value < target.upper
    elif isinstance(target, WeeksDays):
        assert 0 <= target.days <= 6
        assert target.weeks >= 0
    else:
        assert isinstance(target, CalendarDate)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", target.value)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
@pytest.mark.parametrize("convert", [False, True])
def test_all_that_is_needed_stands_in_the_note(question, convert: bool) -> None:  # type: ignore[no-untyped-def]
    rng = Random(5)
    for _ in range(50):
        case = question.draw(rng, convert)
        assert case.facts
        assert len(case.wrong) >= 3


def test_gold_letters_calculators_and_levels_are_balanced() -> None:
    (dataset,) = load("fresh_calc:choice", seed=11)
    items = list(dataset.items)
    letters = Counter(item.target.labels[0] for item in items)  # type: ignore[union-attr]
    assert max(letters.values()) - min(letters.values()) <= 1
    for tag in ("calculator", "difficulty"):
        counts = Counter(item.tags[tag] for item in items)
        assert max(counts.values()) - min(counts.values()) <= 1
    assert len({item.tags["calculator"] for item in items}) >= 25
    assert len({item.id for item in items}) == len(items)


def test_the_gold_is_not_the_longest_or_the_middle_value_too_often() -> None:
    (dataset,) = load("fresh_calc:choice", seed=3)
    longest = middle = numbers = 0
    for item in dataset.items:
        gold = item.target.labels[0]  # type: ignore[union-attr]
        longest += max(item.options, key=lambda k: len(item.options[k])) == gold
        if item.tags["kind"] == "number":
            numbers += 1
            value = {k: float(re.match(r"-?[\d.]+", v).group()) for k, v in item.options.items()}  # type: ignore[union-attr]
            middle += sorted(value.values()).index(value[gold]) in (1, 2)
    assert longest / len(dataset.items) < 0.4
    assert 0.4 < middle / numbers < 0.6, "the gold's rank among the four values is balanced"


def test_other_seeds_give_other_items_and_train_is_apart() -> None:
    (a,), (b,) = load("fresh_calc:choice", seed=1), load("fresh_calc:choice", seed=2)
    assert a.items[0].question != b.items[0].question
    assert a.source != b.source
    assert a.train is not None
    train = a.train()
    assert not {item.question for item in train} & {item.question for item in a.items}


def test_both_variants_by_the_bare_name_and_errors_by_name() -> None:
    assert [d.name for d in load("fresh_calc")] == ["fresh_calc:choice", "fresh_calc:numeric"]
    with pytest.raises(DataError, match="fresh_calc:choice"):
        load("fresh_calc:nothing")


def test_items_are_found_by_id() -> None:
    (dataset,) = load("fresh_calc:choice")
    assert dataset.by_id(dataset.items[17].id) == dataset.items[17]
    with pytest.raises((KeyError, DataError)):
        dataset.by_id("s1-000001-nothing")


def test_ten_thousand_items_are_made_without_fault() -> None:
    for index in range(10_000):
        item = generate("choice", 77, index)
        assert not re.search(r"\b(?:nan|inf)\b", item.question)
        assert all(item.options.values())
