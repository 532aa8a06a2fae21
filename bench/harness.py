"""CPU per item of osce against other harnesses, on one mock server, in one run.

    python bench/harness.py                                          osce and the bare loop, all settings
    python bench/harness.py --python lm-eval=/venv/bin/python --python verifiers=… --python inspect=… --markdown docs/performance.md

Each harness runs in a process of its own with the Python given for it (default: this one), on the same items, and measures itself
from just before the first request until its results are on disk: imports are left out, logging and scoring are in. Harnesses take
turns, so that noise is shared; medians of the turns are shown, and the least. A harness that is not installed, fails, is too slow
for --cap or grades wrongly is shown as such. bench/README.md tells how to make the environments.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil
from pathlib import Path
from typing import Any

from processes import DIES_WITH_PARENT, HERE, end_on_sigterm, machine, mock_server
from tables import put

HARNESSES = ("bare", "osce", "lm-eval", "verifiers", "inspect")
QUICK = ("bare", "osce")
IMPORTS_S = 45
"""Allowed for imports and for writing the results' last bytes, on top of --cap."""
Found = dict[str, Any]


@dataclass(frozen=True)
class Setting:
    items: int
    latency_ms: int
    concurrency: int


@dataclass
class Bench:
    pythons: dict[str, str]
    cap_s: float
    slow_items: int
    rates: dict[str, float] = field(default_factory=dict)
    """Items per second of each harness in the last setting measured: what tells whether a larger one fits in the cap."""

    def refusal(self, harness: str, n: int) -> str:
        """Why not to measure at all; "" = measure."""
        if harness not in QUICK and n > self.slow_items:
            return f"not run: more than --slow-items {self.slow_items:,}"
        expected = n / self.rates[harness] if harness in self.rates else 0.0
        return (
            f"not run: would take about {expected:.0f} s, more than --cap {self.cap_s:.0f} s" if expected > self.cap_s else ""
        )

    def measure(self, harness: str, url: str, setting: Setting) -> Found:
        """One measurement in a process of its own, or {"reason": …}."""
        n = setting.items
        name = harness.replace("-", "_")
        with tempfile.TemporaryDirectory() as out:
            command = [self.pythons.get(harness, sys.executable), str(HERE / "runners" / f"run_{name}.py")]
            try:
                done = subprocess.run(
                    [*command, url, str(n), str(setting.concurrency), out],
                    capture_output=True,
                    text=True,
                    timeout=self.cap_s + IMPORTS_S,
                    env={**os.environ, "PYTHONPATH": str(HERE / "runners")},
                    preexec_fn=DIES_WITH_PARENT,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return {"reason": f"not ended after {self.cap_s + IMPORTS_S:.0f} s (--cap {self.cap_s:.0f} and imports)"}
            except OSError as error:
                return {"reason": f"not installed ({command[0]}: {error.strerror})"}
        if done.returncode:
            return {"reason": _failure(done.stderr)}
        found: Found = json.loads(done.stdout.strip().splitlines()[-1])
        self.rates[harness] = n / found["wall_s"]
        if found["answered"] != n:
            return {"reason": f"answered {found['answered']} of {n}"}
        if found["score"] is not None and abs(found["score"] - ceil(n / 4) / n) > 1e-9:
            return {"reason": f"graded wrongly: mean score {found['score']:.4f}"}
        return found

    def cell(self, setting: Setting, harnesses: list[str], repeats: int) -> dict[str, list[Found]]:
        """All measurements of one setting, in turns on one server; a harness that used up the cap takes no further turn."""
        found: dict[str, list[Found]] = {}
        for harness in harnesses:
            reason = self.refusal(harness, setting.items)
            found[harness] = [{"reason": reason}] if reason else []
        with mock_server(setting.latency_ms) as url:
            for turn, harness in itertools.product(range(repeats), harnesses):
                runs = found[harness]
                spent = sum(run.get("wall_s", 0.0) for run in runs)
                share = self.cap_s if harness in QUICK else self.cap_s / 4
                if any("reason" in run for run in runs) or (turn and spent * (turn + 1) / turn > share):
                    continue
                runs.append(self.measure(harness, url, setting))
        return found


def _failure(stderr: str) -> str:
    last = stderr.strip().splitlines()[-1:] or ["no message"]
    if last[0].startswith("ModuleNotFoundError"):
        return f"not installed ({last[0].removeprefix('ModuleNotFoundError: ')})"
    return f"failed: {last[0][:160]}"


def summary(setting: Setting, harness: str, runs: list[Found]) -> Found:
    head = {"items": setting.items, "concurrency": setting.concurrency, "latency_ms": setting.latency_ms, "harness": harness}
    good = [r for r in runs if "reason" not in r]
    reasons = [r["reason"] for r in runs if "reason" in r]
    if not good:
        return {**head, "reason": reasons[0]}
    cpu_ms = [r["cpu_s"] / r["n"] * 1000 for r in good]
    return {
        **head,
        "version": good[0]["version"],
        "turns": len(good),
        "cpu_ms": statistics.median(cpu_ms),
        "cpu_ms_min": min(cpu_ms),
        "items_per_s": statistics.median(r["n"] / r["wall_s"] for r in good),
        "items_per_s_max": max(r["n"] / r["wall_s"] for r in good),
        "rss_mb": max(r["rss_mb"] for r in good),
        "trouble": reasons,
    }


HEAD = (
    "| items | at once | latency ms | harness | CPU ms/item (least) | items/s (most) | of the bare rate | peak MB | turns |\n"
    "|--:|--:|--:|--|--:|--:|--:|--:|--:|"
)


def row(cell: Found, bare: Found | None) -> str:
    head = f"| {cell['items']:,} | {cell['concurrency']} | {cell['latency_ms']} "
    if "reason" in cell:
        return f"{head}| {cell['harness']} | {cell['reason']} | | | | |"
    rate = "" if bare is None or "reason" in bare else f"{cell['items_per_s'] / bare['items_per_s']:.2f}"
    name = cell["version"].replace("_", "-") if cell["harness"] != "bare" else f"bare ({cell['version']})"
    trouble = f" ({'; '.join(cell['trouble'])})" if cell["trouble"] else ""
    return (
        f"{head}| {name}{trouble} | {cell['cpu_ms']:.2f} ({cell['cpu_ms_min']:.2f}) | {cell['items_per_s']:,.0f} "
        f"({cell['items_per_s_max']:,.0f}) | {rate} | {cell['rss_mb']:.0f} | {cell['turns']} |"
    )


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--items", type=numbers, default=[2000, 20000], metavar="N,N")
    p.add_argument("--concurrency", type=numbers, default=[64, 256], metavar="N,N")
    p.add_argument("--latency", type=numbers, default=[0, 50], metavar="MS,MS", help="of the server, ms")
    p.add_argument("--harness", default=",".join(HARNESSES), metavar="NAME,NAME", help=f"of {', '.join(HARNESSES)}")
    p.add_argument("--python", action="append", default=[], metavar="HARNESS=PYTHON")
    p.add_argument("--repeats", type=int, default=3, metavar="N", help="turns of each harness; slow ones take fewer, see --cap")
    p.add_argument(
        "--cap", type=float, default=60, metavar="S",
        help="seconds of one setting for a harness; what does not fit is not run (slow harnesses: more turns only within a quarter)",
    )  # fmt: skip
    p.add_argument(
        "--slow-items", type=int, default=2000, metavar="N", help="most items for harnesses other than bare and osce"
    )
    p.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the table there, between <!-- harness:… --> where it has them"
    )
    p.add_argument("--json", type=Path, metavar="FILE")
    return p


