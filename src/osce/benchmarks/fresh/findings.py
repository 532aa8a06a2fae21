"""Values as a chart states them: drawn first in the unit that is written, so that the note decides the answer exactly."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

Sex = Literal["male", "female"]


@dataclass(frozen=True)
class Value:
    """`said` stands in the note; `exact` is the same in the calculator's unit; `converted` says that the units differ."""

    said: str
    exact: float
    converted: bool = False


@dataclass(frozen=True)
class Patient:
    sex: Sex
    age: int
    height: Value
    weight: Value

    @property
    def who(self) -> str:
        if self.age < 18:
            return "boy" if self.sex == "male" else "girl"
        return "man" if self.sex == "male" else "woman"


def plain(rng: Random, name: str, low: float, high: float, decimals: int, unit: str) -> Value:
    """A value in the calculator's own unit."""
    number = round(rng.uniform(low, high), decimals)
    return Value(f"{name} {number:.{decimals}f} {unit}".strip(), float(f"{number:.{decimals}f}"))


def either(
    rng: Random, name: str, low: float, high: float, decimals: int, unit: str, other: str, factor: float, other_decimals: int,
    convert: bool,
) -> Value:  # fmt: skip
    """A value in its own unit, or in `other` where 1 `unit` is `factor` `other`."""
    number = rng.uniform(low, high)
    if not convert:
        shown = f"{number:.{decimals}f}"
        return Value(f"{name} {shown} {unit}", float(shown))
    shown = f"{number * factor:.{other_decimals}f}"
    return Value(f"{name} {shown} {other}", float(shown) / factor, True)


def patient(rng: Random, convert: bool, *, youngest: int = 19, oldest: int = 88, child: bool = False) -> Patient:
    """Somebody of plausible size: height from the sex, weight from a body mass index between 17 and 39 kg/m²."""
    sex: Sex = "male" if rng.random() < 0.5 else "female"
    age = rng.randint(2, 12) if child else rng.randint(youngest, oldest)
    if child:
        cm = round(76 + 6.3 * age + rng.uniform(-6, 6))
        kilograms = round((2 * age + 9) * rng.uniform(0.85, 1.25), 1)
    else:
        cm = round(rng.gauss(176 if sex == "male" else 163, 6.5))
        kilograms = round(rng.uniform(17.5, 38.5) * (cm / 100) ** 2, 1)
    height = Value(f"{cm} cm", float(cm))
    if convert and not child:
        inches = round(cm / 2.54)
        height = Value(f"{inches // 12} ft {inches % 12} in", inches * 2.54, True)
    weight = Value(f"{kilograms:.1f} kg", kilograms)
    if convert and not child:
        pounds = round(kilograms / 0.45359237)
        weight = Value(f"{pounds} lb", pounds * 0.45359237, True)
    return Patient(sex, age, height, weight)


def creatinine(rng: Random, convert: bool) -> Value:
    return either(rng, "creatinine", 0.6, 3.8, 2, "mg/dL", "µmol/L", 88.4, 0, convert)


def glucose(rng: Random, convert: bool, low: float = 75, high: float = 420) -> Value:
    return either(rng, "glucose", low, high, 0, "mg/dL", "mmol/L", 1 / 18.016, 1, convert)


def albumin(rng: Random, convert: bool) -> Value:
    return either(rng, "albumin", 1.8, 4.4, 1, "g/dL", "g/L", 10, 0, convert)


def calcium(rng: Random, convert: bool) -> Value:
    return either(rng, "total calcium", 7.0, 11.8, 1, "mg/dL", "mmol/L", 0.2495, 2, convert)


def urea_nitrogen(rng: Random, convert: bool) -> Value:
    return either(rng, "urea", 8, 70, 0, "mg/dL (as urea nitrogen)", "mmol/L (urea)", 0.357, 1, convert)


def lipid(rng: Random, name: str, low: float, high: float, convert: bool) -> Value:
    factor = 0.01129 if name == "triglycerides" else 0.02586
    return either(rng, name, low, high, 0, "mg/dL", "mmol/L", factor, 2, convert)


IRRELEVANT = (
    "The chest is clear on auscultation.",
    "There are no known drug allergies.",
    "The patient works night shifts in a bakery.",
    "A sister was treated for hypothyroidism.",
    "Tympanic membranes look normal.",
    "The last tetanus booster was four years ago.",
    "The patient stopped smoking in 2009.",
    "Skin turgor is normal and there is no rash.",
    "Serum ferritin was 84 µg/L last spring.",
    "An appendectomy was done in childhood.",
    "Uric acid is 5.1 mg/dL.",
    "Visual acuity is 20/25 in both eyes.",
    "The patient takes vitamin D 800 IU daily.",
    "TSH is 2.3 mIU/L.",
)
