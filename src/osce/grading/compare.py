"""Comparisons: labels, numbers within bounds, MedCalc-Bench's rule."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal

from osce.core.items import Number


def same_label(value: str, label: str) -> bool:
    return value == label


def round_half_up(number: Decimal) -> Decimal:
    """To a whole number, .5 upwards (towards plus infinity), as people round and Python's round() does not."""
    return (number + Decimal("0.5")).to_integral_value(rounding=ROUND_FLOOR)


def within(number: Decimal, target: Number) -> bool:
    """Right when lower <= x <= upper. An integer target compares after rounding both half up.

    Bounds are floats: they are taken at their shortest decimal form, so that an answer of 0.3 meets a bound written as 0.3.
    """
    lower, upper = Decimal(repr(target.lower)), Decimal(repr(target.upper))
    if target.integer:
        whole = round_half_up(number)
        return whole == round_half_up(Decimal(repr(target.value))) or lower <= whole <= upper
    return lower <= number <= upper


def medcalc_target(
    value: float, *, integer: bool, lower: float | None = None, upper: float | None = None, unit: str = ""
) -> Number:
    """MedCalc-Bench's rule (Khandekar et al. 2024, arXiv 2406.12036, section 3): rule-based calculators must be met exactly,
    equation-based ones within 5 % of the true value on either side, unless the row gives its own limits.
    """
    if integer:
        return Number(value=value, lower=value, upper=value, unit=unit, integer=True)
    bounds = sorted((value * 0.95, value * 1.05))
    return Number(
        value=value, lower=bounds[0] if lower is None else lower, upper=bounds[1] if upper is None else upper, unit=unit
    )
