"""Continuous calculators. Units are in the parameters' names; each docstring names unit, formula and source."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import Literal

Sex = Literal["male", "female"]


def body_mass_index(weight_kg: float, height_cm: float) -> float:
    """kg/m². weight / height². Keys et al., J Chronic Dis 1972;25:329."""
    return weight_kg / (height_cm / 100) ** 2


def body_surface_area(weight_kg: float, height_cm: float) -> float:
    """m². sqrt(height · weight / 3600). Mosteller, N Engl J Med 1987;317:1098."""
    return math.sqrt(height_cm * weight_kg / 3600)


def ideal_body_weight(sex: Sex, height_cm: float) -> float:
    """kg. 50 (men) or 45.5 (women) + 2.3 per inch over 60. Devine, Drug Intell Clin Pharm 1974;8:650."""
    return (50.0 if sex == "male" else 45.5) + 2.3 * (height_cm / 2.54 - 60)


def adjusted_body_weight(sex: Sex, height_cm: float, weight_kg: float) -> float:
    """kg. ideal + 0.4 · (actual − ideal). Bauer et al., Eur J Clin Pharmacol 1983;24:643."""
    ideal = ideal_body_weight(sex, height_cm)
    return ideal + 0.4 * (weight_kg - ideal)


def target_weight(target_bmi_kg_m2: float, height_cm: float) -> float:
    """kg. The weight at which the body mass index is the target."""
    return target_bmi_kg_m2 * (height_cm / 100) ** 2


def mean_arterial_pressure(systolic_mmhg: float, diastolic_mmhg: float) -> float:
    """mmHg. diastolic + (systolic − diastolic) / 3. Magder, Crit Care 2018;22:257."""
    return diastolic_mmhg + (systolic_mmhg - diastolic_mmhg) / 3


def cockcroft_gault(sex: Sex, age_years: float, weight_kg: float, height_cm: float, creatinine_mg_dl: float) -> float:
    """mL/min. (140 − age) · weight · (0.85 for women) / (72 · creatinine); the weight is the actual one when underweight, the
    lesser of ideal and actual at a normal body mass index, the adjusted one above. Cockcroft and Gault, Nephron 1976;16:31."""
    bmi = body_mass_index(weight_kg, height_cm)
    if bmi < 18.5:
        weight = weight_kg
    elif bmi < 25:
        weight = min(ideal_body_weight(sex, height_cm), weight_kg)
    else:
        weight = adjusted_body_weight(sex, height_cm, weight_kg)
    return (140 - age_years) * weight * (1.0 if sex == "male" else 0.85) / (72 * creatinine_mg_dl)


def ckd_epi_2021(sex: Sex, age_years: float, creatinine_mg_dl: float) -> float:
    """mL/min/1.73 m². The 2021 equation without race. Inker et al., N Engl J Med 2021;385:1737."""
    kappa, alpha = (0.9, -0.302) if sex == "male" else (0.7, -0.241)
    ratio = creatinine_mg_dl / kappa
    factor = 1.0 if sex == "male" else 1.012
    value: float = 142 * min(ratio, 1) ** alpha * max(ratio, 1) ** -1.2 * 0.9938**age_years * factor
    return value


def mdrd(sex: Sex, age_years: float, creatinine_mg_dl: float, black: bool = False) -> float:
    """mL/min/1.73 m². 175 · cr^−1.154 · age^−0.203 · (0.742 women) · (1.212 Black). Levey et al., Ann Intern Med 2006;145:247."""
    value: float = 175 * creatinine_mg_dl**-1.154 * age_years**-0.203
    return value * (0.742 if sex == "female" else 1.0) * (1.212 if black else 1.0)


def fractional_excretion_of_sodium(
    sodium_meq_l: float, creatinine_mg_dl: float, urine_sodium_meq_l: float, urine_creatinine_mg_dl: float
) -> float:
    """%. 100 · (urine Na · creatinine) / (Na · urine creatinine). Espinel, JAMA 1976;236:579."""
    return 100 * urine_sodium_meq_l * creatinine_mg_dl / (sodium_meq_l * urine_creatinine_mg_dl)


def free_water_deficit(sex: Sex, age_years: float, weight_kg: float, sodium_meq_l: float) -> float:
    """L. total body water · (Na / 140 − 1); water is 0.6 of the weight in children and men, 0.5 in women and elderly men, 0.45
    in elderly women (65 and over). Adrogué and Madias, N Engl J Med 2000;342:1493."""
    if age_years < 18:
        share = 0.6
    elif age_years < 65:
        share = 0.6 if sex == "male" else 0.5
    else:
        share = 0.5 if sex == "male" else 0.45
    return share * weight_kg * (sodium_meq_l / 140 - 1)


def corrected_calcium(calcium_mg_dl: float, albumin_g_dl: float) -> float:
    """mg/dL. calcium + 0.8 · (4 − albumin). Payne et al., BMJ 1973;4:643."""
    return calcium_mg_dl + 0.8 * (4.0 - albumin_g_dl)


def corrected_sodium(sodium_meq_l: float, glucose_mg_dl: float) -> float:
    """mEq/L. Na + 0.024 · (glucose − 100). Hillier et al., Am J Med 1999;106:399."""
    return sodium_meq_l + 0.024 * (glucose_mg_dl - 100)


def serum_osmolality(sodium_meq_l: float, glucose_mg_dl: float, urea_nitrogen_mg_dl: float) -> float:
    """mOsm/kg. 2 · Na + glucose / 18 + BUN / 2.8. Dorwart and Chalmers, Clin Chem 1975;21:190."""
    return 2 * sodium_meq_l + glucose_mg_dl / 18 + urea_nitrogen_mg_dl / 2.8


def anion_gap(sodium_meq_l: float, chloride_meq_l: float, bicarbonate_meq_l: float) -> float:
    """mEq/L. Na − (Cl + HCO3). Emmett and Narins, Medicine 1977;56:38."""
    return sodium_meq_l - (chloride_meq_l + bicarbonate_meq_l)


def albumin_corrected_anion_gap(
    sodium_meq_l: float, chloride_meq_l: float, bicarbonate_meq_l: float, albumin_g_dl: float
) -> float:
    """mEq/L. anion gap + 2.5 · (4 − albumin). Figge et al., Crit Care Med 1998;26:1807."""
    return anion_gap(sodium_meq_l, chloride_meq_l, bicarbonate_meq_l) + 2.5 * (4.0 - albumin_g_dl)


def delta_gap(sodium_meq_l: float, chloride_meq_l: float, bicarbonate_meq_l: float) -> float:
    """mEq/L. anion gap − 12. Wrenn, Ann Emerg Med 1990;19:1310."""
    return anion_gap(sodium_meq_l, chloride_meq_l, bicarbonate_meq_l) - 12


def delta_ratio(sodium_meq_l: float, chloride_meq_l: float, bicarbonate_meq_l: float) -> float:
    """(anion gap − 12) / (24 − HCO3). Rastegar, J Am Soc Nephrol 2007;18:2429. Raises ZeroDivisionError at HCO3 = 24."""
    return delta_gap(sodium_meq_l, chloride_meq_l, bicarbonate_meq_l) / (24 - bicarbonate_meq_l)


def ldl_cholesterol(total_mg_dl: float, hdl_mg_dl: float, triglycerides_mg_dl: float) -> float:
    """mg/dL. total − HDL − triglycerides / 5. Friedewald et al., Clin Chem 1972;18:499."""
    return total_mg_dl - hdl_mg_dl - triglycerides_mg_dl / 5


def homa_ir(glucose_mg_dl: float, insulin_uiu_ml: float) -> float:
    """insulin · glucose / 405. Matthews et al., Diabetologia 1985;28:412."""
    return glucose_mg_dl * insulin_uiu_ml / 405


def fib4(age_years: float, ast_u_l: float, alt_u_l: float, platelets_10e9_l: float) -> float:
    """age · AST / (platelets · sqrt(ALT)). Sterling et al., Hepatology 2006;43:1317."""
    return age_years * ast_u_l / (platelets_10e9_l * math.sqrt(alt_u_l))


def maintenance_fluids(weight_kg: float) -> float:
    """mL/h. 4 per kg to 10 kg, 2 per kg to 20 kg, 1 per kg above. Holliday and Segar, Pediatrics 1957;19:823."""
    return 4 * min(weight_kg, 10) + 2 * min(max(weight_kg - 10, 0), 10) + max(weight_kg - 20, 0)


def qtc_bazett(qt_ms: float, heart_rate_bpm: float) -> float:
    """ms. QT / sqrt(RR), RR in s. Bazett, Heart 1920;7:353."""
    return qt_ms / math.sqrt(60 / heart_rate_bpm)


def qtc_fridericia(qt_ms: float, heart_rate_bpm: float) -> float:
    """ms. QT / RR^(1/3). Fridericia, Acta Med Scand 1920;53:469."""
    return qt_ms / math.cbrt(60 / heart_rate_bpm)


def qtc_framingham(qt_ms: float, heart_rate_bpm: float) -> float:
    """ms. QT + 154 · (1 − RR). Sagie et al., Am J Cardiol 1992;70:797."""
    return qt_ms + 154 * (1 - 60 / heart_rate_bpm)


def qtc_hodges(qt_ms: float, heart_rate_bpm: float) -> float:
    """ms. QT + 1.75 · (rate − 60). Hodges et al., J Am Coll Cardiol 1983;1:694."""
    return qt_ms + 1.75 * (heart_rate_bpm - 60)


def qtc_rautaharju(qt_ms: float, heart_rate_bpm: float) -> float:
    """ms. QT · (120 + rate) / 180. Rautaharju et al., J Am Coll Cardiol 2009;53:982 and 1993 (QT index)."""
    return qt_ms * (120 + heart_rate_bpm) / 180


def estimated_due_date(last_period: date, cycle_days: int = 28) -> date:
    """Last period + 280 days + (cycle − 28). Naegele's rule; ACOG Committee Opinion 700, 2017."""
    return last_period + timedelta(days=280 + cycle_days - 28)


