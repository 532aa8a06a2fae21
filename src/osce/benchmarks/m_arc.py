"""M-ARC: questions on which habit misleads (mARC-QA), with the five-shot prompt of MMLU-Pro health."""

from __future__ import annotations

import msgspec

from osce.benchmarks.base import Card
from osce.benchmarks.build import LETTERS, choice, content_id, integer, lettered, text, word
from osce.benchmarks.declare import Benchmark, Layout, Variant
from osce.benchmarks.mmlu_pro_health import FIVE_SHOT, FIVE_SHOT_PAPER
from osce.core.items import Item
from osce.sources import Row, RowFault, Upstream, github, hub_parquet

LICENCE = "Apache-2.0 (dbernardo05/medARC-QA)"


def row(r: Row) -> Item:
    """Options are a JSON list in a text (CSV), a list, or a mapping with empty texts for letters not used (hub)."""
    question, options = text(r, "question"), r.get("options")
    if isinstance(options, str):
        try:
            options = msgspec.json.decode(options)
        except msgspec.DecodeError as error:
            raise RowFault(f"options are not a JSON list ({error})") from error
    if isinstance(options, dict):
        options = _without_empty_end(options)
    labelled = lettered(options)
    gold = text(r, "answer").upper()
    if word(r, "answer_index"):
        index = integer(r, "answer_index")
        if not (0 <= index < 26 and LETTERS[index] == gold):
            raise RowFault(f"answer {gold!r:.20} and answer_index {index} are not the same option")
    return choice(
        id=word(r, "question_id") or content_id(question, labelled, "m_arc"),
        question=question,
        options=labelled,
        gold=gold,
        tags={"source": word(r, "src")},
    )


def _without_empty_end(options: dict[str, object]) -> dict[str, object]:
    used = [label for label, value in sorted(options.items()) if value not in (None, "")]
    return {k: v for k, v in options.items() if used and k <= used[-1]}


FIELDS = ("question", "options", "answer")
OPTIONAL = ("question_id", "answer_index", "src")

BENCHMARK = Benchmark(
    card=Card(
        name="m_arc",
        title="M-ARC",
        what="clinical questions built so that a habitual answer is wrong; five or more options, five-shot",
        paper="Kim et al. 2025, arXiv 2502.04381",
        homepage="https://github.com/dbernardo05/medARC-QA",
        licence="Apache-2.0",
        metric="accuracy",
        subsets=("V",),
        known_faults=(
            "100 items: differences below ten points are noise",
            "one row repeats the right option's text: both labels are right",
            "the examples before each question are those of MMLU-Pro health",
        ),
    ),
    variants={
        "": Variant(
            "test",
            100,
            "5 to 10",
            (
                Layout(
                    "the authors' CSV",
                    (
                        Upstream(
                            "test_medARCv1.csv",
                            LICENCE,
                            (
                                github(
                                    "dbernardo05/medARC-QA",
                                    "4e64daab5c884b0754f8cbd42fc8f22d05436369",
                                    "data_medARCv1/test_medARCv1.csv",
                                ),
                            ),
                            also=("data_medARCv1/test_medARCv1.csv",),
                        ),
                    ),
                    FIELDS,
                    row,
                    optional=OPTIONAL,
                ),
                Layout("hub Parquet", (hub_parquet("mkieffer/M-ARC", "test", LICENCE),), FIELDS, row, optional=OPTIONAL),
            ),
        )
    },
    paper=FIVE_SHOT_PAPER,
    few=FIVE_SHOT,
)
