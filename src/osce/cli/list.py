"""`osce list`: which benchmarks and suites there are, and whether their data are here."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

EPILOG = """\
examples
  osce list                                   all benchmarks
  osce list --suite first-ten --data-dir DIR  one suite, with the rows found in DIR
  osce list --markdown > docs/table.md        the table of docs/benchmarks.md
"""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One benchmark in the list. `rows` is None where its data are not here, with the reason in `data`."""

    name: str
    title: str
    variants: list[str]
    subset: list[str]
    items: int | None
    rows: int | None
    skipped: int
    options: str
    metric: str
    licence: str
    data: str


def add(sub: Any) -> None:
    p = sub.add_parser(
        "list",
        help="what there is",
        description="Benchmarks, their variants, sizes, licences, and whether their data are on this machine.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("--suite", help="only the benchmarks of this suite")
    p.add_argument("--data-dir", type=Path, metavar="DIR", help="benchmarks' files lie in DIR/<benchmark>/ (or OSCE_DATA)")
    p.add_argument("--markdown", action="store_true", help="a Markdown table, without what differs between machines")
    p.add_argument("--json", action="store_true")
    p.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from osce.benchmarks import names
    from osce.benchmarks.suites import SUITES, suite

    wanted = suite(args.suite) if args.suite else names()
    if args.markdown:
        print(markdown([entry(name) for name in wanted]))
        return 0
    entries = [entry(name, args.data_dir, count=True) for name in wanted]
    if args.json:
        print(msgspec.json.format(msgspec.json.encode(entries), indent=1).decode())
        return 0
    columns = ("benchmark", "variants", "subset", "items", "rows here", "options", "metric", "licence", "data")
    table = Table(*columns, box=None, pad_edge=False)
    for e in entries:
        rows = "–" if e.rows is None else f"{e.rows:,}" + (f" (+{e.skipped} skipped)" if e.skipped else "")
        items = "any" if e.items is None else f"{e.items:,}"
        variants = ", ".join(v or "(default)" for v in e.variants)
        table.add_row(e.name, variants, ", ".join(e.subset), items, rows, e.options, e.metric, e.licence, e.data)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 240)
    console.print(table)
    console.print(f"\nsuites: {', '.join(f'{name} ({len(members)})' for name, members in SUITES.items())}")
    console.print(
        "subsets: V verifiable, T has a train split. `osce show NAME` tells more, `osce data status` lists the files."
    )
    return 0


def entry(name: str, data_dir: Path | None = None, *, count: bool = False) -> Entry:
    """What the list says of one benchmark; with `count` its rows are read where they are here."""
    from osce.benchmarks import GENERATED, declaration, load

    if name in GENERATED:
        return _generated(name)
    benchmark = declaration(name)
    chosen = [benchmark.variants[v] for v in benchmark.default]
    rows, skipped, data = _count(name, data_dir, load) if count else (None, 0, "not looked for")
    return Entry(
        name=name,
        title=benchmark.card.title,
        variants=list(benchmark.variants),
        subset=list(benchmark.card.subsets),
        items=sum(v.items for v in chosen),
        rows=rows,
        skipped=skipped,
        options=" / ".join(dict.fromkeys(v.options for v in chosen)),
        metric=benchmark.card.metric,
        licence=benchmark.card.licence,
        data=data,
    )


def _count(name: str, data_dir: Path | None, load: Any) -> tuple[int | None, int, str]:
    """Rows, skipped rows and the state of the data. Listing never fetches anything."""
    from osce.benchmarks.inventory import status
    from osce.core.errors import DataError

    states = status([name], data_dir)
    rows_of = [s for s in states if s.variant != "examples"]
    if any(s.path is None for s in rows_of):
        return None, 0, "missing"
    try:
        datasets = load(name, data_dir=data_dir)
    except DataError as error:
        return None, 0, str(error).splitlines()[0]
    where = ", ".join(sorted({s.origin for s in rows_of}))
    return sum(len(d.items) for d in datasets), sum(len(d.skipped) for d in datasets), where


def _generated(name: str) -> Entry:
    from osce.benchmarks import load

    datasets = load(name)
    card = datasets[0].card
    return Entry(
        name=name,
        title=card.title if card else name,
        variants=[d.variant for d in datasets],
        subset=list(card.subsets) if card else [],
        items=None,
        rows=sum(len(d.items) for d in datasets),
        skipped=0,
        options="choice and numeric",
        metric=card.metric if card else "accuracy",
        licence=card.licence if card else "",
        data="generated",
    )


def markdown(entries: list[Entry]) -> str:
    """The table of docs/benchmarks.md."""
    lines = ["| name | what | variants | subset | items | options | metric | licence |", "|--|--|--|--|--|--|--|--|"]
    for e in entries:
        variants = ", ".join(f"`{e.name}:{v}`" if v else f"`{e.name}`" for v in e.variants)
        items = "endless" if e.items is None else f"{e.items:,}"
        cells = (f"`{e.name}`", e.title, variants, ", ".join(e.subset), items, e.options, e.metric, e.licence)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)
