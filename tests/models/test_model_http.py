"""Talking to a server that misbehaves: what becomes of the item, of the run, and how often it is asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from osce.core.errors import ModelError
from osce.core.items import Message
from osce.core.replies import Reply, Sampling
from osce.models import HttpChat, Limits, open_model
from servers.misbehaving import (
    Fault,
    Misbehaving,
    answers,
    completion,
    delta,
    error,
    events,
    http,
    retry_at,
    says,
)

QUICK = Limits(retries=3, backoff_s=0.01, max_backoff_s=0.05, timeout_s=10)
PLAIN = Sampling()
ASKED = (Message("system", "Be brief."), Message("user", "Which?"))


@pytest.fixture
def server() -> Iterator[Misbehaving]:
    with Misbehaving() as running:
        yield running


def ask(
    server: Misbehaving,
    *,
    n: int = 1,
    limits: Limits = QUICK,
    sampling: Sampling = PLAIN,
    spec: str = "vllm/toy",
    **more: Any,
) -> list[Reply]:
    """n requests at once."""

    async def go() -> list[Reply]:
        model = open_model(spec, base_url=more.pop("base_url", server.url), limits=limits, **more)
        assert isinstance(model, HttpChat)
        try:
            return list(await asyncio.gather(*(model.chat(ASKED, sampling) for _ in range(n))))
        finally:
            await model.close()

    return asyncio.run(go())


def ask_one(server: Misbehaving, *faults: str | int | Fault, **more: Any) -> Reply:
    server.next(*faults)
    return ask(server, **more)[0]


def refusal(server: Misbehaving, *faults: str | int | Fault, **more: Any) -> str:
    """The message of the ModelError that must come."""
    server.next(*faults)
    with pytest.raises(ModelError) as caught:
        ask(server, **more)
    return str(caught.value)


# What a good answer says


def test_a_request_carries_what_was_asked_and_nothing_else(server: Misbehaving) -> None:
    reply = ask_one(server, sampling=Sampling(temperature=0.0, max_tokens=7, seed=3, reasoning_effort="low", top_p=0.5))
    assert server.bodies[0] == {
        "model": "toy",
        "stream": False,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Which?"}],
        "temperature": 0.0,
        "max_tokens": 7,
        "seed": 3,
        "reasoning_effort": "low",
        "top_p": 0.5,
    }
    assert (reply.text, reply.finish, reply.model, reply.attempts) == ("<answer>B</answer>", "stop", "toy", 1)
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.reasoning_tokens) == (10, 5, None)
    assert reply.latency_s > 0
    ask_one(server)
    assert set(server.bodies[1]) == {"model", "stream", "messages"}


THINKING = [{"type": "thinking", "thinking": [{"type": "text", "text": "B fits. "}]}, {"type": "text", "text": "It is B."}]


@pytest.mark.parametrize(
    ("fault", "text", "reasoning"),
    [
        ("empty", "", ""),
        ("null", "", ""),
        (answers([{"type": "text", "text": "It is "}, {"type": "text", "text": "B."}]), "It is B.", ""),
        (answers(THINKING), "It is B.", "B fits. "),
        (answers([{"type": "reasoning", "text": "hm"}, "It is B."]), "It is B.", "hm"),
        (answers("It is B.", reasoning_content="B fits."), "It is B.", "B fits."),
        (answers("It is B.", reasoning="B fits."), "It is B.", "B fits."),
        (answers("It is B.", reasoning="B fits.", reasoning_content="B fits."), "It is B.", "B fits."),
        (answers(None, reasoning_content="B fits."), "", "B fits."),
        (answers([{"type": "text", "text": {"value": "B"}}, {"type": "image_url", "image_url": {}}, 7, None]), "B", ""),
        ("events", "<answer>B</answer>", ""),
        ("done-but-open", "<answer>B</answer>", ""),
        (says(http(200, events(delta("B", reasoning_content="h"), delta("", "stop", reasoning_content="m")), "text/plain")), "B", "hm"),
    ],
)  # fmt: skip
def test_content_in_all_its_shapes(server: Misbehaving, fault: str | Fault, text: str, reasoning: str) -> None:
    reply = ask_one(server, fault)
    assert (reply.text, reply.reasoning, reply.failure, len(server.bodies)) == (text, reasoning, None, 1)


@pytest.mark.parametrize(
    ("said", "finish"),
    [("stop", "stop"), ("length", "length"), ("MAX_TOKENS", "length"),
     ("content_filter", "filter"), ("tool_calls", "other"), (None, "other")],
)  # fmt: skip
def test_why_it_ended(server: Misbehaving, said: str | None, finish: str) -> None:
    assert ask_one(server, answers("B", finish=said)).finish == finish


def test_a_refusal_is_told_apart(server: Misbehaving) -> None:
    reply = ask_one(server, answers(None, refusal="I cannot help with that."))
    assert reply.refusal
    assert reply.text == "I cannot help with that."
    blocked = ask_one(server, says(http(400, error("flagged by the content filter", "content_filter"))))
    assert (blocked.refusal, blocked.finish, blocked.failure) == (True, "filter", None)


@pytest.mark.parametrize(
    ("usage", "want"),
    [
        (None, (None, None, None, None)),
        ({}, (None, None, None, None)),
        ({"prompt_tokens": 9, "completion_tokens": 4}, (9, 4, None, None)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 8},
          "completion_tokens_details": {"reasoning_tokens": 3}}, (9, 4, 3, 8)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_cache_hit_tokens": 6}, (9, 4, None, 6)),
        # xAI and Google: the total counts reasoning, completion_tokens does not
        ({"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 113}, (9, 104, None, None)),
        ({"prompt_tokens": 9.0, "completion_tokens": "4", "total_tokens": True}, (9, None, None, None)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": "none"}, (9, 4, None, None)),
        ("free", (None, None, None, None)),
    ],
)  # fmt: skip
def test_tokens_are_counted_or_missing_never_guessed(server: Misbehaving, usage: Any, want: tuple[int | None, ...]) -> None:
    reply = ask_one(server, answers("B", usage=usage))
    got = reply.usage
    assert (got.input_tokens, got.output_tokens, got.reasoning_tokens, got.cached_tokens) == want
    assert reply.text == "B"


@pytest.mark.parametrize(
    "body",
    [
        b'{"choices":[{"message":{"content":"B\\ud800"},"finish_reason":"stop"}]}',
        b'{"choices":[{"message":{"content":"B"},"finish_reason":"stop","logprob":NaN}]}',
        b'{"choices":[{"message":{"content":"B\xff"},"finish_reason":"stop"}]}',
        b'{"choices":[{"message":{"content":"B"},"finish_reason":5}]}',
    ],
)
def test_odd_but_whole_json_is_read(server: Misbehaving, body: bytes) -> None:
    reply = ask_one(server, says(http(200, body)))
    assert reply.failure is None
    assert reply.text.startswith("B")
    reply.text.encode()


def test_broken_text_in_a_question_is_sent_whole(server: Misbehaving) -> None:
    async def go() -> Reply:
        model = open_model("vllm/toy", base_url=server.url, limits=QUICK)
        assert isinstance(model, HttpChat)
        try:
            return await model.chat((Message("user", "pain \ud83d?"),), Sampling())
        finally:
            await model.close()

    assert asyncio.run(go()).failure is None
    assert server.bodies[0]["messages"][0]["content"] == "pain ??"


# What passes after another try, and what stays


@pytest.mark.parametrize(
    "fault",
    [500, 502, 503, 504, 408, "429", "429-now", "429-ms", "html", "truncated", "empty-body", "no-choices", "not-a-dict",
     "cut-short", "reset", "hang-up", "torn-events",
     says(http(200, {"error": {"message": "upstream hiccup", "code": 502}})),
     says(http(200, events(delta("B"), {"error": {"message": "overloaded"}}), "text/event-stream"))],
)  # fmt: skip
def test_trouble_that_passes_costs_one_more_try(server: Misbehaving, fault: str | int | Fault) -> None:
    reply = ask_one(server, fault)
    assert (reply.text, reply.failure, reply.attempts, len(server.bodies)) == ("<answer>B</answer>", None, 2, 2)


@pytest.mark.parametrize(
    ("fault", "kind", "tries"),
    [
        (500, "server", 4),
        (503, "server", 4),
        ("429", "rate_limit", 4),
        ("truncated", "malformed", 3),
        ("no-choices", "malformed", 3),
        ("torn-events", "malformed", 3),
        ("reset", "connection", 4),
        ("cut-short", "connection", 4),
    ],
)
def test_trouble_that_stays_is_a_failure_with_its_kind(server: Misbehaving, fault: str | int, kind: str, tries: int) -> None:
    server.always = fault
    reply = ask_one(server)
    assert reply.failure is not None
    assert (reply.failure.kind, reply.attempts, len(server.bodies), reply.text) == (kind, tries, tries, "")
    assert reply.failure.message


@pytest.mark.parametrize("fault", ["silence", "slow-headers", "endless-events"])
def test_what_never_ends_is_a_timeout(server: Misbehaving, fault: str) -> None:
    server.always = fault
    start = time.monotonic()
    reply = ask_one(server, limits=Limits(retries=5, timeout_s=0.5, backoff_s=0.01))
    assert reply.failure is not None
    assert (reply.failure.kind, reply.attempts) == ("timeout", 2)
    assert time.monotonic() - start < 5


def test_a_silent_connection_is_noticed_before_the_whole_time_is_up(server: Misbehaving) -> None:
    start = time.monotonic()
    reply = ask_one(server, "silence", limits=Limits(retries=0, timeout_s=60, idle_timeout_s=0.3))
    assert reply.failure is not None
    assert reply.failure.kind == "timeout"
    assert time.monotonic() - start < 5


def test_what_is_too_big_is_given_up_at_once(server: Misbehaving) -> None:
    server.always = "endless-spaces"
    reply = ask_one(server, limits=Limits(retries=3, max_bytes=1_000_000, backoff_s=0.01))
    assert reply.failure is not None
    assert (reply.failure.kind, reply.attempts) == ("malformed", 1)
    assert "1000000 bytes" in reply.failure.message
    announced = ask_one(server, says(http(200, b" " * 3_000_000)), limits=Limits(retries=0, max_bytes=1_000_000))
    assert announced.failure is not None
    assert announced.failure.kind == "malformed"


def test_a_compressed_bomb_is_bounded(server: Misbehaving) -> None:
    import gzip

    bomb = gzip.compress(b" " * 50_000_000)
    reply = ask_one(server, says(http(200, bomb, content_encoding="gzip")), limits=Limits(retries=0, max_bytes=1_000_000))
    assert reply.failure is not None
    assert reply.failure.kind == "malformed"
    fine = ask_one(
        server, says(http(200, gzip.compress(b'{"choices":[{"message":{"content":"B"}}]}'), content_encoding="gzip"))
    )
    assert fine.text == "B"


def test_a_connection_closed_while_idle_costs_nothing(server: Misbehaving) -> None:
    async def go() -> list[Reply]:
        model = open_model("vllm/toy", base_url=server.url, limits=Limits(retries=0))
        assert isinstance(model, HttpChat)
        try:
            server.next("ok-then-close")
            return [await model.chat(ASKED, Sampling()) for _ in range(2)]
        finally:
            await model.close()

    replies = asyncio.run(go())
    assert [(r.failure, r.attempts) for r in replies] == [(None, 1), (None, 1)]
    assert server.connections == 2


def test_connections_are_used_again(server: Misbehaving) -> None:
    async def go() -> None:
        model = open_model("vllm/toy", base_url=server.url)
        assert isinstance(model, HttpChat)
        for _ in range(20):
            await model.chat(ASKED, Sampling())
        await model.close()

    asyncio.run(go())
    assert server.connections == 1


# Waiting as asked


@pytest.mark.parametrize(("fault", "at_least", "at_most"), [("429-1s", 1.0, 2.0), ("429-ms", 0.15, 0.9)])
def test_a_wait_that_is_asked_for_is_kept(server: Misbehaving, fault: str, at_least: float, at_most: float) -> None:
    start = time.monotonic()
    assert ask_one(server, fault).attempts == 2
    assert at_least <= time.monotonic() - start < at_most


def test_a_date_to_come_back_at_is_read_against_the_servers_own_clock(server: Misbehaving) -> None:
    start = time.monotonic()
    assert ask_one(server, retry_at(2, skew=7200)).failure is None
    assert 1.5 <= time.monotonic() - start < 4


def test_a_storm_of_429_is_weathered_by_all_together(server: Misbehaving) -> None:
    """A server that takes 4 requests at once and refuses the rest: everything is answered, and the refusals stay few."""
    refused = 0

    async def four_at_once(running: Misbehaving, writer: asyncio.StreamWriter, body: dict[str, Any]) -> None:
        nonlocal refused
        if running.active > 4:
            refused += 1
            writer.write(http(429, error("slow down"), retry_after_ms="50"))
        else:
            await asyncio.sleep(0.02)
            writer.write(http(200, completion()))

    server.always = four_at_once
    replies = ask(server, n=120, limits=Limits(retries=12, backoff_s=0.05, max_backoff_s=0.5))
    assert all(r.failure is None for r in replies)
    assert refused < 120 * 6


def test_a_day_long_wait_ends_the_run_with_a_word(server: Misbehaving) -> None:
    said = refusal(server, says(http(429, error("daily limit"), retry_after="7200")))
    assert "120 minutes" in said
    assert len(server.bodies) == 1


# What can never succeed is told at once


def test_a_bad_key_is_told_once_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-test-0123456789abcdefSECRET"
    monkeypatch.setenv("TOY_KEY", secret)
    with Misbehaving(key="another") as server:
        said = refusal(server, n=64, api_key_env="TOY_KEY")
        assert len(server.bodies) == 0, "the chat handler is behind the key"
    assert "TOY_KEY" in said
    assert "401" in said
    assert secret not in said
    assert "sk-test" not in said
    assert "SECRET" not in said


def test_no_key_where_one_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with Misbehaving(key="another") as server:
        assert "--api-key-env" in refusal(server)
        assert "OPENAI_API_KEY" in refusal(server, spec="openai/gpt-5")


def test_fatal_trouble_is_met_once_however_many_wait(server: Misbehaving) -> None:
    server.always = 403

    async def go() -> list[str]:
        model = open_model("vllm/toy", base_url=server.url, limits=QUICK)
        assert isinstance(model, HttpChat)
        said = []
        try:
            for _ in range(50):
                with pytest.raises(ModelError) as caught:
                    await model.chat(ASKED, Sampling())
                said.append(str(caught.value))
        finally:
            await model.close()
        return said

    assert len(set(asyncio.run(go()))) == 1
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "fault",
    [
        says(http(404, error("The model `toi` does not exist", "model_not_found"))),
        says(http(400, error("toi is not a valid model ID", 400))),
        says(http(404, error('model "toi" not found, try pulling it first'))),
    ],
)
def test_an_unknown_model_is_answered_with_near_names(server: Misbehaving, fault: Fault) -> None:
    server.always = fault
    said = refusal(server, spec="vllm/toi")
    assert "toi" in said
    assert "Did you mean toy" in said
    server.models = None
    assert "does not exist" in refusal(server, spec="vllm/toi") or "toi" in said


@pytest.mark.parametrize(
    ("path", "advice"), [("", "--base-url {root}/v1"), ("/api", "ends in /v1"), ("/v1/extra", "ends in /v1"), ("/v2", "/v1")]
)
def test_a_wrong_path_is_answered_with_advice(server: Misbehaving, path: str, advice: str) -> None:
    said = refusal(server, base_url=server.root + path)
    assert advice.format(root=server.root) in said
    assert len(server.bodies) == 0


@pytest.mark.parametrize("ending", ["", "/", "/chat/completions", "/chat/completions/"])
def test_a_base_url_is_taken_however_it_ends(server: Misbehaving, ending: str) -> None:
    assert ask_one(server, base_url=server.url + ending).failure is None


def test_a_web_page_at_the_start_is_a_wrong_address(server: Misbehaving) -> None:
    server.always = "html"
    assert "web page" in refusal(server)
    assert len(server.bodies) == 3


def test_a_web_page_later_is_the_items_trouble(server: Misbehaving) -> None:
    async def go() -> Reply:
        model = open_model("vllm/toy", base_url=server.url, limits=QUICK)
        assert isinstance(model, HttpChat)
        try:
            await model.chat(ASKED, Sampling())
            server.always = "html"
            return await model.chat(ASKED, Sampling())
        finally:
            await model.close()

    failure = asyncio.run(go()).failure
    assert failure is not None
    assert failure.kind == "malformed"


def test_a_redirect_is_not_followed_with_the_key(server: Misbehaving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_KEY", "sk-test-0123456789abcdef")
    with Misbehaving() as other:
        server.always = says(http(307, "", location=f"{other.url}/chat/completions"))
        said = refusal(server, api_key_env="TOY_KEY")
        assert other.url in said
        assert not other.heads


def test_nobody_there(server: Misbehaving) -> None:
    server.close()
    start = time.monotonic()
    said = refusal(server, n=8)
    assert "cannot reach" in said
    assert str(server.port) in said
    assert time.monotonic() - start < 5
    assert "No such host" in refusal(server, base_url="http://no-such-host.invalid/v1")


def test_tls_against_plain_http_says_so(server: Misbehaving) -> None:
    assert "http://" in refusal(server, base_url=server.url.replace("http://", "https://"))


def test_a_server_that_goes_away_later_fails_the_item_only(server: Misbehaving) -> None:
    async def go() -> Reply:
        model = open_model("vllm/toy", base_url=server.url, limits=QUICK)
        assert isinstance(model, HttpChat)
        try:
            await model.chat(ASKED, Sampling())
            server.close()
            return await model.chat(ASKED, Sampling())
        finally:
            await model.close()

    failure = asyncio.run(go()).failure
    assert failure is not None
    assert failure.kind == "connection"


@pytest.mark.parametrize("status", [402, 429])
def test_an_empty_purse_ends_the_run(server: Misbehaving, status: int) -> None:
    said = refusal(server, says(http(status, error("You exceeded your current quota", "insufficient_quota"))))
    assert "quota" in said
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "fault",
    [
        says(http(400, error("The maximum context length is 4096 tokens, your messages have 5000", "context_length_exceeded"))),
        says(http(400, error("prompt is too long: 210000 tokens > 200000 maximum"))),
        says(http(413, error("request entity too large"))),
        says(http(400, error("'max_tokens' is too large: 3000. The maximum context length is 4096, your request has 2000 input tokens"))),
    ],
)  # fmt: skip
def test_too_long_is_the_items_failure_without_another_try(server: Misbehaving, fault: Fault) -> None:
    reply = ask_one(server, fault)
    assert reply.failure is not None
    assert (reply.failure.kind, reply.attempts, len(server.bodies)) == ("too_long", 1, 1)


def test_a_token_limit_that_no_request_may_have_is_fatal(server: Misbehaving) -> None:
    message = "max_tokens is too large: 900000. This model supports at most 16384 completion tokens"
    assert "16384" in refusal(server, says(http(400, error(message, "invalid_value", "max_tokens"))))


def test_one_bad_request_is_the_items_three_at_the_start_are_ours(server: Misbehaving) -> None:
    bad = says(http(400, error("messages: roles must alternate")))
    reply = ask_one(server, bad)
    assert reply.failure is not None
    assert (reply.failure.kind, reply.attempts) == ("bad_request", 1)
    server.always = bad
    assert "alternate" in refusal(server, n=5)


# Fields that a model does not want


def refuses(field: str, message: str, param: str | None = None, status: int = 400) -> Fault:
    async def fault(_server: Misbehaving, writer: asyncio.StreamWriter, body: dict[str, Any]) -> None:
        writer.write(http(status, error(message, None, param)) if field in body else http(200, completion()))

    return fault


def test_a_reasoning_model_gets_its_token_limit_under_the_other_name(server: Misbehaving) -> None:
    server.always = refuses(
        "max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens"
    )
    replies = ask(server, n=20, sampling=Sampling(max_tokens=9))
    assert all(r.failure is None and r.attempts == 1 for r in replies)
    assert "max_tokens" not in server.bodies[-1]
    assert server.bodies[-1]["max_completion_tokens"] == 9


def test_an_old_server_gets_its_token_limit_under_the_old_name(server: Misbehaving) -> None:
    server.always = refuses("max_completion_tokens", "Unrecognized request argument supplied: max_completion_tokens")
    assert ask_one(server, spec="openai/old", sampling=Sampling(max_tokens=9)).failure is None
    assert server.bodies[-1]["max_tokens"] == 9


def test_a_refused_field_is_left_out_remembered_and_noted(server: Misbehaving) -> None:
    server.always = refuses(
        "temperature", "Unsupported value: 'temperature' does not support 0 with this model. Only 1 is.", "temperature"
    )

    async def go() -> list[str]:
        model = open_model("vllm/toy", base_url=server.url, limits=QUICK)
        assert isinstance(model, HttpChat)
        try:
            for _ in range(3):
                reply = await model.chat(ASKED, Sampling(temperature=0.0, top_p=0.9))
                assert reply.failure is None
        finally:
            await model.close()
        return model.notes

    notes = asyncio.run(go())
    assert len(server.bodies) == 4, "one refusal, then never again"
    assert server.bodies[-1]["top_p"] == 0.9
    assert len(notes) == 1
    assert "temperature" in notes[0]


def test_a_validation_list_names_the_field_too(server: Misbehaving) -> None:
    detail = {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "type": "extra_forbidden"}]}

    async def fault(_server: Misbehaving, writer: asyncio.StreamWriter, body: dict[str, Any]) -> None:
        writer.write(http(422, detail) if "seed" in body else http(200, completion()))

    server.always = fault
    assert ask_one(server, sampling=Sampling(seed=1)).failure is None


def test_another_effort_than_the_one_asked_for_is_never_run_unseen(server: Misbehaving) -> None:
    message = "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low'"
    server.always = refuses("reasoning_effort", message, "reasoning_effort")
    assert "minimal" in refusal(server, sampling=Sampling(reasoning_effort="minimal"))


def test_a_server_that_refuses_what_is_not_there_does_not_loop(server: Misbehaving) -> None:
    server.always = says(http(400, error("Unsupported parameter: temperature")))
    reply = ask_one(server)
    assert reply.failure is not None
    assert reply.failure.kind == "bad_request"
    assert len(server.bodies) == 1


def test_what_an_endpoint_ignores_is_not_sent_and_noted(server: Misbehaving) -> None:
    async def go() -> list[str]:
        model = open_model("anthropic/claude-x", base_url=server.url, limits=QUICK)
        assert isinstance(model, HttpChat)
        await model.chat(ASKED, Sampling(seed=1, temperature=0.5))
        await model.close()
        return model.notes

    notes = asyncio.run(go())
    assert "seed" not in server.bodies[0]
    assert server.bodies[0]["temperature"] == 0.5
    assert any("seed" in note for note in notes)


def test_mistral_calls_the_seed_otherwise(server: Misbehaving) -> None:
    ask_one(server, spec="mistral/m", sampling=Sampling(seed=5))
    assert server.bodies[0]["random_seed"] == 5
    assert "seed" not in server.bodies[0]


# Cancelling


def test_cancelled_requests_leave_no_place_taken(server: Misbehaving) -> None:
    """After a 429 the gate is narrow; a cancelled waiter must not keep its place from the others."""

    async def go() -> Reply:
        model = open_model("vllm/toy", base_url=server.url, limits=Limits(retries=2, backoff_s=0.01))
        assert isinstance(model, HttpChat)
        try:
            server.next("429-now")
            await model.chat(ASKED, Sampling())
            server.next(*["silence"] * 4)
            tasks = [asyncio.create_task(model.chat(ASKED, Sampling())) for _ in range(20)]
            await asyncio.sleep(0.3)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            server._script.clear()
            return await asyncio.wait_for(model.chat(ASKED, Sampling()), 5)
        finally:
            await model.close()

    assert asyncio.run(go()).failure is None
