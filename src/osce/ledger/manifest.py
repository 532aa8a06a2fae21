"""manifest.json of a run folder: what was asked of whom, on which data, and how it ended."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Literal

import msgspec

from osce.core.errors import LedgerError

FILE = "manifest.json"
SCHEMA = 1


class SkippedRow(msgspec.Struct, frozen=True):
    where: str
    reason: str


class Manifest(msgspec.Struct, kw_only=True):
    """`fingerprint` holds all that makes two answers comparable; `scope` what may grow from one start to the next
    (limit, orders, rollouts); `summary` is written at the end. `skipped` lists at most 1,000 rows of `skipped_count`."""

    schema: int = SCHEMA
    model: str
    benchmark: str
    variant: str
    created: str
    fingerprint: dict[str, Any]
    scope: dict[str, Any]
    status: Literal["running", "interrupted", "finished"] = "running"
    environment: dict[str, Any] = {}
    skipped: list[SkippedRow] = []
    skipped_count: int = 0
    corrupt_lines: list[int] = []
    regraded: dict[str, Any] | None = None
    summary: dict[str, Any] | None = None

    @property
    def title(self) -> str:
        return f"{self.benchmark}:{self.variant}" if self.variant else self.benchmark


def read(folder: Path) -> Manifest:
    """Raises LedgerError when the folder holds no readable manifest."""
    path = folder / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise LedgerError(f"{folder} is no run folder: it has no {FILE}. Give a folder that `osce exam --out` wrote.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise LedgerError(f"{path} cannot be read ({error}). Mend or remove that file; the answers lie beside it.") from error
    except OSError as error:
        raise LedgerError(f"{path} cannot be read: {error.strerror}.") from error


def write(folder: Path, manifest: Manifest) -> None:
    """Raises LedgerError when the folder cannot be written."""
    path = folder / FILE
    try:
        replace_file(path, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    except OSError as error:
        raise LedgerError(f"cannot write {path}: {error.strerror}. Free space or choose another folder with --out.") from error


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file in one step, so that a kill leaves the old one or the new one, never half of one. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def canonical(value: object) -> bytes:
    """JSON with sorted keys: equal values give equal bytes."""
    return msgspec.json.encode(value, order="sorted")


def digest(value: object) -> str:
    """sha256 (hex) of a plain value's canonical JSON."""
    return hashlib.sha256(canonical(value)).hexdigest()


def differences(old: object, new: object, path: str = "") -> list[str]:
    """Where two fingerprints part, one line each: `model.name: "a" -> "b"`."""
    if isinstance(old, dict) and isinstance(new, dict):
        lines: list[str] = []
        for key in sorted(old.keys() | new.keys(), key=str):
            lines += differences(old.get(key), new.get(key), f"{path}.{key}" if path else str(key))
        return lines
    if canonical(old) == canonical(new):
        return []
    return [f"{path}: {canonical(old).decode()} -> {canonical(new).decode()}"]
