"""Commitments in words: "the answer is B", "I would choose B", in the languages of `phrases`; and their corrections."""

# ruff: noqa: SIM905 (word lists read better as words)
from __future__ import annotations

import re
from collections.abc import Iterator

from osce.answers import phrases
from osce.answers.cues import TRIES, ends_clause, last, plainly_named, whole_word
from osce.answers.options import Options
from osce.answers.resolve import Reading, hypothetical, words_before
from osce.answers.subject import backward, predicate_at
from osce.answers.text import View, fold
from osce.answers.walk import clinched, forward

SAID_REACH = 5000
"""Further from the end than this, "I would choose B" is a step of the argument."""
_LATER_CUES = (
    *phrases.ANSWER_NOUNS_ASCII,
    *phrases.CHOICE_NOUNS,
    *phrases.SAYERS,
    *phrases.CORRECTIONS,
    *phrases.ANSWER_NOUNS_OTHER,
)
_ANY_CUE = re.compile(
    "|".join(
        (
            r"\b(?:" + "|".join(re.escape(c) for c in _LATER_CUES if c.isascii()) + ")",
            *(re.escape(c) for c in _LATER_CUES if not c.isascii()),
        )
    )
)
_FRESH = frozenset((". the ", "\n\nthe ", ".\nthe "))  # a sentence begins, so no word before it denies or supposes
_NOUNS_ALL = phrases.ANSWER_NOUNS_ASCII + phrases.CHOICE_NOUNS + tuple(map(fold, phrases.ANSWER_NOUNS_OTHER))


_NUMBERED_ANSWER = re.compile(r"[ \t]*\d{1,2}[.)] (?:the )?(?:correct |best )?answer")


_DENYING_BEFORE = (["wrong"], ["incorrect"], ["other"])


_BEHIND = re.compile(r"(?: [^\W\d_]+){1,4}")


_LINKED_CUES = frozenset("은는は:选選择擇")  # cues that hold their link, or are verbs


_ANSWER_TAIL = re.compile(r"(?:[ _-](?:choice|option|letter|key|label)(?![a-z]))+(?:\s?\(s\))?")


_PLURAL = re.compile(r"[ _-]?(?:choices|options)")


_SPEAKERS = frozenset("i we you i'd i'll i'm we'd we'll let's therefore so thus hence must".split())


