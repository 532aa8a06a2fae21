"""Reading runs: streaming, tolerant of a torn last line, honest about corrupt ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from osce.core.errors import LedgerError
from osce.core.grades import Grade
from osce.ledger import manifest as manifests
from osce.ledger import writer
from osce.ledger.manifest import Manifest
from osce.ledger.records import Key, Record

REGRADES = "regrades.jsonl"


class Regrade(msgspec.Struct, frozen=True, kw_only=True):
    """A later grade of a recorded answer, laid over the first one when the run is read."""

    item: str
    order: str
    rollout: int
    grade: Grade

    @property
    def key(self) -> Key:
        return (self.item, self.order, self.rollout)


class _ItemId(msgspec.Struct):
    id: str


class _Key(msgspec.Struct):
    item: _ItemId
    order: str = "natural"
    rollout: int = 0

    @property
    def key(self) -> Key:
        return (self.item.id, self.order, self.rollout)


@dataclass(frozen=True)
class Run:
    """One run folder. `records` streams the latest record of each key with later grades laid over."""

    folder: Path
    manifest: Manifest

    def records(self, *, as_first_graded: bool = False) -> Iterator[Record]:
        path = self.folder / writer.FILE
        regraded = {} if as_first_graded else self.regrades()
        old = self._scan.superseded
        decode = msgspec.json.Decoder(Record).decode
        for number, line in _lines(path):
            if number in old:
                continue
            try:
                record = decode(line)
            except (msgspec.MsgspecError, ValueError):
                continue
            grade = regraded.get(record.key)
            yield record if grade is None else msgspec.structs.replace(record, grade=grade)

    def regrades(self) -> dict[Key, Grade]:
        """Later grades by key (see `osce grade`)."""
        return {r.key: r.grade for r in _regrades(self.folder)}

    @property
    def corrupt_lines(self) -> list[int]:
        """Numbers (from 1) of lines that cannot be read; their items are asked again on resuming."""
        return self._scan.corrupt

    @property
    def _scan(self) -> _Scan:
        return _scan(self.folder / writer.FILE)


def open_run(folder: Path) -> Run:
    """Raises LedgerError when it is no run folder."""
    return Run(folder, manifests.read(folder))


def find_runs(paths: Iterable[Path]) -> list[Path]:
    """Run folders among and below the paths, sorted. Raises LedgerError for a path that holds none."""
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise LedgerError(f"{path} does not exist. Give a run folder, or a folder that holds some (what --out named).")
        here = [p.parent for p in sorted(path.rglob(manifests.FILE))]
        if not here:
            raise LedgerError(f"no run below {path}: no {manifests.FILE} found. Run `osce exam … --out {path}` first.")
        found += [p for p in here if p not in found]
    return found


@dataclass
class _Scan:
    superseded: set[int] = field(default_factory=set)
    corrupt: list[int] = field(default_factory=list)


def _scan(path: Path) -> _Scan:
    """Lines that a later line of the same key replaces (an item that failed and was asked again), and unreadable ones."""
    last: dict[Key, int] = {}
    scan = _Scan()
    decode = msgspec.json.Decoder(_Key).decode
    for number, line in _lines(path):
        try:
            key = decode(line).key
        except (msgspec.MsgspecError, ValueError):
            scan.corrupt.append(number)
            continue
        if key in last:
            scan.superseded.add(last[key])
        last[key] = number
    return scan


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """(number from 1, line); a last line without its newline is torn and left out."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.endswith(b"\n"):
                    yield number, line
    except FileNotFoundError:
        return
    except OSError as error:
        raise LedgerError(f"{path} cannot be read: {error.strerror}.") from error


def _regrades(folder: Path) -> Iterator[Regrade]:
    decode = msgspec.json.Decoder(Regrade).decode
    for number, line in _lines(folder / REGRADES):
        try:
            yield decode(line)
        except (msgspec.MsgspecError, ValueError) as error:
            raise LedgerError(
                f"{folder / REGRADES} line {number} cannot be read ({error}). Remove that file and run `osce grade {folder}`."
            ) from error
