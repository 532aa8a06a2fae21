"""Users' mistakes: one clear message that says how to mend it, exit code 2, no traceback, nothing asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from osce.cli.main import main

MEDQA_ROW = {
    "question": "Which bone is the longest?",
    "options": {"A": "Femur", "B": "Ulna", "C": "Tibia", "D": "Radius"},
    "answer_idx": "A",
    "answer": "Femur",
    "meta_info": "step1",
    "metamap_phrases": [],
}


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    code = main(list(argv))
    err = capsys.readouterr().err
    assert code == 2, err
    assert err.startswith("osce: ")
    assert "Traceback" not in err
    return err


@pytest.fixture(autouse=True)
def _no_keys_no_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OSCE_OFFLINE", "1")
    monkeypatch.setenv("OSCE_CACHE", str(tmp_path / "cache"))
    for name in ("OSCE_DATA", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OSCE_PRICES"):
        monkeypatch.delenv(name, raising=False)


RUN = ("exam", "fresh_calc:choice", "--limit", "3", "--quiet")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("exam", "medqaa", "--model", "baseline/first"), "medqa"),
        (("exam", "fresh_calc:nothing", "--model", "baseline/first"), "choice"),
        (("exam", "--model", "baseline/first"), "--suite"),
        (("exam", "--suite", "first-tem", "--model", "baseline/first"), "first-ten"),
        ((*RUN, "--model", "openai/gpt-5"), "OPENAI_API_KEY"),
        ((*RUN, "--model", "opnai/gpt-5"), "openai"),
        ((*RUN, "--model", "random"), "baseline/random"),
        ((*RUN, "--model", "baseline/rando"), "random"),
        ((*RUN, "--model", "local/nothing.gguf"), "nothing.gguf"),
        ((*RUN, "--model", "x", "--base-url", "localhost:8000"), "http://"),
        ((*RUN, "--model", "baseline/first", "--orders", "natural,abc"), "--orders"),
        ((*RUN, "--model", "vllm/x", "--max-cost", "1"), "price is not known"),
        (("exam", "medqa", "--model", "baseline/first"), "medqa/phrases_no_exclude_test.jsonl"),
        (("exam", "medqa", "--model", "baseline/first", "--data-dir", "nowhere"), "nowhere"),
        (("rank", "nowhere"), "does not exist"),
        (("view", "nowhere"), "does not exist"),
        (("grade", "nowhere"), "no run folder"),
        (("grade", "fresh_calc:choice", "--responses", "nowhere.jsonl"), "nowhere.jsonl"),
        (("read", "nowhere.jsonl"), "nowhere.jsonl"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, tuple) else None,
)
def test_mistakes(capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], said: str) -> None:
    assert said in refused(capsys, *argv)


@pytest.mark.parametrize("argv", [("exam",), ("exam", "fresh_calc"), ("nonsense",), (*RUN, "--model", "x", "--limit", "0"), ()])
def test_argparse_mistakes_exit_with_2(argv: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(list(argv))
    assert exit_.value.code == 2


def test_an_unreachable_server_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, *RUN, "--model", "x", "--base-url", "http://127.0.0.1:9/v1", "--retries", "0")
    assert "cannot reach http://127.0.0.1:9/v1" in said


def test_a_read_only_run_folder_is_one_message(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file where a folder should be")
    assert "--out" in refused(capsys, *RUN, "--model", "baseline/first", "--out", str(tmp_path / "out"))


def test_a_missing_column_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "data" / "medqa"
    folder.mkdir(parents=True)
    row = {k: v for k, v in MEDQA_ROW.items() if k != "answer_idx"}
    (folder / "phrases_no_exclude_test.jsonl").write_text(json.dumps(row) + "\n")
    said = refused(capsys, "exam", "medqa", "--model", "baseline/first", "--data-dir", str(tmp_path / "data"))
    assert "answer_idx" in said


def test_malformed_rows_are_counted_listed_and_never_silent(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "data" / "medqa"
    folder.mkdir(parents=True)
    bad = {**MEDQA_ROW, "answer_idx": "Z", "question": "Another?"}
    (folder / "phrases_no_exclude_test.jsonl").write_text(json.dumps(MEDQA_ROW) + "\n" + json.dumps(bad) + "\n{torn\n")
    out = tmp_path / "runs"
    argv = ["exam", "medqa", "--model", "baseline/first", "--data-dir", str(tmp_path / "data"), "--out", str(out), "--json"]
    assert main(argv) == 0
    captured = capsys.readouterr()
    (result,) = json.loads(captured.out)
    assert (result["n"], result["score"], result["skipped_rows"]) == (1, 1.0, 2)
    assert "2 malformed row(s)" in captured.err
    manifest = json.loads((out / "baseline--first" / "medqa" / "manifest.json").read_text())
    assert len(manifest["skipped"]) == 2
    assert "line 2" in manifest["skipped"][0]["where"]


@pytest.mark.parametrize("line", ["{", '{"id": 1}', '{"id": "x", "response": "A", "other": 1}', "[]"])
def test_a_bad_line_of_responses_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(line + "\n")
    assert "line 1" in refused(capsys, "grade", "fresh_calc:choice", "--responses", str(path))


def test_unknown_ids_are_told_with_what_ids_look_like(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "nobody", "response": "A"}\n')
    assert "nobody" in refused(capsys, "grade", "fresh_calc:choice", "--responses", str(path))


def test_a_bad_line_for_the_reader_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"response": "B", "options": {"A": "x", "B": "y"}}\nnot json\n')
    assert "line 2" in refused(capsys, "read", str(path))
