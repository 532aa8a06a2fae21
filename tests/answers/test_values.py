"""The readers of numbers, dates and ages in weeks and days."""

from __future__ import annotations

import pytest

from osce.answers import read_date, read_number, read_weeks_days
from osce.core.grades import Answer


def reading(answer: Answer) -> str:
    return answer.value if answer.value is not None else answer.status


NUMBERS = [
    ("12.5 mL/min", "12.5"), ("12.5mL/min", "12.5"), ("1,234.5", "1234.5"), ("1,234,567", "1234567"), ("≈ 3.4", "3.4"), ("~3.4", "3.4"), ("-2", "-2"), ("−2", "-2"), ("–2", "-2"), ("+2", "2"), ("3.4e-5", "0.000034"), ("3.4E5", "340000"), ("1.2 × 10^3", "1200"), ("1.2 x 10^3", "1200"), ("1.2 × 10³", "1200"), ("1.2 × 10⁻³", "0.0012"), (r"$1.2 \times 10^{3}$", "1200"), (r"1.2 \cdot 10^{-2}", "0.012"),
    ("7/10", "7"), ("7 / 10", "7"), ("25%", "25"), ("25 %", "25"), (r"\boxed{25.2}", "25.2"), (r"\boxed{25.2 \text{ mL/min}}", "25.2"), (r"\boxed{25.2\,\text{mL/min/1.73 m}^2}", "25.2"), (r"\boxed{1{,}200}", "1200"), (r"\boxed{\frac{1}{4}}", "0.25"), ("<answer>7 points</answer>", "7"), ("<answer>-3.2</answer>", "-3.2"), ("<answer>7", "7"), ('{"answer": 7.5}', "7.5"), ('{"answer": "7.5 mg"}', "7.5"), ('{"final_answer": -7}', "-7"),
    ("the score is 7", "7"), ("The score is 7.", "7"), ("Score: 7 points", "7"), ("The answer is 7 out of 10", "7"), ("The CHA2DS2-VASc score is 4.", "4"), ("The score is zero", "0"), ("The total is three points.", "3"), ("**Total: 6 points**", "6"), ("The score is 3 + 2 + 1 = 6 points.", "6"), ("Answer: -3.2 mEq/L", "-3.2"), ("Answer = 14.0", "14"), ("The final result is approximately **36.7** mL/min", "36.7"),
    ("CrCl = (140-45)*70/(72*1) = 92.4 mL/min", "92.4"), ("CrCl = (140 - 45) × 70 / (72 × 1) = 92.4 mL/min.\n", "92.4"), (r"$$\text{BMI} = \frac{70}{1.75^2} \approx 22.86$$", "22.86"), ("First 5 + 3 = 8.\nThen 8 * 2 = 16 mg", "16"), ("BMI = 70 / 3.06\n    = 22.86 kg/m2", "22.86"), ("The eGFR is 63 mL/min/1.73 m².", "63"), ("eGFR: 63 mL/min/1.73m^2", "63"), ("Therefore, the patient's creatinine clearance is approximately 36.7 mL/min.", "36.7"), ("Step 1: 5\nStep 2: 7\n\n**12**", "12"),
    ("12-15", "several"), ("12–15 mL", "several"), ("12 to 15 mL", "several"), ("between 12 and 15 mg", "several"), ("The answer is 12 or 15", "several"), (r"\boxed{12 - 15}", "several"), ("<answer>12 to 15</answer>", "several"), ("１２．５", "12.5"), ("12,5 mg", "12.5"), ("0,125", "0.125"), ("1.234,5", "1234.5"), ("12,345", "12345"), (".5", "0.5"), ("007", "7"), ("10.0", "10"), ("The answer is 7<|im_end|>", "7"), ("<think>12</think> 13", "13"), ("<think>The answer is 12", "unparsed"),
    ("Antwort: 12,5 mg", "12.5"), ("答案：12.5", "12.5"), ("La respuesta es 12.5", "12.5"), ("The corrected calcium is 9.8 mg/dL", "9.8"), ("9.8 mg/dL (corrected for an albumin of 3.2)", "9.8"), ("The answer is 7 (range 5 to 9).", "7"), ("It weighs 3 kg.\n\nAnswer: 5", "5"), ("The answer is not 7.", "unparsed"), ("The patient is 45 years old and weighs 70 kg.", "unparsed"), ("", "unparsed"), ("no figure here", "unparsed"), ("CHA2DS2", "unparsed"),
    ("I don't know", "abstained"), ("It cannot be determined.", "abstained"), ("<answer>I don't know</answer>", "abstained"), ("I'm sorry, but I can't help with that.", "refused"), ("9" * 500, "unparsed"), ("1e999999", "unparsed"),
]  # fmt: skip


@pytest.mark.parametrize(("response", "wanted"), NUMBERS)
def test_numbers(response: str, wanted: str) -> None:
    assert reading(read_number(response)) == wanted


