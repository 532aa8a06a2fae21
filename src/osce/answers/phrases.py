"""The words that commit, link, deny or fill, by language. One table each: a new language is new words, not new rules."""

# ruff: noqa: SIM905 (word lists read better as words)
from __future__ import annotations

# Nouns that announce the answer. In ASCII and others, because most responses are ASCII and need not be searched for those.
ANSWER_NOUNS_ASCII = (
    "ans", "solution", "respuesta", "risposta", "resposta", "antwort", "antwoord", "reponse", "cevap", "jawaban",
    "svar", "vastaus", "solucion", "soluzione", "losung", "raspuns", "odpoved",
)  # fmt: skip
ANSWER_NOUNS_OTHER = (
    "réponse", "solución", "solução", "lösung", "ответ", "відповідь", "答案", "正解", "答え", "解答", "回答", "應選",
    "应选", "故选", "故選", "选择", "選擇", "选项", "選項", "正确选", "选", "選", "정답", "적절한 것은", "옳은 것은",
    "適切なのは", "適切なものは", "正しいのは", "الخيار الصحيح", "الاختيار الصحيح", "답은", "답:", "답안", "الإجابة",
    "الاجابة", "الجواب", "إجابة", "تשובה", "התשובה", "תשובה", "پاسخ", "جواب", "उत्तर", "คำตอบ", "đáp án", "odpowiedź",
    "odpověď", "răspuns", "απάντηση", "válasz",
)  # fmt: skip

# Nouns that announce it only with a word of choice before them ("the correct option is", "best choice:").
CHOICE_NOUNS = (
    "option", "choice", "letter", "selection", "pick", "result", "conclusion", "decision", "verdict", "final", "opcion",
    "opción", "alternativa", "opzione", "opção", "opcao", "вариант", "choix", "wahl",
)  # fmt: skip
CHOOSERS = frozenset(
    """correct best right appropriate final likely suitable chosen preferred fits matches explains describes my our accurate
    only single optimal ideal reasonable selected true logical plausible proper answer favored favoured safest correcta
    correcto mejor correcte bonne meilleure juste richtige richtig beste korrekte corretta giusta migliore correta melhor
    certa правильный верный""".split()
)
# What a question asks for. After these a label or an option's own text is read as a commitment, though a weaker one.
THINGS = (
    "diagnosis", "step", "management", "treatment", "cause", "finding", "explanation", "organism", "mechanism",
    "therapy", "intervention", "agent", "drug", "test", "statement", "exception", "action", "course", "response",
    "etiology", "pathogen", "conclusion", "condition", "medication", "factor", "procedure", "approach", "study",
    "recommendation", "complication",
)  # fmt: skip
THING_QUALIFIERS = frozenset(
    """likely best appropriate correct next initial probable suitable accurate final false incorrect true indicated important
    first effective definitive optimal common preferred only my""".split()
)

LINKS = frozenset(
    """is are be being becomes lies remains equals s would will es son sería seria est sont serait ist sind lautet wäre ware
    waere è é sono sarebbe são sera ser zijn является это есть är er on olisi adalah olur jest je este είναι هي هو هى là
    la""".split()
) - {"la"} | frozenset("是为為はが은는이가:=→：")
LINKS_WEAK = frozenset({"would", "could", "might", "may", "can", "should", "must", "has", "seems", "appears", "will"})
"""Auxiliaries: they link only together with a `be`."""
NEGATIONS = frozenset(
    """not never neither nor cannot unlikely wrong incorrect false nicht keine kein keinesfalls pas jamais nunca jamás mai
    nie не ни нельзя ليست ليس لا niet inte ikke ei değil bukan không except excluding isn excluded n'est n't ain""".split()
) | frozenset("不非")
NEGATIONS_BEFORE_LINK = frozenset({"no", "não", "nao", "non", "ne", "n", "nem"})
TURNS = frozenset("but rather instead sondern mais sino ma mas però pero а но aber 而 而是 it's therefore so its".split())
"""Words after a denied label that open the way to the true one: "not C but D"."""
DENIED_AFTER = (
    "ではない",
    "가 아닙",
    "이 아닙",
    "는 아닙",
    "은 아닙",
    "ではありません",
    "じゃない",
    "가 아니",
    "이 아니",
    "는 아니",
    "은 아니",
    "は間違",
    "は誤",
    "не подходит",
    "değil",
    "不对",
    "不正确",
    "是错",
    "错误",
)

