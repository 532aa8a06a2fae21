"""What a short piece of text that is meant to be an answer says: a label, an option's text, several, or that it knows not."""

# ruff: noqa: SIM905 (word lists read better as words)
from __future__ import annotations

import re
from typing import Literal, NamedTuple

from osce.answers import abstain, phrases
from osce.answers.options import TOKEN, Mention, Options
from osce.answers.text import View, canon


class Reading(NamedTuple):
    """`labels`: one is an answer, more are several, none with "abstained" or "nothing" (said something that is no option)."""

    kind: Literal["labels", "abstained", "nothing"]
    labels: tuple[str, ...]
    start: int
    end: int


_SKIP = re.compile(r"(?:[\s*_`\"'$({\[<>|#~«「『【（:=.}-]|\\(?:[a-z]{2,12}(?=[{ \\])|[,;! (){}\[\]]))+")
_LEADS = frozenset(
    """the final correct best my answer option choice letter is either both probably likely most definitely it so therefore i
    think would choose select label number la el die der le l'option opción opção opzione réponse answer_choice maybe
    perhaps text textbf mathrm mathbf pick go with believe a an one of be must i'd say that this as chosen""".split()
)
_PLACEHOLDER = re.compile(
    r"[\W_]*(?:(?:the |your |a |an |one |single |correct |final |chosen |selected |option |choice |answer |capital "
    r"|uppercase )*"
    r"(?:letters?|labels?|answer|choice|option|number|value|text|here|x|n|y|xx+|placeholder|date)(?: (?:here|only|choice"
    r"|letter|of .{0,60}|from .{0,60}|between .{0,60}|goes here))?)?[\W_]*"
)
_ALTERNATIVES = re.compile(r"[\s\[({]*\w{1,5}(?:\s*[|/]\s*\w{1,5}){2,25}[\s\])}]*")
_SHORT = re.compile(r"[\s\W_]*\w{1,3}[\s\W_]*")
_WITH_MORE = re.compile(r"\s{0,3}(?:and|plus|with|or|\+|&|und|et|y)\b")


def segment(view: View, options: Options, start: int, end: int) -> Reading | None:
    """Read [start, end); None when it says nothing that could be an answer (a placeholder, prose)."""
    low = view.low
    while start < end and low[start].isspace():
        start += 1
    while end > start and low[end - 1].isspace():
        end -= 1
    if start >= end:
        return None
    if end - start <= options.longest + 40:
        whole = options.by_text.get(canon(low[start:end]))
        if whole is not None and options.label_at(view, start) is None:
            return Reading("labels", whole, start, end)
    offered = _ALTERNATIVES.fullmatch(low[start:end]) if end - start < 160 else None
    if offered is not None and ("|" in offered.group() or len(re.split(r"[|/]", offered.group())) == len(options.labels)):
        return None  # "A|B|C|D": the form that was asked for
    found = _mention(view, options, start, end)
    if found is not None:
        return Reading("labels", found.labels, found.start, found.end)
    content = low[start:end]
    if _PLACEHOLDER.fullmatch(content[:200]):
        return None
    if len(content) <= 160:
        said = says_so(view, options, start, end)
        if said is not None:
            return said
    whole = options.by_text.get(canon(content)) if len(content) <= options.longest + 40 else None
    if whole is not None:
        return Reading("labels", whole, start, end)
    if _SHORT.fullmatch(content):
        return Reading("nothing", (), start, end)
    return None


def says_so(view: View, options: Options, start: int, end: int) -> Reading | None:
    """ "None of the above" and "I don't know": the option that says so, else abstained."""
    content = view.low[start:end]
    none = abstain.says_none(content)
    if not none and not abstain.says_unknown(content):
        return None
    label = abstain.option_that_says_so(options, none=none)
    return Reading("abstained", (), start, end) if label is None else Reading("labels", (label,), start, end)


def _mention(view: View, options: Options, start: int, end: int) -> Mention | None:
    """What the piece begins with, behind words like "the answer is" and emphasis."""
    low = view.low
    at = start
    for _ in range(12):
        skip = _SKIP.match(low, at, end)
        if skip is not None and not (options.signed and low[skip.end() - 1] in "+-–−‐‑—"):
            at = skip.end()
        if at >= end:
            return None
        found = options.all_at(view, at, end)
        if found is not None and found.start < end:
            return found if _fits(view, options, found, end) else None
        token = TOKEN.match(low, at, end)
        if token is None or token.group() not in _LEADS:
            return None
        at = token.end()
    return None


def _fits(view: View, options: Options, found: Mention, end: int) -> bool:
    """An option's text followed by "and something else" is another answer than that option."""
    if not found.by_text:
        return _SENTENCE_GOES_ON.match(view.low, found.end, end) is None
    return _WITH_MORE.match(view.low, found.end, min(end, found.end + 12)) is None


_SENTENCE_GOES_ON = re.compile(r" (?:is|was|isn't|cannot|can't|would|could|seems|may|might)\b")
_CLAUSE_END = re.compile(r"[.!?\n;:,]")
_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def words_before(low: str, at: int, limit: int) -> list[str]:
    """The words of the same clause before `at`, in order."""
    return _WORDS.findall(_CLAUSE_END.split(low[max(limit, at - 90) : at])[-1])


_SUPPOSING = frozenset(
    """if whether unless suppose supposing assuming assume wenn si если falls se not never doubt nicht cannot""".split()
)


def hypothetical(words: list[str]) -> bool:
    """The clause only supposes or denies what follows: "if the answer", "I don't think the answer is"."""
    if _SUPPOSING.isdisjoint(words) and "n't" not in " ".join(words):
        return False
    for k, word in enumerate(words):
        if word in (
            "if",
            "whether",
            "unless",
            "suppose",
            "supposing",
            "assuming",
            "assume",
            "wenn",
            "si",
            "если",
            "falls",
            "se",
        ):
            return word not in ("si", "se") or k == 0
        if word in ("not", "never", "doubt", "nicht", "cannot") or word.endswith("n't"):
            before = words[k - 1] if k else ""
            if word == "doubt" and before in ("no", "without", "little"):
                continue
            following = words[k + 1] if k + 1 < len(words) else ""
            if following in ("only", "sure", "certain"):
                continue
            return True
    return False


def strip_negations(word: str) -> bool:
    return word in phrases.NEGATIONS or word.endswith("n't")
