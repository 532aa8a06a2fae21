"""A response made comparable: look-alike characters folded, invisible ones dropped, every position traceable to the original."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache

_NON_ASCII = re.compile(r"[^\x00-\x7f]+")

# Capitals (and a few small letters) of other scripts that are drawn like Latin ones. Folded only where they stand alone,
# so that words of those scripts stay words.
_LOOK_ALIKE = str.maketrans(
    "АВСЕНІЈКМОРТХЅаеосрхіјѕ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "ABCEHIJKMOPTXSaeocpxijs" + "ABEZHIKMNOPTYX",
)
_LONE_LOOK_ALIKE = re.compile("(?<![^\\W\\d_])[" + "".join(map(chr, _LOOK_ALIKE)) + "](?![^\\W\\d_])")
_LOOK_ALIKES = frozenset(map(chr, _LOOK_ALIKE))
_LINE_ENDS = "\u0085\u2028\u2029"
_PLAIN = {"‘": "'", "’": "'", "‛": "'", "´": "'", "“": '"', "”": '"', "„": '"', "‟": '"', "İ": "I", "\u20e3": ""}
_KEPT = ("<super>", "<sub>", "<fraction>")  # 10³ must not become 103


def _letter_blocks() -> dict[str, str]:
    """Enclosed letters and digits that Unicode gives no decomposition."""
    table = {}
    for first, alphabet in (
        (0x1F150, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        (0x1F170, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        (0x1F1E6, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        (0x2776, "123456789"),
        (0x2780, "123456789"),
        (0x278A, "123456789"),
    ):
        table.update({chr(first + k): letter for k, letter in enumerate(alphabet)})
    return table


_BLOCKS = _letter_blocks()


@lru_cache(maxsize=8192)
def _fold_char(ch: str) -> str:
    """What stands for one non-ASCII character: itself, its plain form (may be longer), or nothing."""
    plain = _PLAIN.get(ch)
    if plain is None:
        plain = _BLOCKS.get(ch)
    if plain is not None:
        return plain
    category = unicodedata.category(ch)
    if category == "Cf" or "\ufe00" <= ch <= "\ufe0f":
        return ""
    if ch in _LINE_ENDS:
        return "\n"
    if category == "Zs":
        return " "
    decomposition = unicodedata.decomposition(ch)
    if decomposition.startswith("<") and not decomposition.startswith(_KEPT):
        return unicodedata.normalize("NFKC", ch).replace("\u0130", "I")
    return ch


@lru_cache(maxsize=4096)
def _table(seen: frozenset[str]) -> tuple[dict[int, str], re.Pattern[str] | None]:
    """The translation of these characters, and a pattern of those whose width changes."""
    table = {ord(ch): plain for ch in seen if (plain := _fold_char(ch)) != ch}
    moved = "".join(re.escape(chr(code)) for code, plain in table.items() if len(plain) != 1)
    return table, re.compile(f"[{moved}]") if moved else None


class View:
    """A response as the rules see it.

    `norm` is the folded text, `low` the same in lower case with the same positions; `original(i)` gives the position in
    the response that stands behind position i of `norm`.
    """

    __slots__ = ("_at", "_shift", "low", "norm")

    def __init__(self, response: str) -> None:
        self._at: list[int] = []
        self._shift: list[int] = []
        if response.isascii():
            self.norm = response
        else:
            self.norm = self._fold(response)
        self.low = self.norm.lower()

    def _fold(self, response: str) -> str:
        seen = frozenset("".join(_NON_ASCII.findall(response)))
        table, moved = _table(seen)
        if moved:
            shift = 0
            for match in moved.finditer(response):
                width = len(table[ord(match.group())])
                begin = match.start() - shift
                for inner in range(1, width):  # all that one character became leads back to it
                    self._at.append(begin + inner)
                    self._shift.append(shift - inner)
                shift += 1 - width
                self._at.append(begin + width)
                self._shift.append(shift)
        if len(table) <= 4:  # a few quotes and dashes in a long text: much faster than translate
            norm = response
            for code, plain in table.items():
                norm = norm.replace(chr(code), plain)
        else:
            norm = response.translate(table)
        if not seen.isdisjoint(_LOOK_ALIKES):
            norm = _LONE_LOOK_ALIKE.sub(lambda m: m.group().translate(_LOOK_ALIKE), norm)
        return norm

    def original(self, position: int) -> int:
        if not self._at:
            return position
        k = bisect_right(self._at, position)
        return position + (self._shift[k - 1] if k else 0)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """[start, end) of `norm` as [start, end) of the response; never empty for a non-empty range."""
        if not self._at or end <= start:
            return self.original(start), self.original(end)
        return self.original(start), self.original(end - 1) + 1


def fold(text: str) -> str:
    """The folded form of a short text (an option, a label)."""
    return text if text.isascii() else View(text).norm


_EDGES = " \t\r\n.;:,!?\"'`*_$\\()[]{}。、，"


def canon(text: str) -> str:
    """A text for comparison: folded, lower case, one space between words, no emphasis, no punctuation at its edges."""
    plain = fold(text).lower()
    if "*" in plain or "`" in plain:
        plain = plain.replace("*", "").replace("`", "")
    joined = " ".join(plain.split())
    bare = joined.strip(_EDGES)
    # Brackets belong to a text when both are inside it: "(a)" loses them, "iron (iii)" does not.
    for opening, closing in ("()", "[]"):
        if bare.count(opening) > bare.count(closing) and joined.rstrip(" .;:,!?*").endswith(closing):
            bare += closing
    return bare
