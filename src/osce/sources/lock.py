"""The lock: sha256 of every file ever used, so that a changed file is an error and never another score."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from datetime import UTC, datetime
from importlib.resources import files as package_files
from pathlib import Path

import msgspec

from osce.core.errors import DataError
from osce.sources.settings import cache_dir

FILE = "osce.lock.json"


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of a file since it was first seen."""

    sha256: str
    size: int
    revision: str = ""
    address: str = ""
    recorded: str = ""


class _Book(msgspec.Struct):
    files: dict[str, Entry] = {}


def sha256_of(path: Path) -> str:
    """Hash of a file; of a folder, the hash over its files' names and hashes. Raises DataError."""
    try:
        if path.is_dir():
            total = hashlib.sha256()
            for part in sorted(p for p in path.rglob("*") if p.is_file()):
                total.update(f"{part.relative_to(path).as_posix()}\0{sha256_of(part)}\n".encode())
            return total.hexdigest()
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error


def shipped_sha256(key: str) -> str:
    """The hash that this version of osce was made with, "" where it knows none."""
    text = package_files("osce.sources").joinpath("data.lock.json").read_bytes()
    entry = msgspec.json.decode(text, type=_Book).files.get(key)
    return entry.sha256 if entry else ""


class Lock:
    """The lock of one folder: beside the data where that can be written, else in the cache under the folder's path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        own = self.folder / FILE
        if own.exists() or os.access(self.folder if self.folder.exists() else self.folder.parent, os.W_OK):
            self.path = own
        else:
            name = hashlib.sha256(str(self.folder).encode()).hexdigest()[:16]
            self.path = cache_dir() / "locks" / f"{name}.json"

    def entries(self) -> dict[str, Entry]:
        """All that is recorded. Raises DataError where the lock itself is damaged."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=_Book).files
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise DataError(f"cannot read the lock {self.path}: {error.strerror}") from error
        except msgspec.DecodeError as error:
            raise DataError(
                f"the lock {self.path} is damaged ({error}). Mend it, or delete it: the files are then recorded anew."
            ) from error

    def record(self, key: str, path: Path, sha256: str, *, revision: str = "", address: str = "") -> bool:
        """Write an entry; False where the lock cannot be written (a read-only machine works, only without memory)."""
        book = _Book(self.entries())
        size = sum(p.stat().st_size for p in path.rglob("*") if p.is_file()) if path.is_dir() else path.stat().st_size
        now = datetime.now(UTC).isoformat(timespec="seconds")
        book.files[key] = Entry(sha256=sha256, size=size, revision=revision, address=address, recorded=now)
        text = msgspec.json.format(msgspec.json.encode(_Book(dict(sorted(book.files.items())))), indent=1)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=f".{FILE}.")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(text + b"\n")
                Path(temporary).replace(self.path)
            except OSError:
                with contextlib.suppress(OSError):
                    Path(temporary).unlink()
                raise
        except OSError:
            return False
        return True


def check(key: str, path: Path, *, lock: Lock, pinned: str = "", complete: bool = True) -> tuple[str, Entry | None]:
    """Hash of a file that agrees with what is known of it, and its entry; first sight records it.

    `pinned` is the hash of the upstream file; it binds downloads (`complete`), while a data folder may hold a part of the
    upstream rows and is bound to its own first hash. Raises DataError that shows both hashes.
    """
    found = sha256_of(path)
    if complete and pinned and found != pinned:
        raise changed(key, path, pinned, found, "the hash that osce knows of the upstream file")
    entry = lock.entries().get(key)
    if entry is None:
        lock.record(key, path, found)
    elif entry.sha256 != found:
        raise changed(key, path, entry.sha256, found, f"the hash recorded {entry.recorded or 'earlier'} in {lock.path}")
    return found, entry


def changed(key: str, path: Path, wanted: str, found: str, whose: str) -> DataError:
    return DataError(
        f"{path} has changed:\n  locked  sha256 {wanted} ({whose})\n  found   sha256 {found}\n"
        f"Restore the file, or if the change is meant: osce data verify {key.split('/', 1)[0]} --accept"
    )
