"""CPU per item of osce against other harnesses, on one mock server, in one run.

    python bench/harness.py                                     osce and the bare loop, all settings
    python bench/harness.py --python lm_eval=/venv/bin/python --python inspect=… --python verifiers=… --markdown table.md

Each harness runs in a process of its own with the Python given for it (default: this one), on the same items, and measures itself
from the first request until its results are on disk: imports are left out, logging and scoring are in. Harnesses take turns, so that
noise is shared; the median of the repeats is shown. A harness that is not installed, fails or runs over --cap is shown as such.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
HARNESSES = ("bare", "osce", "lm_eval", "verifiers", "inspect")


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def start_server(latency_ms: float) -> tuple[subprocess.Popen[str], str]:
    port = free_port()
    command = [sys.executable, str(HERE / "mock_server.py"), str(port), str(latency_ms)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    assert server.stdout.readline().strip() == "ready"
    return server, f"http://127.0.0.1:{port}/v1"


def measure(harness: str, python: str, url: str, n: int, concurrency: int, cap_s: float) -> dict[str, Any]:
    """One measurement, or {"reason": …}."""
    with tempfile.TemporaryDirectory() as out:
        command = [python, str(HERE / "runners" / f"run_{harness}.py"), url, str(n), str(concurrency), out]
        environment = {**os.environ, "PYTHONPATH": str(HERE / "runners")}
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=cap_s, env=environment, check=False)
        except subprocess.TimeoutExpired:
            return {"reason": f"over {cap_s:.0f} s"}
        except OSError as error:
            return {"reason": f"not installed ({error.strerror})"}
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["?"]
            return {"reason": "not installed" if "ModuleNotFoundError" in last[0] else f"failed: {last[0][:120]}"}
        found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        if found["answered"] != n:
            return {"reason": f"answered {found['answered']} of {n}"}
        return found


def summarise(runs: list[dict[str, Any]]) -> dict[str, Any]:
    good = [r for r in runs if "reason" not in r]
    if not good:
        return runs[0]
    per_item = [r["cpu_s"] / r["n"] * 1000 for r in good]
    return {
        "cpu_ms": statistics.median(per_item),
        "cpu_ms_min": min(per_item),
        "items_per_s": statistics.median(r["n"] / r["wall_s"] for r in good),
        "rss_mb": max(r["rss_mb"] for r in good),
        "version": good[0]["version"],
        "repeats": len(good),
    }


def row(cell: tuple[int, int, float], harness: str, found: dict[str, Any]) -> str:
    n, concurrency, latency = cell
    if "reason" in found:
        return f"| {n:,} | {concurrency} | {latency:g} | {harness} | {found['reason']} | | | |"
    return (
        f"| {n:,} | {concurrency} | {latency:g} | {found['version']} | {found['cpu_ms']:.2f} | {found['cpu_ms_min']:.2f} | "
        f"{found['items_per_s']:,.0f} | {found['rss_mb']:.0f} |"
    )


HEAD = "| items | at once | latency ms | harness | CPU ms/item | least | items/s | peak MB |\n|--|--|--|--|--|--|--|--|"


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--items", type=numbers, default=[2000, 20000])
    p.add_argument("--concurrency", type=numbers, default=[64, 256])
    p.add_argument("--latency", type=numbers, default=[0, 50], help="ms")
    p.add_argument("--harness", default=",".join(HARNESSES))
    p.add_argument("--python", action="append", default=[], metavar="HARNESS=PYTHON")
    p.add_argument("--repeats", type=int, default=3)
    p.add_argument("--cap", type=float, default=120, metavar="S", help="seconds for one measurement")
    p.add_argument("--slow-items", type=int, default=2000, help="most items for harnesses other than bare and osce")
    p.add_argument("--markdown", type=Path)
    args = p.parse_args()
    pythons = dict(each.split("=", 1) for each in args.python)
    lines = [HEAD]
    print(HEAD)
    for n, latency, concurrency in itertools.product(args.items, args.latency, args.concurrency):
        chosen = [h for h in args.harness.split(",") if h in ("bare", "osce") or n <= args.slow_items]
        server, url = start_server(latency)
        try:
            found: dict[str, list[dict[str, Any]]] = {h: [] for h in chosen}
            for turn, harness in itertools.product(range(args.repeats), chosen):
                if turn and harness not in ("bare", "osce"):
                    continue  # tens of times slower: once is enough to tell
                found[harness].append(measure(harness, pythons.get(harness, sys.executable), url, n, concurrency, args.cap))
        finally:
            server.kill()
            server.wait()
        for harness, runs in found.items():
            lines.append(row((n, concurrency, latency), harness, summarise(runs)))
            print(lines[-1], flush=True)
    if args.markdown:
        args.markdown.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