def main() -> None:
    end_on_sigterm()
    p = parser()
    args = p.parse_args()
    harnesses = args.harness.replace("_", "-").split(",")
    if unknown := [h for h in harnesses if h not in HARNESSES]:
        p.error(f"unknown harness {', '.join(unknown)}: of {', '.join(HARNESSES)}")
    if bad := [each for each in args.python if each.partition("=")[0].replace("_", "-") not in HARNESSES]:
        p.error(f"--python {bad[0]}: say HARNESS=PYTHON with a harness of {', '.join(HARNESSES)}")
    pythons = {name.replace("_", "-"): path for name, _, path in (each.partition("=") for each in args.python)}
    bench = Bench(pythons, args.cap, args.slow_items)
    start, where = time.monotonic(), machine()
    cells: list[Found] = []
    lines = [HEAD]
    print(HEAD, flush=True)
    for n, latency, concurrency in itertools.product(sorted(args.items), args.latency, args.concurrency):
        setting = Setting(n, latency, concurrency)
        found = [summary(setting, h, runs) for h, runs in bench.cell(setting, harnesses, args.repeats).items()]
        bare = next((cell for cell in found if cell["harness"] == "bare"), None)
        cells += found
        lines += [row(cell, bare) for cell in found]
        print("\n".join(lines[-len(found) :]), flush=True)
    took = f"{datetime.now(UTC):%Y-%m-%d}, {where}; the whole run took {(time.monotonic() - start) / 60:.1f} minutes."
    print(took)
    if args.markdown:
        put(args.markdown, "harness", "\n".join([*lines, "", took]))
    if args.json:
        args.json.write_text(json.dumps({"machine": where, "cells": cells}, indent=1) + "\n")


if __name__ == "__main__":
    main()
