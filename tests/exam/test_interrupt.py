"""kill -9, Ctrl-C and SIGTERM in the middle of a run of the real command: nothing answered is lost, nothing is asked twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from conftest import Server

N = 60


def command(server: Server, out: Path) -> list[str]:
    return [
        sys.executable, "-m", "osce", "exam", "fresh_calc:choice", "--model", "vllm/toy", "--base-url", server.url,
        "--limit", str(N), "--concurrency", "4", "--out", str(out), "--json", "--quiet",
    ]  # fmt: skip


def start(server: Server, out: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(command(server, out), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def answers_on_disk(out: Path) -> list[str]:
    """Item ids of whole lines."""
    paths = list(out.rglob("records.jsonl"))
    if not paths:
        return []
    return [json.loads(line)["item"]["id"] for line in paths[0].read_bytes().split(b"\n")[:-1]]


def wait_until(wanted: int, out: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while len(answers_on_disk(out)) < wanted:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline, "the run does not get on"
        time.sleep(0.02)


def finish(server: Server, out: Path) -> dict[str, Any]:
    done = subprocess.run(command(server, out), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)
    return dict(result)


@pytest.mark.slow
@pytest.mark.parametrize("at", [1, 13, 40])
def test_kill_9_loses_no_answer_and_asks_nothing_answered_again(server: Server, tmp_path: Path, at: int) -> None:
    server.delay_s = 0.03
    process = start(server, tmp_path)
    wait_until(at, tmp_path, process)
    process.kill()
    process.communicate()
    before = answers_on_disk(tmp_path)
    assert at <= len(before) < N
    asked_before = Counter(server.asked)
    result = finish(server, tmp_path)
    after = answers_on_disk(tmp_path)
    assert after[: len(before)] == before
    assert len(after) == len(set(after)) == N
    assert (result["n"], result["scored"], result["status"]) == (N, N, "finished")
    repeated = set(Counter(server.asked) - asked_before) & set(asked_before)
    assert len(repeated) <= len(asked_before) - len(before) <= 4, "only what was in flight at the kill may be asked again"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_polite_signal_lets_what_is_in_flight_come_home(server: Server, tmp_path: Path, number: int) -> None:
    server.delay_s = 0.1
    process = start(server, tmp_path)
    wait_until(5, tmp_path, process)
    os.kill(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert len(server.asked) == len(answers_on_disk(tmp_path)), "every question that was asked has its answer on disk"
    assert json.loads(out)[0]["status"] == "interrupted"
    server.delay_s = 0.0
    finish(server, tmp_path)
    assert len(server.asked) == N


@pytest.mark.slow
def test_two_signals_leave_at_once(server: Server, tmp_path: Path) -> None:
    server.delay_s = 30.0
    process = start(server, tmp_path)
    deadline = time.monotonic() + 60
    while not server.asked and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=15)
    assert process.returncode == 130, err
    assert "Traceback" not in err


@pytest.mark.slow
def test_a_second_process_on_the_same_folder_is_refused(server: Server, tmp_path: Path) -> None:
    server.delay_s = 0.2
    process = start(server, tmp_path)
    wait_until(1, tmp_path, process)
    second = subprocess.run(command(server, tmp_path), capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode == 2
    assert "another osce process" in second.stderr
    process.kill()
    process.communicate()
