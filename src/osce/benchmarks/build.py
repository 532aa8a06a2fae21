"""From a row's fields to an Item, with every doubt a RowFault that names the field."""

from __future__ import annotations

import hashlib
import string
from collections.abc import Mapping, Sequence

from osce.core.items import Choice, Item
from osce.sources import Row, RowFault

LETTERS = string.ascii_uppercase


def text(row: Row, name: str) -> str:
    """A field that must hold text, stripped. Raises RowFault."""
    value = row.get(name)
    if isinstance(value, str):
        stripped = value.strip()
        if stripped:
            return stripped
    if name not in row:
        raise RowFault(f'has no field "{name}" (it has: {", ".join(sorted(map(str, row))[:12])})')
    raise RowFault(f'field "{name}" is {"empty" if value is None or isinstance(value, str) else f"{value!r:.40}, not text"}')


def word(row: Row, name: str) -> str:
    """A field of text or a number as text, "" where it is absent: for ids and tags."""
    value = row.get(name)
    return "" if value is None else str(value).strip()


def integer(row: Row, name: str) -> int:
    """A whole number, also where upstream wrote it as text. Raises RowFault."""
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        stripped = value.strip()
        if stripped.removeprefix("-").isascii() and stripped.removeprefix("-").isdigit():
            return int(stripped)
    if value is None or value == "":
        raise RowFault(f'field "{name}" is missing')
    raise RowFault(f'field "{name}" is {value!r:.40}, not a whole number')


def lettered(texts: object, *, drop: Sequence[str] = ()) -> dict[str, str]:
    """Options A, B, C… from a list of texts, or from a mapping letter -> text.

    Nulls at the end of a mapping (fields of an Arrow struct that the row does not use) and texts in `drop` ("N/A") are left
    out; the letters of the rest stay. Raises RowFault.
    """
    pairs: list[tuple[str, object]]
    if isinstance(texts, Mapping):
        pairs = [(str(k).strip().upper(), v) for k, v in texts.items()]
        if [k for k, _ in pairs] != list(LETTERS[: len(pairs)]):
            pairs.sort(key=lambda pair: pair[0])
            if [k for k, _ in pairs] != list(LETTERS[: len(pairs)]):
                raise RowFault(f"options are labelled {', '.join(k for k, _ in pairs)}, not A, B, C…")
        while pairs and pairs[-1][1] is None:
            pairs.pop()
    elif isinstance(texts, list | tuple):
        if len(texts) > len(LETTERS):
            raise RowFault(f"has {len(texts)} options; at most {len(LETTERS)} can be labelled")
        pairs = list(zip(LETTERS, texts, strict=False))
    else:
        raise RowFault(f"options are {'missing' if texts is None else f'{texts!r:.40}, not a list'}")
    options: dict[str, str] = {}
    for label, value in pairs:
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value) if value == value else None  # NaN is how pandas writes an empty cell
        if not isinstance(value, str):
            raise RowFault(f"option {label} is {'missing' if value is None else f'{value!r:.40}, not text'}")
        stripped = value.strip()
        if stripped not in drop:
            options[label] = stripped
    return options


def choice(
    *,
    id: str,
    question: str,
    options: dict[str, str],
    gold: str,
    gold_text: str | None = None,
    context: str = "",
    cluster: str = "",
    tags: dict[str, str] | None = None,
) -> Item:
    """An item with one right option. Where upstream repeats the right text under another label, both labels are right.

    `gold_text`, where upstream also gives the answer's text, must agree. Raises RowFault.
    """
    if len(options) < 2:
        raise RowFault(f"has {len(options)} option(s); a choice needs two")
    for label, value in options.items():
        if not value:
            raise RowFault(f"option {label} is empty")
    if gold not in options:
        raise RowFault(f"answer {gold!r:.20} is not among the options {next(iter(options))}-{next(reversed(options))}")
    right = _plain(options[gold])
    labels: tuple[str, ...] = (gold,)
    if len(set(options.values())) < len(options):
        labels = tuple(label for label, value in options.items() if _plain(value) == right)
        if len(labels) == len(options):
            raise RowFault("all options are the same text")
    if gold_text is not None and _plain(gold_text) != right:
        raise RowFault(f"answer text {gold_text!r:.40} is not that of option {gold}")
    return Item(
        id=id,
        question=question,
        target=Choice(labels),
        options=options,
        context=context,
        cluster=cluster,
        tags={k: v for k, v in tags.items() if v} if tags else {},
    )


def stem_id(question: str) -> str:
    """A name for a question's text that does not change with spacing and case, nor from one container to the next."""
    return f"stem-{_digest(question)[:12]}"


def content_id(question: str, options: Mapping[str, str], prefix: str = "q") -> str:
    """A name for a question with its options, for rows that upstream gave none; as insensitive as `stem_id`."""
    return f"{prefix}-{_digest(chr(31).join((question, *options.values())))[:16]}"


def _digest(told: str) -> str:
    plain = told.encode("utf-8", "surrogatepass").lower().translate(None, b" \t\r\n")
    return hashlib.sha256(plain).hexdigest()


def _plain(value: str) -> str:
    return " ".join(value.split())
