"""Real rows for tests come from OSCE_TEST_DATA, else from ../shared/data beside the checkout. Absent: skip; in CI: fail."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Folder with text/, img/, model_outputs/ and leaderboards/."""
    root = Path(os.environ.get("OSCE_TEST_DATA") or REPO.parent / "shared" / "data")
    if not root.is_dir():
        message = f"no real data at {root}: set OSCE_TEST_DATA to the folder that holds text/ and model_outputs/"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return root
