"""Models that know nothing (and one that knows everything): the figures that any model must be read against."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from statistics import median
from typing import Literal, get_args

from osce.core.errors import ModelError
from osce.core.items import CalendarDate, Choice, Item, Number, WeeksDays
from osce.core.replies import Reply, Usage

Kind = Literal["random", "first", "longest", "majority", "oracle"]
KINDS: tuple[str, ...] = get_args(Kind)
_NOTHING = "I don't know."


class Baseline:
    """Answers from the item alone, at once, without messages.

    random: every option alike, a seeded draw per item, order and rollout; a number between 0 and 100.
    first, longest: that option. majority: the most frequent gold label of the train items it was fitted on, and for numbers
    their median. oracle: the gold, to show that full marks can be had. What a kind cannot answer it leaves ("I don't know.").
    """

    def __init__(self, kind: str, *, seed: int = 0) -> None:
        if kind not in KINDS:
            raise ModelError(f"baseline/{kind}: no such baseline. There are: {', '.join(KINDS)}")
        self.kind = kind
        self.seed = seed
        self.name = f"baseline/{kind}"
        self._label = ""
        self._number: float | None = None

    def identity(self) -> dict[str, object]:
        return {"model": self.name, "seed": self.seed} if self.kind == "random" else {"model": self.name}

    def fit(self, train: Iterable[Item]) -> None:
        """Learn the majority answers. The other kinds learn nothing."""
        if self.kind != "majority":
            return
        labels: Counter[str] = Counter()
        numbers: list[float] = []
        for item in train:
            if isinstance(item.target, Choice):
                labels.update(item.target.labels)
            elif isinstance(item.target, Number):
                numbers.append(item.target.value)
        self._label = min(labels, key=lambda label: (-labels[label], label)) if labels else ""
        self._number = median(numbers) if numbers else None

    def reply(self, item: Item, *, order: str = "natural", rollout: int = 0) -> Reply:
        """A reply in a form that every reader understands; it costs no tokens."""
        value = self._choose(item, order, rollout) if isinstance(item.target, Choice) else self._value(item, order, rollout)
        text = _NOTHING if value is None else f"<answer>{value}</answer>"
        return Reply(text=text, usage=Usage(input_tokens=0, output_tokens=0), model=self.name)

    def _choose(self, item: Item, order: str, rollout: int) -> str | None:
        labels = list(item.options)
        if self.kind == "oracle":
            assert isinstance(item.target, Choice)
            return item.target.labels[0]
        if not labels:
            return None
        if self.kind == "random":
            return labels[self._draw(item, order, rollout) % len(labels)]
        if self.kind == "longest":
            return max(labels, key=lambda label: len(item.options[label]))
        if self.kind == "majority":
            return self._label if self._label in item.options else None
        return labels[0]

    def _value(self, item: Item, order: str, rollout: int) -> str | None:
        target = item.target
        if self.kind == "oracle":
            if isinstance(target, Number):
                return repr(target.value)
            if isinstance(target, CalendarDate):
                return target.value
            assert isinstance(target, WeeksDays)
            return f"{target.weeks} weeks, {target.days} days"
        if isinstance(target, Number):
            if self.kind == "random":
                return str(self._draw(item, order, rollout) % 101)
            if self.kind == "majority" and self._number is not None:
                return f"{self._number:g}"
        return None

    def _draw(self, item: Item, order: str, rollout: int) -> int:
        key = f"{self.seed}\0{item.id}\0{order}\0{rollout}".encode()
        return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big")
