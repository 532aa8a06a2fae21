"""What an answer cost. A price that is not in the table is missing, never 0; so is a cost without token counts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import msgspec

from osce.core.errors import ModelError
from osce.core.replies import Usage
from osce.models.names import nearest

AS_OF = date(2026, 6, 30)
"""Day to which the table below was checked against published price lists. Prices change: see OSCE_PRICES."""


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """USD per million tokens. `cached` is the price of input tokens read from the provider's cache; None = as `input`."""

    input: float
    output: float
    cached: float | None = None


@dataclass(frozen=True)
class PriceTable:
    """Prices by model name as given to --model (provider/name)."""

    prices: dict[str, Price]

    def cost_usd(self, model: str, usage: Usage) -> float | None:
        """USD of one answer; None where the price or a token count is not known. Local models and baselines cost 0."""
        if model.startswith(("local/", "baseline/")):
            return 0.0
        price = self.prices.get(model)
        if price is None or usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = min(usage.cached_tokens or 0, usage.input_tokens)
        per_cached = price.input if price.cached is None else price.cached
        fresh = usage.input_tokens - cached
        return (fresh * price.input + cached * per_cached + usage.output_tokens * price.output) / 1e6

    def knows(self, model: str) -> bool:
        return model.startswith(("local/", "baseline/")) or model in self.prices


_PUBLISHED: dict[str, Price] = {
    "openai/gpt-5.5": Price(input=5.0, cached=0.5, output=30.0),
    "openai/gpt-5.4": Price(input=2.5, cached=0.25, output=15.0),
    "openai/gpt-5.4-mini": Price(input=0.75, cached=0.075, output=4.5),
    "openai/gpt-5.4-nano": Price(input=0.2, cached=0.02, output=1.25),
    "openai/gpt-5.1": Price(input=1.25, cached=0.125, output=10.0),
    "openai/gpt-5": Price(input=1.25, cached=0.125, output=10.0),
    "openai/gpt-5-mini": Price(input=0.25, cached=0.025, output=2.0),
    "openai/gpt-5-nano": Price(input=0.05, cached=0.005, output=0.4),
    "openai/gpt-4.1": Price(input=2.0, cached=0.5, output=8.0),
    "openai/gpt-4.1-mini": Price(input=0.4, cached=0.1, output=1.6),
    "openai/gpt-4.1-nano": Price(input=0.1, cached=0.025, output=0.4),
    "openai/gpt-4o": Price(input=2.5, cached=1.25, output=10.0),
    "openai/gpt-4o-mini": Price(input=0.15, cached=0.075, output=0.6),
    "openai/o3": Price(input=2.0, cached=0.5, output=8.0),
    "openai/o4-mini": Price(input=1.1, cached=0.275, output=4.4),
}


def load(path: Path | None = None) -> PriceTable:
    """The table, with a user's own prices over it: a JSON file {"provider/name": {"input": …, "output": …, "cached": …}}
    named by the argument or OSCE_PRICES (USD per million tokens). Raises ModelError for a file that is not so."""
    given = path or (Path(os.environ["OSCE_PRICES"]) if os.environ.get("OSCE_PRICES") else None)
    if given is None:
        return PriceTable(dict(_PUBLISHED))
    try:
        own = msgspec.json.decode(given.read_bytes(), type=dict[str, Price])
    except OSError as error:
        raise ModelError(f"the price file {given} cannot be read: {error.strerror}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        close = nearest(str(error).split("`")[1], ("input", "output", "cached")) if str(error).count("`") >= 2 else []
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise ModelError(
            f'the price file {given}: {error}.{hint} It should hold {{"provider/name": {{"input": 1.25, "output": 10}}}}, '
            "in USD per million tokens."
        ) from error
    return PriceTable({**_PUBLISHED, **own})
