"""Showing an item's options in another order: seeded per item, gold follows its text, order-bound options keep their place."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from functools import lru_cache

import msgspec

from osce.core.errors import DataError
from osce.core.items import Choice, Item

NATURAL = "natural"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# An option that talks about the other options as a whole ("none of these", "all are correct") is made of these words only.
_QUANTIFIERS = _words("all none any both either neither two three each more")
_ENOUGH_ALONE = _words("all none any both either neither")
_ABOUT_OPTIONS = _QUANTIFIERS | _words(
    """of the these those them this above below previous preceding foregoing following former mentioned listed given
    stated said other others options option answers answer choices choice alternatives alternative ones one statements statement
    responses response items is are be can may could correct true false incorrect untrue right wrong not equally here in than
    applies apply possible"""
)
_POSITIONAL = _words("above below previous preceding foregoing following former")
_UNDECIDED = re.compile(
    r"(?:it |this |the answer )?(?:cannot|can ?not|can't|could not) be (?:determined|decided|answered|told|known)\b.{0,60}"
    r"|(?:there is )?(?:not enough|insufficient) (?:information|data|evidence)\b.{0,60}"
    r"|i (?:do not|don't|dont) know\b.{0,60}|undecided|unsure|not sure|no (?:correct|right) (?:answer|option)\b.{0,40}",
    re.IGNORECASE,
)
_BOUND_HINT = re.compile(
    r"\b(?:all|none|any|both|either|neither|two|three|each|more|can|could|cannot|not|no|insufficient|know|un(?:decided|sure))\b",
    re.IGNORECASE,
)
_OWN_LABEL = re.compile(r"\s*\(?[A-Za-z][).]")
# Glue between references to single options ("both A and C are correct", "all except 3").
_GLUE = _words(
    """both either neither nor and or only all none any not but except excluding with without option options choice
    choices answer answers alternative alternatives statement statements the are is be ones correct true false incorrect right
    wrong of above combination plus"""
) | {"&", "+"}
_POINTING = _words(
    """both either neither only except excluding not option options choice choices answer answers alternative
    alternatives"""
)
_TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[&+]|[^\s,;:.()\[\]/'\"]")
_WORD = re.compile(r"[a-z]+|[0-9]+|[^\s.,;:!()\[\]'\"]")
_IN_SENTENCE = re.compile(
    r"\b(?:both|either|neither|options?|choices?|answers?|alternatives?|same as|except)\s+\(?([A-Z]|[0-9])\)?"
    r"(?:\s*(?:and|or|nor|&|,|\+)\s*\(?([A-Z]|[0-9])\)?(?![\w-])|(?![\w-]))",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"\b(?:(?:[A-Za-z]|[0-9])\b[\s).('\"]*(?:[,&+]|and\b|or\b|nor\b|is\b|are\b|only\b|-)"
    r"|both|either|neither|only|except|excluding|not|same|option|choice|answer|alternative)",
    re.IGNORECASE,
)
"""Cheap first look: nothing that names another option comes without one of these."""
_OPTION_WORD = re.compile(r"options?|choices?|answers?|alternatives?|same", re.IGNORECASE)


def reorder(item: Item, order: str) -> Item:
    """The item with its options' texts in another order; labels stay A, B, C… and the target's labels follow their texts.

    `order` is "natural" or a whole number (the seed). The permutation depends on seed and item id alone. Options about all
    others ("none of the above", "cannot be determined") keep their place, and nothing crosses one that says above or below.
    Unchanged: items marked `fixed_order`, without a choice target, or whose options name other options ("A and C").
    Raises DataError for any other `order`.
    """
    if order == NATURAL:
        return item
    seed = parse_seed(order)
    if item.fixed_order or not isinstance(item.target, Choice) or len(item.options) < 2:
        return item
    labels = tuple(item.options)
    texts = tuple(item.options.values())
    bounds = _bounds(labels, texts)
    if bounds is None:
        return item
    places = permutation(seed, item.id, bounds)
    moved_to = {labels[source]: labels[place] for place, source in enumerate(places)}
    return msgspec.structs.replace(
        item,
        options={label: texts[source] for label, source in zip(labels, places, strict=True)},
        target=Choice(tuple(sorted((moved_to[label] for label in item.target.labels), key=labels.index))),
    )


def parse_seed(order: str) -> int:
    """A seed from its text. Raises DataError."""
    if not (order.isascii() and order.isdigit()):
        raise DataError(f"option order {order!r}: it must be `natural` or a whole number (a seed), e.g. 1618")
    return int(order)


@lru_cache(maxsize=64)  # the orders of an item are asked for one after another
def _bounds(labels: tuple[str, ...], texts: tuple[str, ...]) -> tuple[str, ...] | None:
    """`order_bound` of each option, or None where the item must be left alone."""
    if any(refers_to_options(text, labels) for text in texts):
        return None
    return tuple(order_bound(text) for text in texts)


def permutation(seed: int, item_id: str, bounds: tuple[str, ...]) -> list[int]:
    """For each place the index of the option that stands there: a seeded Fisher-Yates among the options that may move.

    `bounds` holds the `order_bound` of each option.
    """
    places = list(range(len(bounds)))
    draws = _Draws(seed, item_id)
    movable: list[int] = []
    for index, kind in enumerate(bounds):
        if kind == "":
            movable.append(index)
        elif kind == "positional":
            _shuffle(places, movable, draws)
            movable = []
    _shuffle(places, movable, draws)
    return places


def order_bound(text: str) -> str:
    """ "positional" for options whose sense hangs on their place ("all of the above"), "kept" for those that by custom
    keep it ("none of these", "cannot be determined"), "" for all others."""
    if len(text) > 120 or not _BOUND_HINT.search(text):
        return ""
    words = _WORD.findall(text.lower()) if len(text) <= 80 else []
    if len(words) > 1 and _OWN_LABEL.match(text):
        words = words[1:]  # "D) none of the above"
    about_all = not (_QUANTIFIERS if len(words) > 1 else _ENOUGH_ALONE).isdisjoint(words)
    if about_all and len(words) <= 12 and _ABOUT_OPTIONS.issuperset(words):
        return "kept" if _POSITIONAL.isdisjoint(words) and words[0] not in ("both", "either", "neither") else "positional"
    return "kept" if _UNDECIDED.fullmatch(text.strip().rstrip(".")) else ""


def refers_to_options(text: str, labels: Collection[str]) -> bool:
    """Whether an option names other options by letter or number ("A and C", "1 and 3 are correct", "all except C")."""
    if not _HINT.search(text):
        return False
    known = _references(tuple(labels))
    if len(text) <= 80:
        tokens = _TOKEN.findall(text)
        references = sum(t in known for t in tokens)
        words = [t.lower() for t in tokens if t not in known]
        if references == 0 and not _POINTING.isdisjoint(words):  # "both AB", "only ACD"
            references = sum(2 for t in tokens if _run_of_letters(t, known))
            words = [w for w in words if not _run_of_letters(w, known)]
        enough = references >= 2 or (references == 1 and not _POINTING.isdisjoint(words))
        if enough and _GLUE.issuperset(words):
            return True
    for match in _IN_SENTENCE.finditer(text):
        first, second = match.group(1), match.group(2)
        named = [r for r in (first, second) if r is not None]
        lower_article = first == "a" and second is None  # "except a slight fever"
        if lower_article or not known.issuperset(named):
            continue
        if _OPTION_WORD.match(match.group(0)) or (len(named) == 2 and all(r.isupper() for r in named)):
            return True
    return False


@lru_cache(maxsize=256)
def _references(labels: tuple[str, ...]) -> frozenset[str]:
    """What may stand for an option: its label, its letter or its number by position, letters in either case."""
    upper = {label.upper() for label in labels} | {chr(65 + i) for i in range(len(labels))}
    return frozenset(upper | {u.lower() for u in upper} | {str(i + 1) for i in range(len(labels))})


def _run_of_letters(token: str, known: Collection[str]) -> bool:
    return 2 <= len(token) <= 4 and token.isalpha() and len(set(token)) == len(token) and all(c in known for c in token)


def _shuffle(places: list[int], among: list[int], draws: _Draws) -> None:
    for i in range(len(among) - 1, 0, -1):
        j = draws.below(i + 1)
        a, b = among[i], among[j]
        places[a], places[b] = places[b], places[a]


class _Draws:
    """Whole numbers from a hash of seed and id: the same on every machine and Python, which `random` does not promise."""

    def __init__(self, seed: int, item_id: str) -> None:
        self._key = f"{seed}\0{item_id}\0".encode()
        self._block = 0
        self._bytes = b""

    def below(self, n: int) -> int:
        if not self._bytes:
            self._bytes = hashlib.blake2b(self._key + str(self._block).encode()).digest()
            self._block += 1
        value, self._bytes = int.from_bytes(self._bytes[:8], "big"), self._bytes[8:]
        return value % n  # the bias for n <= 26 is below 1e-17
