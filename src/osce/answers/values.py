"""Reading a value (number, date, age in weeks and days) out of a response: where it may stand is the same for all kinds."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from osce.answers import abstain, containers
from osce.answers.reasoning import answer_region
from osce.answers.resolve import hypothetical, words_before
from osce.answers.text import View
from osce.core.grades import Answer

TRIES = 60  # as in the choice reader: what loops does not commit


class Value(NamedTuple):
    """A value in its plain form, read from [start, end) of the normalised text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Kind:
    """What to look for: `find` yields the values in [start, end) in order; `cues` announce one."""

    find: Callable[[View, int, int], Iterator[Value]]
    cues: tuple[str, ...]
    range_joiner: re.Pattern[str]


SENTENCE_END = re.compile(r"[.!?。](?=[\s*\"')\]}$]|$)|\n")
_EQUALS = re.compile(r"[=≈≃≅~→⇒]|\\(?:approx|simeq|sim|rightarrow|implies)\b|\b(?:equals|gives|yields)\b")
_LINK = re.compile(
    r"\b(?:is|are|was|be|equals|equal to|of|at|comes to|amounts to|es|est|ist|è|é|beträgt|yields|gives|becomes)\b"
    r"|[:=≈~→为是は는은]|\bapprox"
)
_NEGATED = re.compile(r"\b(?:not|n't|never|cannot)\b")
_OPERATOR = re.compile(r"[ \t]*(?:[-+*/×÷^−–]|\\times|\\cdot|\\div|x(?= ?[\d(]))[ \t]*[(\d\\]")
_SPOKEN = re.compile(
    r"[\s*_`\"'$(:=~≈{\\]*(?:(?:about|approximately|approx\.?|roughly|around|thus|therefore|the|a|an|boxed|text|best"
    r"|likely|estimated)\b[\s*_`]*)*"
)


def read(response: str, kind: Kind, *, truncated: bool = False) -> Answer:
    """The value a response commits to: tag, boxed, JSON, stated, the last equality, the only or last-stated value."""
    view = View(response)
    region = answer_region(view)
    if region.unfinished:
        return Answer(status="truncated" if truncated else "unparsed", how="unclosed reasoning")
    start, end = region.start, region.end
    for how, finder in (("tag", containers.tags), ("boxed", containers.boxes), ("json", containers.fields)):
        for piece in finder(view, start, end):
            found = list(kind.find(view, piece.start, piece.end))
            if found:
                return _answer(view, kind, found, _pick(view, found, piece.start, piece.end), how, piece.end)
            if piece.end - piece.start <= 160 and abstain.says_unknown(view.low[piece.start : piece.end]):
                return Answer(status="abstained", how=how, span=view.span(piece.start, piece.end))
    for how, rule in (("stated", _stated), ("equals", _equality), ("last", _closing)):
        if how != "stated" and truncated and end - start > 300:
            break  # the last figure of a response that was cut off is a step, not a result
        answer = rule(view, kind, start, end, how)
        if answer is not None:
            return answer
    return _nothing(view, start, end, truncated)


def _answer(view: View, kind: Kind, found: list[Value], chosen: Value, how: str, end: int) -> Answer:
    """`chosen`, or several when another value is joined to it as a range or an alternative."""
    k = found.index(chosen)
    for a, b in ((k, k + 1), (k - 1, k)):
        if a < 0 or b >= len(found):
            continue
        between = view.low[found[a].end : found[b].start]
        if len(between) <= 40 and kind.range_joiner.fullmatch(between) and found[a].text != found[b].text:
            return Answer(status="several", how=how, span=view.span(found[a].start, found[b].end))
    return Answer(status="answered", value=chosen.text, how=how, span=view.span(chosen.start, chosen.end))


def _pick(view: View, found: list[Value], start: int, end: int) -> Value:
    """Of the values in one statement: the one behind the last equals sign, else the first."""
    equals = _last_match(_EQUALS, view.low, start, end)
    if equals is not None:
        for value in found:
            if value.start >= equals.end():
                return value
        before = [value for value in found if value.end <= equals.start()]
        return before[-1] if before else found[0]
    return found[0]


def _last_match(pattern: re.Pattern[str], low: str, start: int, end: int) -> re.Match[str] | None:
    found = deque(pattern.finditer(low, start, end), maxlen=1)
    return found[0] if found else None


def _is_range(view: View, kind: Kind, found: list[Value]) -> bool:
    """Two different values and nothing but a joiner between them: "12 to 15"."""
    if len(found) != 2 or found[0].text == found[1].text:
        return False
    return kind.range_joiner.fullmatch(view.low[found[0].end : found[1].start][:40]) is not None


