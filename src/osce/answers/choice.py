"""Which option a response chooses. Read from the response and the options alone: the gold is not an argument.

The most explicit statement wins: a tag, a box, a JSON field, "the answer is …", "B is correct", the first or last line, an
option's text. Within one kind the last statement wins. What commits to nothing is read as nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from osce.answers.context import DECORATION, clause, follows_as_label, lead, names_answer, negated
from osce.answers.outside import abstains, refuses
from osce.answers.places import boxes, fields, tags
from osce.answers.text import Readable, readable
from osce.core.grades import Answer

_PLACEHOLDER = re.compile(
    r"(?:x|n|letter|your[ _](?:final[ _])?(?:answer|choice|letter)(?:[ _]here)?|(?:the )?(?:correct |final )?(?:answer|option|choice)(?: letter)?|"
    r"[a-z]/[a-z](?:/[a-z])*|\.{2,}|…|_+|\$?letter|option letter|letter of .{1,60})",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s*(?:,\s*(?:and|or)?|;|/|&|\+|\band(?:/or)?\b|\bor\b|\bas well as\b|\by\b|\bo\b|\bet\b|\bou\b|\bund\b|\boder\b|\be\b|\bи\b|\bили\b|和|或|及|、|と|와|과|또는)\s*"
    r"(?:(?:the\s+)?(?:option|choice|answer)s?\s*)?[*_`\"'(\[]*",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"[*_`\"')\]}]*(?:\s*[:.)]\s*[^.\n]{1,120}?[*_)]*)?\s+(?:is|would be|must be|remains|seems|appears|looks)\s+(?:to be\s+)?(?:therefore\s+|thus\s+|clearly\s+|likely\s+|probably\s+|indeed\s+|still\s+|definitely\s+)?"
    r"(?:(?P<strong>(?:the|my)\s+(?:\w+\s+){0,3}?(?:answer|option|choice|correct|best)\b|(?:the\s+)?(?:more|most)\s+(?:likely|appropriate|probable|suitable)\b|"
    r"(?:the\s+)?(?:best|most\s+\w+)\s+(?:answer|option|choice|fit|match)\b|preferred\b|better\b)|(?P<weak>correct\b|right\b|best\b))",
    re.IGNORECASE,
)
_VERDICT_ELSEWHERE = re.compile(
    r"[*_`\"')\]}]*\s*(?:(?:[가이은는がは]|es|est|ist|è|é|является)\s*)?(?:정답|正解|正确|正確|答案|la (?:respuesta|opción) correcta|la (?:bonne )?réponse|correct[ae]\b|die (?:richtige )?antwort|richtig\b|a resposta|la risposta|правильн)",
    re.IGNORECASE,
)
_LINE_LEAD = re.compile(
    r"[\s>#*_`\"'“(\[{-]*(?:(?:final|correct|best)?\s*(?:answer|option|choice|letter)\s*[:.]?\s*)?(?:(?:either|both)\s+)?[*_`\"'“(\[{]*",
    re.IGNORECASE,
)
_LATEX = re.compile(r"\\?(?:text|textbf|textit|mathbf|mathrm|mathit|bf|rm)\s*\{")
_NOT_BUT = re.compile(
    r"\bnot\s+(?:option\s+)?[*(]*[A-Z0-9][)*]*\s*,?\s*but\s+(?:rather\s+)?(?:option\s+)?[*_(]*$", re.IGNORECASE
)
_SPACE = re.compile(r"\s+")
_WORDLIKE = re.compile(r"\w")
_POINTED = re.compile(r"(?:\(|\boptions?\s*|\bchoice\s*|\banswer\s*)[(*_\"']*$", re.IGNORECASE)
_CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|so|in conclusion|best|most (?:likely|appropriate)|correct|answer|should|recommend\w*|choose|would be)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?](?=\s)\s*|[。！？\n]\s*")
_CUT_TAIL = 6_000


@dataclass(frozen=True)
class _Found:
    """Labels read at [start, end) of the readable text; more than one = several."""

    labels: tuple[str, ...]
    start: int
    end: int
    how: str


class Options:
    """What can be chosen, prepared once per item: patterns for the labels, folded texts."""

    def __init__(self, options: tuple[tuple[str, str], ...]) -> None:
        self.by_fold = {_fold(label): label for label, _ in options}
        self.text_of = {label: text for label, text in options}
        shapes = sorted({re.escape(label) for label, _ in options}, key=len, reverse=True)
        self.single = all(len(label) == 1 for label, _ in options)
        body = "|".join(shapes) or r"(?!)"
        if self.single and shapes:
            plain = "".join(label for label, _ in options)
            both = "".join(sorted(set(plain.upper() + plain.lower())))
            body = f"[{re.escape(both)}]"
            self.capital = re.compile(
                f"(?<![A-Za-z0-9À-ÿ_])(?<![A-Za-z]['’-])(?<!\\d\\.)[{re.escape(plain)}](?![A-Za-z0-9À-ÿ_])(?!\\.\\d)"
            )
        else:
            self.capital = re.compile(f"(?<![A-Za-z0-9À-ÿ_])(?:{body})(?![A-Za-z0-9À-ÿ_])", re.IGNORECASE)
        self.any_case = re.compile(f"(?<![A-Za-z0-9À-ÿ_])(?:{body})(?![A-Za-z0-9À-ÿ_])(?!\\.\\d)", re.IGNORECASE)
        self.texts: dict[str, list[str]] = {}
        for label, text in options:
            folded = _fold(text)
            if folded and folded not in self.by_fold:
                self.texts.setdefault(folded, []).append(label)
        self.longest_first = sorted(self.texts, key=len, reverse=True)

    def label(self, written: str) -> str | None:
        return self.by_fold.get(_fold(written))

    def exactly(self, written: str) -> tuple[str, ...]:
        """Labels whose text this is."""
        return tuple(self.texts.get(_fold(written), ()))


@lru_cache(maxsize=4096)
def prepared(options: tuple[tuple[str, str], ...]) -> Options:
    return Options(options)


def read_choice(response: str, options: Mapping[str, str], *, truncated: bool = False) -> Answer:
    """The option that a response commits to.

    `options` maps label -> text (texts may be empty); `truncated` says that the token limit was hit. Never raises; linear
    in the length of the response.
    """
    opts = prepared(tuple(options.items()))
    page = readable(response)
    found = _explicit(page, opts)
    if found is None:
        found = _stated(page.text, page.start, len(page.text), opts)
    if found is None:
        found = _by_place(page.text, page.start, len(page.text), opts, whole=not truncated)
    if found is not None and not found.labels:
        return Answer(status="truncated" if truncated else "unparsed", how=found.how, span=page.span(found.start, found.end))
    if found is not None:
        span = page.span(found.start, found.end)
        if len(found.labels) > 1:
            return Answer(status="several", how=found.how, span=span)
        return Answer(status="answered", value=found.labels[0], how=found.how, span=span)
    return _nothing(page, opts, truncated)


def _nothing(page: Readable, opts: Options, truncated: bool) -> Answer:
    """Abstained, refused, truncated or unparsed; an option that says "I don't know" or "none of these" is chosen by it."""
    visible = page.text[page.start :]
    span = abstains(visible)
    if span is not None:
        start, end = page.start + span[0], page.start + span[1]
        saying = [label for label, text in opts.text_of.items() if abstains(text) is not None]
        if len(saying) == 1:
            return Answer(status="answered", value=saying[0], how="option that says so", span=page.span(start, end))
        return Answer(status="abstained", how="abstention", span=page.span(start, end))
    span = refuses(visible)
    if span is not None:
        return Answer(status="refused", how="refusal", span=page.span(page.start + span[0], page.start + span[1]))
    if truncated:
        return Answer(status="truncated", how="token limit hit before an answer")
    return Answer(status="unparsed", how="reasoning never ended" if page.unclosed else "no commitment found")


# --- explicit places: tag, box, JSON -------------------------------------------------------------------------------------


def _explicit(page: Readable, opts: Options) -> _Found | None:
    text, start = page.text, page.start
    for how, places in (("tag", tags(text, start)), ("boxed", boxes(text, start)), ("json", fields(text, start))):
        for low, high in reversed(places):
            inside = text[low:high]
            if not inside.strip() or _is_placeholder(inside, opts):
                continue
            found = _content(text, low, high, opts)
            if found is not None:
                return _Found(found.labels, found.start, found.end, how)
            if _nothing_said(inside):
                return None
            return _Found((), low, high, f"{how} without an option")
    return None


def _is_placeholder(inside: str, opts: Options) -> bool:
    bare = inside.strip(DECORATION + "().{}[]").strip()
    return opts.label(bare) is None and not opts.exactly(bare) and _PLACEHOLDER.fullmatch(bare) is not None


def _nothing_said(inside: str) -> bool:
    return abstains(inside) is not None or refuses(inside) is not None


def _content(text: str, low: int, high: int, opts: Options) -> _Found | None:
    """What a tag, a box or a field holds: a label, an option's text, several, or a sentence that commits."""
    start, end = _trim(text, low, high)
    while (dressed := _LATEX.match(text, start, end)) is not None:
        start, end = _trim(text, dressed.end(), end)
    inside = text[start:end]
    label = opts.label(inside)
    if label is not None:
        return _Found((label,), start, end, "label")
    same = opts.exactly(inside)
    if same:
        return _Found(same, start, end, "text")
    if (found := _line(text, start, end, opts, loose=True)) is not None:
        return found
    if (found := _stated(text, start, end, opts)) is not None:
        return found
    return _text_inside(text, start, end, opts)


