"""The exam half end to end: a real model, the real rows of all ten benchmarks, killed in the middle and resumed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from osce.core.items import Choice
from osce.ledger import find_runs, open_run

ORDERS = ("natural", "1618", "9331")
LIMIT = 3


def command(out: Path) -> list[str]:
    return [
        sys.executable, "-m", "osce", "exam", "--suite", "first-ten", "--model", "local/smollm2", "--limit", str(LIMIT),
        "--orders", ",".join(ORDERS), "--format", "letter", "--max-tokens", "6", "--out", str(out), "--json", "--quiet",
    ]  # fmt: skip


def lines(out: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in out.rglob("records.jsonl"))


@pytest.mark.slow
@pytest.mark.realdata
@pytest.mark.localmodel
def test_first_ten_on_a_local_model_killed_and_resumed(real_data: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs"
    environment = {
        **os.environ,
        "OSCE_DATA": str(real_data / "text"),
        "OSCE_CACHE": str(tmp_path / "cache"),
        "OSCE_OFFLINE": "1",
    }
    process = subprocess.Popen(command(out), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    deadline = time.monotonic() + 300
    while lines(out) < 12:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.kill()
    process.communicate()
    before = {path: path.read_bytes() for path in out.rglob("records.jsonl")}

    done = subprocess.run(command(out), capture_output=True, text=True, timeout=900, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    for path, content in before.items():
        whole = content[: content.rfind(b"\n") + 1]
        assert path.read_bytes().startswith(whole), "what was answered before the kill is still there"

    results = json.loads(done.stdout)
    assert {r["benchmark"] for r in results} == {
        "medqa", "medmcqa", "pubmedqa", "medbullets", "m_arc", "mmlu_pro_health", "careqa", "headqa", "medxpertqa", "fresh_calc",
    }  # fmt: skip
    answered: Counter[str] = Counter()
    gold: Counter[str] = Counter()
    for folder in find_runs([out]):
        run = open_run(folder)
        records = list(run.records())
        assert run.manifest.status == "finished"
        assert len({r.key for r in records}) == len(records)
        if records[0].item.options:
            assert len(records) == LIMIT * len(ORDERS)
            for record in records:
                assert isinstance(record.item.target, Choice)
                place = list(record.item.options).index(record.item.target.labels[0])
                gold[str(place)] += 1
                if record.grade.answer is not None:
                    answered[str(list(record.item.options).index(record.grade.answer))] += 1
    share = max(answered.values()) / answered.total()
    assert answered.total() > 40
    assert share > gold[answered.most_common(1)[0][0]] / gold.total() + 0.1, "SmolLM2 answers by place; the orders must show it"

    bias = subprocess.run(
        [sys.executable, "-m", "osce", "rank", str(out)],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
        check=True,
    )
    assert "Option order" in bias.stdout
