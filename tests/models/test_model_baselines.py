"""Baselines: what each answers, that chance is fair in every order, and that only the oracle sees the gold."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from osce.core.errors import ModelError
from osce.core.items import CalendarDate, Choice, Item, Number, Target, WeeksDays
from osce.models.baselines import KINDS, Baseline

OPTIONS = {"A": "ear", "B": "nose and throat", "C": "larynx", "D": "sinus, nose "}
NUMBER = Number(value=12.5, lower=11.9, upper=13.1)


def item(number: int = 0, *, target: Target | None = None, options: dict[str, str] | None = None) -> Item:
    return Item(
        id=f"q{number}", question="Where?", options=OPTIONS if options is None else options, target=target or Choice(("C",))
    )


def shown(one: Item, order: str) -> Item:
    """The item with its options in another order, labels kept in place, as a run shows it."""
    texts = [one.options[label] for label in order]
    return msgspec.structs.replace(one, options=dict(zip("ABCD", texts, strict=True)))


@pytest.mark.parametrize(("kind", "label"), [("first", "A"), ("longest", "B"), ("oracle", "C")])
def test_plain_kinds(kind: str, label: str) -> None:
    reply = Baseline(kind).reply(item())
    assert reply.text == f"<answer>{label}</answer>"
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.model) == (0, 0, f"baseline/{kind}")


def test_longest_takes_the_first_of_equals() -> None:
    assert Baseline("longest").reply(item(options={"A": "xx", "B": "yy", "C": "y"})).text == "<answer>A</answer>"


@pytest.mark.parametrize("order", ["ABCD", "DCBA", "BADC"])
def test_random_is_as_likely_to_give_each_label_in_every_order(order: str) -> None:
    random = Baseline("random")
    counts = Counter(random.reply(shown(item(n), order)).text for n in range(8000))
    assert len(counts) == 4
    assert all(abs(count - 2000) < 5 * (8000 * 0.25 * 0.75) ** 0.5 for count in counts.values()), counts


def test_random_has_no_habit_over_orders() -> None:
    """It keeps neither to a place nor to an option: in another order it agrees with itself only by chance."""
    random = Baseline("random")
    same_place = same_text = 0
    for n in range(4000):
        natural, turned = item(n), shown(item(n), "DCBA")
        a, b = random.reply(natural, order="natural").text[8], random.reply(turned, order="1618").text[8]
        same_place += a == b
        same_text += natural.options[a] == turned.options[b]
    for count in (same_place, same_text):
        assert abs(count - 1000) < 5 * (4000 * 0.25 * 0.75) ** 0.5


def test_random_is_seeded_and_draws_anew_for_each_rollout() -> None:
    def answers(seed: int, rollout: int) -> list[str]:
        return [Baseline("random", seed=seed).reply(item(n), rollout=rollout).text for n in range(200)]

    assert answers(0, 0) == answers(0, 0)
    agree = [sum(a == b for a, b in zip(answers(0, 0), other, strict=True)) for other in (answers(1, 0), answers(0, 1))]
    assert all(20 < same < 90 for same in agree), "a quarter by chance"


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "oracle"])
def test_nobody_but_the_oracle_sees_the_gold(kind: str) -> None:
    model = Baseline(kind, train=[item(target=Choice(("B",))), item(target=NUMBER)])
    for n in range(20):
        assert len({model.reply(item(n, target=Choice((label,)))).text for label in "ABCD"}) == 1
        for golds in (
            [Number(value=v, lower=v, upper=v) for v in (1.0, 50.0)],
            [CalendarDate("2020-01-01"), CalendarDate("2021-05-05")],
            [WeeksDays(1, 2), WeeksDays(30, 0)],
        ):
            assert len({model.reply(item(n, target=gold, options={})).text for gold in golds}) == 1


def test_majority_learns_and_says_so_in_its_identity() -> None:
    train = [item(target=Choice((label,))) for label in "BBCA"]
    train += [item(target=Number(value=v, lower=v, upper=v), options={}) for v in (9.0, 1.0, 5.0, 7.0)]
    train += [item(target=CalendarDate(d), options={}) for d in ("2020-03-01", "2020-01-01", "2020-02-01")]
    train += [item(target=WeeksDays(*age), options={}) for age in ((10, 1), (20, 2), (30, 3))]
    model = Baseline("majority", train=train)
    assert model.reply(item()).text == "<answer>B</answer>"
    assert model.reply(item(target=NUMBER, options={})).text == "<answer>5.0</answer>"
    assert model.reply(item(target=CalendarDate("1999-01-01"), options={})).text == "<answer>2020-02-01</answer>"
    assert model.reply(item(target=WeeksDays(1, 1), options={})).text == "<answer>20 weeks, 2 days</answer>"
    assert model.identity()["learned"] == {
        "choice": "B",
        "number": "5.0",
        "date": "2020-02-01",
        "weeks_days": "20 weeks, 2 days",
    }
    model.fit([item(target=Choice(("D",)))])
    assert model.reply(item()).text == "<answer>D</answer>", "learned anew"
    assert "I don't know" in model.reply(item(target=NUMBER, options={})).text


def test_majority_without_train_items_abstains_and_says_why() -> None:
    assert Baseline("majority").reply(item()).text == "I don't know. There were no train items to learn from."


@pytest.mark.parametrize("kind", ["first", "longest"])
def test_kinds_that_need_options_abstain_without_them(kind: str) -> None:
    assert Baseline(kind).reply(item(target=NUMBER, options={})).text == "I don't know."
    assert Baseline(kind).reply(item(options={})).text == "I don't know."


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (NUMBER, "12.5"),
        (Number(value=1e-7, lower=0, upper=1), "0.0000001"),
        (Number(value=1e20, lower=0, upper=1e21), "100000000000000000000"),
        (Number(value=-3.0, lower=-4, upper=-2), "-3.0"),
        (CalendarDate("2024-02-29"), "2024-02-29"),
        (WeeksDays(38, 4), "38 weeks, 4 days"),
    ],
)
def test_the_oracle_writes_values_in_full(target: Target, text: str) -> None:
    assert Baseline("oracle").reply(item(target=target, options={})).text == f"<answer>{text}</answer>"


@pytest.mark.parametrize(
    ("form", "text"), [("xml", "<answer>C</answer>"), ("paper", "<answer>C</answer>"), ("boxed", r"\boxed{C}"),
                       ("json", '{"answer": "C"}'), ("letter", "C")]
)  # fmt: skip
def test_answers_come_in_the_form_that_is_asked_for(form: str, text: str) -> None:
    assert Baseline("oracle").reply(item(), answer_format=form).text == text


def test_an_unknown_kind_is_told_with_the_nearest() -> None:
    with pytest.raises(ModelError, match="baseline/majority"):
        Baseline("majorty")
