"""Grading again what was answered before: with today's reader, without asking anything."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from osce.benchmarks.graders import VERSION, grader
from osce.core.errors import LedgerError
from osce.core.grades import Grade
from osce.exam.tally import Tally
from osce.ledger import manifest as manifests
from osce.ledger import open_run, parquet
from osce.ledger.reader import REGRADES, Regrade

MAX_CHANGES_LISTED = 1000


@dataclass(frozen=True)
class Change:
    """One answer whose grade is another than before."""

    item: str
    order: str
    rollout: int
    before: Grade
    after: Grade


def regrade(folder: Path) -> tuple[list[Change], int, dict[str, object]]:
    """Grade a run again offline; returns (first 1,000 changes of outcome, number of all changes, new summary).

    The records stay as they are: new grades are laid over them in a file of their own. Raises LedgerError.
    """
    run = open_run(folder)
    changes: list[Change] = []
    changed = 0
    tally = Tally()
    earlier = run.regrades()
    grade = grader(run.manifest.benchmark)
    temporary = folder / f".{REGRADES}.{os.getpid()}"
    try:
        with temporary.open("wb") as file:
            for record in run.records(as_first_graded=True):
                before = earlier.get(record.key, record.grade)
                after = record.grade if record.reply.failure else grade(record.reply, record.item)
                tally.add(msgspec.structs.replace(record, grade=after))
                if after != record.grade:
                    line = Regrade(item=record.item.id, order=record.order, rollout=record.rollout, grade=after)
                    file.write(msgspec.json.encode(line) + b"\n")
                if (after.outcome, after.answer) != (before.outcome, before.answer):
                    changed += 1
                    if len(changes) < MAX_CHANGES_LISTED:
                        changes.append(Change(record.item.id, record.order, record.rollout, before, after))
        temporary.replace(folder / REGRADES)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise LedgerError(f"cannot write {folder / REGRADES}: {error.strerror}. The old grades stand.") from error
    run.manifest.regraded = {"grading": VERSION, "time": datetime.now(UTC).isoformat(timespec="seconds"), "changed": changed}
    run.manifest.fingerprint["grading"] = VERSION
    run.manifest.summary = tally.summary()
    manifests.write(folder, run.manifest)
    parquet.write(run)
    return changes, changed, run.manifest.summary
