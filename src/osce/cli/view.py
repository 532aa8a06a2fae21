"""`osce view`: read a run item by item: the prompt, the response with what was read highlighted, the grade."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console, Group
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from osce.core.errors import OsceError
from osce.core.grades import Outcome
from osce.core.items import CalendarDate, Choice, Number, Target
from osce.ledger import Record, find_runs, open_run

EPILOG = """\
examples
  osce view runs/local--smollm2/fresh_calc.choice                  one after another (Enter next, q quit)
  osce view runs/… --outcome wrong --outcome unparsed
  osce view runs/… --item s2026-000012-bmi --json
"""
COLOURS = {Outcome.CORRECT: "green", Outcome.PARTIAL: "yellow", Outcome.ERROR: "magenta", Outcome.UNGRADED: "magenta"}


def add(sub: Any) -> None:
    p = sub.add_parser(
        "view",
        help="browse the answers of a run",
        description="Show items of a run: prompt, response (what was read is highlighted), gold and grade.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("run_folder", type=Path, metavar="RUN")
    p.add_argument("--item", metavar="ID", help="only this item")
    p.add_argument("--outcome", action="append", choices=[o.value for o in Outcome], help="only these outcomes (repeatable)")
    p.add_argument("--order", help="only this option order")
    p.add_argument("--limit", type=int, metavar="N", help="at most N")
    p.add_argument("--json", action="store_true", help="one record per line, as JSON")
    p.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    folders = find_runs([args.run_folder])
    if len(folders) > 1:
        listed = "\n  ".join(str(f) for f in folders[:20])
        raise OsceError(f"{args.run_folder} holds {len(folders)} runs; name one of them:\n  {listed}")
    opened = open_run(folders[0])
    records = (r for r in opened.records() if _wanted(r, args))
    console = Console(highlight=False)
    shown = 0
    for record in _head(records, args.limit):
        shown += 1
        if args.json:
            print(msgspec.json.encode(record).decode())
            continue
        console.print(_panel(record, opened.manifest.title))
        if console.is_terminal and sys.stdin.isatty() and console.input("[dim]Enter = next, q = quit [/]").strip() == "q":
            break
    if not shown:
        raise OsceError(f"no record of {folders[0]} fits; leave out --item, --outcome or --order to see all")
    return 0


def _head(records: Iterator[Record], limit: int | None) -> Iterator[Record]:
    for number, record in enumerate(records):
        if limit is not None and number >= limit:
            return
        yield record


def _wanted(record: Record, args: argparse.Namespace) -> bool:
    return (
        (args.item is None or record.item.id == args.item)
        and (args.order is None or record.order == args.order)
        and (not args.outcome or record.grade.outcome.value in args.outcome)
    )


def target_text(target: Target) -> str:
    """The gold in words."""
    if isinstance(target, Choice):
        return " or ".join(target.labels)
    if isinstance(target, Number):
        return f"{target.value:g} {target.unit}".strip() + f"  (right from {target.lower:g} to {target.upper:g})"
    if isinstance(target, CalendarDate):
        return target.value
    return f"{target.weeks} weeks, {target.days} days"


def _panel(record: Record, title: str) -> Panel:
    grade, reply = record.grade, record.reply
    response = Text(reply.text)
    if grade.span is not None:
        response.stylize("bold black on yellow", *grade.span)
    parts: list[Any] = []
    for message in record.messages:
        parts += [Rule(message.role, style="dim"), Text(message.content)]
    if reply.reasoning:
        parts += [Rule("reasoning", style="dim"), Text(reply.reasoning, style="dim")]
    parts += [
        Rule("response", style="dim"),
        response if reply.failure is None else Text(reply.failure.message, style="magenta"),
    ]
    colour = COLOURS.get(grade.outcome, "red")
    read = f"read {grade.answer or 'nothing'}" + (f" ({grade.how})" if grade.how else "")
    score = "no score" if grade.score is None else f"score {grade.score:g}"
    parts += [
        Rule("grade", style="dim"),
        Text.assemble((grade.outcome.value, f"bold {colour}"), f"  {score}  {read}  gold {target_text(record.item.target)}"),
    ]
    head = f"{title}  {record.item.id}  order {record.order}  rollout {record.rollout}"
    return Panel(Group(*parts), title=Text(head), title_align="left")
