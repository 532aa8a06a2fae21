"""Where cue words stand in a response, and what may come right behind them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from osce.answers.options import Mention, Options
from osce.answers.resolve import Reading
from osce.answers.text import View

Reader: TypeAlias = Callable[[View, Options, str, int, int, int], Reading | None]
"""(view, options, cue, position of the cue, start, end) -> what is committed to there."""


WINDOW = 240


TRIES = 60
"""So many times a cue may stand there without an answer before it is given up: what loops does not commit."""


def last(view: View, options: Options, start: int, end: int, cues: tuple[str, ...], reader: Reader) -> Reading | None:
    """The reading of the cue that stands last. Each cue is searched from the end, and only behind the best one so far."""
    best: Reading | None = None
    best_at = start - 1
    low = view.low
    if end - start < 2:
        return None
    for cue in cues:
        at = low.rfind(cue, max(best_at + 1, start), end)
        tries = 0
        while at >= 0 and tries < TRIES:
            tries += 1
            found = reader(view, options, cue, at, start, end)
            if found is not None:
                if found.start > best_at:
                    best, best_at = found, found.start
                break
            at = low.rfind(cue, max(best_at + 1, start), at)
    return best


def whole_word(low: str, at: int, cue: str) -> int | None:
    """End of the cue with an allowed ending ("answer choice" stays, "answered" goes); None inside another word."""
    before = low[at - 1 : at]
    if before.isalpha() and before.isascii() and cue[0].isascii():
        return None
    end = at + len(cue)
    following = low[end : end + 1]
    if following == "s" and cue in ("answer",) and not low[end + 1 : end + 2].isalpha():
        return end + 1
    if following.isalpha() and following.isascii() and cue[-1].isascii():
        return None
    return end


def ends_clause(low: str, at: int, end: int) -> bool:
    rest = low[at : min(end, at + 6)].lstrip("*_`\"')]} ")
    return not rest or rest[0] in ".\n!?;,:-–—(" or at >= end


_BETWEEN = r"it|is|it's|the|answer|option|choice|i|think|would|be|should|must|most|likely|probably|definitely|choose|pick|go|with|clearly"
_GAP = re.compile(rf"(?:[\s*_`\"'(,:\[]|(?:{_BETWEEN})(?![a-z']))*")
_GAP_WITH_ARTICLE = re.compile(rf"(?:[\s*_`\"'(,:\[]|(?:{_BETWEEN}|a|an)(?![a-z']))*")


def plainly_named(view: View, options: Options, at: int, end: int) -> tuple[Mention | None, int]:
    """What is named behind a cue that ends at `at` with nothing but small words between, and where the search came to."""
    low = view.low
    position = at
    for gap in (_GAP, _GAP_WITH_ARTICLE):  # "therefore, A" before "it is a fracture"
        match = gap.match(low, at, end)
        position = match.end() if match else at
        found = options.all_at(view, position, end, strict=True) if position < end else None
        if found is None and position < end:
            joined = options.all_at(view, position, end)
            found = joined if joined is not None and len(joined.labels) > 1 and not joined.by_text else None
        if found is not None:
            return found, position
    return None, position
