"""Which part of a response is the answer and not the thinking before it or the next turn made up after it."""

from __future__ import annotations

import re
from typing import NamedTuple

from osce.answers.text import View

_NAMES = r"think(?:ing)?|thought|thoughts|reason(?:ing)?|reflection|scratchpad|analysis|cot|internal_monologue"
_TAG = re.compile(rf"[<\[◁](/?)\s*(?:antml:)?(?:{_NAMES})\s*[>\]▷]|<\|(begin|end)_of_(?:thought|thinking)\|>")
_MARKS = ("think", "thought", "reason", "reflection", "scratchpad", "analysis", "cot>", "monologue")
_FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final[^<]{0,40}<\|message\|>|(?<=[.!?)\s])assistantfinal")
_CHANNEL = re.compile(r"<\|channel\|>\s*(?:analysis|commentary)|^\s*analysis(?=we |the |user|let|this)")
_TURN_END = re.compile(
    r"<\|(?:im_end|eot_id|endoftext|end_of_text|return|end|eom_id|end_of_turn|im_start|start_header_id)\|>|<end_of_turn>"
    r"|</s>|<eos>|\n(?:\#{1,4} ?|\*\*)?(?:human|user)(?:\*\*)?:"
)
_NEXT_QUESTION = re.compile(r"\n[ \t]*(?:\#{1,6} ?|\*\*)?(?:next )?question(?: \d{1,3})?(?:\*\*)? ?:")
_ECHO = re.compile(r"\s{0,20}[*#]{0,4}\s?question\s?:")  # the prompt comes back before the answer
_ANSWERED = re.compile(r"answer(?: is\b|\**:)")


class Region(NamedTuple):
    """[start, end) of the normalised text that counts; `unfinished` = the thinking was never closed."""

    start: int
    end: int
    unfinished: bool = False


def answer_region(view: View) -> Region:
    """Cut off reasoning before the last closing tag and made-up turns after the answer."""
    low = view.low
    start, end, unfinished = 0, len(low.rstrip()), False
    angled = "<" in low
    if (angled or "[" in low or "◁" in low) and any(mark in low for mark in _MARKS):
        last_open = last_close = -1
        for match in _TAG.finditer(low):
            if match.group(1) == "/" or match.group(2) == "end":
                last_close, start = match.start(), match.end()
            else:
                last_open = match.start()
        unfinished = last_open > last_close
    if (angled and "<|channel" in low) or "assistantfinal" in low or low.startswith("analysis"):
        finals = [match.end() for match in _FINAL_CHANNEL.finditer(low)]
        if finals and finals[-1] >= start:
            start, unfinished = finals[-1], False
        elif _CHANNEL.search(low, start):
            unfinished = True
    if angled or "human" in low or "user" in low:
        turn = _TURN_END.search(low, start, end)
        if turn is not None and low[start : turn.start()].strip():
            end = turn.start()
    if _ECHO.match(low, start):
        echoed = low.find("\nanswer:", start, end)
        start = echoed + 1 if echoed >= 0 else start
    if "question" in low:
        # A question after an answer is the model asking itself the next one; before it, it is an echo of ours.
        answered = _ANSWERED.search(low, start, end)
        following = _NEXT_QUESTION.search(low, answered.end(), end) if answered else None
        if following is not None:
            end = following.start()
    return Region(start, end, unfinished)
