from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OSCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OSCE_DATA", raising=False)
    monkeypatch.setenv("OSCE_OFFLINE", "1")
