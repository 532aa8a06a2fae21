"""osce as its command line runs it: prompts, requests, reading, grading, ledger, Parquet and summary."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import uvloop
from items import make
from measure import Measure

import osce
from osce.benchmarks.base import Dataset
from osce.benchmarks.prompts import Paper, prompter
from osce.core.items import Choice, Item
from osce.exam import Cell, Options, Scope, run_cells
from osce.exam.tally import Tally
from osce.grading import grade
from osce.models import Limits, open_model


class Items(Sequence[Item]):
    def __init__(self, rows: list[dict[str, str]]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        row = self.rows[index]
        return Item(
            id=row["id"], question=row["question"], options={k: row[k] for k in "ABCD"}, target=Choice((row["answer"],))
        )


class Quiet:
    def started(self, cell: Cell, tally: Tally, planned: int) -> None: ...
    def note(self, text: str) -> None: ...
    def ended(self, cell: Cell) -> None: ...
    def stopped(self, reason: str) -> None: ...


async def main(url: str, n: int, concurrency: int, out: Path) -> None:
    dataset = Dataset(
        benchmark="bench", variant="", items=Items(make(n)), messages=prompter(Paper(format="xml", where="user")), grade=grade,
        version="1", source={},
    )  # fmt: skip
    with Measure() as measure:
        model = open_model("mock", base_url=url, limits=Limits())
        cell = Cell(model, dataset, out / "run", Scope())
        (result,) = await run_cells([cell], Options(concurrency=concurrency, price=lambda _m, _r: 0.0), Quiet())
        await model.close()
    summary = result.manifest.summary
    assert summary is not None
    assert (cell.folder / "records").is_dir(), "no Parquet"
    measure.report(n, f"osce {osce.__version__}", summary["scored"], summary["score"])


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])))
