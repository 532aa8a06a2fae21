"""Each calculator against a value worked by hand, and properties that hold for all patients."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osce.calculators import formulas as f


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (f.body_mass_index, (70, 175), 22.857),
        (f.body_surface_area, (80, 180), 2.0),
        (f.ideal_body_weight, ("male", 182.88), 77.6),  # 72 in
        (f.ideal_body_weight, ("female", 152.4), 45.5),  # 60 in
        (f.adjusted_body_weight, ("female", 152.4, 95.5), 65.5),
        (f.target_weight, (25, 200), 100.0),
        (f.mean_arterial_pressure, (120, 90), 100.0),
        (f.cockcroft_gault, ("male", 40, 72, 190, 1.0), 100.0),  # body mass index 19.9, ideal 84.4 kg: the actual weight
        (f.cockcroft_gault, ("female", 40, 50, 180, 1.0), 59.028),  # underweight: the actual weight
        (f.cockcroft_gault, ("male", 60, 120, 177.8, 1.2), 85.0),  # obese: the adjusted weight, 73 + 0.4 * 47
        (f.ckd_epi_2021, ("male", 50, 0.9), 104.05),  # at kappa both powers are 1
        (f.ckd_epi_2021, ("female", 50, 1.4), 45.838),
        (f.mdrd, ("male", 50, 1.0), 79.094),
        (f.mdrd, ("female", 50, 1.0, True), 71.130),
        (f.fractional_excretion_of_sodium, (140, 2.0, 28, 40), 1.0),
        (f.free_water_deficit, ("male", 40, 70, 154), 4.2),
        (f.free_water_deficit, ("female", 80, 60, 168), 5.4),
        (f.free_water_deficit, ("female", 10, 30, 147), 0.9),
        (f.corrected_calcium, (8.0, 2.0), 9.6),
        (f.corrected_sodium, (130, 600), 142.0),
        (f.serum_osmolality, (140, 90, 14), 290.0),
        (f.anion_gap, (140, 100, 20), 20),
        (f.albumin_corrected_anion_gap, (140, 100, 20, 2.0), 25.0),
        (f.delta_gap, (140, 100, 20), 8),
        (f.delta_ratio, (140, 100, 20), 2.0),
        (f.albumin_corrected_delta_gap, (140, 100, 20, 2.0), 13.0),
        (f.albumin_corrected_delta_ratio, (140, 100, 20, 2.0), 3.25),
        (f.ldl_cholesterol, (200, 50, 150), 120),
        (f.homa_ir, (81, 10), 2.0),
        (f.fib4, (50, 64, 64, 200), 2.0),
        (f.maintenance_fluids, (8,), 32),
        (f.maintenance_fluids, (17,), 54),
        (f.maintenance_fluids, (45,), 85),
        (f.qtc_bazett, (400, 60), 400),
        (f.qtc_bazett, (350, 86.4), 420),
        (f.qtc_fridericia, (300, 202.5), 450),  # RR 8/27 s, its cube root 2/3
        (f.qtc_framingham, (360, 120), 437),
        (f.qtc_hodges, (360, 100), 430),
        (f.qtc_rautaharju, (300, 120), 400),
    ],
)
def test_worked_by_hand(function: Callable[..., float], arguments: tuple[object, ...], expected: float) -> None:
    assert function(*arguments) == pytest.approx(expected, rel=2e-4)


def test_dates() -> None:
    last = date(2024, 1, 1)
    assert f.estimated_due_date(last) == date(2024, 10, 7)
    assert f.estimated_due_date(last, 30) == date(2024, 10, 9)
    assert f.conception_date(last, 26) == date(2024, 1, 13)
    assert f.gestational_age(last, date(2024, 3, 14)) == (10, 3)
    with pytest.raises(ValueError, match="after today"):
        f.gestational_age(last, date(2023, 12, 31))


def test_every_calculator_names_its_source() -> None:
    functions = [g for _, g in inspect.getmembers(f, inspect.isfunction) if g.__module__ == f.__name__]
    assert len(functions) >= 25
    for function in functions:
        doc = inspect.getdoc(function) or ""
        assert any(c.isdigit() for c in doc) or "target" in doc, f"{function.__name__} cites nothing"


SEX = st.sampled_from(["male", "female"])


@given(SEX, st.integers(19, 90), st.floats(40, 160), st.floats(145, 200), st.floats(0.4, 9))
def test_clearance_falls_as_creatinine_rises(sex: f.Sex, age: int, weight: float, height: float, creatinine: float) -> None:
    for gfr in (
        lambda cr: f.cockcroft_gault(sex, age, weight, height, cr),
        lambda cr: f.ckd_epi_2021(sex, age, cr),
        lambda cr: f.mdrd(sex, age, cr),
    ):
        assert gfr(creatinine) > gfr(creatinine * 1.1) > 0


@given(st.floats(250, 600))
def test_all_corrections_leave_the_qt_at_sixty_a_minute(qt: float) -> None:
    for correction in (f.qtc_bazett, f.qtc_fridericia, f.qtc_framingham, f.qtc_hodges, f.qtc_rautaharju):
        assert correction(qt, 60) == pytest.approx(qt)


@given(st.dates(date(2000, 1, 1), date(2040, 1, 1)), st.integers(21, 40), st.integers(0, 300))
def test_pregnancy_dates_hang_together(last: date, cycle: int, days: int) -> None:
    assert f.estimated_due_date(last, cycle) - f.conception_date(last, cycle) == timedelta(days=266)
    weeks, rest = f.gestational_age(last, last + timedelta(days=days))
    assert weeks * 7 + rest == days
    assert 0 <= rest <= 6
