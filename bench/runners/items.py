"""The items that every harness is measured on: seeded multiple-choice questions of about 120 prompt tokens."""

from __future__ import annotations

from random import Random

FINDINGS = (
    "a fever of {} °C for {} days", "a heart rate of {} per minute at rest", "a haemoglobin of {} g/L", "a sodium of {} mmol/L",
    "pain that began {} hours ago", "a weight loss of {} kg in {} months", "a platelet count of {} × 10⁹/L", "a cough for {} weeks",
)  # fmt: skip
CHOICES = ("Observe and repeat the test", "Start an antibiotic", "Order an ultrasound scan", "Refer to a surgeon")


def make(n: int) -> list[dict[str, str]]:
    """n items: id, question, A to D, answer."""
    rng = Random(20261201)
    items = []
    for number in range(n):
        told = "; ".join(f.format(rng.randint(2, 140), rng.randint(2, 20)) for f in rng.sample(FINDINGS, 5))
        question = (
            f"Patient {number} is {rng.randint(20, 90)} years old and reports {told}. The examination is otherwise normal, there is no "
            "known allergy and no regular medication. Which of the following is the best next step?"
        )
        options = dict(zip("ABCD", rng.sample(CHOICES, 4), strict=True))
        items.append({"id": f"q{number}", "question": question, **options, "answer": "ABCD"[number % 4]})
    return items


def prompt(item: dict[str, str]) -> str:
    """The same words for every harness."""
    listed = "\n".join(f"{label}. {item[label]}" for label in "ABCD")
    return f"{item['question']}\n{listed}\nGive the letter of the best option in the form <answer>X</answer>."
