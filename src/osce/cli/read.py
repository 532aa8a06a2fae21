"""`osce read`: the extractor on its own, JSON lines in, JSON lines out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Literal

import msgspec

from osce.answers import read_choice, read_date, read_number, read_weeks_days
from osce.core.errors import DataError
from osce.core.grades import Answer

EPILOG = """\
examples
  echo '{"response": "The answer is (B).", "options": {"A": "ear", "B": "nose"}}' | osce read
  osce read responses.jsonl > readings.jsonl

A line may also hold "truncated": true or "finish_reason": "length" (the token limit was hit), and
"kind": "number", "date" or "weeks_days" for answers that are no choice. "options" may be a list of texts (A, B, …).
outcome: answered, several, abstained, refused, truncated or unparsed; span: [start, end) in characters of the response.
"""


class Line(msgspec.Struct, forbid_unknown_fields=True):
    response: str
    options: dict[str, str] | list[str] = {}
    kind: Literal["choice", "number", "date", "weeks_days"] = "choice"
    truncated: bool = False
    finish_reason: str = ""
    id: str | int | None = None


def add(sub: Any) -> None:
    p = sub.add_parser(
        "read",
        help="read answers out of responses, without a benchmark",
        description="Read the answer of each response: {response, options} in, {answer, outcome, how, span} out.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("file", nargs="?", default="-", metavar="FILE", help="JSON lines; default: standard input")
    p.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    try:
        stream = sys.stdin.buffer if args.file == "-" else Path(args.file).open("rb")
    except OSError as error:
        raise DataError(f"cannot read {args.file}: {error.strerror}") from error
    decode = msgspec.json.Decoder(Line).decode
    with stream:
        for number, raw in enumerate(stream, 1):
            if not raw.strip():
                continue
            try:
                line = decode(raw)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                sys.stdout.flush()
                raise DataError(
                    f'{args.file} line {number}: {error}. Each line is {{"response": "…", "options": {{"A": "…", "B": "…"}}}}.'
                ) from error
            answer = reading(line)
            out: dict[str, Any] = {"answer": answer.value, "outcome": answer.status, "how": answer.how, "span": answer.span}
            if line.id is not None:
                out = {"id": line.id, **out}
            sys.stdout.buffer.write(msgspec.json.encode(out) + b"\n")
    sys.stdout.buffer.flush()
    return 0


def reading(line: Line) -> Answer:
    """The reading of one line."""
    truncated = line.truncated or line.finish_reason in ("length", "max_tokens")
    if line.kind == "number":
        return read_number(line.response, truncated=truncated)
    if line.kind == "date":
        return read_date(line.response, truncated=truncated)
    if line.kind == "weeks_days":
        return read_weeks_days(line.response, truncated=truncated)
    options = line.options
    if isinstance(options, list):
        if len(options) > 26:
            raise DataError("a list of options may hold at most 26; give a dict of label to text for more")
        options = {chr(65 + i): text for i, text in enumerate(options)}
    return read_choice(line.response, options, truncated=truncated)
