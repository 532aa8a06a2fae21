"""What the environment says about data: OSCE_DATA, OSCE_CACHE, OSCE_OFFLINE (and HF_HUB_OFFLINE)."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from osce.core.errors import DataError


def data_dir(given: Path | None = None) -> Path | None:
    """The user's data folder: the argument, else OSCE_DATA, else none. Raises DataError where it is no folder."""
    text = str(given) if given is not None else os.environ.get("OSCE_DATA", "")
    if not text:
        return None
    path = Path(text).expanduser()
    if not path.is_dir():
        whose = "--data-dir" if given is not None else "OSCE_DATA"
        raise DataError(f"{whose} {path} is no folder. It must hold one folder per benchmark, e.g. {path}/medqa/")
    return path


def cache_dir() -> Path:
    """Where downloads are kept, laid out as a data folder: OSCE_CACHE, else the user's cache folder."""
    given = os.environ.get("OSCE_CACHE", "")
    return Path(given).expanduser() if given else Path(platformdirs.user_cache_dir("osce")) / "data"


def offline() -> bool:
    """Whether the network must not be touched for data."""
    return any(
        os.environ.get(name, "").strip().lower() not in ("", "0", "false", "no", "off")
        for name in ("OSCE_OFFLINE", "HF_HUB_OFFLINE")
    )
