"""Against MedCalc-Bench's real rows: full agreement but for rows whose ground truth is at fault, each with its reason."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from osce.calculators.medcalc import CALCULATORS, evaluate

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from calculators import compare

# Row number -> what is wrong with the published value (version 1.0).
KAPPA = "for men the low-creatinine branch divides by 0.7; the equation has 0.9"
ROUNDED = "the conversion from mmol/L was rounded to one or two figures on the way"
SIGN = "the text says to subtract the days of a short cycle, the value adds them (and the reverse)"
NO_CYCLE = "the cycle length is given but not used"
THEIR_FAULTS: dict[int, dict[int, str]] = {
    3: dict.fromkeys((23, 25), KAPPA),
    7: dict.fromkeys((114, 117), ROUNDED),
    44: dict.fromkeys((513, 521), ROUNDED),
    13: dict.fromkeys((928, 929, 931, 932, 935, 936, 937, 940, 943, 944, 945, 946, 947), SIGN),
    68: dict.fromkeys(
        (1008, 1009, 1010, 1012, 1013, 1014, 1015, 1016, 1017, 1018, 1019, 1021, 1022, 1023, 1024, 1025, 1026, 1027), NO_CYCLE
    ),
}


@pytest.mark.realdata
def test_every_row_agrees_or_is_explained(real_data: Path) -> None:
    found = compare(real_data / "text")
    assert found.keys() == CALCULATORS.keys()
    assert len(found) >= 25
    for calculator, agreement in found.items():
        explained = THEIR_FAULTS.get(calculator, {})
        assert {row for row, _ in agreement.disagreements} == explained.keys(), agreement
    assert sum(a.n for a in found.values()) == 548
    assert sum(a.agreed for a in found.values()) == 511


@pytest.mark.realdata
def test_the_due_dates_follow_when_the_sign_is_turned_as_they_did(real_data: Path) -> None:
    """The reason given above is the true one: with their sign every one of those rows agrees."""
    import ast
    from datetime import datetime, timedelta

    from calculators import rows

    checked = 0
    for row in rows(real_data / "text"):
        number = int(row["Row Number"])
        if number in THEIR_FAULTS[13]:
            entities = ast.literal_eval(row["Relevant Entities"])
            last = datetime.strptime(entities["Last menstrual date"], "%m/%d/%Y")  # noqa: DTZ007
            theirs = last + timedelta(days=280 - (entities["cycle length"] - 28))
            assert theirs.strftime("%m/%d/%Y") == row["Ground Truth Answer"]
            checked += 1
    assert checked == len(THEIR_FAULTS[13])


@pytest.mark.parametrize(
    ("calculator", "entities", "fault"),
    [
        (999, {}, KeyError),
        (6, {"weight": [70, "kg"]}, KeyError),
        (6, {"weight": [70, "stone"], "height": [170, "cm"]}, ValueError),
        (10, {"sex": "unknown", "height": [170, "cm"]}, ValueError),
    ],
)
def test_what_cannot_be_computed_says_so(calculator: int, entities: dict[str, object], fault: type[Exception]) -> None:
    with pytest.raises(fault):
        evaluate(calculator, entities)
