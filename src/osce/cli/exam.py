"""`osce exam`: run models over benchmarks."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from osce.benchmarks.base import AnswerFormat, Dataset
from osce.cli._progress import Display
from osce.cli._ranking import rank
from osce.cli.rank import show
from osce.core.errors import OsceError
from osce.core.replies import Chat, ReasoningEffort, Sampling
from osce.exam import Cell, CellResult, Options, Scope, run_cells
from osce.exam.cache import ReplyCache
from osce.exam.plan import folder_for, parse_orders
from osce.models import Baseline, Limits, open_model
from osce.models.prices import PriceTable
from osce.models.prices import load as load_prices

CONCURRENCY = 32
LOCAL_CONCURRENCY = 4
LOCAL_MAX_TOKENS = 512

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
    how.add_argument("--temperature", type=float, metavar="T", help="default: the provider's (local models: 0)")
    how.add_argument("--top-p", type=float, metavar="P")
    how.add_argument(
        "--max-tokens", type=_positive, metavar="N", help="token limit of an answer, reasoning included (local models: 512)"
    )
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
    scope = Scope(limit=args.limit, orders=parse_orders(args.orders), rollouts=args.rollouts)
    datasets = [d for spec in dict.fromkeys(specs) for d in load(spec, data_dir=args.data_dir, seed=args.seed)]
    prices = load_prices()
    for spec in args.model:
        if args.max_cost is not None and not prices.knows(spec):
            raise OsceError(
                f"--max-cost cannot bound {spec}: its price is not known. Give it in a file named by OSCE_PRICES (see docs/models.md)."
            )
    session = _Session(args, scope, datasets, prices, Display(quiet=args.quiet))
    with session.display:
        runner(session.run())
    if args.json:
        print(json.dumps([_plain(r) for r in session.results], indent=1))
    elif session.results:
        show(rank([r.cell.folder for r in session.results]))
    if session.display.interrupted:
        return 130
    return 0 if session.results and all(r.complete for r in session.results) else 1


@dataclass
class _Session:
    """One call of the verb: models one after another, each on all datasets. `results` holds what is there even when it ends early."""

    args: argparse.Namespace
    scope: Scope
    datasets: list[Dataset]
    prices: PriceTable
    display: Display
    results: list[CellResult] = field(default_factory=list)

    async def run(self) -> None:
        for spec in dict.fromkeys(self.args.model):
            if self.display.interrupted:
                return
            await self._run_model(spec)

    async def _run_model(self, spec: str) -> None:
        args = self.args
        limits = Limits(requests_per_minute=args.rpm, tokens_per_minute=args.tpm, retries=args.retries, timeout_s=args.timeout)
        model = open_model(spec, base_url=args.base_url, api_key_env=args.api_key_env, limits=limits)
        cache = ReplyCache(args.cache) if args.cache is not None and not isinstance(model, Baseline) else None
        try:
            cells = [
                Cell(_fitted(model, d), d, folder_for(args.out, model.name, d), self.scope, args.format, _sampling(args, spec))
                for d in self.datasets
            ]
            options = Options(
                concurrency=args.concurrency or (LOCAL_CONCURRENCY if spec.startswith("local/") else CONCURRENCY),
                max_cost_usd=args.max_cost,
                cache=cache,
                price=lambda m, reply: self.prices.cost_usd(m.name, reply.usage),
            )
            self.results += await run_cells(cells, options, self.display)
            for note in getattr(model, "notes", ()):  # sampling fields that the model refused and that were left out
                self.display.note(f"{model.name}: {note}")
        finally:
            if cache is not None:
                cache.close()
            if not isinstance(model, Baseline):
                await model.close()


def _fitted(model: Chat | Baseline, dataset: Dataset) -> Chat | Baseline:
    """The majority baseline learns from the train split of each dataset."""
    if isinstance(model, Baseline) and model.kind == "majority":
        fitted = Baseline("majority")
        if dataset.train is not None:
            fitted.fit(dataset.train())
        return fitted
    return model


def _sampling(args: argparse.Namespace, spec: str) -> Sampling:
    """What was asked for. A local model gets bounds where nothing was said: small models like to go on for ever."""
    local = spec.startswith("local/")
    return Sampling(
        temperature=0.0 if local and args.temperature is None else args.temperature,
        top_p=args.top_p,
        max_tokens=LOCAL_MAX_TOKENS if local and args.max_tokens is None else args.max_tokens,
        seed=args.sampling_seed,
        reasoning_effort=args.reasoning_effort,
    )


def runner(main: Coroutine[Any, Any, None]) -> None:
    """Run on uvloop where there is one: the hot path is twice as quick on it."""
    if sys.platform == "win32":
        asyncio.run(main)
        return
    import uvloop

    uvloop.run(main)


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
