"""`osce list`, `show` and `data` as a user meets them."""

from __future__ import annotations

import argparse
import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from osce.benchmarks import medqa
from osce.cli import data, show
from osce.cli import list as list_verb
from osce.core.errors import DataError, OsceError
from osce.sources import Upstream, Url

ROW = {"question": "A man coughs. Why?", "answer": "Cold", "options": {"A": "Heat", "B": "Cold"}, "answer_idx": "B"}
NAME = "phrases_no_exclude_test.jsonl"


def osce(*argv: str) -> int:
    parser = argparse.ArgumentParser()
    sub = parser.add_subparsers()
    for verb in (data, list_verb, show):
        verb.add(sub)
    args = parser.parse_args(argv)
    code: int = args.run(args)
    return code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    (root / "medqa").mkdir(parents=True)
    (root / "medqa" / NAME).write_text(json.dumps(ROW) + "\n{torn\n")
    return root


def test_show_as_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert osce("show", "medqa", "--data-dir", str(folder)) == 0
    out = capsys.readouterr().out
    for part in (
        "MedQA (USMLE)",
        "1 of 1,273 in the public release; 1 row skipped",
        "Question:A man coughs. Why?\nA. Heat\nB. Cold\nAnswer:",
        "<answer>X</answer>",
        f"{NAME} line 2: is not valid JSON",
        hashlib.sha256((folder / "medqa" / NAME).read_bytes()).hexdigest(),
        "licence",
    ):
        assert part in out
    _, answer = out.split("right answer (never part of the prompt)")
    assert "B. Cold" in answer


def test_show_as_json_with_item_order_and_format(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    osce("show", "medqa", "--data-dir", str(folder), "--json")
    item_id = json.loads(capsys.readouterr().out)["item"]["id"]
    osce("show", "medqa", "--data-dir", str(folder), "--json", "--item", item_id, "--order", "3", "--format", "json")
    shown = json.loads(capsys.readouterr().out)
    assert shown["messages"][0]["content"].count('{"answer": "X"}') == 1
    assert shown["item"]["options"][shown["item"]["target"]["labels"][0]] == "Cold"
    assert shown["variants"][0]["skipped"][0]["where"] == f"{NAME} line 2"
    with pytest.raises(OsceError, match=f"no item 'nix'.*{item_id}"):
        osce("show", "medqa", "--data-dir", str(folder), "--item", "nix")


def test_list_counts_rows_and_names_what_is_missing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert osce("list", "--data-dir", str(folder), "--json") == 0
    entries = {e["name"]: e for e in json.loads(capsys.readouterr().out)}
    assert (entries["medqa"]["rows"], entries["medqa"]["skipped"], entries["medqa"]["data"]) == (1, 1, "data folder")
    assert (entries["careqa"]["rows"], entries["careqa"]["data"], entries["careqa"]["items"]) == (None, "missing", 5621)
    assert entries["medbullets"]["items"] == 616
    assert osce("list", "--suite", "first-ten", "--data-dir", str(folder)) == 0
    out = capsys.readouterr().out
    assert "1 (+1 skipped)" in out
    assert "first-ten (10)" in out


def test_markdown_table_is_that_of_the_docs(capsys: pytest.CaptureFixture[str]) -> None:
    assert osce("list", "--markdown") == 0
    table = capsys.readouterr().out.strip()
    docs = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
    assert table in docs.read_text(), "run `osce list --markdown` and put its table into docs/benchmarks.md"


def test_status_and_verify(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--data-dir", str(folder), "--json")
    assert osce("data", "status", "medqa", *where) == 0
    (state,) = json.loads(capsys.readouterr().out)
    assert (state["state"], state["origin"], state["locked"]) == ("present", "data folder", None)
    assert osce("data", "verify", "medqa", *where) == 0
    (state,) = json.loads(capsys.readouterr().out)
    assert state["state"] == "recorded"
    before = state["sha256"]
    (folder / "medqa" / NAME).write_text(json.dumps(ROW) + "\n" + json.dumps({**ROW, "question": "Why not?"}))
    assert osce("data", "verify", "medqa", "--data-dir", str(folder)) == 1
    out = capsys.readouterr().out
    after = hashlib.sha256((folder / "medqa" / NAME).read_bytes()).hexdigest()
    assert before in out
    assert after in out
    assert "--accept" in out
    with pytest.raises(DataError, match=before):
        osce("show", "medqa", "--data-dir", str(folder))
    assert osce("data", "verify", "medqa", "--accept", *where) == 0
    assert json.loads(capsys.readouterr().out)[0]["state"] == "accepted"
    assert osce("show", "medqa", "--data-dir", str(folder)) == 0


def test_status_of_what_is_missing_tells_file_address_and_licence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert osce("data", "status", "pubmedqa") == 0
    out = capsys.readouterr().out
    assert "pubmedqa/ori_pqal.json   licence: MIT (pubmedqa/pubmedqa)" in out
    assert "https://raw.githubusercontent.com/pubmedqa/pubmedqa/" in out
    assert "2 missing" in out


def test_flags_that_do_not_belong_are_refused() -> None:
    with pytest.raises(OsceError, match="verify"):
        osce("data", "status", "--accept")
    with pytest.raises(OsceError, match="fetch"):
        osce("data", "verify", "--again")
    with pytest.raises(DataError, match="OSCE_OFFLINE"):
        osce("data", "fetch", "medqa")
    with pytest.raises(DataError, match="Did you mean medqa"):
        osce("data", "status", "medkqa")


@pytest.fixture
def server() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = (json.dumps(ROW) + "\n").encode()
            self.send_response(200 if self.path == "/rows" else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None: ...

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_address[1]}"
    httpd.shutdown()


def test_fetch_into_a_folder_that_is_then_a_data_folder(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from dataclasses import replace

    monkeypatch.delenv("OSCE_OFFLINE")
    variant = medqa.BENCHMARK.variants[""]
    good = Upstream(NAME, "MIT", (Url(f"{server}/gone"), Url(f"{server}/rows", "abc")))
    bad = Upstream("US_test_5options.jsonl", "MIT", (Url(f"{server}/gone"),))
    variants = {
        "": replace(variant, layouts=(replace(variant.layouts[0], files=(good,)),)),
        "5opt": replace(variant, layouts=(replace(variant.layouts[0], files=(bad,)),)),
    }
    monkeypatch.setattr(medqa, "BENCHMARK", replace(medqa.BENCHMARK, variants=variants))
    target = tmp_path / "new"
    assert osce("data", "fetch", "medqa:", "--data-dir", str(target), "--json") == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["state"], first["path"]) == ("fetched", str(target / "medqa" / NAME))
    assert second["state"] == "failed"
    assert "404" in second["detail"]
    monkeypatch.setenv("OSCE_OFFLINE", "1")
    assert osce("show", "medqa", "--data-dir", str(target), "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["variants"][0]["source"]["revision"] == {NAME: "abc"}
