"""Models that know nothing (and one that knows everything): the figures that any model must be read against."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from statistics import median_low
from typing import Literal, get_args

from osce.core.errors import ModelError
from osce.core.items import CalendarDate, Choice, Item, Number, WeeksDays
from osce.core.replies import Reply, Usage
from osce.models.names import nearest

Kind = Literal["random", "first", "longest", "majority", "oracle"]
KINDS: tuple[str, ...] = get_args(Kind)
_NOTHING = "I don't know."
_FORMS = {"boxed": r"\boxed{%s}", "json": '{"answer": "%s"}', "letter": "%s"}
_FIRST_DAY = date(2000, 1, 1)


class Baseline:
    """Answers from the item alone, at once, without messages.

    random: one label, drawn anew for each (seed, item, order, rollout), so that it has no habit of any kind; a whole number
    of 0 to 100, a day of 2000 to 2029 or 0 to 41 weeks,
    drawn without a look at the gold. first, longest: that option (of equally long ones the first). majority: the most
    frequent gold label of the train items (ties: the first of the alphabet), for numbers and dates their lower median.
    oracle: the gold, to show that full marks can be had. What a kind cannot answer it leaves, saying so.
    """

    def __init__(self, kind: str, *, seed: int = 0, train: Iterable[Item] | None = None) -> None:
        if kind not in KINDS:
            close = nearest(kind, KINDS)
            hint = f" Did you mean baseline/{close[0]}?" if close else ""
            raise ModelError(f"baseline/{kind}: no such baseline.{hint} There are: {', '.join(KINDS)}")
        self.kind = kind
        self.seed = seed
        self.name = f"baseline/{kind}"
        self._learned: dict[str, str] = {}
        if train is not None:
            self.fit(train)

    def __repr__(self) -> str:
        return f"Baseline({self.kind!r}, seed={self.seed})"

    def identity(self) -> dict[str, object]:
        """The kind, and what else decides its answers: the seed of random, what majority has learned."""
        if self.kind == "random":
            return {"model": self.name, "seed": self.seed}
        return {"model": self.name, "learned": dict(self._learned)} if self.kind == "majority" else {"model": self.name}

    async def close(self) -> None:
        """Nothing to close; here so that a baseline can stand where a model does."""

    def fit(self, train: Iterable[Item]) -> None:
        """Learn the majority answers anew, from these items only. The other kinds learn nothing."""
        if self.kind != "majority":
            return
        labels: Counter[str] = Counter()
        numbers: list[float] = []
        dates: list[str] = []
        ages: list[tuple[int, int]] = []
        for item in train:
            target = item.target
            if isinstance(target, Choice):
                labels.update(target.labels)
            elif isinstance(target, Number):
                numbers.append(target.value)
            elif isinstance(target, CalendarDate):
                dates.append(target.value)
            else:
                ages.append((target.weeks, target.days))
        self._learned = {}
        if labels:
            self._learned["choice"] = min(labels, key=lambda label: (-labels[label], label))
        if numbers:
            self._learned["number"] = _plain(median_low(numbers))
        if dates:
            self._learned["date"] = median_low(dates)
        if ages:
            self._learned["weeks_days"] = _age(*median_low(ages))

    def reply(self, item: Item, *, order: str = "natural", rollout: int = 0, answer_format: str = "xml") -> Reply:
        """A reply that costs no tokens: `<answer>B</answer>`, or as `answer_format` asks (boxed, json, letter)."""
        value = self._choose(item, order, rollout) if isinstance(item.target, Choice) else self._value(item, rollout)
        form = _FORMS.get(answer_format, "<answer>%s</answer>")
        text = form % value if value is not None else self._nothing()
        return Reply(text=text, usage=Usage(input_tokens=0, output_tokens=0), model=self.name)

    def _nothing(self) -> str:
        untaught = self.kind == "majority" and not self._learned
        return f"{_NOTHING} There were no train items to learn from." if untaught else _NOTHING

    def _choose(self, item: Item, order: str, rollout: int) -> str | None:
        labels = list(item.options)
        if self.kind == "oracle":
            assert isinstance(item.target, Choice)
            return item.target.labels[0] if item.target.labels else None
        if not labels:
            return None
        if self.kind == "random":
            return labels[self._draw(item, rollout, order) % len(labels)]
        if self.kind == "longest":
            return max(labels, key=lambda label: len(item.options[label]))
        if self.kind == "majority":
            learned = self._learned.get("choice")
            return learned if learned in item.options else None
        return labels[0]

    def _value(self, item: Item, rollout: int) -> str | None:
        target = item.target
        assert not isinstance(target, Choice)
        if self.kind == "oracle":
            if isinstance(target, Number):
                return _plain(target.value)
            return target.value if isinstance(target, CalendarDate) else _age(target.weeks, target.days)
        kind = "number" if isinstance(target, Number) else "date" if isinstance(target, CalendarDate) else "weeks_days"
        if self.kind == "majority":
            return self._learned.get(kind)
        if self.kind != "random":
            return None
        drawn = self._draw(item, rollout, kind)
        if isinstance(target, WeeksDays):
            return _age(*divmod(drawn % (42 * 7), 7))
        return str(drawn % 101) if kind == "number" else (_FIRST_DAY + timedelta(days=drawn % (30 * 365))).isoformat()

    def _draw(self, item: Item, rollout: int, what: str) -> int:
        key = f"{self.seed}\0{item.id}\0{rollout}\0{what}".encode("utf-8", "replace")
        return int.from_bytes(hashlib.sha256(key).digest()[:8], "big")


def _plain(value: float) -> str:
    """A number in full, without an exponent and without losing a digit."""
    return format(Decimal(repr(value)), "f")


def _age(weeks: int, days: int) -> str:
    return f"{weeks} weeks, {days} days"
