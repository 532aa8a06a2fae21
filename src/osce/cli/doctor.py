"""`osce doctor`: what works on this machine, what does not, and the line that mends it."""

from __future__ import annotations

import argparse
import asyncio
import importlib.metadata
import json
import os
import platform
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

import osce

EPILOG = """\
examples
  osce doctor
  osce doctor --model openai/gpt-5-mini                     also asks that provider whether key and model are good
  osce doctor --model vllm/Qwen3-8B --base-url http://127.0.0.1:8000/v1
"""


@dataclass(frozen=True)
class Check:
    """`ok` is None for what is merely absent and not needed."""

    name: str
    ok: bool | None
    found: str
    mend: str = ""


def add(sub: Any) -> None:
    p = sub.add_parser(
        "doctor",
        help="what works on this machine",
        description="Check packages, data, keys, disk and models; say how to mend what is missing. Keys are never shown.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("--model", help="also try this model")
    p.add_argument("--base-url", metavar="URL")
    p.add_argument("--api-key-env", metavar="VAR")
    p.add_argument("--data-dir", type=Path, metavar="DIR")
    p.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR", help="the folder where runs would go")
    p.add_argument("--json", action="store_true")
    p.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    checks = [*_machine(args.out), *_packages(), *_local_model(), *_keys(), *_data(args.data_dir)]
    if args.model:
        checks.append(_model(args))
    if args.json:
        print(json.dumps([vars(c) for c in checks], indent=1))
    else:
        table = Table("", "what", "found", "to mend")
        mark = {True: "[green]ok[/]", False: "[red]no[/]", None: "[dim]–[/]"}
        for c in checks:
            table.add_row(mark[c.ok], *map(escape, (c.name, c.found, c.mend)))
        Console(highlight=False).print(table)
    return 0 if all(c.ok is not False for c in checks) else 1


def _machine(out: Path) -> list[Check]:
    version = sys.version.split()[0]
    existing = next(p for p in [out.absolute(), *out.absolute().parents] if p.exists())
    free_gb = shutil.disk_usage(existing).free / 1e9
    writable = os.access(existing, os.W_OK)
    return [
        Check("osce", True, f"{osce.__version__} on Python {version}, {platform.system()} {platform.machine()}"),
        Check(
            "run folder", writable, f"{out} ({free_gb:.0f} GB free)", "" if writable else "choose a writable folder with --out"
        ),
        Check("temporary folder", os.access(tempfile.gettempdir(), os.W_OK), tempfile.gettempdir()),
    ]


def _packages() -> list[Check]:
    extras = {"xllamacpp": "local", "inspect-ai": "research", "verifiers": "rl", "ray": "ray"}
    checks = []
    for package, extra in extras.items():
        try:
            checks.append(Check(f"extra {extra}", True, f"{package} {importlib.metadata.version(package)}"))
        except importlib.metadata.PackageNotFoundError:
            checks.append(Check(f"extra {extra}", None, "not installed", f"pip install 'osce[{extra}]'"))
    return checks


def _local_model() -> list[Check]:
    from osce.core.errors import ModelError
    from osce.models.local import find_weights

    try:
        return [Check("local/smollm2", True, str(find_weights("smollm2").name))]
    except ModelError as error:
        return [Check("local/smollm2", None, "not there", str(error))]


def _keys() -> list[Check]:
    from osce.models.providers import PROVIDERS

    present = sorted({p.key_env for p in PROVIDERS.values() if p.key_env and os.environ.get(p.key_env)})
    return [
        Check(
            "provider keys",
            True if present else None,
            ", ".join(present) or "none set",
            "" if present else "export OPENAI_API_KEY=… (only for models behind a key)",
        )
    ]


def _data(data_dir: Path | None) -> list[Check]:
    from osce.benchmarks.inventory import status

    states: dict[str, bool] = {}
    for file in status(data_dir=data_dir):
        states[file.benchmark] = states.get(file.benchmark, True) and file.state != "missing"
    there = [name for name, complete in states.items() if complete]
    absent = [name for name, complete in states.items() if not complete]
    mend = f"osce data fetch, or --data-dir/OSCE_DATA (not there: {', '.join(absent)})" if absent else ""
    return [Check("benchmarks' data", True if there else None, ", ".join(there) or "none", mend)]


def _model(args: argparse.Namespace) -> Check:
    """Whether the model that was named can be reached and used."""
    from osce.models.check import check

    found = asyncio.run(check(args.model, base_url=args.base_url, api_key_env=args.api_key_env))
    return Check(args.model, found.ok, found.found, found.mend)
