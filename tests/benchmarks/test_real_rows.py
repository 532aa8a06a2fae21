"""The real rows load completely: what is read and what is skipped add up to what the sources say is there."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from osce.benchmarks import load
from osce.benchmarks.base import Dataset
from osce.benchmarks.shuffle import reorder
from osce.core.items import Choice

pytestmark = pytest.mark.realdata

ROWS = {
    "careqa": "careqa_test.json",
    "headqa": "",
    "m_arc": "test_medARCv1.csv",
    "medbullets:op4": "medbullets_op4.csv",
    "medbullets:op5": "medbullets_op5.csv",
    "medmcqa": "dev.json",
    "medqa": "phrases_no_exclude_test.jsonl",
    "medqa:5opt": "US_test_5options.jsonl",
    "medxpertqa": "MedXpertQA_Text_test_subset.jsonl",
    "medxpertqa:sampled": "medxpertqa_sampled_text_input.jsonl",
    "mmlu_pro_health": "mmlu_pro_health_test.jsonl",
    "pubmedqa": "",
}
"""Variant -> the file whose section of SOURCE.txt counts its rows ("" where the file has one section only)."""
KNOWN_FAULTS = {"medmcqa": 1}
"""One MedMCQA row gives the same text four times."""


@pytest.fixture
def text(real_data: Path) -> Path:
    return real_data / "text"


def opened(text: Path, spec: str) -> Dataset:
    (dataset,) = load(spec, data_dir=text)
    return dataset


def declared(text: Path, spec: str, what: str) -> int:
    """rows_here or rows_full of a file, from SOURCE.txt."""
    source = (text / spec.partition(":")[0] / "SOURCE.txt").read_text()
    if ROWS[spec]:
        source = next(s for s in source.split("\n\n") if f"file: {ROWS[spec]}" in s)
    found = re.search(rf"{what}: (\d+)", source)
    assert found is not None
    return int(found.group(1))


@pytest.mark.parametrize("spec", ROWS)
def test_all_rows_are_read_or_listed(text: Path, spec: str) -> None:
    dataset = opened(text, spec)
    here = declared(text, spec, "rows_here")
    assert dataset.source["rows"] == here
    if spec != "pubmedqa":
        assert len(dataset.items) + len(dataset.skipped) == here
        assert dataset.public_items == declared(text, spec, "rows_full")
    assert len(dataset.skipped) <= KNOWN_FAULTS.get(spec, 0)
    ids = [item.id for item in dataset.items]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("spec", ROWS)
def test_every_item_can_be_asked_in_any_order(text: Path, spec: str) -> None:
    dataset = opened(text, spec)
    moved = 0
    for item in dataset.items:
        assert isinstance(item.target, Choice)
        assert 2 <= len(item.options) <= 10
        again = reorder(item, "1618")
        assert isinstance(again.target, Choice)
        assert {again.options[g] for g in again.target.labels} == {item.options[g] for g in item.target.labels}
        moved += again.options != item.options
        shown = dataset.messages(again, "paper")[-1].content
        assert all(option in shown for option in again.options.values())
    assert moved > 0.7 * len(dataset.items)


def test_pubmedqa_is_the_official_test(text: Path) -> None:
    dataset = opened(text, "pubmedqa")
    train = opened(text, "pubmedqa:train")
    source = (text / "pubmedqa" / "SOURCE.txt").read_text()
    found = re.search(r"rows_here: (\d+) \((\d+) test\)", source)
    assert found is not None
    assert (len(dataset.items) + len(train.items), len(dataset.items)) == tuple(map(int, found.groups()))
    assert not {i.id for i in dataset.items} & {i.id for i in train.items}
    assert Counter(i.options[i.target.labels[0]] for i in dataset.items if isinstance(i.target, Choice)).keys() == {
        "yes",
        "no",
        "maybe",
    }


@pytest.mark.parametrize(
    ("spec", "left_out"),
    [("careqa", ["careqa_test.json"]), ("medbullets:op4", ["medbullets_op4.csv"]), ("medbullets:op5", ["medbullets_op5.csv"])],
)
def test_other_containers_give_the_same_items(text: Path, tmp_path: Path, spec: str, left_out: list[str]) -> None:
    first = opened(text, spec)
    name = spec.partition(":")[0]
    shutil.copytree(text / name, tmp_path / name, ignore=shutil.ignore_patterns(*left_out))
    second = opened(tmp_path, spec)
    assert first.source["container"] != second.source["container"]
    assert {i.id: i for i in first.items} == {i.id: i for i in second.items}


def test_medxpertqa_with_and_without_embedded_choices(text: Path) -> None:
    plain = {i.id: i for i in opened(text, "medxpertqa").items}
    embedded = {i.id: i for i in opened(text, "medxpertqa:sampled").items}
    both = plain.keys() & embedded.keys()
    assert len(both) > 100
    differing = [name for name in both if plain[name] != embedded[name]]
    assert not differing


def test_medqa_and_medbullets_forms_share_their_stems(text: Path) -> None:
    four, five = load("medbullets", data_dir=text)
    assert {i.cluster for i in four.items} == {i.cluster for i in five.items}
    assert len(four.items) - len({i.cluster for i in four.items}) == 8, "eight stems come twice"
    assert [i.id for i in four.items] != [i.id for i in five.items], "upstream has them in another order"
    one, other = opened(text, "medqa"), opened(text, "medqa:5opt")
    assert {i.cluster for i in one.items} == {i.cluster for i in other.items}


def test_headqa_labels_images_and_categories(text: Path) -> None:
    items = list(opened(text, "headqa").items)
    assert Counter(len(i.options) for i in items).keys() == {4, 5}
    assert set().union(*(i.options for i in items)) == {"1", "2", "3", "4", "5"}
    assert len({i.tags["category"] for i in items}) == 6
    assert sum("image" in i.tags for i in items) == 164


@pytest.mark.parametrize("name", ["m_arc", "mmlu_pro_health"])
def test_five_solved_examples_precede(text: Path, name: str) -> None:
    dataset = opened(text, name)
    assert dataset.source["shots"]["count"] == 5  # type: ignore[index]
    user = dataset.messages(dataset.items[0], "paper")[-1].content
    assert user.count("Options:") == 6
    assert len(re.findall(r"\\boxed\{[A-J]\}", user)) == 5
    assert "N/A" not in user
