"""MedQA: questions in the style of the United States medical licensing examination."""

from __future__ import annotations

from osce.benchmarks.base import Card
from osce.benchmarks.build import choice, content_id, lettered, stem_id, text, word
from osce.benchmarks.declare import Benchmark, Layout, Variant
from osce.benchmarks.prompts import Paper
from osce.core.items import Item
from osce.sources import Hub, Row, Upstream, github, hub_parquet

HUB = "GBaker/MedQA-USMLE-4-options"
LICENCE = "MIT (jind11/MedQA)"


def row(r: Row) -> Item:
    question, options = text(r, "question"), lettered(r.get("options"))
    return choice(
        id=content_id(question, options, "medqa"),
        question=question,
        options=options,
        gold=text(r, "answer_idx").upper(),
        gold_text=word(r, "answer") or None,
        cluster=stem_id(question),  # the 4- and the 5-option form of a question are one cluster
        tags={"step": word(r, "meta_info")},
    )


def layout(label: str, upstream: Upstream) -> Layout:
    return Layout(label, (upstream,), ("question", "options", "answer_idx"), row, optional=("answer", "meta_info"))


def lines(name: str, *addresses: Hub, github_path: tuple[str, str, str] | None = None, also: str) -> Layout:
    mirrors = (github(*github_path),) if github_path else ()
    return layout("the authors' JSON lines", Upstream(name, LICENCE, (*addresses, *mirrors), also=(also,)))


BENCHMARK = Benchmark(
    card=Card(
        name="medqa",
        title="MedQA (USMLE)",
        what="clinical vignettes in the style of the US licensing examination, four or five options",
        paper="Jin et al. 2021, doi:10.3390/app11146421",
        homepage="https://github.com/jind11/MedQA",
        licence="MIT",
        metric="accuracy",
        subsets=("V", "T"),
        known_faults=(
            "public since 2020: assume that models have seen it",
            "upstream gives no ids: an id here is a hash of question and options",
            "the 5-option train file has no download address: it is questions/US/train.jsonl of the authors' archive",
        ),
    ),
    variants={
        "": Variant(
            "test",
            1273,
            "4",
            (
                lines(
                    "phrases_no_exclude_test.jsonl",
                    Hub(HUB, "phrases_no_exclude_test.jsonl"),
                    github_path=(
                        "Teddy-XiongGZ/MIRAGE",
                        "392943af99cd94cafd50a0de2e7fca24bbf65494",
                        "rawdata/medqa/data_clean/questions/US/4_options/phrases_no_exclude_test.jsonl",
                    ),
                    also="questions/US/4_options/phrases_no_exclude_test.jsonl",
                ),
                layout("hub Parquet", hub_parquet(HUB, "test", LICENCE)),
            ),
        ),
        "5opt": Variant(
            "test, with the fifth option",
            1273,
            "5",
            (
                lines(
                    "US_test_5options.jsonl",
                    github_path=(
                        "gersteinlab/medagents-benchmark",
                        "f5e50b69be8ef617a6de613cc8035929448e2b3b",
                        "data/medqa_5options/test.jsonl",
                    ),
                    also="questions/US/test.jsonl",
                ),
            ),
        ),
        "train": Variant(
            "train",
            10178,
            "4",
            (
                lines(
                    "phrases_no_exclude_train.jsonl",
                    Hub(HUB, "phrases_no_exclude_train.jsonl"),
                    also="questions/US/4_options/phrases_no_exclude_train.jsonl",
                ),
                layout("hub Parquet", hub_parquet(HUB, "train", LICENCE)),
            ),
        ),
        "5opt-train": Variant(
            "train, with the fifth option", 10178, "5", (lines("US_train_5options.jsonl", also="questions/US/train.jsonl"),)
        ),
    },
    paper=Paper("xml", "system", before_question="Question:"),
    train="train",
)
