"""Peak memory of a whole exam of 200,000 items: `python bench/memory.py [--items N] [--markdown FILE]`.

The real command, in a process of its own, over JSON-lines rows in medmcqa's layout: with a baseline, once more (resuming), and with
the mock server over HTTP; then generated items, then ranking it all. Resident memory is read from /proc every tenth of a second and
shown at ten points of each run. Ends with 1 when a peak is over --limit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from processes import DIES_WITH_PARENT, HERE, end_on_sigterm, machine, mock_server, rss_mb
from tables import put

WORDS = (
    "patient", "fever", "pain", "chest", "cough", "sodium", "liver", "renal", "acute", "chronic", "therapy", "most", "likely", "cause",
    "sign", "test", "rises", "falls",
)  # fmt: skip
HEAD = "| what | items | peak MB | resident MB over the run | seconds |\n|--|--:|--:|--|--:|"


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


def watch(command: list[str], environment: dict[str, str], log: Path) -> tuple[float, list[float], float]:
    """(peak MB, resident MB at each tenth of a second, seconds) of a command that must succeed."""
    start = time.perf_counter()
    samples: list[float] = []
    peak = 0.0
    with log.open("w") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=output, preexec_fn=DIES_WITH_PARENT)
        try:
            while process.poll() is None:
                if found := rss_mb(process.pid):
                    samples.append(found[0])
                    peak = max(peak, found[1])
                time.sleep(0.1)
        finally:
            process.kill()
            process.wait()
    if process.returncode:
        raise SystemExit(f"failed: {' '.join(command)}\n{log.read_text()[-2000:]}")
    if not samples:
        raise SystemExit("no /proc here: this test needs Linux")
    return peak, samples, time.perf_counter() - start


def points(samples: list[float]) -> str:
    """Ten values, evenly spread, the last one included."""
    return " ".join(f"{samples[round(k * (len(samples) - 1) / 9)]:.0f}" for k in range(10))


def main() -> None:
    end_on_sigterm()
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--items", type=int, default=200_000)
    p.add_argument("--limit", type=float, default=300, metavar="MB")
    p.add_argument("--concurrency", type=int, default=256)
    p.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the table there, between <!-- memory:… --> where it has them"
    )
    args = p.parse_args()
    n, where = args.items, machine()
    osce = [sys.executable, "-m", "osce"]
    lines, over = [HEAD], []
    print(HEAD, flush=True)
    with tempfile.TemporaryDirectory() as temporary, mock_server(0) as url:
        folder = Path(temporary)
        data = folder / "data" / "medmcqa"
        data.mkdir(parents=True)
        write_rows(data / "dev.json", n)
        environment = {
            **os.environ,
            "OSCE_DATA": str(data.parent),
            "OSCE_CACHE": str(folder / "cache"),
            "OSCE_OFFLINE": "1",
            "PYTHONPATH": str(HERE / "runners"),
        }
        exam = [*osce, "exam", "medmcqa", "--quiet", "--json", "--out", str(folder / "runs")]
        baseline = [*exam, "--model", "baseline/random"]
        http = [*exam, "--model", "mock", "--base-url", url, "--concurrency", str(args.concurrency)]
        generated = [sys.executable, str(HERE / "runners" / "run_generated.py"), str(n), str(folder / "runs" / "generated")]
        cases = {
            "JSON-lines rows, baseline": baseline,
            "the same command again (resuming)": baseline,
            f"JSON-lines rows, over HTTP, {args.concurrency} at once": http,
            "generated items, baseline": generated,
            "`osce rank` of the three runs": [*osce, "rank", str(folder / "runs"), "--json"],
        }
        for what, command in cases.items():
            peak, samples, seconds = watch(command, environment, folder / "output.txt")
            lines.append(f"| {what} | {n:,} | {peak:.0f} | {points(samples)} | {seconds:.0f} |")
            print(lines[-1], flush=True)
            if peak > args.limit:
                over.append(f"{what}: {peak:.0f} MB")
    lines += [
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {where}. Limit: {args.limit:.0f} MB; {'over it: ' + '; '.join(over) if over else 'kept'}.",
    ]
    print(lines[-1])
    if args.markdown:
        put(args.markdown, "memory", "\n".join(lines))
    raise SystemExit(bool(over))


if __name__ == "__main__":
    main()
