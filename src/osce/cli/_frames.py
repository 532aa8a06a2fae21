"""From run folders to arrays: one pass over each run, a few numbers kept per answer, no record kept."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from osce.core.grades import Outcome
from osce.core.items import Choice
from osce.ledger import Manifest, Record, find_runs, open_run
from osce.stats.order_bias import NONE, Answers
from osce.stats.resample import Floats

BASELINE = "baseline/"


@dataclass
class Vocabulary:
    """Codes of a benchmark's items (per variant) and clusters (shared by the variants), common to all its runs."""

    items: dict[str, dict[str, int]] = field(default_factory=dict)
    cluster_of: dict[str, list[int]] = field(default_factory=dict)
    clusters: dict[str, int] = field(default_factory=dict)

    def code(self, variant: str, item: str, cluster: str) -> int:
        codes = self.items.setdefault(variant, {})
        found = codes.get(item)
        if found is None:
            found = codes[item] = len(codes)
            self.cluster_of.setdefault(variant, []).append(self.clusters.setdefault(cluster, len(self.clusters)))
        return found

    def clusters_of_items(self, variant: str) -> NDArray[np.int64]:
        """Cluster code of each item code."""
        return np.asarray(self.cluster_of.get(variant, []), dtype=np.int64)


@dataclass(frozen=True)
class Spent:
    """Money or tokens of a run: the sum over the answers that had the figure, and how many had not."""

    total: float
    known: int
    missing: int


@dataclass(frozen=True)
class RunFrame:
    """One run as arrays.

    `total`, `scored`, `asked` are per item code of its variant (zeros beyond what the run asked): sum of scores, answers
    with a score, answers recorded. `chance` is the expected score of a uniform guess, None where an item has no options.
    `answers` is there when the run has several option orders.
    """

    folder: Path
    manifest: Manifest
    total: Floats
    scored: Floats
    asked: Floats
    outcomes: dict[str, int]
    orders: tuple[str, ...]
    rollouts: int
    chance: float | None
    cost_usd: Spent
    input_tokens: Spent
    output_tokens: Spent
    corrupt_lines: int
    answers: Answers | None

    @property
    def n_answers(self) -> int:
        return int(self.asked.sum())

    @property
    def is_baseline(self) -> bool:
        return self.manifest.model.startswith(BASELINE)

    def item_scores(self, n_items: int) -> Floats:
        """Mean score of each item over its orders and rollouts, NaN where there is none: (n_items,)."""
        out = np.full(n_items, np.nan)
        have = np.flatnonzero(self.scored)
        out[have] = self.total[have] / self.scored[have]
        return out


class _Sum:
    def __init__(self) -> None:
        self.total, self.known, self.missing = 0.0, 0, 0

    def add(self, value: float | None) -> None:
        if value is None:
            self.missing += 1
        else:
            self.known += 1
            self.total += value

    def spent(self) -> Spent:
        return Spent(self.total, self.known, self.missing)


