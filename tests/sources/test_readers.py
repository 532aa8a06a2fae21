"""What a file is follows from its bytes; every row has a place; what is wrong with a row or a file is said."""

from __future__ import annotations

import csv
import json
import tempfile
import zipfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osce.core.errors import DataError
from osce.sources import KEY, VALUE, RowFault, open_rows

ROWS = [{"id": "a", "text": "first, with a comma"}, {"id": "b", "text": 'second "quoted"\nand broken'}]


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def lines(rows: list[dict[str, str]]) -> str:
    return "".join(json.dumps(r) + "\n" for r in rows)


@pytest.mark.parametrize(
    ("name", "content", "container"),
    [
        ("a.jsonl", lines(ROWS), "JSON lines"),
        ("a.json", lines(ROWS), "JSON lines"),
        ("a.json", "\ufeff" + lines(ROWS), "JSON lines"),
        ("a.json", lines(ROWS).replace("\n", "\r\n\r\n"), "JSON lines"),
        ("a.jsonl", lines(ROWS).rstrip("\n"), "JSON lines"),
        ("a.json", json.dumps(ROWS), "JSON list"),
        ("a.json", json.dumps({"data": ROWS}, indent=2), "JSON list"),
        ("a.json", json.dumps({"id": ["a", "b"], "text": [r["text"] for r in ROWS]}), "column-oriented JSON"),
        ("a.json", json.dumps({k: {"7": ROWS[0][k], "3": ROWS[1][k]} for k in ("id", "text")}), "column-oriented JSON"),
        ("a.csv", 'id,text\na,"first, with a comma"\nb,"second ""quoted""\nand broken"\n', "CSV"),
        ("a.csv", '\ufeffid,text\r\na,"first, with a comma"\r\n\r\nb,"second ""quoted""\nand broken"\r\n', "CSV"),
        ("a.csv", 'id;text\na;first, with a comma\nb;"second ""quoted""\nand broken"', "CSV"),
        ("a.tsv", 'id\ttext\na\tfirst, with a comma\nb\t"second ""quoted""\nand broken"\n', "TSV"),
    ],
)
def test_the_same_rows_from_every_text_container(tmp_path: Path, name: str, content: str, container: str) -> None:
    rows = open_rows(write(tmp_path / name, content), required=("id", "text"))
    assert rows.container == container
    assert [dict(r) for r in rows] == ROWS
    assert rows[-1]["id"] == "b"
    assert [r["id"] for r in rows[0:1]] == ["a"]


def test_rows_keyed_by_id_keep_their_key(tmp_path: Path) -> None:
    rows = open_rows(write(tmp_path / "k.json", json.dumps({"x1": {"q": "?"}, "x2": {"q": "!"}})), required=("q",))
    assert [dict(r) for r in rows] == [{KEY: "x1", "q": "?"}, {KEY: "x2", "q": "!"}]
    assert rows.where(1) == 'k.json key "x2"'
    plain = open_rows(write(tmp_path / "p.json", json.dumps({"x1": "yes", "x2": "no"}, indent=1)))
    assert [dict(r) for r in plain] == [{KEY: "x1", VALUE: "yes"}, {KEY: "x2", VALUE: "no"}]


def test_parquet_windows_and_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"n": range(5000), "s": [f"row {i}" for i in range(5000)], "x": [0.0] * 5000}).write_parquet(path)
    rows = open_rows(path, fields=("n", "s", "not there"))
    assert rows.columns == ("n", "s", "x")
    assert len(rows) == 5000
    assert rows[0] == {"n": 0, "s": "row 0"}
    assert rows[4999]["s"] == "row 4999"
    assert rows[1024]["n"] == 1024
    assert rows.where(4) == "t.parquet row 5"


