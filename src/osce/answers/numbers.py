"""Reading a decimal number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from osce.answers.text import View
from osce.answers.values import Kind, Value, read
from osce.core.grades import Answer

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_POWER = (
    r"(?:\s{0,2}(?:[x×*·⋅]|\\times|\\cdot)\s{0,2}10\s?(?:(?:\^|\*\*)\s?[{(]?\s?(?P<exp>[-+−–]?\d{1,3})\s?[})]?"
    r"|(?P<sup>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})))?"
)
# Digits inside words (CHA2DS2, T4, m2), unit exponents and dates are no numbers: nothing that spells may touch them.
_NUMBER = re.compile(
    r"(?<![\w.^])(?:(?<![\d)\]])(?P<sign>[-+−–‐‑]))?"
    r"(?P<body>\d{1,3}(?:(?:,|\{,\})\d{3})+(?:\.\d+)?(?![\d,])|\d{1,3}(?:\.\d{3})+,\d+"
    r"|\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d ]\d)|\d+(?:[.,]\d+)?|\.\d+)"
    r"(?:e(?P<e>[-+−–]?\d{1,3})(?!\w))?" + _POWER
)
_FRACTION = re.compile(r"\\[dt]?frac\{(\d{1,12}(?:\.\d{1,12})?)\}\{(\d{1,12}(?:\.\d{1,12})?)\}")
_ATTACHED = re.compile(r"[-–]?[a-z_]")
_UNIT_BEFORE = re.compile(r"(?:/|per)\s?$")
_OUT_OF = re.compile(r"[ \t]?/[ \t]?\d+(?![\d.,]*\d)")
_DATE_LIKE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
          "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty")  # fmt: skip
_WORD = re.compile(r"\b(?:" + "|".join(_WORDS) + r")\b(?![- ](?:of|or|hundred|thousand|third|half|quarter|tenth))")
_RANGE = re.compile(
    r"[ \t]*(?:[a-z%°µμ/]{0,12}[ \t]*)?(?:-|–|−|—|\bto\b|\band\b|\bor\b|;|~|\bthrough\b|\by\b|\bbis\b|\bà\b"
    r"|\\text\{\s?to\s?\})[ \t]*(?:about |approximately )?"
)
MAX_DIGITS = 60


def find(view: View, start: int, end: int) -> Iterator[Value]:
    """The numbers in [start, end), in order; "7/10" is 7, "25 %" is 25; units' own digits are skipped."""
    low = view.low
    past = start
    for match in _NUMBER.finditer(low, start, end):
        if match.start() < past:
            continue
        fraction = _FRACTION.match(low, max(start, low.rfind("\\", max(start, match.start() - 8), match.start())), end)
        if fraction is not None and fraction.start() <= match.start() < fraction.end():
            past = fraction.end()
            divisor = Decimal(fraction.group(2))
            if divisor:
                yield Value(plain(Decimal(fraction.group(1)) / divisor), fraction.start(), fraction.end())
            continue
        value = _value(low, match, end)
        if value is None:
            continue
        out_of = _OUT_OF.match(low, match.end(), end)
        past = out_of.end() if out_of else match.end()
        yield value
    if past == start and low.find("e", start, end) >= 0:
        for word in _WORD.finditer(low, start, end):
            yield Value(str(_WORDS.index(word.group())), word.start(), word.end())


def _value(low: str, match: re.Match[str], end: int) -> Value | None:
    start, stop = match.start(), match.end()
    body = match.group("body")
    if len(body) > MAX_DIGITS or _UNIT_BEFORE.search(low[max(0, start - 5) : start]):
        return None
    if _ATTACHED.match(low, stop, end) and not _unit_attached(low, stop, end):
        return None
    if _DATE_LIKE.match(low, start, end) and low[stop : stop + 1] in "-/.":
        return None
    sign = match.group("sign") or ""
    if sign and low[start - 1 : start].isalnum():
        sign = ""
    number = _decimal(body)
    exponent = match.group("e") or match.group("exp") or (match.group("sup") or "").translate(_SUPERSCRIPTS)
    if number is None:
        return None
    if exponent:
        power = int(exponent.replace("−", "-").replace("–", "-"))
        if abs(power) > 60:
            return None
        number = number.scaleb(power)
    negative = sign not in ("", "+")
    return Value(plain(-number if negative else number), start + (1 if match.group("sign") and not sign else 0), stop)


_UNIT = re.compile(r"[a-z%]{1,6}(?:/[a-z0-9.]{1,8})*(?![a-z0-9])")


def _unit_attached(low: str, at: int, end: int) -> bool:
    """ "12.5mL", "3mg/dl", but not "2nd" or "45-year-old"."""
    unit = _UNIT.match(low, at, end)
    return (
        unit is not None
        and unit.group() not in ("st", "nd", "rd", "th", "x", "d", "e")
        and low[unit.end() : unit.end() + 1] != "-"
    )


def _decimal(body: str) -> Decimal | None:
    text = body.replace("{,}", ",").replace(" ", "")
    if "," in text:
        head, _, tail = text.rpartition(",")
        grouped = len(tail.partition(".")[0]) == 3 and "." not in head and head.lstrip("0") != "" and head != "0"
        text = text.replace(",", "") if grouped or "." in tail else head.replace(".", "").replace(",", "") + "." + tail
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def plain(number: Decimal) -> str:
    """A decimal without exponent and without trailing zeros."""
    if not number:
        return "0"
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


KIND = Kind(
    find=find,
    cues=(
        "answer",
        "result",
        "score",
        "value",
        "total",
        "respuesta",
        "réponse",
        "antwort",
        "resposta",
        "risposta",
        "答案",
        "答え",
        "정답",
        "ответ",
        "الجواب",
    ),
    range_joiner=_RANGE,
)


def read_number(response: str, *, truncated: bool = False) -> Answer:
    """The number that `response` commits to, as a plain decimal ("1234.5", "-2", "0.000034"); a range reads "several".

    A comma is a decimal sign only where it cannot group thousands ("12,5", "0,123", "1.234,5"); "7/10" reads 7; "25 %" reads 25.
    """
    return read(response, KIND, truncated=truncated)
