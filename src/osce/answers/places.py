"""Places made for an answer: tags, boxes, JSON fields. Each function gives [start, end) of what they hold, in order."""

from __future__ import annotations

import re

_TAG = re.compile(r"<(answer|final_answer|final answer|choice|option)>", re.IGNORECASE)
_BOX = re.compile(r"\\boxed\s*\{|\\fbox\s*\{")
_JSON = re.compile(
    r"""["'](?:final_answer|final answer|answer_choice|answer choice|answer_letter|correct_answer|answer|choice|selected_option|option|prediction)["']\s*:\s*"""
    r"""(?P<value>"(?:[^"\\\n]|\\.){0,400}"?|'[^'\n]{0,400}'?|\[[^\]\n]{0,200}\]?|[\w.+-]{1,40})""",
    re.IGNORECASE,
)


def tags(text: str, start: int) -> list[tuple[int, int]]:
    if text.find("<", start) < 0:
        return []
    places = []
    for opening in _TAG.finditer(text, start):
        low = opening.end()
        close = text.find("</", low)
        high = len(text) if close < 0 else close
        again = text.find("<", low, high)
        if again >= 0 and text[again : again + 3].lower() != "<su":
            high = again if close < 0 or again < close else high
        if close < 0:
            newline = text.find("\n\n", low)
            high = min(high, newline if newline >= 0 else high)
        places.append((low, high))
    return places


def boxes(text: str, start: int) -> list[tuple[int, int]]:
    if text.find("\\boxed", start) < 0 and text.find("\\fbox", start) < 0:
        return []
    places = []
    for opening in _BOX.finditer(text, start):
        depth, low = 1, opening.end()
        high = min(len(text), low + 600)
        for i in range(low, high):
            if text[i] == "{":
                depth += 1
            elif text[i] == "}":
                depth -= 1
                if not depth:
                    high = i
                    break
        places.append((low, high))
    return places


def fields(text: str, start: int) -> list[tuple[int, int]]:
    if text.find(":", start) < 0 or (text.find('"', start) < 0 and text.find("'", start) < 0):
        return []
    return [m.span("value") for m in _JSON.finditer(text, start)]
