"""How our calculators agree with MedCalc-Bench's ground truth: `python bench/calculators.py [--data DIR] [--markdown]`.

DIR holds medcalc/test_data.csv. For each calculator: rows, agreed (inside the row's limits, or equal for dates and ages), and every
disagreement by its row number.
"""

from __future__ import annotations

import argparse
import ast
import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from osce.calculators.medcalc import CALCULATORS, Value, evaluate


@dataclass
class Agreement:
    calculator_id: int
    name: str
    n: int = 0
    agreed: int = 0
    disagreements: list[tuple[int, str]] = field(default_factory=list)


def agrees(row: dict[str, str], ours: Value) -> bool:
    """Whether a value lies within the row's limits; a date or an age must be equal."""
    truth = row["Ground Truth Answer"]
    if isinstance(ours, date):
        return ours == datetime.strptime(truth, "%m/%d/%Y").date()  # noqa: DTZ007
    if isinstance(ours, tuple):
        weeks, days = ast.literal_eval(truth)
        return ours == (int(weeks.split()[0]), int(days.split()[0]))
    low, high = sorted((float(row["Lower Limit"]), float(row["Upper Limit"])))
    return low - 1e-9 <= ours <= high + 1e-9


def rows(data: Path) -> Iterator[dict[str, str]]:
    with (data / "medcalc" / "test_data.csv").open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def compare(data: Path) -> dict[int, Agreement]:
    found: dict[int, Agreement] = {}
    for row in rows(data):
        calculator = int(row["Calculator ID"])
        if calculator not in CALCULATORS:
            continue
        entry = found.setdefault(calculator, Agreement(calculator, row["Calculator Name"]))
        entry.n += 1
        number = int(row["Row Number"])
        try:
            ours = evaluate(calculator, ast.literal_eval(row["Relevant Entities"]))
        except (KeyError, ValueError, ZeroDivisionError) as error:
            entry.disagreements.append((number, f"not computable: {type(error).__name__} {error}"))
            continue
        if agrees(row, ours):
            entry.agreed += 1
        else:
            entry.disagreements.append((number, f"ours {ours}, theirs {row['Ground Truth Answer']}"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("OSCE_DATA", "../shared/data/text")))
    found = compare(parser.parse_args().data)
    print("| id | calculator | rows | agreed | disagreements (row: ours, theirs) |\n|--|--|--|--|--|")
    for key in sorted(found):
        a = found[key]
        print(f"| {key} | {a.name} | {a.n} | {a.agreed} | {'; '.join(f'{r}: {why}' for r, why in a.disagreements)} |")
    print(
        f"\n{len(found)} calculators, {sum(a.n for a in found.values())} rows, {sum(a.agreed for a in found.values())} agreed"
    )


if __name__ == "__main__":
    main()
