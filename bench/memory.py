"""Peak memory of a whole exam of 200,000 items: `python bench/memory.py [--items N]`.

A baseline over JSON-lines rows in medmcqa's layout, then the same over generated items, each by the real command in a process of its
own. Target: 300 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

WORDS = (
    "patient fever pain chest cough sodium liver renal acute chronic therapy most likely cause sign test rises falls"
).split()  # noqa: SIM905


def write_rows(path: Path, n: int) -> None:
    rng = Random(1)
    with path.open("w") as file:
        for number in range(n):
            row = {
                "question": f"{number} " + " ".join(rng.choices(WORDS, k=30)),
                "exp": " ".join(rng.choices(WORDS, k=40)),
                "cop": number % 4 + 1,
                **{f"op{x}": f"{x} " + " ".join(rng.choices(WORDS, k=4)) for x in "abcd"},
                "subject_name": "Medicine",
                "topic_name": None,
                "id": f"row-{number}",
                "choice_type": "single",
            }
            file.write(json.dumps(row) + "\n")


def peak(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """(peak MB, seconds) of a command that must succeed."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"failed: {' '.join(command)}")
    return usage.ru_maxrss / 1024, time.perf_counter() - start


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--items", type=int, default=200_000)
    n = p.parse_args().items
    print("| what | items | peak MB | seconds |\n|--|--|--|--|")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data" / "medmcqa"
        data.mkdir(parents=True)
        write_rows(data / "dev.json", n)
        environment = {**os.environ, "OSCE_DATA": str(data.parent), "OSCE_CACHE": f"{folder}/cache", "OSCE_OFFLINE": "1"}
        run = [sys.executable, "-m", "osce", "exam", "medmcqa", "--model", "baseline/random", "--quiet", "--json"]
        mb, seconds = peak([*run, "--out", f"{folder}/runs"], environment)
        print(f"| a whole run, JSON-lines rows | {n:,} | {mb:.0f} | {seconds:.0f} |", flush=True)
        mb, seconds = peak([*run, "--out", f"{folder}/runs"], environment)
        print(f"| the same command again (resuming) | {n:,} | {mb:.0f} | {seconds:.0f} |", flush=True)
        mb, seconds = peak([sys.executable, "-m", "osce", "rank", f"{folder}/runs", "--json"], environment)
        print(f"| ranking it | {n:,} | {mb:.0f} | {seconds:.0f} |")


if __name__ == "__main__":
    main()
