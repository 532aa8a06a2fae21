"""`osce read`: JSON lines in, JSON lines out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def run(text: str | bytes, *args: str) -> subprocess.CompletedProcess[bytes]:
    data = text.encode() if isinstance(text, str) else text
    return subprocess.run(
        [sys.executable, "-m", "osce", "read", *args], input=data, capture_output=True, timeout=60, check=False
    )


def test_reads_line_by_line_in_order() -> None:
    lines = [
        {"response": "The answer is (B).", "options": {"A": "aspirin", "B": "heparin"}},
        {"response": "heparin", "options": ["aspirin", "heparin"]},
        {"response": "Answer: Q"},
        {"response": "<think>hm", "finish_reason": "length"},
        {"response": "hm", "truncated": True, "options": None},
        {"response": "GFR = 25.2 mL/min", "kind": "number"},
        {"response": "31 August 2023", "kind": "date"},
        {"response": "17w4d", "kind": "weeks_days"},
        {"response": "A and B", "options": {"A": None, "B": ""}, "id": "other fields are left alone"},
        {"response": "Ｂ", "options": {"A": "", "B": ""}},
    ]
    done = run("\n".join(json.dumps(line) for line in lines) + "\n\n")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["answer"] for row in rows] == ["B", "B", "Q", None, None, "25.2", "2023-08-31", "17,4", None, "B"]
    assert [row["outcome"] for row in rows][3:5] == ["truncated", "truncated"]
    assert rows[8]["outcome"] == "several"
    assert rows[0] == {"answer": "B", "outcome": "answered", "how": "stated", "span": [15, 16]}
    assert all(set(row) == {"answer", "outcome", "how", "span"} for row in rows)


def test_reads_a_file(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text('{"response": "B"}\n')
    done = run("", str(file))
    assert json.loads(done.stdout)["answer"] == "B"


def test_nothing_in_nothing_out() -> None:
    done = run("")
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize(
    "bad",
    [
        b"not json",
        b'{"options": {}}',
        b'{"response": 3}',
        b'{"response": "B", "kind": "colour"}',
        b'{"response": "B", "options": 3}',
        b"\xff\xfe",
        b'{"response": "B"',
        b"[]",
    ],
)
def test_a_malformed_line_is_named(bad: bytes) -> None:
    done = run(b'{"response": "B"}\n' + bad + b"\n")
    assert done.returncode == 2
    assert b"line 2" in done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stdout.count(b"\n") == 1


def test_too_many_options() -> None:
    done = run(json.dumps({"response": "B", "options": ["x"] * 27}))
    assert done.returncode == 2
    assert b"at most 26" in done.stderr


def test_a_missing_file() -> None:
    done = run("", "/nowhere/r.jsonl")
    assert done.returncode == 2
    assert b"/nowhere/r.jsonl" in done.stderr
