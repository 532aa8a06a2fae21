"""Rows of a table, by index and lazily where the file allows it, each with the place where it stands."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
from abc import abstractmethod
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, overload

import msgspec

from osce.core.errors import DataError

Row: TypeAlias = Mapping[str, Any]

KEY = "@key"
"""Field that holds the outer key of rows that upstream keeps in a dict keyed by id (or the file name, in a folder of texts)."""
VALUE = "@value"
"""Field that holds the value where that dict maps to plain values."""


class RowFault(ValueError):
    """One row that cannot be used; the message is the reason. Readers and row adapters raise it, the loader counts it."""


class Rows(Sequence[Row]):
    """Rows of one file. `rows[i]` raises RowFault where the row cannot be decoded; `where(i)` names its place for people."""

    container: str
    """What the file turned out to be, e.g. "JSON lines"."""
    columns: tuple[str, ...] | None = None
    """Column names, for tables that state them once."""

    @abstractmethod
    def where(self, index: int) -> str: ...

    @abstractmethod
    def row(self, index: int) -> Row: ...

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self.row(i) for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self.row(index)


class MemoryRows(Rows):
    """Rows held in memory, for files that can only be decoded whole."""

    def __init__(
        self, container: str, rows: Sequence[Any], places: Sequence[str], columns: Sequence[str] | None = None
    ) -> None:
        self.container = container
        self.columns = tuple(columns) if columns is not None else None
        self._rows = rows
        self._places = places

    def __len__(self) -> int:
        return len(self._rows)

    def where(self, index: int) -> str:
        return self._places[index]

    def row(self, index: int) -> Row:
        return as_row(self._rows[index])


class Places(Sequence[str]):
    """ "name row 1", "name row 2", … without holding them."""

    def __init__(self, name: str, count: int, first: int = 1) -> None:
        self._name, self._count, self._first = name, count, first

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return f"{self._name} row {range(self._first, self._first + self._count)[index]}"


def as_row(value: object) -> Row:
    if not isinstance(value, dict):
        raise RowFault(f"is {_kind(value)} where an object with fields was expected")
    return value


def loosely(text: bytes, error: Exception) -> Any:
    """Python writes NaN and Infinity into JSON, which the strict decoder refuses. Raises RowFault with the strict reason."""
    if b"NaN" in text or b"Infinity" in text:
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(text)
    raise RowFault(f"is not valid JSON ({error})") from error


def _kind(value: object) -> str:
    names = {type(None): "null", str: "a text", int: "a number", float: "a number", bool: "true/false", list: "a list"}
    return names.get(type(value), type(value).__name__)


class _Spans(Rows):
    """Records found by byte offsets and read one at a time: memory does not grow with the file's texts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("rb")
        self._starts = array("Q")
        self._lengths = array("L")
        self._lines = array("L")

    def __len__(self) -> int:
        return len(self._starts)

    def where(self, index: int) -> str:
        return f"{self.path.name} line {self._lines[index]}"

    def _add(self, start: int, length: int, line: int) -> None:
        self._starts.append(start)
        self._lengths.append(length)
        self._lines.append(line)

    def _bytes(self, index: int) -> bytes:
        length = self._lengths[index]
        data = os.pread(self._file.fileno(), length, self._starts[index])
        if len(data) != length:
            raise DataError(f"{self.path} became shorter while it was being read; run again once it is whole")
        return data

    def close(self) -> None:
        self._file.close()


