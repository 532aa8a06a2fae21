"""Responses that answer nothing on purpose: abstentions and refusals."""

from __future__ import annotations

import re

_ABSTAIN = re.compile(
    r"\b(?:i (?:do not|don't|don’t|dont) know|i(?: am|'m|’m) (?:not sure|unsure|not certain|uncertain|unable to (?:determine|answer|choose))|"
    r"(?:cannot|can not|can't|can’t|could not|unable to) (?:be )?(?:determine[d]?|decide[d]?|answer(?:ed)?(?: (?:this|the) question)?|"
    r"choose|conclude|tell)|(?:not enough|insufficient) (?:information|data|evidence|context)|"
    r"none of (?:the|these)(?: above| options| given| listed| choices| provided)*(?: options| choices| answers)?(?: (?:is|are|seems?) (?:correct|right|appropriate))?|"
    r"no (?:correct|right|suitable) (?:answer|option)|no lo sé|je ne sais pas|ich weiß (?:es )?nicht|não sei|non lo so|не знаю)\b|我不知道|不知道|わかりません|모르겠",
    re.IGNORECASE,
)
_REFUSE = re.compile(
    r"(?:i(?:'m| am|’m) (?:sorry|afraid|unable)|i apologi[sz]e|sorry|i (?:cannot|can't|can’t|won't|will not|must decline|am not able))"
    r"[^.\n]{0,120}?(?:help|assist|provide|answer|comply|fulfil?l|advice|advise|diagnos|engage|continue|discuss|give|offer|recommend|support)|"
    r"as an ai\b[^.\n]{0,120}?(?:cannot|can't|can’t|not able|unable|not qualified)|lo siento, (?:pero )?no puedo|"
    r"i(?: cannot|'m not able to| can't|’m not able to) (?:give|provide|offer)[^.\n]{0,60}medical advice",
    re.IGNORECASE,
)
SHORT = 1200


def abstains(text: str) -> tuple[int, int] | None:
    """[start, end) of an abstention in a short text, or in the last 300 characters of a long one."""
    start = 0 if len(text) <= 300 else len(text) - 300
    found = _ABSTAIN.search(text, start)
    return found.span() if found else None


def refuses(text: str) -> tuple[int, int] | None:
    """[start, end) of a refusal that opens a short text."""
    if len(text) > SHORT:
        return None
    found = _REFUSE.search(text, 0, min(len(text), 400))
    return found.span() if found else None