DATES = [
    ("08/31/2023", "2023-08-31"), ("8/31/2023", "2023-08-31"), ("8/31/23", "2023-08-31"), ("31/08/2023", "2023-08-31"), ("08-31-2023", "2023-08-31"), ("08/07/2023", "2023-08-07"), ("08.07.2023", "2023-07-08"), ("31.08.2023", "2023-08-31"), ("2023-08-31", "2023-08-31"), ("2023/08/31", "2023-08-31"), ("2023-8-31", "2023-08-31"), ("31 August 2023", "2023-08-31"), ("31st August 2023", "2023-08-31"), ("the 31st of August, 2023", "2023-08-31"), ("August 31, 2023", "2023-08-31"), ("August 31st, 2023", "2023-08-31"), ("Aug 31, 2023", "2023-08-31"), ("Aug. 31 2023", "2023-08-31"), ("31-Aug-2023", "2023-08-31"), ("2023 August 31", "2023-08-31"),
    ("31 de agosto de 2023", "2023-08-31"), ("31 août 2023", "2023-08-31"), ("31. August 2023", "2023-08-31"), ("3. März 2023", "2023-03-03"), ("2023年8月31日", "2023-08-31"), ("2023년 8월 31일", "2023-08-31"), (r"\boxed{08/31/2023}", "2023-08-31"), (r"\boxed{\text{August 31, 2023}}", "2023-08-31"), ("<answer>08/31/2023</answer>", "2023-08-31"), ('{"answer": "2023-08-31"}', "2023-08-31"), ("Answer: 08/31/2023", "2023-08-31"), ("**08/31/2023**", "2023-08-31"),
    ("The last period was 11/24/2022. The due date is 08/31/2023.", "2023-08-31"), ("LMP 11/24/2022\nAdd 280 days\n\nThe estimated due date is August 31, 2023.", "2023-08-31"), ("The answer is 08/31/2023, counted from 11/24/2022.", "2023-08-31"), ("02/29/2024", "2024-02-29"), ("02/30/2023", "unparsed"), ("13/13/2023", "unparsed"), ("August 31", "unparsed"), ("", "unparsed"), ("between 08/30/2023 and 08/31/2023", "several"), ("08/30/2023 or 08/31/2023", "several"), ("I don't know", "abstained"), ("２０２３-０８-３１", "2023-08-31"),
]  # fmt: skip


@pytest.mark.parametrize(("response", "wanted"), DATES)
def test_dates(response: str, wanted: str) -> None:
    assert reading(read_date(response)) == wanted


def test_a_date_may_be_told_to_be_day_first() -> None:
    assert read_date("08/07/2023", day_first=True).value == "2023-07-08"


AGES = [
    ("(17 weeks, 4 days)", "17,4"), ("17 weeks, 4 days", "17,4"), ("17 weeks and 4 days", "17,4"), ("17 weeks 4 days", "17,4"), ("17w4d", "17,4"), ("17w 4d", "17,4"), ("17 wks 4 d", "17,4"), ("17+4", "17,4"), ("17 + 4", "17,4"), ("17+4 weeks", "17,4"), ("17 4/7 weeks", "17,4"), ("17+4/7", "17,4"), ("('17 weeks', '4 days')", "17,4"), ('("17 weeks", "4 days")', "17,4"), ("17 weeks", "17,0"), ("17 weeks, 0 days", "17,0"), ("0 weeks, 3 days", "0,3"), ("1 week and 1 day", "1,1"), ("3 days", "0,3"),
    (r"\boxed{17 weeks, 4 days}", "17,4"), (r"\boxed{\text{17 weeks and 4 days}}", "17,4"), ("<answer>(17 weeks, 4 days)</answer>", "17,4"), ("<answer>(17, 4)</answer>", "17,4"), ('{"answer": ["17 weeks", "4 days"]}', "17,4"), ('{"answer": {"weeks": 17, "days": 4}}', "17,4"), ('{"answer": "17w4d"}', "17,4"), ("The gestational age is 17 weeks and 4 days.", "17,4"), ("From 3 weeks and 2 days on.\n\nAnswer: 17 weeks and 4 days", "17,4"), ("17週4日", "17,4"), ("17 Wochen und 4 Tage", "17,4"), ("17 semanas y 4 días", "17,4"), ("17–4", "unparsed"), ("", "unparsed"), ("I don't know", "abstained"), ("16 weeks to 17 weeks", "several"),
]  # fmt: skip


@pytest.mark.parametrize(("response", "wanted"), AGES)
def test_weeks_and_days(response: str, wanted: str) -> None:
    assert reading(read_weeks_days(response)) == wanted


@pytest.mark.parametrize("read", [read_number, read_date, read_weeks_days])
def test_the_token_limit(read) -> None:  # type: ignore[no-untyped-def]
    assert read("Let us begin", truncated=True).status == "truncated"
    assert read("<think>12 weeks, 08/31/2023", truncated=True).status == "truncated"
    assert read("One step is 5 = 5. " * 40 + "Then 12 weeks or 08/31/2023 = 7", truncated=True).status == "truncated"


@pytest.mark.parametrize(
    ("response", "piece"), [("≈ ３.４ mg", "３.４"), ("The score is\u200b 7 points", "7"), ("Answer: −2", "−2")]
)
def test_spans_hold_what_was_read(response: str, piece: str) -> None:
    span = read_number(response).span
    assert span is not None
    assert response[slice(*span)] == piece
