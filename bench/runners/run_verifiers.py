"""verifiers 0.4, v1 interface: what `vf-eval` runs (`run_eval`), without its display and upload; traces on disk."""

from __future__ import annotations

import asyncio
import os
import sys
from importlib.metadata import version
from pathlib import Path

from measure import Measure

url, n, concurrency, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
os.environ.update(BENCH_ITEMS=str(n), MOCK_API_KEY="x", HOME=str(out), XDG_CACHE_HOME=str(out / "cache"))

import verifiers.v1 as vf  # noqa: E402
from verifiers.v1.cli.eval.runner import run_eval  # noqa: E402
from verifiers.v1.configs.cli.eval import EvalConfig  # noqa: E402
from verifiers_plugin import BenchHarness  # noqa: E402

config = EvalConfig.model_validate(
    {
        "env": {
            "taskset": {"id": "verifiers_plugin"},
            "agent": {"harness": {"id": "verifiers_plugin"}, "runtime": {"type": "subprocess"}},
        },
        "model": "mock",
        "client": {"type": "eval", "base_url": url, "api_key_var": "MOCK_API_KEY"},
        "max_concurrent": concurrency,
        "push": False,
        "rich": None,
        "output_dir": str(out),
        "run": {"name": "bench"},
    }
)


async def main() -> list[vf.Trace]:
    episodes = await run_eval(config)
    if BenchHarness.session_http is not None:
        await BenchHarness.session_http.close()
    return [trace for episode in episodes for trace in episode.traces]


with Measure() as measure:
    traces = asyncio.run(main())
scores = [trace.reward for trace in traces if trace.num_turns == 1 and not trace.errors]
measure.report(n, f"verifiers {version('verifiers')}", len(scores), sum(scores) / max(1, len(scores)))
