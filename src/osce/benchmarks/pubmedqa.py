"""PubMedQA: does the abstract, its conclusion taken away, answer its title's question with yes, no or maybe?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from osce.benchmarks.base import Card, Skipped
from osce.benchmarks.build import choice, text, word
from osce.benchmarks.declare import Adapter, Benchmark, Layout, Prepare, Variant
from osce.benchmarks.prompts import Paper
from osce.core.errors import DataError
from osce.core.items import Item
from osce.sources import KEY, Found, Row, RowFault, Rows, Upstream, github, hub_parquet, read_json

LICENCE = "MIT (pubmedqa/pubmedqa)"
COMMIT = "1cbae8e92f72f20c8d3747cbb3bf5bc53554d997"
HUB = "qiaojin/PubMedQA"
ANSWERS = {"A": "yes", "B": "no", "C": "maybe"}


def item(r: Row, pmid: str, question: str, contexts: object, labels: object, decision: str) -> Item:
    if not isinstance(contexts, list) or not contexts or not all(isinstance(c, str) and c.strip() for c in contexts):
        raise RowFault("the abstract is missing or empty")
    headings = labels if isinstance(labels, list) and len(labels) == len(contexts) else [""] * len(contexts)
    parts = (f"({h}) {c.strip()}" if h else c.strip() for h, c in zip(headings, contexts, strict=True))
    gold = {text_: label for label, text_ in ANSWERS.items()}.get(decision.lower())
    if gold is None:
        raise RowFault(f"final decision {decision!r:.20} is not yes, no or maybe")
    return choice(id=pmid, question=question, options=dict(ANSWERS), gold=gold, context="\n".join(parts))


def keyed(r: Row) -> Item:
    pmid = word(r, KEY)
    return item(r, pmid, text(r, "QUESTION"), r.get("CONTEXTS"), r.get("LABELS"), text(r, "final_decision"))


def flat(r: Row) -> Item:
    context = r.get("context")
    if not isinstance(context, Mapping):
        raise RowFault("the abstract is missing or empty")
    return item(
        r, word(r, "pubid"), text(r, "question"), context.get("contexts"), context.get("labels"), text(r, "final_decision")
    )


def official(adapter: Adapter, id_field: str, *, test: bool) -> Prepare:
    """The official test rows (or, for train, the others); where the list and a row disagree on the answer, the row is out."""

    def prepare(rows: Rows, found: Sequence[Found]) -> tuple[Adapter, Sequence[Skipped]]:
        path = found[1].path
        truth = read_json(path)
        if not isinstance(truth, dict) or not truth:
            raise DataError(f"{path} is not the list of test ids: it must map each PMID to yes, no or maybe")
        seen: set[str] = set()

        def row(r: Row) -> Item | None:
            pmid = word(r, id_field)
            if (pmid in truth) != test:
                return None
            made = adapter(r)
            if made is not None and test and str(truth[pmid]).lower() != made.options[_gold(made)]:
                raise RowFault(f"its answer is {made.options[_gold(made)]!r}, in {path.name} it is {truth[pmid]!r}")
            return made

        for i in range(len(rows)):
            try:
                seen.add(word(rows.row(i), id_field))
            except RowFault:
                continue
        absent = [Skipped(f'{path.name} key "{k}"', "no such row in the file of rows") for k in truth if k not in seen]
        return row, absent if test else ()

    return prepare


def _gold(made: Item) -> str:
    from osce.core.items import Choice

    assert isinstance(made.target, Choice)
    return made.target.labels[0]


IDS = Upstream(
    "test_ground_truth.json",
    LICENCE,
    (github("pubmedqa/pubmedqa", COMMIT, "data/test_ground_truth.json"),),
    also=("data/*truth.json",),
)
ROWS = Upstream(
    "ori_pqal.json", LICENCE, (github("pubmedqa/pubmedqa", COMMIT, "data/ori_pqal.json"),), also=("data/ori_pqal.json",)
)
LABELED = hub_parquet(HUB, "train", LICENCE, "pqa_labeled")


def layouts(*, test: bool) -> tuple[Layout, ...]:
    return (
        Layout(
            "the authors' JSON keyed by PMID",
            (ROWS, IDS),
            ("QUESTION", "CONTEXTS", "final_decision"),
            prepare=official(keyed, KEY, test=test),
            optional=(KEY, "LABELS"),
        ),
        Layout(
            "hub Parquet with the authors' list of test ids",
            (LABELED, IDS),
            ("pubid", "question", "context", "final_decision"),
            prepare=official(flat, "pubid", test=test),
        ),
    )


BENCHMARK = Benchmark(
    card=Card(
        name="pubmedqa",
        title="PubMedQA",
        what="a paper's title as a question and its abstract without the conclusion; yes, no or maybe",
        paper="Jin et al. 2019, arXiv 1909.06146",
        homepage="https://pubmedqa.github.io",
        licence="MIT",
        metric="accuracy; macro F1",
        subsets=("V", "T"),
        known_faults=(
            "unbalanced: of the 500 test rows 276 are yes, 169 no, 55 maybe",
            "the hub's pqa_labeled holds test and train rows together: only the authors' list of ids tells them apart",
        ),
    ),
    variants={
        "": Variant("the 500 official test rows", 500, "yes, no, maybe", layouts(test=True)),
        "train": Variant("the other 500 labelled rows", 500, "yes, no, maybe", layouts(test=False)),
        "artificial": Variant(
            "rows labelled by rule, never maybe (the reference suite's train split)",
            211269,
            "yes, no, maybe",
            (
                Layout(
                    "hub Parquet",
                    (hub_parquet(HUB, "train", LICENCE, "pqa_artificial"),),
                    ("pubid", "question", "context", "final_decision"),
                    flat,
                ),
            ),
        ),
    },
    paper=Paper(
        "boxed",
        "both",
        opening="Judge by the abstract below, whose conclusion has been taken away, what the answer to the question is.",
        before_context="Context:\n",
        choice="{}) {}",
        cue="",
    ),
    train="train",
)
