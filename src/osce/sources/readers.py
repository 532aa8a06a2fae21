"""One way to open a table: what a file is follows from its bytes, its ending is only a hint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from osce.core.errors import DataError
from osce.sources.rows import (
    KEY,
    VALUE,
    Delimited,
    JsonLines,
    MemoryRows,
    ParquetRows,
    Places,
    Row,
    RowFault,
    Rows,
    TextFolder,
    loosely,
)

Unpack: TypeAlias = Callable[[Any], Iterator[tuple[str, Row]]]
"""For nested documents: document -> (place, row), …"""

_HEAD_BYTES = 65536


def open_rows(path: Path, *, fields: Sequence[str] = (), required: Sequence[str] = (), unpack: Unpack | None = None) -> Rows:
    """Open a file (or a folder of texts) as rows.

    `required` names the fields that every row holds: they tell columns keyed by row from rows keyed by id. `fields` limits
    the columns read from Parquet. `unpack` turns a nested JSON document into rows. Raises DataError for what is no table.
    """
    if path.is_dir():
        return TextFolder(path)
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error
    if head.startswith(b"PAR1"):
        return ParquetRows(path, fields or None)
    if head.startswith(b"PK\x03\x04"):
        return _spreadsheet(path)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    _refuse_what_is_no_data(path, text)
    ending = path.suffix.lower()
    if text[:1] in b"{[" and ending not in (".csv", ".tsv"):
        if text[:1] == b"{" and unpack is None and _is_json_lines(path, text, ending):
            return JsonLines(path)
        return _document(path, required, unpack)
    if ending in (".jsonl", ".ndjson"):
        return JsonLines(path)
    if ending == ".json":
        raise DataError(f"{path} is not JSON: it starts with {text[:20]!r}. Fetch the file again.")
    return Delimited(path, _delimiter(text, ending))


def read_json(path: Path) -> Any:
    """A whole JSON document. Raises DataError."""
    try:
        text = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error
    try:
        try:
            return msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return loosely(text, error)
    except RowFault as fault:
        raise DataError(f"{path} {fault}. If a download was cut off, fetch the file again.") from fault


def _refuse_what_is_no_data(path: Path, text: bytes) -> None:
    if not text:
        raise DataError(f"{path} is empty. Fetch the file again.")
    if text.startswith(b"version https://git-lfs"):
        raise DataError(f"{path} is a Git LFS pointer, not the data: run `git lfs pull`, or download the file itself.")
    if text[:15].lower().startswith((b"<!doctype", b"<html")):
        raise DataError(f"{path} is a web page, not the data: download the raw file.")
    if text.startswith(b"\x1f\x8b"):
        raise DataError(f"{path} is compressed with gzip: unpack it first (gunzip).")
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError(f"{path} is UTF-16: save it as UTF-8.")


def _is_json_lines(path: Path, text: bytes, ending: str) -> bool:
    """Whether a file that starts with { holds one object a line. A single line may also be a whole document."""
    if ending in (".jsonl", ".ndjson"):
        return True
    lines = []
    with path.open("rb") as file:
        for line in file:
            if not line.removeprefix(b"\xef\xbb\xbf").isspace():
                lines.append(line.removeprefix(b"\xef\xbb\xbf"))
            if len(lines) == 2:
                break
    if len(lines) < 2:
        return False
    # A pretty-printed document's first two lines are no objects by themselves; of JSON lines at most one is damaged.
    return any(_is_object(line) for line in lines) and lines[0].strip() != b"{"


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _document(path: Path, required: Sequence[str], unpack: Unpack | None) -> Rows:
    document = read_json(path)
    name = path.name
    if unpack is not None:
        places, rows = [], []
        try:
            for place, row in unpack(document):
                places.append(f"{name} {place}")
                rows.append(row)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DataError(f"{path} is not laid out as expected ({type(error).__name__}: {error})") from error
        return MemoryRows("nested JSON", rows, places)
    if isinstance(document, list):
        return MemoryRows("JSON list", document, Places(name, len(document)))
    if not isinstance(document, dict) or not document:
        raise DataError(f"{path} holds no rows: the document is {'empty' if document == {} else 'a plain value'}.")
    if required and set(required) - {KEY, VALUE} <= document.keys():
        return _columns(path, document)
    if len(document) == 1:
        (only,) = document.values()
        if isinstance(only, list):
            return MemoryRows("JSON list", only, Places(name, len(only)))
    keyed = [{KEY: k, **v} if isinstance(v, dict) else {KEY: k, VALUE: v} for k, v in document.items()]
    return MemoryRows("JSON keyed by id", keyed, [f'{name} key "{k}"' for k in document])


def _columns(path: Path, document: Mapping[str, Any]) -> Rows:
    """A document whose outer keys are the fields: pandas' column orientation, plain lists, or one single row."""
    values = list(document.values())
    if all(isinstance(v, dict) for v in values):
        labels = list(values[0])
        odd = [name for name, column in document.items() if column.keys() != values[0].keys()]
        if odd:
            raise DataError(f"{path}: column {odd[0]!r} does not have the same rows as column {next(iter(document))!r}")
        rows = [{name: column[label] for name, column in document.items()} for label in labels]
        return MemoryRows("column-oriented JSON", rows, [f'{path.name} row "{label}"' for label in labels], list(document))
    if all(isinstance(v, list) for v in values) and len({len(v) for v in values}) == 1:
        rows = [dict(zip(document, cells, strict=True)) for cells in zip(*values, strict=True)]
        return MemoryRows("column-oriented JSON", rows, Places(path.name, len(rows)), list(document))
    return MemoryRows("one JSON object", [document], Places(path.name, 1))


def _spreadsheet(path: Path) -> Rows:
    import polars as pl

    try:
        frame = pl.read_excel(path)
    except Exception as error:  # Polars, fastexcel and the zip reader each raise their own
        raise DataError(f"{path} cannot be read as a spreadsheet: {str(error).splitlines()[0]}") from error
    return MemoryRows("XLSX", frame.to_dicts(), Places(path.name, frame.height, first=2), frame.columns)


def _delimiter(text: bytes, ending: str) -> str:
    if ending == ".tsv":
        return "\t"
    header = text.split(b"\n", 1)[0]
    found = max(b",;\t", key=lambda c: header.count(bytes([c])))
    return chr(found) if header.count(bytes([found])) else ","
