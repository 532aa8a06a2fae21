"""`osce rank` over real run folders: what is compared, what is kept apart, what is said."""

from __future__ import annotations

import argparse
import csv
import json
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from stats_runs import Habit, knows, likes_first, write_run

from osce.cli import rank as verb
from osce.cli._frames import load
from osce.core.errors import LedgerError, OsceError
from osce.core.items import Item

ITEMS = range(120)
ORDERS = ("natural", "1618", "9331")


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    verb.add(parser.add_subparsers(required=True))
    args = parser.parse_args(["rank", *arguments, "--resamples", "400"])
    return int(args.run(args))


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(*arguments, "--json") == 0
    out: dict[str, Any] = json.loads(capsys.readouterr().out)
    return out


def row(table: dict[str, Any], model: str) -> dict[str, Any]:
    found = [r for r in table["rows"] if r["model"] == model]
    assert len(found) == 1, [r["model"] for r in table["rows"]]
    return dict(found[0])


def failing(habit: Habit, share: float) -> Habit:
    def answer(item: Item, rng: random.Random) -> str | None:
        return None if rng.random() < share else habit(item, rng)

    return answer


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    write_run(tmp_path / "a", "vendor/strong", knows(0.9), items=ITEMS)
    write_run(tmp_path / "b", "vendor/weak", knows(0.5), items=ITEMS)
    write_run(tmp_path / "c", "local/first", likes_first(0.8), items=ITEMS, orders=ORDERS, price=None, tokens=None)
    write_run(tmp_path / "r", "baseline/random", knows(0.25), items=ITEMS, price=0.0, tokens=None)
    return tmp_path


