"""The verbs on a run of baselines: what people see and what machines read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from osce.benchmarks import load
from osce.cli.main import main

N = 40


@pytest.fixture
def runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    models = [arg for kind in ("oracle", "random", "first", "longest", "majority") for arg in ("--model", f"baseline/{kind}")]
    argv = ["exam", "fresh_calc", "--limit", str(N), "--orders", "natural,1618", "--out", str(tmp_path), "--json", "--quiet"]
    assert main([*argv, *models]) == 0
    capsys.readouterr()
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    assert main(list(argv)) == 0
    return json.loads(capsys.readouterr().out)


def test_the_oracle_gets_everything_and_the_others_do_not(runs: Path) -> None:
    scores = {}
    for path in runs.glob("*/fresh_calc.*/manifest.json"):
        manifest = json.loads(path.read_text())
        scores[manifest["model"], manifest["variant"]] = manifest["summary"]["score"]
    assert len(scores) == 10
    for variant in ("choice", "numeric"):
        assert scores["baseline/oracle", variant] == 1.0
        assert all(scores[f"baseline/{kind}", variant] < 0.6 for kind in ("random", "first", "longest", "majority"))


def test_the_same_command_again_does_nothing_new(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {p: p.read_bytes() for p in runs.rglob("records.jsonl")}
    argv = [
        "exam",
        "fresh_calc",
        "--limit",
        str(N),
        "--orders",
        "natural,1618",
        "--out",
        str(runs),
        "--model",
        "baseline/first",
    ]
    assert main([*argv, "--json"]) == 0
    assert {p: p.read_bytes() for p in runs.rglob("records.jsonl")} == before
    assert "going on after" in capsys.readouterr().err


def test_another_seed_is_refused(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["exam", "fresh_calc", "--limit", str(N), "--out", str(runs), "--model", "baseline/first", "--seed", "5"]
    assert main(argv) == 2
    assert "seed" in capsys.readouterr().err


def test_view_highlights_and_filters(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(runs / "baseline--first" / "fresh_calc.choice")
    assert main(["view", folder, "--outcome", "correct", "--limit", "1"]) == 0
    shown = capsys.readouterr().out
    assert "<answer>A</answer>" in shown
    assert "correct" in shown
    assert main(["view", folder, "--outcome", "refused"]) == 2


def test_view_as_json(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = printed(capsys, "view", str(runs / "baseline--first" / "fresh_calc.choice"), "--limit", "1", "--json")
    assert {"item", "messages", "reply", "grade"} <= record.keys()


def test_grading_again_changes_nothing_where_the_reader_is_the_same(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for result in printed(capsys, "grade", str(runs), "--json"):
        assert result["changed"] == 0


def test_grading_again_lays_new_grades_over_the_old(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = runs / "baseline--oracle" / "fresh_calc.choice"
    path = folder / "records.jsonl"
    old = path.read_bytes()
    path.write_bytes(old.replace(b'"outcome":"correct","score":1.0', b'"outcome":"wrong","score":0.0', 3))
    (result,) = printed(capsys, "grade", str(folder), "--json")
    assert result["changed"] == 3
    assert result["summary"]["score"] == 1.0
    (again,) = printed(capsys, "grade", str(folder), "--json")
    assert again["changed"] == 0
    assert printed(capsys, "view", str(folder), "--limit", "1", "--json")["grade"]["outcome"] == "correct"


def test_responses_made_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (dataset,) = load("fresh_calc:choice")
    lines = []
    for index in range(4):
        item = dataset.items[index]
        label = item.target.labels[0]  # type: ignore[union-attr]
        text = f"The answer is {label}." if index else "No idea, sorry."
        lines.append(json.dumps({"id": item.id, "response": text}))
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(lines))
    result = printed(capsys, "grade", "fresh_calc:choice", "--responses", str(path), "--json")
    assert result["summary"]["score"] == 0.75
    assert result["summary"]["answered"] == 4
    assert result["summary"]["items"] == len(dataset.items)
    assert [g["outcome"] for g in result["grades"]][1:] == ["correct"] * 3
    assert main(["grade", "fresh_calc:choice", "--responses", str(path), "--out", str(tmp_path / "grades.jsonl")]) == 0
    assert len((tmp_path / "grades.jsonl").read_text().splitlines()) == 4


def test_rank_as_json_and_as_a_table(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", str(runs)]) == 0
    table = capsys.readouterr().out
    assert "baseline/oracle" in table
    assert "95 %" in table
    assert printed(capsys, "rank", str(runs), "--json")


def test_list_show_and_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.dumps(printed(capsys, "list", "--json"))
    assert all(name in listed for name in ("medqa", "fresh_calc", "headqa"))
    assert printed(capsys, "show", "fresh_calc:choice", "--json")
    main(["doctor", "--json"])
    assert any(check["name"] == "local/smollm2" for check in json.loads(capsys.readouterr().out))


def test_doctor_says_how_to_mend(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    main(["doctor"])
    shown = capsys.readouterr().out
    assert "osce[ray]" in shown or "ray 2" in shown, "square brackets are text, not markup"


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("exam", "list", "show", "view", "grade", "read", "rank", "data", "doctor"):
        with pytest.raises(SystemExit) as exit_:
            main([verb, "--help"])
        assert exit_.value.code == 0
        assert f"osce {verb}" in capsys.readouterr().out
