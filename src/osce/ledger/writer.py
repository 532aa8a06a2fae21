"""Appending to a run. A record is on disk (in the kernel's hands) before the next one is asked for: kill -9 loses none."""

from __future__ import annotations

import errno
import fcntl
import os
import tempfile
from pathlib import Path
from types import TracebackType

import msgspec

from osce.core.errors import LedgerError
from osce.ledger.records import Record

FILE = "records.jsonl"
LOCK = "lock"


class Writer:
    """The one writer of a run folder. Opening it drops a torn last line and takes the folder's lock.

    Raises LedgerError where the folder cannot be written or another process is writing it.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.rescued: Path | None = None
        self._encode = msgspec.json.Encoder().encode
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(folder)
            self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            self._size = _drop_torn_line(self._fd)
        except OSError as error:
            raise LedgerError(
                f"cannot write the run folder {folder}: {error.strerror}. Choose a writable folder with --out."
            ) from error

    def append(self, record: Record) -> None:
        """Write one line. On a full disk the line goes to a rescue file in the temporary folder and LedgerError is raised."""
        line = self._encode(record) + b"\n"
        try:
            written = os.write(self._fd, line)
            while written < len(line):
                written += os.write(self._fd, line[written:])
        except OSError as error:
            self._give_up(line, error)
        self._size += len(line)

    def _give_up(self, line: bytes, error: OSError) -> None:
        """Take back what was written of the line, keep the line elsewhere, and say so."""
        os.ftruncate(self._fd, self._size)
        what = "the disk is full" if error.errno == errno.ENOSPC else f"writing failed ({error.strerror})"
        try:
            if self.rescued is None:
                handle, name = tempfile.mkstemp(prefix="osce-rescue-", suffix=".jsonl")
                os.close(handle)
                self.rescued = Path(name)
            with self.rescued.open("ab") as file:
                file.write(line)
            kept = f"Answers already paid for were kept in {self.rescued}: append it with `cat {self.rescued} >> {self.path}`"
        except OSError:
            kept = "The answers then in flight could not be kept anywhere"
        raise LedgerError(f"{self.path}: {what}. {kept}; free space, then run the same command again to go on.") from error

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            os.close(self._lock)
            self._fd = -1

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _lock(folder: Path) -> int:
    """A POSIX lock on a file of its own: the kernel lets go of it however the process ends, on NFS too."""
    fd = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.ENOLCK, errno.ENOTSUP):  # a file system without locks: one writer is then up to the user
            return fd
        os.close(fd)
        if error.errno not in (errno.EACCES, errno.EAGAIN):
            raise
        raise LedgerError(f"{folder} is being written by another osce process. Wait for it, or choose another --out.") from None
    return fd


def _drop_torn_line(fd: int) -> int:
    """Cut the file after its last newline; returns the size that is left (bytes)."""
    size = end = os.fstat(fd).st_size
    while end > 0:
        start = max(0, end - 65536)
        found = os.pread(fd, end - start, start).rfind(b"\n")
        if found >= 0:
            end = start + found + 1
            break
        end = start
    if end < size:
        os.ftruncate(fd, end)
    return end