def test_ranks_and_marks(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = as_json(capsys, str(runs))["benchmarks"][0]
    strong, weak, first, baseline = (row(table, m) for m in ("vendor/strong", "vendor/weak", "local/first", "baseline/random"))
    assert [strong["rank"], weak["rank"], first["rank"], baseline["rank"]] == [1, 2, 3, None]
    assert strong["clearly_better_than_next"]
    assert strong["over_next"]["difference"] == pytest.approx(strong["score"] - weak["score"])
    assert strong["low"] < strong["score"] < strong["high"]
    assert first["chance"] == "within"
    assert weak["chance"] == ""
    assert strong["share_wrong"] == pytest.approx(1 - strong["score"])


def test_missing_figures_are_null_with_a_reason(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = as_json(capsys, str(runs))["benchmarks"][0]
    first = row(table, "local/first")
    assert first["cost_usd"] is None
    assert "price is not known for 360 of 360" in first["cost_missing_because"]
    assert first["input_tokens"] is None
    assert first["input_tokens_missing_because"]
    assert row(table, "vendor/strong")["cost_usd"] == pytest.approx(0.12)


def test_errors_are_coverage_not_nought(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", "vendor/flaky", failing(knows(1.0), 0.2), items=ITEMS)
    flaky = as_json(capsys, str(tmp_path))["benchmarks"][0]["rows"][0]
    assert flaky["score"] == 1.0
    assert 0.7 < flaky["coverage"] < 0.9
    assert flaky["score_if_missing_wrong"] == pytest.approx(flaky["coverage"])
    assert flaky["score_if_missing_right"] == 1.0
    assert flaky["share_error"] == pytest.approx(1 - flaky["coverage"])


def test_order_bias_of_a_model_that_loves_the_first(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bias = as_json(capsys, str(runs))["order_bias"]
    assert [b["model"] for b in bias] == ["local/first"]
    first = bias[0]["positions"][0]
    assert first["label"] == "A"
    assert first["answered"] == pytest.approx(0.8, abs=0.07)
    assert bias[0]["p"] < 1e-6
    assert bias[0]["consistency"]["mean"] < 0.3
    assert run(str(runs), "--order-bias") == 0
    shown = capsys.readouterr().out
    assert "answers by label" in shown
    assert "score by order" in shown


@pytest.mark.parametrize(
    "other",
    [{"prompt": {"format": "xml"}}, {"data": {"files": {"a.json": "11aa"}}}, {"version": "2"}, {"grading": "9"}],
    ids=["prompt format", "data hash", "benchmark version", "grading version"],
)
def test_what_cannot_be_compared_is_not_ranked_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], other: dict[str, Any]
) -> None:
    write_run(tmp_path / "a", "vendor/one", knows(0.9), items=ITEMS)
    write_run(tmp_path / "b", "vendor/two", knows(0.6), items=ITEMS)
    write_run(tmp_path / "c", "vendor/odd", knows(0.8), items=ITEMS, fingerprint=other)
    out = as_json(capsys, str(tmp_path))
    assert [[r["model"] for r in t["rows"]] for t in out["benchmarks"]] == [["vendor/one", "vendor/two"], ["vendor/odd"]]
    assert any("ranked apart" in n for n in out["benchmarks"][1]["notes"])
    assert any("2 kinds" in n for n in out["notes"])
    assert out["overall"] is None or "vendor/odd" not in [r["model"] for r in out["overall"]["rows"]]


def test_a_copy_of_the_same_bytes_elsewhere_is_the_same_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", "vendor/one", knows(0.9), items=ITEMS)
    local = {"data": {"files": {"a.json": "00ff"}, "revision": {"a.json": "not recorded"}, "licence": "as upstream"}}
    write_run(tmp_path / "b", "vendor/two", knows(0.6), items=ITEMS, fingerprint=local)
    assert len(as_json(capsys, str(tmp_path))["benchmarks"]) == 1


def test_rollouts_and_orders_are_averaged_per_item(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", "vendor/one", knows(0.7), items=range(40), rollouts=5, orders=ORDERS)
    one = as_json(capsys, str(tmp_path))["benchmarks"][0]["rows"][0]
    assert (one["items"], one["answers"], one["clusters"]) == (40, 600, 40)
    assert one["score"] == pytest.approx(0.7, abs=0.06)
    assert (one["orders"], one["rollouts"]) == ("natural 1618 9331", 5)


def test_clusters_of_items_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", "vendor/one", knows(0.7), items=ITEMS, cluster=lambda i: f"patient{i // 10}")
    assert as_json(capsys, str(tmp_path))["benchmarks"][0]["rows"][0]["clusters"] == 12


def test_variants_are_rows_of_their_own_and_one_benchmark_overall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for model, p in (("vendor/one", 0.9), ("vendor/two", 0.5)):
        for variant in ("op4", "op5"):
            write_run(tmp_path / model / variant, model, knows(p), items=ITEMS, variant=variant)
        write_run(tmp_path / model / "medqa", model, knows(p), items=ITEMS, benchmark="medqa", variant="")
    out = as_json(capsys, str(tmp_path))
    assert sorted((t["benchmark"], t["variant"]) for t in out["benchmarks"]) == [
        ("medbullets", "op4"),
        ("medbullets", "op5"),
        ("medqa", ""),
    ]
    overall = out["overall"]
    assert sorted(overall["benchmarks"]) == ["medbullets", "medqa"]
    best = overall["rows"][0]
    assert (best["model"], best["rank"], best["n_benchmarks"]) == ("vendor/one", 1, 2)
    means = {(t["benchmark"], t["variant"]): t["rows"][0]["score"] for t in out["benchmarks"]}
    two_variants = (means["medbullets", "op4"] + means["medbullets", "op5"]) / 2
    assert best["mean"] == pytest.approx((two_variants + means["medqa", ""]) / 2)


def test_a_model_that_lacks_a_benchmark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for model in ("vendor/one", "vendor/two"):
        write_run(tmp_path / model / "m", model, knows(0.6), items=ITEMS)
    write_run(tmp_path / "x", "vendor/one", knows(0.6), items=ITEMS, benchmark="medqa", variant="")
    overall = as_json(capsys, str(tmp_path))["overall"]
    two = next(r for r in overall["rows"] if r["model"] == "vendor/two")
    assert two["rank"] is None
    assert any("vendor/two lacks medqa" in n for n in overall["notes"])
    loss = as_json(capsys, str(tmp_path), "--missing", "loss")["overall"]
    assert next(r for r in loss["rows"] if r["model"] == "vendor/two")["rank"] == 2


def test_runs_over_different_items_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", "vendor/one", knows(0.9), items=range(100))
    write_run(tmp_path / "b", "vendor/two", knows(0.5), items=range(50, 120), status="interrupted")
    table = as_json(capsys, str(tmp_path))["benchmarks"][0]
    assert table["rows"][0]["over_next"]["n_items"] == 50
    assert any("different items (70 to 100 of 120; 50 in all of them)" in n for n in table["notes"])
    assert any("vendor/two: the run is interrupted" in n for n in table["notes"])


def test_one_name_with_two_settings_gives_two_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for i, t in enumerate((0.0, 1.0)):
        write_run(tmp_path / str(i), "vendor/one", knows(0.7), items=ITEMS, fingerprint={"sampling": {"temperature": t}})
    out = as_json(capsys, str(tmp_path))
    labels = {r["model"] for r in out["benchmarks"][0]["rows"]}
    assert labels == {"vendor/one [temperature=0.0]", "vendor/one [temperature=1.0]"}
    assert {r["model"] for r in out["overall"]["rows"]} == labels


def test_one_name_with_other_settings_elsewhere_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for i, (name, t) in enumerate((("medbullets", 0.0), ("medqa", 1.0))):
        write_run(tmp_path / str(i), "vendor/one", knows(0.7), items=ITEMS, benchmark=name, variant="",
                  fingerprint={"sampling": {"temperature": t}})  # fmt: skip
    out = as_json(capsys, str(tmp_path))
    assert any("different settings" in n and "temperature" in n for n in out["notes"])
    assert {t["rows"][0]["model"] for t in out["benchmarks"]} == {"vendor/one"}


def test_the_same_run_twice_is_told_apart_by_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for i in range(2):
        write_run(tmp_path / str(i), "vendor/one", knows(0.7), items=ITEMS, seed=i)
    labels = [r["model"] for r in as_json(capsys, str(tmp_path))["benchmarks"][0]["rows"]]
    assert len(set(labels)) == 2
    assert all(str(tmp_path) in label for label in labels)


def test_only_some_orders(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = as_json(capsys, str(runs), "--orders", "natural")
    assert row(out["benchmarks"][0], "local/first")["answers"] == len(ITEMS)
    assert out["order_bias"] == []
    with pytest.raises(OsceError, match="in the orders 77"):
        run(str(runs), "--orders", "77")


def test_chance_without_a_random_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", "vendor/guess", knows(0.25), items=ITEMS)
    write_run(tmp_path / "b", "vendor/perverse", knows(0.02), items=ITEMS)
    table = as_json(capsys, str(tmp_path))["benchmarks"][0]
    assert row(table, "vendor/guess")["chance"] == "within"
    assert row(table, "vendor/guess")["chance_from"] == "guessing (25.0 %)"
    assert row(table, "vendor/perverse")["chance"] == "below"


def test_only_baselines_are_ranked_among_themselves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", "baseline/oracle", knows(1.0), items=ITEMS, price=0.0)
    write_run(tmp_path / "b", "baseline/random", knows(0.25), items=ITEMS, price=0.0)
    out = as_json(capsys, str(tmp_path))
    assert [r["rank"] for r in out["benchmarks"][0]["rows"]] == [1, 2]
    assert out["benchmarks"][0]["rows"][0]["interval"].startswith("Wilson")


def test_csv_has_one_line_per_run(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models_in_order = [r["model"] for r in as_json(capsys, str(runs))["benchmarks"][0]["rows"]]
    target = tmp_path / "out.csv"
    assert run(str(runs), "--csv", str(target)) == 0
    with target.open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(models_in_order) == 4
    assert [x["model"] for x in lines] == models_in_order
    assert {x["cost_usd"] for x in lines if x["model"] == "local/first"} == {""}
    capsys.readouterr()
    assert run(str(runs), "--csv", "-") == 0
    assert capsys.readouterr().out == target.read_text()
    with pytest.raises(OsceError, match="cannot write"):
        run(str(runs), "--csv", str(tmp_path / "nowhere" / "x.csv"))


def test_the_printed_table(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(runs)) == 0
    shown = capsys.readouterr().out
    assert "medbullets:op4" in shown
    assert "within the random baseline's interval" in shown
    assert "All together: 1 benchmark" in shown
    assert "…" not in shown  # no figure is cut
    assert max(map(len, shown.splitlines())) <= verb.WIDTH


def test_model_names_are_not_markup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", "vendor/[red]x[/red]", knows(0.5), items=range(30))
    assert run(str(tmp_path)) == 0
    assert "vendor/[red]x[/red]" in capsys.readouterr().out


def test_folders_without_runs_or_answers(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=r"no manifest\.json"):
        run(str(tmp_path))
    write_run(tmp_path / "a", "vendor/one", knows(0.5), items=[])
    with pytest.raises(OsceError, match="no run given holds an answer"):
        run(str(tmp_path))


def test_a_corrupt_line_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_run(tmp_path / "a", "vendor/one", knows(0.5), items=range(30))
    path = folder / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[4] = b'{"item": {"id": "q4", "broken\n'
    path.write_bytes(b"".join(lines))
    table = as_json(capsys, str(tmp_path))["benchmarks"][0]
    assert table["rows"][0]["items"] == 29
    assert any("1 line(s) of its records cannot be read" in n for n in table["notes"])


@pytest.mark.slow
def test_memory_stays_modest(tmp_path: Path) -> None:
    """Arrays of numbers are kept, records are not: under 400 bytes an answer with the vocabulary of item ids."""
    n = 20_000
    write_run(tmp_path / "a", "vendor/one", knows(0.5), items=range(n), orders=("natural", "1618"))
    tracemalloc.start()
    frames = load([tmp_path])
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert frames.runs[0].n_answers == 2 * n
    assert kept < 400 * 2 * n
