"""What is to be asked: datasets x orders x rollouts of one model, where it goes on disk, and what makes it comparable."""

from __future__ import annotations

import platform
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import to_builtins

import osce
from osce.benchmarks.base import AnswerFormat, Dataset
from osce.benchmarks.graders import VERSION as GRADING_VERSION
from osce.benchmarks.shuffle import reorder
from osce.core.errors import LedgerError, OsceError
from osce.core.items import Item
from osce.core.replies import Chat, Sampling
from osce.ledger import manifest as manifests
from osce.ledger.manifest import Manifest, SkippedRow
from osce.models.baselines import Baseline

NATURAL = "natural"
LIMIT_SEED = 20261201
"""A limit takes the head of one fixed permutation, so that 50 items are a subset of 100 and no part of the file is favoured."""
MAX_SKIPPED_LISTED = 1000


@dataclass(frozen=True)
class Scope:
    """What may grow from one start of a run to the next without making the answers incomparable."""

    limit: int | None = None
    orders: tuple[str, ...] = (NATURAL,)
    rollouts: int = 1

    def plain(self) -> dict[str, Any]:
        return {"limit": self.limit, "orders": list(self.orders), "rollouts": self.rollouts}


@dataclass(frozen=True)
class Work:
    """One thing to ask: the item as shown in this order."""

    item: Item
    order: str
    rollout: int


@dataclass(frozen=True)
class Cell:
    """One model on one dataset: one run folder."""

    model: Chat | Baseline
    dataset: Dataset
    folder: Path
    scope: Scope
    format: AnswerFormat = "paper"
    sampling: Sampling = field(default_factory=Sampling)

    @property
    def indices(self) -> list[int]:
        total = len(self.dataset.items)
        if self.scope.limit is None or self.scope.limit >= total:
            return list(range(total))
        order = list(range(total))
        random.Random(LIMIT_SEED).shuffle(order)
        return sorted(order[: self.scope.limit])

    @property
    def planned(self) -> int:
        """Answers wanted in all."""
        total = len(self.dataset.items)
        items = total if self.scope.limit is None else min(total, self.scope.limit)
        return items * len(self.orders) * self.scope.rollouts

    @property
    def orders(self) -> tuple[str, ...]:
        """The option orders that mean something here: one where the items have no options."""
        has_options = len(self.dataset.items) > 0 and bool(self.dataset.items[0].options)
        return self.scope.orders if has_options else (NATURAL,)

    def work(self) -> Iterator[Work]:
        """All there is to ask, item by item, so that an interrupted run is balanced over orders. Lazy: one item at a time."""
        orders = self.orders
        for index in self.indices:
            natural = self.dataset.items[index]
            for order in orders:
                item = natural if order == NATURAL else reorder(natural, order)
                for rollout in range(self.scope.rollouts):
                    yield Work(item, order, rollout)

    def fingerprint(self) -> dict[str, Any]:
        """All that makes an answer of this run comparable with another of it; no secrets."""
        probe = [self.dataset.messages(self.dataset.items[i], self.format) for i in range(min(3, len(self.dataset.items)))]
        return {
            "benchmark": self.dataset.benchmark,
            "variant": self.dataset.variant,
            "version": self.dataset.version,
            "data": dict(self.dataset.source),
            "prompt": {"format": self.format, "sha256_of_first_three": manifests.digest(to_builtins(probe))},
            "grading": GRADING_VERSION,
            "model": self.model.identity(),
            "sampling": to_builtins(self.sampling),
            "code": osce.__version__,
        }


def folder_for(out: Path, model: str, dataset: Dataset) -> Path:
    """OUT/<model>/<benchmark>[.<variant>], with everything that a file system may dislike replaced."""
    variant = f".{_slug(dataset.variant)}" if dataset.variant else ""
    return out / _slug(model) / f"{_slug(dataset.benchmark)}{variant}"


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name.replace("/", "--")).strip("-.") or "model"


def parse_orders(text: str) -> tuple[str, ...]:
    """ "natural,1618,9331" -> orders. Raises OsceError for anything that is neither "natural" nor a whole number."""
    orders = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    bad = [o for o in orders if o != NATURAL and not re.fullmatch(r"[0-9]{1,18}", o)]
    if bad or not orders:
        raise OsceError(
            f"--orders {text!r}: each must be `natural` or a whole number (a seed), e.g. --orders natural,1618,9331"
        )
    return orders


def begin(cell: Cell) -> Manifest:
    """Open the run folder for writing: a new manifest, or the old one when its fingerprint is the same.

    Raises LedgerError with the differences where the folder holds answers of another fingerprint.
    """
    fingerprint = cell.fingerprint()
    if not (cell.folder / manifests.FILE).exists():
        skipped = [SkippedRow(s.where, s.reason) for s in cell.dataset.skipped[:MAX_SKIPPED_LISTED]]
        return Manifest(
            model=cell.model.name,
            benchmark=cell.dataset.benchmark,
            variant=cell.dataset.variant,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            fingerprint=fingerprint,
            scope=cell.scope.plain(),
            environment={"python": sys.version.split()[0], "platform": platform.platform(), "host": platform.node()},
            skipped=skipped,
            skipped_count=len(cell.dataset.skipped),
        )
    manifest = manifests.read(cell.folder)
    changed = manifests.differences(manifest.fingerprint, fingerprint)
    if changed:
        shown = "\n  ".join(changed[:12]) + (f"\n  … and {len(changed) - 12} more" if len(changed) > 12 else "")
        raise LedgerError(
            f"{cell.folder} holds answers that were made otherwise, so this run cannot go on from them:\n  {shown}\n"
            "Use the same settings to go on, or another --out for a new run."
        )
    manifest.scope = cell.scope.plain()
    manifest.status = "running"
    return manifest
