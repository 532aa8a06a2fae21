"""200,000 rows cost no memory: the process stays small while every item is built once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROWS = 200_000
LIMIT_MB = 150

SCRIPT = """
import resource, sys
from pathlib import Path
import polars  # its own size is not the reader's
from osce.benchmarks import load
def rss_mb(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
before = rss_mb()
(dataset,) = load("medmcqa:train", data_dir=Path(sys.argv[1]))
characters = sum(len(item.question) for item in dataset.items)
assert dataset.by_id("row-150000").id == "row-150000"
print(len(dataset.items), characters, rss_mb() - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize("container", ["JSON lines", "Parquet", "Parquet in one row group"])
def test_memory_stays_flat(tmp_path: Path, container: str) -> None:
    folder = tmp_path / "medmcqa"
    folder.mkdir()
    options = {f"op{x}": f"option {x} " + "of some length " * 3 for x in "abcd"}
    filler = " ".join(f"word{i}" for i in range(40))
    rows = (
        {"id": f"row-{i}", "question": f"{i}: {filler}?", **options, "cop": 1 + i % 4, "exp": filler * 2} for i in range(ROWS)
    )
    if container == "JSON lines":
        with (folder / "train.json").open("w") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    else:
        import polars as pl

        size = 1000 if container == "Parquet" else ROWS
        pl.DataFrame(rows).write_parquet(folder / "train.parquet", row_group_size=size)
    env = {**os.environ, "OSCE_OFFLINE": "1", "OSCE_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path)], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    items, _, grown_mb = done.stdout.split()
    assert int(items) == ROWS
    assert float(grown_mb) < LIMIT_MB, f"{container}: the process grew by {grown_mb} MB"