def _trim(text: str, low: int, high: int) -> tuple[int, int]:
    cut = DECORATION + ")]}.;!"
    while low < high and text[low] in cut:
        low += 1
    while high > low and text[high - 1] in cut:
        high -= 1
    return low, high


# --- stated: "the answer is B", "I choose C", "D is the best option", "the answer is <text>" -----------------------------


def _stated(text: str, start: int, end: int, opts: Options) -> _Found | None:
    """The last commitment in words. Labels first; an option's text only after them, or where no label commits."""
    by_label = _last_label(text, start, end, opts)
    by_text = _last_text(text, by_label.end if by_label else start, end, opts, near_end=by_label is None)
    return by_text or by_label


def _last_label(text: str, start: int, end: int, opts: Options) -> _Found | None:
    places = list(opts.capital.finditer(text, start, end))
    weak: list[_Found] = []
    for place in reversed(places):
        low, high = place.span()
        label = opts.label(place.group())
        if label is None:
            continue
        kind = lead(text, low) or ("verb" if _NOT_BUT.search(text, max(start, low - 60), low) else "")
        after = _after(text, low, high, end, label, opts)
        if kind and after is not None and (kind != "conclusion" or _ends_line(text, after.end)):
            if kind == "verb" and text[after.end : after.end + 1] == "?":
                continue
            return after
        verdict = _VERDICT.match(text, high, min(end, high + 260)) or _VERDICT_ELSEWHERE.match(text, high, min(end, high + 80))
        if verdict is not None and not negated(clause(text, low)) and not _line_denied(text, verdict.end()):
            joined = _joined_before(text, start, low, label, opts)
            if joined is not None:
                return joined
            if verdict.re is _VERDICT_ELSEWHERE or verdict.group("strong"):
                return _Found((label,), low, high, "verdict")
            weak.append(_Found((label,), low, high, "verdict"))
    lower = _last_lower_case(text, start, end, opts)
    if lower is not None:
        return lower
    return weak[0] if weak and len({w.labels for w in weak}) == 1 else None


