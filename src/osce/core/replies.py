"""What comes back: a Reply with its usage, or the reason why there is none."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

import msgspec

from osce.core.items import Message

ReasoningEffort: TypeAlias = Literal["none", "minimal", "low", "medium", "high", "xhigh"]


class Sampling(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How to sample. None = do not send the field, so that the provider's default holds."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    reasoning_effort: ReasoningEffort | None = None


class Usage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tokens as the provider counted them. None = the provider did not say (missing, not 0)."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no answer, after all retries."""

    kind: Literal["rate_limit", "server", "timeout", "connection", "malformed", "bad_request", "auth", "not_found", "too_long"]
    message: str
    status: int | None = None


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model's response. `text` is the visible answer, `reasoning` what the provider returned apart from it.

    `finish` is "stop", "length" (hit the token limit), "filter" (provider's content filter) or "other"; with `failure` set,
    text is empty and the item is graded `error`. `latency_s` is of the attempt that succeeded; `attempts` counts all.
    """

    text: str = ""
    reasoning: str = ""
    finish: Literal["stop", "length", "filter", "other"] = "stop"
    refusal: bool = False
    usage: Usage = Usage()
    model: str = ""
    latency_s: float = 0.0
    attempts: int = 1
    cached: bool = False
    failure: Failure | None = None


class Chat(Protocol):
    """Anything that answers messages. `identity` goes into a run's fingerprint: all that changes answers, never a secret."""

    name: str

    def identity(self) -> dict[str, object]: ...

    async def chat(self, messages: tuple[Message, ...], sampling: Sampling) -> Reply:
        """Answer; trouble that outlived the retries comes back as Reply.failure.

        Raises ModelError when no further request can succeed (401, unknown model, unreachable host at the start).
        """
        ...

    async def close(self) -> None: ...
