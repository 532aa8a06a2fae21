"""Replies kept across runs by request hash: the same model, sampling, messages and rollout are never paid for twice.

A folder of append-only JSON-lines files, one per process that wrote it, so that several runs can share it on NFS.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import uuid
from pathlib import Path

import msgspec

from osce.core.errors import OsceError
from osce.core.items import Message
from osce.core.replies import Reply, Sampling


class _Entry(msgspec.Struct, frozen=True):
    key: str
    reply: Reply


class _KeyOnly(msgspec.Struct):
    key: str


class ReplyCache:
    """Raises OsceError where the folder cannot be used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._where: dict[str, tuple[Path, int, int]] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted(folder.glob("*.jsonl")):
                self._index(path)
            own = folder / f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}.jsonl"
            self._path = own
            self._fd = -1
        except OSError as error:
            raise OsceError(f"the reply cache {folder} cannot be used: {error.strerror}. Choose another --cache.") from error

    def _index(self, path: Path) -> None:
        decode = msgspec.json.Decoder(_KeyOnly).decode
        with path.open("rb") as file:
            start = 0
            for line in file:
                if line.endswith(b"\n"):
                    with contextlib.suppress(msgspec.MsgspecError):  # a torn line: that reply is asked for again
                        self._where[decode(line).key] = (path, start, len(line))
                start += len(line)

    def get(self, key: str) -> Reply | None:
        found = self._where.get(key)
        if found is None:
            return None
        path, start, length = found
        with path.open("rb") as file:
            file.seek(start)
            reply = msgspec.json.decode(file.read(length), type=_Entry).reply
        return msgspec.structs.replace(reply, cached=True)

    def put(self, key: str, reply: Reply) -> None:
        """Failures are not kept: they are to be asked again."""
        if reply.failure is not None or key in self._where:
            return
        line = msgspec.json.encode(_Entry(key, reply)) + b"\n"
        try:
            if self._fd < 0:
                self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            start = os.fstat(self._fd).st_size
            os.write(self._fd, line)
        except OSError as error:
            raise OsceError(
                f"the reply cache {self.folder} cannot be written: {error.strerror}. Run without --cache."
            ) from error
        self._where[key] = (self._path, start, len(line))

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def request_key(identity: bytes, sampling: Sampling, messages: tuple[Message, ...], rollout: int) -> str:
    """sha256 over all that decides a reply. `identity` is the canonical JSON of the model's identity."""
    state = hashlib.sha256(identity)
    state.update(msgspec.json.encode((sampling, messages, rollout)))
    return state.hexdigest()
