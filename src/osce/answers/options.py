"""An item's options made ready for reading: which label or option text stands at a position of a response."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from osce.answers import phrases
from osce.answers.text import View, canon, fold

# Word characters of scripts that put spaces between words; in Chinese, Japanese and Korean a label is followed directly.
_CJK = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
TOKEN = re.compile(rf"[^\W\d_{_CJK}]+(?:'[^\W\d_{_CJK}]+)?|\d+(?:[.,]\d+)*|[{_CJK}]|\n|[^\s\w]|_")
WORD = re.compile(rf"[^\W_{_CJK}]+")
_NEXT_WORD = re.compile(rf"[ \t*_]*([^\W\d_{_CJK}]+(?:'[a-z]+)?)")
_HYPHENS = "-‐‑–−"
_CLOSERS = ')]}>*_`"”»」』】,;:!?|$\\<=(（[~→…。、'
_DONE = frozenset((")", "]", "}", "*", "\n", "<", '"', "$", ""))
_GAP = re.compile(r"[\s*_`)(\[\]}.,;:\"'-]*")
_JOINER = re.compile(
    r"[\s*_`)\]}\"']*(?:[&,;/+]+|(?:"
    + "|".join(sorted(map(re.escape, phrases.LIST_JOINERS), key=len, reverse=True))
    + r")(?![a-z0-9]))"
)
_AFTER_JOINER = re.compile(
    r"(?:[\s*_`(\[{\"',$\\]|(?:and|or|both|option|choice|answer|also|possibly|either|text|textbf)(?![a-z]))*"
)


class Mention(NamedTuple):
    """Labels named at [start, end) of the normalised text: one, or several joined by "and", "or", commas."""

    labels: tuple[str, ...]
    start: int
    end: int
    by_text: bool = False


class _Text(NamedTuple):
    low: str
    labels: tuple[str, ...]


class _Labels:
    """What follows from the labels alone; shared by all items with the same ones."""

    def __init__(self, labels: tuple[str, ...]) -> None:
        self.labels = labels
        self.order = {label: k for k, label in enumerate(labels)}
        self.by_fold: dict[str, str] = {}
        for label in labels:
            self.by_fold.setdefault(_label_key(label), label)
        self.signed = any(label[:1] in ("+", *_HYPHENS) for label in labels)
        self.one_char = all(len(key) == 1 for key in self.by_fold)
        self.numeric = all(label.strip().lstrip("+-−").isdigit() for label in labels)


@lru_cache(maxsize=512)
def _labels_of(labels: tuple[str, ...]) -> _Labels:
    return _Labels(labels)


class Options:
    """Labels and option texts of one item, with the indexes that reading needs: built once, and only when asked for."""

    def __init__(self, options: tuple[tuple[str, str], ...]) -> None:
        self._raw = dict(options)
        known = _labels_of(tuple(self._raw))
        self.labels, self.order, self.by_fold = known.labels, known.order, known.by_fold
        self.signed, self.one_char, self.numeric = known.signed, known.one_char, known.numeric
        self._canon: dict[str, str] = {}

    def text(self, label: str) -> str:
        """The option's text in its form for comparison; empty when it has none."""
        plain = self._canon.get(label)
        if plain is None:
            plain = self._canon[label] = canon(self._raw[label] or "")
        return plain

    def first_of(self, label: str) -> str:
        """The first word of the option's text."""
        word = WORD.search(self.text(label))
        return word.group() if word else ""

    @cached_property
    def has_texts(self) -> bool:
        return any(self._raw.values())

    @cached_property
    def by_text(self) -> dict[str, tuple[str, ...]]:
        """Text -> the labels that have it (more than one where options repeat)."""
        grouped: dict[str, list[str]] = {}
        for label in self.labels:
            plain = self.text(label)
            if plain and plain != label.lower():
                grouped.setdefault(plain, []).append(label)
        return {plain: tuple(labels) for plain, labels in grouped.items()}

    @cached_property
    def first_word(self) -> dict[str, list[_Text]]:
        """First word -> texts that begin with it, the longest first."""
        found: dict[str, list[_Text]] = {}
        for plain, labels in self.by_text.items():
            for form in {plain, without_article(plain)}:
                word = WORD.search(form)
                if word is not None:
                    found.setdefault(word.group(), []).append(_Text(form[word.start() :], labels))
        for entries in found.values():
            entries.sort(key=lambda entry: -len(entry.low))
        return found

    @cached_property
    def longest(self) -> int:
        return max((len(plain) for plain in self.by_text), default=0)

    # -- what stands at a position ------------------------------------------------------------------------------------

    def label_at(self, view: View, start: int, *, strict: bool = False) -> tuple[str, int] | None:
        """The label that stands alone at `start`, with its end; None for articles, organisms, compounds, units.

        `strict` also refuses a label that a further word follows, unless it is the option's own text.
        """
        norm = view.norm
        first = norm[start]
        end = start + 1
        if self.signed and first in "+-–−—‐‑" and norm[end : end + 1].isdigit():
            while end < len(norm) and norm[end].isdigit():
                end += 1
        else:
            if self.one_char:
                following = norm[end : end + 1]
                if following.isalnum() and following.isascii():
                    return None
                if first.isalnum() and not first.isascii() and _label_key(first) not in self.by_fold:
                    return None
            word = WORD.match(norm, start, start + 40)
            if word is None:
                return None
            end = word.end()
        token = norm[start:end]
        label = self.by_fold.get(_label_key(token))
        if label is None:
            return None
        if start and (norm[start - 1].isalnum() and norm[start - 1].isascii()):
            return None
        single_letter = len(token) == 1 and token.isalpha()
        small = single_letter and token.islower() and not label.islower()
        return (label, end) if self._stands_alone(view, label, token, end, small, strict) else None

    def _stands_alone(self, view: View, label: str, token: str, end: int, small: bool, strict: bool) -> bool:
        norm = view.norm
        n = len(norm)
        if end >= n:
            return True
        ch = norm[end]
        if ch == "\n" or ch in _CLOSERS:
            return not (ch == "," and token[-1].isdigit() and norm[end + 1 : end + 2].isdigit())
        if ch == ".":
            return self._dot(view, label, token, end)
        if ch in " \t\r":
            return self._space(view, label, token, end, small, strict)
        if ch in _HYPHENS:
            following = norm[end + 1 : end + 2]
            return not following.isalnum() or view.low.startswith(self.text(label) or "\0", end + 1)
        if ch == "/":
            following = norm[end + 1 : end + 2]
            after = norm[end + 2 : end + 3]
            if view.low.startswith(self.text(label) or "\0", end + 1):
                return True
            return _label_key(following or " ") in self.by_fold and not after.isalnum()
        if ch == "'":
            return not norm[end + 1 : end + 2].isalpha()
        if ch in "+%°^&#@":
            return ch == "&"
        if ch.isalnum():
            return ch in phrases.CJK_AFTER_LABEL
        return True

    def _dot(self, view: View, label: str, token: str, end: int) -> bool:
        norm = view.norm
        following = norm[end + 1 : end + 2]
        if token[-1].isdigit() and following.isdigit():
            return False
        if not following or following in "\n*_)\"'<`}]$\\":
            return True
        word = _NEXT_WORD.match(norm, end + 1, end + 60)
        if word is None or self.own_text_follows(view, label, end):
            return True
        first = word.group(1)
        if following.isalpha():  # "e.g", "B.Ceftriaxone"
            return first.lower() == self.first_of(label) or (first[0].isupper() and len(first) > 1)
        if first[0].isupper() or first in phrases.FUNCTION or len(token) > 1 or not token.isalpha():
            return True
        # "B. ceftriaxone" is the option's own text; "C. difficile" is an organism.
        return first == self.first_of(label) or (not self.has_texts and len(first) < 4)

    def _space(self, view: View, label: str, token: str, end: int, small: bool, strict: bool) -> bool:
        norm = view.norm
        at = end
        while at < len(norm) and norm[at] in " \t\r*_":
            at += 1
        if at >= len(norm) or norm[at] == "\n":
            return True
        ch = norm[at]
        if ch.isdigit():
            return False
        if not ch.isalpha():
            return True
        word = WORD.match(norm, at, at + 40)
        if word is None:
            return True
        first = word.group()
        low = first.lower()
        if low == self.first_of(label) and view.low.startswith(self.text(label)[:12], at):
            return True
        if small or strict:
            return False
        if low in phrases.FUNCTION or _label_key(first) in self.by_fold:
            return True
        if not ch.isascii():
            return True
        # "C Ceftriaxone" where the options' texts are unknown; never "B cell", "Vitamin"-like compounds or articles.
        return first[0].isupper() and not self.has_texts and not first.isupper() and label not in ("A", "I")

    def text_at(self, view: View, start: int) -> Mention | None:
        """The longest option text that begins at `start` and ends at a word's end; equal texts name all their labels."""
        low = view.low
        word = WORD.match(low, start, start + 60)
        if word is None:
            return None
        for text, labels in self.first_word.get(word.group(), ()):
            end = start + len(text)
            if not low.startswith(text, start):
                loose = _loosely(low, start, text)
                if loose is None:
                    continue
                end = loose
            if self._text_ends(low, end, text):
                return Mention(labels, start, end, by_text=True)
        return None

    @staticmethod
    def _text_ends(low: str, end: int, text: str) -> bool:
        following = low[end : end + 1]
        if following.isalnum() and (following.isascii() or text[-1:].isascii()):
            return following in phrases.CJK_AFTER_LABEL
        if text[-1:].isdigit() and following in ".,%" and (following == "%" or low[end + 1 : end + 2].isdigit()):
            return False
        if following and following in _HYPHENS and low[end + 1 : end + 2].isalnum():
            return False
        if len(text) <= 5 and following == " ":  # "no" is not "no evidence"
            word = _NEXT_WORD.match(low, end, end + 40)
            return word is None or word.group(1) in phrases.FUNCTION
        return True

    def at(self, view: View, start: int, *, strict: bool = False) -> Mention | None:
        """What is named at `start`: the option whose text begins there if it says more than a label, else the label."""
        by_label = self.label_at(view, start, strict=strict)
        if by_label is not None and (
            view.norm[by_label[1] : by_label[1] + 1] in _DONE or view.norm[by_label[1] : by_label[1] + 2] in (".", ".\n")
        ):
            return Mention((by_label[0],), start, by_label[1])  # no text goes on here: the common case
        by_text = self.text_at(view, start) if self.has_texts else None
        if by_label is None:
            return by_text
        label, end = by_label
        if by_text is not None and by_text.end > end:
            return by_text
        return Mention((label,), start, end)

    def all_at(self, view: View, start: int, limit: int, *, strict: bool = False) -> Mention | None:
        """As `at`, and what "and", "or", commas join to it."""
        first = self.at(view, start, strict=strict)
        if first is None:
            return None
        if limit - first.end <= 3 and not view.low[first.end : limit].strip(").*_ \n"):
            return first  # nothing can be joined to it
        labels = list(first.labels)
        end = first.end
        for _ in range(26):
            further = self._joined(view, self.past_own_text(view, labels[-1], end), limit)
            if further is None:
                break
            labels += [label for label in further.labels if label not in labels]
            end = further.end
        return Mention(tuple(labels), first.start, end, first.by_text)

    def past_own_text(self, view: View, label: str, end: int) -> int:
        text = self.text(label)
        if not text:
            return end
        gap = _GAP.match(view.low, end, end + 8)
        at = gap.end() if gap else end
        if view.low.startswith(text, at):
            return at + len(text)
        return end

    def _joined(self, view: View, end: int, limit: int) -> Mention | None:
        joiner = _JOINER.match(view.low, end, min(limit, end + 24))
        if joiner is None:
            return None
        skip = _AFTER_JOINER.match(view.low, joiner.end(), min(limit, joiner.end() + 40))
        at = skip.end() if skip else joiner.end()
        if at >= limit:
            return None
        further = self.at(view, at)
        if further is None:
            return None
        word = _NEXT_WORD.match(view.low, further.end, further.end + 30)
        if word is not None and word.group(1) in phrases.SINGULAR_VERBS and view.low[further.end : further.end + 1] == " ":
            return None  # "B, and A is wrong"
        return further

    def own_text_follows(self, view: View, label: str, end: int) -> bool:
        text = self.text(label)
        return bool(text) and self.past_own_text(view, label, end) > end


@lru_cache(maxsize=4096)
def _label_key(label: str) -> str:
    plain = fold(label).strip().casefold()
    for hyphen in "‐‑–−—":
        plain = plain.replace(hyphen, "-")
    return plain[1:] if plain.startswith("+") and plain[1:].isdigit() else plain


def without_article(plain: str) -> str:
    first, _, rest = plain.partition(" ")
    return rest if rest and first in ("a", "an", "the") else plain


def _loosely(low: str, start: int, text: str) -> int | None:
    """End of `text` at `start` when emphasis marks or other spacing stand between its words; None when it is not there."""
    at = start
    for word in text.split(" "):
        while at < len(low) and low[at] in " \t\r\n*`":
            at += 1
        if not low.startswith(word, at):
            return None
        at += len(word)
    return at


@lru_cache(maxsize=4096)
def _prepared(options: tuple[tuple[str, str], ...]) -> Options:
    return Options(options)


def prepare(options: Mapping[str, str]) -> Options:
    """The options of an item, prepared; the same options are prepared once."""
    return _prepared(tuple(options.items()))
