"""MMLU-Pro, category health: up to ten options, five solved examples before each question."""

from __future__ import annotations

import re

from osce.benchmarks.base import Card
from osce.benchmarks.build import LETTERS, choice, content_id, integer, lettered, text, word
from osce.benchmarks.declare import Benchmark, Few, Layout, Variant
from osce.benchmarks.prompts import Paper
from osce.core.items import Item
from osce.sources import Row, RowFault, Upstream, hub_parquet

LICENCE = "MIT (TIGER-Lab/MMLU-Pro)"
FIELDS = ("question", "options")
OPTIONAL = ("question_id", "realidx", "answer", "answer_idx", "answer_index", "category", "src", "cot_content")


def row(r: Row) -> Item | None:
    """Both forms: options as a list with `answer` a letter, or as a mapping with the letter in `answer_idx`."""
    if word(r, "category") not in ("health", ""):
        return None  # the hub's file holds all fourteen categories
    question, options = text(r, "question"), lettered(r.get("options"), drop=("N/A",))
    mapped = "answer_idx" in r and r["answer_idx"] is not None
    gold = text(r, "answer_idx" if mapped else "answer").upper()
    if r.get("answer_index") is not None:
        index = integer(r, "answer_index")
        if not (0 <= index < 26 and LETTERS[index] == gold):
            raise RowFault(f"answer {gold!r:.20} and answer_index {index} are not the same option")
    name = word(r, "question_id") or word(r, "realidx")
    return choice(
        id=name or content_id(question, options, "mmlu"),
        question=question,
        options=options,
        gold=gold,
        gold_text=word(r, "answer") if mapped else None,
        tags={"source": word(r, "src").removeprefix("ori_mmlu-").removeprefix("cot_lib-")},
    )


def reasoning(r: Row) -> str:
    """A solved example's reasoning without its opening label and without its stated answer, which the prompt adds."""
    told = re.sub(r"^\s*A\s*:\s*", "", word(r, "cot_content"))
    return re.sub(r"\s*The (?:best |correct )?answer is \(?[A-J]\)?\.?\s*$", "", told).strip()


FIVE_SHOT = Few(
    5,
    (
        Layout(
            "hub Parquet",
            (hub_parquet("TIGER-Lab/MMLU-Pro", "validation", LICENCE, folder="mmlu_pro_health"),),
            FIELDS,
            row,
            optional=OPTIONAL,
        ),
        Layout(
            "JSON lines without reasoning",
            (Upstream("validation_health_no_cot.jsonl", LICENCE, folder="mmlu_pro_health"),),
            FIELDS,
            row,
            optional=OPTIONAL,
        ),
    ),
    reasoning,
)
FIVE_SHOT_PAPER = Paper(
    "boxed",
    "both",
    opening="These are multiple-choice questions about health. Those with an answer are examples; the last one is yours.",
    heading="Options:",
)

BENCHMARK = Benchmark(
    card=Card(
        name="mmlu_pro_health",
        title="MMLU-Pro, health",
        what="the health questions of MMLU-Pro, up to ten options, five-shot",
        paper="Wang et al. 2024, arXiv 2406.01574",
        homepage="https://github.com/TIGER-AI-Lab/MMLU-Pro",
        licence="MIT",
        metric="accuracy",
        subsets=("V",),
        known_faults=(
            'options that are only "N/A" are left out; the others keep their letters',
            "the five examples come from the validation split; without its file the prompt is zero-shot, and the run says so",
        ),
    ),
    variants={
        "": Variant(
            "test, category health",
            818,
            "up to 10",
            (
                Layout("JSON lines", (Upstream("mmlu_pro_health_test.jsonl", LICENCE),), FIELDS, row, optional=OPTIONAL),
                Layout("hub Parquet", (hub_parquet("TIGER-Lab/MMLU-Pro", "test", LICENCE),), FIELDS, row, optional=OPTIONAL),
            ),
        )
    },
    paper=FIVE_SHOT_PAPER,
    few=FIVE_SHOT,
)
