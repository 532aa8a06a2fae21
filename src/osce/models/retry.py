"""What a status means for the item, the run and the next try."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal, TypeAlias

from osce.models.wire import ErrorBody

Verdict: TypeAlias = Literal[
    "retry", "auth", "no_model", "address", "fatal", "too_long", "filtered", "unsupported", "bad_request"
]

_I = re.IGNORECASE
_TOO_LONG = re.compile(
    r"context.{0,30}(length|window|size|exceed)|maximum.{0,20}tokens|too (long|many (input )?tokens)|prompt is too"
    r"|exceed.{0,40}(context|tokens?\b|max.?model.?len)|reduce the length|token count.{0,20}exceed|string_above_max",
    _I,
)
_LIMIT_TOO_LARGE = re.compile(
    r"max(_completion|_output|imum output)?.?tokens?\b.{0,60}(too large|too high|at most|less than or equal|greater than"
    r"|must be|maximum value|exceeds the maximum)",
    _I,
)
_FILTERED = re.compile(
    r"content.{0,3}(filter|policy|management)|moderation|usage polic|flagged|prohibited.{0,3}content|safety (system|reason)", _I
)
_QUOTA = re.compile(
    r"insufficient.?(quota|balance|credit|funds)|exceeded your current quota|credit balance|billing.{0,20}(hard )?limit"
    r"|payment required",
    _I,
)
_BAD_KEY = re.compile(
    r"(api.?key|token|credential)s?.{0,40}(invalid|not valid|incorrect|expired|missing|not provided|revoked|disabled)"
    r"|(invalid|incorrect|expired|missing|no|wrong).{0,20}(api.?key|auth|credential)|unauthori[sz]ed|unauthenticated",
    _I,
)
_NO_MODEL = re.compile(
    r"model.{0,150}(does not exist|not found|doesn't exist|not exist|is not a valid|not supported|unknown|no longer available"
    r"|not available|deprecated|decommissioned)|(unknown|invalid|no such|unsupported).{0,5}\bmodel\b|not a valid model"
    r"|model_not_found|not_found_error.{0,20}model",
    _I,
)
_UNSUPPORTED = re.compile(
    r"unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra|does(n't| not) support|not permitted|not allowed"
    r"|deprecated|not compatible|may not both be|cannot both",
    _I,
)
_UNSUPPORTED_VALUE = re.compile(
    r"unsupported.{0,3}value|supported values|does not support '?[\w.-]{1,20}'?|must be one of|invalid value", _I
)
FIELDS = ("temperature", "top_p", "max_tokens", "max_completion_tokens", "random_seed", "seed", "reasoning_effort", "usage")
"""What a request may carry beside model, messages and stream, as named on the wire."""


def verdict(status: int, told: ErrorBody) -> Verdict:
    """What to do after a status that is not 200."""
    said = f"{told.code} {told.message}"
    if status == 401 or (status == 403 and not _FILTERED.search(said)):
        return "auth"
    if status == 402:
        return "fatal"
    if status in (404, 405, 410, 501):
        return "no_model" if re.search(r"model", said, _I) and status in (404, 410) else "address"
    if 300 <= status < 400:
        return "address"
    if status == 429:
        return "fatal" if _QUOTA.search(said) else "retry"
    if status in (408, 409, 425) or status >= 500:
        return "retry"
    if status == 413:
        return "too_long"
    field = refused_field(told)
    if field and not (field in ("max_tokens", "max_completion_tokens") and _LIMIT_TOO_LARGE.search(told.message)):
        # Any other temperature is the model's own; another effort is another experiment, and must not come about unseen.
        return "fatal" if field == "reasoning_effort" and _UNSUPPORTED_VALUE.search(said) else "unsupported"
    if re.search(r"context|input|prompt|messages", told.message, _I) and _TOO_LONG.search(said):
        return "too_long"
    if _LIMIT_TOO_LARGE.search(told.message):
        return "fatal"
    if _TOO_LONG.search(said):
        return "too_long"
    if _BAD_KEY.search(said):
        return "auth"
    if _NO_MODEL.search(said):
        return "no_model"
    return "filtered" if _FILTERED.search(said) else "bad_request"


def refused_field(told: ErrorBody) -> str:
    """The field of the request that a 400 or 422 does not want ("" when it is about something else)."""
    if not _UNSUPPORTED.search(f"{told.code} {told.message}"):
        return ""
    if told.param in FIELDS:
        return told.param
    found = {f: m.start() for f in FIELDS if (m := re.search(rf"(?<![\w]){f}(?![\w])", told.message))}
    return min(found, key=lambda f: found[f]) if found else ""


_SECONDS = re.compile(r"\d{1,7}(\.\d{1,9})?")
_TRY_AGAIN = re.compile(
    r"(?:try again in|retry.?(?:after|delay)\W{1,5}|please wait)\s{0,3}(?:(\d{1,4})\s?h)?\s?(?:(\d{1,4})\s?m(?!s))?\s?"
    r"(?:(\d{1,6}(?:\.\d{1,9})?)\s?(ms|s))?",
    _I,
)


def retry_after_s(headers: Mapping[str, str], message: str = "") -> float | None:
    """Seconds that the provider asks to wait: retry-after-ms, Retry-After in seconds or as an HTTP date (RFC 9110 §10.2.3,
    measured against the response's own Date, since clocks differ), or a "try again in 7.66s" of its message."""
    in_ms = headers.get("retry-after-ms", "").strip()
    if _SECONDS.fullmatch(in_ms):
        return float(in_ms) / 1000
    text = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    at = _date(text)
    if at is not None:
        return max(0.0, (at - (_date(headers.get("date", "")) or datetime.now(UTC))).total_seconds())
    said = _TRY_AGAIN.search(message)
    if said is None or not any(said.groups()):
        return None
    hours, minutes, rest, unit = said.groups()
    seconds = float(rest or 0) / (1000 if (unit or "").lower() == "ms" else 1)
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + seconds


def _date(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text) if text else None
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at


def backoff_s(tries: int, first_s: float, most_s: float) -> float:
    """Exponential with jitter over its upper half (Brooker, "Exponential backoff and jitter", AWS 2015)."""
    return min(most_s, first_s * 2.0 ** min(tries - 1, 30)) * random.uniform(0.5, 1.0)
