"""What is asked: an Item, its options and its target; and the messages that carry it to a model."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec


class Choice(msgspec.Struct, frozen=True, tag="choice"):
    """One of the item's labels. `labels` holds every label that counts as right (nearly always one)."""

    labels: tuple[str, ...]


class Number(msgspec.Struct, frozen=True, tag="number", kw_only=True):
    """A number, right when lower <= x <= upper (bounds in `unit`); `integer` compares after rounding half up."""

    value: float
    lower: float
    upper: float
    unit: str = ""
    integer: bool = False


class CalendarDate(msgspec.Struct, frozen=True, tag="date"):
    """A calendar day, ISO 8601 (YYYY-MM-DD)."""

    value: str


class WeeksDays(msgspec.Struct, frozen=True, tag="weeks_days"):
    """A gestational age; 0 <= days <= 6."""

    weeks: int
    days: int


Target: TypeAlias = Choice | Number | CalendarDate | WeeksDays


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One question as a model meets it.

    `id` is stable across option orders and unique within a benchmark's variant. `cluster` groups items that are not
    independent (same stem, patient, encounter); empty means the item stands alone. `tags` are the breakdowns.
    `fixed_order` marks items whose options must not be reordered.
    """

    id: str
    question: str
    target: Target
    options: dict[str, str] = {}
    context: str = ""
    cluster: str = ""
    tags: dict[str, str] = {}
    fixed_order: bool = False

    @property
    def cluster_id(self) -> str:
        return self.cluster or self.id


class Message(msgspec.Struct, frozen=True):
    role: Literal["system", "user", "assistant"]
    content: str
