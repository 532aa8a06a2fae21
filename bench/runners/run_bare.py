"""The floor: an aiohttp loop that posts, parses and writes JSON lines. No grading, no retries."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import aiohttp
import uvloop
from items import make, prompt
from measure import Measure


async def main(url: str, n: int, concurrency: int, out: Path) -> None:
    items = make(n)
    with Measure() as measure:
        todo = iter(items)
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            with (out / "bare.jsonl").open("w") as file:

                async def worker() -> None:
                    for item in todo:
                        body = {"model": "mock", "messages": [{"role": "user", "content": prompt(item)}]}
                        async with session.post(f"{url}/chat/completions", json=body) as response:
                            reply = await response.json()
                        file.write(json.dumps({"id": item["id"], "text": reply["choices"][0]["message"]["content"]}) + "\n")

                await asyncio.gather(*(worker() for _ in range(concurrency)))
    measure.report(n, f"aiohttp {aiohttp.__version__}", len((out / "bare.jsonl").read_text().splitlines()), None)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])))
