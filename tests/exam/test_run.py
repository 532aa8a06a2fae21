"""Running: everything planned is asked once, whatever interrupts; what changes answers refuses to mix."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from conftest import Server, dataset
from osce.core.errors import LedgerError, ModelError, OsceError
from osce.core.replies import Reply, Sampling
from osce.exam import Cell, CellResult, Options, Scope, run_cells
from osce.exam.cache import ReplyCache
from osce.exam.plan import LIMIT_SEED, folder_for, parse_orders
from osce.exam.tally import Tally
from osce.ledger import open_run
from osce.models import open_model
from osce.models.limits import Limits


class Silent:
    """A watcher that only remembers."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def started(self, cell: Cell, tally: Tally, planned: int) -> None:
        self.before = tally.n

    def note(self, text: str) -> None:
        self.notes.append(text)

    def ended(self, cell: Cell) -> None: ...

    def stopped(self, reason: str) -> None:
        self.notes.append(reason)


def examine(
    server: Server, out: Path, *, options: Options | None = None, watcher: Silent | None = None, **cell: object
) -> CellResult:
    async def go() -> CellResult:
        model = open_model("vllm/toy", base_url=server.url, limits=Limits(retries=0))
        try:
            data = cell.pop("data", None) or dataset()
            made = Cell(model, data, folder_for(out, "vllm/toy", data), **{"scope": Scope(), **cell})  # type: ignore[arg-type]
            return (await run_cells([made], options or Options(concurrency=4), watcher or Silent()))[0]
        finally:
            await model.close()

    return asyncio.run(go())


def test_every_item_is_asked_once_and_graded(server: Server, tmp_path: Path) -> None:
    result = examine(server, tmp_path)
    assert result.complete
    assert len(server.asked) == 12
    assert result.manifest.summary is not None
    assert result.manifest.summary["score"] == 0.25
    assert {r.grade.answer for r in open_run(result.cell.folder).records()} == {"B"}
    assert (result.cell.folder / "records" / "part-00000.parquet").exists()


def test_going_on_asks_nothing_twice(server: Server, tmp_path: Path) -> None:
    examine(server, tmp_path, scope=Scope(limit=5))
    watcher = Silent()
    result = examine(server, tmp_path, watcher=watcher)
    assert watcher.before == 5
    assert sorted(server.asked) == sorted(set(server.asked))
    assert len(server.asked) == 12
    assert result.manifest.summary is not None
    assert result.manifest.summary["n"] == 12


def test_more_orders_and_rollouts_may_be_added(server: Server, tmp_path: Path) -> None:
    examine(server, tmp_path)
    result = examine(server, tmp_path, scope=Scope(orders=("natural", "1618"), rollouts=2))
    assert len(server.asked) == 12 * 4
    assert result.manifest.summary is not None
    assert {o: f["n"] for o, f in result.manifest.summary["by_order"].items()} == {"natural": 24, "1618": 24}


def test_the_record_holds_the_item_as_shown(server: Server, tmp_path: Path) -> None:
    result = examine(server, tmp_path, scope=Scope(orders=("natural", "1618")))
    shown = {(r.item.id, r.order): r for r in open_run(result.cell.folder).records()}
    for (_, order), record in shown.items():
        gold = record.item.options[record.item.target.labels[0]]  # type: ignore[union-attr]
        natural = shown[record.item.id, "natural"].item
        assert gold == natural.options[natural.target.labels[0]]  # type: ignore[union-attr]
        for label, text in record.item.options.items():
            assert label in record.messages[-1].content
            assert text in record.messages[-1].content, order
    assert any(shown[i, "1618"].item.options != shown[i, "natural"].item.options for i, _ in shown)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"sampling": Sampling(temperature=0.7)}, "sampling.temperature"),
        ({"format": "boxed"}, "prompt.format"),
        ({"data": dataset(data="2")}, "data.data"),
    ],
)
def test_other_settings_are_refused_with_the_difference(
    server: Server, tmp_path: Path, change: dict[str, object], named: str
) -> None:
    examine(server, tmp_path)
    with pytest.raises(LedgerError, match=named):
        examine(server, tmp_path, **change)
    assert len(server.asked) == 12


