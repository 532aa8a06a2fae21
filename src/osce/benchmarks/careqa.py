"""CareQA: Spanish specialised-training access examinations (2020 to 2024) in English."""

from __future__ import annotations

from osce.benchmarks.base import Card
from osce.benchmarks.build import LETTERS, choice, content_id, integer, lettered, text, word
from osce.benchmarks.declare import Benchmark, Layout, Variant
from osce.benchmarks.prompts import Paper
from osce.core.items import Item
from osce.sources import KEY, Row, RowFault, Upstream, github, hub_parquet

LICENCE = "Apache-2.0 (HPAI-BSC/CareQA)"


def _item(r: Row, name: str, options: dict[str, str], gold: str) -> Item:
    question = text(r, "question")
    tags = {"category": word(r, "category"), "year": word(r, "year")}
    return choice(id=name or content_id(question, options, "careqa"), question=question, options=options, gold=gold, tags=tags)


def keyed(r: Row) -> Item:
    return _item(r, word(r, KEY), lettered(r.get("options")), text(r, "correct_answer").upper())


def flat(r: Row) -> Item:
    cop = integer(r, "cop")
    if not 1 <= cop <= 4:
        raise RowFault(f'field "cop" is {cop}, not 1 to 4')
    return _item(r, word(r, "unique_id"), lettered([r.get(f"op{i}") for i in range(1, 5)]), LETTERS[cop - 1])


FLAT = ("question", "op1", "op2", "op3", "op4", "cop")
OPTIONAL = ("unique_id", "category", "year")

BENCHMARK = Benchmark(
    card=Card(
        name="careqa",
        title="CareQA (English)",
        what="questions of the Spanish access examinations to specialised health training, four options",
        paper="Arias-Duart et al. 2025, arXiv 2502.06666",
        homepage="https://huggingface.co/datasets/HPAI-BSC/CareQA",
        licence="Apache-2.0",
        metric="accuracy",
        subsets=("V",),
        known_faults=(
            "translated by machine and checked; some options became the same text: then both labels are right",
            "overlaps in kind with HEAD-QA (the same examinations, other years)",
        ),
    ),
    variants={
        "": Variant(
            "test",
            5621,
            "4",
            (
                Layout(
                    "the authors' JSON keyed by id",
                    (
                        Upstream(
                            "careqa_test.json",
                            LICENCE,
                            (
                                github(
                                    "HPAI-BSC/prompt_engine",
                                    "21e68bdd4976243e499dcab0f37bff9a2b3745b5",
                                    "prompt_engine/datasets/careqa/careqa_test.json",
                                ),
                            ),
                        ),
                    ),
                    ("question", "options", "correct_answer"),
                    keyed,
                    optional=(KEY, "category", "year"),
                ),
                Layout(
                    "hub Parquet",
                    (hub_parquet("HPAI-BSC/CareQA", "test", LICENCE, "CareQA_en"),),
                    FLAT,
                    flat,
                    optional=OPTIONAL,
                ),
                Layout(
                    "JSON with the hub's fields",
                    (Upstream("CareQA_en.json", LICENCE, also=("CareQA_en.converted.json", "CareQA_en.jsonl")),),
                    FLAT,
                    flat,
                    optional=OPTIONAL,
                ),
            ),
        )
    },
    paper=Paper("boxed", "system", heading="Choices:"),
)