class _Collector:
    """Fills typed arrays while a run streams by: 46 bytes per answer."""

    def __init__(self, vocabulary: Vocabulary, variant: str) -> None:
        self.vocabulary, self.variant = vocabulary, variant
        self.item, self.score = array("i"), array("d")
        self.order, self.rollout, self.label, self.gold = array("h"), array("i"), array("h"), array("h")
        self.text, self.arrangement = array("q"), array("q")
        self.orders: dict[str, int] = {}
        self.labels: dict[str, int] = {}
        self.outcomes: Counter[str] = Counter()
        self.cost, self.tokens_in, self.tokens_out = _Sum(), _Sum(), _Sum()
        self.chance: float | None = 0.0

    def add(self, record: Record) -> None:
        item, grade, reply = record.item, record.grade, record.reply
        self.item.append(self.vocabulary.code(self.variant, item.id, item.cluster_id))
        self.score.append(float("nan") if grade.score is None else grade.score)
        self.order.append(self.orders.setdefault(record.order, len(self.orders)))
        self.rollout.append(record.rollout)
        self.outcomes[grade.outcome.value] += 1
        chosen = item.options.get(grade.answer) if grade.answer is not None else None
        self.label.append(NONE if chosen is None or grade.answer is None else self._label(grade.answer))
        self.text.append(NONE if chosen is None else hash(chosen))
        self.arrangement.append(hash(tuple(item.options.values())))
        right = item.target.labels if isinstance(item.target, Choice) else ()
        self.gold.append(self._label(right[0]) if len(right) == 1 and item.options else NONE)
        if self.chance is not None:
            self.chance = self.chance + len(right) / len(item.options) if right and item.options else None
        if reply.failure is None:  # a failed request has no usage to speak of
            self.cost.add(record.cost_usd)
            if not reply.cached:
                self.tokens_in.add(reply.usage.input_tokens)
                self.tokens_out.add(reply.usage.output_tokens)

    def _label(self, label: str) -> int:
        return self.labels.setdefault(label, len(self.labels))

    def frame(self, folder: Path, manifest: Manifest, corrupt_lines: int) -> RunFrame:
        item, score = np.asarray(self.item, dtype=np.int64), np.asarray(self.score, dtype=float)
        size = len(self.vocabulary.items.get(self.variant, {}))
        have = ~np.isnan(score)
        return RunFrame(
            folder=folder,
            manifest=manifest,
            total=np.bincount(item, weights=np.where(have, score, 0.0), minlength=size).astype(float),
            scored=np.bincount(item, weights=have.astype(float), minlength=size).astype(float),
            asked=np.bincount(item, minlength=size).astype(float),
            outcomes=dict(self.outcomes),
            orders=tuple(self.orders),
            rollouts=max(self.rollout, default=-1) + 1,
            chance=None if self.chance is None or not len(item) else self.chance / len(item),
            cost_usd=self.cost.spent(),
            input_tokens=self.tokens_in.spent(),
            output_tokens=self.tokens_out.spent(),
            corrupt_lines=corrupt_lines,
            answers=self._answers(item, score) if len(self.orders) > 1 else None,
        )

    def _answers(self, item: NDArray[np.int64], score: Floats) -> Answers:
        rank = {label: i for i, label in enumerate(sorted(self.labels, key=lambda x: (len(x), x)))}
        recode = np.asarray([rank[label] for label in self.labels] + [NONE], dtype=np.int64)  # [-1] stays NONE
        return Answers(
            item=item,
            cluster=self.vocabulary.clusters_of_items(self.variant)[item],
            order=np.asarray(self.order, dtype=np.int64),
            rollout=np.asarray(self.rollout, dtype=np.int64),
            label=recode[np.asarray(self.label, dtype=np.int64)],
            gold=recode[np.asarray(self.gold, dtype=np.int64)],
            text=np.asarray(self.text, dtype=np.int64),
            arrangement=np.asarray(self.arrangement, dtype=np.int64),
            score=score,
            orders=tuple(self.orders),
            labels=tuple(rank),
        )


@dataclass(frozen=True)
class Frames:
    """All runs read, with the vocabulary of each benchmark. `empty` are run folders without a single readable answer."""

    runs: list[RunFrame]
    vocabularies: dict[str, Vocabulary]
    empty: list[Path]


def load(paths: Iterable[Path], *, orders: Collection[str] | None = None) -> Frames:
    """Read every run among and below the paths; with `orders`, only the answers given in these option orders.

    Raises LedgerError for a path without runs or an unreadable run.
    """
    vocabularies: dict[str, Vocabulary] = {}
    runs: list[RunFrame] = []
    empty: list[Path] = []
    for folder in find_runs(paths):
        run = open_run(folder)
        vocabulary = vocabularies.setdefault(run.manifest.benchmark, Vocabulary())
        collector = _Collector(vocabulary, run.manifest.variant)
        for record in run.records():
            if orders is None or record.order in orders:
                collector.add(record)
        if not collector.item:
            empty.append(folder)
            continue
        runs.append(collector.frame(folder, run.manifest, len(run.corrupt_lines)))
    return Frames(runs, vocabularies, empty)


OUTCOMES = tuple(o.value for o in Outcome)
