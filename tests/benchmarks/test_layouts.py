"""Every container of the same rows gives the same Items; the oddities of each benchmark, on rows made up here."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from osce.benchmarks import load
from osce.benchmarks.base import Dataset
from osce.core.errors import DataError
from osce.core.items import Choice

Rows = list[dict[str, Any]]


def put(root: Path, name: str, content: Any) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        pl.DataFrame(content, infer_schema_length=None).write_parquet(path)
    elif path.suffix == ".csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(content[0]))
            writer.writeheader()
            writer.writerows(content)
    elif isinstance(content, list):
        path.write_text("".join(json.dumps(row) + "\n" for row in content))
    else:
        path.write_text(json.dumps(content, indent=1))


def opened(root: Path, spec: str) -> Dataset:
    (dataset,) = load(spec, data_dir=root)
    return dataset


def same(tmp_path: Path, spec: str, *containers: tuple[str, Any]) -> Dataset:
    """Open each container alone; all must give the same Items. Returns the last Dataset."""
    name = spec.partition(":")[0]
    items, labels = [], set()
    for number, (file, content) in enumerate(containers):
        root = tmp_path / str(number)
        put(root, f"{name}/{file}", content)
        dataset = opened(root, spec)
        assert dataset.skipped == ()
        items.append(list(dataset.items))
        labels.add((dataset.source["layout"], dataset.source["container"]))
    assert all(other == items[0] for other in items)
    assert len(labels) == len(containers)
    return dataset


def gold(dataset: Dataset, index: int) -> str:
    target = dataset.items[index].target
    assert isinstance(target, Choice)
    return "".join(target.labels)


MEDQA = [
    {"question": "A man coughs.  Why?", "answer": "Cold", "options": {"A": "Heat", "B": "Cold"}, "answer_idx": "B"},
    {"question": "A woman limps. Why?", "answer": "Stone", "options": {"A": "Stone", "B": "Moss"}, "answer_idx": "A"},
]


def test_medqa(tmp_path: Path) -> None:
    rows = [{**r, "meta_info": "step1", "metamap_phrases": ["cough"]} for r in MEDQA]
    dataset = same(tmp_path, "medqa", ("phrases_no_exclude_test.jsonl", rows), ("data/test-00000-of-00001.parquet", rows))
    assert dataset.items[0].tags == {"step": "step1"}
    assert dataset.public_items == 1273


def test_medqa_forms_share_clusters_and_ids_do_not_hang_on_position(tmp_path: Path) -> None:
    five = [{**r, "options": {**r["options"], "C": "Rain"}} for r in MEDQA]
    put(tmp_path, "medqa/phrases_no_exclude_test.jsonl", MEDQA[::-1])
    put(tmp_path, "medqa/US_test_5options.jsonl", [{**r, "question": r["question"].replace("  ", " ")} for r in five])
    four_option, five_option = opened(tmp_path, "medqa"), opened(tmp_path, "medqa:5opt")
    assert {i.cluster for i in four_option.items} == {i.cluster for i in five_option.items}
    assert not {i.id for i in four_option.items} & {i.id for i in five_option.items}
    put(tmp_path / "again", "medqa/phrases_no_exclude_test.jsonl", MEDQA)
    assert {i.id for i in opened(tmp_path / "again", "medqa").items} == {i.id for i in four_option.items}


def test_medqa_train_is_reached_from_the_test(tmp_path: Path) -> None:
    put(tmp_path, "medqa/phrases_no_exclude_test.jsonl", MEDQA[:1])
    put(tmp_path, "medqa/phrases_no_exclude_train.jsonl", MEDQA[1:])
    dataset = opened(tmp_path, "medqa")
    assert dataset.train is not None
    assert [i.question for i in dataset.train()] == ["A woman limps. Why?"]


def medmcqa(base: int, n: int = 40) -> Rows:
    options = {"opa": "one", "opb": "two", "opc": "three", "opd": "four"}
    return [
        {"id": f"id{i}", "question": f"Which is right in case {i}?", **options, "cop": base + i % 4, "subject_name": "Anatomy"}
        for i in range(n)
    ]


@pytest.mark.parametrize("base", [0, 1])
def test_medmcqa_counts_from_nought_or_one(tmp_path: Path, base: int) -> None:
    rows = medmcqa(base)
    dataset = same(tmp_path, "medmcqa", ("dev.json", rows), ("default/validation/0000.parquet", rows))
    assert [gold(dataset, i) for i in range(4)] == ["A", "B", "C", "D"]
    assert dataset.items[5].id == "id5"


def test_medmcqa_one_wrong_label_does_not_turn_a_file_over(tmp_path: Path) -> None:
    rows = medmcqa(1)
    rows[7]["cop"] = 0
    put(tmp_path, "medmcqa/dev.json", rows)
    dataset = opened(tmp_path, "medmcqa")
    assert gold(dataset, 0) == "A"
    assert [s.reason for s in dataset.skipped] == ['field "cop" is 0; this file counts from 1 to 4']
    assert dataset.skipped[0].where == "dev.json line 8"


PMID = ["111", "222", "333"]
DECISIONS = ["yes", "no", "maybe"]


def pubmedqa() -> tuple[dict[str, Any], Rows]:
    keyed, flat = {}, []
    for pmid, decision in zip(PMID, DECISIONS, strict=True):
        contexts, labels = ["We looked.", "We found."], ["AIMS", "RESULTS"]
        question, conclusion = f"Does it work in {pmid}?", "SECRET CONCLUSION"
        keyed[pmid] = {
            "QUESTION": question, "CONTEXTS": contexts, "LABELS": labels, "final_decision": decision, "LONG_ANSWER": conclusion
        }  # fmt: skip
        context = {"contexts": contexts, "labels": labels, "meshes": ["x"]}
        flat.append(
            {
                "pubid": int(pmid),
                "question": question,
                "context": context,
                "final_decision": decision,
                "long_answer": conclusion,
            }
        )
    return keyed, flat


def test_pubmedqa(tmp_path: Path) -> None:
    keyed, flat = pubmedqa()
    truth = {"333": "maybe", "111": "yes"}
    items = []
    for root, name, content in (
        (tmp_path / "a", "ori_pqal.json", keyed),
        (tmp_path / "b", "pqa_labeled/train-00000-of-00001.parquet", flat),
    ):
        put(root, f"pubmedqa/{name}", content)
        put(root, "pubmedqa/test_ground_truth.json", truth)
        items.append(list(opened(root, "pubmedqa").items))
        assert [i.id for i in opened(root, "pubmedqa:train").items] == ["222"]
    assert items[0] == items[1]
    first = items[0][0]
    assert (first.id, first.options) == ("111", {"A": "yes", "B": "no", "C": "maybe"})
    assert first.context == "(AIMS) We looked.\n(RESULTS) We found."
    dataset = opened(tmp_path / "a", "pubmedqa")
    assert "SECRET" not in "".join(m.content for i in dataset.items for m in dataset.messages(i, "paper"))


def test_pubmedqa_without_its_list_of_ids_says_so(tmp_path: Path) -> None:
    put(tmp_path, "pubmedqa/ori_pqal.json", pubmedqa()[0])
    with pytest.raises(DataError, match=r"pubmedqa/test_ground_truth\.json"):
        opened(tmp_path, "pubmedqa")


def test_pubmedqa_list_and_rows_that_disagree(tmp_path: Path) -> None:
    put(tmp_path, "pubmedqa/ori_pqal.json", pubmedqa()[0])
    put(tmp_path, "pubmedqa/test_ground_truth.json", {"111": "no", "222": "no", "999": "yes"})
    dataset = opened(tmp_path, "pubmedqa")
    assert [i.id for i in dataset.items] == ["222"]
    assert [(s.where, s.reason) for s in dataset.skipped] == [
        ('test_ground_truth.json key "999"', "no such row in the file of rows"),
        ('ori_pqal.json key "111"', "its answer is 'yes', in test_ground_truth.json it is 'no'"),
    ]


def medbullets(n: int) -> Rows:
    letters = "abcde"[:n]
    texts = {"a": "ant", "b": "bee", "c": "cat", "d": "dog", "e": "emu"}
    rows = [("https://bit.ly/3xYz", "Which sting?", "B"), ("https://a.com/testview?qid=17", "Which purrs?", "C")]
    rows.append(("https://a.com/testview?qid=18", "Which sting?", "B"))
    return [
        {"link": link, "question": q, **{f"op{x}": texts[x] for x in letters}, "answer_idx": g, "answer": texts[g.lower()]}
        for link, q, g in rows
    ]


@pytest.mark.parametrize("n", [4, 5])
def test_medbullets(tmp_path: Path, n: int) -> None:
    rows = medbullets(n)
    columns = {name: {str(7 * i): row[name] for i, row in enumerate(rows)} for name in rows[0]}
    hub = [
        {
            "question": r["question"],
            "options": {x.upper(): r.get(f"op{x}") for x in "abcde"},  # the fifth is null in four-option rows
            "answer": r["answer_idx"],
            "link": r["link"],
        }
        for r in rows
    ]
    dataset = same(
        tmp_path,
        f"medbullets:op{n}",
        (f"medbullets_op{n}.csv", rows),
        (f"medbullets_op{n}.json", columns),
        (f"data/op{n}_test-00000-of-00001.parquet", hub),
    )
    assert [len(i.options) for i in dataset.items] == [n, n, n]
    assert [i.id for i in dataset.items] == ["medbullets-3xYz", "medbullets-17", "medbullets-18"]
    assert dataset.items[0].cluster == dataset.items[2].cluster != dataset.items[1].cluster


def test_medbullets_bare_name_is_both_forms_on_the_same_clusters(tmp_path: Path) -> None:
    put(tmp_path, "medbullets/medbullets_op4.csv", medbullets(4))
    put(tmp_path, "medbullets/medbullets_op5.csv", medbullets(5)[::-1])
    four, five = load("medbullets", data_dir=tmp_path)
    assert (four.name, five.name) == ("medbullets:op4", "medbullets:op5")
    assert {i.cluster for i in four.items} == {i.cluster for i in five.items}


MARC = [
    {
        "question_id": "ID1",
        "question": "Now?",
        "options": ["Yes", "No", "Wait"],
        "answer": "C",
        "answer_index": 2,
        "src": "icu",
    },
    {"question_id": "ID2", "question": "Then?", "options": ["Go", "Stop", "Wait", "Ask"], "answer": "A", "answer_index": 0},
]


def test_m_arc(tmp_path: Path) -> None:
    table = [{**r, "options": json.dumps(r["options"]), "src": "icu", "cot_content": ""} for r in MARC]
    hub = [
        {
            **{k: v for k, v in r.items() if k != "options"},
            "src": "icu",
            "options": {x: dict(zip("ABCD", r["options"], strict=False)).get(x, "") for x in "ABCDEFG"},
        }
        for r in MARC
    ]
    dataset = same(tmp_path, "m_arc", ("test_medARCv1.csv", table), ("default/test/0000.parquet", hub))
    assert [len(i.options) for i in dataset.items] == [3, 4]
    assert dataset.source["shots"]["count"] == 0  # type: ignore[index]


def test_m_arc_hole_in_the_options_is_a_fault(tmp_path: Path) -> None:
    put(
        tmp_path,
        "m_arc/test_medARCv1.csv",
        [{**MARC[0], "options": '["Yes", "", "Wait"]'}, {**MARC[1], "options": '["Go", "No"]'}],
    )
    dataset = opened(tmp_path, "m_arc")
    assert [s.reason for s in dataset.skipped] == ["option B is empty"]


EXAMPLE = {"question": "Example?", "options": ["a", "b", "N/A"], "answer": "B", "answer_index": 1, "category": "health"}


def mmlu(category: str = "health") -> Rows:
    return [
        {"question_id": 7 + i, "question": f"Question {i}?", "options": ["w", "x", "y", "z"], "answer": "ABCD"[i],
         "answer_index": i, "cot_content": "", "category": category, "src": "ori_mmlu-virology"}
        for i in range(3)
    ]  # fmt: skip


def test_mmlu_pro_health(tmp_path: Path) -> None:
    everything = [*mmlu("law"), *mmlu()]
    dataset = same(
        tmp_path, "mmlu_pro_health", ("mmlu_pro_health_test.jsonl", mmlu()), ("data/test-00000-of-00001.parquet", everything)
    )
    assert [i.id for i in dataset.items] == ["7", "8", "9"]
    assert dataset.items[0].tags == {"source": "virology"}


def test_mmlu_pro_options_that_are_not_applicable_are_left_out(tmp_path: Path) -> None:
    row = {**mmlu()[2], "options": ["w", "x", "y", "N/A", "N/A"]}
    moved = {**mmlu()[2], "question_id": 99, "options": ["N/A", "x", "y"]}
    put(tmp_path, "mmlu_pro_health/mmlu_pro_health_test.jsonl", [row, moved])
    first, second = opened(tmp_path, "mmlu_pro_health").items
    assert first.options == {"A": "w", "B": "x", "C": "y"}
    assert second.options == {"B": "x", "C": "y"}, "the other letters stay, as the published answers use them"


@pytest.mark.parametrize("with_reasoning", [True, False])
def test_five_shots_from_either_file(tmp_path: Path, with_reasoning: bool) -> None:
    put(tmp_path, "mmlu_pro_health/mmlu_pro_health_test.jsonl", mmlu())
    cot = "A: Let's think. It ends in b. The answer is (B)."
    if with_reasoning:
        rows = [
            {**EXAMPLE, "question_id": i, "cot_content": cot, "category": c} for i, c in enumerate(["law"] + ["health"] * 6)
        ]
        put(tmp_path, "mmlu_pro_health/data/validation-00000-of-00001.parquet", rows)
    else:
        mapped = {"question": "Example?", "options": {"A": "a", "B": "b", "C": "N/A"}, "answer_idx": "B", "answer": "b"}
        rows = [{**mapped, "realidx": i, "category": "health"} for i in range(5)]
        put(tmp_path, "mmlu_pro_health/validation_health_no_cot.jsonl", rows)
    put(tmp_path, "m_arc/test_medARCv1.csv", [{**r, "options": json.dumps(r["options"]), "src": "icu"} for r in MARC])
    for name in ("mmlu_pro_health", "m_arc"):
        dataset = opened(tmp_path, name)
        assert dataset.source["shots"]["count"] == 5  # type: ignore[index]
        text = dataset.messages(dataset.items[0], "paper")[-1].content
        assert text.count("Example?") == 5
        assert "N/A" not in text
        solved = "Let's think. It ends in b. \\boxed{B}" if with_reasoning else "\\boxed{B}"
        assert text.count(f"Answer:\n{solved}\n") == 5
        assert "The answer is (B)" not in text


CAREQA = {"question": "Right?", "category": "Nursing", "year": 2024}


def test_careqa(tmp_path: Path) -> None:
    options = ["one", "two", "three", "four"]
    keyed = {
        f"uuid-{i}": {**CAREQA, "exam_id": i, "options": dict(zip("ABCD", options, strict=True)), "correct_answer": "ABCD"[i]}
        for i in range(4)
    }
    flat = [
        {
            **CAREQA,
            "exam_id": i,
            **{f"op{n}": o for n, o in enumerate(options, start=1)},
            "cop": i + 1,
            "unique_id": f"uuid-{i}",
        }
        for i in range(4)
    ]
    dataset = same(
        tmp_path,
        "careqa",
        ("careqa_test.json", keyed),
        ("CareQA_en/test-00000-of-00001.parquet", flat),
        ("CareQA_en.converted.json", flat),
    )
    assert [gold(dataset, i) for i in range(4)] == ["A", "B", "C", "D"]
    assert dataset.items[3].id == "uuid-3"
    assert dataset.items[3].tags == {"category": "Nursing", "year": "2024"}


def headqa(*, text: bool) -> Rows:
    said = str if text else int
    return [
        {"qid": said(i), "qtext": f"Which in {i}?", "ra": said(2), "image": "./a.png" if i == 2 else "",
         "answers": [{"aid": n, "atext": f" answer {n} of {i} "} for n in range(1, 6 - i % 2)]}
        for i in (1, 2)
    ]  # fmt: skip


def test_headqa(tmp_path: Path) -> None:
    exam = {"name": "Cuaderno_2013_1_B", "category": "biology", "year": "2013"}
    nested = {"version": "1.0", "language": "en", "exams": {"x": {**exam, "data": headqa(text=True)}}}
    flat = [{**exam, **r} for r in headqa(text=False)]
    dataset = same(
        tmp_path,
        "headqa",
        ("HEAD_EN.json", nested),
        ("en/train-00000-of-00001.parquet", flat),
        ("head_qa_v2_en.jsonl", flat),
    )
    first, second = dataset.items
    assert list(first.options) == ["1", "2", "3", "4"]
    assert list(second.options) == ["1", "2", "3", "4", "5"]
    assert gold(dataset, 0) == "2"
    assert first.id == "Cuaderno_2013_1_B-1"
    assert first.tags == {"category": "biology", "year": "2013"}
    assert second.tags["image"] == "needed"
    assert dataset.public_items == 12751
    assert opened(tmp_path / "0", "headqa").public_items == 6765
    assert opened(tmp_path / "0", "headqa:v1").items[0] == first


def test_headqa_images_as_hub_structs_are_seen(tmp_path: Path) -> None:
    rows = [
        {**r, "name": "e", "image": {"bytes": None if i == 0 else b"\x89PNG", "path": None}}
        for i, r in enumerate(headqa(text=False))
    ]
    put(tmp_path, "headqa/en/train-00000-of-00001.parquet", rows)
    assert [i.tags.get("image") for i in opened(tmp_path, "headqa").items] == [None, "needed"]


def medxpertqa(*, embedded: bool, listed: bool) -> Rows:
    options = {"A": "gout", "B": "sprain", "C": "bite"}
    tail = "\nAnswer Choices: " + " ".join(f"({k}) {v}" for k, v in options.items()) if embedded else ""
    shown: Any = [{"letter": k, "content": v} for k, v in options.items()] if listed else options
    row = {"id": "Text-5", "question": f"What hurts?{tail}", "options": shown, "label": ["B"] if listed else "B"}
    return [{**row, "medical_task": "Diagnosis", "body_system": "Skeletal", "question_type": "Reasoning"}]


def test_medxpertqa(tmp_path: Path) -> None:
    dataset = same(
        tmp_path,
        "medxpertqa",
        ("Text/test-00000-of-00001.parquet", medxpertqa(embedded=True, listed=False)),
        ("MedXpertQA_Text_test_subset.jsonl", medxpertqa(embedded=False, listed=False)),
        ("medxpertqa_sampled_text_input.jsonl", medxpertqa(embedded=True, listed=True)),
    )
    (item,) = dataset.items
    assert item.question == "What hurts?"
    assert item.tags == {"medical_task": "Diagnosis", "body_system": "Skeletal", "question_type": "Reasoning"}
    shown = dataset.messages(item, "paper")[-1].content
    assert shown == "What hurts?\nAnswer Choices: (A) gout (B) sprain (C) bite"


def test_medxpertqa_words_that_are_no_list_of_choices_stay(tmp_path: Path) -> None:
    row = {**medxpertqa(embedded=False, listed=False)[0], "question": "Answer Choices: are they fair? Why (A)?"}
    put(tmp_path, "medxpertqa/MedXpertQA_Text_test_subset.jsonl", [row])
    assert opened(tmp_path, "medxpertqa").items[0].question == row["question"]
