"""Weaker commitments in words: "B is correct", "the most likely diagnosis is B", "it is B"."""

from __future__ import annotations

import re

from osce.answers import phrases
from osce.answers.cues import ends_clause, last, plainly_named, whole_word
from osce.answers.options import Options
from osce.answers.resolve import Reading, hypothetical, words_before
from osce.answers.stated import corrected
from osce.answers.subject import predicate_at
from osce.answers.text import View
from osce.answers.walk import forward

WEAK_REACH = 2500
"""Between the first and the last so many characters, "B is likely" is a step of the argument and no commitment."""


_PLAIN = (
    "it is",
    "it's",
    "must be",
    "should be",
    "therefore",
    "thus",
    "hence",
    "so ",
    "so, ",
    "would be",
    "that is",
    "i'd say",
    "i say",
    "my guess",
    "probably",
    "likely",
    "left with",
    "leaves",
    "leaving",
    "elimination",
    "only",
    "could be",
    "may be",
    "might be",
    "between",
)


_HEDGES = frozenset(("could be", "may be", "might be", "between"))


_AS_ANSWER = re.compile(r"[)*]* (?:as (?:the|my|our)\b|remains?\b|is left\b|fits?\b|applies\b|it is\b)")


def weaker(view: View, options: Options, start: int, end: int) -> Reading | None:
    """The last option that is called correct, best or likely, or named as the diagnosis, the next step and the like.

    Looked for at the end of a long response, then at its beginning (some state it and lose their thread afterwards).
    """
    found = _weaker(view, options, max(start, end - WEAK_REACH), end)
    if found is None and end - start > WEAK_REACH:
        found = _weaker(view, options, start, min(start + WEAK_REACH, end - WEAK_REACH))
    return found


def _weaker(view: View, options: Options, start: int, end: int) -> Reading | None:
    things = last(view, options, start, end, phrases.THINGS, _thing_at)
    declared = last(view, options, things.end if things is not None else start, end, phrases.PREDICATES, predicate_at)
    so_far = declared or things
    plain = last(view, options, so_far.end if so_far is not None else start, end, _PLAIN, _plain_at)
    best = plain or so_far
    return corrected(view, options, best, end) if best is not None else None


def _thing_at(view: View, options: Options, cue: str, at: int, start: int, end: int) -> Reading | None:
    low = view.low
    stop = whole_word(low, at, cue)
    if stop is None:
        return None
    before = words_before(low, at, start)
    if not phrases.THING_QUALIFIERS.intersection(before[-4:]) or hypothetical(before):
        return None
    if {"less", "least", "wrong", "second", "another", "other"}.intersection(before[-4:]) and "least" not in before:
        return None
    return forward(view, options, stop, end, needs_link=True)


def _plain_at(view: View, options: Options, cue: str, at: int, start: int, end: int) -> Reading | None:
    """ "It is B.", "Therefore, C": nothing between the words and a label that ends the clause."""
    low = view.low
    before = low[at - 1 : at]
    if before.isalpha():
        return None
    if hypothetical(words_before(low, at, start)):
        return None
    found, position = plainly_named(view, options, at + len(cue.rstrip()), end)
    if position >= end:
        return None
    if found is None and low.startswith("not ", position):
        return forward(view, options, position, end, linked=True)
    if found is None or (found.by_text and not ends_clause(low, found.end, end)):
        found = options.all_at(view, position, end)
        if found is None or not _AS_ANSWER.match(low, found.end, end):
            return None
        return Reading("labels", found.labels, found.start, found.end)
    if cue in _HEDGES and len(found.labels) == 1:
        return None
    if not ends_clause(low, found.end, end) and not options.own_text_follows(view, found.labels[-1], found.end):
        return None
    return Reading("labels", found.labels, found.start, found.end)