def _last_lower_case(text: str, start: int, end: int, opts: Options) -> _Found | None:
    """ "answer: b", "the answer is (c)": lower case counts only right behind such a lead, and never as an article."""
    if not opts.single or end - start > 4 * _CUT_TAIL:
        start = max(start, end - _CUT_TAIL)
    if not opts.single:
        return None
    for place in reversed(list(opts.any_case.finditer(text, start, end))):
        low, high = place.span()
        if text[low].isupper() or not text[low].isalpha():
            continue
        closed = text[high : high + 1] in (")", "]", "*", "}", '"', "'", "`")
        ends = closed or not text[high : high + 2].strip(" .,;") or text[high : high + 1] in ("\n", ".", ",", ";", ":")
        if not ends or lead(text, low) not in ("answer", "verb", "choice"):
            continue
        label = opts.label(place.group())
        if label is not None and follows_as_label(text, high, opts.text_of[label]):
            return _Found((label,), low, high, "stated")
    return None


def _after(text: str, low: int, high: int, end: int, label: str, opts: Options) -> _Found | None:
    """A label behind a lead, with what follows it: an option's text that begins there, more labels, or words that undo it."""
    for folded in opts.longest_first:
        if len(folded) > 1 and text[low].lower() == folded[0] and _fold(text[low : low + len(folded) + 8]).startswith(folded):
            stop = _end_of(text, low, folded)
            if not _WORDLIKE.match(text[stop : stop + 1]):
                return _Found(tuple(opts.texts[folded]), low, stop, "stated text")
    written = _fold(text[low : low + 8])
    if len(written) > 4 and any(folded.startswith(written) for folded in opts.longest_first):
        return None  # "A at 0000": the head of an option's text, not a label
    if not follows_as_label(text, high, opts.text_of[label]):
        return None
    labels = [label]
    at = high
    while (more := _next_label(text, at, end, opts)) is not None:
        labels.append(more[0])
        at = more[1]
    return _Found(tuple(dict.fromkeys(labels)), low, at, "stated")