def conception_date(last_period: date, cycle_days: int = 28) -> date:
    """Last period + 14 days + (cycle − 28). ACOG Committee Opinion 700, 2017."""
    return last_period + timedelta(days=14 + cycle_days - 28)


def gestational_age(last_period: date, today: date) -> tuple[int, int]:
    """(weeks, days) since the last period. ACOG Committee Opinion 700, 2017. Raises ValueError where that lies ahead."""
    days = (today - last_period).days
    if days < 0:
        raise ValueError("the last period lies after today")
    return divmod(days, 7)


def albumin_corrected_delta_gap(
    sodium_meq_l: float, chloride_meq_l: float, bicarbonate_meq_l: float, albumin_g_dl: float
) -> float:
    """mEq/L. albumin-corrected anion gap − 12. Figge et al., Crit Care Med 1998;26:1807; Wrenn, Ann Emerg Med 1990;19:1310."""
    return albumin_corrected_anion_gap(sodium_meq_l, chloride_meq_l, bicarbonate_meq_l, albumin_g_dl) - 12


def albumin_corrected_delta_ratio(
    sodium_meq_l: float, chloride_meq_l: float, bicarbonate_meq_l: float, albumin_g_dl: float
) -> float:
    """(albumin-corrected anion gap − 12) / (24 − HCO3). Rastegar, J Am Soc Nephrol 2007;18:2429. Raises ZeroDivisionError at
    HCO3 = 24."""
    gap = albumin_corrected_delta_gap(sodium_meq_l, chloride_meq_l, bicarbonate_meq_l, albumin_g_dl)
    return gap / (24 - bicarbonate_meq_l)
