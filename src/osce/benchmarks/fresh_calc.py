"""fresh_calc: seeded, endless medical calculations as short patient notes. Made on the spot, so no model has seen them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Literal, overload

from osce.benchmarks.base import Card, Dataset
from osce.benchmarks.fresh.findings import IRRELEVANT
from osce.benchmarks.fresh.questions import QUESTIONS, Answer, Case, Question
from osce.benchmarks.prompts import Paper, prompter
from osce.core.errors import DataError
from osce.core.items import CalendarDate, Choice, Item, Number, WeeksDays
from osce.grading import grade

CARD = Card(
    name="fresh_calc",
    title="Fresh medical calculations",
    what="Short generated patient notes that ask for a medical calculation, as multiple choice and as a free value",
    paper="this project; the kind of task follows MedCalc-Bench (Khandekar et al., NeurIPS 2024)",
    homepage="https://github.com/osce-eval/osce",
    licence="Apache-2.0",
    metric="accuracy (numbers: within 5 % of the value)",
    subsets=("V", "T"),
    known_faults=("Notes are written from templates: they test the calculation, not the reading of long charts",),
)
VERSION = "1"
SEED = 2026
SIZE = 1000
TRAIN_OFFSET = 1_000_003
"""The train split is another stretch of seeds, never the test one."""
LABELS = "ABCD"
PAPER = Paper(format="xml", where="user", cue="")
VARIANTS = ("choice", "numeric")
Variant = Literal["choice", "numeric"]
_LEVELS = ("easy", "medium", "hard")


class GeneratedItems(Sequence[Item]):
    """Item i of a seed depends on seed and i alone; nothing is kept."""

    def __init__(self, variant: str, seed: int, size: int) -> None:
        self.variant, self.seed, self.size = variant, seed, size

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.size))]
        if index < 0:
            index += self.size
        if not 0 <= index < self.size:
            raise IndexError(index)
        return generate(self.variant, self.seed, index)

    def by_id(self, item_id: str) -> Item:
        """The item of that id. Raises KeyError."""
        try:
            found = self[int(item_id.split("-")[1])]
        except (IndexError, ValueError):
            raise KeyError(item_id) from None
        if found.id != item_id:
            raise KeyError(item_id)
        return found


def generate(variant: str, seed: int, index: int) -> Item:
    """Item `index` of a seed. Calculators, difficulty and gold letters are balanced over blocks of items."""
    question = QUESTIONS[_balanced(f"{seed}:question", index, len(QUESTIONS))]
    level = _LEVELS[_balanced(f"{seed}:level", index, len(_LEVELS))]
    rng = Random(f"{seed}:{index}:{question.name}")
    case = question.draw(rng, level != "easy")
    item_id = f"s{seed}-{index:06d}-{question.name}"
    tags = {"calculator": question.name, "difficulty": level, "kind": _kind(case.answer)}
    text = f"{_note(rng, case, level)}\n\nWhat is {question.ask}?"
    if variant == "numeric":
        return Item(id=item_id, question=text, target=_target(question, case.answer), tags=tags)
    place = _balanced(f"{seed}:gold", index, len(LABELS))
    shown = _options(rng, question, case, _balanced(f"{seed}:rank", index, len(LABELS)))
    shown.insert(place, _say(question, case.answer))
    options = dict(zip(LABELS, shown, strict=True))
    return Item(id=item_id, question=text, options=options, target=Choice((LABELS[place],)), tags=tags)


def load(variant: str = "", *, seed: int | None = None, size: int = SIZE) -> list[Dataset]:
    """The named variant, or both. Raises DataError for an unknown one."""
    if variant and variant not in VARIANTS:
        raise DataError(f"fresh_calc has no variant {variant!r}; there are: {', '.join(f'fresh_calc:{v}' for v in VARIANTS)}")
    return [_open(v, SEED if seed is None else seed, size) for v in ([variant] if variant else VARIANTS)]


def _open(variant: str, seed: int, size: int) -> Dataset:
    return Dataset(
        benchmark=CARD.name,
        variant=variant,
        items=GeneratedItems(variant, seed, size),
        messages=prompter(PAPER),
        grade=grade,
        version=VERSION,
        source={"generator": VERSION, "seed": seed, "calculators": _signature()},
        train=lambda: GeneratedItems(variant, seed + TRAIN_OFFSET, size),
        card=CARD,
        public_items=None,
    )


def _signature() -> str:
    """Changes when what is generated changes: a hash over the first items of seed 0."""
    text = "\n".join(str(generate("choice", 0, i)) for i in range(len(QUESTIONS)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _balanced(key: str, index: int, n: int) -> int:
    """A number below n that takes each value once in every block of n items, in a seeded order."""
    return Random(f"{key}:{index // n}").sample(range(n), n)[index % n]


def _kind(answer: Answer) -> str:
    return "date" if isinstance(answer, date) else "weeks_days" if isinstance(answer, tuple) else "number"


def _note(rng: Random, case: Case, level: str) -> str:
    facts = list(case.facts)
    rng.shuffle(facts)
    lead = rng.choice(("Findings: ", "On record: ", "Measured today: ", "The chart shows: "))
    middle = lead + "; ".join(facts) + "."
    extra = rng.sample(IRRELEVANT, {"easy": 0, "medium": 1, "hard": 3}[level])
    sentences = [middle, *extra]
    rng.shuffle(sentences)
    return " ".join([case.opening, *sentences])


def _slack(question: Question, value: float) -> float:
    """How far a number may lie from the value: the tolerance, and never less than half of the last decimal shown."""
    return max(abs(value) * question.tolerance, 0.5 * 10.0**-question.decimals)


def _target(question: Question, answer: Answer) -> Number | CalendarDate | WeeksDays:
    if isinstance(answer, date):
        return CalendarDate(answer.isoformat())
    if isinstance(answer, tuple):
        return WeeksDays(*answer)
    slack = _slack(question, answer)
    return Number(value=answer, lower=answer - slack, upper=answer + slack, unit=question.unit)


def _say(question: Question, answer: Answer) -> str:
    if isinstance(answer, date):
        return f"{answer.day} {answer:%B} {answer.year}"
    if isinstance(answer, tuple):
        return f"{answer[0]} weeks, {answer[1]} days"
    return f"{answer:.{question.decimals}f} {question.unit}".strip()


def _options(rng: Random, question: Question, case: Case, rank: int) -> list[str]:
    """Three wrong options, `rank` of them below the answer: first what comes out of known mistakes, then values a step away.

    The rank is balanced over items: were the answer mostly in the middle, guessing the middle would pay.
    """
    answer = case.answer
    wrong = list(case.wrong)
    rng.shuffle(wrong)
    if isinstance(answer, float):
        wrong += [answer * factor for factor in (1.2, 0.8, 1.45, 0.6, 1.8, 0.4, 2.3, 0.25, 3.1)]
        wrong += [answer + step * 10.0**-question.decimals for step in (3, -4, 8, -9, 15, -16, 24, -25)]
    elif isinstance(answer, tuple):
        wrong += [divmod(answer[0] * 7 + answer[1] + days, 7) for days in (-5, 4, -11, 9, -16, 16)]
    else:
        wrong += [answer + timedelta(days=days) for days in (-5, 4, -11, 9, -16, 16)]
    room = {"below": rank, "above": len(LABELS) - 1 - rank}
    chosen: list[Answer] = []
    for value in wrong:
        side = "below" if value < answer else "above"  # type: ignore[operator]
        if room[side] and _apart(question, value, [answer, *chosen]):
            chosen.append(value)
            room[side] -= 1
    if len(chosen) < len(LABELS) - 1 and isinstance(answer, float):  # no room on one side, e.g. close to zero
        step = 2 * _slack(question, answer)
        for n in range(1, 200):
            if len(chosen) < len(LABELS) - 1 and _apart(question, answer + n * step, [answer, *chosen]):
                chosen.append(answer + n * step)
    rng.shuffle(chosen)
    return [_say(question, value) for value in chosen]


def _apart(question: Question, value: Answer, others: Sequence[Answer]) -> bool:
    """Whether an option reads differently from the others (the answer first) and lies outside their tolerance."""
    if _say(question, value) in {_say(question, other) for other in others}:
        return False
    if isinstance(value, tuple):
        return value[0] >= 0 and value[1] >= 0
    if not isinstance(value, float):
        return True
    answer = others[0]
    assert isinstance(answer, float)
    if answer > 0 >= value:
        return False
    return all(
        isinstance(other, float) and abs(value - other) > 1.3 * max(_slack(question, other), _slack(question, value))
        for other in others
    )