def test_failed_items_have_no_score_and_are_asked_again(server: Server, tmp_path: Path) -> None:
    server.status = 500
    result = examine(server, tmp_path)
    assert not result.complete
    assert result.manifest.status == "interrupted"
    summary = result.manifest.summary
    assert summary is not None
    assert (summary["score"], summary["coverage"], summary["outcomes"]) == (None, 0.0, {"error": 12})
    server.status = 200
    result = examine(server, tmp_path)
    assert result.complete
    assert result.manifest.summary is not None
    assert result.manifest.summary["outcomes"] == {"correct": 3, "wrong": 9}


def test_a_provider_that_is_gone_stops_the_run(server: Server, tmp_path: Path) -> None:
    server.status = 500
    with pytest.raises(ModelError, match="in a row"):
        examine(server, tmp_path, data=dataset(500))
    assert len(server.asked) < 70


def test_a_corrupt_line_is_told_and_asked_again(server: Server, tmp_path: Path) -> None:
    folder = examine(server, tmp_path).cell.folder
    path = folder / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3] = b"@@@\n"
    path.write_bytes(b"".join(lines))
    watcher = Silent()
    result = examine(server, tmp_path, watcher=watcher)
    assert len(server.asked) == 13
    assert "line 4" in watcher.notes[0]
    assert result.manifest.corrupt_lines == [4]
    assert result.complete


def test_the_budget_stops_within_about_one_item(server: Server, tmp_path: Path) -> None:
    options = Options(concurrency=1, max_cost_usd=0.35, price=lambda _m, _r: 0.1)
    watcher = Silent()
    result = examine(server, tmp_path, options=options, watcher=watcher)
    assert len(server.asked) == 4
    assert not result.complete
    assert "--max-cost" in watcher.notes[-1]


def test_replies_are_shared_through_the_cache(server: Server, tmp_path: Path) -> None:
    for name in ("one", "two"):
        cache = ReplyCache(tmp_path / "cache")
        result = examine(server, tmp_path / name, options=Options(concurrency=4, cache=cache))
        cache.close()
    assert len(server.asked) == 12
    assert result.manifest.summary is not None
    assert result.manifest.summary["from_cache"] == 12
    assert result.manifest.summary["score"] == 0.25


def test_a_torn_cache_line_is_asked_again(server: Server, tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "cache")
    examine(server, tmp_path / "one", options=Options(concurrency=1, cache=cache))
    cache.close()
    (path,) = (tmp_path / "cache").glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-5])
    cache = ReplyCache(tmp_path / "cache")
    examine(server, tmp_path / "two", options=Options(concurrency=1, cache=cache))
    assert len(server.asked) == 13


def test_a_limit_is_a_part_of_every_larger_limit(tmp_path: Path) -> None:
    def chosen(limit: int | None) -> set[int]:
        return set(Cell(None, dataset(1000), tmp_path, Scope(limit=limit)).indices)  # type: ignore[arg-type]

    assert chosen(None) == set(range(1000))
    assert chosen(50) < chosen(100) < chosen(999)
    assert len(chosen(50)) == 50
    assert max(chosen(50)) > 900, f"the sample of seed {LIMIT_SEED} should reach over the whole file"


@pytest.mark.parametrize("text", ["", "a", "natural,x", "-1", "1.5", ","])
def test_bad_orders_are_one_message(text: str) -> None:
    with pytest.raises(OsceError, match="--orders"):
        parse_orders(text)


def test_orders() -> None:
    assert parse_orders("natural, 1618,1618 ,9331") == ("natural", "1618", "9331")


@pytest.mark.parametrize("model", ["openai/gpt-5", "../../etc", "a b:c", "模型", "."])
def test_run_folders_stay_below_out(tmp_path: Path, model: str) -> None:
    folder = folder_for(tmp_path, model, dataset())
    assert folder.resolve().is_relative_to(tmp_path.resolve())
    assert folder.parent.parent == tmp_path


def test_missing_prices_are_missing(server: Server, tmp_path: Path) -> None:
    summary = examine(server, tmp_path, options=Options(concurrency=2, price=lambda _m, _r: None)).manifest.summary
    assert summary is not None
    assert (summary["cost_usd"], summary["cost_missing"]) == (None, 12)
    assert summary["input_tokens"] == 120


def test_tally_of_nothing_has_no_figures() -> None:
    assert Tally().summary()["score"] is None
    assert Tally().summary()["coverage"] is None
    assert Reply().failure is None
