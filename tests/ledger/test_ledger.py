"""The ledger: what survives kill -9, torn and corrupt lines, a full disk, two writers."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from osce.core.errors import LedgerError
from osce.core.grades import Grade, Outcome
from osce.core.items import Choice, Item, Message
from osce.core.replies import Failure, Reply, Usage
from osce.ledger import Manifest, Record, Run, Writer, find_runs, open_run, parquet
from osce.ledger import manifest as manifests


def record(number: int = 0, *, order: str = "natural", rollout: int = 0, failed: bool = False, text: str = "B") -> Record:
    return Record(
        item=Item(
            id=f"i{number}", question="Which?", options={"A": "ear", "B": "nose"}, target=Choice(("B",)), tags={"k": "v"}
        ),
        order=order,
        rollout=rollout,
        messages=(Message("user", "Which? é"),),
        reply=Reply(failure=Failure(kind="server", message="500")) if failed else Reply(text=text, usage=Usage(input_tokens=7)),
        grade=Grade(outcome=Outcome.ERROR) if failed else Grade(outcome=Outcome.CORRECT, score=1.0, answer="B", span=(0, 1)),
    )


def manifest(**kwargs: object) -> Manifest:
    return Manifest(model="m", benchmark="b", variant="", created="2026-12-01", fingerprint={"a": 1}, scope={}, **kwargs)  # type: ignore[arg-type]


def written(folder: Path, records: list[Record]) -> Run:
    with Writer(folder) as writer:
        for r in records:
            writer.append(r)
    manifests.write(folder, manifest())
    return open_run(folder)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    records = [record(0), record(1, order="1618"), record(1, rollout=2)]
    assert list(written(tmp_path, records).records()) == records


def test_a_failed_item_asked_again_counts_once(tmp_path: Path) -> None:
    run = written(tmp_path, [record(0, failed=True), record(1), record(0)])
    assert [r.key for r in run.records()] == [("i1", "natural", 0), ("i0", "natural", 0)]
    assert all(r.grade.score == 1.0 for r in run.records())


@pytest.mark.parametrize("cut", [1, 2, 30, 200])
def test_a_torn_last_line_is_dropped_and_writing_goes_on(tmp_path: Path, cut: int) -> None:
    written(tmp_path, [record(0), record(1)])
    path = tmp_path / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    assert [r.item.id for r in open_run(tmp_path).records()] == ["i0"]
    with Writer(tmp_path) as writer:
        writer.append(record(2))
    assert [r.item.id for r in open_run(tmp_path).records()] == ["i0", "i2"]
    assert open_run(tmp_path).corrupt_lines == []


def test_a_torn_first_line_leaves_an_empty_run(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_bytes(b'{"item": {"id"')
    Writer(tmp_path).close()
    assert (tmp_path / "records.jsonl").read_bytes() == b""


@pytest.mark.parametrize("rubbish", [b"\xff\xfe\x00\n", b"{}\n", b"not json\n", b'{"item": 3}\n', b"\n"])
def test_corrupt_lines_are_numbered_and_cost_only_themselves(tmp_path: Path, rubbish: bytes) -> None:
    written(tmp_path, [record(0), record(1)])
    path = tmp_path / "records.jsonl"
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + rubbish + second)
    run = open_run(tmp_path)
    assert [r.item.id for r in run.records()] == ["i0", "i1"]
    assert run.corrupt_lines == [2]


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    code = "import sys, pathlib; from osce.ledger import Writer; Writer(pathlib.Path(sys.argv[1]))"
    with Writer(tmp_path):
        other = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert "written by another osce process" in other.stderr
    again = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr


FULL = """
import pathlib, resource, sys
from osce.core.errors import LedgerError
sys.path.insert(0, sys.argv[2])
from test_ledger import record
from osce.ledger import Writer
folder = pathlib.Path(sys.argv[1])
with Writer(folder) as writer:
    writer.append(record(0))
    size = (folder / "records.jsonl").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, size + 100))
    for number in (1, 2):
        try:
            writer.append(record(number))
        except LedgerError as error:
            print(error)
    print(writer.rescued)
"""


def test_a_write_that_fails_half_way_leaves_whole_lines(tmp_path: Path) -> None:
    """The kernel cuts the write at the file-size limit, as a full disk does: 100 bytes of the line go in, then an error."""
    command = [sys.executable, "-c", FULL, str(tmp_path), str(Path(__file__).parent)]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert result.stdout.count("run the same command again") == 2
    assert len((tmp_path / "records.jsonl").read_bytes().splitlines()) == 1
    assert [r.item.id for r in _records_of(tmp_path)] == ["i0"]


def _records_of(folder: Path) -> list[Record]:
    manifests.write(folder, manifest())
    return list(open_run(folder).records())


def test_on_a_full_disk_the_answer_is_kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    run_folder = tmp_path / "run"
    with Writer(run_folder) as writer:
        writer.append(record(0))
        real = os.write

        def full(fd: int, data: bytes) -> int:
            if fd != writer._fd:
                return real(fd, data)
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "write", full)
        with pytest.raises(LedgerError, match="disk is full"):
            writer.append(record(1))
        monkeypatch.setattr(os, "write", real)
    assert writer.rescued is not None
    with (run_folder / "records.jsonl").open("ab") as file:
        file.write(writer.rescued.read_bytes())
    assert [r.item.id for r in _records_of(run_folder)] == ["i0", "i1"]


def test_a_folder_that_cannot_be_made_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="--out"):
        Writer(tmp_path / "file" / "run")


def test_find_runs(tmp_path: Path) -> None:
    for name in ("m2/b", "m1/b"):
        written(tmp_path / name, [record(0)])
    assert [p.relative_to(tmp_path).as_posix() for p in find_runs([tmp_path, tmp_path / "m1"])] == ["m1/b", "m2/b"]
    with pytest.raises(LedgerError, match="does not exist"):
        find_runs([tmp_path / "nowhere"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(LedgerError, match="no run below"):
        find_runs([tmp_path / "empty"])


@pytest.mark.parametrize("content", [b"", b"{", b'{"model": 3}', b"\xff"])
def test_an_unreadable_manifest_is_one_message(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(LedgerError, match="cannot be read"):
        open_run(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2, "b": 3}}, ["a.b: 1 -> 3"]),
        ({"a": 1}, {}, ["a: 1 -> null"]),
        ({"a": [1]}, {"a": [1, 2]}, ["a: [1] -> [1,2]"]),
    ],
)
def test_differences(old: object, new: object, expected: list[str]) -> None:
    assert manifests.differences(old, new) == expected


def test_parquet_has_every_record_and_missing_figures_stay_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS_PER_PART", 2)
    run = written(tmp_path, [record(0), record(1), record(2, failed=True)])
    for _ in range(2):  # writing again replaces
        parquet.write(run)
    frame = pl.read_parquet(tmp_path / "records" / "*.parquet")
    assert frame["item"].to_list() == ["i0", "i1", "i2"]
    assert frame["score"].to_list() == [1.0, 1.0, None]
    assert frame["cost_usd"].to_list() == [None] * 3
    assert frame["input_tokens"].to_list() == [7, 7, None]
    assert frame["failure"].to_list() == [None, None, "500"]
