"""How a run looks while it runs: rate, time left, running score and cost; a line now and then where there is no terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TaskID, TextColumn, TimeRemainingColumn

from osce.core.grades import Outcome
from osce.exam.plan import Cell
from osce.exam.tally import Tally

SECONDS_BETWEEN_LINES = 20.0


def figures(tally: Tally) -> str:
    """Running score, failures and cost in a few words; what is not known is left out."""
    parts = ["score –" if tally.mean is None else f"score {tally.mean:.3f}"]
    failed = tally.outcomes[Outcome.ERROR.value]
    if failed:
        parts.append(f"{failed} failed")
    if tally.cost_usd:
        parts.append(f"${tally.cost_usd:.2f}{'+?' if tally.cost_missing else ''}")
    return "  ".join(parts)


class _Live(Progress):
    """A Progress that reads the tallies whenever it draws itself, so that the hot path never calls it."""

    def __init__(self, console: Console) -> None:
        self.tallies: dict[TaskID, Tally] = {}
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True, elapsed_when_finished=True),
            TextColumn("{task.fields[figures]}"),
            console=console,
            refresh_per_second=4,
            speed_estimate_period=20,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        for task_id, tally in self.tallies.items():
            speed = self._tasks[task_id].speed
            self.update(task_id, completed=tally.n, figures=figures(tally), rate=f"{speed:.1f}/s" if speed else "")
        return super().get_renderables()

    def make_tasks_table(self, tasks: Iterable[Task]):  # type: ignore[no-untyped-def]
        table = super().make_tasks_table(tasks)
        for column in table.columns:
            column.no_wrap = True
        return table


class Display:
    """A Watcher for the terminal (standard error). Use as a context manager."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.console = Console(stderr=True, highlight=False)
        self.quiet = quiet
        self._live = _Live(self.console) if self.console.is_terminal and not quiet else None
        self._current: tuple[str, Tally, int, int, float] | None = None
        self._tasks: dict[int, TaskID] = {}
        self.interrupted = False
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Display:
        if self._live is not None:
            self._live.start()
        elif not self.quiet:
            self._thread = threading.Thread(target=self._lines, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._live is not None:
            self._live.stop()

    def started(self, cell: Cell, tally: Tally, planned: int) -> None:
        title = f"{cell.model.name} · {cell.dataset.name}"
        self._current = (title, tally, planned, tally.n, time.monotonic())
        if self._live is not None:
            task = self._live.add_task(title, total=planned, completed=tally.n, figures="", rate="")
            self._live.tallies[task] = tally
            self._tasks[id(cell)] = task
        if tally.n and not self.quiet:
            self.note(f"{title}: going on after {tally.n} of {planned} answers already there")

    def stopped(self, reason: str) -> None:
        self.interrupted = reason.startswith("SIG")
        self.note(f"stopped: {reason}; run the same command again to go on")

    def note(self, text: str) -> None:
        console = self._live.console if self._live is not None else self.console
        console.print(text, markup=False, soft_wrap=True)

    def ended(self, cell: Cell) -> None:
        if self._live is not None:
            self._live.get_renderables()
            self._live.tallies.pop(self._tasks.pop(id(cell)), None)
        elif self._current is not None and not self.quiet:
            self._line(*self._current)
        self._current = None

    def _lines(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_LINES):
            current = self._current
            if current is not None:
                self._line(*current)

    def _line(self, title: str, tally: Tally, planned: int, before: int, start: float) -> None:
        rate = (tally.n - before) / max(time.monotonic() - start, 1e-3)
        left = f"{(planned - tally.n) / rate:.0f} s left" if rate and tally.n < planned else ""
        print(f"{title}: {tally.n}/{planned}  {rate:.1f}/s  {left}  {figures(tally)}", file=sys.stderr, flush=True)
