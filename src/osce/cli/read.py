"""`osce read`: the reader on its own. JSON lines in, JSON lines out, in order, one at a time."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from osce.answers import read_choice, read_date, read_number, read_weeks_days
from osce.core.errors import DataError
from osce.core.grades import Answer

EPILOG = """\
examples
  echo '{"response": "The answer is (B).", "options": {"A": "aspirin", "B": "heparin"}}' | osce read
  osce read responses.jsonl > readings.jsonl
  echo '{"response": "GFR = 25.2 mL/min", "kind": "number"}' | osce read

A line in: {"response": "...", "options": {label: text}}; options may be a list of texts (labelled A, B, ...) or absent
(any letter A to Z counts); optional "truncated": true or "finish_reason": "length" (the token limit was hit), and
"kind": "choice" (default), "number", "date" or "weeks_days".
A line out: {"answer": value or null, "outcome": "answered" | "several" | "abstained" | "refused" | "truncated" | "unparsed",
"how": the rule that read it, "span": [start, end) characters of the response, or null}.
"""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHAPE = 'Each line is {"response": "...", "options": {"A": "...", "B": "..."}}.'


class Line(msgspec.Struct):
    """One response to read."""

    response: str
    options: dict[str, str | None] | list[str] | None = None
    truncated: bool = False
    finish_reason: str | None = None
    kind: Literal["choice", "number", "date", "weeks_days"] = "choice"


def add(sub: Any) -> None:
    p = sub.add_parser(
        "read",
        help="read the answer out of responses, without grading",
        description="Read the answer out of each response: JSON lines in, JSON lines out, in the same order.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("file", nargs="?", default="-", metavar="FILE", help="JSON lines; - (default) for standard input")
    p.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    encode = msgspec.json.Encoder().encode
    out = sys.stdout
    for line in _lines(args.file):
        answer = read(line)
        row = {"answer": answer.value, "outcome": answer.status, "how": answer.how, "span": answer.span}
        out.write(encode(row).decode() + "\n")
        out.flush()
    return 0


def read(line: Line) -> Answer:
    """The reading of one line."""
    truncated = line.truncated or line.finish_reason == "length"
    if line.kind == "number":
        return read_number(line.response, truncated=truncated)
    if line.kind == "date":
        return read_date(line.response, truncated=truncated)
    if line.kind == "weeks_days":
        return read_weeks_days(line.response, truncated=truncated)
    return read_choice(line.response, _options(line.options), truncated=truncated)


def _options(given: dict[str, str | None] | list[str] | None) -> dict[str, str]:
    if not given:
        return dict.fromkeys(_LETTERS, "")
    if isinstance(given, dict):
        return {label: text or "" for label, text in given.items()}
    return dict(zip(_LETTERS, given, strict=False))


def _lines(source: str) -> Iterator[Line]:
    """Raises DataError naming the line."""
    try:
        stream = sys.stdin.buffer if source == "-" else Path(source).open("rb")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise DataError(
            f"cannot read {source}: {error.strerror}. Give a file of JSON lines, or - for standard input."
        ) from error
    name = "standard input" if source == "-" else source
    decode = msgspec.json.Decoder(Line).decode
    with stream:
        for number, raw in enumerate(stream, 1):
            if not raw.strip():
                continue
            try:
                line = decode(raw)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise DataError(f"{name} line {number}: {error}. {_SHAPE}") from error
            if isinstance(line.options, list | dict) and len(line.options) > len(_LETTERS):
                raise DataError(f"{name} line {number}: {len(line.options)} options; at most {len(_LETTERS)} can be read.")
            yield line
