"""Where a file comes from: plain declarations, no I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Hub:
    """A file of a Hugging Face dataset. `revision` is a commit, or a moving name whose commit the first fetch records."""

    repo: str
    path: str
    revision: str = "main"

    def __str__(self) -> str:
        return f"https://huggingface.co/datasets/{self.repo}/resolve/{self.revision.replace('/', '%2F')}/{self.path}"


@dataclass(frozen=True)
class Url:
    """A file at a plain address. `revision` is the commit that the address names, "" where it names none."""

    url: str
    revision: str = ""

    def __str__(self) -> str:
        return self.url


Address: TypeAlias = Hub | Url

CONVERTED = "refs/convert/parquet"
"""The hub's own Parquet conversion of a dataset: <config>/<split>/0000.parquet, whatever the authors uploaded."""


@dataclass(frozen=True)
class Upstream:
    """One file that a benchmark can be read from.

    `name` is its path inside DIR/<benchmark>/ of a data folder and of the cache; a data folder may also hold it under its
    bare file name or one that matches a pattern of `also`. `addresses` are tried in turn (they hold the same bytes).
    `sha256` is given where the hash of the pinned file is known; else the first fetch records it. `folder` is the benchmark
    whose folder holds the file, where that is another one's (shared few-shot examples).
    """

    name: str
    licence: str
    addresses: tuple[Address, ...] = ()
    also: tuple[str, ...] = ()
    sha256: str = ""
    folder: str = ""


def github(repo: str, commit: str, path: str) -> Url:
    """A file of a public GitHub repository at a commit."""
    return Url(f"https://raw.githubusercontent.com/{repo}/{commit}/{path}", commit)


def hub_parquet(repo: str, split: str, licence: str, config: str = "default", folder: str = "") -> Upstream:
    """A split as the hub converts it to Parquet; a data folder may hold it as a clone of the dataset names it."""
    stems = (f"data/{split}", f"{config}/{split}", f"{config}-{split}", split)
    return Upstream(
        name=f"{config}/{split}/0000.parquet",
        licence=licence,
        addresses=(Hub(repo, f"{config}/{split}/0000.parquet", CONVERTED),),
        also=tuple(pattern for stem in stems for pattern in (f"{stem}.parquet", f"{stem}-?????-of-?????*.parquet")),
        folder=folder,
    )
