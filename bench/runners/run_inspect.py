"""Inspect AI with its OpenAI-compatible provider, a multiple-choice question as a generate task, logs on disk."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version

from items import make, prompt
from measure import Measure

url, n, concurrency, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
os.environ["MOCK_API_KEY"], os.environ["MOCK_BASE_URL"] = "x", url

from inspect_ai import Task, eval  # noqa: E402
from inspect_ai.dataset import MemoryDataset, Sample  # noqa: E402
from inspect_ai.scorer import answer  # noqa: E402
from inspect_ai.solver import generate  # noqa: E402

samples = [Sample(input=prompt(item), target=item["answer"], id=item["id"]) for item in make(n)]
task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=answer("letter"))
with Measure() as measure:
    (log,) = eval(
        task, model="openai-api/mock/mock", max_connections=concurrency, max_samples=concurrency, max_tasks=1, log_dir=out,
        display="none", log_realtime=False,
    )  # fmt: skip
right = [next(iter(s.scores.values())).value == "C" for s in log.samples or [] if s.scores]
measure.report(n, f"inspect_ai {version('inspect_ai')}", len(right), sum(right) / max(1, len(right)))
