"""`osce exam`: run models over benchmarks."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any, get_args

from osce.benchmarks.base import AnswerFormat, Dataset
from osce.cli._progress import Display
from osce.cli._table import print_results
from osce.core.errors import OsceError
from osce.core.replies import Chat, ReasoningEffort, Sampling
from osce.exam import Cell, CellResult, Options, Scope, run_cells
from osce.exam.plan import folder_for, parse_orders

EPILOG = """\
examples
  osce exam fresh_calc --model local/smollm2 --model baseline/random --limit 100
  osce exam medqa pubmedqa --model openai/gpt-5-mini --limit 200 --max-cost 2
  osce exam --suite first-ten --model vllm/Qwen/Qwen3-8B --base-url http://node7:8000/v1 --concurrency 256
  osce exam medbullets:op5 --model anthropic/claude-sonnet-4-5 --orders natural,1618,9331 --rollouts 3

The same command run again goes on where it stopped (Ctrl-C, SIGTERM, kill -9): nothing is asked twice.
More items, orders or rollouts may be asked for later; other settings need another --out.
"""


def add(sub: Any) -> None:
    p = sub.add_parser(
        "exam",
        help="run models over benchmarks",
        description="Run one or more models over benchmarks. Answers are graded and written as they come.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = p.add_argument_group("what")
    what.add_argument("benchmarks", nargs="*", metavar="BENCHMARK", help="name or name:variant (see `osce list`)")
    what.add_argument("--suite", help="a named set of benchmarks instead of, or beside, names (see `osce list`)")
    what.add_argument("--model", action="append", required=True, metavar="M",
                      help="provider/name, local/smollm2, local/FILE.gguf or baseline/NAME; may be given several times")  # fmt: skip
    what.add_argument("--limit", type=_positive, metavar="N", help="at most N items of each benchmark: a fixed sample, the "
                      "same one every time, and a part of every larger one")  # fmt: skip
    what.add_argument("--orders", default="natural", help="option orders: natural and seeds, e.g. natural,1618,9331")
    what.add_argument("--rollouts", type=_positive, default=1, metavar="K", help="answers per item and order (default 1)")
    what.add_argument("--seed", type=int, metavar="S", help="seed of generated benchmarks (fresh_calc)")
    what.add_argument("--data-dir", type=Path, metavar="DIR", help="benchmarks' files lie in DIR/<benchmark>/ (or OSCE_DATA)")
    how = p.add_argument_group("how the model answers")
    how.add_argument("--format", default="paper", choices=get_args(AnswerFormat),
                     help="how the answer is asked for; paper = as the reference suite does for each benchmark")  # fmt: skip
    how.add_argument("--temperature", type=float, metavar="T", help="default: the provider's")
    how.add_argument("--top-p", type=float, metavar="P")
    how.add_argument("--max-tokens", type=_positive, metavar="N", help="token limit of an answer, reasoning included")
    how.add_argument("--sampling-seed", type=int, metavar="S", help="sent to the provider; rollout k sends S+k")
    how.add_argument("--reasoning-effort", choices=get_args(ReasoningEffort))
    where = p.add_argument_group("where the model is")
    where.add_argument("--base-url", metavar="URL", help="any OpenAI-compatible server, e.g. http://127.0.0.1:8000/v1")
    where.add_argument("--api-key-env", metavar="VAR", help="environment variable that holds the key")
    run_ = p.add_argument_group("running")
    run_.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR", help="run folders go here (default: runs)")
    run_.add_argument("--concurrency", type=_positive, metavar="N", help="requests at once (default 32; local models: 4)")
    run_.add_argument("--rpm", type=_positive, metavar="N", help="at most N requests a minute")
    run_.add_argument("--tpm", type=_positive, metavar="N", help="at most N tokens a minute")
    run_.add_argument("--timeout", type=float, default=600.0, metavar="S", help="seconds for one request (default 600)")
    run_.add_argument("--retries", type=int, default=8, metavar="N", help="tries after the first one (default 8)")
    run_.add_argument("--max-cost", type=float, metavar="USD", help="stop when this start has spent so much")
    run_.add_argument("--cache", type=Path, metavar="DIR", help="keep replies here and never pay for the same request twice")
    run_.add_argument("--json", action="store_true", help="results as JSON on standard output")
    run_.add_argument("--quiet", action="store_true", help="no progress display")
    p.set_defaults(run=run)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def run(args: argparse.Namespace) -> int:
    from osce.benchmarks import load
    from osce.benchmarks.suites import SUITES, suite

    specs = list(args.benchmarks) + (list(suite(args.suite)) if args.suite else [])
    if not specs:
        raise OsceError(f"name a benchmark, or a suite with --suite (one of: {', '.join(SUITES)}). `osce list` shows them all.")
    parse_orders(args.orders)
    datasets = [d for spec in dict.fromkeys(specs) for d in load(spec, data_dir=args.data_dir, seed=args.seed)]
    results, interrupted = asyncio.run(_run_all(args, datasets)) if sys.platform == "win32" else _with_uvloop(args, datasets)
    if args.json:
        print(json.dumps([_plain(r) for r in results], indent=1))
    else:
        print_results([r.cell.folder for r in results])
    if interrupted:
        return 130
    return 0 if all(r.complete for r in results) else 1


def _with_uvloop(args: argparse.Namespace, datasets: list[Dataset]) -> tuple[list[CellResult], bool]:
    import uvloop

    return uvloop.run(_run_all(args, datasets))


async def _run_all(args: argparse.Namespace, datasets: list[Dataset]) -> tuple[list[CellResult], bool]:
    from osce.models import open_model
    from osce.models.baselines import Baseline

    results: list[CellResult] = []
    display = Display(quiet=args.quiet)
    for spec in dict.fromkeys(args.model):
        raise NotImplementedError(spec, open_model, Baseline, Chat, Cell, Options, Scope, run_cells, folder_for, Sampling)
    return results, display.interrupted


def _plain(result: CellResult) -> dict[str, Any]:
    manifest = result.manifest
    return {
        "model": manifest.model,
        "benchmark": manifest.benchmark,
        "variant": manifest.variant,
        "folder": str(result.cell.folder),
        "status": manifest.status,
        "skipped_rows": manifest.skipped_count,
        **(manifest.summary or {}),
    }
