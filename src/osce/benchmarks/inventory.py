"""The files of the benchmarks: which are here, whether they are as locked, and fetching those that are not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from osce.benchmarks import FILES, GENERATED, declaration, unknown
from osce.benchmarks.declare import Benchmark, Layout
from osce.benchmarks.opening import variant_of
from osce.core.errors import DataError
from osce.sources import Upstream, settings
from osce.sources.fetch import Progress, fetch
from osce.sources.find import locate
from osce.sources.lock import Lock, sha256_of, shipped_sha256

State: TypeAlias = Literal["present", "recorded", "changed", "accepted", "fetched", "missing", "failed"]


@dataclass(frozen=True)
class FileState:
    """One file of one variant. `locked` is the hash on record, `sha256` the hash found now (None where it was not read)."""

    benchmark: str
    variant: str
    name: str
    layout: str
    state: State
    licence: str
    path: Path | None = None
    origin: str = ""
    size: int | None = None
    sha256: str | None = None
    locked: str | None = None
    addresses: tuple[str, ...] = ()
    detail: str = ""


@dataclass(frozen=True)
class _Set:
    """A variant's files, or the few-shot examples', with the layouts that they may come in."""

    benchmark: str
    variant: str
    layouts: tuple[Layout, ...]


def _sets(specs: Iterable[str]) -> Iterator[_Set]:
    for spec in list(specs) or list(FILES):
        name, colon, variant = spec.partition(":")
        if name in GENERATED:
            continue
        benchmark: Benchmark = declaration(name) if name in FILES else _raise(unknown(name))
        for each in (variant,) if colon and variant else benchmark.variants if colon else benchmark.default:
            yield _Set(name, each, variant_of(benchmark, each).layouts)
        if benchmark.few is not None:
            yield _Set(name, "examples", benchmark.few.layouts)


def _raise(error: DataError) -> Benchmark:
    raise error


def _chosen(wanted: _Set, folder: Path | None) -> tuple[Layout, bool]:
    """The layout that `load` would take, and whether all its files are here; the first one where none is."""
    for origin in ("data folder", "cache"):
        for layout in wanted.layouts:
            places = [locate(wanted.benchmark, f, folder) for f in layout.files]
            if all(places) and any(p is not None and p[2] == origin for p in places):
                return layout, True
    return wanted.layouts[0], False


def status(specs: Iterable[str] = (), data_dir: Path | None = None) -> list[FileState]:
    """Which files are here; nothing is read but the locks. "name:" means all variants of a benchmark. Raises DataError."""
    folder = settings.data_dir(data_dir)
    found = []
    for wanted in _sets(specs):
        layout, _ = _chosen(wanted, folder)
        found += [_state(wanted, layout, upstream, folder) for upstream in layout.files]
    return found


def _state(wanted: _Set, layout: Layout, upstream: Upstream, folder: Path | None, *, read: bool = False) -> FileState:
    place = locate(wanted.benchmark, upstream, folder)
    addresses = tuple(map(str, upstream.addresses))
    if place is None:
        return FileState(
            wanted.benchmark, wanted.variant, upstream.name, layout.label, "missing", upstream.licence, addresses=addresses
        )
    path, root, origin = place
    entry = Lock(root).entries().get(_key(wanted, upstream, path, root))
    size = sum(p.stat().st_size for p in path.rglob("*") if p.is_file()) if path.is_dir() else path.stat().st_size
    found = sha256_of(path) if read else None
    locked = entry.sha256 if entry else None
    if origin == "cache":
        locked = upstream.sha256 or shipped_sha256(f"{upstream.folder or wanted.benchmark}/{upstream.name}") or locked
    changed = bool(found and locked and found != locked) or bool(not read and entry and entry.size != size)
    return FileState(
        wanted.benchmark,
        wanted.variant,
        upstream.name,
        layout.label,
        "changed" if changed else "present",
        upstream.licence,
        path,
        origin,
        size,
        found,
        locked,
        addresses,
        "" if locked else "not on record yet",
    )


def _key(wanted: _Set, upstream: Upstream, path: Path, root: Path) -> str:
    home = upstream.folder or wanted.benchmark
    return f"{home}/{path.relative_to(root / home).as_posix()}"


def verify(specs: Iterable[str] = (), data_dir: Path | None = None, *, accept: bool = False) -> list[FileState]:
    """Hash every file that is here and compare with the locks; what was not on record is recorded.

    With `accept` the hash found replaces the one on record. Raises DataError.
    """
    from dataclasses import replace

    folder = settings.data_dir(data_dir)
    states = []
    for wanted in _sets(specs):
        for layout in wanted.layouts:
            for upstream in layout.files:
                state = _state(wanted, layout, upstream, folder, read=True)
                if state.path is None or state.sha256 is None:
                    continue
                root = folder if state.origin == "data folder" and folder is not None else settings.cache_dir()
                if state.locked is None or (state.state == "changed" and accept):
                    lock, key = Lock(root), _key(wanted, upstream, state.path, root)
                    if not lock.record(key, state.path, state.sha256):
                        raise DataError(f"cannot write the lock {lock.path}. Set OSCE_CACHE to a folder that can be written.")
                    state = replace(state, state="accepted" if state.state == "changed" else "recorded", detail="")
                states.append(state)
        layout, there = _chosen(wanted, folder)
        if not there:
            states += [s for s in (_state(wanted, layout, f, folder) for f in layout.files) if s.state == "missing"]
    unique: dict[tuple[str, str], FileState] = {}
    for state in states:  # layouts and benchmarks share files
        unique.setdefault((state.benchmark, str(state.path or state.name)), state)
    return list(unique.values())


def fetch_all(
    specs: Iterable[str] = (),
    data_dir: Path | None = None,
    *,
    again: bool = False,
    progress: Callable[[str], Progress] | None = None,
) -> list[FileState]:
    """Fetch the files of the named variants into the cache, or into `data_dir` where that is given.

    A variant whose files are here in any layout is left as it is, unless `again`. One that cannot be had is reported as
    failed, and the others go on. Raises DataError for unknown names and in offline mode.
    """
    from dataclasses import replace

    if settings.offline():
        raise DataError("OSCE_OFFLINE or HF_HUB_OFFLINE is set: unset it to fetch data.")
    if data_dir is not None:
        data_dir.mkdir(parents=True, exist_ok=True)
    folder = settings.data_dir(data_dir)
    target = data_dir if data_dir is not None else settings.cache_dir()
    states = []
    for wanted in list(_sets(specs)):
        layout, there = _chosen(wanted, folder)
        if there and not again:
            states += [_state(wanted, layout, f, folder) for f in layout.files]
            continue
        failures: list[str] = []
        for layout in wanted.layouts:
            try:
                for upstream in layout.files:
                    home = upstream.folder or wanted.benchmark
                    show = progress(f"{home}/{upstream.name}") if progress is not None else None
                    fetch(home, upstream, target, progress=show, again=again)
            except DataError as error:
                failures.append(str(error))
                continue
            states += [replace(_state(wanted, layout, f, target), state="fetched") for f in layout.files]
            break
        else:
            first = _state(wanted, wanted.layouts[0], wanted.layouts[0].files[0], folder)
            states.append(replace(first, state="failed", detail="\n".join(failures)))
    return states
