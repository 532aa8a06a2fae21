"""What a benchmark is: a card, variants that turn rows into Items, a prompt and a grader."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from osce.core.grades import Grade
from osce.core.items import Item, Message
from osce.core.replies import Reply

AnswerFormat: TypeAlias = Literal["paper", "xml", "boxed", "json", "letter"]
"""How the model is asked to give its answer; "paper" = the way the reference suite asks for this benchmark."""


@dataclass(frozen=True)
class Card:
    """The facts of a benchmark that a reader needs before believing a figure. One line each."""

    name: str
    title: str
    what: str
    paper: str
    homepage: str
    licence: str
    metric: str
    subsets: tuple[str, ...]
    """Of "V" (verifiable), "T" (has a train split), "OE" (open-ended)."""
    known_faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Skipped:
    """A row that could not become an Item: where it stands and why. Never dropped silently."""

    where: str
    reason: str


@dataclass(frozen=True)
class Dataset:
    """A benchmark's variant, opened. `items` builds each Item on access, so 200,000 items cost no memory."""

    benchmark: str
    variant: str
    items: Sequence[Item]
    messages: Callable[[Item, AnswerFormat], tuple[Message, ...]]
    grade: Callable[[Reply, Item], Grade]
    version: str
    """Version of prompt and grader of this benchmark: part of a run's fingerprint, raised when either changes."""
    source: Mapping[str, object]
    """Where the rows came from: revision, {file: sha256}, licence. Part of the fingerprint."""
    skipped: tuple[Skipped, ...] = ()
    train: Callable[[], Sequence[Item]] | None = field(default=None)
    """The train split, where one exists (majority baseline, few-shot, RL)."""
    card: Card | None = None
    public_items: int | None = None
    """How many items the public release has: what `len(items)` is compared with."""

    @property
    def name(self) -> str:
        return f"{self.benchmark}:{self.variant}" if self.variant else self.benchmark

    def by_id(self, item_id: str) -> Item:
        """The item of that id, in natural order. Raises KeyError."""
        finder = getattr(self.items, "by_id", None)
        if finder is not None:
            found: Item = finder(item_id)
            return found
        for item in self.items:
            if item.id == item_id:
                return item
        raise KeyError(item_id)