def commitments(view: View, options: Options, start: int, end: int) -> Reading | None:
    """The last answer stated outright in [start, end)."""
    low = view.low
    at = low.rfind("answer", start, end)
    if at >= 0:
        found = clinched(view, options, at + 6, end)
        fresh = low[at - 6 : at] in _FRESH and not low[at - 7 : at - 6].isdigit()
        if found is not None and (fresh or _strong_at(view, options, "answer", at, start, end) == found):
            return found  # the response ends in "The answer is (B).": the common case
    best = last(view, options, start, end, ("answer",), _strong_at) if at >= 0 else None
    if (
        best is not None
        and len(best.labels) == 1
        and (end - best.end < 3 or (end - best.end < 400 and _ANY_CUE.search(low, best.end, end) is None))
    ):
        return best  # nothing behind it that could commit to another: the common case
    tail = best.start + 1 if best is not None else start
    if low.isascii():
        # English text is not searched for other languages' words but where answers stand.
        reach = max(tail, end - SAID_REACH // 2) if " the " in low else tail
        best = last(view, options, tail, end, phrases.CHOICE_NOUNS, _strong_at) or best
        best = (
            last(view, options, best.start + 1 if best is not None else reach, end, phrases.ANSWER_NOUNS_ASCII, _strong_at)
            or best
        )
    else:
        best = last(view, options, tail, end, _NOUNS_ALL, _strong_at) or best
    tail = max(best.end if best is not None else start, end - SAID_REACH)
    best = last(view, options, tail, end, phrases.SAYERS, _sayer_at) or best
    if best is not None:
        best = corrected(view, options, best, end)
    return best


def _strong_at(view: View, options: Options, cue: str, at: int, start: int, end: int) -> Reading | None:
    low = view.low
    stop = whole_word(low, at, cue)
    if stop is not None and cue == "ans" and low[stop : stop + 1] == ".":
        stop += 1
    if stop is None or _PLURAL.match(low, stop):
        return None
    before = words_before(low, at, start)
    last = before[-1] if before else ""
    if cue in phrases.CHOICE_NOUNS:
        at_line_start = not low[max(start, low.rfind("\n", start, at), low.rfind(". ", start, at) + 1) : at].strip(" \n*#_>-(.")
        behind = _BEHIND.match(low, stop, stop + 60)  # "la opción correcta", "the option that best fits"
        chosen = phrases.CHOOSERS.intersection(before[-3:]) or (
            behind is not None and phrases.CHOOSERS.intersection(behind.group().split()[:4])
        )
        if not at_line_start and not chosen:
            return None
        if at_line_start and not chosen and not re.match(r"\**\s?(?::|is\b|=)", low[stop : stop + 8]):
            return None
    if last in phrases.EXCEPTED_BEFORE or before[-2:-1] in _DENYING_BEFORE or hypothetical(before):
        return None
    if _one_of_several_questions(low, at, start, end):
        return None
    tail = _ANSWER_TAIL.match(low, stop)
    if tail is not None:
        stop = tail.end()
    ahead = forward(view, options, stop, end, linked=cue[-1] in _LINKED_CUES)
    if ahead is not None:
        return ahead
    return backward(view, options, at, start, noun=cue.isascii())


def _one_of_several_questions(low: str, at: int, start: int, end: int) -> bool:
    """ "1. The answer is (J). 2. The answer is (G).": the questions of a prompt's examples answered one by one."""
    line = low.rfind("\n", start, at) + 1
    if not _NUMBERED_ANSWER.match(low, line, at + 6):
        return False
    before = low.rfind("\n", start, max(start, line - 1)) + 1
    after = low.find("\n", at, end) + 1
    return bool(_NUMBERED_ANSWER.match(low, before, line) or (after and _NUMBERED_ANSWER.match(low, after, end)))


def _sayer_at(view: View, options: Options, cue: str, at: int, start: int, end: int) -> Reading | None:
    """ "I would choose B", "so choose B": the speaker or the beginning of a clause stands before the verb."""
    low = view.low
    if whole_word(low, at, cue) is None:
        return None
    before = words_before(low, at, start)
    if hypothetical(before) or "to" in before[-1:]:
        return None
    if before and not _SPEAKERS.intersection(before[-5:]):
        return None  # "many would choose A"
    return forward(view, options, at + len(cue), end, linked=True)


def corrected(view: View, options: Options, best: Reading, end: int) -> Reading:
    """A later "wait, actually C" replaces an earlier statement; "A or B, but B is more likely" chooses between several."""
    for found in _corrections(view, options, best.end, end):
        best = found
    if len(best.labels) > 1:
        choice = last(view, options, best.end, end, phrases.PREDICATES, predicate_at)
        if choice is not None and len(choice.labels) == 1 and choice.labels[0] in best.labels:
            return choice
    return best


def _corrections(view: View, options: Options, start: int, end: int) -> Iterator[Reading]:
    low = view.low
    found: list[Reading] = []
    for cue in phrases.CORRECTIONS:
        at = low.find(cue, start, end)
        tries = 0
        while at >= 0 and tries < TRIES:
            tries += 1
            if not low[at - 1 : at].isalpha():
                named, _ = plainly_named(view, options, _past_more(low, at + len(cue), end), end)
                if named is not None and ends_clause(low, named.end, end):
                    found.append(Reading("labels", named.labels, named.start, named.end))
            at = low.find(cue, at + 1, end)
    yield from sorted(found, key=lambda reading: reading.start)


_MORE = re.compile(
    r"(?:[\s,.:*_(-]|(?:actually|option|no|wait|it|it's|is|rather|instead|should|be|the|answer|option|correct|i|mean"
    r"|to)(?![a-z']))*"
)


def _past_more(low: str, at: int, end: int) -> int:
    match = _MORE.match(low, at, min(end, at + 80))
    return match.end() if match else at
