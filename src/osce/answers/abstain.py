"""Saying that one does not answer: "I don't know", "none of the above", "I can't help with that"."""

from __future__ import annotations

import re

from osce.answers.options import Options

_UNKNOWN = re.compile(
    r"\b(?:i|we) (?:do not|don't|really don't|honestly don't) know\b|\bdon'?t know\b|\b(?:can ?not|can't|could not"
    r"|couldn't) (?:be |clearly be |"
    r"definitively be |reliably be )?(?:determined?|answer(?:ed)?(?! with)|decided?|concluded?|judged?|inferred)\b"
    r"|\bunable to (?:determine|answer|decide|choose|select)\b|\bnot enough (?:information|data|evidence|context)\b"
    r"|\b(?:insufficient|inadequate) (?:information|data|evidence|context)\b|\b(?:i am|i'm) (?:not sure|unsure|uncertain)\b"
    r"|\bundetermined\b|\bindeterminate\b|\bimpossible to (?:determine|say|tell|answer)\b"
    r"|\bi (?:would |will )?abstain\b|\bcannot choose\b"
    r"|\bno (?:lo )?s[eé]\b|\bich wei(?:ß|ss) (?:es )?nicht\b|\bje ne sais pas\b|\bnão sei\b|\bnon (?:lo )?so\b|не знаю"
    r"|لا أعرف|不知道|无法确定|無法確定"
    r"|無法判斷|无法判断|わかりません|分かりません|모르겠|알 수 없"
)
_UNKNOWN_WHOLE = re.compile(
    r"(?:unknown|unsure|uncertain|undecided|n/?a|not sure|abstain|idk|no answer|\?+|pass|no idea|not known|unclear)"
)
_NONE = re.compile(
    r"\b(?:none|neither|nothing) of (?:the|these|them|those|above|all|my)\b|\bnone (?:is|are) correct\b"
    r"|\bno (?:correct )?(?:option|choice) (?:is|are|listed)?"
    r"|\bno (?:correct|right|suitable) (?:answer|option|choice)\b|\bnone of (?:option|choice|answer)s?\b|\bnota\b"
    r"|\bninguna de las\b|\baucune (?:de ces|des)\b|\bkeine der\b|\bnenhuma das\b|\bnessuna delle\b|以上都不|以上皆非"
    r"|該当なし|ни один|ничего из"
)
_NONE_WHOLE = re.compile(r"none|none of (?:the )?above|none of these|nothing|neither|null|nil|nota")
_REFUSAL_START = re.compile(
    r"(?:i'm|i am|we're)?\s*(?:very |so |really |truly )?(?:sorry|afraid)\b|i apologi[sz]e|my apologies|as an ai\b"
    r"|as a (?:large )?language model"
    r"|unfortunately|i (?:can ?not|can't|won't|will not|must decline|am unable|am not able|'m unable|'m not able"
    r"|do not feel)|i'm (?:unable|not able)|i (?:refuse|decline|have to decline)"
    r"|lo siento|je suis désolé|désolé|es tut mir leid|entschuldigung|leider kann|desculpe|sinto muito|mi dispiace"
    r"|申し訳|すみません|抱歉|对不起|對不起|很抱歉"
    r"|죄송|извините|к сожалению|прошу прощения|عذرا|آسف|أعتذر"
)
_REFUSAL = re.compile(
    r"\b(?:can ?not|can't|won't|will not|unable to|not able to|decline to|must decline|not permitted to|not allowed to"
    r"|not appropriate for me to"
    r"|not comfortable)\b.{0,60}?\b(?:help|assist|provid(?:e|ing)|answer(?:ing)?|comply|fulfill?|give|giving|offer"
    r"|discuss|diagnos|advice|engage|continue|support|do that|respond)"
    r"|\bdecline\b|\brefuse\b|no puedo|ne peux pas|ne puis|nicht (?:helfen|beantworten|geben)|kann .{0,40}nicht"
    r"|não posso|non posso|できません|お答えでき|无法|無法|不能|"
    r"없습니다|없어요|не могу|لا (?:يمكنني|أستطيع)",
    re.DOTALL,
)

_UNDECIDED = re.compile(r"\bdetermin|\benough\b|\binsufficient\b|\bdon't know\b|\bnot sure\b|\bdecide\b|\bchoose\b|\bselect\b")


def says_unknown(low: str) -> bool:
    return bool(_UNKNOWN.search(low)) or bool(_UNKNOWN_WHOLE.fullmatch(low.strip(" \n.*\"'`!()[]<>{}")))


def says_none(low: str) -> bool:
    return bool(_NONE.search(low)) or bool(_NONE_WHOLE.fullmatch(low.strip(" \n.*\"'`!()[]<>{}")))


def option_that_says_so(options: Options, *, none: bool) -> str | None:
    """The one option whose text is "none of the above" (or "cannot be determined"); None if there is none or two."""
    test = says_none if none else says_unknown
    found = [label for label in options.labels if (text := options.text(label)) and len(text) <= 80 and test(text)]
    return found[0] if len(found) == 1 else None


def refuses(low: str) -> bool:
    """A response that opens by declining. `low` is its beginning in lower case."""
    head = low[:400].lstrip(" \n\t*#>\"'")
    return bool(_REFUSAL_START.match(head)) and bool(_REFUSAL.search(head)) and not _UNDECIDED.search(head)
