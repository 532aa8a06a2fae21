"""What an answer cost. A price that is not known is missing, never 0; so is a cost without token counts."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from datetime import date
from math import inf
from pathlib import Path

import msgspec

from osce.core.errors import ModelError
from osce.core.replies import Usage
from osce.models.names import nearest


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """USD per million tokens. `cached` is the price of input tokens read from the provider's cache (None: as `input`, which
    can only overstate). `up_to_tokens`: a longer prompt has another price, so its cost is not known. `seen` is the day on
    which the price was current."""

    input: float
    output: float
    cached: float | None = None
    up_to_tokens: int | None = None
    seen: date | None = None


_FREE = ("local/", "baseline/")
_SNAPSHOT = re.compile(r"-20\d\d-?[01]\d-?[0-3]\d$")


@dataclass(frozen=True)
class PriceTable:
    """Prices by model name as given to --model (provider/name)."""

    prices: dict[str, Price]

    def find(self, model: str) -> Price | None:
        """The price of a model; a dated snapshot without a row of its own has that of its undated name."""
        found = self.prices.get(model)
        return self.prices.get(_SNAPSHOT.sub("", model)) if found is None else found

    def cost_usd(self, model: str, usage: Usage) -> float | None:
        """USD of one answer; None where the price or a token count is not known. Local models and baselines cost 0."""
        if model.startswith(_FREE):
            return 0.0
        price = self.find(model)
        if price is None or usage.input_tokens is None or usage.output_tokens is None:
            return None
        if price.up_to_tokens is not None and usage.input_tokens > price.up_to_tokens:
            return None
        cached = min(usage.cached_tokens or 0, usage.input_tokens)
        per_cached = price.input if price.cached is None else price.cached
        fresh = usage.input_tokens - cached
        return (fresh * price.input + cached * per_cached + usage.output_tokens * price.output) / 1e6

    def knows(self, model: str) -> bool:
        return model.startswith(_FREE) or self.find(model) is not None


def _rows(
    provider: str, seen: str, rows: dict[str, tuple[float, float | None, float]], upto: int | None = None
) -> dict[str, Price]:
    """name -> (input, cached, output)."""
    day = date.fromisoformat(seen)
    return {
        f"{provider}/{name}": Price(input=i, cached=c, output=o, up_to_tokens=upto, seen=day)
        for name, (i, c, o) in rows.items()
    }


# Standard (not batch, not priority) list prices as published by the providers, read from their pages or dated copies of them
# on the day that each group names. Models whose price depends on the hour (deepseek) or on a router (openrouter, together)
# are left out on purpose: theirs is not one price.
_PUBLISHED: dict[str, Price] = {
    **_rows("openai", "2026-11-05", {
        "gpt-4o": (2.5, 1.25, 10.0), "gpt-4o-2024-05-13": (5.0, None, 15.0), "gpt-4o-mini": (0.15, 0.075, 0.6),
        "gpt-4.1": (2.0, 0.5, 8.0), "gpt-4.1-mini": (0.4, 0.1, 1.6), "gpt-4.1-nano": (0.1, 0.025, 0.4),
    }),
    **_rows("openai", "2026-09-30", {
        "gpt-5": (1.25, 0.125, 10.0), "gpt-5-mini": (0.25, 0.025, 2.0), "gpt-5-nano": (0.05, 0.005, 0.4),
        "gpt-5.1": (1.25, 0.125, 10.0), "gpt-5.2": (1.75, 0.175, 14.0),
        "gpt-5.4-mini": (0.75, 0.075, 4.5), "gpt-5.4-nano": (0.2, 0.02, 1.25),
    }),
    **_rows("openai", "2026-09-30", {
        "gpt-5.4": (2.5, 0.25, 15.0), "gpt-5.5": (5.0, 0.5, 30.0),
        "gpt-6-sol": (2.0, 0.2, 10.0), "gpt-6.1-sol": (2.0, 0.1, 10.0),
    }, upto=272_000),
    **_rows("openai", "2025-12-31", {"o3": (2.0, 0.5, 8.0), "o4-mini": (1.1, 0.275, 4.4), "o3-mini": (1.1, 0.55, 4.4)}),
    **_rows("anthropic", "2026-10-16", {
        "claude-fable-5-1": (10.0, 0.25, 50.0), "claude-fable-5": (10.0, 1.0, 50.0),
        "claude-opus-5-5": (4.0, None, 20.0), "claude-opus-5": (5.0, 0.5, 25.0),
        "claude-sonnet-5-5": (2.0, 0.1, 10.0), "claude-sonnet-5": (2.0, 0.2, 10.0),
        "claude-opus-4-7": (5.0, 0.5, 25.0), "claude-opus-4-6": (5.0, 0.5, 25.0), "claude-opus-4-5": (5.0, 0.5, 25.0),
        "claude-sonnet-4-6": (3.0, 0.3, 15.0), "claude-sonnet-4-5": (3.0, 0.3, 15.0), "claude-haiku-4-5": (1.0, 0.1, 5.0),
    }),
    **_rows("anthropic", "2026-10-16", {"claude-haiku-5-5": (0.1, 0.01, 0.5)}, upto=100_000),
    **_rows("google", "2026-04-19", {
        "gemini-2.5-flash": (0.3, 0.03, 2.5), "gemini-2.5-flash-lite": (0.1, 0.01, 0.4),
        "gemini-3-flash-preview": (0.5, 0.05, 3.0), "gemini-3.1-flash-lite-preview": (0.25, 0.025, 1.5),
    }),
    **_rows("google", "2026-04-19", {
        "gemini-2.5-pro": (1.25, 0.125, 10.0), "gemini-3.1-pro-preview": (2.0, 0.2, 12.0),
    }, upto=200_000),
    **_rows("xai", "2026-05-13", {
        "grok-4": (3.0, 0.75, 15.0), "grok-4-0709": (3.0, 0.75, 15.0),
        "grok-4-1-fast-reasoning": (0.2, 0.05, 0.5), "grok-4-1-fast-non-reasoning": (0.2, 0.05, 0.5),
        "grok-3": (3.0, 0.75, 15.0), "grok-3-mini": (0.3, 0.075, 0.5),
    }, upto=128_000),
    **_rows("groq", "2025-12-31", {
        "llama-3.3-70b-versatile": (0.59, None, 0.79), "llama-3.1-8b-instant": (0.05, None, 0.08),
    }),
}  # fmt: skip
OLDEST = min(p.seen for p in _PUBLISHED.values() if p.seen)
NEWEST = max(p.seen for p in _PUBLISHED.values() if p.seen)
"""Days between which the prices above were read. Prices change: see OSCE_PRICES."""


def load(path: Path | None = None) -> PriceTable:
    """The table, with a user's own prices over it: a JSON or TOML file {"provider/name": {"input": …, "output": …}} named by
    the argument or by OSCE_PRICES (USD per million tokens). Raises ModelError for a file that is not so."""
    named = os.environ.get("OSCE_PRICES", "").strip()
    given = path or (Path(named).expanduser() if named else None)
    return PriceTable(dict(_PUBLISHED) if given is None else {**_PUBLISHED, **_own(given)})


def _own(given: Path) -> dict[str, Price]:
    form = 'It should hold {"provider/name": {"input": 1.25, "output": 10}}, in USD per million tokens.'
    try:
        if given.suffix == ".toml":
            own = msgspec.convert(tomllib.loads(given.read_text("utf-8")), dict[str, Price])
        else:
            own = msgspec.json.decode(given.read_bytes(), type=dict[str, Price])
    except OSError as error:
        raise ModelError(f"the price file {given} cannot be read: {error.strerror}") from error
    except (msgspec.MsgspecError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        ticks = str(error).split("`")
        known = ("input", "output", "cached", "up_to_tokens", "seen")
        close = nearest(ticks[1], known) if "unknown field" in str(error) and len(ticks) > 1 else []
        hint = f" Did you mean {close[0]!r}?" if close else f" Fields are: {', '.join(known)}."
        raise ModelError(f"the price file {given}: {error}.{hint} {form}") from error
    for name, price in own.items():
        if not all(0 <= p < inf for p in (price.input, price.output, price.cached or 0.0)):
            raise ModelError(f"the price file {given}: {name} has a price that is negative or no number. {form}")
    return own
