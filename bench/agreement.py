"""Agreement of `read_choice` with the letters that others published for real responses.

    python bench/agreement.py                     table per model, then every disagreement
    python bench/agreement.py --set m_arc --json  one collection, machine-readable

The responses lie in OSCE_TEST_DATA (default ../shared/data beside the checkout) under model_outputs/. MIRAGE publishes no letter,
only the raw text: there the comparison is with the letter that opens its `answer_choice` field, as its source note counts them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osce.answers import read_choice
from osce.core.grades import Answer

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SETS = ("m_arc", "mmlu_pro_health", "mirage_cot", "medxpertqa")
_FIELD = re.compile(r'"answer_choice":\s*"?\s*([A-J])\b')


@dataclass(frozen=True)
class Case:
    """One real response with the letter its authors read (None: they read nothing)."""

    collection: str
    model: str
    id: str
    response: str
    options: dict[str, str]
    published: str | None
    gold: str


@dataclass(frozen=True)
class Disagreement:
    case: Case
    answer: Answer


def data_root() -> Path:
    return Path(os.environ.get("OSCE_TEST_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


def _rows(path: Path) -> list[dict[str, Any]]:
    text = path.read_text()
    return json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.splitlines() if line.strip()]


def cases(root: Path, collection: str) -> Iterator[Case]:
    """All responses of one collection."""
    folder = root / "model_outputs" / collection
    yield from {"m_arc": _pro, "mmlu_pro_health": _pro, "mirage_cot": _mirage, "medxpertqa": _medxpert}[collection](
        root, folder
    )


def _pro(root: Path, folder: Path) -> Iterator[Case]:
    for path in sorted(folder.iterdir()):
        if path.suffix not in (".json", ".jsonl") or "summary" in path.name:
            continue
        model = path.stem.removesuffix("_health_result")
        for row in _rows(path):
            text = next((row[key] for key in ("model_outputs", "generated_text", "response") if row.get(key)), "")
            options = dict(zip(LETTERS, row["options"], strict=False))
            yield Case(folder.name, model, str(row["question_id"]), text, options, row["pred"], row["answer"])


def _mirage(root: Path, folder: Path) -> Iterator[Case]:
    for path in sorted(folder.glob("*.jsonl")):
        for row in _rows(path):
            field = _FIELD.search(row["raw_output"])
            letter = field.group(1) if field else None
            yield Case(folder.name, path.stem, row["id"], row["raw_output"], row["options"], letter, row["gold"])


def _medxpert(root: Path, folder: Path) -> Iterator[Case]:
    texts = {}
    for path in sorted((root / "text" / "medxpertqa").glob("*.jsonl")):
        for row in _rows(path):
            texts[row["id"]] = row["options"]
    for path in sorted(folder.glob("*.jsonl")):
        for row in _rows(path):
            options = row.get("options") or texts.get(row["id"]) or dict.fromkeys("ABCDEFGHIJ", "")
            if isinstance(options, list):
                options = {o["letter"]: o["content"] for o in options}
            if "salida_cruda" in row:
                response, letter = row["salida_cruda"], row["letra"]
            else:
                prediction = row["prediction"]
                response, letter = row["response"], (prediction[0] if isinstance(prediction, list) and prediction else None)
            yield Case(folder.name, path.stem, row["id"], response or "", options, letter, row["label"])


def compare(found: list[Case]) -> tuple[dict[str, tuple[int, int]], list[Disagreement]]:
    """Per model (n, agreed), and every case where our reading is another than the published letter."""
    counts: dict[str, tuple[int, int]] = {}
    apart: list[Disagreement] = []
    for case in found:
        answer = read_choice(case.response, case.options)
        n, agreed = counts.get(case.model, (0, 0))
        same = answer.value == (case.published or None)
        counts[case.model] = (n + 1, agreed + same)
        if not same:
            apart.append(Disagreement(case, answer))
    return counts, apart


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, action="append")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--tail", type=int, default=0, metavar="N", help="show the last N characters of each response")
    args = parser.parse_args()
    report = {}
    for collection in args.set or SETS:
        counts, apart = compare(list(cases(data_root(), collection)))
        report[collection] = {
            "models": {model: {"n": n, "agreed": agreed} for model, (n, agreed) in counts.items()},
            "disagreements": [
                {
                    "model": d.case.model,
                    "id": d.case.id,
                    "published": d.case.published,
                    "ours": d.answer.value or d.answer.status,
                    "how": d.answer.how,
                }
                for d in apart
            ],
        }
        if args.json:
            continue
        print(f"\n{collection}")
        for model, (n, agreed) in counts.items():
            print(f"  {model:48} {agreed:5}/{n:<5} {agreed / n:7.2%}")
        for d in apart:
            where = f"{d.case.model} {d.case.id}"
            print(
                f"    {where:60} published {d.case.published or '–':3} ours {d.answer.value or d.answer.status} ({d.answer.how})"
            )
            if args.tail:
                print("        " + repr(d.case.response[-args.tail :]))
    if args.json:
        json.dump(report, sys.stdout, indent=1)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
