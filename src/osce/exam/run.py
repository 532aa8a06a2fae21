"""Running cells: workers take from one lazy stream of work, ask, grade, write. Nothing waits in a queue, nothing piles up."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import msgspec

from osce.core.errors import LedgerError, ModelError, OsceError
from osce.core.grades import SCORELESS
from osce.core.items import Message
from osce.core.replies import Chat, Reply, Sampling
from osce.exam import plan as plans
from osce.exam.cache import ReplyCache, request_key
from osce.exam.plan import Cell, Work
from osce.exam.tally import Tally
from osce.ledger import Key, Manifest, Record, Run, Writer, parquet
from osce.ledger import manifest as manifests
from osce.models.baselines import Baseline

FAILURES_BEFORE_STOPPING = 50
"""So many failed items in a row (each after its own retries) mean that the provider is gone: stop, and resume later."""

Ask: TypeAlias = Callable[[Work, tuple[Message, ...]], Awaitable[Reply]]


class Watcher(Protocol):
    """Told what happens; the command line draws it. Called on the event loop: it must return at once."""

    def started(self, cell: Cell, tally: Tally, planned: int) -> None: ...

    def note(self, text: str) -> None: ...

    def ended(self, cell: Cell) -> None: ...

    def stopped(self, reason: str) -> None:
        """The run ends early: a signal's name, or the budget."""
        ...


@dataclass(frozen=True)
class CellResult:
    """A cell after running: `complete` says whether every planned answer is there (errors count as not there)."""

    cell: Cell
    manifest: Manifest
    complete: bool


@dataclass(frozen=True)
class Options:
    """How hard to push and when to stop. `price` gives USD for a reply, or None where it is not known."""

    concurrency: int = 32
    max_cost_usd: float | None = None
    cache: ReplyCache | None = None
    price: Callable[[Chat, Reply], float | None] = field(default=lambda _model, _reply: None)


@dataclass
class _Session:
    """What the cells of one start share: the budget, the wish to stop, the workers that a second signal cancels."""

    options: Options
    watcher: Watcher
    stop_reason: str = ""
    spent_usd: float = 0.0
    priced: int = 0
    in_flight: int = 0
    workers: list[asyncio.Task[None]] = field(default_factory=list)

    def over_budget(self) -> bool:
        """What is in flight is counted at the mean price so far, so that the bound holds to about one item."""
        limit = self.options.max_cost_usd
        if limit is None:
            return False
        mean = self.spent_usd / self.priced if self.priced else 0.0
        return self.spent_usd + mean * self.in_flight >= limit

    def on_signal(self, name: str) -> None:
        """First: take nothing new and let what is in flight end. Second: cancel that too."""
        if not self.stop_reason:
            self.watcher.note(f"{name}: waiting for {self.in_flight} request(s) in flight; once more to leave at once")
            self.stop_reason = name
            return
        for task in self.workers:
            task.cancel()


async def run_cells(cells: list[Cell], options: Options, watcher: Watcher) -> list[CellResult]:
    """Run the cells one after another. SIGINT and SIGTERM end it in order; what was answered is on disk.

    Raises OsceError (after the ledger is closed) when going on makes no sense: a model that cannot be used, a full disk,
    a fingerprint that differs.
    """
    session = _Session(options, watcher)
    manifests_by_cell = [plans.begin(cell) for cell in cells]  # refuse before the first question is asked
    results: list[CellResult] = []
    with _signals(session):
        for cell, manifest in zip(cells, manifests_by_cell, strict=True):
            if session.stop_reason:
                break
            results.append(await _run_cell(cell, manifest, session))
    if session.stop_reason:
        watcher.stopped(session.stop_reason)
    return results


async def _run_cell(cell: Cell, manifest: Manifest, session: _Session) -> CellResult:
    with Writer(cell.folder) as writer:
        manifests.write(cell.folder, manifest)
        run = Run(cell.folder, manifest)
        tally = Tally()
        done: set[Key] = set()
        for record in run.records():
            if record.grade.outcome not in SCORELESS:
                done.add(record.key)
                tally.add(record)
        manifest.corrupt_lines = run.corrupt_lines
        _tell_faults(cell, manifest, session.watcher)
        session.watcher.started(cell, tally, cell.planned)
        todo = (work for work in cell.work() if (work.item.id, work.order, work.rollout) not in done)
        complete = False
        try:
            if isinstance(cell.model, Baseline):
                complete = await _drain_baseline(cell, cell.model, todo, writer, tally, session)
            else:
                complete = await _drain(cell, cell.model, todo, writer, tally, session)
        finally:
            session.watcher.ended(cell)
            _finish(run, manifest, complete, session.watcher)
    return CellResult(cell, manifest, complete)


def _tell_faults(cell: Cell, manifest: Manifest, watcher: Watcher) -> None:
    """Rows and lines that had to be left out are said aloud, never dropped silently."""
    if manifest.corrupt_lines:
        watcher.note(
            f"{cell.folder}: {len(manifest.corrupt_lines)} line(s) of records.jsonl cannot be read "
            f"(first: line {manifest.corrupt_lines[0]}); those items are asked again"
        )
    if manifest.skipped_count:
        first = manifest.skipped[0]
        watcher.note(
            f"{cell.dataset.name}: {manifest.skipped_count} malformed row(s) left out, first {first.where}: {first.reason} "
            f"(listed in {cell.folder / manifests.FILE})"
        )


