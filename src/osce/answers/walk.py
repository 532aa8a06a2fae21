"""Forwards from a cue to what it announces: "answer" ... "is therefore option" ... "(B)"."""

from __future__ import annotations

import re

from osce.answers import phrases
from osce.answers.cues import WINDOW
from osce.answers.options import TOKEN, Mention, Options
from osce.answers.resolve import Reading, says_so, strip_negations
from osce.answers.text import View

_MARKUP = frozenset("*_`\"'([{$\\«「『【（<#|~>")


_STOPS = frozenset(".!?;。！？")


_BE = re.compile(r"\s+(?:most )?(?:\w{3,12}ly )?(?:be|seem|appear|remain)\b")


_SAYS_SO_NEXT = re.compile(
    r"[\s*_`\"'(]{0,6}(?:i |none|no |not |cannot|can't|unable|insufficient|unknown|undetermined|n/a|neither|impossible"
    r"|以上|わか|不知|无法|모르|нет)"
)


_QUANTITY = re.compile(r"\s+if\b")


_NOT_LISTED = re.compile(
    r"(?:is )?(?:not|isn't|wasn't|aren't) (?:listed|here|given|provided|available|present|included|shown|among|one of"
    r"|in the list)\b"
)


# "is (B)." at the very end: how most responses end, so it is looked for first.
_CLINCH = re.compile(r"(?:\**:\**| is:?) ?[*(\[]{0,3}([a-z0-9])[)\]]?\.?\**\s*$")
_PLAINLY = re.compile(r"(?:\**:\**| is:?)(?: (?:option|choice))?[ \n]{0,3}[*(\[]{0,4}(?=[a-z0-9](?![a-z0-9]))")


_CLOSED = frozenset((")", "]", "*", ".", "\n", ""))


def forward(
    view: View, options: Options, at: int, end: int, *, linked: bool = False, needs_link: bool = False
) -> Reading | None:
    """Walk from a cue to what it announces, over links, fillers and emphasis; stop where the sentence does."""
    low = view.low
    clinch = clinched(view, options, at, end)
    if clinch is not None:
        return clinch
    quick = _PLAINLY.match(low, at, end)
    if quick is not None and not linked and quick.end() < end:
        found = options.all_at(view, quick.end(), end)
        if found is not None and low[found.end : found.end + 1] in _CLOSED and not _denied_after(low, found.end):
            return Reading("labels", found.labels, found.start, found.end)
    limit = min(end, at + WINDOW)
    negated = conditional = False
    gap = 0
    after_article = False
    named = False  # a "not C" has been met
    below = False  # the answer must open the line below the cue
    position = at
    while position < limit:
        token = TOKEN.search(low, position, limit)
        if token is None:
            break
        start, word = token.start(), token.group()
        position = token.end()
        first = word[0]
        if first == "\n":
            if gap or (needs_link and not linked):
                break
            linked = below = True
            continue
        if first in ")]}" and gap == 0:
            continue
        if first in _MARKUP:
            inner = _parenthesised(view, options, start, first, gap, linked, end)
            if inner is not None and not negated:
                return inner
            continue
        if first in _STOPS:
            break
        if first in ":=→":
            linked, negated, gap = True, False, 0
            continue
        if first in "-–—−‑‐" and not (options.signed and low[start + 1 : start + 2].isdigit()):
            if gap == 0 and low[start - 1 : start] in " \n*" and not needs_link:
                linked = True
            continue
        if word in ("'s", "s") and start <= at + 1:
            linked = True
            continue
        if len(word) > 1 and word in phrases.LINKS and not (options.has_texts and linked):
            linked, gap = True, 0
            continue
        if linked or (gap == 0 and not needs_link):
            found = _announced(view, options, start, end, linked, gap)
            if found is not None and after_article and not found.by_text and view.norm[start].islower() and len(word) == 1:
                return None  # "is a f...": cut off in the middle of a word
            if found is not None:
                if negated and not found.by_text:
                    named, negated = True, True
                    position = found.end
                    continue
                if negated:
                    position = found.end
                    continue
                if conditional and _QUANTITY.match(low, found.end):
                    return None
                if _denied_after(low, found.end):
                    return None
                return Reading("labels", found.labels, found.start, found.end)
        if linked and not negated and gap <= 1 and _SAYS_SO_NEXT.match(low, start):
            stop = _sentence_end(low, start, end)
            said = says_so(view, options, start, stop)
            if said is not None:
                return said
        if gap == 0 and (word == "not" or word.endswith("n't")) and _NOT_LISTED.match(low, start):
            return Reading("abstained", (), start, _sentence_end(low, start, end))
        if strip_negations(word):
            negated = True
            linked = linked or word.endswith("n't") or word == "cannot"
            continue
        if not linked and word in phrases.NEGATIONS_BEFORE_LINK:
            negated = True
            continue
        if negated and word in phrases.TURNS:
            if not named and word in ("so", "its", "it's", "therefore"):
                continue
            negated, linked, gap = False, True, 0
            continue
        if word in phrases.LINKS_WEAK:
            conditional = word in ("would", "could", "might")
            if _BE.match(low, position):
                linked = True
            continue
        if word in phrases.LINKS:
            linked, gap = True, 0
            continue
        if word in phrases.ARTICLES or word in phrases.FILLERS:
            after_article = word in ("a", "an", "the")
            continue
        if first in ",，、" and gap == 0:
            continue
        gap += 1
        if gap > 12 or below:
            break
    return None


