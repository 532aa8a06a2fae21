"""The finished run as Parquet: flat columns, in parts, so that memory does not grow with the run."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import polars as pl

from osce.core.errors import LedgerError
from osce.ledger.reader import Run
from osce.ledger.records import Record

FOLDER = "records"
ROWS_PER_PART = 10_000

SCHEMA: dict[str, pl.DataType] = {
    "item": pl.String(), "order": pl.String(), "rollout": pl.Int32(), "cluster": pl.String(),
    "outcome": pl.String(), "score": pl.Float64(), "answer": pl.String(), "how": pl.String(),
    "span_start": pl.Int64(), "span_end": pl.Int64(), "response": pl.String(), "reasoning": pl.String(),
    "finish": pl.String(), "failure": pl.String(), "input_tokens": pl.Int64(), "output_tokens": pl.Int64(),
    "reasoning_tokens": pl.Int64(), "cached_tokens": pl.Int64(), "cost_usd": pl.Float64(), "latency_s": pl.Float64(),
    "attempts": pl.Int32(), "time": pl.Float64(), "prompt": pl.String(), "options": pl.String(), "target": pl.String(),
    "tags": pl.String(),
}  # fmt: skip


def write(run: Run, each: Callable[[Record], None] = lambda _record: None) -> Path:
    """Write records/part-NNNNN.parquet from the JSON lines; an older folder is replaced in one step. Returns the folder.

    `each` is called with every record on the way, so that a summary needs no second pass.
    """
    target = run.folder / FOLDER
    fresh = run.folder / f".{FOLDER}.new"
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        records = run.records()
        for part, chunk in enumerate(_chunks(records)):
            for record in chunk:
                each(record)
            frame = pl.DataFrame([_row(r) for r in chunk], schema=SCHEMA, orient="row")
            frame.write_parquet(fresh / f"part-{part:05d}.parquet", compression="zstd")
        shutil.rmtree(target, ignore_errors=True)
        fresh.rename(target)
    except OSError as error:
        raise LedgerError(
            f"cannot write {target}: {error.strerror}. The answers are safe in the JSON lines beside it."
        ) from error
    return target


def _chunks(records: Iterator[Record]) -> Iterator[list[Record]]:
    while chunk := list(itertools.islice(records, ROWS_PER_PART)):
        yield chunk


def _row(r: Record) -> tuple[object, ...]:
    json = msgspec.json.encode
    start, end = r.grade.span or (None, None)
    usage = r.reply.usage
    return (
        r.item.id, r.order, r.rollout, r.item.cluster_id,
        r.grade.outcome.value, r.grade.score, r.grade.answer, r.grade.how,
        start, end, r.reply.text, r.reply.reasoning,
        r.reply.finish, r.reply.failure.message if r.reply.failure else None, usage.input_tokens, usage.output_tokens,
        usage.reasoning_tokens, usage.cached_tokens, r.cost_usd, r.reply.latency_s,
        r.reply.attempts, r.time, json(r.messages).decode(), json(r.item.options).decode(), json(r.item.target).decode(),
        json(r.item.tags).decode(),
    )  # fmt: skip