ARTICLES = frozenset(
    """a an the this that la el le les l' los der die das den il lo i gli o os as uma um un una une het de ein eine к to""".split()
)
FILLERS = frozenset(
    """therefore thus hence so likely most probably definitely clearly certainly obviously option choice letter answer number
    either both simply just indeed actually best correct right final my our here still again now then perhaps maybe opción
    opcion opzione opção letra lettre alternativa buchstabe lettera вариант буква correcta correcto correcte bonne bon
    juste richtige richtig korrekte korrekt corretta corretto giusta correta correto certa правильный правильная верный
    верная الصحيحة الصحيح البديل الخيار choices probablemente donc daher opsi pilihan seçenek şıkkı label item 選 选 项 項 肢 択
    应 應 该 該 正 确 確 的 번 選択肢 其 中 最 佳 终 終 本 题 題 : ， , ve option(s) considered lies in between somewhere without doubt and
    obtain perform order give administer start initiate begin get use prescribe recommend consider rather instead think
    believe i'd say going with go""".split()
)
# After an uppercase label and a space, these words show that the letter was a label and no article or compound ("A because").
FUNCTION = frozenset(
    """because since as so which and but or due given for with is was would in on at by from if when while that this these
    the it he she his her they we you i my our to not rather instead therefore thus hence however although though
    according based per than over followed only alone here again then too also option correct using can cannot will should
    must may might could are were has have do does did explanation reason reasoning rationale who whose where after before
    during being made seems appears remains through via among out of above below best most more likely right final answer
    it's i'm thanks thank please let let's looking considering unlike versus vs rationale: confidence just both no yes
    isn't wasn't can't won't doesn't porque ya que pues debido car parce puisque weil da denn pois perché perche poiché
    poiche потому так поскольку так-как es est ist è é y o et ou und oder e и или""".split()
)
SINGULAR_VERBS = frozenset(
    """is was would can cannot isn't has does doesn't may might should could must seems because describes refers causes won't
    wouldn't can't will also since however est ist es è é""".split()
)
LIST_JOINERS = (
    "and", "or", "y", "o", "et", "ou", "und", "oder", "e", "и", "или", "en", "of", "と", "か", "または", "及び", "和",
    "或", "或者", "及", "与", "與", "、", "와", "과", "및", "또는", "و", "أو", "ve", "veya", "and/or",
)  # fmt: skip
# What may follow a label directly in scripts without spaces: particles and copulas, never 型 or 細胞 ("B型", "B細胞").
CJK_AFTER_LABEL = frozenset(
    "。，、；：）」』です だがはとのをでも因，입이가는은를번와과으예에和或及与與项項选選是正为為对對，。,（「『【】?？！!なに"
)

SAYERS = (
    "choose", "select", "pick", "go with", "going with", "opt for", "vote for", "settle on", "stick with",
    "lean toward", "leaning toward", "lean to", "selecting", "choosing", "would say", "favor", "favour", "prefer",
    "go for", "richtig ist", "korrekt ist", "conclude with",
)  # fmt: skip
CORRECTIONS = (
    "actually", "wait", "correction", "on second thought", "on reflection", "rather", "instead", "i mean",
    "scratch that", "no,", "make that", "change to", "switch to", "revise to", "sorry,",
)  # fmt: skip
PREDICATES = (
    "correct", "right", "best", "likely", "appropriate", "accurate", "suitable", "preferred", "answer", "choice",
    "option", "correcta", "correcto", "correcte", "corretta", "corretto", "correta", "richtig", "richtige", "korrekt",
    "правильн", "верн", "正确", "正しい", "正確", "better", "diagnosis", "step", "true", "indicated", "probable",
    "optimal", "plausible", "reasonable",
)  # fmt: skip
PREDICATE_WORDS = frozenset(
    """the a an my our most best correct right appropriate likely final suitable single only accurate preferred therefore
    thus clearly definitely probably indeed more better very first next initial optimal indicated plausible reasonable
    probable strongest diagnosis answer choice option true still both""".split()
)
EXCEPTED_BEFORE = frozenset(
    """wrong incorrect previous initial earlier original old first tempting other another second alternative next remaining
    false to user's student's no any an each every these""".split()
)
