"""`osce show`: one benchmark's card, its data as found here, and one item as a model would meet it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from osce.benchmarks.base import AnswerFormat, Dataset
from osce.core.errors import OsceError
from osce.core.items import CalendarDate, Choice, Item, Number, WeeksDays

EPILOG = """\
examples
  osce show medqa                               card, data, and the first item as it is asked
  osce show medbullets:op5 --order 1618         with its options in the order of that seed
  osce show medxpertqa --item Text-20 --format json
  osce show fresh_calc --seed 7
"""
SKIPPED_SHOWN = 10


def add(sub: Any) -> None:
    p = sub.add_parser(
        "show",
        help="one benchmark's card and a rendered prompt",
        description="Show a benchmark: what it is, where its data came from, what was skipped, and one rendered prompt.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("name", metavar="NAME[:VARIANT]")
    p.add_argument("--item", metavar="ID", help="this item (default: the first)")
    p.add_argument("--order", default="natural", help="option order: natural or a seed")
    p.add_argument("--format", default="paper", choices=get_args(AnswerFormat), help="answer format (default paper)")
    p.add_argument("--data-dir", type=Path, metavar="DIR", help="benchmarks' files lie in DIR/<benchmark>/ (or OSCE_DATA)")
    p.add_argument("--seed", type=int, metavar="S", help="seed of a generated benchmark")
    p.add_argument("--json", action="store_true")
    p.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from osce.benchmarks import load
    from osce.benchmarks.shuffle import reorder

    datasets = load(args.name, data_dir=args.data_dir, seed=args.seed)
    dataset, natural = _find(datasets, args.item)
    item = reorder(natural, args.order)
    messages = dataset.messages(item, args.format)
    if args.json:
        shown = {
            "benchmark": dataset.benchmark,
            "variants": [{"name": d.name, **_facts(d)} for d in datasets],
            "card": vars(dataset.card) if dataset.card else None,
            "order": args.order,
            "format": args.format,
            "messages": messages,
            "item": item,
        }
        print(msgspec.json.format(msgspec.json.encode(shown), indent=1).decode())
        return 0
    sections = [_card(dataset), *(_data(each) for each in datasets)]
    title = f"{dataset.name}   item {item.id}   order {args.order}   format {args.format}"
    sections += [(f"{title}   {m.role}", m.content) for m in messages]
    sections.append(("right answer (never part of the prompt)", gold(item)))
    _print(sections)
    return 0


def _print(sections: list[tuple[str, str]]) -> None:
    """Panels on a terminal, plain text elsewhere."""
    if not sys.stdout.isatty():
        print("\n\n".join(f"{title}\n{'-' * len(title)}\n{body}" for title, body in sections))
        return
    console = Console(highlight=False)
    for title, body in sections:
        console.print(Panel(Text(body), title=Text(title), title_align="left"))


def _find(datasets: list[Dataset], item_id: str | None) -> tuple[Dataset, Item]:
    if item_id is None:
        return datasets[0], datasets[0].items[0]
    for dataset in datasets:
        try:
            return dataset, dataset.by_id(item_id)
        except KeyError:
            continue
    name = " and ".join(d.name for d in datasets)
    some = ", ".join(datasets[0].items[i].id for i in range(min(3, len(datasets[0].items))))
    raise OsceError(f"{name}: there is no item {item_id!r}. Its ids look like: {some}")


def _facts(dataset: Dataset) -> dict[str, Any]:
    return {
        "items": len(dataset.items),
        "public_items": dataset.public_items,
        "version": dataset.version,
        "source": dict(dataset.source),
        "skipped": [vars(s) for s in dataset.skipped],
    }


def _card(dataset: Dataset) -> tuple[str, str]:
    card = dataset.card
    if card is None:
        return dataset.benchmark, ""
    rows = [
        ("what", card.what),
        ("paper", card.paper),
        ("home", card.homepage),
        ("licence", card.licence),
        ("metric", card.metric),
        ("subsets", ", ".join(card.subsets)),
        *(("fault", fault) for fault in card.known_faults),
    ]
    return f"{card.name}: {card.title}", _aligned(rows)


def _data(dataset: Dataset) -> tuple[str, str]:
    public = "" if dataset.public_items is None else f" of {dataset.public_items:,} in the public release"
    rows = [("items", f"{len(dataset.items):,}{public}; {_count(len(dataset.skipped))} skipped")]
    for name, value in dataset.source.items():
        inner = [f"{k}: {v}" for k, v in value.items()] if isinstance(value, dict) else [str(value)]
        rows += [(name, text) for text in inner]
    rows.append(("version", f"{dataset.version} (prompt and grader)"))
    rows += [("skipped", f"{s.where}: {s.reason}") for s in dataset.skipped[:SKIPPED_SHOWN]]
    if len(dataset.skipped) > SKIPPED_SHOWN:
        rows.append(("skipped", f"… and {len(dataset.skipped) - SKIPPED_SHOWN} more (--json lists all)"))
    return f"data of {dataset.name}", _aligned(rows)


def _count(rows: int) -> str:
    return f"{rows:,} row" + ("" if rows == 1 else "s")


def _aligned(rows: list[tuple[str, str]]) -> str:
    width = max(len(label) for label, _ in rows)
    return "\n".join(f"{label:<{width}}  {value}" for label, value in rows)


def gold(item: Item) -> str:
    """The right answer for people."""
    target = item.target
    if isinstance(target, Choice):
        return "\n".join(f"{label}. {item.options.get(label, '')}" for label in target.labels)
    if isinstance(target, Number):
        whole = ", compared as a whole number" if target.integer else ""
        return f"{target.value:g} {target.unit} (accepted: {target.lower:g} to {target.upper:g}{whole})".replace("  ", " ")
    if isinstance(target, CalendarDate):
        return target.value
    assert isinstance(target, WeeksDays)
    return f"{target.weeks} weeks {target.days} days"
