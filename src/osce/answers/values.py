"""Numbers, dates and gestational ages out of a response. As with choices: the most explicit place, the last statement, no gold."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import TypeAlias

from osce.answers.outside import abstains, refuses
from osce.answers.places import boxes, fields, tags
from osce.answers.text import readable
from osce.core.grades import Answer

Span: TypeAlias = tuple[int, int]
Found: TypeAlias = tuple[str | None, int, int]
"""(value in canonical form, or None for several, start, end)."""
Finder: TypeAlias = Callable[[str, int, int], Found | None]

_NUMBER = re.compile(
    r"(?<![\w.])(?P<sign>[-+](?=[\d.]))?(?P<body>\d{1,3}(?:[,\u2009\u202f' ]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)"
    r"(?:\s*(?:[x×*·]|\\times|\\cdot)\s*10\s*\^?\s*\{?(?P<power>[-+]?\d{1,3})\}?|[eE](?P<e>[-+]?\d{1,3}))?(?![\d])"
)
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_RANGE = re.compile(r"\s*(?:-|–|—|to|or|and)\s*$", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:answer|result|score|value|total|final|respuesta|antwort|réponse|ответ|答案)s?\b[^.\n\d]{0,80}?(?:\bis\b|\bare\b|[:=≈~]|\bof\b|\bequals\b|是|为)|"
    r"\b(?:is|equals|approximately|about|roughly|be)\b|[=≈]",
    re.IGNORECASE,
)
_ANSWER_WORD = re.compile(r"\b(?:answer|final|result|therefore|thus|hence|so)\b", re.IGNORECASE)
_MONTHS = {
    name: number
    for number, names in enumerate(
        [
            "jan january",
            "feb february",
            "mar march",
            "apr april",
            "may",
            "jun june",
            "jul july",
            "aug august",
            "sep sept september",
            "oct october",
            "nov november",
            "dec december",
        ],
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = re.compile(r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)")
_SLASHED = re.compile(r"(?<!\d)(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})[-/.](?P<y>\d{4}|\d{2})(?!\d)")
_DAY_MONTH = re.compile(
    rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?[\s-]+(?P<m>{_MONTH})\.?,?[\s-]+(?P<y>\d{{4}})(?!\d)", re.IGNORECASE
)
_MONTH_DAY = re.compile(rf"\b(?P<m>{_MONTH})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})(?!\d)", re.IGNORECASE)
_WEEKS = re.compile(
    r"(?<![\d.])(?P<w>\d{1,2})\s*(?:weeks?|wks?|w)\b['\")\]]*\s*(?:,|and|&|\+|plus)?\s*(?:and\s*)?['\"(\[]*(?P<d>\d{1,3})\s*(?:days?|d)\b|"
    r"(?<![\d./])(?P<w2>\d{1,2})\s*\+\s*(?P<d2>\d)(?!\d)|(?<![\d.])(?P<w3>\d{1,2})\s+(?P<d3>[0-6])/7\b|"
    r"\(\s*['\"]?(?P<w4>\d{1,2})['\"]?\s*,\s*['\"]?(?P<d4>\d)['\"]?\s*\)",
    re.IGNORECASE,
)
_WEEKS_ONLY = re.compile(r"(?<![\d.])(?P<w>\d{1,2})\s*(?:weeks?|wks?|w)\b(?!\s*(?:,|and|&|\+)?\s*\d)", re.IGNORECASE)


def read_number(response: str, *, truncated: bool = False) -> Answer:
    """A decimal number, without its unit; `value` is its canonical text (`repr` of a float, or of an int where it is one)."""
    return _read(response, _number_in, truncated)


def read_date(response: str, *, truncated: bool = False) -> Answer:
    """A calendar day; `value` is ISO 8601. Slashed dates are month first, as MedCalc-Bench has them, unless that cannot be."""
    return _read(response, _date_in, truncated)


def read_weeks_days(response: str, *, truncated: bool = False) -> Answer:
    """Weeks and days; `value` is "weeks,days" with days 0 to 6."""
    return _read(response, _weeks_in, truncated)


def _read(response: str, find: Finder, truncated: bool) -> Answer:
    page = readable(response)
    text, start, end = page.text, page.start, len(page.text)
    for how, places in (("tag", tags(text, start)), ("boxed", boxes(text, start)), ("json", fields(text, start))):
        for low, high in reversed(places):
            found = find(text, low, high)
            if found is not None:
                return _answer(found, how, page.span(found[1], found[2]))
            if (said := _nothing_said(text[low:high])) is not None:
                return said
    abstention = _nothing_said(text[start:end]) if end - start <= 300 else None
    if abstention is not None and not any(c.isdigit() for c in text[start:end]):
        return abstention
    found = None if truncated and end - start > 60 else _stated(text, start, end, find)
    if found is not None:
        return _answer(found, "stated", page.span(found[1], found[2]))
    if abstention is not None:
        return abstention
    if truncated:
        return Answer(status="truncated", how="token limit hit before an answer")
    return _nothing_said(text[start:]) or Answer(
        status="unparsed", how="reasoning never ended" if page.unclosed else "no value found"
    )


def _answer(found: Found, how: str, span: Span) -> Answer:
    if found[0] is None:
        return Answer(status="several", how=how, span=span)
    return Answer(status="answered", value=found[0], how=how, span=span)


def _nothing_said(text: str) -> Answer | None:
    if abstains(text) is not None:
        return Answer(status="abstained", how="abstention")
    if refuses(text) is not None:
        return Answer(status="refused", how="refusal")
    return None


def _stated(text: str, start: int, end: int, find: Finder) -> Found | None:
    """In the last line that says "answer", else in the last line that holds a value: the last value behind a lead."""
    lines = []
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        if text[at:stop].strip():
            lines.append((at, stop))
        at = stop + 1
    naming = [line for line in lines if _ANSWER_WORD.search(text, *line)]
    for low, high in [*reversed(naming[-3:]), *reversed(lines[-6:])]:
        found = find(text, low, high)
        if found is not None:
            return found
    return None


# --- numbers --------------------------------------------------------------------------------------------------------------


def _number_in(text: str, low: int, high: int) -> Found | None:
    """The last number of a passage that stands behind a lead ("is", "="), else its only number, else the last after "="."""
    numbers = [m for m in _NUMBER.finditer(text, low, high) if not _is_part_of_a_name(text, m)]
    if not numbers:
        return None
    leads = [m.end() for m in _LEAD.finditer(text, low, high)]
    behind = [m for m in numbers if any(e <= m.start() <= e + 24 and not _NUMBER.search(text, e, m.start()) for e in leads)]
    chosen = behind[-1] if behind else numbers[-1] if _is_alone(text, low, high, numbers) else numbers[0]
    if not behind and len(numbers) > 1 and not _is_alone(text, low, high, numbers):
        return None
    after = next((m for m in numbers if m.start() >= chosen.end()), None)
    if after is not None and _RANGE.fullmatch(text[chosen.end() : after.start()].replace("%", "")) is not None:
        return (None, chosen.start(), after.end())
    value = _value(chosen)
    return (value, chosen.start(), chosen.end()) if value is not None else None


def _is_alone(text: str, low: int, high: int, numbers: list[re.Match[str]]) -> bool:
    """One number, with at most a unit's own digits behind it ("25.2 mL/min/1.73 m²")."""
    if len(numbers) == 1:
        return True
    rest = text[numbers[0].end() : high]
    return (
        numbers[0].start() - low <= 40 and len(numbers) == 2 and "/" in rest and numbers[1].group() in ("1.73", "2", "3", "24")
    )


