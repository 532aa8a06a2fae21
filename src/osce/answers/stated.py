"""Commitments in words: "the answer is B", "B is correct", "I would choose B", in the languages of `phrases`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from osce.answers import phrases
from osce.answers.options import TOKEN, Mention, Options
from osce.answers.resolve import Reading, hypothetical, says_so, strip_negations, words_before
from osce.answers.text import View, fold

WINDOW = 240
WEAK_REACH = 2500
"""Further from the end than this, "B is likely" is a step of the argument and no commitment."""
_MARKUP = frozenset("*_`\"'([{$\\«「『【（<#|~>")
_STOPS = frozenset(".!?;。！？")
_BE = re.compile(r"\s+(?:most )?(?:\w{3,12}ly )?(?:be|seem|appear|remain)\b")
_SAYS_SO_NEXT = re.compile(r"[\s*_`\"'(]{0,6}(?:i |none|no |not |cannot|can't|unable|insufficient|unknown|undetermined|n/a|neither|impossible|以上|わか|不知|无法|모르|нет)")
_QUANTITY = re.compile(r"\s+if\b")
_ON_CONDITION = re.compile(r"(?: \w+){0,4},? (?:if|in case|were|only when|unless)\b")
_NUMBERED_ANSWER = re.compile(r"[ \t]*\d{1,2}[.)] (?:the )?(?:correct |best )?answer")
_NOT_LISTED = re.compile(r"(?:is )?(?:not|isn't|wasn't|aren't) (?:listed|here|given|provided|available|present|included|shown|among|one of|in the list)\b")


def commitments(view: View, options: Options, start: int, end: int) -> Reading | None:
    """The last answer stated outright in [start, end)."""
    low = view.low
    best = _last(view, options, start, end, ("answer",), _strong_at)
    if best is not None and end - best.end < 400 and _ANY_CUE.search(low, best.end, end) is None and len(best.labels) == 1:
        return best  # nothing behind it that could commit to another: the common case
    tail = best.start + 1 if best is not None else start
    best = _last(view, options, tail, end, _nouns(view), _strong_at) or best
    tail = max(best.end if best is not None else start, end - 2 * WEAK_REACH)
    best = _last(view, options, tail, end, phrases.SAYERS, _sayer_at) or best
    if best is not None:
        best = _corrected(view, options, best, end)
    return best


def weaker(view: View, options: Options, start: int, end: int) -> Reading | None:
    """The last option that is called correct, best or likely, or named as the diagnosis, the next step and the like."""
    start = max(start, end - WEAK_REACH)
    things = _last(view, options, start, end, phrases.THINGS, _thing_at)
    after = things.end if things is not None else start
    declared = _last(view, options, after, end, phrases.PREDICATES, _predicate_at)
    plain = _last(view, options, (declared or things).end if (declared or things) else start, end, _PLAIN, _plain_at)  # type: ignore[union-attr]
    best = plain or declared or things
    return _corrected(view, options, best, end) if best is not None else None


_ANY_CUE = re.compile("|".join(map(re.escape, (*phrases.ANSWER_NOUNS_ASCII, *phrases.ANSWER_NOUNS_OTHER, *phrases.CHOICE_NOUNS, *phrases.SAYERS, *phrases.CORRECTIONS))))
_PLAIN = ("it is", "it's", "must be", "should be", "therefore", "thus", "hence", "so ", "would be", "that is", "i'd say", "i say", "my guess", "probably", "likely", "left with", "leaves", "leaving", "elimination", "only", "could be", "may be", "might be", "between")


def _nouns(view: View) -> tuple[str, ...]:
    return _NOUNS_ASCII if view.low.isascii() else _NOUNS_ALL


_NOUNS_ASCII = phrases.ANSWER_NOUNS_ASCII + phrases.CHOICE_NOUNS
_NOUNS_ALL = _NOUNS_ASCII + tuple(map(fold, phrases.ANSWER_NOUNS_OTHER))


def _last(view: View, options: Options, start: int, end: int, cues: tuple[str, ...], reader) -> Reading | None:  # type: ignore[no-untyped-def]
    """The reading of the cue that stands last. Each cue is searched from the end, and only behind the best one so far."""
    best: Reading | None = None
    best_at = start - 1
    low = view.low
    for cue in cues:
        at = low.rfind(cue, max(best_at + 1, start), end)
        while at >= 0:
            found = reader(view, options, cue, at, start, end)
            if found is not None:
                if found.start > best_at:
                    best, best_at = found, found.start
                break
            at = low.rfind(cue, max(best_at + 1, start), at)
    return best


def _whole_word(low: str, at: int, cue: str) -> int | None:
    """End of the cue with an allowed ending ("answer choice" stays, "answered" goes); None inside another word."""
    before = low[at - 1 : at]
    if before.isalpha() and before.isascii() and cue[0].isascii():
        return None
    end = at + len(cue)
    following = low[end : end + 1]
    if following == "s" and cue in ("answer",) and not low[end + 1 : end + 2].isalpha():
        return end + 1
    if following.isalpha() and following.isascii() and cue[-1].isascii():
        return None
    return end


_DENYING_BEFORE = (["wrong"], ["incorrect"], ["other"])
_BEHIND = re.compile(r"(?: [^\W\d_]+){1,4}")
_LINKED_CUES = frozenset("은는は:选選择擇")  # cues that hold their link, or are verbs
_ANSWER_TAIL = re.compile(r"(?:[ _-](?:choice|option|letter|key|label)(?![a-z]))+(?:\s?\(s\))?")
_PLURAL = re.compile(r"[ _-]?(?:choices|options)")


def _strong_at(view: View, options: Options, cue: str, at: int, start: int, end: int) -> Reading | None:
    low = view.low
    stop = _whole_word(low, at, cue)
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
    forward = _forward(view, options, stop, end, linked=cue[-1] in _LINKED_CUES)
    if forward is not None:
        return forward
    return _backward(view, options, at, start, noun=cue.isascii())


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
    if _whole_word(low, at, cue) is None:
        return None
    before = words_before(low, at, start)
    if hypothetical(before) or "to" in before[-1:]:
        return None
    if before and not _SPEAKERS.intersection(before[-5:]):
        return None  # "many would choose A"
    return _forward(view, options, at + len(cue), end, linked=True)


_SPEAKERS = frozenset("i we you i'd i'll i'm we'd we'll let's therefore so thus hence must".split())


def _thing_at(view: View, options: Options, cue: str, at: int, start: int, end: int) -> Reading | None:
    low = view.low
    stop = _whole_word(low, at, cue)
    if stop is None:
        return None
    before = words_before(low, at, start)
    if not phrases.THING_QUALIFIERS.intersection(before[-4:]) or hypothetical(before):
        return None
    if {"less", "least", "wrong", "second", "another", "other"}.intersection(before[-4:]) and "least" not in before:
        return None
    return _forward(view, options, stop, end, needs_link=True)


def _predicate_at(view: View, options: Options, cue: str, at: int, start: int, end: int) -> Reading | None:
    stop = _whole_word(view.low, at, cue)
    if stop is None or _ON_CONDITION.match(view.low, stop, min(end, stop + 60)):
        return None
    return _backward(view, options, at, start, noun=cue in _NOUN_PREDICATES)


_NOUN_PREDICATES = frozenset(("answer", "choice", "option", "diagnosis", "step"))
_DEFINITE = frozenset("the my our la el die das le il der den первый 正 的 est è é".split())


def _plain_at(view: View, options: Options, cue: str, at: int, start: int, end: int) -> Reading | None:
    """ "It is B.", "Therefore, C": nothing between the words and a label that ends the clause."""
    low = view.low
    before = low[at - 1 : at]
    if before.isalpha():
        return None
    if hypothetical(words_before(low, at, start)):
        return None
    match = _PLAIN_GAP.match(low, at + len(cue.rstrip()), end)
    position = match.end() if match else at + len(cue)
    if position >= end:
        return None
    found = options.all_at(view, position, end, strict=True)
    if found is None:
        joined = options.all_at(view, position, end)
        found = joined if joined is not None and len(joined.labels) > 1 and not joined.by_text else None
    if found is None and low.startswith("not ", position):
        return _forward(view, options, position, end, linked=True)
    if found is None or found.by_text and not _ends_clause(low, found.end, end):
        found = options.all_at(view, position, end)
        if found is None or not _AS_ANSWER.match(low, found.end, end):
            return None
        return Reading("labels", found.labels, found.start, found.end)
    if cue in _HEDGES and len(found.labels) == 1:
        return None
    if not _ends_clause(low, found.end, end) and not options.own_text_follows(view, found.labels[-1], found.end):
        return None
    return Reading("labels", found.labels, found.start, found.end)


_HEDGES = frozenset(("could be", "may be", "might be", "between"))
_AS_ANSWER = re.compile(r"[)*]* (?:as (?:the|my|our)\b|remains?\b|is left\b|fits?\b|applies\b|it is\b)")
_PLAIN_GAP = re.compile(
    r"(?:[\s*_`\"'(,:\[]|(?:it|is|it's|the|a|an|answer|option|choice|i|think|would|be|should|must|most|likely|probably|definitely|choose|pick|go|with|clearly)(?![a-z']))*"
)


def _ends_clause(low: str, at: int, end: int) -> bool:
    rest = low[at : min(end, at + 6)].lstrip("*_`\"')]} ")
    return not rest or rest[0] in ".\n!?;,:-–—(" or at >= end


def _forward(
    view: View, options: Options, at: int, end: int, *, linked: bool = False, needs_link: bool = False
) -> Reading | None:
    """Walk from a cue to what it announces, over links, fillers and emphasis; stop where the sentence does."""
    low = view.low
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
            if gap or needs_link and not linked:
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


def _denied_after(low: str, at: int) -> bool:
    """Languages that deny behind the label: "答えはAではない"."""
    at = _spaceless(low, at)
    return not low[at : at + 8].isascii() and low.startswith(phrases.DENIED_AFTER, at)


def _spaceless(low: str, at: int) -> int:
    while low[at : at + 1] in (" ", "*", ")", "」") and at < len(low):
        at += 1
    return at


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


_PLAINLY = re.compile(r"(?:\**:\**| is:?)(?: (?:option|choice))?[ \n]{0,3}[*(\[]{0,4}(?=[a-z0-9](?![a-z0-9]))")
_CLOSED = frozenset((")", "]", "*", ".", "\n", ""))


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


def _sentence_end(low: str, at: int, end: int) -> int:
    stop = min(end, at + 160)
    marks = [p for mark in (". ", "\n", ".\n", "!", "。") if (p := low.find(mark, at, stop)) >= 0]
    return min(marks) if marks else stop


def _backward(view: View, options: Options, at: int, start: int, *, noun: bool = True) -> Reading | None:
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
    while k >= 0 and (tokens[k].group() in phrases.PREDICATE_WORDS or tokens[k].group() in phrases.ARTICLES or tokens[k].group()[0] in "*_-" or tokens[k].group() in _PREDICATE_OTHER):
        k -= 1
    if k < 0:
        return None
    said = {token.group() for token in tokens[k + 1 :]}
    if noun and not said & (phrases.CHOOSERS | _DEFINITE) or "option" not in said and said & {"a", "an"} and not said & phrases.CHOOSERS:
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


_CLAUSE_TURNS = (" but ", ", although ", ", whereas ", ", while ", "however, ", ", so ", "therefore, ", "actually, ", " because ", " since ")
_PREDICATE_OTHER = frozenset(
    "bonne juste richtige korrekte correcta corretta correta melhor mejor meilleure giusta la el o die der il l' le das правильный верный правильная 确 正 的".split()
)


def _last_sentence_dot(window: str) -> int:
    """Where the last sentence of `window` begins; the dot of "B. " is no end."""
    at = window.rfind(". ")
    while at >= 0:
        word_start = max(window.rfind(" ", 0, at), window.rfind("\n", 0, at), window.rfind("(", 0, at)) + 1
        if at - word_start > 1 or (at - word_start == 1 and window[word_start].isdigit() and word_start):
            return at + 1
        at = window.rfind(". ", 0, at)
    return -1


_SUBJECT_LEADS = frozenset(
    """選 択 肢 选 项 項 答 案 letter respuesta resposta risposta ответ вариант alternativa opzione opção therefore thus hence so option choice answer but and that then of these those the options choices i think believe would
    say based on this overall in conclusion as result it follows finally only among although only while however since because
    la opción l'option die antwort réponse""".split()
)


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


