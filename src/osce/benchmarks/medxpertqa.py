"""MedXpertQA (text): expert-level questions with ten options."""

from __future__ import annotations

from collections.abc import Mapping

from osce.benchmarks.base import Card
from osce.benchmarks.build import choice, content_id, lettered, text, word
from osce.benchmarks.declare import Benchmark, Layout, Variant
from osce.benchmarks.prompts import Paper
from osce.core.items import Item
from osce.sources import Row, RowFault, Upstream, github, hub_parquet

LICENCE = "MIT (TsinghuaC3I/MedXpertQA)"
CHOICES = "Answer Choices:"


def row(r: Row) -> Item:
    """Options as a mapping or as a list of {letter, content}; label as text or list of one; stem with or without choices."""
    options = r.get("options")
    if isinstance(options, list) and all(isinstance(o, Mapping) for o in options):
        options = {str(o.get("letter")): o.get("content") for o in options}
    labelled = lettered(options)
    label = r.get("label")
    if isinstance(label, list):
        if len(label) != 1:
            raise RowFault(f"has {len(label)} labels where one is right")
        label = label[0]
    if not isinstance(label, str):
        raise RowFault('field "label" is missing or no letter')
    question = without_choices(text(r, "question"), labelled)
    return choice(
        id=word(r, "id") or content_id(question, labelled, "medxpertqa"),
        question=question,
        options=labelled,
        gold=label.strip().upper(),
        tags={name: word(r, name) for name in ("question_type", "medical_task", "body_system")},
    )


def without_choices(question: str, options: Mapping[str, str]) -> str:
    """The stem alone. What follows the last "Answer Choices:" goes only if it is the options' list: (A) … (B) …"""
    stem, found, listed = question.rpartition(CHOICES)
    if found and stem.strip() and all(f"({label})" in listed for label in options):
        return stem.strip()
    return question


FIELDS = ("question", "options", "label")
OPTIONAL = ("id", "question_type", "medical_task", "body_system")


def layout(label: str, upstream: Upstream, items: int | None = None) -> Layout:
    return Layout(label, (upstream,), FIELDS, row, optional=OPTIONAL, items=items)


SUBSET = Upstream(
    "MedXpertQA_Text_test_subset.jsonl",
    LICENCE,
    (github("UCSC-VLAA/MedReason", "02b51f1df232198daa53aed1542615823e95350e", "eval_data/MedXpertQA_test.jsonl"),),
    also=("eval_data/MedXpertQA_test.jsonl",),
)
SAMPLED = Upstream(
    "medxpertqa_sampled_text_input.jsonl",
    LICENCE,
    (
        github(
            "TsinghuaC3I/MedXpertQA",
            "f21247d3ccf3b14826ff2aa7fa06e1a46d64058c",
            "eval/data/medxpertqa_sampled/input/medxpertqa_sampled_text_input.jsonl",
        ),
    ),
)

BENCHMARK = Benchmark(
    card=Card(
        name="medxpertqa",
        title="MedXpertQA (text)",
        what="specialty-board questions filtered for difficulty, ten options",
        paper="Zuo et al. 2025, arXiv 2501.18362",
        homepage="https://github.com/TsinghuaC3I/MedXpertQA",
        licence="MIT",
        metric="accuracy; by question_type",
        subsets=("V",),
        known_faults=(
            "the hub repeats the choices inside the question: they are cut, so that a shuffled order is the only one shown",
            "public copies outside the hub hold 1,449 of the 2,450 test rows, or a sample of 244",
        ),
    ),
    variants={
        "": Variant(
            "Text, test",
            2450,
            "10",
            (
                layout("hub Parquet", hub_parquet("TsinghuaC3I/MedXpertQA", "test", LICENCE, "Text")),
                layout("JSON lines, 1,449 rows without embedded choices", SUBSET, 1449),
                layout("the authors' evaluation input, a sample of 244 rows", SAMPLED, 244),
            ),
        ),
        "sampled": Variant("the authors' sample", 244, "10", (layout("the authors' evaluation input", SAMPLED),)),
    },
    paper=Paper("xml", "system", before_question="", heading="Answer Choices: ", choice="({}) {}", inline=True, cue=""),
)
