"""The OpenAI-compatible chat interface as bytes: request bodies out, Replies in. Pure functions."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Literal

import msgspec

from osce.core.items import Message
from osce.core.replies import Reply, Sampling, Usage


class _Details(msgspec.Struct, gc=False):
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None


class _Usage(msgspec.Struct, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None
    prompt_cache_hit_tokens: int | None = None
    reasoning_tokens: int | None = None


class _Message(msgspec.Struct):
    content: Any = None
    reasoning_content: Any = None
    reasoning: Any = None
    refusal: Any = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    delta: _Message | None = None
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    model: str | None = None
    error: Any = None


class ErrorBody(msgspec.Struct):
    """What a provider says went wrong: as text, empty where absent. `param` is the request field that it names."""

    message: str = ""
    code: str = ""
    param: str = ""


class Malformed(Exception):
    """A 200 whose body is no completion. `error` is set when the body is an error in disguise."""

    def __init__(self, message: str, error: ErrorBody | None = None) -> None:
        super().__init__(message)
        self.error = error


_decode = msgspec.json.Decoder(_Completion).decode
_encode = msgspec.json.Encoder().encode
_FINISH: dict[str, Literal["stop", "length", "filter", "other"]] = {
    "stop": "stop",
    "end_turn": "stop",
    "eos": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "filter",
    "safety": "filter",
    "recitation": "filter",
    "refusal": "filter",
}
_NOTHING_COUNTED = Usage()
LIMIT_NAMES = ("max_tokens", "max_completion_tokens")


def head(model: str, extra: Mapping[str, object]) -> bytes:
    """The body up to the messages."""
    fields = {"model": model, "stream": False, **extra}
    return _encode(fields)[:-1] + b',"messages":'


def tail(sampling: Sampling, *, names: Mapping[str, str], without: Collection[str]) -> bytes:
    """The body after the messages. `without` are fields, as named on the wire, that this endpoint refuses or ignores; the
    token limit has two names, and takes the one that is left."""
    fields: dict[str, object] = {}
    for name, value in msgspec.to_builtins(sampling).items():
        wanted = names.get(name, name)
        candidates = (wanted, *(n for n in LIMIT_NAMES if n != wanted)) if name == "max_tokens" else (wanted,)
        sent = next((n for n in candidates if n not in without), None)
        if sent is not None:
            fields[sent] = value
    return b"," + _encode(fields)[1:] if fields else b"}"


def body(start: bytes, messages: tuple[Message, ...], end: bytes) -> bytes:
    try:
        return start + _encode(messages) + end
    except UnicodeEncodeError:  # lone surrogates from broken data: no UTF-8 has them
        return start + _encode([Message(m.role, _whole(m.content)) for m in messages]) + end


def read(data: bytes, *, events: bool, latency_s: float = 0.0, attempts: int = 1) -> Reply:
    """A Reply from a response body. Raises Malformed."""
    if events or data[:5] == b"data:" or data[:1] == b":":
        return _from_events(data, latency_s, attempts)
    completion = _completion(data)
    choices = completion.choices
    if not choices or choices[0].message is None:
        if completion.error is not None:
            told = error_body(data)
            raise Malformed(told.message or "the provider sent an error with status 200", told)
        raise Malformed(f"a completion without an answer in it: {_start(data)}")
    choice = choices[0]
    message = choice.message
    assert message is not None
    return _reply([message], choice.finish_reason, completion.usage, completion.model, latency_s=latency_s, attempts=attempts)


def _completion(data: bytes) -> _Completion:
    """Strict first; what is odd but whole (1.0 for a count, NaN, a lone surrogate) is read leniently: it has been paid for."""
    try:
        return _decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        pass
    try:
        found = _clean(json.loads(data.decode("utf-8", "replace")))
    except (ValueError, RecursionError) as error:
        raise Malformed(f"no whole JSON ({type(error).__name__}): {_start(data)}") from None
    if not isinstance(found, dict):
        raise Malformed(f"JSON, but no completion: {_start(data)}")
    first = next(iter(found["choices"]), None) if isinstance(found.get("choices"), list) else None
    choices = None
    if isinstance(first, dict):
        reason = first.get("finish_reason")
        choices = [_Choice(_loose_message(first.get("message")), _loose_message(first.get("delta")), _text(reason) or None)]
    return _Completion(choices, _loose_usage(found.get("usage")), _text(found.get("model")) or None, found.get("error"))


def _clean(found: Any) -> Any:
    """JSON with every text such that UTF-8 can hold it. Raises RecursionError for absurd nesting."""
    if isinstance(found, str):
        return _whole(found)
    if isinstance(found, list):
        return [_clean(one) for one in found]
    return {_whole(k): _clean(v) for k, v in found.items()} if isinstance(found, dict) else found


def _loose_message(found: Any) -> _Message | None:
    return _Message(**{k: v for k, v in found.items() if k in _Message.__struct_fields__}) if isinstance(found, dict) else None


def _loose_usage(found: Any) -> _Usage | None:
    if not isinstance(found, dict):
        return None
    said, took = found.get("completion_tokens_details"), found.get("prompt_tokens_details")
    return _Usage(
        prompt_tokens=_count(found.get("prompt_tokens")),
        completion_tokens=_count(found.get("completion_tokens")),
        total_tokens=_count(found.get("total_tokens")),
        prompt_tokens_details=_Details(cached_tokens=_count(took.get("cached_tokens"))) if isinstance(took, dict) else None,
        completion_tokens_details=_Details(_count(said.get("reasoning_tokens"))) if isinstance(said, dict) else None,
    )


def _count(value: Any) -> int | None:
    """A count of tokens, or None for what is none (bool, text, NaN, negative, absurd)."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12 else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _whole(text: str) -> str:
    """Text that UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _start(data: bytes) -> str:
    shown = data[:120].decode("utf-8", "replace")
    return repr(shown) if data.strip() else "an empty body"


def _reply(
    messages: list[_Message], finish: str | None, usage: _Usage | None, model: str | None, *, latency_s: float, attempts: int
) -> Reply:
    texts: list[str] = []
    reasonings: list[str] = []
    refusals: list[str] = []
    for message in messages:
        content = message.content
        if isinstance(content, str):
            texts.append(content)
        elif content is not None:
            _sort_parts(content, texts, reasonings, refusals)
        aside = message.reasoning_content or message.reasoning
        if aside is not None:
            _sort_parts(aside, reasonings, reasonings, refusals)
        if message.refusal is not None:
            _sort_parts(message.refusal, refusals, refusals, refusals)
    text, refusal = "".join(texts), "".join(refusals)
    reason = _FINISH.get(finish.lower(), "other") if finish else "other"
    return Reply(
        text=text or refusal,
        reasoning="".join(reasonings) if reasonings else "",
        finish=reason,
        refusal=bool(refusal) or finish == "refusal",
        usage=_NOTHING_COUNTED if usage is None else _counted(usage),
        model=model or "",
        latency_s=latency_s,
        attempts=attempts,
    )


def _counted(usage: _Usage) -> Usage:
    sent, got, total = usage.prompt_tokens, usage.completion_tokens, usage.total_tokens
    said, took = usage.completion_tokens_details, usage.prompt_tokens_details
    if sent is not None and total is not None and total - sent > (got or 0):
        got = total - sent  # xAI and Google leave reasoning out of completion_tokens, and charge for it
    thought = said.reasoning_tokens if said is not None else None
    cached = took.cached_tokens if took is not None else None
    return Usage(
        input_tokens=sent,
        output_tokens=got,
        reasoning_tokens=usage.reasoning_tokens if thought is None else thought,
        cached_tokens=usage.prompt_cache_hit_tokens if cached is None else cached,
    )


def _sort_parts(content: Any, texts: list[str], reasonings: list[str], refusals: list[str]) -> None:
    """Content is a string or a list of parts: text, reasoning ("thinking", a string or parts again) or a refusal."""
    if isinstance(content, str):
        texts.append(content)
    elif isinstance(content, dict):
        kind = content.get("type")
        if kind in ("thinking", "reasoning"):
            inner = content.get("thinking") or content.get("reasoning") or content.get("text") or content.get("summary")
            _sort_parts(_flat(inner), reasonings, reasonings, refusals)
        elif kind == "refusal":
            _sort_parts(content.get("refusal"), refusals, refusals, refusals)
        else:
            text = content.get("text")
            # one server nests it once more: {"text": {"value": …}}
            texts.append(_text(text.get("value") if isinstance(text, dict) else text))
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, str | dict):
                _sort_parts(part, texts, reasonings, refusals)


def _flat(inner: Any) -> Any:
    """Parts inside a part, one level deep: deeper nesting is nothing that a provider sends."""
    if isinstance(inner, list):
        return [p.get("text") if isinstance(p, dict) else p for p in inner]
    return inner if isinstance(inner, str) else None


def _from_events(data: bytes, latency_s: float, attempts: int) -> Reply:
    """A stream of server-sent events, for servers that stream although they were asked not to."""
    deltas: list[_Message] = []
    finish: str | None = None
    usage: _Usage | None = None
    model: str | None = None
    seen = done = False
    for line in data.splitlines():
        if not line.startswith(b"data:"):
            continue
        payload = line[5:].strip()
        if payload == b"[DONE]":
            done = True
            break
        event = _completion(payload)
        if event.error is not None:
            told = error_body(payload)
            raise Malformed(told.message or "an error in the middle of the event stream", told)
        usage, model = event.usage or usage, event.model or model
        for choice in (event.choices or [])[:1]:
            seen = True
            deltas.append(choice.delta or choice.message or _Message())
            finish = choice.finish_reason or finish
    if not seen or (finish is None and not done):
        raise Malformed("an event stream that ended before the answer did")
    return _reply(deltas, finish, usage, model, latency_s=latency_s, attempts=attempts)


def error_body(data: bytes) -> ErrorBody:
    """What the provider said, from any of the usual shapes of an error body."""
    raw = data[:300].decode("utf-8", "replace").strip()
    try:
        found = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ErrorBody(message="a web page instead of JSON" if is_page(data) else raw)
    if isinstance(found, list) and found:
        found = found[0]
    inner = found.get("error", found) if isinstance(found, dict) else found
    if isinstance(inner, str):
        return ErrorBody(message=inner[:2000])
    if not isinstance(inner, dict):
        return ErrorBody(message=raw)
    message = inner.get("message") or inner.get("detail") or inner.get("msg") or raw
    code, kind = inner.get("code"), inner.get("type") or inner.get("status")
    # Routers wrap what the provider behind them said; a numeric code is the HTTP status again.
    behind = inner.get("metadata")
    if isinstance(behind, dict) and isinstance(behind.get("raw"), str):
        message = f"{message}: {behind['raw']}"
    return ErrorBody(message=str(message)[:2000], code=str(code or kind or "")[:200], param=_text(inner.get("param"))[:200])


def is_page(data: bytes) -> bool:
    """Whether a body is a web page."""
    return data[:512].lstrip()[:1] == b"<"


def model_names(data: bytes) -> list[str]:
    """Ids of a /models answer; empty when it has another shape."""
    try:
        found = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return []
    listed = found.get("data", found.get("models")) if isinstance(found, dict) else found
    if not isinstance(listed, list):
        return []
    ids = (m.get("id") or m.get("name") if isinstance(m, dict) else None for m in listed)
    return [i for i in ids if isinstance(i, str)]
