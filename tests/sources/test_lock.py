"""A changed file is an error with both hashes; a missing one says what to put where."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from osce.core.errors import DataError
from osce.sources import Hub, Upstream, Url, hub_parquet, obtain, settings
from osce.sources.lock import FILE, Lock, sha256_of, shipped_sha256

A = Upstream("a.jsonl", "MIT", (Url("https://example.org/a.jsonl"),))
B = Upstream("sub/b.csv", "CC0", (Hub("me/rows", "b.csv"),))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OSCE_OFFLINE", "1")
    folder = tmp_path / "data"
    (folder / "bench").mkdir(parents=True)
    (folder / "bench" / "a.jsonl").write_text('{"a": 1}\n')
    return folder


def test_first_sight_records_and_a_change_is_refused(data: Path) -> None:
    _, found = obtain("bench", [[A]], data)
    before = hashlib.sha256(b'{"a": 1}\n').hexdigest()
    assert found[0].sha256 == before
    assert (data / FILE).exists()
    (data / "bench" / "a.jsonl").write_text('{"a": 2}\n')
    after = hashlib.sha256(b'{"a": 2}\n').hexdigest()
    with pytest.raises(DataError) as error:
        obtain("bench", [[A]], data)
    assert before in str(error.value)
    assert after in str(error.value)
    assert "osce data verify bench --accept" in str(error.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_data_folder_is_remembered_in_the_cache(data: Path) -> None:
    data.chmod(0o555)
    obtain("bench", [[A]], data)
    assert not (data / FILE).exists()
    assert Lock(data).entries()["bench/a.jsonl"].sha256 == sha256_of(data / "bench/a.jsonl")
    data.chmod(0o755)


def test_where_no_lock_can_be_written_data_can_still_be_read(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    (data.parent / "file").write_text("")
    monkeypatch.setenv("OSCE_CACHE", str(data.parent / "file" / "cache"))
    assert obtain("bench", [[A]], data)[1][0].origin == "data folder"


def test_a_damaged_lock_says_what_to_do(data: Path) -> None:
    (data / FILE).write_text("{not json")
    with pytest.raises(DataError, match=r"damaged.*delete it"):
        obtain("bench", [[A]], data)


def test_missing_files_are_told_with_place_address_and_licence(data: Path) -> None:
    with pytest.raises(DataError) as error:
        obtain("bench", [[B, A], [hub_parquet("me/rows", "test", "Apache-2.0")]], data, spec="bench:train")
    text = str(error.value)
    for part in (
        f"{data}/bench/sub/b.csv",
        "https://huggingface.co/datasets/me/rows/resolve/main/b.csv",
        "https://example.org/a.jsonl",
        "licence: CC0",
        f"{data}/bench/default/test/0000.parquet",
        "licence: Apache-2.0",
        "holds: a.jsonl",
        "OSCE_OFFLINE",
        "osce data fetch bench:train",
    ):
        assert part in text


def test_order_of_places_and_layouts(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = settings.cache_dir() / "bench"
    (cache / "sub").mkdir(parents=True)
    (cache / "sub" / "b.csv").write_text("x\n1\n")
    assert obtain("bench", [[B], [A]], data)[0] == 1, "the data folder wins over the cache"
    assert obtain("bench", [[B], [A]])[0] == 0
    monkeypatch.setenv("OSCE_DATA", str(data))
    assert obtain("bench", [[B], [A]])[0] == 1
    with pytest.raises(DataError, match="is no folder"):
        obtain("bench", [[A]], tmp_path / "nowhere")


@pytest.mark.parametrize(
    "name",
    [
        "default/test/0000.parquet",
        "data/test-00000-of-00001.parquet",
        "data/test-00000-of-00001-0123abcd.parquet",
        "test.parquet",
    ],
)
def test_a_clone_of_a_hub_dataset_is_a_data_folder(data: Path, name: str) -> None:
    path = data / "bench" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"PAR1")
    _, found = obtain("bench", [[hub_parquet("me/rows", "test", "MIT")]], data)
    assert found[0].path == path


def test_another_split_of_that_clone_is_not_taken(data: Path) -> None:
    (data / "bench" / "test_hard.parquet").write_bytes(b"PAR1")
    (data / "bench" / "train.parquet").write_bytes(b"PAR1")
    with pytest.raises(DataError):
        obtain("bench", [[hub_parquet("me/rows", "test", "MIT")]], data)


def test_the_shipped_lock_can_be_read() -> None:
    assert shipped_sha256("no such file") == ""


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("true", True), ("0", False), ("no", False), ("", False)])
def test_offline(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", value)
    assert settings.offline() is expected