def _sentence(low: str, at: int, end: int, width: int = 300) -> int:
    match = SENTENCE_END.search(low, at, min(end, at + width))
    return match.start() if match else min(end, at + width)


def _stated(view: View, kind: Kind, start: int, end: int, how: str) -> Answer | None:
    low = view.low
    best_at, best = start - 1, None
    for cue in kind.cues:
        at = low.rfind(cue, max(best_at + 1, start), end)
        tries = 0
        while at >= 0 and tries < TRIES:
            tries += 1
            found = _after_cue(view, kind, cue, at, start, end, how)
            if found is not None:
                best_at, best = at, found
                break
            at = low.rfind(cue, max(best_at + 1, start), at)
    return best


def _after_cue(view: View, kind: Kind, cue: str, at: int, start: int, end: int, how: str) -> Answer | None:
    low = view.low
    if (low[at - 1 : at].isalpha() and at > start) or hypothetical(words_before(low, at, start)):
        return None
    begin = at + len(cue)
    while begin < end and low[begin] in " *_:\n#\t" and low[begin - 1 : begin + 1] != "\n\n\n":
        begin += 1
    stop = _sentence(low, begin, end)
    found = list(kind.find(view, begin, stop))
    if not found:
        if abstain.says_unknown(low[begin:stop]) and cue == "answer":
            return Answer(status="abstained", how=how, span=view.span(begin, stop))
        return None
    gap = low[at + len(cue) : found[0].start]
    link = _LINK.search(gap)
    if (link is None and gap.strip(" *_:\n#\t$\\(") != "") or _NEGATED.search(gap):
        return None
    first = found[0]
    behind = gap[link.end() :] if link else gap
    spoken = _SPOKEN.match(behind)
    immediate = spoken is not None and spoken.end() == len(behind)
    if immediate and not _OPERATOR.match(low, first.end, stop):
        return _answer(view, kind, found, first, how, stop)
    return _answer(view, kind, found, _pick(view, found, begin, stop), how, stop)


def _equality(view: View, kind: Kind, start: int, end: int, how: str) -> Answer | None:
    """The right side of the last equation, when no other sentence with a value follows it."""
    low = view.low
    last = _last_match(_EQUALS, low, start, end)
    if last is None:
        return None
    stop = _sentence(low, last.end(), end, 120)
    found = list(kind.find(view, last.end(), stop))
    if not found or low[last.end() : found[0].start].strip(" \n*_$\\({~≈") != "" or _OPERATOR.match(low, found[0].end, stop):
        return None
    if next(iter(kind.find(view, stop, end)), None) is not None:
        return None
    return _answer(view, kind, found, found[0], how, stop)


def _closing(view: View, kind: Kind, start: int, end: int, how: str) -> Answer | None:
    """A response that is one value with words around it, or whose last sentence states one."""
    low = view.low
    if end - start <= 200:
        found = list(kind.find(view, start, end))
        if not found:
            return None
        if len(found) == 1 or _is_range(view, kind, found) or not low[start : found[0].start].strip(" \n\t*_`$\\(~≈<>"):
            return None if _NEGATED.search(low[start : found[0].start]) else _answer(view, kind, found, found[0], how, end)
    begin = max(start, end - 400)
    pieces = []
    at = begin
    for match in SENTENCE_END.finditer(low, begin, end):
        pieces.append((at, match.start()))
        at = match.end()
    pieces.append((at, end))
    for at, stop in reversed(pieces):
        if not low[at:stop].strip(" \n\t*_`.$\\"):
            continue
        found = list(kind.find(view, at, stop))
        distinct = {value.text for value in found}
        if (len(distinct) != 1 and not _is_range(view, kind, found)) or _NEGATED.search(low[at:stop]):
            return None
        link = _LINK.search(low, at, found[0].start)
        whole = not low[at : found[0].start].strip(" \n\t*_`$\\(~≈-")
        return _answer(view, kind, found, found[0], how, stop) if link is not None or whole else None
    return None


def _nothing(view: View, start: int, end: int, truncated: bool) -> Answer:
    low = view.low
    tail = low[max(start, end - 200) : end]
    if abstain.says_unknown(tail) and not truncated:
        return Answer(status="abstained", how="abstention", span=view.span(max(start, end - 200), end))
    if abstain.refuses(low[start : min(end, start + 400)]):
        return Answer(status="refused", how="refusal")
    return Answer(status="truncated" if truncated else "unparsed")