class JsonLines(_Spans):
    """One JSON object a line, whatever the file's ending says. Blank lines are passed over."""

    container = "JSON lines"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._decode = msgspec.json.Decoder().decode
        position = 0
        for number, line in enumerate(self._file, start=1):
            if number == 1 and line.startswith(b"\xef\xbb\xbf"):
                position, line = 3, line[3:]
            if not line.isspace():
                self._add(position, len(line), number)
            position += len(line)

    def row(self, index: int) -> Row:
        line = self._bytes(index)
        try:
            return as_row(self._decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return as_row(loosely(line, error))


class Delimited(_Spans):
    """CSV or TSV with a header line; quoted cells may hold line breaks. Every cell is text."""

    def __init__(self, path: Path, delimiter: str) -> None:
        super().__init__(path)
        self.container = "TSV" if delimiter == "\t" else "CSV"
        self._delimiter = delimiter
        self._read = 0
        self._line = 0
        reader = csv.reader(self._decoded(), delimiter=delimiter)
        try:
            header = next(reader, [])
        except csv.Error as error:
            raise DataError(f"{path}: the header line cannot be read as {self.container} ({error})") from error
        self.columns = tuple(name.strip() for name in header)
        doubled = {name for name in self.columns if self.columns.count(name) > 1}
        if doubled:
            raise DataError(f"{path}: the header names {', '.join(sorted(doubled))!r} twice")
        while True:
            start, line = self._read, self._line + 1
            try:
                cells = next(reader, None)
            except csv.Error:  # told again, with its reason, when the row is read
                self._add(start, self._read - start, line)
                continue
            if cells is None:
                break
            if cells:
                self._add(start, self._read - start, line)

    def _decoded(self) -> Iterator[str]:
        for line in self._file:
            self._read += len(line)
            self._line += 1
            skip = 3 if self._line == 1 and line.startswith(b"\xef\xbb\xbf") else 0
            yield line[skip:].decode("utf-8", "surrogateescape")

    def row(self, index: int) -> Row:
        try:
            text = self._bytes(index).decode("utf-8")
        except UnicodeDecodeError as error:
            raise RowFault(f"is not UTF-8 (byte {error.start} of the line)") from error
        try:
            cells = next(csv.reader(io.StringIO(text, newline="\n"), delimiter=self._delimiter), [])
        except csv.Error as error:
            raise RowFault(f"is not valid {self.container} ({error})") from error
        assert self.columns is not None
        if len(cells) != len(self.columns):
            raise RowFault(f"has {len(cells)} cells where the header has {len(self.columns)} (an unclosed quote?)")
        return dict(zip(self.columns, cells, strict=True))


class ParquetRows(Rows):
    """Rows of a Parquet file, decoded a window at a time; only `columns` that exist are read."""

    container = "Parquet"
    WINDOW = 1024

    def __init__(self, path: Path, wanted: Sequence[str] | None = None) -> None:
        import polars as pl

        self.path = path
        try:
            frame = pl.scan_parquet(path)
            self.columns = tuple(frame.collect_schema().names())
            self._frame = frame.select([c for c in self.columns if wanted is None or c in wanted])
            self._count = int(frame.select(pl.len()).collect().item())
        except (pl.exceptions.PolarsError, OSError) as error:
            raise DataError(f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}. Fetch it again.") from error
        self._window = -1
        self._rows: list[dict[str, Any]] = []

    def __len__(self) -> int:
        return self._count

    def where(self, index: int) -> str:
        return f"{self.path.name} row {index + 1}"

    def row(self, index: int) -> Row:
        window, offset = divmod(index, self.WINDOW)
        if window != self._window:
            import polars as pl

            try:
                self._rows = self._frame.slice(window * self.WINDOW, self.WINDOW).collect().to_dicts()
            except (pl.exceptions.PolarsError, OSError) as error:
                raise DataError(f"{self.path}: {str(error).splitlines()[0]}. Fetch the file again.") from error
            self._window = window
        return self._rows[offset]


class TextFolder(Rows):
    """A folder of text files, one row each: {"@key": path inside the folder, "text": content}."""

    container = "folder of texts"

    def __init__(self, path: Path, pattern: str = "**/*.txt") -> None:
        self.path = path
        self._files = sorted(p for p in path.glob(pattern) if p.is_file())
        if not self._files:
            raise DataError(f"{path} holds no file that matches {pattern}")

    def __len__(self) -> int:
        return len(self._files)

    def where(self, index: int) -> str:
        return str(self._files[index].relative_to(self.path))

    def row(self, index: int) -> Row:
        try:
            text = self._files[index].read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RowFault(f"cannot be read ({error})") from error
        return {KEY: self.where(index), "text": text}
