"""Reading a choice out of a response: cut the reasoning, find commitments by ordered rules, resolve. Never sees the gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from osce.answers import containers, declared, lines, resolve, stated
from osce.answers.containers import Segment
from osce.answers.options import Options, prepare
from osce.answers.reasoning import answer_region
from osce.answers.resolve import Reading
from osce.answers.text import View
from osce.core.grades import Answer

_BARE = " \t\r\n.()[]*`\"':"


def read_choice(response: str, options: Mapping[str, str], *, truncated: bool = False) -> Answer:
    """The option that `response` commits to, with the rule that read it and where.

    `options` maps label -> text (empty texts are allowed). `truncated`: the provider said the token limit was hit.
    Rules in order of explicitness: tag, boxed, json, stated, marked (a leading, lone or bold label), declared ("B is
    correct"), text (ends in an option's text). Inside a rule the last commitment wins. Linear in the response's length.
    """
    prepared = prepare(options)
    bare = response.strip(_BARE) if len(response) < 40 else ""
    if bare and bare in prepared.order and bare not in ("I",):
        at = response.index(bare)
        return Answer(status="answered", value=bare, how="label", span=(at, at + len(bare)))
    view = View(response)
    region = answer_region(view)
    if region.unfinished:
        return Answer(status="truncated" if truncated else "unparsed", how="unclosed reasoning")
    for how, sign, rule in _RULES:
        if sign not in view.low:
            continue
        if how == "text" and truncated and len(view.norm) > 300:
            continue  # the last words of a response that was cut off are not its conclusion
        found = rule(view, prepared, region.start, region.end)
        if found is None:
            continue
        if found.kind == "nothing":
            return Answer(status="unparsed", how=how, span=view.span(found.start, found.end))
        return _answer(view, found, how)
    return _without_commitment(view, prepared, region.start, region.end, truncated)


def _answer(view: View, found: Reading, how: str) -> Answer:
    span = view.span(found.start, found.end)
    if found.kind == "abstained":
        return Answer(status="abstained", how=how, span=span)
    if len(found.labels) > 1:
        return Answer(status="several", how=how, span=span)
    return Answer(status="answered", value=found.labels[0], how=how, span=span)


def _without_commitment(view: View, options: Options, start: int, end: int, truncated: bool) -> Answer:
    if lines.refuses(view, start, end):
        return Answer(status="refused", how="refusal")
    declined = lines.declines(view, options, start, end)
    if declined is not None and not (truncated and end - start > 200):
        return _answer(view, declined, "text" if declined.kind == "labels" else "abstention")
    return Answer(status="truncated" if truncated else "unparsed")


def _contained(finder: Callable[[View, int, int], Iterator[Segment]]) -> Callable[[View, Options, int, int], Reading | None]:
    def rule(view: View, options: Options, start: int, end: int) -> Reading | None:
        for piece in finder(view, start, end):
            found = resolve.segment(view, options, piece.start, piece.end)
            if found is None and piece.end - piece.start > 2:
                found = stated.commitments(view, options, piece.start, piece.end)
                found = found or declared.weaker(view, options, piece.start, piece.end)
            if found is not None and (found.kind == "labels" or piece.closed):
                return found
        return None

    return rule


# Name, a sign without which the rule cannot apply, the rule.
_RULES: tuple[tuple[str, str, Callable[[View, Options, int, int], Reading | None]], ...] = (
    ("tag", "<", _contained(containers.tags)),
    ("boxed", "box", _contained(containers.boxes)),
    ("json", "{", _contained(containers.fields)),
    ("stated", "", stated.commitments),
    ("marked", "", lines.marked),
    ("declared", "", declared.weaker),
    ("text", "", lines.last_text),
)
