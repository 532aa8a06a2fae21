"""Commitments by position: a label at the beginning of a line, alone or in bold; an option's text as the last words."""

# ruff: noqa: SIM905 (word lists read better as words)
from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from osce.answers import abstain, phrases
from osce.answers.options import TOKEN, Mention, Options
from osce.answers.resolve import Reading, says_so, segment
from osce.answers.text import View, canon


class _Mark(NamedTuple):
    """A label that stands out. `alone` = nothing else on its line; `sure` = alone, or with the option's own text."""

    label: str
    start: int
    end: int
    alone: bool
    sure: bool


_LINE_LEAD = re.compile(r"[^\w\n]{0,16}_*(?:(?:option|choice|answer)[ :]\s*)?[*_(\[\"'`]{0,6}")
_DELIMITED = re.compile(r"[*_`]*[.):\]}](?:[*_`\s]|$|(?=[a-z]))|[*_`]*\s+[-–—:]\s|[*_`]+(?:\s|$)|[)\]}]")
# What may stand between a label that opens a response and its reasons.
_OPENS = re.compile(r", |,?\s(?:because|since|as|due to|it is|not|rather than|given)\b|\s\((?=\d)|/")
_DENIED = re.compile(
    r"[.,;\"')*]{0,4}[^.,;\n]{0,60}?\b(?:is|are|was|would be|seems|can be|could be)\s+(?:\w+ly )?(?:also )?(?:not|incorrect|wrong"
    r"|unlikely|less|contraindicated|inappropriate|excluded|ruled out|false|n't)|[^.,;\n]{0,60}?\b(?:isn't|cannot|can't"
    r"|doesn't|incorrect|wrong|excluded|ruled out)\b"
)
_AROUND = " \t\r*_`.)]}:\"'$\\|>,!。」』】»）"
MAX_LINES = 60


def marked(view: View, options: Options, start: int, end: int) -> Reading | None:
    """The label that leads or closes the response. A list that goes through the options in order is no commitment."""
    marks = _marks(view, options, start, end)
    if not marks:
        return None
    if len(marks) > 2 * len(options.labels) + 6 and len({mark.label for mark in marks}) > 1:
        return None  # a model caught in a loop, not an answer
    positions = [options.order[mark.label] for mark in marks]
    chosen: _Mark | None = None
    if len(set(positions)) == 1:
        chosen = marks[-1] if marks[-1].sure or not marks[0].sure else marks[0]
        if options.numeric and not chosen.sure:
            return None
    elif sum(b <= a for a, b in pairwise(positions)) > 1:
        return None  # the options are gone through again and again
    elif positions[-1] <= positions[-2] and marks[-1].sure:
        chosen = marks[-1]
    elif positions[0] >= positions[1] and marks[0].sure:
        chosen = marks[0]
    elif marks[-1].alone and not _is_listing(positions[:-1] + positions[-1:]):
        chosen = marks[-1]
    elif marks[0].alone and not marks[1].alone:
        chosen = marks[0]
    if chosen is None:
        return None
    stop = view.low.find("\n", chosen.end, end)
    named = None if chosen.alone else options.all_at(view, chosen.start, end if stop < 0 else stop)
    if named is not None and len(named.labels) > 1:
        return Reading("labels", named.labels, named.start, named.end)
    return Reading("labels", (chosen.label,), chosen.start, chosen.end)


def _is_listing(positions: list[int]) -> bool:
    return all(b == a + 1 for a, b in pairwise(positions))


def _marks(view: View, options: Options, start: int, end: int) -> list[_Mark]:
    low = view.low
    found: list[_Mark] = []
    for at, stop in _line_ranges(low, start, end):
        mark = _line_mark(view, options, start, at, stop)
        if mark is not None:
            found.append(mark)
    if low.find("**", start, end) >= 0:
        found += _bold_marks(view, options, start, end, {mark.start for mark in found})
        found.sort(key=lambda mark: mark.start)
    return found


