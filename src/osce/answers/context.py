"""Whether what stands around a label or an option's text makes it a commitment. Small vocabularies, no gold, no guessing."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Left: TypeAlias = Literal["answer", "verb", "choice", "conclusion", ""]
"""What leads up to a label: "answer" (an answer is named), "verb" (something is it), "choice" (somebody takes it),
"conclusion" (therefore …), or nothing."""

DECORATION = " \t\r\n*_`\"'“”‘’«»([{<$\\:=>→#|~。，、「」『』【】（）：,"
_SEPARATOR = re.compile(r"[:=\n→]|->|(?:^|\s)[-–—](?=\s|$)")

# Words that name what is answered, and words that name an option.
ANSWER = (
    "answer", "answers", "ans", "answer choice", "answer option", "final", "respuesta", "respuesta correcta", "réponse", "reponse",
    "bonne réponse", "antwort", "resposta", "risposta", "ответ", "答案", "正解", "答え", "回答", "정답", "답", "답변", "الإجابة", "الجواب",
    "الاجابة", "odpowiedź", "cevap", "antwoord", "svar", "đáp án", "उत्तर", "jawaban",
)  # fmt: skip
OPTION = (
    "option", "choice", "letter", "alternative", "statement", "opción", "opcion", "opção", "opcao", "opzione", "alternativa",
    "la letra", "letra", "lettre", "lettera", "buchstabe", "вариант", "选项", "選項", "選択肢", "보기", "선택지", "الخيار", "number", "número",
)  # fmt: skip
# Words that join a subject to its complement.
BE = (
    " is", " are", " be", " was", "'s", "’s", " equals", " remains", " es", " sería", " est", " serait", " ist", " lautet", " wäre",
    " è", " é", " seria", " sarebbe", " это", " هي", " هو", "是", "为", "為", "应为", "应该是", "は", "이", "은", "는", " jest", " is likely",
    " is probably", " is clearly", " is therefore", " is thus", " is definitely", " is most likely", " is indeed", " is actually", " is still",
    " is likely to be", " is hence", " seems to be", " appears to be", " is then", " would therefore be", " is simply",
)  # fmt: skip
CHOOSE = (
    "choose", "chose", "choosing", "select", "selecting", "selected", "pick", "picking", "picked", "go with", "going with", "went with",
    "opt for", "opting for", "settle on", "i say", "i'd say", "would say", "vote for", "lean towards", "leaning towards", "elijo", "escojo",
    "selecciono", "choisis", "wähle", "escolho", "scelgo", "выбираю", "选", "选择", "故选", "应选", "選", "選択", "선택", "am confident in",
    "points to", "leads to", "favors", "favours", "corresponds to", "matches", "matches with", "answer with",
)  # fmt: skip
CONCLUDE = (
    "therefore", "thus", "so", "hence", "conclusion", "in conclusion", "consequently", "accordingly", "verdict", "result", "overall",
    "por lo tanto", "donc", "also", "daher", "portanto", "quindi", "поэтому", "因此", "所以", "따라서",
)  # fmt: skip

_NEGATION = re.compile(
    r"\b(?:not|never|cannot|no longer|neither|nor|isn|aren|wasn|can't|won't|wouldn't|shouldn't|couldn't|don't|doesn't|didn't|isn't|"
    r"aren't|incorrect|wrong|unlikely|exclud\w*|eliminat\w*|rule[sd]? out|ruling out|reject\w*|discard\w*|rather than|instead of|other than|"
    r"except|without|less likely|false|distractor\w*|no es|nunca|jamais|nicht|kein\w*|não|nao|non|n'est pas|не|descart\w*|if|whether|"
    r"unless|suppose|assuming|tempting|could|might|may)\b|不|非|错误|아닌|아니|ليس",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"[.!?;,\n。！？；，](?=\s|$|[^\x00-\x7f])|\b(?:but|however|yet|although|though|instead|rather|actually|so|thus|therefore)\b",
    re.IGNORECASE,
)
_BLOOD = re.compile(
    r"\b(?:blood|type|group|grade|stage|class|vitamin|hepatitis|influenza|factor|protein|phase|score|level)\b[^.]*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_FUNCTION = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "will",
        "would",
        "can",
        "could",
        "should",
        "may",
        "might",
        "must",
        "shall",
        "and",
        "or",
        "but",
        "nor",
        "so",
        "yet",
        "for",
        "as",
        "of",
        "in",
        "on",
        "at",
        "to",
        "by",
        "with",
        "from",
        "into",
        "than",
        "then",
        "thus",
        "therefore",
        "hence",
        "because",
        "since",
        "due",
        "given",
        "based",
        "although",
        "though",
        "while",
        "when",
        "where",
        "who",
        "which",
        "what",
        "whose",
        "if",
        "unless",
        "until",
        "after",
        "before",
        "between",
        "among",
        "per",
        "not",
        "rather",
        "even",
        "only",
        "also",
        "here",
        "there",
        "i",
        "we",
        "you",
        "they",
        "he",
        "she",
        "my",
        "our",
        "your",
        "their",
        "his",
        "her",
        "however",
        "according",
        "considering",
        "without",
        "via",
        "both",
        "all",
        "most",
        "more",
        "very",
        "just",
        "still",
        "again",
        "indeed",
        "explanation",
        "reason",
        "rationale",
        "correct",
        "right",
        "incorrect",
        "option",
        "choice",
        "answer",
        "final",
        "confidence",
        "y",
        "e",
        "et",
        "und",
        "porque",
        "ya",
        "que",
        "car",
        "parce",
        "weil",
        "da",
        "pois",
        "perché",
        "потому",
        "так",
        "как",
    ]
)


def clause(text: str, end: int) -> str:
    """The clause that leads up to `end` (at most 160 characters)."""
    left = text[max(0, end - 160) : end]
    start = 0
    for found in _BREAK.finditer(left):
        if left[found.end() :].strip(DECORATION):
            start = found.end()
    return left[start:]


def negated(words: str) -> bool:
    return _NEGATION.search(words) is not None


def lead(text: str, at: int, *, article: bool = False) -> Left:
    """How the text before `at` leads up to it. Only the nearest words count; a negated or merely possible lead is none."""
    left = text[max(0, at - 160) : at]
    bare = left.rstrip(DECORATION + "-–—")
    gap = left[len(bare) :]
    low = bare.lower()
    if low.endswith(("\\text", "\\textbf", "\\mathbf", "\\mathrm", "\\boxed", "\\bf")):
        bare = bare[: bare.rfind("\\")].rstrip(DECORATION)
        low = bare.lower()
    if article:
        low, gap = _without(low, gap, (" a", " an", " the", " la", " el", " le", " die", " der", " das"))
    low, gap = _without(low, gap, (" both", " either"))
    for _ in range(2):
        shorter, wider = _without(low, gap, OPTION)
        if shorter == low:
            break
        low, gap = shorter, wider
        low, gap = _without(low, gap, (" a", " the", " la", " el", " le", " o", " die", " der", " das", " correct", " best"))
    kind: Left = ""
    if low.endswith(ANSWER) and _ends_a_word(low, ANSWER):
        enclosed = (
            gap.rstrip("*_").endswith("(") and re.match(r"\w{1,3}\)[*_]*\s*(?:[.!]|$|\n)", text[at : at + 12]) is not None
        )
        kind = "answer" if _SEPARATOR.search(gap) or enclosed or not low.isascii() else ""
    elif low.endswith(BE):
        kind = "verb"
    elif low.endswith(CHOOSE) and _ends_a_word(low, CHOOSE):
        kind = "choice"
    elif low.endswith(CONCLUDE) and _ends_a_word(low, CONCLUDE):
        kind = "conclusion"
    if not kind:
        return ""
    words = clause(text, at)
    if negated(words) or (kind == "verb" and _BLOOD.search(words) and "answer" not in words.lower()):
        return ""
    return kind


def names_answer(words: str) -> bool:
    """Whether a clause speaks of the answer, the option or the choice."""
    low = words.lower()
    return any(
        w in low
        for w in (
            "answer",
            "option",
            "choice",
            "correct",
            "respuesta",
            "réponse",
            "antwort",
            "resposta",
            "risposta",
            "ответ",
            "答",
            "正解",
            "정답",
            "إجابة",
            "جواب",
        )
    )


def _without(low: str, gap: str, words: tuple[str, ...]) -> tuple[str, str]:
    for word in sorted((w for w in words if low.endswith(w)), key=len, reverse=True):
        if _ends_a_word(low, (word,)):
            cut = low[: len(low) - len(word)]
            bare = cut.rstrip(DECORATION)
            return bare, cut[len(bare) :] + gap
    return low, gap


def _ends_a_word(low: str, words: tuple[str, ...]) -> bool:
    for word in words:
        if low.endswith(word):
            before = low[len(low) - len(word) - 1 : len(low) - len(word)]
            if not before or not (before.isascii() and before.isalnum()) or not word.isascii() or word.startswith((" ", "'")):
                return True
    return False


def follows_as_label(text: str, end: int, own_text: str) -> bool:
    """Whether what stands after a label lets it be one: not "B-cell", not "E. coli", not "A patient", not a question."""
    right = text[end : end + 80]
    bare = right.lstrip("*_`\"'”’»)]}$")
    first = bare[:1]
    if first == "?":
        return False
    if right[:1] in ("'", "’") and right[1:2].isalpha():
        return False
    if first in "-–—+%" and bare[1:2].isalnum():
        return False
    closed = len(bare) < len(right)
    rest = bare.lstrip(".:,;)") if first in ".:,;" else bare
    if first in ".:" and rest[:1] not in (" ", "\t"):
        return not (first == "." and rest[:1].isalnum() and rest[:1].islower())
    word = _WORD.match(rest.lstrip(" \t"))
    if word is None or rest[:1] not in (" ", "\t") or first in (",", ";", ":") or closed:
        return True
    following = word.group()
    if following.lower() in _FUNCTION or not following[0].islower():
        return True
    return bool(own_text) and own_text.lower().startswith(rest.lstrip(" \t")[: min(len(own_text), 12)].lower().rstrip(" .,*"))
