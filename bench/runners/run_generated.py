"""A whole run over N generated items with a baseline, for bench/memory.py: `run_generated.py N OUT`."""

from __future__ import annotations

import sys
from pathlib import Path

import uvloop
from run_osce import Quiet

from osce.benchmarks import fresh_calc
from osce.exam import Cell, Options, Scope, run_cells
from osce.models import Baseline


async def main(n: int, out: Path) -> None:
    (dataset,) = fresh_calc.load("choice", size=n)
    (result,) = await run_cells([Cell(Baseline("random"), dataset, out, Scope())], Options(), Quiet())
    assert result.complete


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), Path(sys.argv[2])))