def _line_ranges(low: str, start: int, end: int) -> list[tuple[int, int]]:
    """The first and last lines that are not blank."""
    head: list[tuple[int, int]] = []
    at = start
    while at < end and len(head) < MAX_LINES:
        stop = low.find("\n", at, end)
        stop = end if stop < 0 else stop
        if low[at : min(stop, at + 40)].strip():
            head.append((at, stop))
        at = stop + 1
    if at >= end:
        return head
    tail: list[tuple[int, int]] = []
    stop = end
    while stop > at and len(tail) < MAX_LINES:
        begin = low.rfind("\n", at, stop) + 1 or at
        if low[begin : min(stop, begin + 40)].strip():
            tail.append((begin, stop))
        stop = begin - 1
    return head + tail[::-1]


def _line_mark(view: View, options: Options, start: int, at: int, stop: int) -> _Mark | None:
    low = view.low
    begins = low[at : at + 2]
    is_word = options.one_char and stop - at > 1 and begins.isalpha() and begins.isascii()
    if is_word and not low.startswith(("option", "choice", "answer"), at):
        return None  # the cheap look first
    lead = _LINE_LEAD.match(low, at, min(stop, at + 60))
    position = lead.end() if lead else at
    if options.signed and position > at and low[position - 1] in "+-–−‐‑—":
        position -= 1
    if position >= stop:
        return None
    found = options.label_at(view, position)
    if found is None:
        return None
    label, end = found
    by_text = options.text_at(view, position) if options.has_texts else None
    if by_text is not None and by_text.end > end:
        return None
    alone = not low[end:stop].strip(_AROUND)
    small = view.norm[position].islower() and not label.islower()
    if alone:
        return _Mark(label, position, end, alone=True, sure=True)
    if small and not options.own_text_follows(view, label, end):
        return None
    delimited = _DELIMITED.match(low, end, stop)
    own = options.own_text_follows(view, label, end)
    opened = delimited is None and not own and at == start
    if opened:
        delimited = _OPENS.match(low, end, stop)
        if delimited is not None and label in ("A", "I") and low[end : end + 1] == " " and "because" not in delimited.group():
            return None  # the article, the pronoun
    bare_text = not options.has_texts and stop - at < 80
    if delimited is None and not own and not bare_text:
        return None
    behind = options.past_own_text(view, label, end) if own else end
    if not (opened and delimited) and _DENIED.match(low, behind, min(stop, behind + 120)):
        return None
    roman = label in ("I", "V", "X") and not own
    if roman:
        return None
    return _Mark(
        label, position, end, alone=False, sure=own or low[end : end + 1] in ".)" or (lead is not None and "*" in lead.group())
    )


_BOLD = re.compile(r"\*\*[\s(\[\"]*(?:(?:option|choice|answer)[ :]\s*)?[(\[]?")


def _bold_marks(view: View, options: Options, start: int, end: int, taken: set[int]) -> list[_Mark]:
    """ "**C. text**" or "**C**" inside a line."""
    low = view.low
    found = []
    for match in _BOLD.finditer(low, start, end):
        at = match.end()
        if at in taken or at >= end or not low[at].isalnum():
            continue
        label = options.label_at(view, at)
        if label is None or (view.norm[at].islower() and not label[0].islower()):
            continue
        name, stop = label
        close = low.find("**", stop, min(end, stop + options.longest + 40))
        delimited = _DELIMITED.match(low, stop, end)
        if close < 0 or delimited is None or "\n" in low[stop:close]:
            continue
        if _DENIED.match(low, close, min(end, close + 120)):
            continue
        own = options.own_text_follows(view, name, stop)
        found.append(_Mark(name, at, stop, alone=False, sure=own or close - stop <= 2 or low[stop] in ".)"))
    return found


_SENTENCE = re.compile(r"(?<!\s\w)[.!?。]['\"*)\]]*\s+|\n")


def last_text(view: View, options: Options, start: int, end: int) -> Reading | None:
    """The whole response, its last line, or the last words of it are an option's text."""
    low = view.low
    while end > start and low[end - 1].isspace():
        end -= 1
    while start < end and low[start].isspace():
        start += 1
    if start >= end:
        return None
    for at, stop in _last_pieces(low, start, end):
        if stop - at <= options.longest + 60:
            reading = _exact(view, options, at, stop)
            if reading is not None:
                return reading
    if end - start <= 300 and low.find("\n", start, end) < 0:
        whole = segment(view, options, start, end)
        if whole is not None and whole.kind == "labels" and _short_enough(view, options, whole, start, end):
            return whole
    return _opening(view, options, start) or _closing(view, options, start, end)


