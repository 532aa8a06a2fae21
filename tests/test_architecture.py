"""Imports run one way: a room may import only the rooms that the house's table allows."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[1] / "src" / "osce"
CORE = {"core"}
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "sources": CORE,
    "models": CORE,
    "answers": CORE,
    "grading": CORE | {"answers"},
    "worlds": CORE | {"sandbox"},
    "calculators": set(),
    "ledger": CORE,
    "sandbox": CORE,
    "stats": set(),
    "benchmarks": CORE | {"sources", "grading", "worlds", "calculators"},
    "exam": CORE | {"benchmarks", "models", "ledger"},
    "research": CORE | {"sandbox", "grading", "models", "ledger"},
    "site": {"ledger", "stats"},
}
ALL_ABOVE = {"bridges", "cli"}


def rooms_imported(path: Path) -> set[str]:
    """Rooms of osce that a file imports, wherever in the file the import stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import by full name, not relatively"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "osce" and len(parts) > 1 and (SRC / parts[1]).is_dir():
                found.add(parts[1])
    return found


def test_every_room_is_in_the_table() -> None:
    rooms = {p.name for p in SRC.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert rooms <= MAY_IMPORT.keys() | ALL_ABOVE


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_imports_run_along_the_table(room: str) -> None:
    for path in (SRC / room).rglob("*.py"):
        extra = rooms_imported(path) - MAY_IMPORT[room] - {room}
        assert not extra, f"{path.relative_to(SRC)} imports {sorted(extra)}; {room} may import only {sorted(MAY_IMPORT[room])}"


def test_the_check_sees_imports() -> None:
    assert {"exam", "ledger"} <= rooms_imported(SRC / "cli" / "view.py") | rooms_imported(SRC / "cli" / "grade.py")