def _next_label(text: str, at: int, end: int, opts: Options) -> tuple[str, int] | None:
    """Another label joined to one: "A and C", "A, B", "A/B"."""
    closing = re.compile(r"[*_`\"')\]]*").match(text, at)
    joint = _AND.match(text, closing.end() if closing else at, end)
    if joint is None or not joint.group().strip():
        return None
    place = opts.capital.match(text, joint.end(), end)
    if place is None:
        return None
    label = opts.label(place.group())
    own = opts.text_of.get(label or "", "")
    if label is None or not follows_as_label(text, place.end(), own):
        return None
    rest = text[place.end() : place.end() + 30]
    if joint.group().strip().lower().lstrip("*_`\"'([") in (",", ";") and re.match(
        r"\s+(?:is|are|was|would|because|since|has|does)\b", rest
    ):
        return None  # "B, A is wrong": a new clause
    return label, place.end()


def _joined_before(text: str, start: int, low: int, label: str, opts: Options) -> _Found | None:
    """ "A and C are correct" seen from C."""
    before = text[max(start, low - 40) : low]
    joint = re.search(r"(?<![A-Za-z0-9])([A-Za-z0-9])[)*_\"'\]]*\s*(?:and|&|/|,\s*and)\s*(?:option\s+)?[*_(\"'\[]*$", before)
    if joint is None:
        return None
    other = opts.by_fold.get(joint.group(1).lower()) if joint.group(1).isupper() or joint.group(1).isdigit() else None
    return _Found((other, label), low - len(before) + joint.start(1), low + 1, "verdict") if other and other != label else None


def _line_denied(text: str, at: int) -> bool:
    return re.match(r"[^.\n]{0,3}\?", text[at : at + 8]) is not None


def _ends_line(text: str, at: int) -> bool:
    return not text[at : at + 40].split("\n", 1)[0].strip(DECORATION + ")]}.!") or text[at : at + 1] in (".", ")")


# --- an option's text -------------------------------------------------------------------------------------------------------


def _last_text(text: str, start: int, end: int, opts: Options, *, near_end: bool) -> _Found | None:
    """ "the answer is <text of an option>"; in the last sentence also "… is <text>", "most likely <text>"."""
    region = text[start:end]
    low_region = region.lower()
    if len(low_region) != len(region):
        return None
    last_sentence = start + _last_sentence(region)
    best: _Found | None = None
    for folded in opts.longest_first:
        for at in _occurrences(low_region, folded):
            low = start + at
            stop = low + len(folded)
            if best is not None and (low < best.start or (low < best.end and stop <= best.end)):
                continue
            kind = lead(text, low, article=True)
            words = clause(text, low)
            if not kind and low >= last_sentence and near_end and _LIKELY.search(words) and not negated(words):
                kind = "verb"
            if not kind:
                continue
            if kind != "answer" and not names_answer(words) and not (near_end and low >= last_sentence):
                continue
            if not _closes(text, stop):
                continue
            best = _Found(tuple(opts.texts[folded]), low, stop, "stated text")
    return best