def _corrected(view: View, options: Options, best: Reading, end: int) -> Reading:
    """A later "wait, actually C" replaces an earlier statement; "A or B, but B is more likely" chooses between several."""
    for found in _corrections(view, options, best.end, end):
        best = found
    if len(best.labels) > 1:
        choice = _last(view, options, best.end, end, phrases.PREDICATES, _predicate_at)
        if choice is not None and len(choice.labels) == 1 and choice.labels[0] in best.labels:
            return choice
    return best


def _corrections(view: View, options: Options, start: int, end: int) -> Iterator[Reading]:
    low = view.low
    found: list[Reading] = []
    for cue in phrases.CORRECTIONS:
        at = low.find(cue, start, end)
        while at >= 0:
            if not low[at - 1 : at].isalpha():
                match = _PLAIN_GAP.match(low, at + len(cue), end)
                position = match.end() if match else at + len(cue)
                position = _past_more(low, position, end)
                named = options.all_at(view, position, end, strict=True) if position < end else None
                if named is not None and _ends_clause(low, named.end, end):
                    found.append(Reading("labels", named.labels, named.start, named.end))
            at = low.find(cue, at + 1, end)
    yield from sorted(found, key=lambda reading: reading.start)


_MORE = re.compile(r"(?:[\s,.:*_(-]|(?:actually|option|no|wait|it|it's|is|rather|instead|should|be|the|answer|option|correct|i|mean|to)(?![a-z']))*")


def _past_more(low: str, at: int, end: int) -> int:
    match = _MORE.match(low, at, min(end, at + 80))
    return match.end() if match else at
