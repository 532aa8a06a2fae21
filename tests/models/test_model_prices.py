"""Prices: known, or missing with no zero in their place."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from osce.core.errors import ModelError
from osce.core.replies import Usage
from osce.models import prices
from osce.models.prices import Price, PriceTable, load

TABLE = PriceTable({
    "openai/gpt-x": Price(input=2.0, output=8.0, cached=0.5),
    "openai/gpt-y": Price(input=2.0, output=8.0),
    "openai/gpt-z": Price(input=2.0, output=8.0, up_to_tokens=1000),
    "openai/gpt-x-2024-05-13": Price(input=5.0, output=15.0),
})  # fmt: skip


@pytest.mark.parametrize(
    ("model", "usage", "usd"),
    [
        ("openai/gpt-x", Usage(input_tokens=1_000_000, output_tokens=0), 2.0),
        ("openai/gpt-x", Usage(input_tokens=0, output_tokens=1_000_000), 8.0),
        ("openai/gpt-x", Usage(input_tokens=1_000_000, output_tokens=0, cached_tokens=500_000), 1.25),
        ("openai/gpt-x", Usage(input_tokens=1_000_000, output_tokens=0, cached_tokens=9_000_000), 0.5),
        ("openai/gpt-y", Usage(input_tokens=1_000_000, output_tokens=0, cached_tokens=500_000), 2.0),
        ("openai/gpt-x-2025-08-07", Usage(input_tokens=1_000_000, output_tokens=0), 2.0),
        ("openai/gpt-x-20250807", Usage(input_tokens=1_000_000, output_tokens=0), 2.0),
        ("openai/gpt-x-2024-05-13", Usage(input_tokens=1_000_000, output_tokens=0), 5.0),
        ("openai/gpt-x-mini", Usage(input_tokens=1, output_tokens=1), None),
        ("openai/gpt-x", Usage(input_tokens=1), None),
        ("openai/gpt-x", Usage(output_tokens=1), None),
        ("openai/gpt-x", Usage(), None),
        ("openai/gpt-z", Usage(input_tokens=1000, output_tokens=0), 0.002),
        ("openai/gpt-z", Usage(input_tokens=1001, output_tokens=0), None),
        ("vllm/q", Usage(input_tokens=1, output_tokens=1), None),
        ("local/smollm2", Usage(), 0.0),
        ("baseline/random", Usage(), 0.0),
    ],
)
def test_costs(model: str, usage: Usage, usd: float | None) -> None:
    got = TABLE.cost_usd(model, usage)
    assert got == (None if usd is None else pytest.approx(usd))


def test_the_table_knows_what_it_can_price() -> None:
    assert TABLE.knows("openai/gpt-x-2025-08-07")
    assert TABLE.knows("local/anything")
    assert not TABLE.knows("openai/gpt-unheard-of")


def test_published_rows_are_dated_and_make_sense(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OSCE_PRICES", raising=False)
    rows = load().prices
    assert len(rows) > 30
    for name, row in rows.items():
        assert row.seen is not None, name
        assert date(2025, 1, 1) <= row.seen <= date(2026, 12, 1), name
        assert 0 < row.input <= row.output, name
        assert row.cached is None or 0 < row.cached < row.input, name
    assert prices.OLDEST <= prices.NEWEST


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("own.json", '{"lab/m": {"input": 1.5, "output": 3}, "openai/gpt-4o": {"input": 1, "output": 1}}'),
        ("own.toml", '["lab/m"]\ninput = 1.5\noutput = 3\n["openai/gpt-4o"]\ninput = 1\noutput = 1\n'),
    ],
)
def test_ones_own_prices_lie_over_the_table(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / name).write_text(text)
    monkeypatch.setenv("OSCE_PRICES", str(tmp_path / name))
    table = load()
    assert table.cost_usd("lab/m", Usage(input_tokens=2_000_000, output_tokens=1_000_000)) == pytest.approx(6.0)
    assert table.cost_usd("openai/gpt-4o", Usage(input_tokens=1_000_000, output_tokens=0)) == pytest.approx(1.0)
    assert table.knows("openai/gpt-5")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("p.json", '{"lab/m": {"inputs": 1, "output": 2}}', "Did you mean 'input'"),
        ("p.json", '{"lab/m": {"input": 1}}', "output"),
        ("p.json", '{"lab/m": {"input": -1, "output": 2}}', "negative"),
        ("p.json", '{"lab/m": {"input": "free", "output": 2}}', "p.json"),
        ("p.json", "[1]", "USD per million"),
        ("p.json", "{", "USD per million"),
        ("p.toml", "[lab", "p.toml"),
        ("p.toml", '["lab/m"]\ninput = nan\noutput = 1\n', "negative or no number"),
        ("absent.json", None, "cannot be read"),
    ],
)
def test_a_price_file_that_is_wrong_is_told(name: str, text: str | None, says: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(ModelError) as caught:
        load(tmp_path / name)
    assert says in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)
