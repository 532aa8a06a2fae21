"""The items as a verifiers 0.4 taskset, with a harness that makes its one model call inside the process.

verifiers starts a program for every rollout unless a harness calls the interception server itself, which `Harness.launch` allows
expressly. That is the cheapest way its interface offers; a program per rollout would cost hundreds of milliseconds more.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import aiohttp
import verifiers.v1 as vf
from items import make, prompt

__all__ = ["BenchHarness", "BenchTaskset"]
ANSWER = re.compile(r"<answer>([A-D])</answer>")


class BenchData(vf.TaskData):
    answer: str


class BenchTask(vf.Task[BenchData, vf.State, vf.TaskConfig]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        replies = trace.assistant_messages
        found = ANSWER.search(str(replies[-1].content)) if replies else None
        return float(found is not None and found[1] == self.data.answer)


class BenchTaskset(vf.Taskset[BenchTask, vf.TasksetConfig]):
    def load(self) -> Iterator[BenchTask]:
        for item in make(int(os.environ["BENCH_ITEMS"])):
            yield BenchTask(BenchData(id=item["id"], prompt=prompt(item), answer=item["answer"]), self.config.task)


class BenchHarness(vf.Harness[vf.HarnessConfig]):
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False
    session_http: aiohttp.ClientSession | None = None

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):  # type: ignore[no-untyped-def]
        if BenchHarness.session_http is None:  # one for all rollouts: run_verifiers.py closes it
            BenchHarness.session_http = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        body = {"model": ctx.model, "messages": [{"role": "user", "content": data.prompt}]}
        headers = {"Authorization": f"Bearer {secret}"}
        async with self.session_http.post(f"{endpoint}/chat/completions", json=body, headers=headers) as response:
            text = await response.text()
        return vf.ProgramResult(exit_code=0 if response.status == 200 else 1, stdout="", stderr=text[-300:])
