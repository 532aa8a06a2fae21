"""MedCalc-Bench's calculators by their id: from a row's entities to our functions, in the right units.

Entities are {name: [number, unit]}, {name: text} or {name: whole number}, as the benchmark's column "Relevant Entities" holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeAlias

from osce.calculators import formulas as f

Entities: TypeAlias = Mapping[str, Any]
Value: TypeAlias = float | date | tuple[int, int]

# What one unit is in the calculator's own unit. SI conversion factors: Young and Huth, SI Units for Clinical Measurement, 1998.
_KG = {"kg": 1.0, "g": 0.001, "lbs": 0.45359237, "lb": 0.45359237}
_CM = {"cm": 1.0, "m": 100.0, "in": 2.54, "inches": 2.54, "ft": 30.48}
_YEARS = {"years": 1.0, "months": 1 / 12, "weeks": 7 / 365.25, "days": 1 / 365.25}
_SAME = {"mEq/L": 1.0, "mmol/L": 1.0}
_UNITS: dict[str, dict[str, float]] = {
    "age": _YEARS,
    "weight": _KG,
    "height": _CM,
    "creatinine": {"mg/dL": 1.0, "µmol/L": 1 / 88.42, "mmol/L": 1000 / 88.42},
    "Urine creatinine": {"mg/dL": 1.0, "µmol/L": 1 / 88.42, "mmol/L": 1000 / 88.42},
    "Systolic Blood Pressure": {"mm hg": 1.0, "mmhg": 1.0},
    "Diastolic Blood Pressure": {"mm hg": 1.0, "mmhg": 1.0},
    "Albumin": {"g/dL": 1.0, "g/L": 0.1, "mg/dL": 0.001},
    "Calcium": {"mg/dL": 1.0, "mmol/L": 4.008, "mEq/L": 2.004},
    "Heart Rate or Pulse": {"beats per minute": 1.0},
    "QT interval": {"msec": 1.0},
    "Alanine aminotransferase": {"U/L": 1.0},
    "Aspartate aminotransferase": {"U/L": 1.0},
    "Platelet count": {"µL": 1e-3, "L": 1e-9},
    "Sodium": {**_SAME, "mg/dL": 10 / 22.99},
    "Urine sodium": _SAME,
    "Chloride": _SAME,
    "Bicarbonate": _SAME,
    "Glucose": {"mg/dL": 1.0, "mmol/L": 18.016},
    "Blood Urea Nitrogen (BUN)": {"mg/dL": 1.0, "mmol/L": 2.8014},
    "Insulin": {"µIU/mL": 1.0, "pmol/L": 1 / 6.0},
    "Total cholesterol": {"mg/dL": 1.0, "mmol/L": 38.67},
    "high-density lipoprotein cholesterol": {"mg/dL": 1.0, "mmol/L": 38.67},
    "Triglycerides": {"mg/dL": 1.0, "mmol/L": 88.57},
    "Body Mass Index (BMI)": {"kg/m^2": 1.0},
}
_ARGUMENT = {
    "age": "age_years",
    "weight": "weight_kg",
    "height": "height_cm",
    "creatinine": "creatinine_mg_dl",
    "Urine creatinine": "urine_creatinine_mg_dl",
    "Systolic Blood Pressure": "systolic_mmhg",
    "Diastolic Blood Pressure": "diastolic_mmhg",
    "Albumin": "albumin_g_dl",
    "Calcium": "calcium_mg_dl",
    "Heart Rate or Pulse": "heart_rate_bpm",
    "QT interval": "qt_ms",
    "Alanine aminotransferase": "alt_u_l",
    "Aspartate aminotransferase": "ast_u_l",
    "Platelet count": "platelets_10e9_l",
    "Sodium": "sodium_meq_l",
    "Urine sodium": "urine_sodium_meq_l",
    "Chloride": "chloride_meq_l",
    "Bicarbonate": "bicarbonate_meq_l",
    "Glucose": "glucose_mg_dl",
    "Blood Urea Nitrogen (BUN)": "urea_nitrogen_mg_dl",
    "Insulin": "insulin_uiu_ml",
    "Total cholesterol": "total_mg_dl",
    "high-density lipoprotein cholesterol": "hdl_mg_dl",
    "Triglycerides": "triglycerides_mg_dl",
    "Body Mass Index (BMI)": "target_bmi_kg_m2",
}


@dataclass(frozen=True)
class Entry:
    """A calculator of MedCalc-Bench that is here: our function and the entities that it takes."""

    function: Callable[..., Value]
    entities: tuple[str, ...]


_GAP = ("Sodium", "Chloride", "Bicarbonate")
_QT = ("QT interval", "Heart Rate or Pulse")

CALCULATORS: dict[int, Entry] = {
    2: Entry(f.cockcroft_gault, ("sex", "age", "weight", "height", "creatinine")),
    3: Entry(f.ckd_epi_2021, ("sex", "age", "creatinine")),
    5: Entry(f.mean_arterial_pressure, ("Systolic Blood Pressure", "Diastolic Blood Pressure")),
    6: Entry(f.body_mass_index, ("weight", "height")),
    7: Entry(f.corrected_calcium, ("Calcium", "Albumin")),
    9: Entry(f.mdrd, ("sex", "age", "creatinine", "Race")),
    10: Entry(f.ideal_body_weight, ("sex", "height")),
    11: Entry(f.qtc_bazett, _QT),
    13: Entry(f.estimated_due_date, ("Last menstrual date", "cycle length")),
    19: Entry(f.fib4, ("age", "Aspartate aminotransferase", "Alanine aminotransferase", "Platelet count")),
    22: Entry(f.maintenance_fluids, ("weight",)),
    26: Entry(f.corrected_sodium, ("Sodium", "Glucose")),
    30: Entry(f.serum_osmolality, ("Sodium", "Glucose", "Blood Urea Nitrogen (BUN)")),
    31: Entry(f.homa_ir, ("Glucose", "Insulin")),
    38: Entry(f.free_water_deficit, ("sex", "age", "weight", "Sodium")),
    39: Entry(f.anion_gap, _GAP),
    40: Entry(f.fractional_excretion_of_sodium, ("Sodium", "creatinine", "Urine sodium", "Urine creatinine")),
    44: Entry(f.ldl_cholesterol, ("Total cholesterol", "high-density lipoprotein cholesterol", "Triglycerides")),
    56: Entry(f.qtc_fridericia, _QT),
    57: Entry(f.qtc_framingham, _QT),
    58: Entry(f.qtc_hodges, _QT),
    59: Entry(f.qtc_rautaharju, _QT),
    60: Entry(f.body_surface_area, ("weight", "height")),
    61: Entry(f.target_weight, ("Body Mass Index (BMI)", "height")),
    62: Entry(f.adjusted_body_weight, ("sex", "height", "weight")),
    63: Entry(f.delta_gap, _GAP),
    64: Entry(f.delta_ratio, _GAP),
    65: Entry(f.albumin_corrected_anion_gap, (*_GAP, "Albumin")),
    66: Entry(f.albumin_corrected_delta_gap, (*_GAP, "Albumin")),
    67: Entry(f.albumin_corrected_delta_ratio, (*_GAP, "Albumin")),
    68: Entry(f.conception_date, ("Last menstrual date", "cycle length")),
    69: Entry(f.gestational_age, ("Last menstrual date", "Current Date")),
}


def evaluate(calculator_id: int, entities: Entities) -> Value:
    """The value of a MedCalc-Bench row. Raises KeyError for an unknown calculator or an absent entity, ValueError for a unit
    or a text that is not known."""
    entry = CALCULATORS[calculator_id]
    arguments: dict[str, Any] = {}
    for name in entry.entities:
        if name == "Race":
            arguments["black"] = "black" in str(entities.get("Race", "")).lower()
        elif name == "sex":
            arguments["sex"] = _sex(entities["sex"])
        elif name == "cycle length":
            arguments["cycle_days"] = int(entities["cycle length"])
        elif name == "Last menstrual date":
            arguments["last_period"] = _day(entities[name])
        elif name == "Current Date":
            arguments["today"] = _day(entities[name])
        else:
            arguments[_ARGUMENT[name]] = _number(name, entities[name])
    return entry.function(**arguments)


def _number(name: str, entity: Any) -> float:
    number, unit = entity
    factors = _UNITS[name]
    if unit not in factors:
        raise ValueError(f"{name} in {unit!r}: the units known are {', '.join(factors)}")
    return float(number) * factors[unit]


def _sex(text: str) -> f.Sex:
    found = text.strip().lower()
    if found == "male":
        return "male"
    if found == "female":
        return "female"
    raise ValueError(f"sex {text!r}: it must be male or female")


def _day(text: str) -> date:
    return datetime.strptime(text, "%m/%d/%Y").date()  # noqa: DTZ007 (a calendar day has no time zone)
