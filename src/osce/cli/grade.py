"""`osce grade`: grade a run again offline, or grade responses made elsewhere."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from osce.core.errors import DataError, OsceError
from osce.core.grades import Grade
from osce.core.replies import Reply
from osce.exam.regrade import Change, regrade
from osce.ledger import find_runs
from osce.ledger import manifest as manifests

EPILOG = """\
examples
  osce grade runs/local--smollm2/medqa                      grade a run again with today's reader; nothing is asked
  osce grade medqa --responses answers.jsonl --json         responses made elsewhere: {"id": …, "response": …} per line
  osce grade medbullets:op5 --responses - --order 1618      from standard input; the options were shown in that order

A line of --responses may also hold "finish_reason" ("length" = the token limit was hit).
"""


class ResponseLine(msgspec.Struct, forbid_unknown_fields=True):
    """One response made elsewhere. `finish_reason` as in the OpenAI interface."""

    id: str | int
    response: str
    finish_reason: str = "stop"


def add(sub: Any) -> None:
    p = sub.add_parser(
        "grade",
        help="grade a run again, or responses made elsewhere",
        description="Grade a finished or interrupted run again without asking anything, or grade a file of responses.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("what", nargs="+", metavar="RUN|NAME", help="run folders, or with --responses one benchmark")
    p.add_argument("--responses", metavar="FILE", help="JSON lines of {id, response}; - for standard input")
    p.add_argument("--order", default="natural", help="the option order in which the items were shown (default natural)")
    p.add_argument("--data-dir", type=Path, metavar="DIR", help="benchmarks' files lie in DIR/<benchmark>/ (or OSCE_DATA)")
    p.add_argument("--seed", type=int, metavar="S", help="seed of a generated benchmark")
    p.add_argument(
        "--out", type=Path, metavar="FILE", help="write one line per response: {id, outcome, score, answer, how, span}"
    )
    p.add_argument("--json", action="store_true", help="summary and every grade as JSON on standard output")
    p.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.responses is not None:
        if len(args.what) != 1:
            raise OsceError("--responses goes with exactly one benchmark, e.g. osce grade medqa --responses answers.jsonl")
        return _grade_responses(args)
    for name in args.what:
        if not Path(name).exists():
            raise OsceError(
                f"{name} is no run folder. To grade responses made elsewhere: osce grade {name} --responses FILE.jsonl"
            )
    return _regrade_runs([Path(w) for w in args.what], as_json=args.json)


def _regrade_runs(paths: list[Path], *, as_json: bool) -> int:
    console = Console(highlight=False)
    results = []
    for folder in find_runs(paths):
        changes, changed, summary = regrade(folder)
        results.append({"folder": str(folder), "changed": changed, "changes": [_plain(c) for c in changes], "summary": summary})
        if as_json:
            continue
        score = summary["score"]
        shown = "–" if score is None else f"{score:.4f}"
        console.print(f"{folder}: {summary['n']} answers graded again, {changed} changed, score {shown}", markup=False)
        if changes:
            console.print(_changes_table(changes[:20]))
            if changed > 20:
                console.print(f"… and {changed - 20} more (--json lists up to {len(changes)})")
    if as_json:
        print(json.dumps(results, indent=1))
    return 0


def _plain(change: Change) -> dict[str, Any]:
    return {
        "item": change.item,
        "order": change.order,
        "rollout": change.rollout,
        "before": msgspec.to_builtins(change.before),
        "after": msgspec.to_builtins(change.after),
    }


def _changes_table(changes: list[Change]) -> Table:
    table = Table("item", "order", "before", "after")
    for c in changes:
        table.add_row(
            escape(c.item), c.order, *(escape(f"{g.outcome.value} {g.answer or ''}".strip()) for g in (c.before, c.after))
        )
    return table


def _grade_responses(args: argparse.Namespace) -> int:
    from osce.benchmarks import load
    from osce.benchmarks.base import Dataset
    from osce.benchmarks.shuffle import reorder
    from osce.exam.plan import parse_orders

    order = parse_orders(args.order)
    if len(order) != 1:
        raise OsceError("--order takes one order here: the one in which the items were shown")
    lines = list(_read_responses(args.responses))
    datasets = load(args.what[0], data_dir=args.data_dir, seed=args.seed)
    items: dict[str, tuple[Dataset, int]] = {}
    ambiguous: set[str] = set()
    wanted = {str(line.id) for line in lines}
    total = 0
    for dataset in datasets:
        total += len(dataset.items)
        for index, item in enumerate(dataset.items):
            if item.id in wanted:
                if item.id in items:
                    ambiguous.add(item.id)
                items[item.id] = (dataset, index)
    if ambiguous:
        names = ", ".join(d.name for d in datasets)
        raise OsceError(f"{len(ambiguous)} ids stand in more than one variant (e.g. {min(ambiguous)}); name one of: {names}")
    unknown = sorted(wanted - items.keys())
    if unknown:
        example = next((d.items[0].id for d in datasets if len(d.items)), "")
        raise DataError(
            f"{args.responses}: {len(unknown)} of {len(wanted)} ids are not in {args.what[0]}, e.g. {', '.join(unknown[:5])}. "
            f"Ids there look like {example!r}; `osce show {args.what[0]} --json` shows one item."
        )
    graded: list[tuple[str, Grade]] = []
    for line in lines:
        dataset, index = items[str(line.id)]
        reply = Reply(text=line.response, finish="length" if line.finish_reason == "length" else "stop")
        graded.append((str(line.id), dataset.grade(reply, reorder(dataset.items[index], order[0]))))
    return _report(args, graded, total)


def _report(args: argparse.Namespace, graded: list[tuple[str, Grade]], total: int) -> int:
    outcomes: dict[str, int] = {}
    for _, grade in graded:
        outcomes[grade.outcome.value] = outcomes.get(grade.outcome.value, 0) + 1
    scores = [g.score for _, g in graded if g.score is not None]
    answered = len({identity for identity, _ in graded})
    summary = {
        "benchmark": args.what[0],
        "items": total,
        "answered": answered,
        "coverage": answered / total if total else None,
        "responses": len(graded),
        "score": sum(scores) / len(scores) if scores else None,
        "outcomes": dict(sorted(outcomes.items())),
    }
    rows = [{"id": identity, **msgspec.to_builtins(grade), "answer": grade.answer} for identity, grade in graded]
    if args.out is not None:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        try:
            manifests.replace_file(args.out, text.encode())
        except OSError as error:
            raise OsceError(f"cannot write {args.out}: {error.strerror}") from error
    if args.json:
        print(json.dumps({"summary": summary, "grades": rows}, indent=1, ensure_ascii=False))
        return 0
    score = "–" if summary["score"] is None else f"{summary['score']:.4f}"
    print(f"{args.what[0]}: score {score} over {len(scores)} responses; {answered} of {total} items answered")
    print("  " + "  ".join(f"{name} {count}" for name, count in sorted(outcomes.items())))
    if answered < total:
        print("  items without a response are missing, not wrong: they are in no figure above")
    return 0


def _read_responses(source: str) -> Iterator[ResponseLine]:
    """Raises DataError naming the line."""
    try:
        stream = sys.stdin.buffer if source == "-" else Path(source).open("rb")  # noqa: SIM115 (closed by the `with` below)
    except OSError as error:
        raise DataError(f"cannot read {source}: {error.strerror}") from error
    decode = msgspec.json.Decoder(ResponseLine).decode
    with stream:
        empty = True
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            empty = False
            try:
                yield decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise DataError(f'{source} line {number}: {error}. Each line is {{"id": "…", "response": "…"}}.') from error
    if empty:
        raise DataError(f'{source} is empty. Each line is {{"id": "…", "response": "…"}}.')
