"""One function per calculation: draw a case, work out the answer with the calculator, and the mistakes people really make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import TypeAlias

from osce.benchmarks.fresh import findings as f
from osce.benchmarks.fresh.findings import Patient, Value
from osce.calculators import formulas as c

Answer: TypeAlias = float | date | tuple[int, int]


@dataclass(frozen=True)
class Case:
    """`opening` says who, `facts` are what the calculation needs, `wrong` what comes out of known mistakes."""

    opening: str
    facts: list[str]
    answer: Answer
    wrong: Sequence[Answer]
    converted: bool = False


@dataclass(frozen=True)
class Question:
    """`ask` completes "What is …?"; numbers are right within `tolerance` (a share of the value)."""

    name: str
    ask: str
    draw: Callable[[Random, bool], Case]
    unit: str = ""
    decimals: int = 1
    tolerance: float = 0.05


def _opening(rng: Random, p: Patient) -> str:
    why = rng.choice(
        ("is seen in clinic", "is admitted to the ward", "comes to the emergency department", "is reviewed before surgery")
    )
    age = f"{p.age}-year-old"
    return f"{'An' if str(p.age)[0] == '8' or p.age in (11, 18) else 'A'} {age} {p.who} {why}."


def _size(p: Patient) -> list[str]:
    return [f"height {p.height.said}", f"weight {p.weight.said}"]


def _case(rng: Random, p: Patient, values: list[Value], answer: Answer, wrong: Sequence[Answer], *, size: bool = False) -> Case:
    facts = [*(_size(p) if size else []), *(v.said for v in values)]
    converted = any(v.converted for v in values) or (size and (p.height.converted or p.weight.converted))
    return Case(_opening(rng, p), facts, answer, wrong, converted)


def _bmi(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, convert)
    w, h = p.weight.exact, p.height.exact
    bmi = c.body_mass_index(w, h)
    return _case(rng, p, [], bmi, [w / (h / 100), bmi * 0.9, bmi * 1.12, c.body_surface_area(w, h) * 10], size=True)


def _bsa(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, convert)
    w, h = p.weight.exact, p.height.exact
    right = c.body_surface_area(w, h)
    return _case(rng, p, [], right, [right**2, h * w / 3600 / 2, right * 1.15, right * 0.87], size=True)


def _ibw(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, convert)
    right = c.ideal_body_weight(p.sex, p.height.exact)
    other = c.ideal_body_weight("female" if p.sex == "male" else "male", p.height.exact)
    return _case(
        rng,
        p,
        [],
        right,
        [other, c.adjusted_body_weight(p.sex, p.height.exact, p.weight.exact), right * 1.16, right * 0.86],
        size=True,
    )


def _abw(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, convert)
    h, w = p.height.exact, p.weight.exact
    right = c.adjusted_body_weight(p.sex, h, w)
    ideal = c.ideal_body_weight(p.sex, h)
    return _case(rng, p, [], right, [ideal, (ideal + w) / 2 * 1.1, w, right * 0.85], size=True)


def _target_weight(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, convert)
    goal = rng.randint(20, 27)
    right = c.target_weight(goal, p.height.exact)
    facts = [f"height {p.height.said}", f"target body mass index {goal} kg/m²"]
    return Case(
        _opening(rng, p),
        facts,
        right,
        [goal * p.height.exact / 100, right * 1.13, right * 0.88, right * 1.27],
        p.height.converted,
    )


def _map(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, convert)
    systolic = rng.randint(86, 196)
    diastolic = rng.randint(max(40, systolic // 2 - 12), systolic - 32)
    right = c.mean_arterial_pressure(systolic, diastolic)
    facts = [f"blood pressure {systolic}/{diastolic} mmHg"]
    wrong: list[Answer] = [
        (systolic + diastolic) / 2,
        diastolic + (systolic - diastolic) * 2 / 3,
        float(systolic - diastolic),
        right * 0.88,
    ]
    return Case(_opening(rng, p), facts, right, wrong)


def _cockcroft(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, convert)
    cr = f.creatinine(rng, convert)
    h, w = p.height.exact, p.weight.exact
    right = c.cockcroft_gault(p.sex, p.age, w, h, cr.exact)
    base = (140 - p.age) / (72 * cr.exact)
    wrong: list[Answer] = [
        base * w * 1.25,
        right / 0.85 if p.sex == "female" else right * 0.85,
        base * w * 1.02,
        right * 1.3,
        right * 0.7,
    ]
    return _case(rng, p, [cr], right, wrong, size=True)


def _ckd_epi(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, convert)
    cr = f.creatinine(rng, convert)
    right = c.ckd_epi_2021(p.sex, p.age, cr.exact)
    other = c.ckd_epi_2021("female" if p.sex == "male" else "male", p.age, cr.exact)
    return _case(rng, p, [cr], right, [other, right * 0.86, c.mdrd(p.sex, p.age, cr.exact) * 1.15, right * 1.25])


def _mdrd(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, convert)
    cr = f.creatinine(rng, convert)
    right = c.mdrd(p.sex, p.age, cr.exact)
    swapped = right / 0.742 if p.sex == "female" else right * 0.742
    return _case(rng, p, [cr], right, [swapped, right * 1.212, right * 186 / 175 * 1.08, right * 0.87])


def _fena(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False)
    na, cr = f.plain(rng, "serum sodium", 126, 148, 0, "mEq/L"), f.creatinine(rng, convert)
    urine_na, urine_cr = f.plain(rng, "urine sodium", 8, 80, 0, "mEq/L"), f.plain(rng, "urine creatinine", 25, 160, 0, "mg/dL")
    right = c.fractional_excretion_of_sodium(na.exact, cr.exact, urine_na.exact, urine_cr.exact)
    upside = 100 * na.exact * cr.exact / (urine_na.exact * urine_cr.exact)
    return _case(rng, p, [na, cr, urine_na, urine_cr], right, [upside, right / 10, right * 1.4, right * 0.65])


def _free_water(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, convert)
    na = f.plain(rng, "serum sodium", 147, 172, 0, "mEq/L")
    w = p.weight.exact
    right = c.free_water_deficit(p.sex, p.age, w, na.exact)
    excess = na.exact / 140 - 1
    wrong: list[Answer] = [0.6 * w * excess, 0.5 * w * excess, 0.45 * w * excess, right * 1.4, right * 0.7]
    return Case(_opening(rng, p), [f"weight {p.weight.said}", na.said], right, wrong, p.weight.converted)


def _calcium(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False)
    ca, alb = f.calcium(rng, convert), f.albumin(rng, convert)
    right = c.corrected_calcium(ca.exact, alb.exact)
    return _case(rng, p, [ca, alb], right, [ca.exact - 0.8 * (4 - alb.exact), right * 1.1, right * 0.9, right * 1.2])


def _sodium(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False)
    na, sugar = f.plain(rng, "sodium", 118, 140, 0, "mEq/L"), f.glucose(rng, convert, 350, 980)
    right = c.corrected_sodium(na.exact, sugar.exact)
    wrong: list[Answer] = [right * 1.07, right * 0.93, right * 1.14, right * 0.87, na.exact - 0.024 * (sugar.exact - 100)]
    return _case(rng, p, [na, sugar], right, wrong)


def _osmolality(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False)
    na, sugar, bun = f.plain(rng, "sodium", 124, 156, 0, "mEq/L"), f.glucose(rng, convert), f.urea_nitrogen(rng, convert)
    right = c.serum_osmolality(na.exact, sugar.exact, bun.exact)
    wrong: list[Answer] = [
        na.exact + sugar.exact / 18 + bun.exact / 2.8,
        2 * na.exact + sugar.exact + bun.exact,
        right * 1.09,
        right * 0.9,
    ]
    return _case(rng, p, [na, sugar, bun], right, wrong)


def _electrolytes(rng: Random) -> tuple[Value, Value, Value]:
    bicarbonate = rng.randint(6, 22)
    gap = rng.randint(13, 32)
    chloride = rng.randint(88, 112)
    sodium = min(158, chloride + bicarbonate + gap)
    return (
        Value(f"sodium {sodium} mEq/L", float(sodium)),
        Value(f"chloride {chloride} mEq/L", float(chloride)),
        Value(f"bicarbonate {bicarbonate} mEq/L", float(bicarbonate)),
    )


def _gap(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False)
    na, cl, bic = _electrolytes(rng)
    right = c.anion_gap(na.exact, cl.exact, bic.exact)
    return _case(rng, p, [na, cl, bic], right, [na.exact - cl.exact, na.exact - bic.exact, right - 12, right + 6, right + 12])


def _corrected_gap(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False)
    na, cl, bic = _electrolytes(rng)
    alb = f.albumin(rng, convert)
    right = c.albumin_corrected_anion_gap(na.exact, cl.exact, bic.exact, alb.exact)
    plain = c.anion_gap(na.exact, cl.exact, bic.exact)
    return _case(rng, p, [na, cl, bic, alb], right, [plain, plain - 2.5 * (4 - alb.exact), right - 12, right + 7, right + 3.5])


def _delta_gap(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False)
    na, cl, bic = _electrolytes(rng)
    right = c.delta_gap(na.exact, cl.exact, bic.exact)
    return _case(rng, p, [na, cl, bic], right, [right + 12, 24 - bic.exact, right - 5, right + 5, right + 2])


def _delta_ratio(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False)
    na, cl, bic = _electrolytes(rng)
    right = c.delta_ratio(na.exact, cl.exact, bic.exact)
    gap = c.anion_gap(na.exact, cl.exact, bic.exact)
    wrong: list[Answer] = [gap / bic.exact, gap / (24 - bic.exact), right * 1.5, right + 0.6, right * 0.6]
    return _case(rng, p, [na, cl, bic], right, wrong)


def _ldl(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False)
    total, hdl = f.lipid(rng, "total cholesterol", 150, 310, convert), f.lipid(rng, "HDL cholesterol", 28, 75, convert)
    fat = f.lipid(rng, "triglycerides", 70, 380, convert)
    right = c.ldl_cholesterol(total.exact, hdl.exact, fat.exact)
    wrong: list[Answer] = [total.exact - hdl.exact, total.exact - hdl.exact - fat.exact / 2.2, right * 1.2, right * 0.8]
    return _case(rng, p, [total, hdl, fat], right, wrong)


def _homa(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False)
    sugar, insulin = f.glucose(rng, convert, 78, 190), f.plain(rng, "fasting insulin", 3, 34, 1, "µIU/mL")
    right = c.homa_ir(sugar.exact, insulin.exact)
    return _case(
        rng,
        p,
        [Value(f"fasting {sugar.said}", sugar.exact, sugar.converted), insulin],
        right,
        [right * 18, sugar.exact * insulin.exact / 360, right * 1.35, right * 0.7],
    )


def _fib4(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False, youngest=35, oldest=80)
    ast, alt = f.plain(rng, "AST", 20, 210, 0, "U/L"), f.plain(rng, "ALT", 18, 240, 0, "U/L")
    platelets = f.plain(rng, "platelets", 60, 330, 0, "× 10⁹/L")
    right = c.fib4(p.age, ast.exact, alt.exact, platelets.exact)
    wrong: list[Answer] = [
        c.fib4(p.age, alt.exact, ast.exact, platelets.exact),
        p.age * ast.exact / (platelets.exact * alt.exact),
        right * 1.4,
        right * 0.6,
    ]
    return _case(rng, p, [ast, alt, platelets], right, wrong)


def _fluids(rng: Random, convert: bool) -> Case:
    p = f.patient(rng, False, child=True)
    right = c.maintenance_fluids(p.weight.exact)
    w = p.weight.exact
    facts = [f"weight {p.weight.said}"]
    return Case(_opening(rng, p), facts, right, [4 * w, 2 * w, right * 24 / 20, right * 0.8, right * 1.4])


def _qt(rng: Random) -> tuple[Patient, Value, Value]:
    rate = rng.choice((rng.randint(44, 56), rng.randint(66, 124)))
    qt = rng.randint(300, 470) if rate < 100 else rng.randint(260, 370)
    return f.patient(rng, False), Value(f"QT interval {qt} ms", float(qt)), Value(f"heart rate {rate}/min", float(rate))


def _qtc(formula: Callable[[float, float], float]) -> Callable[[Random, bool], Case]:
    def draw(rng: Random, convert: bool) -> Case:
        p, qt, rate = _qt(rng)
        right = formula(qt.exact, rate.exact)
        others: list[Answer] = [
            g(qt.exact, rate.exact) for g in (c.qtc_bazett, c.qtc_fridericia, c.qtc_framingham, c.qtc_hodges)
        ]
        return _case(rng, p, [qt, rate], right, [*others, right * 1.12, right * 0.88, right * 1.24])

    return draw


def _period(rng: Random) -> date:
    return date(2024, 1, 1) + timedelta(days=rng.randint(0, 900))


def _when(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def _mother(rng: Random) -> str:
    return f"A {rng.randint(20, 41)}-year-old woman attends the antenatal clinic."


def _due(rng: Random, convert: bool) -> Case:
    last, cycle = _period(rng), rng.choice((26, 27, 28, 29, 30, 31, 32)) if convert else 28
    right = c.estimated_due_date(last, cycle)
    facts = [f"first day of the last menstrual period {_when(last)}", f"cycles of {cycle} days"]
    wrong: list[Answer] = [right + timedelta(days=d) for d in (28 - cycle or 7, 14, -14, -7, 21)]
    return Case(_mother(rng), facts, right, wrong, convert)


def _conception(rng: Random, convert: bool) -> Case:
    last, cycle = _period(rng), rng.choice((26, 27, 28, 29, 30, 31, 32)) if convert else 28
    right = c.conception_date(last, cycle)
    facts = [f"first day of the last menstrual period {_when(last)}", f"cycles of {cycle} days"]
    wrong: list[Answer] = [right + timedelta(days=d) for d in (28 - cycle or 7, 14, -7, -3, 10)]
    return Case(_mother(rng), facts, right, wrong, convert)


def _gestation(rng: Random, convert: bool) -> Case:
    last = _period(rng)
    today = last + timedelta(days=rng.randint(40, 285))
    weeks, days = c.gestational_age(last, today)
    facts = [f"first day of the last menstrual period {_when(last)}", f"date of this visit {_when(today)}"]
    wrong: list[Answer] = [(weeks + 1, days), (weeks - 1, days), (weeks, (days + 3) % 7), (weeks - 2, (days + 1) % 7)]
    return Case(_mother(rng), facts, (weeks, days), wrong)


QUESTIONS: tuple[Question, ...] = (
    Question("body_mass_index", "the body mass index, in kg/m²", _bmi, "kg/m²"),
    Question("body_surface_area", "the body surface area by the Mosteller formula, in m²", _bsa, "m²", 2),
    Question("ideal_body_weight", "the ideal body weight by the Devine formula, in kg", _ibw, "kg"),
    Question(
        "adjusted_body_weight", "the adjusted body weight (Devine ideal weight plus 40 % of the excess), in kg", _abw, "kg"
    ),
    Question("target_weight", "the weight at the target body mass index, in kg", _target_weight, "kg"),
    Question("mean_arterial_pressure", "the mean arterial pressure, in mmHg", _map, "mmHg"),
    Question(
        "cockcroft_gault",
        "the creatinine clearance by Cockcroft–Gault, in mL/min (use the actual weight if the body mass index is below 18.5, the lesser "
        "of Devine ideal and actual weight if it is below 25, and the adjusted weight, ideal plus 40 % of the excess, otherwise)",
        _cockcroft,
        "mL/min",
    ),
    Question(
        "ckd_epi_2021",
        "the estimated GFR by the CKD-EPI creatinine equation of 2021, in mL/min/1.73 m²",
        _ckd_epi,
        "mL/min/1.73 m²",
    ),
    Question(
        "mdrd",
        "the estimated GFR by the four-variable MDRD equation (factor 175; not Black), in mL/min/1.73 m²",
        _mdrd,
        "mL/min/1.73 m²",
    ),
    Question("fractional_excretion_of_sodium", "the fractional excretion of sodium, in %", _fena, "%", 2),
    Question(
        "free_water_deficit",
        "the free water deficit, in L (body water 0.6 of the weight in men and 0.5 in women under 65, 0.5 and 0.45 from 65; normal sodium "
        "140 mEq/L)",
        _free_water,
        "L",
        2,
    ),
    Question("corrected_calcium", "the calcium corrected for albumin (0.8 per g/dL below 4), in mg/dL", _calcium, "mg/dL", 2),
    Question(
        "corrected_sodium", "the sodium corrected for glucose (2.4 mEq/L per 100 mg/dL above 100), in mEq/L", _sodium, "mEq/L"
    ),
    Question(
        "serum_osmolality",
        "the calculated serum osmolality (twice the sodium plus glucose plus urea), in mOsm/kg",
        _osmolality,
        "mOsm/kg",
    ),
    Question("anion_gap", "the anion gap without potassium, in mEq/L", _gap, "mEq/L", 0),
    Question(
        "albumin_corrected_anion_gap",
        "the anion gap corrected for albumin (2.5 per g/dL below 4), in mEq/L",
        _corrected_gap,
        "mEq/L",
    ),
    Question("delta_gap", "the delta gap (anion gap minus 12), in mEq/L", _delta_gap, "mEq/L", 0),
    Question("delta_ratio", "the delta ratio (normal anion gap 12, normal bicarbonate 24)", _delta_ratio, "", 2),
    Question("ldl_cholesterol", "the LDL cholesterol by the Friedewald formula, in mg/dL", _ldl, "mg/dL", 0),
    Question("homa_ir", "the HOMA-IR", _homa, "", 2),
    Question("fib4", "the FIB-4 index", _fib4, "", 2),
    Question("maintenance_fluids", "the hourly maintenance fluid rate by the 4-2-1 rule, in mL/h", _fluids, "mL/h"),
    Question("qtc_bazett", "the QTc by Bazett's formula, in ms", _qtc(c.qtc_bazett), "ms", 0),
    Question("qtc_fridericia", "the QTc by Fridericia's formula, in ms", _qtc(c.qtc_fridericia), "ms", 0),
    Question("qtc_framingham", "the QTc by the Framingham formula, in ms", _qtc(c.qtc_framingham), "ms", 0),
    Question("qtc_hodges", "the QTc by Hodges' formula, in ms", _qtc(c.qtc_hodges), "ms", 0),
    Question("estimated_due_date", "the estimated due date (280 days at a cycle of 28, adjusted to the cycle)", _due),
    Question(
        "conception_date", "the estimated date of conception (day 14 at a cycle of 28, adjusted to the cycle)", _conception
    ),
    Question("gestational_age", "the gestational age by the last menstrual period", _gestation),
)