def _finish(run: Run, manifest: Manifest, complete: bool, watcher: Watcher) -> None:
    """Write Parquet and the summary from what is on disk, whatever ended the run."""
    final = Tally()
    try:
        parquet.write(run, final.add)
    except LedgerError as error:  # a full disk: the summary is still to be had from the JSON lines
        watcher.note(str(error))
        final = Tally()
        for record in run.records():
            final.add(record)
    manifest.status = "finished" if complete else "interrupted"
    manifest.summary = final.summary()
    with contextlib.suppress(LedgerError):  # on a full disk the first error is the one to tell
        manifests.write(run.folder, manifest)


async def _drain(cell: Cell, model: Chat, todo: Iterator[Work], writer: Writer, tally: Tally, session: _Session) -> bool:
    """All workers on one stream; the first error stops the taking of new work and is raised once the others are home.

    Returns whether everything planned now has a score.
    """
    options = session.options
    errors: list[OsceError] = []
    unscored = 0
    exhausted = False
    ask = _asker(model, cell.sampling, options.cache)

    async def worker() -> None:
        nonlocal unscored, exhausted
        while not (errors or session.stop_reason):
            if session.over_budget():
                session.stop_reason = f"--max-cost {options.max_cost_usd:g} USD is reached"
                return
            work = next(todo, None)
            if work is None:
                exhausted = True
                return
            session.in_flight += 1
            try:
                messages = cell.dataset.messages(work.item, cell.format)
                reply = await ask(work, messages)
                cost = 0.0 if reply.cached else options.price(model, reply)
                record = _record(cell, work, messages, reply, cost)
                writer.append(record)
            except OsceError as error:
                errors.append(error)
                return
            finally:
                session.in_flight -= 1
            if cost is not None:
                session.spent_usd += cost
                session.priced += 1
            tally.add(record)
            unscored += record.grade.score is None
            if tally.failures_in_a_row >= FAILURES_BEFORE_STOPPING:
                errors.append(
                    ModelError(
                        f"{model.name}: {FAILURES_BEFORE_STOPPING} items in a row failed after all retries; the last: "
                        f"{tally.last_failure}. Nothing is lost: run the same command again when the provider is back."
                    )
                )

    session.workers = [asyncio.create_task(worker()) for _ in range(max(1, min(options.concurrency, cell.planned)))]
    try:
        await asyncio.gather(*session.workers)
    except asyncio.CancelledError:
        if not session.stop_reason:
            raise
    finally:
        for task in session.workers:
            task.cancel()
        await asyncio.gather(*session.workers, return_exceptions=True)
        session.workers = []
    if errors:
        raise errors[0]
    return exhausted and not unscored


async def _drain_baseline(
    cell: Cell, model: Baseline, todo: Iterator[Work], writer: Writer, tally: Tally, session: _Session
) -> bool:
    """A baseline answers at once, so there is nothing to run side by side."""
    for number, work in enumerate(todo):
        if number % 64 == 0:
            await asyncio.sleep(0)  # let signals and the display in
            if session.stop_reason:
                return False
        reply = model.reply(work.item, order=work.order, rollout=work.rollout)
        record = _record(cell, work, cell.dataset.messages(work.item, cell.format), reply, 0.0)
        writer.append(record)
        tally.add(record)
    return True


def _record(cell: Cell, work: Work, messages: tuple[Message, ...], reply: Reply, cost: float | None) -> Record:
    return Record(
        item=work.item,
        order=work.order,
        rollout=work.rollout,
        messages=messages,
        reply=reply,
        grade=cell.dataset.grade(reply, work.item),
        time=time.time(),
        cost_usd=cost,
    )


def _asker(model: Chat, sampling: Sampling, cache: ReplyCache | None) -> Ask:
    """How this cell asks: through the cache when there is one, with a seed of its own for each rollout when seeds are set."""
    identity = manifests.canonical(model.identity())

    async def ask(work: Work, messages: tuple[Message, ...]) -> Reply:
        sampled = sampling
        if sampling.seed is not None and work.rollout:
            sampled = msgspec.structs.replace(sampling, seed=sampling.seed + work.rollout)
        if cache is None:
            return await model.chat(messages, sampled)
        key = request_key(identity, sampled, messages, work.rollout)
        reply = cache.get(key)
        if reply is None:
            reply = await model.chat(messages, sampled)
            cache.put(key, reply)
        return reply

    return ask


@contextlib.contextmanager
def _signals(session: _Session) -> Iterator[None]:
    """SIGINT and SIGTERM ask to stop; a second one cancels what is in flight. Slurm's pre-emption sends SIGTERM."""
    loop = asyncio.get_running_loop()
    installed: list[signal.Signals] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(
            NotImplementedError, ValueError, RuntimeError
        ):  # not in the main thread: the caller's business
            loop.add_signal_handler(number, session.on_signal, number.name)
            installed.append(number)
    try:
        yield
    finally:
        for number in installed:
            loop.remove_signal_handler(number)
