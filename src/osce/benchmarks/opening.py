"""Opening a declared benchmark: find its files, check every row once, and give Items that are built on access."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, overload

import msgspec
import numpy as np

from osce.benchmarks.base import Dataset, Skipped
from osce.benchmarks.declare import Adapter, Benchmark, Few, Layout, Variant
from osce.benchmarks.prompts import Shot, prompter
from osce.core.errors import DataError
from osce.core.items import Item
from osce.grading import grade
from osce.sources import Found, RowFault, Rows, obtain, open_rows


class LazyItems(Sequence[Item]):
    """The good rows of a file as Items, each built when it is asked for."""

    def __init__(self, rows: Rows, adapter: Adapter, good: array[int], ids: array[int]) -> None:
        self._rows = rows
        self._adapter = adapter
        self._good = good
        self._ids = np.frombuffer(ids, dtype=np.uint64) if ids else np.empty(0, dtype=np.uint64)
        self._by_id = np.argsort(self._ids, kind="stable")
        self._repeats = self._find_repeats()

    def __len__(self) -> int:
        return len(self._good)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        item = self._adapter(self._rows.row(self._good[index]))
        assert item is not None, "a row that was an item when the file was checked"
        count = self._repeats.get(index, 1)
        if count > 1:  # upstream repeats the id: a name of its own, and one cluster with the first
            return msgspec.structs.replace(item, id=f"{item.id}#{count}", cluster=item.cluster_id)
        return item

    def by_id(self, item_id: str) -> Item:
        """The item of that id. Raises KeyError."""
        base, _, count = item_id.rpartition("#")
        for wanted in (item_id, base) if count.isdigit() else (item_id,):
            key = np.uint64(_id_hash(wanted))
            start = int(np.searchsorted(self._ids, key, side="left", sorter=self._by_id))
            end = int(np.searchsorted(self._ids, key, side="right", sorter=self._by_id))
            for position in self._by_id[start:end]:
                item = self[int(position)]
                if item.id == item_id:
                    return item
        raise KeyError(item_id)

    def _find_repeats(self) -> dict[int, int]:
        """Position -> how often its id has occurred up to there, for all but first occurrences."""
        ordered = self._ids[self._by_id]
        same = np.flatnonzero(ordered[1:] == ordered[:-1]) + 1
        repeats: dict[int, int] = {}
        for place in same:
            position, before = int(self._by_id[place]), int(self._by_id[place - 1])
            repeats[position] = repeats.get(before, 1) + 1
        return repeats


def open_variant(benchmark: Benchmark, name: str, data_dir: Path | None = None) -> Dataset:
    """A variant with all its rows checked. Raises DataError where its files are missing, changed or wholly wrong."""
    variant = benchmark.variants[name]
    layout, found, items, skipped, rows = _open(
        benchmark.card.name, variant.layouts, data_dir, f"{benchmark.card.name}:{name}" if name else benchmark.card.name
    )
    if not len(items):
        raise _nothing(found[0].path, layout, skipped, len(rows))
    source: dict[str, object] = {
        "layout": layout.label,
        "container": rows.container,
        "rows": len(rows),
        "files": {f.upstream.name: f.sha256 for f in found},
        "revision": {f.upstream.name: f.revision for f in found},
        "licence": found[0].upstream.licence,
    }
    shots: tuple[Shot, ...] = ()
    if benchmark.few is not None:
        shots, source["shots"] = _shots(benchmark, benchmark.few, data_dir)
    train = None
    if benchmark.train is not None:
        train_name = benchmark.train

        def train() -> Sequence[Item]:
            return open_variant(benchmark, train_name, data_dir).items

    return Dataset(
        benchmark=benchmark.card.name,
        variant=name,
        items=items,
        messages=prompter(benchmark.paper, shots),
        grade=grade,
        version=benchmark.version,
        source=source,
        skipped=tuple(skipped),
        train=train,
        card=benchmark.card,
        public_items=layout.items if layout.items is not None else variant.items,
    )


def _open(
    name: str, layouts: Sequence[Layout], data_dir: Path | None, spec: str = ""
) -> tuple[Layout, list[Found], LazyItems, list[Skipped], Rows]:
    index, found = obtain(name, [layout.files for layout in layouts], data_dir, spec=spec)
    layout = layouts[index]
    rows = open_rows(found[0].path, fields=(*layout.fields, *layout.optional), required=layout.fields, unpack=layout.unpack)
    if rows.columns is not None:
        absent = [f for f in layout.fields if f not in rows.columns]
        if absent:
            raise DataError(
                f"{found[0].path} has no column {', '.join(map(repr, absent))}; it has: {', '.join(map(repr, rows.columns))}. "
                f"{name} reads it as {layout.label}."
            )
    skipped: list[Skipped] = []
    if layout.prepare is not None:
        adapter, notes = layout.prepare(rows, found)
        skipped += notes
    else:
        assert layout.row is not None, "a layout declares `row` or `prepare`"
        adapter = layout.row
    good, ids = array("Q"), array("Q")
    for i in range(len(rows)):
        try:
            item = adapter(rows.row(i))
        except RowFault as fault:
            skipped.append(Skipped(rows.where(i), str(fault)))
            continue
        if item is not None:
            good.append(i)
            ids.append(_id_hash(item.id))
    return layout, found, LazyItems(rows, adapter, good, ids), skipped, rows


def _shots(benchmark: Benchmark, few: Few, data_dir: Path | None) -> tuple[tuple[Shot, ...], dict[str, Any]]:
    """The solved examples, or none with the reason: a run without them is another run, and its fingerprint says so."""
    try:
        _, found, items, _, rows = _open(benchmark.card.name, few.layouts, data_dir)
    except DataError as error:
        return (), {"count": 0, "reason": str(error).splitlines()[0]}
    shots = []
    for item, index in zip(items, items._good, strict=True):
        shots.append(Shot(item, few.reasoning(rows[index])))
        if len(shots) == few.count:
            break
    return tuple(shots), {"count": len(shots), "files": {f.upstream.name: f.sha256 for f in found}}


def _id_hash(item_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(item_id.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _nothing(path: Path, layout: Layout, skipped: Sequence[Skipped], rows: int) -> DataError:
    reasons = "".join(f"\n  {s.where}: {s.reason}" for s in skipped[:3])
    more = f"\n  … and {len(skipped) - 3} more" if len(skipped) > 3 else ""
    return DataError(
        f"{path}: none of its {rows} rows can be used; it was read as {layout.label}, with the fields "
        f"{', '.join(layout.fields)}.{reasons}{more}\nIs it the right file?"
    )


def variant_of(benchmark: Benchmark, name: str) -> Variant:
    """A variant by name. Raises DataError with the names there are."""
    if name in benchmark.variants:
        return benchmark.variants[name]
    there = ", ".join(f"{benchmark.card.name}:{v}" if v else benchmark.card.name for v in benchmark.variants)
    raise DataError(f"{benchmark.card.name} has no variant {name!r}; there are: {there}")
