"""MedMCQA: questions of Indian medical entrance examinations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from osce.benchmarks.base import Card, Skipped
from osce.benchmarks.build import choice, content_id, integer, lettered, text, word
from osce.benchmarks.declare import Adapter, Benchmark, Layout, Variant
from osce.benchmarks.prompts import Paper
from osce.core.items import Item
from osce.sources import Found, Hub, Row, RowFault, Rows, Upstream, github, hub_parquet

LICENCE = "MIT (MedMCQA); Apache-2.0 on the hub"
FIELDS = ("question", "opa", "opb", "opc", "opd", "cop")
ENOUGH_ROWS = 20
"""With fewer rows the labels are taken to count from 1, as the authors' files do; one bad row must not turn a file over."""


def adapter(base: int) -> Adapter:
    """Rows -> Items where the right option is counted from `base` (0 or 1)."""

    def row(r: Row) -> Item:
        question, options = text(r, "question"), lettered([r.get(f"op{x}") for x in "abcd"])
        cop = integer(r, "cop")
        if not base <= cop < base + 4:
            raise RowFault(f'field "cop" is {cop}; this file counts from {base} to {base + 3}')
        return choice(
            id=word(r, "id") or content_id(question, options, "medmcqa"),
            question=question,
            options=options,
            gold="ABCD"[cop - base],
            tags={"subject": word(r, "subject_name"), "kind": word(r, "choice_type")},
        )

    return row


def prepare(rows: Rows, found: Sequence[Found]) -> tuple[Adapter, Sequence[Skipped]]:
    """Mirrors count `cop` from 0 or from 1, and only the values tell: over the file, 0 or 4 must be (nearly) absent."""
    seen: Counter[int] = Counter()
    for i in range(len(rows)):
        try:
            seen[integer(rows.row(i), "cop")] += 1
        except RowFault:
            continue
    zero_based = seen.total() >= ENOUGH_ROWS and seen[0] > 20 * seen[4] and seen[0] > 0.02 * seen.total()
    return adapter(0 if zero_based else 1), ()


def layouts(json_name: str, split: str, *addresses: Hub, mirror: tuple[str, str, str] | None = None) -> tuple[Layout, ...]:
    optional = ("id", "subject_name", "choice_type")
    mirrors = (github(*mirror),) if mirror else ()
    return (
        Layout(
            "the authors' JSON lines",
            (Upstream(json_name, LICENCE, (*addresses, *mirrors), also=(f"data/{json_name}",)),),
            FIELDS,
            prepare=prepare,
            optional=optional,
        ),
        Layout("hub Parquet", (hub_parquet("lighteval/med_mcqa", split, LICENCE),), FIELDS, prepare=prepare, optional=optional),
    )


BENCHMARK = Benchmark(
    card=Card(
        name="medmcqa",
        title="MedMCQA",
        what="single-sentence questions of Indian medical entrance examinations, 21 subjects, four options",
        paper="Pal et al. 2022, arXiv 2203.14371",
        homepage="https://medmcqa.github.io",
        licence="MIT",
        metric="accuracy",
        subsets=("V", "T"),
        known_faults=(
            "the test split has no public answers: `validation` is what everyone reports",
            "the answer's index `cop` counts from 1 upstream and from 0 in a mirror: read off the file",
            "a few rows repeat an option's text; where that is the right text, both labels are right",
            'choice_type "multi" does not mean several right answers: every row has one',
        ),
    ),
    variants={
        "": Variant(
            "validation",
            4183,
            "4",
            layouts(
                "dev.json",
                "validation",
                mirror=(
                    "Teddy-XiongGZ/MIRAGE",
                    "392943af99cd94cafd50a0de2e7fca24bbf65494",
                    "rawdata/medmcqa/data/dev.json",
                ),
            ),
        ),
        "train": Variant("train", 182822, "4", layouts("train.json", "train")),
    },
    paper=Paper("xml", "system", opening="Choose one letter: A, B, C or D."),
    train="train",
)