_LIKELY = re.compile(
    r"\b(?:most likely|likely|probable|best|most appropriate|diagnosis of|recommend|consistent with|suggest\w*|indicat\w*)(?:\s+(?:an?|the|by))?\W*$",
    re.IGNORECASE,
)
_GO_ON = re.compile(
    r"\s+(?:because|since|as|due|for|given|in|which|and|so|therefore|is|to|with|of|at|on|by|based|considering|\(|according|from|that|would|will|rather|not)\b|\s*\(",
    re.IGNORECASE,
)


def _closes(text: str, at: int) -> bool:
    """Whether an option's text ends there and is not the head of a longer name."""
    rest = text[at : at + 24].lstrip("*_`\"'’”)]}")
    return (
        not rest
        or not (rest[0].isalnum() or rest[0] in " -")
        or not rest.strip()
        or rest[:1] == "\n"
        or _GO_ON.match(rest) is not None
        or (rest[0] == " " and rest[1:2] in "-–—")
    )


def _occurrences(low_region: str, folded: str) -> Iterator[int]:
    at = low_region.rfind(folded)
    tries = 0
    while at >= 0 and tries < 8:
        before = low_region[at - 1 : at]
        if not (before.isalnum() and folded[0].isalnum()):
            yield at
        at = low_region.rfind(folded, 0, at)
        tries += 1


def _text_inside(text: str, start: int, end: int, opts: Options) -> _Found | None:
    """The one option whose text stands in a short passage (longer texts first, so that "Influenza A" is not "Influenza")."""
    inside = text[start:end].lower()
    if len(inside) > 600 or len(inside) != end - start:
        return None
    taken: list[tuple[int, int, tuple[str, ...]]] = []
    for folded in opts.longest_first:
        if len(folded) < 3:
            continue
        for at in _occurrences(inside, folded):
            stop = at + len(folded)
            if not any(a <= at and stop <= b for a, b, _ in taken) and not inside[stop : stop + 1].isalnum():
                taken.append((at, stop, tuple(opts.texts[folded])))
    labels = {label for _, _, group in taken for label in group}
    if len(labels) != 1 or negated(inside[: taken[0][0]]) or not all(_closes(inside, b) for _, b, _ in taken):
        return None
    return _Found(tuple(labels), start + taken[0][0], start + taken[0][1], "text")


# --- by place: the whole response, its first or last line -----------------------------------------------------------------


def _by_place(text: str, start: int, end: int, opts: Options, *, whole: bool) -> _Found | None:
    """A response that is a label, an option's text, or begins or ends with a line that is one. `whole`: it was not cut off."""
    low, high = _trim(text, start, end)
    if low >= high:
        return None
    if high - low <= 600:
        same = opts.exactly(text[low:high])
        if same:
            return _Found(same, low, high, "text")
    lines = _lines(text, low, high)
    first = _line(text, *lines[0], opts, loose=False)
    if len(lines) == 1:
        return first or _head_text(text, *lines[0], opts) or (_lone_text(text, *lines[0], opts) if whole else None)
    listing = sum(_line(text, a, b, opts, loose=False) is not None for a, b in lines[:40])
    if whole:
        last = _line(text, *lines[-1], opts, loose=False)
        if last is not None and (listing <= 1 or _bare(text, last, lines[-1])):
            return last
        same = opts.exactly(text[slice(*_trim(text, *lines[-1]))])
        if same:
            return _Found(same, *lines[-1], "last line")
    if first is not None and listing <= 1:
        return first
    return _head_text(text, *lines[0], opts) or (_concluded(text, low, high, opts) if whole else None)


def _concluded(text: str, low: int, high: int, opts: Options) -> _Found | None:
    """A last sentence that concludes and points at one option alone: "Therefore the best next step is an MRI (Option C)." """
    start = low + _last_sentence(text[low:high])
    labels: dict[str, tuple[int, int]] = {}
    for place in opts.capital.finditer(text, start, high):
        pointed = _POINTED.search(text, max(start, place.start() - 12), place.start())
        label = opts.label(place.group())
        if pointed and label is not None and (pointed.group().strip() != "(" or text[place.end() : place.end() + 1] == ")"):
            labels[label] = place.span()
    sentence = text[start:high]
    if len(labels) != 1 or not _CONCLUDES.search(sentence) or negated(sentence):
        return None
    ((label, span),) = labels.items()
    return _Found((label,), *span, "last sentence")