def _is_part_of_a_name(text: str, found: re.Match[str]) -> bool:
    """Digits that belong to a unit or a name: "/1.73 m²", "CO2", "step 3:"."""
    before = text[max(0, found.start() - 6) : found.start()]
    if before.endswith("/") and found.group() in ("1.73", "100", "1000", "24"):
        return True
    return bool(re.search(r"[A-Za-z]-$|\bstep\s$|[#^_{]$", before, re.IGNORECASE))


def _value(found: re.Match[str]) -> str | None:
    body = found["body"]
    if re.fullmatch(r"\d{1,3}(?:[,\u2009\u202f' ]\d{3})+(?:\.\d+)?", body):
        body = re.sub(r"[,\u2009\u202f' ]", "", body)
    else:
        body = body.replace(",", ".")
    exponent = found["power"] or found["e"] or ""
    try:
        number = float(f"{found['sign'] or ''}{body}{'e' + exponent if exponent else ''}")
    except (ValueError, OverflowError):
        return None
    if number in (float("inf"), float("-inf")):
        return None
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


# --- dates and gestational ages -------------------------------------------------------------------------------------------


def _date_in(text: str, low: int, high: int) -> Found | None:
    """The last valid date of a passage."""
    best: Found | None = None
    for pattern in (_ISO, _SLASHED, _DAY_MONTH, _MONTH_DAY):
        for m in pattern.finditer(text, low, high):
            day = _day(m)
            if day is not None and (best is None or m.start() >= best[1]):
                best = (day.isoformat(), m.start(), m.end())
    return best


def _day(m: re.Match[str]) -> date | None:
    parts = m.groupdict()
    year = int(parts["y"])
    year += 2000 if year < 100 else 0
    if "a" in parts:
        month, day = int(parts["a"]), int(parts["b"])
        if month > 12:
            month, day = day, month
    else:
        month = int(parts["m"]) if parts["m"].isdigit() else _MONTHS[parts["m"].lower()]
        day = int(parts["d"])
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _weeks_in(text: str, low: int, high: int) -> Found | None:
    """The last "W weeks D days" of a passage; weeks alone mean no days."""
    found = list(_WEEKS.finditer(text, low, high))
    if found:
        m = found[-1]
        weeks = int(next(m[k] for k in ("w", "w2", "w3", "w4") if m[k] is not None))
        days = int(next(m[k] for k in ("d", "d2", "d3", "d4") if m[k] is not None))
        return (f"{weeks + days // 7},{days % 7}", m.start(), m.end())
    only = list(_WEEKS_ONLY.finditer(text, low, high))
    return (f"{int(only[-1]['w'])},0", only[-1].start(), only[-1].end()) if only else None
