"""A response made ready for reading: look-alike characters folded, reasoning cut off, every position still known."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")
# Letters of other alphabets that look like a Latin capital, where they stand alone (as a label would).
_LOOK_ALIKE = dict(zip("АВСЕНКМОРТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABCEHKMOPTXIJSABEZHIKMNOPTYX", strict=True))
_LONE_LOOK_ALIKE = re.compile(f"(?<![^\\W\\d_])[{''.join(_LOOK_ALIKE)}](?![^\\W\\d_])")

_CLOSE = re.compile(
    r"</(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)>|\[/THINK\]|◁/think▷|<\|channel\|>final<\|message\|>",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"<(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)>|\[THINK\]|◁think▷|<\|channel\|>analysis<\|message\|>",
    re.IGNORECASE,
)


class _Fold(dict[int, int]):
    """Code point -> code point, found on first use: compatibility forms (full-width, circled, mathematical) to plain ones."""

    def __missing__(self, code: int) -> int:
        plain = unicodedata.normalize("NFKC", chr(code))
        if 0x249C <= code <= 0x24B5:  # ⒜ … ⒵
            folded = ord("a") + code - 0x249C
        elif 0x1F150 <= code <= 0x1F169 or 0x1F170 <= code <= 0x1F189:  # negative circled and squared capitals
            folded = ord("A") + (code - 0x1F150) % 0x20
        elif 0x2474 <= code <= 0x247C:  # ⑴ … ⑼
            folded = ord("1") + code - 0x2474
        elif code in (0x2212, 0x2010, 0x2011, 0xFE63, 0xFF0D):
            folded = ord("-")
        else:
            folded = ord(plain) if len(plain) == 1 else code
        self[code] = folded
        return folded


_FOLD = _Fold()


@dataclass(frozen=True)
class Readable:
    """`text` is what the rules read, `start` where the visible answer begins in it; `at` maps its positions to the
    response's (None = the same). `unclosed` says that the reasoning never ended."""

    text: str
    start: int
    unclosed: bool
    at: list[int] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """[start, end) in characters of the response."""
        if self.at is None or end <= start:
            return (start, end)
        return (self.at[start], self.at[end - 1] + 1)


def readable(response: str) -> Readable:
    """Fold and cut. One pass each; linear in the length of the response."""
    text, at = response, None
    if not response.isascii():
        text = response.translate(_FOLD)
        if _INVISIBLE.search(text):
            at = [i for i, c in enumerate(text) if not _INVISIBLE.match(c)]
            text = "".join([text[i] for i in at])
        text = _LONE_LOOK_ALIKE.sub(lambda m: _LOOK_ALIKE[m.group()], text)
    start, unclosed = 0, False
    if "<" in text or "[" in text or "◁" in text:
        start, end, unclosed = _visible(text)
        if end < len(text):
            text = text[:end]
    return Readable(text, start, unclosed, at)


def _visible(text: str) -> tuple[int, int, bool]:
    """[start, end) of what stands after the last closed reasoning and before one that was never closed."""
    start = 0
    for close in _CLOSE.finditer(text):
        start = close.end()
    opened = _OPEN.search(text, start)
    return (start, opened.start(), True) if opened else (start, len(text), False)
