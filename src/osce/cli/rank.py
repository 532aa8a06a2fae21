"""`osce rank`: runs as ranked tables, every figure with its interval and its coverage."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from osce.cli._frames import OUTCOMES, Spent
from osce.cli._ranking import Bias, Overall, Ranking, Row, Table, rank, why_missing
from osce.core.errors import OsceError
from osce.core.grades import Outcome
from osce.stats.bootstrap import BCA

EPILOG = """\
examples
  osce rank runs                                   every run below the folder, one table per benchmark, then all together
  osce rank runs/local--smollm2 runs/baseline--random --order-bias
  osce rank runs --missing loss                    a missing answer loses, as in the reference suite's win rate
  osce rank runs --json > rank.json
  osce rank runs --csv rank.csv

How to read the figures: docs/read-the-figures.md
"""
WIDTH = 150
"""Columns when the output is no terminal: wide enough that no figure is cut."""


def add(sub: Any) -> None:
    p = sub.add_parser(
        "rank",
        help="ranked tables with intervals, from run folders",
        description="Rank models per benchmark and over all benchmarks: 95 % cluster-bootstrap intervals, coverage, paired "
        "tests, win rates, and the bias towards option positions.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folders, or folders above them")
    p.add_argument("--missing", choices=("skip", "loss"), default="skip",
                   help="win rate: compare on the items both have (skip), or count a missing answer as lost")  # fmt: skip
    p.add_argument("--orders", metavar="LIST", help="only the answers given in these option orders, e.g. natural or 1618,9331")
    p.add_argument("--order-bias", action="store_true", help="also show every option position of runs with several orders")
    p.add_argument("--resamples", type=_resamples, default=2000, metavar="N", help="bootstrap resamples (default 2000)")
    p.add_argument("--seed", type=int, default=20261201, metavar="S", help="seed of the resampling")
    p.add_argument("--json", action="store_true", help="everything as JSON on standard output")
    p.add_argument("--csv", metavar="FILE", help="one line per run and benchmark; - for standard output")
    p.set_defaults(run=run)


def _resamples(text: str) -> int:
    value = int(text)
    if value < 200:
        raise argparse.ArgumentTypeError("must be 200 or more: fewer give no 95 % interval worth the name")
    return value


def run(args: argparse.Namespace) -> int:
    orders = None if args.orders is None else [part.strip() for part in args.orders.split(",")]
    ranking = rank(args.runs, orders=orders, missing=args.missing, resamples=args.resamples, seed=args.seed)
    if not ranking.tables:
        raise OsceError(
            "no run given holds an answer" + (f" in the orders {args.orders}." if orders else " yet: `osce exam` writes them.")
        )
    if args.csv:
        _write_csv(ranking, args.csv)
    if args.json:
        print(json.dumps(plain(ranking), indent=1, allow_nan=False))
    elif args.csv != "-":
        show(ranking, order_bias=args.order_bias)
    return 0


# On the terminal ------------------------------------------------------------------------------------------------------


def show(ranking: Ranking, *, order_bias: bool = False, console: Console | None = None) -> None:
    """Print all tables; with `order_bias` every option position too."""
    out = console or Console(highlight=False, markup=False)
    if not out.is_terminal and console is None:
        out = Console(highlight=False, markup=False, width=WIDTH)
    for table in ranking.tables:
        out.print(_benchmark_grid(table))
        _notes(out, [*_marks(table), *table.notes])
    if ranking.overall is not None:
        out.print(_overall_grid(ranking.overall))
        _notes(out, ranking.overall.notes)
    if ranking.bias:
        out.print(_bias_grid(ranking.bias))
        if order_bias:
            _notes(out, BIAS_LEGEND)
            for bias in ranking.bias:
                out.print(_orders_grid(bias))
                out.print(_positions_grid(bias))
                out.print()
        else:
            _notes(out, [*BIAS_LEGEND, "--order-bias shows every position"])
    elif order_bias:
        _notes(out, ["no run has answers in two option orders; run `osce exam … --orders natural,1618,9331`"])
    _notes(out, ranking.notes)


def _notes(out: Console, notes: list[str]) -> None:
    for note in notes:
        out.print(Text(f"  {note}", style="dim"))
    out.print()


def _grid(title: str, *columns: str) -> Grid:
    grid = Grid(title=Text(title, style="bold"), title_justify="left", box=None, pad_edge=False, header_style="bold")
    for name in columns:
        left = name in ("model", "benchmark", "not right", "most favoured", "order", "label")
        grid.add_column(name, justify="left" if left else "right", no_wrap=name not in ("model", "not right"))
    return grid


def _benchmark_grid(table: Table) -> Grid:
    grid = _grid(
        table.title,
        "#",
        "model",
        "score",
        "95 % interval",
        "",
        "items",
        "clusters",
        "coverage",
        "not right",
        "USD",
        "tokens in/out",
    )
    for row in table.rows:
        score = row.score
        flag = {"below": "▼", "within": "≈"}.get(row.chance, "")
        grid.add_row(
            "–" if row.rank is None else str(row.rank),
            Text(row.label),
            percent(score.mean) + flag,
            _interval(score.low, score.high) + (" " if score.method == BCA else "†"),
            "»" if row.clearly_better else "",
            str(score.n_items),
            str(score.n_clusters),
            percent(score.coverage),
            _reasons(row),
            _money(row.run.cost_usd),
            _tokens(row),
            style="bright_black" if row.run.is_baseline else "",
        )
    return grid


def _marks(table: Table) -> list[str]:
    """What the signs in the table mean, only where they occur."""
    notes = []
    if any(r.clearly_better for r in table.rows):
        notes.append("» better than the next row: paired test over clusters, Holm-adjusted over all pairs, p ≤ 0.05")
    for sign, where in (("▼", "below"), ("≈", "within")):
        sources = dict.fromkeys(r.chance_from for r in table.rows if r.chance == where)
        notes += [f"{sign} {where} {source}: no sign of knowledge" for source in sources]
    methods = dict.fromkeys(r.score.method for r in table.rows if r.score.method != BCA)
    if methods:
        notes.append(f"† {', '.join(methods)}: too few clusters, or too few right or wrong answers, for the bootstrap")
    for row in table.rows:
        s = row.score
        if s.coverage is not None and s.coverage < 1 and s.worst is not None:
            notes.append(
                f"{row.label}: {percent(s.coverage)} % of its answers have a score; were the others all wrong or all right, "
                f"the score would be {percent(s.worst)} or {percent(s.best)}"
            )
    return notes


def _reasons(row: Row) -> str:
    """Shares of the answers that are not simply correct, largest first."""
    n = sum(row.run.outcomes.values())
    parts = sorted(((v, k) for k, v in row.run.outcomes.items() if k != Outcome.CORRECT.value), reverse=True)
    return " ".join(f"{k} {_share(v / n)}" for v, k in parts)


def _share(value: float) -> str:
    return f"{100 * value:.0f}" if value >= 0.0095 else "<1"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{100 * low:.1f} – {100 * high:.1f}"


def _money(cost: Spent) -> str:
    if cost.missing or not cost.known:
        return "–"
    return f"{cost.total:.2f}" if cost.total >= 0.095 or cost.total == 0 else f"{cost.total:.2g}"


def _tokens(row: Row) -> str:
    """Mean per answer."""
    parts = []
    for spent in (row.run.input_tokens, row.run.output_tokens):
        parts.append("–" if spent.missing or not spent.known else f"{spent.total / spent.known:.0f}")
    return "–" if parts == ["–", "–"] else "/".join(parts)


def _overall_grid(overall: Overall) -> Grid:
    rule = "a missing answer loses" if overall.missing == "loss" else "on the items both have"
    n = len(overall.benchmarks)
    grid = _grid(
        f"All together: {n} benchmark{'s' if n > 1 else ''}, win rate {rule}",
        "#", "95 % ranks", "model", "win rate", "95 % interval", "mean", "95 % interval", "benchmarks",
    )  # fmt: skip
    for label, is_baseline, s in overall.rows:
        grid.add_row(
            "–" if s.rank is None else str(s.rank),
            "–" if s.rank_low is None else f"{s.rank_low} – {s.rank_high}",
            Text(label),
            percent(s.rate),
            _interval(s.rate_low, s.rate_high),
            percent(s.mean),
            _interval(s.mean_low, s.mean_high),
            f"{s.n_benchmarks}/{n}",
            style="bright_black" if is_baseline else "",
        )
    return grid


def _bias_grid(biases: list[Bias]) -> Grid:
    grid = _grid(
        "Option order", "model", "benchmark", "by order", "same text", "95 % interval", "right in all",
        "moved", "95 % interval", "chance", "p", "most favoured",
    )  # fmt: skip
    for bias in biases:
        f = bias.figures
        means = [e.mean for e in f.by_order.values() if e.mean is not None]
        favoured = max(f.positions, key=lambda p: p.excess, default=None)
        grid.add_row(
            Text(bias.label),
            Text(bias.title),
            f"{percent(min(means))} – {percent(max(means))}" if means else "–",
            percent(f.consistency.mean),
            _interval(f.consistency.low, f.consistency.high),
            percent(f.right_in_all.mean),
            percent(f.total_variation),
            _interval(f.variation_low, f.variation_high),
            percent(f.variation_by_chance),
            "–" if f.p is None else p_value(f.p),
            "–" if favoured is None else f"{favoured.label} {100 * favoured.answered:.0f} for {100 * favoured.gold:.0f}",
        )
    return grid


BIAS_LEGEND = [
    "by order: lowest and highest score of an order · same text: items whose chosen option text is the same in every order",
    "moved: share of the answers that would have to change label to match the gold; chance: what noise alone stays under, 95 %",
    "p: answers and gold have the same distribution over labels (Stuart-Maxwell, robust to clusters) · A 80 for 25: A is "
    "answered 80 %, right 25 %",
]


def _orders_grid(bias: Bias) -> Grid:
    grid = _grid(f"{bias.label} on {bias.title}: score by order", "order", "score", "95 % interval", "items", "coverage")
    for name, e in bias.figures.by_order.items():
        grid.add_row(Text(name), percent(e.mean), _interval(e.low, e.high), str(e.n_items), percent(e.coverage))
    return grid


def _positions_grid(bias: Bias) -> Grid:
    f = bias.figures
    title = f"{bias.label} on {bias.title}: answers by label, {f.n_reordered} reordered items"
    if f.n_unread:
        title += f", {f.n_unread} read in fewer than two orders"
    if f.n_fixed:
        title += f", {f.n_fixed} items never reordered"
    grid = _grid(title, "label", "answered", "right", "excess", "95 % interval", "score where right", "95 % interval", "items")
    for p in f.positions:
        e = p.accuracy_when_gold
        grid.add_row(
            Text(p.label), percent(p.answered), percent(p.gold), f"{100 * p.excess:+.1f}",
            _interval(p.excess_low, p.excess_high), percent(e.mean), _interval(e.low, e.high), str(e.n_items),
        )  # fmt: skip
    return grid


def p_value(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"


# For machines ---------------------------------------------------------------------------------------------------------


def plain(ranking: Ranking) -> dict[str, Any]:
    """The ranking as plain values; shares and scores are fractions, missing figures null (with a reason beside them)."""
    return {
        "benchmarks": [
            {
                "benchmark": t.benchmark,
                "variant": t.variant,
                "part": t.part,
                "rows": [
                    {**_flat(row), "over_next": None if row.over_next is None else asdict(row.over_next)} for row in t.rows
                ],
                "notes": [*_marks(t), *t.notes],
            }
            for t in ranking.tables
        ],
        "overall": None
        if ranking.overall is None
        else {
            "benchmarks": ranking.overall.benchmarks,
            "missing": ranking.overall.missing,
            "rows": [{"model": label, "baseline": b, **asdict(s)} for label, b, s in ranking.overall.rows],
            "notes": ranking.overall.notes,
        },
        "order_bias": [{"model": b.label, "benchmark": b.title, **asdict(b.figures)} for b in ranking.bias],
        "notes": ranking.notes,
    }


def _flat(row: Row) -> dict[str, Any]:
    """One run's figures, one level deep: the columns of --csv."""
    run, s, m = row.run, row.score, row.run.manifest
    n = sum(run.outcomes.values())
    return {
        "rank": row.rank, "model": row.label, "baseline": run.is_baseline, "folder": str(run.folder), "status": m.status,
        "score": s.mean, "low": s.low, "high": s.high, "interval": s.method,
        "clearly_better_than_next": row.clearly_better, "p_next_holm": row.p_next,
        "items": s.n_items, "clusters": s.n_clusters, "items_scored": s.n_scored,
        "answers": run.n_answers, "coverage": s.coverage, "score_if_missing_wrong": s.worst, "score_if_missing_right": s.best,
        "orders": " ".join(run.orders), "rollouts": run.rollouts,
        **{f"share_{o}": run.outcomes.get(o, 0) / n for o in OUTCOMES},
        "chance": row.chance, "chance_from": row.chance_from,
        "cost_usd": None if run.cost_usd.missing else run.cost_usd.total,
        "cost_missing_because": why_missing("cost", run.cost_usd),
        **_token_columns("input", run.input_tokens), **_token_columns("output", run.output_tokens),
    }  # fmt: skip


def _token_columns(name: str, spent: Spent) -> dict[str, Any]:
    known = spent.known and not spent.missing
    return {
        f"{name}_tokens": spent.total if known else None,
        f"{name}_tokens_missing_because": why_missing("tokens", spent),
    }


def _lines(ranking: Ranking) -> Iterator[dict[str, Any]]:
    for t in ranking.tables:
        for row in t.rows:
            yield {"benchmark": t.benchmark, "variant": t.variant, "part": t.part, **_flat(row)}


def _write_csv(ranking: Ranking, path: str) -> None:
    def write(file: TextIO) -> None:
        lines = list(_lines(ranking))
        writer = csv.DictWriter(file, fieldnames=list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)

    if path == "-":
        write(sys.stdout)
        return
    try:
        with Path(path).open("w", newline="", encoding="utf-8") as file:
            write(file)
    except OSError as error:
        raise OsceError(f"cannot write {path}: {error.strerror}. Give --csv a file in a writable folder.") from error
