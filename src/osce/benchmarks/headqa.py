"""HEAD-QA: Spanish access examinations to specialised health training, in English, answered by number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osce.benchmarks.base import Card
from osce.benchmarks.build import choice, content_id, integer, text, word
from osce.benchmarks.declare import Benchmark, Layout, Variant
from osce.benchmarks.prompts import Paper
from osce.core.items import Item
from osce.sources import Row, RowFault, Upstream, github, hub_parquet

LICENCE = "MIT (aghie/head-qa)"
FIELDS = ("qtext", "ra", "answers")


def row(r: Row) -> Item:
    answers = r.get("answers")
    if not isinstance(answers, list):
        raise RowFault('field "answers" is missing or no list')
    options: dict[str, str] = {}
    for answer in answers:
        if not isinstance(answer, dict):
            raise RowFault("an answer is no object with aid and atext")
        label, told = str(integer(answer, "aid")), answer.get("atext")
        if label in options:
            raise RowFault(f"two answers are numbered {label}")
        options[label] = told.strip() if isinstance(told, str) else ""
    question, exam, number = text(r, "qtext"), word(r, "name"), word(r, "qid")
    return choice(
        id=f"{exam}-{number}" if exam and number else content_id(question, options, "headqa"),
        question=question,
        options=options,
        gold=str(integer(r, "ra")),
        tags={
            "category": word(r, "category"),
            "year": word(r, "year"),
            "image": "needed" if has_image(r.get("image")) else "",
        },
    )


def has_image(value: object) -> bool:
    """A path or bytes, or the hub's {bytes, path}, either of which may be null."""
    return any(value.values()) if isinstance(value, dict) else bool(value)


def unpack(document: Any) -> Iterator[tuple[str, Row]]:
    """The first version keeps the questions in its exams; each row gets the exam's name, category and year."""
    for name, exam in document["exams"].items():
        head = {"name": exam.get("name", name), "category": exam.get("category"), "year": exam.get("year")}
        for position, question in enumerate(exam["data"], start=1):
            yield f'exam "{name}" row {position}', {**head, **question}


OPTIONAL = ("name", "qid", "category", "year", "image")
NESTED = Layout(
    "version 1 (2013 to 2017), nested JSON",
    (
        Upstream(
            "HEAD_EN.json",
            LICENCE,
            (github("raulista1997/benchmarkdata", "52ba5528fd1ff1c6ec4ad1d0850126836404e71f", "HEAD_EN.json"),),
        ),
    ),
    FIELDS,
    row,
    unpack=unpack,
    items=6765,
)

BENCHMARK = Benchmark(
    card=Card(
        name="headqa",
        title="HEAD-QA (English)",
        what="questions of Spanish access examinations in six health fields; four options, five in older years",
        paper="Vilares and Gómez-Rodríguez 2019, arXiv 1906.04701; version 2: arXiv 2511.15355",
        homepage="https://aghie.github.io/head-qa",
        licence="MIT",
        metric="accuracy; also by category",
        subsets=("V",),
        known_faults=(
            "version 2 (2013 to 2022, 12,751 questions) holds version 1 (6,765), which is read where only its file is there",
            'some questions need an image that is not shown: tag image = "needed"',
            "translated by machine: a few options became the same text",
            "qid and ra are texts in version 1 and numbers on the hub",
        ),
    ),
    variants={
        "": Variant(
            "version 2, else version 1",
            12751,
            "4 or 5",
            (
                Layout(
                    "version 2, hub Parquet",
                    (hub_parquet("alesi12/head_qa_v2", "train", LICENCE, "en"),),
                    FIELDS,
                    row,
                    optional=OPTIONAL,
                ),
                Layout(
                    "version 2, JSON",
                    (Upstream("head_qa_v2_en.jsonl", LICENCE, also=("head_qa_v2_en.json",)),),
                    FIELDS,
                    row,
                    optional=OPTIONAL,
                ),
                NESTED,
            ),
        ),
        "v1": Variant("version 1", 6765, "4 or 5", (NESTED,)),
    },
    paper=Paper(
        "json",
        "user",
        opening="You know the health sciences well. Here is a multiple-choice question from a professional examination.",
        before_question="",
        cue="",
    ),
)
