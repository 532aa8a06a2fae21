"""From a declaration to a file on disk: the data folder first, then the cache, then the network unless offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from osce.core.errors import DataError
from osce.sources import settings
from osce.sources.fetch import Progress, fetch
from osce.sources.lock import Lock, check, shipped_sha256
from osce.sources.upstream import Upstream


@dataclass(frozen=True)
class Found:
    """A file in hand. `revision` is the upstream commit where it is known; `origin` is "data folder" or "cache"."""

    upstream: Upstream
    path: Path
    sha256: str
    revision: str
    origin: str


def locate(benchmark: str, upstream: Upstream, data_dir: Path | None) -> tuple[Path, Path, str] | None:
    """(path, root, origin) of a file that is on this machine, else None. Nothing is read."""
    home = upstream.folder or benchmark
    for root, origin in ((data_dir, "data folder"), (settings.cache_dir(), "cache")):
        if root is None:
            continue
        if (root / home / upstream.name).exists():
            return root / home / upstream.name, root, origin
        if origin == "cache":
            continue
        for pattern in upstream.also:
            matches = sorted((root / home).glob(pattern))
            if len(matches) == 1:
                return matches[0], root, origin
    return None


def obtain(
    benchmark: str,
    alternatives: Sequence[Sequence[Upstream]],
    data_dir: Path | None = None,
    *,
    progress: Progress | None = None,
    network: bool = True,
    spec: str = "",
) -> tuple[int, list[Found]]:
    """Index of the first alternative whose files can all be had, and the files, their hashes checked against the locks.

    Files in the data folder win over the cache, both over the network; within each the order of declaration counts.
    `spec` is the name to tell the user. Raises DataError that says which file to put where, from which address and under
    which licence.
    """
    folder = settings.data_dir(data_dir)
    for origin in ("data folder", "cache"):
        for index, files in enumerate(alternatives):
            places = [locate(benchmark, f, folder) for f in files]
            if all(p is not None for p in places) and any(p is not None and p[2] == origin for p in places):
                return index, [_checked(benchmark, f, p) for f, p in zip(files, places, strict=True) if p is not None]
    failures: list[str] = []
    if network and not settings.offline():
        for index, files in enumerate(alternatives):
            try:
                return index, [_have_or_fetch(benchmark, f, folder, progress) for f in files]
            except DataError as error:
                failures.append(str(error))
    raise DataError(missing(benchmark, alternatives, folder, failures, spec or benchmark))


def _have_or_fetch(benchmark: str, upstream: Upstream, data_dir: Path | None, progress: Progress | None) -> Found:
    place = locate(benchmark, upstream, data_dir)
    if place is None:
        home, cache = upstream.folder or benchmark, settings.cache_dir()
        place = (fetch(home, upstream, cache, progress=progress), cache, "cache")
    return _checked(benchmark, upstream, place)


def _checked(benchmark: str, upstream: Upstream, place: tuple[Path, Path, str]) -> Found:
    path, root, origin = place
    home = upstream.folder or benchmark
    pinned = upstream.sha256 or shipped_sha256(f"{home}/{upstream.name}")
    key = f"{home}/{path.relative_to(root / home).as_posix()}"
    sha256, entry = check(key, path, lock=Lock(root), pinned=pinned, complete=origin == "cache")
    revision = entry.revision if entry else ""
    return Found(upstream, path, sha256, revision or "not recorded", origin)


def missing(
    benchmark: str,
    alternatives: Sequence[Sequence[Upstream]],
    data_dir: Path | None,
    failures: Sequence[str] = (),
    spec: str = "",
) -> str:
    """What to tell a user whose files are not there."""
    root = str(data_dir) if data_dir is not None else "DIR"
    lines = [f"the data of {spec or benchmark} are not on this machine."]
    if failures:
        lines.append("Fetching failed:")
        lines += [f"  {text}" for text in failures]
    elif settings.offline():
        lines.append("OSCE_OFFLINE or HF_HUB_OFFLINE is set, so nothing was fetched.")
    lines.append(
        "Put one of these in place" + ("" if data_dir is not None else " (DIR = the folder of --data-dir or OSCE_DATA)")
    )
    for files in alternatives:
        for position, upstream in enumerate(files):
            home = upstream.folder or benchmark
            lines.append(f"  {'and' if position else '-'} {root}/{home}/{upstream.name}")
            for address in upstream.addresses:
                lines.append(f"      from {address}")
            lines.append(f"      licence: {upstream.licence}")
    if data_dir is not None and (data_dir / benchmark).is_dir():
        there = sorted(p.name for p in (data_dir / benchmark).iterdir() if p.name != "SOURCE.txt")
        lines.append(f"{data_dir / benchmark} holds: {', '.join(there[:12]) or 'nothing'}{' …' if len(there) > 12 else ''}")
    elif data_dir is not None:
        lines.append(f"{data_dir} has no folder {benchmark}/")
    if not failures:
        lines.append(f"or, with a network: osce data fetch {spec or benchmark}")
    return "\n".join(lines)
