"""Medbullets: USMLE step 2 and 3 questions with four options (op4) and with five (op5), on the same stems."""

from __future__ import annotations

import re

from osce.benchmarks.base import Card
from osce.benchmarks.build import choice, content_id, lettered, stem_id, text, word
from osce.benchmarks.declare import Adapter, Benchmark, Layout, Variant
from osce.benchmarks.prompts import Paper
from osce.core.items import Item
from osce.sources import Row, Upstream, github, hub_parquet

LICENCE = "none stated by the authors (HanjieChen/ChallengeClinicalQA)"
COMMIT = "ef3c9da03fc17f46fbd95ce860e0a55c51ed3606"


def _item(r: Row, options: dict[str, str], gold: str, gold_text: str | None) -> Item:
    question = text(r, "question")
    link = re.sub(r".*[/=]", "", word(r, "link").rstrip("/"))
    return choice(
        id=f"medbullets-{link}" if link else content_id(question, options, "medbullets"),
        question=question,
        options=options,
        gold=gold,
        gold_text=gold_text,
        cluster=stem_id(question),  # op4 and op5 share stems, and eight stems come twice
    )


def wide(letters: str) -> Adapter:
    def row(r: Row) -> Item:
        options = lettered([r.get(f"op{x}") for x in letters])
        return _item(r, options, text(r, "answer_idx").upper(), word(r, "answer") or None)

    return row


def flat(r: Row) -> Item:
    return _item(r, lettered(r.get("options")), text(r, "answer").upper(), None)


def layouts(n: int) -> tuple[Layout, ...]:
    letters = "abcde"[:n]
    fields = ("question", *(f"op{x}" for x in letters), "answer_idx")
    upstream = [
        Upstream(f, LICENCE, (github("HanjieChen/ChallengeClinicalQA", COMMIT, f"medbullets/{f}"),))
        for f in (f"medbullets_op{n}.csv", f"medbullets_op{n}.json")
    ]
    hub = hub_parquet("mkieffer/Medbullets", f"op{n}_test", LICENCE)
    return (
        Layout("the authors' CSV", (upstream[0],), fields, wide(letters), optional=("link", "answer")),
        Layout("the authors' column-oriented JSON", (upstream[1],), fields, wide(letters), optional=("link", "answer")),
        Layout("hub Parquet", (hub,), ("question", "options", "answer"), flat, optional=("link",)),
    )


BENCHMARK = Benchmark(
    card=Card(
        name="medbullets",
        title="Medbullets",
        what="USMLE step 2 and 3 questions from social media, four or five options",
        paper="Chen et al. 2025, arXiv 2402.18060",
        homepage="https://github.com/HanjieChen/ChallengeClinicalQA",
        licence="none stated",
        metric="accuracy",
        subsets=("V",),
        known_faults=(
            "op4 and op5 are one set of questions, not two: they share clusters",
            "eight stems occur twice with other options: one cluster each",
            "some stems speak of a figure that is not there",
        ),
    ),
    variants={
        "op4": Variant("test, 4 options", 308, "4", layouts(4)),
        "op5": Variant("test, 5 options", 308, "5", layouts(5)),
    },
    default=("op4", "op5"),
    paper=Paper("boxed", "both", opening="Below is a multiple-choice question about health.", cue=""),
)
