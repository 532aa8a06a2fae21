"""From an Item to messages: the form of the reference suite for each benchmark, or one plain form for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from osce.benchmarks.base import AnswerFormat
from osce.core.items import CalendarDate, Choice, Item, Message, Number, WeeksDays

Explicit: TypeAlias = Literal["xml", "boxed", "json", "letter"]
Kind: TypeAlias = Literal["letter", "digit", "number", "whole number", "date", "weeks_days"]


@dataclass(frozen=True)
class Paper:
    """How the reference suite puts a benchmark's questions: facts in our own words (its sentences are not ours).

    `where` says which message asks for the answer's form. `choice` is the pattern of one option line; `inline` sets all
    options on one line behind `heading`. `cue` closes the user's message.
    """

    format: Explicit = "xml"
    where: Literal["system", "user", "both"] = "system"
    opening: str = ""
    before_context: str = ""
    before_question: str = "Question: "
    heading: str = ""
    choice: str = "{}. {}"
    inline: bool = False
    cue: str = "Answer:"


PLAIN = Paper(format="letter", where="user", cue="")
"""The one form that the formats other than `paper` share."""


@dataclass(frozen=True)
class Shot:
    """A solved example: its `reasoning` (may be empty) and then its answer, stated in whatever form is asked for."""

    item: Item
    reasoning: str = ""


def messages(
    item: Item, answer_format: AnswerFormat, *, paper: Paper = PLAIN, shots: Sequence[Shot] = ()
) -> tuple[Message, ...]:
    """The messages that put one item to a model, in `answer_format`; the target is never part of them (those of shots are).

    `paper` is what the format "paper" means for this benchmark. Shots stand in the user's message ahead of the question.
    """
    explicit, form = _resolve(answer_format, paper)
    return _compose(item, explicit, form, _solved(shots, explicit, form))


def prompter(paper: Paper = PLAIN, shots: Sequence[Shot] = ()) -> Callable[[Item, AnswerFormat], tuple[Message, ...]]:
    """`messages` with the benchmark's paper form and shots filled in, the shots rendered once: what a Dataset holds."""
    solved: dict[AnswerFormat, str] = {}

    def build(item: Item, answer_format: AnswerFormat) -> tuple[Message, ...]:
        explicit, form = _resolve(answer_format, paper)
        if answer_format not in solved:
            solved[answer_format] = _solved(shots, explicit, form)
        return _compose(item, explicit, form, solved[answer_format])

    return build


def _resolve(answer_format: AnswerFormat, paper: Paper) -> tuple[Explicit, Paper]:
    return (paper.format, paper) if answer_format == "paper" else (answer_format, PLAIN)


def _compose(item: Item, explicit: Explicit, form: Paper, solved: str) -> tuple[Message, ...]:
    request = how_to_answer(explicit, _kind(item), item.target.unit if isinstance(item.target, Number) else "")
    in_user = () if form.where == "system" else (request,)
    text = "\n\n".join(part for part in (form.opening, *in_user, solved, _body(item, form)) if part)
    user = Message("user", text)
    return (user,) if form.where == "user" else (_system(request), user)


@lru_cache(maxsize=512)
def how_to_answer(explicit: Explicit, kind: Kind, unit: str = "") -> str:
    """The sentences that ask for an answer of this kind in this form."""
    noun = _NOUN[kind] + (f" in {unit} (without the unit)" if unit and kind in ("number", "whole number") else "")
    if explicit == "letter":
        return f"Reply with {noun} only: nothing before it and nothing after it."
    x = _PLACE[kind]
    if explicit == "json":
        quoted = x if kind in ("digit", "number", "whole number") else f'"{x}"'
        shown = f'{{"answer": {quoted}}}'
    else:
        shown = f"<answer>{x}</answer>" if explicit == "xml" else f"\\boxed{{{x}}}"
    what = noun if len(x) > 1 else f"where {x} is {noun}"
    return f"Work through the problem step by step, then end with your answer in the form {shown}, {what}."


_NOUN: dict[Kind, str] = {
    "letter": "the letter of the one correct option",
    "digit": "the number of the one correct option",
    "number": "a decimal number",
    "whole number": "a whole number",
    "date": "a date (year-month-day)",
    "weeks_days": "a gestational age in weeks and days",
}
# A placeholder that is no label: a weak model that echoes the example has not answered.
_PLACE: dict[Kind, str] = {
    "letter": "X",
    "digit": "N",
    "number": "N",
    "whole number": "N",
    "date": "YYYY-MM-DD",
    "weeks_days": "W weeks D days",
}


def state(explicit: Explicit, item: Item) -> str:
    """A known answer as a model would have given it (for shots)."""
    target = item.target
    if isinstance(target, Choice):
        value = target.labels[0]
    elif isinstance(target, Number):
        value = f"{target.value:g}"
    elif isinstance(target, CalendarDate):
        value = target.value
    else:
        value = f"{target.weeks} weeks {target.days} days"
    if explicit == "xml":
        return f"<answer>{value}</answer>"
    if explicit == "boxed":
        return f"\\boxed{{{value}}}"
    if explicit == "json":
        bare = isinstance(target, Number) or value.isdigit()
        return f'{{"answer": {value}}}' if bare else f'{{"answer": "{value}"}}'
    return value


def _kind(item: Item) -> Kind:
    target = item.target
    if isinstance(target, Choice):
        return "digit" if next(iter(item.options), "").isdigit() else "letter"
    if isinstance(target, Number):
        return "whole number" if target.integer else "number"
    return "weeks_days" if isinstance(target, WeeksDays) else "date"


def _body(item: Item, form: Paper) -> str:
    lines = []
    if item.context:
        lines.append(f"{form.before_context}{item.context}\n")
    lines.append(form.before_question + item.question)
    if item.options:
        choice = form.choice.format
        shown = [choice(label, text) for label, text in item.options.items()]
        if form.inline:
            lines.append(form.heading + " ".join(shown))
        else:
            if form.heading:
                lines.append(form.heading)
            lines.extend(shown)
    if form.cue:
        lines.append(form.cue)
    return "\n".join(lines)


@lru_cache(maxsize=64)
def _system(text: str) -> Message:
    return Message("system", text)


def _solved(shots: Sequence[Shot], explicit: Explicit, form: Paper) -> str:
    return "\n\n".join(_solved_one(shot, explicit, form) for shot in shots)


def _solved_one(shot: Shot, explicit: Explicit, form: Paper) -> str:
    asked = _body(shot.item, form)
    answer = state(explicit, shot.item)
    if shot.reasoning and explicit != "letter":
        answer = f"{shot.reasoning} {answer}"
    return f"{asked}\n{answer}" if form.cue else f"{asked}\nAnswer: {answer}"