def spreadsheet(path: Path, cells: list[list[str | None]]) -> Path:
    """A minimal workbook with texts in its cells."""
    rows = "".join(
        f'<row r="{r}">'
        + "".join(
            f'<c r="{chr(64 + c)}{r}" t="inlineStr"><is><t>{value}</t></is></c>'
            for c, value in enumerate(line, start=1)
            if value is not None
        )
        + "</row>"
        for r, line in enumerate(cells, start=1)
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType='
        f'"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType='
        f'"{kind}.sheet.main+xml"/><Override PartName="/xl/worksheets/s.xml" ContentType="{kind}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="s" sheetId="1" r:id="r1"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/worksheet" Target="worksheets/s.xml"/></Relationships>',
        "xl/worksheets/s.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path


def test_spreadsheet(tmp_path: Path) -> None:
    rows = open_rows(spreadsheet(tmp_path / "t.xlsx", [["Question", "Answer"], ["why?", "because"], ["how?", None]]))
    assert [dict(r) for r in rows] == [{"Question": "why?", "Answer": "because"}, {"Question": "how?", "Answer": None}]
    assert rows.where(0) == "t.xlsx row 2"


def test_folder_of_texts(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "sub").mkdir(parents=True)
    write(folder / "b.txt", "zwei")
    write(folder / "sub" / "a.txt", b"\xff\xfe broken")
    rows = open_rows(folder)
    assert rows[0] == {KEY: "b.txt", "text": "zwei"}
    with pytest.raises(RowFault):
        rows[1]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(DataError, match=r"no file that matches \*\*/\*.txt"):
        open_rows(empty)


def test_one_bad_json_line_is_one_bad_row(tmp_path: Path) -> None:
    content = lines(ROWS[:1]) + '{"id": "torn", "te\n' + "[1, 2]\n" + lines(ROWS[1:])
    for name in ("a.jsonl", "a.json"):
        rows = open_rows(write(tmp_path / name, content))
        assert len(rows) == 4
        with pytest.raises(RowFault, match="not valid JSON"):
            rows[1]
        with pytest.raises(RowFault, match="a list where an object"):
            rows[2]
        assert rows.where(1) == f"{name} line 2"
        assert rows[3]["id"] == "b"


def test_what_python_writes_as_json_is_read(tmp_path: Path) -> None:
    for name, content in (("a.jsonl", '{"id": "a", "n": NaN}\n{"id": "b", "n": 1}\n'), ("a.json", '[{"id": "a", "n": NaN}]')):
        assert open_rows(write(tmp_path / name, content))[0]["id"] == "a"


def test_first_json_line_torn(tmp_path: Path) -> None:
    rows = open_rows(write(tmp_path / "a.json", '{"id": "torn", "te\n' + lines(ROWS)))
    assert rows.container == "JSON lines"
    assert rows[1]["id"] == "a"


def test_faulty_csv_rows_are_told_one_by_one(tmp_path: Path) -> None:
    content = b'id,text\na,one\nb,two,three\nc\n\xffd,four\ne,"ends\nhere"\nf,six\n'
    rows = open_rows(write(tmp_path / "t.csv", content))
    good = {}
    for i in range(len(rows)):
        try:
            good[rows[i]["id"]] = rows.where(i)
        except RowFault as fault:
            good[str(fault)[:14]] = rows.where(i)
    assert good == {
        "a": "t.csv line 2",
        "has 3 cells wh": "t.csv line 3",
        "has 1 cells wh": "t.csv line 4",
        "is not UTF-8 (": "t.csv line 5",
        "e": "t.csv line 6",
        "f": "t.csv line 8",
    }


def test_unicode_line_separators_do_not_split_rows(tmp_path: Path) -> None:
    content = "id,text\na,one\u2028two\x0bthree\x85four\nb,five\n"
    rows = open_rows(write(tmp_path / "t.csv", content))
    assert [dict(r) for r in rows] == [{"id": "a", "text": "one\u2028two\x0bthree\x85four"}, {"id": "b", "text": "five"}]


def test_unclosed_quote_does_not_pass_as_a_row(tmp_path: Path) -> None:
    rows = open_rows(write(tmp_path / "t.csv", 'id,text,more\na,"one,x\nb,two,y\n'))
    with pytest.raises(RowFault, match="unclosed quote"):
        rows[0]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.json", b"", "is empty"),
        ("a.json", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "Git LFS pointer"),
        ("a.jsonl", b"<!DOCTYPE html><html>", "web page"),
        ("a.json", b"\x1f\x8b\x08\x00", "gzip"),
        ("a.csv", "id,text\n".encode("utf-16"), "UTF-16"),
        ("a.json", b"not json", "is not JSON"),
        ("a.json", b'{"a": [1, 2', "not valid JSON"),
        ("a.json", b"[1, 2", "not valid JSON"),
        ("a.json", b"{}", "holds no rows"),
        ("a.json", b"[" * 100_000, "not valid JSON"),
        ("a.csv", b"id,id\n1,2\n", "twice"),
        ("a.parquet", b"PAR1 torn", "cannot be read as Parquet"),
        ("a.xlsx", b"PK\x03\x04 torn", "spreadsheet"),
        ("a.json", b'{"id": {"1": "a"}, "text": {"2": "b"}}', "does not have the same rows"),
    ],
)
def test_what_is_no_table_is_an_error_that_names_the_file(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    path = write(tmp_path / name, content)
    with pytest.raises(DataError, match=says) as error:
        open_rows(path, required=("id", "text"))
    assert str(path) in str(error.value)


def test_an_absent_file_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot read"):
        open_rows(tmp_path / "none.json")


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.fixed_dictionaries({"id": CELL, "text": CELL}), min_size=1, max_size=8), st.sampled_from([",", "\t"]))
def test_whatever_was_written_is_read(rows: list[dict[str, str]], delimiter: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("t.tsv" if delimiter == "\t" else "t.csv")
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["id", "text"], delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows(rows)
        assert [dict(r) for r in open_rows(path)] == rows
        lined = write(Path(folder) / "t.json", lines(rows))
        assert [dict(r) for r in open_rows(lined, required=("id", "text"))] == rows
