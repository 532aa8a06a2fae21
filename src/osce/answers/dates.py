"""Reading a calendar date, and an age in weeks and days."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import partial

from osce.answers.text import View
from osce.answers.values import Kind, Value, read
from osce.core.grades import Answer

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan enero janvier januar gennaio janeiro januari ene januar",
            "february feb febrero février fevrier februar febbraio fevereiro fev",
            "march mar marzo mars märz marz março marco mär",
            "april apr abril avril aprile abr avr",
            "may mayo mai maggio maio",
            "june jun junio juin juni giugno junho",
            "july jul julio juillet juli luglio julho",
            "august aug agosto août aout ago",
            "september sept sep septiembre septembre settembre setembro",
            "october oct octubre octobre oktober ottobre outubro okt out",
            "november nov noviembre novembre novembro",
            "december dec diciembre décembre decembre dezember dicembre dezembro dez dic",
        ),
        1,
    )
    for name in names.split()
}
_NAME = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + ")"
_ISO = re.compile(r"(?<!\d)(\d{4})\s?(?:[-/.‐‑–−年]|년)\s?(\d{1,2})\s?(?:[-/.‐‑–−月]|월)\s?(\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})\s?([-/.‐‑–−])\s?(\d{1,2})\s?[-/.‐‑–−]\s?(\d{4}|\d{2})(?![\d/-])")
_DAY_FIRST = re.compile(
    rf"(?<![\d\w])(\d{{1,2}})(?:st|nd|rd|th|er|º|°|\.)?[\s-]{{0,3}}(?:of |de |del )?({_NAME})\.?,?(?:\s{{1,3}}|-"
    rf"|\s?,\s?)(?:de |of |del )?(\d{{4}})(?!\d)"
)
_MONTH_FIRST = re.compile(
    rf"\b({_NAME})\.?[\s-]{{1,3}}(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?,?[\s-]{{1,3}}(?:of )?(\d{{4}})(?!\d)"
)
_YEAR_FIRST = re.compile(rf"(?<!\d)(\d{{4}})[\s,-]{{1,3}}({_NAME})\.?[\s-]{{1,3}}(\d{{1,2}})(?:st|nd|rd|th)?(?!\d)")
_BETWEEN = re.compile(r"\s*(?:-|–|—|to|and|or|through|until)\s*")


def _dates(day_first: bool, view: View, start: int, end: int) -> Iterator[Value]:
    low = view.low
    found: list[Value] = []
    for match in _ISO.finditer(low, start, end):
        _add(found, match, match.group(1), match.group(2), match.group(3))
    for match in _NUMERIC.finditer(low, start, end):
        first, second = match.group(1), match.group(3)
        swap = day_first or match.group(2) == "."  # dots are the European writing
        if int(first) > 12:
            swap = True
        elif int(second) > 12:
            swap = False
        day, month = (first, second) if swap else (second, first)
        _add(found, match, match.group(4), month, day)
    for pattern, (year, month, day) in ((_DAY_FIRST, (3, 2, 1)), (_MONTH_FIRST, (3, 1, 2)), (_YEAR_FIRST, (1, 2, 3))):
        for match in pattern.finditer(low, start, end):
            _add(found, match, match.group(year), str(_MONTHS[match.group(month)]), match.group(day))
    found.sort(key=lambda value: (value.start, -value.end))
    past = start
    for value in found:
        if value.start >= past:
            past = value.end
            yield value


def _add(found: list[Value], match: re.Match[str], year: str, month: str, day: str) -> None:
    number = int(year)
    if len(year) == 2:
        number += 2000 if number < 70 else 1900
    try:
        found.append(Value(date(number, int(month), int(day)).isoformat(), match.start(), match.end()))
    except ValueError:
        return  # 31 February is no date


_DATE_CUES = ("answer", "date", "edd", "edc", "result", "due", "delivery", "respuesta", "réponse", "antwort", "答案", "ответ")
_US = Kind(find=partial(_dates, False), cues=_DATE_CUES, range_joiner=_BETWEEN)
_EUROPE = Kind(find=partial(_dates, True), cues=_DATE_CUES, range_joiner=_BETWEEN)


def read_date(response: str, *, truncated: bool = False, day_first: bool = False) -> Answer:
    """The date that `response` commits to, as YYYY-MM-DD.

    08/07/2023 is read month first (the writing of MedCalc-Bench's authors) unless `day_first`; 08.07.2023 is day first.
    """
    return read(response, _EUROPE if day_first else _US, truncated=truncated)


_W = r"(?:weeks?|wks?|wk|w|semanas?|semaines?|wochen?|settimane?|недел[ьяи]|周|週|주)"
_D = r"(?:days?|d|días?|dias?|jours?|tagen?|tage?|giorni|дн(?:ей|я)|день|天|日|일)"
_WEEKS_DAYS = re.compile(
    rf"(?<![\w.])(\d{{1,3}})\s{{0,3}}-?{_W}\b[\s,'\"();&+-]{{0,8}}(?:(?:and|y|et|und|e|plus"
    rf"|и)\s{{1,2}})?[\s'\"(]{{0,3}}(\d{{1,3}})\s{{0,3}}-?{_D}(?![a-z])"
    rf"|(?<![\w.])(\d{{1,3}})\s?(?:w|周|週|주)\s?(\d{{1,2}})\s?(?:d|天|日|일)(?![a-z])"
)
_PLUS = re.compile(r"(?<![\w.])(\d{1,2})\s?\+\s?([0-6])(?![\d.])(?:\s{0,2}(?:/\s?7|weeks?|wks?|w\b))?")
_SEVENTHS = re.compile(r"(?<![\w.])(\d{1,2})(?:\s{1,2}|\s?\+\s?|\s?-\s?|\s?and\s)([0-6])\s?/\s?7(?!\d)")
_LABELLED = re.compile(
    r"weeks?['\"]?\s{0,3}[:=]\s{0,3}['\"]?(\d{1,3})\b[\s\S]{0,12}?\bdays?['\"]?\s{0,3}[:=]\s{0,3}['\"]?(\d{1,3})\b"
)
_PAIR = re.compile(r"^[\s('\"\[]*(\d{1,2})\s{0,2},\s{0,2}([0-6])[\s)'\"\]]*$")
_WEEKS_ONLY = re.compile(rf"(?<![\w.])(\d{{1,3}})\s{{0,3}}-?{_W}(?![a-z])")
_DAYS_ONLY = re.compile(rf"(?<![\w.])(\d{{1,3}})\s{{0,3}}-?{_D}(?![a-z])")


def _ages(view: View, start: int, end: int) -> Iterator[Value]:
    low = view.low
    found: list[Value] = []
    for pattern in (_WEEKS_DAYS, _PLUS, _SEVENTHS, _LABELLED):
        for match in pattern.finditer(low, start, end):
            weeks, days = (group for group in match.groups() if group is not None)
            found.append(Value(f"{int(weeks)},{int(days)}", match.start(), match.end()))
    if not found and end - start <= 40:
        pair = _PAIR.match(low[start:end])
        if pair is not None:
            found.append(Value(f"{int(pair.group(1))},{int(pair.group(2))}", start, end))
    for pattern, form in ((_WEEKS_ONLY, "{},0"), (_DAYS_ONLY, "0,{}")):
        for match in pattern.finditer(low, start, end):
            found.append(Value(form.format(int(match.group(1))), match.start(), match.end()))
    found.sort(key=lambda value: (value.start, -value.end))
    past = start
    for value in found:
        if value.start >= past:
            past = value.end
            yield value


_AGE = Kind(
    find=_ages,
    cues=("answer", "age", "result", "gestation", "respuesta", "antwort", "réponse", "答案", "ответ"),
    range_joiner=_BETWEEN,
)


def read_weeks_days(response: str, *, truncated: bool = False) -> Answer:
    """The gestational age that `response` commits to, as "weeks,days" ("17,4"); weeks alone have 0 days."""
    return read(response, _AGE, truncated=truncated)
