"""What a status and a message mean: a table of what providers really say, in our words where the wording does not matter."""

from __future__ import annotations

import json
import time

import pytest

from osce.models.retry import backoff_s, refused_field, retry_after_s, verdict
from osce.models.wire import ErrorBody, error_body, model_names


@pytest.mark.parametrize(
    ("status", "message", "code", "want"),
    [
        (401, "no", "", "auth"),
        (403, "forbidden", "", "auth"),
        (403, "your request was flagged by moderation", "", "filtered"),
        (400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT", "auth"),
        (400, "Incorrect API key provided", "", "auth"),
        (402, "Insufficient credits", "", "fatal"),
        (404, "The model `x` does not exist or you do not have access to it.", "model_not_found", "no_model"),
        (404, "404 page not found", "", "address"),
        (405, "Method Not Allowed", "", "address"),
        (301, "", "", "address"),
        (400, "Invalid model: x", "", "no_model"),
        (400, "x is not a valid model ID", "", "no_model"),
        (413, "Payload Too Large", "", "too_long"),
        (400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", "", "too_long"),
        (400, "Please reduce the length of the messages or completion.", "", "too_long"),
        (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", "", "too_long"),
        (400, "request (6031 tokens) exceeds the available context size (4096 tokens), try increasing it", "", "too_long"),
        (400, "max_tokens: 999999 > 8192, the most that this model may write; max_tokens must be at most 8192", "", "fatal"),
        (400, "Unsupported parameter: 'max_tokens' is not supported with this model.", "unsupported_parameter", "unsupported"),
        (400, "`temperature` and `top_p` cannot both be specified for this model.", "", "unsupported"),
        (400, "Invalid JSON", "", "bad_request"),
        (400, "messages: at least one message is required", "", "bad_request"),
        (400, "The response was filtered due to the prompt triggering content management policy", "content_filter", "filtered"),
        (429, "Rate limit reached", "rate_limit_exceeded", "retry"),
        (429, "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota", "fatal"),
        (408, "", "", "retry"), (409, "", "", "retry"), (425, "", "", "retry"),
        (500, "", "", "retry"),
        (502, "<html>", "", "retry"), (503, "", "", "retry"), (504, "", "", "retry"), (529, "overloaded", "", "retry"),
    ],
)  # fmt: skip
def test_verdicts(status: int, message: str, code: str, want: str) -> None:
    assert verdict(status, ErrorBody(message=message, code=code)) == want


@pytest.mark.parametrize(
    ("message", "param", "want"),
    [
        ("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "", "max_tokens"),
        ("Unrecognized request argument supplied: reasoning_effort", "", "reasoning_effort"),
        ("something is not supported", "top_p", "top_p"),
        ("Extra inputs are not permitted: random_seed", "", "random_seed"),
        ("the tool is not supported", "tools", ""),
        ("temperature must be between 0 and 1", "", ""),
        ("the word reseeding is unknown", "", ""),
    ],
)  # fmt: skip
def test_the_refused_field(message: str, param: str, want: str) -> None:
    assert refused_field(ErrorBody(message=message, param=param)) == want


@pytest.mark.parametrize(
    ("headers", "message", "want"),
    [
        ({"retry-after": "7"}, "", 7),
        ({"retry-after": " 2.5 "}, "", 2.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, "", 0.25),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, "", 30),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, "", 0),
        ({"retry-after": "soon"}, "", None),
        ({"retry-after": "-5"}, "", None),
        ({"retry-after": "9" * 400}, "", None),
        ({}, "Rate limit reached. Please try again in 7.66s. Visit", 7.66),
        ({}, "try again in 1m26.4s", 86.4),
        ({}, "try again in 200ms", 0.2),
        ({}, "try again in 2h5m", 7500),
        ({}, '"retryDelay": "34s"', 34),
        ({}, "try again in a moment", None),
        ({}, "slow down", None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], message: str, want: float | None) -> None:
    got = retry_after_s(headers, message)
    assert got == (None if want is None else pytest.approx(want))


def test_backoff_grows_jitters_and_stops_growing() -> None:
    for tries in (1, 2, 5, 10, 100, 10_000):
        draws = [backoff_s(tries, 0.5, 60) for _ in range(200)]
        top = min(60, 0.5 * 2.0 ** min(tries - 1, 30))
        assert all(top / 2 <= d <= top for d in draws)
        assert max(draws) > min(draws)


@pytest.mark.parametrize(
    ("body", "message", "code"),
    [
        (b'{"error": {"message": "m", "code": "c", "type": "t"}}', "m", "c"),
        (b'{"error": {"message": "m", "code": null, "type": "t"}}', "m", "t"),
        (b'[{"error": {"code": 400, "message": "m", "status": "INVALID_ARGUMENT"}}]', "m", "400"),
        (b'{"error": "m"}', "m", ""),
        (b'{"detail": "m"}', "m", ""),
        (b'{"message": "m", "type": "t"}', "m", "t"),
        (b'{"error": {"message": "m", "metadata": {"raw": "behind"}}}', "m: behind", ""),
        (b"<html>Bad gateway</html>", "a web page instead of JSON", ""),
        (b"plain words", "plain words", ""),
        (b"", "", ""),
        (b"\xff\xfe", "��", ""),
        (b"[" * 100_000, "[" * 300, ""),
        (b"null", "null", ""),
        (b'{"error": null}', '{"error": null}', ""),
    ],
)
def test_error_bodies_of_all_shapes(body: bytes, message: str, code: str) -> None:
    told = error_body(body)
    assert (told.message, told.code) == (message, code)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"data": [{"id": "a"}, {"id": "b"}]}, ["a", "b"]),
        ({"models": [{"name": "a"}]}, ["a"]),
        ([{"id": "a"}], ["a"]),
        ({"data": [{"x": 1}, "a", None, {"id": 5}]}, []),
        ({"data": None}, []),
        ("a", []),
    ],
)
def test_lists_of_models(body: object, names: list[str]) -> None:
    assert model_names(json.dumps(body).encode()) == names


def test_hostile_messages_take_no_time() -> None:
    pieces = [
        "max_tokens ",
        "model ",
        "context ",
        "api key ",
        "try again in ",
        "exceed ",
        "content ",
        "unsupported ",
        "1m",
        " ",
    ]
    for piece in pieces:
        told = ErrorBody(message=(piece * 2000)[:2000], code=(piece * 200)[:200])
        start = time.perf_counter()
        verdict(400, told)
        retry_after_s({}, told.message)
        assert time.perf_counter() - start < 0.25, piece
