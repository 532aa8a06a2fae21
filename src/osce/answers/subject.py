"""Backwards from a predicate to its subject: "B" ... "would be the best answer"."""

# ruff: noqa: SIM905 (word lists read better as words)
from __future__ import annotations

import re

from osce.answers import phrases
from osce.answers.cues import WINDOW, whole_word
from osce.answers.options import TOKEN, Options
from osce.answers.resolve import Reading
from osce.answers.text import View

# One of these must stand close before a predicate; the cheap look before the long one.
_NEAR_LINKS = (
    ":",
    " is",
    " be ",
    " are ",
    " remains ",
    "seem",
    " es ",
    " est ",
    " ist ",
    " è ",
    " é ",
    "が",
    "是",
    "はい",
    "явля",
    "가 ",
    "은 ",
    "는 ",
    " это",
)
_ON_CONDITION = re.compile(r"(?: \w+){0,4},? (?:if|in case|were|only when|unless)\b")


_NOUN_PREDICATES = frozenset(("answer", "choice", "option", "diagnosis", "step"))


_DEFINITE = frozenset("the my our la el die das le il der den первый 正 的 est è é".split())


_CLAUSE_TURNS = (
    " but ",
    ", although ",
    ", whereas ",
    ", while ",
    "however, ",
    ", so ",
    "therefore, ",
    "actually, ",
    " because ",
    " since ",
)


_PREDICATE_OTHER = frozenset(
    """bonne juste richtige korrekte correcta corretta correta melhor mejor meilleure giusta la el o die der il l' le das
    правильный верный правильная 确 正 的""".split()
)


_SUBJECT_LEADS = frozenset(
    """選 択 肢 选 项 項 答 案 letter respuesta resposta risposta ответ вариант alternativa opzione opção therefore thus hence so
    option choice answer but and that then of these those the options choices i think believe would say based on this
    both overall in conclusion as result it follows finally only among although while however since because la opción l'option
    die antwort réponse""".split()
)


def predicate_at(view: View, options: Options, cue: str, at: int, start: int, end: int) -> Reading | None:
    stop = whole_word(view.low, at, cue)
    near = view.low[max(start, at - 80) : at]
    if not any(link in near for link in _NEAR_LINKS):
        return None
    if stop is None or _ON_CONDITION.match(view.low, stop, min(end, stop + 60)):
        return None
    return backward(view, options, at, start, noun=cue in _NOUN_PREDICATES)


def backward(view: View, options: Options, at: int, start: int, *, noun: bool = True) -> Reading | None:
    """ "B is the correct answer": from the predicate back over the link to a subject that is a label or an option's text."""
    low = view.low
    begin = max(start, at - WINDOW)
    window = low[begin:at]
    cut = max(window.rfind(mark) for mark in ("\n", "! ", "? ", "; ", "。"))
    dot = _last_sentence_dot(window)
    turn = max(window.rfind(word) + len(word) - 1 if word in window else -1 for word in _CLAUSE_TURNS)
    begin += max(cut, dot, turn) + 1
    tokens = list(TOKEN.finditer(low, begin, at))
    k = len(tokens) - 1
    while k >= 0 and (
        tokens[k].group() in phrases.PREDICATE_WORDS
        or tokens[k].group() in phrases.ARTICLES
        or tokens[k].group()[0] in "*_-"
        or tokens[k].group() in _PREDICATE_OTHER
    ):
        k -= 1
    if k < 0:
        return None
    said = {token.group() for token in tokens[k + 1 :]}
    if (noun and not said & (phrases.CHOOSERS | _DEFINITE)) or (
        "option" not in said and said & {"a", "an"} and not said & phrases.CHOOSERS
    ):
        return None  # "B is an option"
    link = tokens[k].group()
    if link in ("be", "seem", "appear") and k >= 1:
        k -= 1
        while k >= 1 and tokens[k].group() in ("to", "therefore", "thus", "most", "likely"):
            k -= 1
        link = tokens[k].group()
        if link not in phrases.LINKS_WEAK:
            return None
    elif link not in phrases.LINKS:
        return None
    subject_end = tokens[k].start()
    return _subject(view, options, begin, subject_end)


def _last_sentence_dot(window: str) -> int:
    """Where the last sentence of `window` begins; the dot of "B. " is no end."""
    at = window.rfind(". ")
    while at >= 0:
        word_start = max(window.rfind(" ", 0, at), window.rfind("\n", 0, at), window.rfind("(", 0, at)) + 1
        if at - word_start > 1 or (at - word_start == 1 and window[word_start].isdigit() and word_start):
            return at + 1
        at = window.rfind(". ", 0, at)
    return -1


def _subject(view: View, options: Options, begin: int, end: int) -> Reading | None:
    """The labels that make up the whole of [begin, end), behind words like "therefore, option"."""
    low = view.low
    position = begin
    while position < end:
        token = TOKEN.search(low, position, end)
        if token is None:
            return None
        word = token.group()
        found = options.all_at(view, token.start(), end)
        if found is not None and found.end <= end:
            rest_at = found.end
            if not found.by_text and options.own_text_follows(view, found.labels[-1], found.end):
                rest_at = options.past_own_text(view, found.labels[-1], found.end)
            if rest_at > end:
                return None  # the predicate is a word of the option's own text
            rest = low[rest_at:end].strip(" \t\n*_`)]}\"'.,:(选项項")
            if not rest:
                return Reading("labels", found.labels, found.start, found.end)
            inner = _tail_label(view, options, rest_at, end)
            if inner is not None and inner.labels == found.labels:
                return inner
            if found.by_text or low[found.end : found.end + 1] not in ".):-*":
                return _tail_label(view, options, found.end, end) or _after_comma(view, options, found.end, end)
            # "B. some other wording is the correct answer"
            return Reading("labels", found.labels, found.start, found.end) if len(rest) < 80 and "," not in rest else None
        if word[0].isalnum() and word not in _SUBJECT_LEADS:
            return _tail_label(view, options, position, end) or _after_comma(view, options, position, end)
        position = token.end()
    return None


def _after_comma(view: View, options: Options, begin: int, end: int) -> Reading | None:
    """ "Although A is tempting, D (is correct)"."""
    comma = view.low.rfind(", ", begin, end)
    return _subject(view, options, comma + 2, end) if comma >= 0 else None


def _tail_label(view: View, options: Options, begin: int, end: int) -> Reading | None:
    """ "Clonidine (C)" before the link."""
    low = view.low
    close = end
    while close > begin and low[close - 1] in " \t*_`":
        close -= 1
    if close <= begin or low[close - 1] != ")":
        return None
    opened = low.rfind("(", max(begin, close - 12), close)
    if opened < 0:
        return None
    at = opened + 1
    for lead in ("option ", "choice "):
        if low.startswith(lead, at):
            at += len(lead)
    found = options.label_at(view, at) if at < close else None
    if found is None or found[1] != close - 1:
        return None
    return Reading("labels", (found[0],), at, found[1])
