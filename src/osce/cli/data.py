"""`osce data`: fetch, verify and list the benchmarks' files."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import msgspec
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn
from rich.table import Table

from osce.core.errors import OsceError

EPILOG = """\
examples
  osce data status                              what is here and what is missing
  osce data fetch medqa pubmedqa                into the cache; a torn download goes on where it stopped
  osce data fetch --data-dir /scratch/data      into a folder to take to a machine without a network
  osce data fetch medqa:                        all variants of medqa, the train split too
  osce data verify                              hash every file and compare with the lock
  osce data verify medqa --accept               a change is meant: put the new hashes on record

A data folder holds one folder per benchmark with the upstream files as they are (see docs/data.md). Its lock is
osce.lock.json in that folder, or in the cache where the folder cannot be written.
"""


def add(sub: Any) -> None:
    p = sub.add_parser(
        "data",
        help="fetch, verify and list the benchmarks' files",
        description="The benchmarks' files: where they are, whether they are as locked, and getting them.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("action", choices=("status", "verify", "fetch"))
    p.add_argument("names", nargs="*", metavar="NAME", help="benchmarks, name:variant, or name: for all variants")
    p.add_argument("--data-dir", type=Path, metavar="DIR", help="benchmarks' files lie in DIR/<benchmark>/ (or OSCE_DATA)")
    p.add_argument("--accept", action="store_true", help="verify: put changed hashes on record")
    p.add_argument("--again", action="store_true", help="fetch: also what is here, at the newest upstream revision")
    p.add_argument("--json", action="store_true")
    p.set_defaults(run=run)


class _State(Protocol):
    benchmark: str
    variant: str
    name: str
    state: str
    path: Path | None


def run(args: argparse.Namespace) -> int:
    from osce.benchmarks.inventory import fetch_all, status, verify

    if args.accept and args.action != "verify":
        raise OsceError("--accept goes with `osce data verify`")
    if args.again and args.action != "fetch":
        raise OsceError("--again goes with `osce data fetch`")
    if args.action == "fetch":
        with _bars(quiet=args.json) as bar:
            states = fetch_all(args.names, args.data_dir, again=args.again, progress=bar)
    elif args.action == "verify":
        states = verify(args.names, args.data_dir, accept=args.accept)
    else:
        states = status(args.names, args.data_dir)
    if args.json:
        plain = [{k: str(v) if isinstance(v, Path) else v for k, v in vars(s).items()} for s in states]
        print(msgspec.json.format(msgspec.json.encode(plain), indent=1).decode())
    else:
        _print(args.action, states)
    wrong = {"status": (), "verify": ("changed",), "fetch": ("failed", "changed")}[args.action]
    return 1 if any(s.state in wrong for s in states) else 0


@contextmanager
def _bars(*, quiet: bool) -> Iterator[Any]:
    """A progress bar per file on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=quiet or not sys.stderr.isatty()) as shown:

        def bar(name: str) -> Any:
            task: TaskID = shown.add_task(name, total=None)
            return lambda done, total: shown.update(task, completed=done, total=total)

        yield bar


def _print(action: str, states: list[Any]) -> None:
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    if not states:
        console.print("These benchmarks are generated: they need no files.")
        return
    table = Table("benchmark", "file", "state", "size", "sha256", "where", box=None, pad_edge=False)
    colours = {"missing": "yellow", "changed": "red", "failed": "red"}
    for s in states:
        size = "" if s.size is None else f"{s.size / 1e6:.2f} MB"
        name = f"{s.benchmark}:{s.variant}" if s.variant else s.benchmark
        where = "" if s.path is None else s.origin
        state = f"[{colours.get(s.state, 'green')}]{s.state}[/]"
        table.add_row(name, s.name, state, size, (s.sha256 or s.locked or "")[:12], where)
    console.print(table)
    for s in states:
        if s.state == "changed":
            locked, found = s.locked or "?", s.sha256 or "not read: only its size differs"
            console.print(
                f"\n{s.path} has changed:\n  locked  sha256 {locked}\n  found   sha256 {found}", markup=False, soft_wrap=True
            )
            console.print(f"Restore it, or: osce data verify {s.benchmark} --accept", markup=False)
        elif s.state == "failed":
            console.print(f"\n{s.benchmark}: {s.detail}", markup=False, soft_wrap=True)
    missing = [s for s in states if s.state == "missing"]
    if missing and action != "fetch":
        console.print("\nmissing files go to DIR/<benchmark>/<file> of a data folder, or come by `osce data fetch`:")
        for s in missing:
            console.print(f"  {s.benchmark}/{s.name}   licence: {s.licence}", markup=False, soft_wrap=True)
            for address in s.addresses:
                console.print(f"      from {address}", markup=False, soft_wrap=True)
    counts = Counter(s.state for s in states)
    console.print("\n" + ", ".join(f"{n} {state}" for state, n in sorted(counts.items())))