def _bare(text: str, found: _Found, line: tuple[int, int]) -> bool:
    low, high = _trim(text, *line)
    return found.start == low and found.end >= high


def _lines(text: str, low: int, high: int) -> list[tuple[int, int]]:
    """Non-empty lines as [start, end)."""
    lines, at = [], low
    while at < high:
        stop = text.find("\n", at, high)
        stop = high if stop < 0 else stop
        if text[at:stop].strip(DECORATION + "-"):
            lines.append((at, stop))
        at = stop + 1
    return lines or [(low, high)]


def _line(text: str, low: int, high: int, opts: Options, *, loose: bool) -> _Found | None:
    """A line that is a label, alone or with its option's text behind it ("(B) Ceftriaxone"); several labels are several."""
    begin = _LINE_LEAD.match(text, low, high)
    at = begin.end() if begin else low
    place = opts.any_case.match(text, at, high)
    if place is None:
        return None
    label = opts.label(place.group())
    if label is None:
        return None
    own = opts.text_of[label]
    rest = text[place.end() : high]
    bare = rest.strip(DECORATION + ")]}.;!-–—")
    same = opts.exactly(text[slice(*_trim(text, low, high))])
    if same:
        return _Found(same, place.start(), high, "text")
    labels, stop = [label], place.end()
    while (more := _next_label(text, stop, high, opts)) is not None:
        labels.append(more[0])
        stop = more[1]
    if len(labels) > 1 and not text[stop:high].strip(DECORATION + ")]}.;!"):
        return _Found(tuple(dict.fromkeys(labels)), place.start(), stop, "line")
    if len(labels) > 1 and not own.lower().startswith(bare[:8].lower()):
        return _Found(tuple(dict.fromkeys(labels)), place.start(), stop, "line") if loose else None
    if not bare:
        return _Found((label,), place.start(), place.end(), "line")
    if rest.lstrip("*_`\"'")[:1] == "?":
        return None
    folded = _fold(bare)
    if own and (folded.startswith(_fold(own)[:24]) or _fold(own).startswith(folded)):
        return None if negated(folded[len(_fold(own)) :]) else _Found((label,), place.start(), high, "line")
    separated = re.match(r"[*_`\"'’]*(?:[)\]:：、]|\.(?=\s)|\s+[-–—]\s)", rest) is not None
    if not separated or not follows_as_label(text, place.end(), own):
        return None
    if place.group() in ("a", "i") or (rest.lstrip(" .):")[:1].islower() and rest[:1] == "."):
        return None
    return _Found((label,), place.start(), place.end(), "line")


def _head_text(text: str, low: int, high: int, opts: Options) -> _Found | None:
    """A short option's text that opens the response: "Yes, because …", "No." """
    low, high = _trim(text, low, high)
    head = text[low : low + 60].lower()
    for folded in opts.longest_first:
        if len(folded) <= 40 and head.startswith(folded):
            after = head[len(folded) : len(folded) + 1]
            if after in (".", ",", ":", ";", "!", "\n", "*", "—", "–") or not after:
                return _Found(tuple(opts.texts[folded]), low, low + len(folded), "first words")
    return None


def _lone_text(text: str, low: int, high: int, opts: Options) -> _Found | None:
    """One short line that holds one option's text."""
    return _text_inside(text, low, high, opts) if high - low <= 120 else None


def _last_sentence(region: str) -> int:
    """Where the last sentence of a passage begins (it looks back 500 characters at most)."""
    body = region.rstrip(" \n\t.!*_")
    last = max(0, len(body) - 500)
    for found in _SENTENCE.finditer(body, last):
        if found.end() < len(body):
            last = found.end()
    return last


def _fold(text: str) -> str:
    return _SPACE.sub(" ", text).strip(" .,;:!*_\"'`").lower()


def _end_of(text: str, low: int, folded: str) -> int:
    """Where a folded text that begins at `low` ends."""
    stop = low + len(folded)
    while stop < len(text) and len(_fold(text[low:stop])) < len(folded):
        stop += 1
    return stop
