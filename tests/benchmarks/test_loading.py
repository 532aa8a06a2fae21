"""Malformed rows are counted and listed, wrong files are errors, ids are unique, items are built on access."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from osce.benchmarks import declaration, load, names
from osce.benchmarks.base import Dataset
from osce.benchmarks.suites import SUITES, suite
from osce.core.errors import DataError
from osce.core.items import Choice

GOOD = {"id": "g", "question": "Which?", "opa": "one", "opb": "two", "opc": "three", "opd": "four", "cop": 1}


def lines(tmp_path: Path, *rows: dict[str, Any] | str) -> Path:
    folder = tmp_path / "medmcqa"
    folder.mkdir(exist_ok=True)
    text = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    (folder / "dev.json").write_text(text)
    return tmp_path


def opened(root: Path) -> Dataset:
    (dataset,) = load("medmcqa", data_dir=root)
    return dataset


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"question": ""}, 'field "question" is empty'),
        ({"question": None}, 'field "question" is empty'),
        ({"question": 12}, 'field "question" is 12, not text'),
        ({"opb": ""}, "option B is empty"),
        ({"opb": None}, "option B is missing"),
        ({"opd": None, "cop": 4}, "option D is missing"),
        ({"opb": float("nan")}, "option B is missing"),
        ({"question": float("nan")}, 'field "question" is nan, not text'),
        ({"opb": ["two"]}, "option B is ['two'], not text"),
        ({"cop": 5}, 'field "cop" is 5; this file counts from 1 to 4'),
        ({"cop": None}, 'field "cop" is missing'),
        ({"cop": "x"}, "field \"cop\" is 'x', not a whole number"),
        ({"cop": True}, 'field "cop" is True, not a whole number'),
        ({"opa": "same", "opb": "same", "opc": "same", "opd": "same"}, "all options are the same text"),
    ],
)
def test_a_malformed_row_is_listed_and_the_others_are_used(tmp_path: Path, fault: dict[str, Any], reason: str) -> None:
    dataset = opened(lines(tmp_path, GOOD, {**GOOD, "id": "bad", **fault}, {**GOOD, "id": "h"}))
    assert [i.id for i in dataset.items] == ["g", "h"]
    assert [(s.where, s.reason) for s in dataset.skipped] == [("dev.json line 2", reason)]
    assert dataset.source["rows"] == 3


def test_a_missing_field_names_those_there(tmp_path: Path) -> None:
    bad = {k: v for k, v in GOOD.items() if k != "question"}
    (skipped,) = opened(lines(tmp_path, GOOD, bad)).skipped
    assert skipped.reason == 'has no field "question" (it has: cop, id, opa, opb, opc, opd)'


def test_lines_that_are_no_json_are_listed(tmp_path: Path) -> None:
    dataset = opened(lines(tmp_path, GOOD, '{"id": "torn', "", "null", {**GOOD, "id": "h"}))
    assert [s.where for s in dataset.skipped] == ["dev.json line 2", "dev.json line 4"]
    assert len(dataset.items) == 2


def test_numbers_as_text_are_read(tmp_path: Path) -> None:
    dataset = opened(lines(tmp_path, {**GOOD, "cop": "2", "opa": 5, "opb": 7.5}))
    assert dataset.items[0].options["A"] == "5"
    assert dataset.items[0].target == Choice(("B",))


def test_a_wrong_file_is_an_error_with_the_first_reasons(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        opened(lines(tmp_path, *({"text": str(i)} for i in range(9))))
    text = str(error.value)
    assert "none of its 9 rows can be used" in text
    assert 'dev.json line 1: has no field "question" (it has: text)' in text
    assert "and 6 more" in text


def test_a_csv_without_a_column_names_it_and_the_others(tmp_path: Path) -> None:
    (tmp_path / "medbullets").mkdir()
    (tmp_path / "medbullets" / "medbullets_op4.csv").write_text("link,question,opa,opb,opd,answer_idx\nl,q,a,b,d,A\n")
    with pytest.raises(DataError, match=r"no column 'opc'; it has: 'link', 'question', 'opa', 'opb', 'opd', 'answer_idx'"):
        load("medbullets:op4", data_dir=tmp_path)


def test_a_parquet_without_a_column_names_it(tmp_path: Path) -> None:
    import polars as pl

    (tmp_path / "medmcqa").mkdir()
    pl.DataFrame({"question": ["?"], "opa": ["x"]}).write_parquet(tmp_path / "medmcqa" / "validation.parquet")
    with pytest.raises(DataError, match="no column 'opb', 'opc', 'opd', 'cop'"):
        opened(tmp_path)


def test_the_right_text_under_two_labels_counts_under_both(tmp_path: Path) -> None:
    rows = [{**GOOD, "opc": "one"}, {**GOOD, "id": "other", "opc": "two"}]
    dataset = opened(lines(tmp_path, *rows))
    assert dataset.items[0].target == Choice(("A", "C"))
    assert dataset.items[1].target == Choice(("A",)), "a repeated wrong text changes nothing"


def test_answer_index_and_answer_text_must_agree(tmp_path: Path) -> None:
    (tmp_path / "medqa").mkdir()
    row = {"question": "?!", "options": {"A": "x", "B": "y"}, "answer_idx": "A", "answer": "x"}
    text = json.dumps(row) + "\n" + json.dumps({**row, "answer": "y"})
    (tmp_path / "medqa" / "phrases_no_exclude_test.jsonl").write_text(text)
    (dataset,) = load("medqa", data_dir=tmp_path)
    assert [s.reason for s in dataset.skipped] == ["answer text 'y' is not that of option A"]


def test_repeated_ids_get_names_of_their_own_in_one_cluster(tmp_path: Path) -> None:
    rows = [{**GOOD, "id": i, "question": f"{n}?"} for n, i in enumerate(["x", "y", "x", "x", "z", "y"])]
    dataset = opened(lines(tmp_path, *rows))
    assert [i.id for i in dataset.items] == ["x", "y", "x#2", "x#3", "z", "y#2"]
    assert [i.cluster_id for i in dataset.items] == ["x", "y", "x", "x", "z", "y"]
    for item in dataset.items:
        assert dataset.by_id(item.id) == item
    for absent in ("x#4", "q", "", "z#2"):
        with pytest.raises(KeyError):
            dataset.by_id(absent)


def test_items_are_a_sequence(tmp_path: Path) -> None:
    dataset = opened(lines(tmp_path, *({**GOOD, "id": str(i)} for i in range(5))))
    assert dataset.items[-1].id == "4"
    assert [i.id for i in dataset.items[1:4:2]] == ["1", "3"]
    with pytest.raises(IndexError):
        dataset.items[5]


def test_source_names_file_hash_and_licence_and_no_path(tmp_path: Path) -> None:
    dataset = opened(lines(tmp_path, GOOD))
    assert list(dataset.source["files"]) == ["dev.json"]  # type: ignore[call-overload]
    assert len(dataset.source["files"]["dev.json"]) == 64  # type: ignore[index]
    assert "MIT" in str(dataset.source["licence"])
    assert str(tmp_path) not in str(dataset.source)


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    opened(lines(tmp_path, GOOD))
    with pytest.raises(DataError, match="has changed"):
        opened(lines(tmp_path, {**GOOD, "question": "Another?"}))


@pytest.mark.parametrize(
    ("wrong", "near"), [("medka", "medqa"), ("MedQA", "medqa"), ("head-qa", "headqa"), ("mmlu", "mmlu_pro_health")]
)
def test_unknown_names_get_the_nearest(wrong: str, near: str) -> None:
    with pytest.raises(DataError, match=near):
        load(wrong)


def test_unknown_variant_and_suite() -> None:
    with pytest.raises(DataError, match="there are: medqa, medqa:5opt, medqa:train, medqa:5opt-train"):
        load("medqa:6opt")
    with pytest.raises(DataError, match="first-ten"):
        suite("first_ten")


def test_suites_hold_benchmarks() -> None:
    assert all(set(members) <= set(names()) for members in SUITES.values())
    assert len(SUITES["first-ten"]) == 10


@pytest.mark.parametrize("name", [n for n in names() if n != "fresh_calc"])
def test_declarations_are_whole(name: str) -> None:
    benchmark = declaration(name)
    assert benchmark.card.name == name
    assert set(benchmark.default) <= set(benchmark.variants)
    assert benchmark.train is None or benchmark.train in benchmark.variants
    assert ("T" in benchmark.card.subsets) == (benchmark.train is not None)
    for variant in benchmark.variants.values():
        for layout in variant.layouts:
            assert (layout.row is None) != (layout.prepare is None)
            assert all(f.licence for f in layout.files)


def test_missing_data_of_every_benchmark_say_what_to_put_where() -> None:
    for name in names():
        if name == "fresh_calc":
            continue
        with pytest.raises(DataError) as error:
            load(name)
        assert f"DIR/{name}/" in str(error.value)
        assert "licence:" in str(error.value)
