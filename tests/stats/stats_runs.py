"""Run folders written with the real ledger, by models whose habits are known."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from osce.core.grades import Grade, Outcome
from osce.core.items import Choice, Item
from osce.core.replies import Failure, Reply, Usage
from osce.ledger import Manifest, Record, Writer
from osce.ledger import manifest as manifests

LABELS = "ABCD"
Habit = Callable[[Item, random.Random], str | None]
"""Shown item -> label, or None for a request that failed."""


def knows(share: float) -> Habit:
    """Right with this probability, else a random wrong label."""

    def answer(item: Item, rng: random.Random) -> str:
        gold = item.target.labels[0]  # type: ignore[union-attr]
        return gold if rng.random() < share else rng.choice([x for x in item.options if x != gold])

    return answer


def likes_first(share: float) -> Habit:
    """Says A with this probability whatever it is, else guesses among the other labels."""

    def answer(item: Item, rng: random.Random) -> str:
        return "A" if rng.random() < share else rng.choice([x for x in item.options if x != "A"])

    return answer


def shown(i: int, order: str, cluster: str = "") -> Item:
    """Item i in an order: four texts, right is the text "t<i>-0"; in the natural order gold goes round the labels."""
    texts = [f"t{i}-{k}" for k in range(4)]
    shift = i % 4
    texts = texts[-shift:] + texts[:-shift] if shift else texts
    if order != "natural":
        random.Random(f"{order}-{i}").shuffle(texts)
    options = dict(zip(LABELS, texts, strict=True))
    gold = next(label for label, text in options.items() if text == f"t{i}-0")
    return Item(id=f"q{i}", question=f"Question {i}?", target=Choice((gold,)), options=options, cluster=cluster)


def write_run(
    folder: Path,
    model: str,
    habit: Habit,
    *,
    items: Sequence[int],
    benchmark: str = "medbullets",
    variant: str = "op4",
    orders: Sequence[str] = ("natural",),
    rollouts: int = 1,
    cluster: Callable[[int], str] = lambda i: "",
    status: Any = "finished",
    fingerprint: dict[str, Any] | None = None,
    price: float | None = 0.001,
    tokens: int | None = 120,
    seed: int = 0,
) -> Path:
    f: dict[str, Any] = {
        "benchmark": benchmark,
        "variant": variant,
        "version": "1",
        "data": {"files": {"a.json": "00ff"}},
        "prompt": {"format": "paper"},
        "grading": "1",
        "model": {"name": model},
        "sampling": {},
    }
    f.update(fingerprint or {})
    m = Manifest(
        model=model, benchmark=benchmark, variant=variant, created="2026-12-01T00:00:00+00:00", fingerprint=f,
        scope={"limit": None, "orders": list(orders), "rollouts": rollouts}, status=status,
    )  # fmt: skip
    rng = random.Random(f"{model}-{seed}")
    with Writer(folder) as writer:
        manifests.write(folder, m)
        for i in items:
            for order in orders:
                for rollout in range(rollouts):
                    item = shown(i, order, cluster(i))
                    label = habit(item, rng)
                    if label is None:
                        reply = Reply(failure=Failure(kind="server", message="502", status=502))
                        grade = Grade(outcome=Outcome.ERROR)
                    else:
                        reply = Reply(text=label, usage=Usage(input_tokens=tokens, output_tokens=tokens))
                        right = label in item.target.labels  # type: ignore[union-attr]
                        outcome = Outcome.CORRECT if right else Outcome.WRONG
                        grade = Grade(outcome=outcome, score=float(right), answer=label, how="label", span=(0, 1))
                    writer.append(Record(item=item, order=order, rollout=rollout, reply=reply, grade=grade, cost_usd=price))
    return folder
