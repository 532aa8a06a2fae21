"""Order bias of models whose habits are known: one that knows, one that guesses, one that loves the first option."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from osce.stats.order_bias import NONE, Answers, OrderBias, order_bias

ORDERS = ("natural", "1618", "9331")


def answers(
    habit: str, n_items: int = 300, n_options: int = 4, orders: tuple[str, ...] = ORDERS, seed: int = 0, rollouts: int = 1
) -> Answers:
    """Item i has texts 0 … n-1, 0 is right; each order shows them in a random order of its own."""
    rng = random.Random(seed)
    rows = []
    for i in range(n_items):
        favourite = rng.randrange(n_options)
        for o in range(len(orders)):
            shown = list(range(n_options))
            rng.shuffle(shown)
            for r in range(rollouts):
                if habit == "knows":
                    text = 0
                elif habit == "first":
                    text = shown[0] if rng.random() < 0.8 else rng.choice(shown[1:])
                elif habit == "guesses":
                    text = rng.choice(shown)
                else:  # "stubborn": a favourite text per item, right or wrong, wherever it stands
                    text = favourite
                arrangement = int("".join(map(str, shown)))
                rows.append((i, i, o, r, shown.index(text), shown.index(0), text, arrangement, float(text == 0)))
    columns = list(zip(*rows, strict=True))
    codes = [np.array(c, dtype=np.int64) for c in columns[:8]]
    return Answers(*codes, score=np.array(columns[8]), orders=orders, labels=tuple("ABCDEFGHIJ"[:n_options]))


def figures(habit: str, **options: object) -> OrderBias:
    return order_bias(answers(habit, **options))  # type: ignore[arg-type]


def test_a_model_that_knows_has_no_bias() -> None:
    f = figures("knows")
    assert f.consistency.mean == 1.0
    assert f.right_in_all.mean == 1.0
    assert f.total_variation == 0.0
    assert f.chi_square is None  # answers and gold are the same, label by label: nothing varies
    assert [e.mean for e in f.by_order.values()] == [1.0, 1.0, 1.0]
    assert list(f.by_order) == list(ORDERS)


def test_a_model_that_picks_the_first_four_times_in_five() -> None:
    f = figures("first")
    first = f.positions[0]
    assert first.label == "A"
    assert first.answered == pytest.approx(0.8, abs=0.04)
    assert first.gold == pytest.approx(0.25, abs=0.04)
    assert first.excess_low is not None
    assert first.excess_high is not None
    assert first.excess_low < 0.55 < first.excess_high
    assert f.total_variation == pytest.approx(first.excess, abs=0.02)
    assert f.variation_low is not None
    assert f.variation_by_chance is not None
    assert f.variation_low > f.variation_by_chance
    assert f.df == 3
    assert f.p is not None
    assert f.p < 1e-6
    assert first.accuracy_when_gold.mean == pytest.approx(0.8, abs=0.08)
    assert all(p.accuracy_when_gold.mean < 0.15 for p in f.positions[1:])  # type: ignore[operator]
    assert f.consistency.mean is not None
    assert f.consistency.mean < 0.25
    # the score is that of guessing in every order: accuracy alone does not show it
    assert all(e.mean == pytest.approx(0.25, abs=0.08) for e in f.by_order.values())


def test_a_guesser_is_inconsistent_but_unbiased() -> None:
    f = figures("guesses", n_items=600)
    assert f.consistency.mean == pytest.approx(1 / 16, abs=0.04)
    assert f.total_variation is not None
    assert f.variation_by_chance is not None
    assert f.total_variation < 2 * f.variation_by_chance
    assert f.p is not None
    assert f.p > 0.001


def test_stubborn_on_texts_is_consistent_however_wrong() -> None:
    f = figures("stubborn")
    assert f.consistency.mean == 1.0
    assert f.right_in_all.mean == pytest.approx(0.25, abs=0.08)


def test_test_of_positions_rejects_at_its_level() -> None:
    ps = [figures("guesses", n_items=80, seed=s, orders=ORDERS[:2]).p for s in range(150)]
    assert np.mean([p is not None and p <= 0.05 for p in ps]) <= 0.10


def test_items_shown_alike_in_every_order_are_left_out() -> None:
    a = answers("first", n_items=50)
    fixed = replace(a, arrangement=np.where(a.item < 10, 7, a.arrangement))
    f = order_bias(fixed)
    assert f.n_fixed == 10 + sum(len(set(a.arrangement[a.item == i])) == 1 for i in range(10, 50))
    assert f.n_reordered == 50 - f.n_fixed
    assert f.by_order["natural"].n_items == 50


def test_unread_answers_are_counted_not_guessed() -> None:
    a = answers("knows", n_items=40)
    unread = (a.item < 5) & (a.order > 0)
    f = order_bias(replace(a, text=np.where(unread, NONE, a.text), label=np.where(unread, NONE, a.label)))
    assert f.n_unread == 5
    assert f.consistency.n_items == 35
    assert f.consistency.mean == 1.0


def test_items_of_one_order_only_say_nothing_about_consistency() -> None:
    a = answers("knows", n_items=20)
    keep = ~((a.item < 4) & (a.order > 0))
    names = ("item", "cluster", "order", "rollout", "label", "gold", "text", "arrangement", "score")
    f = order_bias(replace(a, **{n: getattr(a, n)[keep] for n in names}))
    assert f.n_one_order == 4
    assert f.n_reordered == 16


def test_missing_scores_are_missing() -> None:
    a = answers("knows", n_items=30)
    f = order_bias(replace(a, score=np.where((a.item == 0) & (a.order == 1), np.nan, a.score)))
    assert f.by_order["1618"].coverage == pytest.approx(29 / 30)
    assert f.by_order["1618"].mean == 1.0
    assert f.right_in_all.n_scored == 29


def test_rollouts_are_compared_within_themselves() -> None:
    f = figures("stubborn", n_items=30, rollouts=3)
    assert f.n_reordered == 90
    assert f.consistency.n_clusters == 30


def test_ten_options_and_few_clusters() -> None:
    f = figures("first", n_items=9, n_options=10)
    assert f.p is None
    assert f.variation_low is None
    assert f.total_variation is not None
    assert f.total_variation > 0.4


def test_nothing_read_at_all() -> None:
    a = answers("knows", n_items=12)
    nothing = np.full(len(a.item), NONE)
    f = order_bias(replace(a, text=nothing, label=nothing, score=np.zeros(len(a.item))))
    assert f.consistency.mean is None
    assert f.positions == []
    assert f.total_variation is None
    assert f.n_unread == 12


def test_items_without_options_have_scores_by_order_and_no_more() -> None:
    a = answers("knows", n_items=12)
    nothing = np.full(len(a.item), NONE)
    f = order_bias(replace(a, text=nothing, label=nothing, gold=nothing, arrangement=np.zeros_like(nothing), labels=()))
    assert (f.n_fixed, f.n_reordered, f.positions) == (12, 0, [])
    assert f.by_order["natural"].mean == 1.0
    assert f.right_in_all.mean is None


def test_one_order_is_refused() -> None:
    with pytest.raises(ValueError, match="two option orders"):
        order_bias(answers("knows", orders=("natural",)))
