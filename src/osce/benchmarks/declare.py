"""The words in which a benchmark's file declares itself: layouts of its rows, variants, and the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from osce.benchmarks.base import Card, Skipped
from osce.benchmarks.prompts import Paper
from osce.core.items import Item
from osce.sources import Found, Row, Rows, Unpack, Upstream

Adapter: TypeAlias = Callable[[Row], Item | None]
"""Row -> Item; None for a row of the file that is not one of this variant's. Raises RowFault for a malformed row."""

Prepare: TypeAlias = Callable[[Rows, Sequence[Found]], tuple[Adapter, Sequence[Skipped]]]
"""For adapters that must see the file first (its label base, a list of ids); returns also what is found missing."""


@dataclass(frozen=True)
class Layout:
    """One container of a variant's rows. Several layouts of the same rows give the same Items.

    `files[0]` holds the rows, the others what goes with them. `fields` must be present. `items` is the public count where
    this layout holds another number of rows than the variant's usual one.
    """

    label: str
    files: tuple[Upstream, ...]
    fields: tuple[str, ...]
    row: Adapter | None = None
    prepare: Prepare | None = None
    unpack: Unpack | None = None
    optional: tuple[str, ...] = ()
    items: int | None = None


@dataclass(frozen=True)
class Variant:
    """One set of items that is run and reported on its own. `items` is the public count."""

    what: str
    items: int
    options: str
    layouts: tuple[Layout, ...]


@dataclass(frozen=True)
class Few:
    """Solved examples that go before each question: layouts of the examples' rows and how many are wanted."""

    count: int
    layouts: tuple[Layout, ...]
    reasoning: Callable[[Row], str] = field(default=lambda _row: "")


@dataclass(frozen=True)
class Benchmark:
    """A benchmark whose rows lie in files. `default` are the variants that its bare name means."""

    card: Card
    variants: Mapping[str, Variant]
    paper: Paper
    version: str = "1"
    default: tuple[str, ...] = ("",)
    train: str | None = None
    """The variant that is the train split."""
    few: Few | None = None
