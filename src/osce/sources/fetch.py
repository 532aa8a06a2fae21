"""Downloading one declared file, resumably, into a folder laid out as a data folder."""

from __future__ import annotations

import hashlib
import http.client
import io
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from osce.core.errors import DataError
from osce.sources.lock import Entry, Lock, changed, sha256_of, shipped_sha256
from osce.sources.upstream import Address, Hub, Upstream, Url

Progress: TypeAlias = Callable[[int, int | None], None]
"""Called with (bytes so far, bytes in all or None)."""

TRIES = 4
TIMEOUT_S = 30.0
_BLOCK = 1 << 18
_USER_AGENT = "osce-data"


def fetch(
    benchmark: str,
    upstream: Upstream,
    folder: Path,
    *,
    progress: Progress | None = None,
    again: bool = False,
    wait_s: float = 1.0,
) -> Path:
    """Download a file to folder/<benchmark>/<name>, check and record its hash, and return its path.

    A torn download goes on where it stopped; the file appears under its name only when whole. With `again` a moving
    revision is resolved anew; else the commit recorded at the first fetch is used. Raises DataError.
    """
    key = f"{benchmark}/{upstream.name}"
    target = folder / benchmark / upstream.name
    lock = Lock(folder)
    entry = lock.entries().get(key)
    pinned = upstream.sha256 or shipped_sha256(key)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        address, resolved = _from_any(upstream, entry if not again else None, target, progress, pinned, wait_s)
    except OSError as error:
        raise DataError(f"cannot write {target}: {error.strerror or error}. Free some space or set OSCE_CACHE.") from error
    found = sha256_of(target)
    if pinned and found != pinned:
        target.unlink()
        raise changed(key, target, pinned, found, f"the hash that osce knows of {address}; the download was removed")
    if entry is not None and entry.sha256 != found and not again:
        target.unlink()
        raise changed(key, target, entry.sha256, found, f"recorded {entry.recorded} in {lock.path}; the download was removed")
    lock.record(key, target, found, revision=resolved, address=str(address))
    return target


def _from_any(
    upstream: Upstream, entry: Entry | None, target: Path, progress: Progress | None, pinned: str, wait_s: float
) -> tuple[Address, str]:
    """Download from the first address that has the file; returns the address and the commit."""
    failures: list[str] = []
    for address in upstream.addresses:
        try:
            if isinstance(address, Url):
                _from_url(address.url, target, progress, pinned, wait_s)
                return address, address.revision
            known = entry is not None and entry.revision and entry.address == str(address)
            revision = entry.revision if entry is not None and known else address.revision
            return address, _from_hub(address, revision, target, progress)
        except DataError as error:
            failures.append(str(error))
    raise DataError("\n  ".join(failures) or f"no address is known for {target.name}: get it from the benchmark's authors.")


def _from_hub(address: Hub, revision: str, target: Path, progress: Progress | None) -> str:
    """Download from the hub; returns the commit that the revision stands for."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled

    try:
        url = hf_hub_url(address.repo, address.path, repo_type="dataset", revision=revision)
        known = get_hf_file_metadata(url, timeout=TIMEOUT_S)
        commit = known.commit_hash or revision
        staging = target.parent / f".{target.name}.download"
        got = hf_hub_download(
            address.repo, address.path, repo_type="dataset", revision=commit, local_dir=staging, tqdm_class=_bar(progress)
        )
        Path(got).replace(target)
        _remove_tree(staging)
    except HfHubHTTPError as error:
        status = error.response.status_code
        hint = " It may need an account: `hf auth login`." if status in (401, 403) else ""
        raise DataError(f"{address}: the hub answered {status}.{hint}") from error
    except (LocalEntryNotFoundError, OfflineModeIsEnabled) as error:
        raise DataError(f"{address}: the hub cannot be reached.") from error
    except OSError:
        raise
    except Exception as error:  # httpx errors: whatever HTTP library the hub client uses today
        raise DataError(f"{address}: {type(error).__name__}: {error}") from error
    return commit


def _bar(progress: Progress | None) -> Any:
    """The hub client draws bars by itself: this one passes the figures on and draws nothing."""
    from huggingface_hub.utils.tqdm import tqdm

    base: Any = tqdm

    class Bar(base):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**kwargs, "file": io.StringIO(), "disable": False})

        def update(self, n: float | None = 1) -> bool | None:
            drawn: bool | None = super().update(n)
            if progress is not None:
                progress(int(self.n), int(self.total) if self.total else None)
            return drawn

    return Bar


def _remove_tree(path: Path) -> None:
    import shutil

    shutil.rmtree(path, ignore_errors=True)


def _from_url(url: str, target: Path, progress: Progress | None, pinned: str, wait_s: float) -> None:
    part = target.with_name(f".{target.name}.part")
    for attempt in range(1, TRIES + 1):
        try:
            _download(url, part, progress)
            break
        except urllib.error.HTTPError as error:
            if error.code in (401, 403, 404, 410):
                part.unlink(missing_ok=True)
                raise DataError(f"{url} answered {error.code} ({error.reason}).") from error
            if error.code == 416:  # the part is longer than the file: it belongs to another version
                part.unlink(missing_ok=True)
            reason = f"answered {error.code} ({error.reason})"
        except (http.client.HTTPException, urllib.error.URLError, ConnectionError, TimeoutError, _Torn) as error:
            reason = str(getattr(error, "reason", "") or error) or type(error).__name__
        if attempt == TRIES:
            kept = f" {part.stat().st_size} bytes are kept; the next fetch goes on from there." if part.exists() else ""
            raise DataError(f"{url}: {reason}, after {TRIES} tries.{kept}")
        time.sleep(wait_s * 2 ** (attempt - 1))
    if pinned and _hash(part) != pinned:
        found = _hash(part)
        part.unlink()
        raise changed(f"{target.parent.name}/{target.name}", target, pinned, found, f"the hash that osce knows of {url}")
    part.replace(target)


class _Torn(Exception):
    """The connection closed before the announced length."""


def _download(url: str, part: Path, progress: Progress | None) -> None:
    have = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": _USER_AGENT, "Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    if not url.startswith(("http://", "https://")):
        raise DataError(f"{url}: only http and https addresses can be fetched")
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 (scheme checked above)
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:  # noqa: S310
        resumed = response.status == 206 and str(response.headers.get("Content-Range", "")).startswith(f"bytes {have}-")
        start = have if resumed else 0
        length = response.headers.get("Content-Length")
        total = start + int(length) if length and length.isdigit() else None
        with part.open("ab" if resumed else "wb") as file:
            done = start
            while block := response.read(_BLOCK):
                file.write(block)
                done += len(block)
                if progress is not None:
                    progress(done, total)
        if total is not None and done < total:
            raise _Torn(f"the connection closed after {done} of {total} bytes")


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
