"""MedCalc-Bench's own grades of a model's answers, reproduced row by row."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from osce.answers import read_date, read_weeks_days
from osce.core.items import CalendarDate, Item, Number, Target, WeeksDays
from osce.core.replies import Reply
from osce.grading import grade

DATES = ("13", "68")
GESTATIONAL_AGE = "69"


def target(row: dict[str, str]) -> Target:
    gold = row["Ground Truth Answer"]
    if row["Calculator ID"] in DATES:
        day = read_date(gold).value
        assert day is not None
        return CalendarDate(day)
    if row["Calculator ID"] == GESTATIONAL_AGE:
        age = read_weeks_days(gold).value
        assert age is not None
        weeks, days = age.split(",")
        return WeeksDays(int(weeks), int(days))
    if row["Output Type"] == "integer":
        return Number(value=float(gold), lower=float(gold), upper=float(gold), integer=True)
    return Number(value=float(gold), lower=float(row["Lower Limit"]), upper=float(row["Upper Limit"]))


@pytest.mark.realdata
def test_official_grades(real_data: Path) -> None:
    table = pl.read_csv(real_data / "text" / "medcalc" / "test_data.csv", infer_schema_length=0)
    rows = {(row["Calculator ID"], row["Note ID"]): row for row in table.iter_rows(named=True)}
    path = real_data / "model_outputs" / "medcalc_bench" / "gpt-4o-mini_direct_answer.jsonl"
    apart = []
    graded = 0
    for line in path.read_text().splitlines():
        given = json.loads(line)
        row = rows.get((str(given["Calculator ID"]), str(given["Note ID"])))
        if row is None:
            continue  # held out: its limits are not here
        grade_of = grade(Reply(text=str(given["LLM Answer"])), Item(id="q", question="?", target=target(row)))
        graded += 1
        if (grade_of.score == 1.0) != (given["Result"] == "Correct"):
            apart.append((given["LLM Answer"], row["Ground Truth Answer"], given["Result"], grade_of.answer))
    assert graded >= 900
    assert not apart