def _opening(view: View, options: Options, start: int) -> Reading | None:
    """ "Yes, it does": a response that opens with an option of one short word, set off by punctuation."""
    found = options.text_at(view, start) if options.longest <= 12 else None
    if found is None or " " in view.low[found.start : found.end] or view.low[found.end : found.end + 1] not in ",.;:!—":
        return None
    return Reading("labels", found.labels, found.start, found.end)


def _last_pieces(low: str, start: int, end: int) -> list[tuple[int, int]]:
    pieces = [(start, end)]
    line = low.rfind("\n", start, end) + 1
    if line > start:
        pieces.append((line, end))
        first = low.find("\n", start, end)
        pieces.append((start, first))
    return pieces


def _exact(view: View, options: Options, at: int, stop: int) -> Reading | None:
    text = canon(view.norm[at:stop])
    labels = options.by_text.get(text)
    if labels is None and text.startswith(("a ", "an ", "the ")):
        labels = options.by_text.get(text.split(" ", 1)[1])
    if labels is None:
        return None
    return Reading("labels", labels, at, stop)


def _short_enough(view: View, options: Options, reading: Reading, start: int, end: int) -> bool:
    """A one-line response that is only a list of labels or texts ("Either A or B"), with nothing of weight behind it."""
    rest = view.low[reading.end : end].strip(" \t*_`.()[]}\"'!,:")
    return not rest or rest == reading.labels[-1].lower() or options.own_text_follows(view, reading.labels[-1], reading.end)


def _closing(view: View, options: Options, start: int, end: int) -> Reading | None:
    """The last sentence ends in an option's text: "... this is most consistent with acute pancreatitis."."""
    low = view.low
    stop = end
    while stop > start and low[stop - 1] in " \t\n.*_`\"')!":
        stop -= 1
    begin = max(start, stop - 400)
    cut = begin
    for match in _SENTENCE.finditer(low, begin, stop):
        cut = match.end()
    sentence = low[cut:stop]
    if low.count(sentence, start, end) > 2:
        return None  # a model caught in a loop, not a conclusion
    best: tuple[int, tuple[str, ...]] | None = None
    for text, labels in options.by_text.items():
        if (len(text) >= 4 or (len(sentence) < 80 and not text.isdigit())) and sentence.endswith(text):
            at = stop - len(text)
            if low[at - 1 : at].isalnum():
                continue
            if best is None or at < best[0]:
                best = (at, labels)
    if best is None:
        return None
    before = [t for t in TOKEN.findall(low[cut : best[0]]) if t[0].isalnum()]
    if any(word in phrases.NEGATIONS or word.endswith("n't") or word in _AGAINST for word in before):
        return None
    if not _LEADS_TO.search(low[cut : best[0]]):
        return None
    return Reading("labels", best[1], best[0], stop)


_AGAINST = frozenset(
    """no less than exclude excludes excluded rule rules ruled unlike if whether versus vs over rather or avoid would-be""".split()
)
_LEADS_TO = re.compile(
    r"(?:\b(?:is|are|be|with|as|to|suggests?|suggesting|indicates?|indicating|has|have|of|therefore|thus|hence|diagnosis"
    r"|answer|perform|choose|select)|[:-])[\s*\"'(]*(?:a |an |the )?[*\"'(]*$"
)


def declines(view: View, options: Options, start: int, end: int) -> Reading | None:
    """The last sentence (or a short response as a whole) says "I don't know" or "none of the above"."""
    low = view.low
    stop = end
    while stop > start and low[stop - 1] in " \t\n.*_`\"')!":
        stop -= 1
    begin = max(start, stop - 200)
    cut = begin
    for match in _SENTENCE.finditer(low, begin, stop):
        cut = match.end()
    if end - start <= 200:
        cut = start
    return says_so(view, options, cut, stop) if stop > cut else None


def refuses(view: View, start: int, end: int) -> bool:
    return abstain.refuses(view.low[start : min(end, start + 400)])


__all__ = ["Mention", "canon", "declines", "last_text", "marked", "refuses"]
