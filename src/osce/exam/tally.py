"""Running counts of a cell: plain numbers that cost nothing on the hot path, and the summary made of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from osce.core.grades import Outcome
from osce.ledger.records import Record


@dataclass
class Tally:
    """Sums over the records seen so far. Money and tokens keep how many records lacked the figure: missing is not 0."""

    n: int = 0
    scored: int = 0
    score_sum: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    by_order: dict[str, list[float]] = field(default_factory=dict)
    cost_usd: float = 0.0
    cost_missing: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    tokens_missing: int = 0
    cached: int = 0
    failures_in_a_row: int = 0
    last_failure: str = ""

    def add(self, record: Record) -> None:
        grade, reply = record.grade, record.reply
        self.n += 1
        self.outcomes[grade.outcome.value] += 1
        sums = self.by_order.setdefault(record.order, [0.0, 0.0, 0.0])
        sums[0] += 1
        if grade.score is not None:
            self.scored += 1
            self.score_sum += grade.score
            sums[1] += 1
            sums[2] += grade.score
        if reply.failure is not None:
            self.failures_in_a_row += 1
            self.last_failure = reply.failure.message
            return
        self.failures_in_a_row = 0
        if reply.cached:
            self.cached += 1
            return
        if record.cost_usd is None:
            self.cost_missing += 1
        else:
            self.cost_usd += record.cost_usd
        if reply.usage.input_tokens is None or reply.usage.output_tokens is None:
            self.tokens_missing += 1
        else:
            self.input_tokens += reply.usage.input_tokens
            self.output_tokens += reply.usage.output_tokens

    @property
    def mean(self) -> float | None:
        return self.score_sum / self.scored if self.scored else None

    def summary(self) -> dict[str, Any]:
        """Plain figures; a figure that could not be had is None."""
        answered = self.n - self.outcomes[Outcome.ERROR.value] - self.cached
        return {
            "n": self.n,
            "scored": self.scored,
            "coverage": self.scored / self.n if self.n else None,
            "score": self.mean,
            "outcomes": dict(sorted(self.outcomes.items())),
            "by_order": {
                order: {"n": int(n), "scored": int(scored), "score": total / scored if scored else None}
                for order, (n, scored, total) in self.by_order.items()
            },
            "cost_usd": None if self.cost_missing else self.cost_usd,
            "cost_missing": self.cost_missing,
            "input_tokens": None if answered and self.tokens_missing == answered else self.input_tokens,
            "output_tokens": None if answered and self.tokens_missing == answered else self.output_tokens,
            "tokens_missing": self.tokens_missing,
            "from_cache": self.cached,
        }
