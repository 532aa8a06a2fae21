"""Places made to hold an answer: <answer> tags, \\boxed{}, JSON fields. Shared by all readers; finds, does not judge."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from osce.answers.text import View


class Segment(NamedTuple):
    """[start, end) of the normalised text inside a container; `closed` = its end was written."""

    start: int
    end: int
    closed: bool = True


MAX_CONTENT = 4000
MOST = 12
MAX_COLONS = 400
"""Of one kind of container, only the last ones are looked into: what a hostile response repeats a million times."""
_TAG = re.compile(
    r"<\s{0,3}(/?)\s{0,3}(?:(?:my|the|your|final|correct|selected|best)[_ -]?)?(?:answer|ans|choice|option|final"
    r"|solution|selection|label)"
    r"(?:[_ -]?(?:choice|letter|option|label))?\s{0,3}>"
)
_TAG_WORDS = ("answer", "ans>", "choice", "option", "final", "solution", "selection", "label")
_BOXED = re.compile(r"\\?\b(?:boxed|fbox)\s{0,3}\{")
_BOXED_BARE = re.compile(r"\\boxed\s{1,3}([a-z0-9])\b")
_KEY = re.compile(
    r"(?:(?:my|the|your|final|correct|selected|best|predicted|model)[_ -]?)*(?:answers?|choice|option|selection"
    r"|prediction|label|response|letter|result)"
    r"(?:[_ -]?(?:choice|letter|option|index|label|key|id|value|text|idx))*"
)
_KEY_WORDS = ("answer", "choice", "option", "selection", "prediction", "label", "response", "letter", "result")


def tags(view: View, start: int, end: int) -> Iterator[Segment]:
    """Contents of answer tags, the last first. An opening without a close reaches to the end of the text."""
    low = view.low
    if low.find("<", start, end) < 0 or not any(low.find(word, start, end) >= 0 for word in _TAG_WORDS):
        return
    found: list[Segment] = []
    opened = -1
    for match in _TAG.finditer(low, start, end):
        if not match.group(1):
            opened = match.end()
        elif opened >= 0:
            found.append(Segment(opened, match.start()))
            opened = -1
        elif not found and match.start() - start <= 200:  # the prompt had opened the tag
            found.append(Segment(start, match.start()))
    if opened >= 0:
        found.append(Segment(opened, min(end, opened + MAX_CONTENT), closed=False))
    yield from reversed(found[-MOST:])


def boxes(view: View, start: int, end: int) -> Iterator[Segment]:
    """Contents of \\boxed{...}, the last first; braces inside are balanced."""
    low = view.low
    if low.find("box", start, end) < 0:
        return
    found = [_balanced(low, match.end(), end) for match in deque(_BOXED.finditer(low, start, end), maxlen=MOST)]
    found += [Segment(match.start(1), match.end(1)) for match in _BOXED_BARE.finditer(low, start, end)]
    yield from sorted(found, reverse=True)[:MOST]


def _balanced(low: str, start: int, end: int) -> Segment:
    depth = 1
    stop = min(end, start + MAX_CONTENT // 4)
    for at in range(start, stop):
        ch = low[at]
        if ch == "{":
            depth += 1
        elif ch == "}":
            depth -= 1
            if not depth:
                return Segment(start, at)
    line = low.find("\n", start, stop)
    return Segment(start, stop if line < 0 else line, closed=False)


def fields(view: View, start: int, end: int) -> Iterator[Segment]:
    """Values of JSON fields that are named like an answer, the last first. Broken and cut-off JSON is read as far as it goes."""
    low = view.low
    if low.find(":", start, end) < 0 or (low.find('"', start, end) < 0 and low.find("'", start, end) < 0):
        return
    if low.find("{", start, end) < 0 or not any(low.find(word, start, end) >= 0 for word in _KEY_WORDS):
        return
    colon = low.rfind(":", start, end)
    found = tries = 0
    while colon >= 0 and found < MOST and tries < MAX_COLONS:
        tries += 1
        key_end = colon
        while key_end > start and low[key_end - 1].isspace():
            key_end -= 1
        quote = low[key_end - 1 : key_end] if key_end > start else ""
        if quote and quote in "\"'":
            opened = low.rfind(quote, max(start, key_end - 60), key_end - 1)
            if opened >= 0 and _KEY.fullmatch(low, opened + 1, key_end - 1):
                found += 1
                begin = colon + 1
                while begin < end and low[begin].isspace():
                    begin += 1
                yield _value(low, begin, end)
        colon = low.rfind(":", start, colon)


def _value(low: str, start: int, end: int) -> Segment:
    """The JSON value at `start`: a string without its quotes, a list or object without its brackets, or a bare word."""
    stop = min(end, start + MAX_CONTENT)
    if start >= stop:
        return Segment(start, start, closed=False)
    ch = low[start]
    if ch in "\"'":
        at = start + 1
        while at < stop and low[at] != ch:
            at += 2 if low[at] == "\\" else 1
        at = min(at, stop)
        return Segment(start + 1, at, closed=at < stop)
    closer = {"[": "]", "{": "}"}.get(ch)
    if closer is not None:
        at = low.find(closer, start, stop)
        return Segment(start + 1, stop if at < 0 else at, closed=at >= 0)
    at = start
    while at < stop and low[at] not in ",}\n":
        at += 1
    return Segment(start, at, closed=at < stop)