def clinched(view: View, options: Options, at: int, end: int) -> Reading | None:
    """ "is (B)." and nothing behind it."""
    match = _CLINCH.match(view.low, at, end)
    label = options.by_fold.get(match.group(1)) if match is not None else None
    if match is None or label is None or options.signed:
        return None
    return Reading("labels", (label,), match.start(1), match.end(1))


def _announced(view: View, options: Options, start: int, end: int, linked: bool, gap: int) -> Mention | None:
    """The label or option text at a token behind a cue. Further away, or without a link, only what stands out counts."""
    if gap == 0:
        found = options.all_at(view, start, end, strict=not linked)
        if found is not None and not linked and (found.by_text or not _closes(view, options, found, end)):
            return None
        return found
    before = view.low[max(0, start - 9) : start]
    if before.endswith(("option ", "choice ", "answer ", "letter ", "option (", "choice (", "option **", "opción ")):
        return options.all_at(view, start, end)
    return None


def _closes(view: View, options: Options, found: Mention, end: int) -> bool:
    """ "Answer (C)" and "answer C. text" with nothing behind; "answer choice C, while tempting" only speaks of it."""
    at = options.past_own_text(view, found.labels[-1], found.end)
    rest = view.low[at : min(end, at + 6)].lstrip("*_`\"')]} ")
    return not rest or rest[0] in ".\n!"


def _parenthesised(view: View, options: Options, start: int, mark: str, gap: int, linked: bool, end: int) -> Reading | None:
    """ "(C)" or "**C.**" in the same sentence as the cue, after words that are no option's text: "is to operate (C)"."""
    if not linked or gap == 0 or mark not in "([（":
        return None
    at = start + 1
    for lead in ("option ", "choice ", "answer "):
        if view.low.startswith(lead, at):
            at += len(lead)
    if at >= end:
        return None
    found = options.label_at(view, at)
    if found is None or view.norm[found[1] : found[1] + 1] not in ")]）" or view.norm[at].islower() != found[0].islower():
        return None
    return Reading("labels", (found[0],), at, found[1])


def _denied_after(low: str, at: int) -> bool:
    """Languages that deny behind the label: "答えはAではない"."""
    at = _spaceless(low, at)
    return not low[at : at + 8].isascii() and low.startswith(phrases.DENIED_AFTER, at)


def _spaceless(low: str, at: int) -> int:
    while low[at : at + 1] in (" ", "*", ")", "」") and at < len(low):
        at += 1
    return at


def _sentence_end(low: str, at: int, end: int) -> int:
    stop = min(end, at + 160)
    marks = [p for mark in (". ", "\n", ".\n", "!", "。") if (p := low.find(mark, at, stop)) >= 0]
    return min(marks) if marks else stop
