"""Any OpenAI-compatible chat endpoint, on aiohttp and msgspec alone: this is the hot path of every exam."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

import aiohttp
import msgspec

from osce.core.errors import ModelError
from osce.core.items import Message
from osce.core.replies import Failure, Reply, Sampling
from osce.models import wire
from osce.models.limits import Limits, Pace
from osce.models.names import nearest
from osce.models.retry import backoff_s, refused_parameter, retry_after_s, verdict
from osce.models.wire import ErrorBody, Malformed

MALFORMED_TRIES = 3
MOST_ADAPTATIONS = 6
MOST_PATIENCE_S = 120.0
UNREACHABLE_TRIES = 3
"""Tries before a host that never answered once is called unreachable."""


class _TooBig(Exception):
    pass


@dataclass(frozen=True)
class _Trouble:
    """A try that brought no answer. `wait_s` is what the provider asked for; "now" = the request itself was adapted."""

    failure: Failure
    again: Literal["now", "later", "never"] = "later"
    wait_s: float | None = None


class HttpChat:
    """A Chat over HTTP. Opens its connections on the first request; close() it on the same event loop."""

    def __init__(
        self,
        name: str,
        model: str,
        base_url: str,
        *,
        key: str = "",
        key_env: str = "",
        limit_field: str = "max_tokens",
        sends_seed: bool = True,
        limits: Limits | None = None,
        identity: dict[str, object] | None = None,
    ) -> None:
        self.name = name
        self.model = model
        self.base_url = base_url.rstrip("/")
        self.limits = limits or Limits()
        self.without: frozenset[str] = frozenset() if sends_seed else frozenset({"seed"})
        self._identity = identity or {"model": model, "base_url": self.base_url}
        self._key, self._key_env, self._limit_field = key, key_env, limit_field
        self._url = f"{self.base_url}/chat/completions"
        self._head = wire.head(model)
        self._tails: dict[Sampling, bytes] = {}
        self._pace = Pace(self.limits)
        self._session: aiohttp.ClientSession | None = None
        self._renamed = False
        self._answered = False
        self._active = 0
        self._allowed = float("inf")
        self._halved_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def __repr__(self) -> str:
        return f"HttpChat({self.name!r}, {self.base_url!r})"

    def identity(self) -> dict[str, object]:
        """Name and address; never the key."""
        return dict(self._identity)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def chat(self, messages: tuple[Message, ...], sampling: Sampling) -> Reply:
        """Answer; see the protocol. Trouble that outlived the retries is a Failure; hopeless trouble raises ModelError."""
        tries = 0
        adapted = 0
        while True:
            tail = self._tails.get(sampling)
            if tail is None:
                tail = self._tails[sampling] = wire.tail(sampling, limit_field=self._limit_field, without=self.without)
            data = wire.body(self._head, messages, tail)
            guess = 0.0
            if not self._pace.free:
                guess = len(data) / 4 + (sampling.max_tokens or 500)
                await self._pace.wait(guess)
            tries += 1
            outcome = await self._try(data, guess, tries)
            if isinstance(outcome, Reply):
                return outcome
            if outcome.again == "now" and adapted < MOST_ADAPTATIONS:
                adapted += 1
                tries -= 1
                continue
            most = self.limits.retries + 1
            if outcome.failure.kind == "malformed":
                most = min(most, MALFORMED_TRIES)
            if outcome.again == "never" or tries >= most:
                return Reply(failure=outcome.failure, attempts=tries)
            wait_s = backoff_s(tries, self.limits.backoff_s, self.limits.max_backoff_s)
            if outcome.wait_s is not None:
                wait_s = min(outcome.wait_s, MOST_PATIENCE_S) + wait_s * 0.1
            await asyncio.sleep(wait_s)

    async def _try(self, data: bytes, guess: float, tries: int) -> Reply | _Trouble:
        """One request."""
        if self._active >= self._allowed:
            await self._turn()
        self._active += 1
        start = time.perf_counter()
        try:
            status, headers, body = await self._post(data)
        except (aiohttp.ClientConnectorError, aiohttp.InvalidURL) as error:
            if not self._answered and tries >= min(UNREACHABLE_TRIES, self.limits.retries + 1):
                raise ModelError(self._unreachable(error)) from None
            return _Trouble(Failure(kind="connection", message=self._clean(str(error))))
        except TimeoutError:
            return _Trouble(Failure(kind="timeout", message=f"no answer within {self.limits.timeout_s:g} s"))
        except _TooBig:
            return _Trouble(
                Failure(kind="malformed", message=f"a response of more than {self.limits.max_bytes} bytes"), "never"
            )
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return _Trouble(Failure(kind="connection", message=self._clean(f"{type(error).__name__}: {error}")))
        finally:
            self._active -= 1
            if self._waiting:
                self._wake()
        if status != 200:
            return await self._refused(status, headers, wire.error_body(body))
        try:
            reply = wire.read(body, events=headers.get("Content-Type", "").startswith("text/event-stream"))
        except Malformed as error:
            if error.error is not None:
                code = int(error.error.code) if error.error.code.isdigit() else 500
                return await self._refused(code, headers, error.error)
            if not self._answered and body.lstrip()[:1] == b"<":
                raise ModelError(self._wrong_address("it answered with a web page, not with JSON")) from None
            return _Trouble(Failure(kind="malformed", message=self._clean(str(error))))
        self._answered = True
        if self._allowed != float("inf"):
            self._allowed += 1.0 / self._allowed
        if guess:
            used = (reply.usage.input_tokens or 0) + (reply.usage.output_tokens or 0)
            self._pace.correct(guess, used or guess)
        return msgspec.structs.replace(reply, latency_s=time.perf_counter() - start, attempts=tries)

    async def _post(self, data: bytes) -> tuple[int, Mapping[str, str], bytes]:
        session = self._session or self._open()
        async with session.post(self._url, data=data) as response:
            length = response.content_length
            if length is not None and length <= self.limits.max_bytes:
                return response.status, response.headers, await response.read()
            chunks, size = [], 0
            async for chunk in response.content.iter_any():
                size += len(chunk)
                if size > self.limits.max_bytes:
                    response.close()
                    raise _TooBig
                chunks.append(chunk)
            return response.status, response.headers, b"".join(chunks)

    def _open(self) -> aiohttp.ClientSession:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "osce"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        timeout = aiohttp.ClientTimeout(
            total=self.limits.timeout_s, sock_connect=self.limits.connect_timeout_s, sock_read=self.limits.idle_timeout_s
        )
        self._session = aiohttp.ClientSession(
            headers=headers,
            timeout=timeout,
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=True,
        )
        return self._session

    async def _refused(self, status: int, headers: Mapping[str, str], told: ErrorBody) -> Reply | _Trouble:
        """A status that is not 200. Raises ModelError where no further request can succeed."""
        what = verdict(status, told)
        message = self._clean(told.message) or f"HTTP {status}"
        if what == "fatal":
            raise ModelError(await self._hopeless(status, message))
        if what == "filtered":
            return Reply(finish="filter", refusal=True)
        if what == "too_long":
            return _Trouble(Failure(kind="too_long", message=message, status=status), "never")
        if what == "unsupported":
            self._adapt(refused_parameter(told))
            return _Trouble(Failure(kind="bad_request", message=message, status=status), "now")
        if what == "bad_request":
            if not self._answered:
                raise ModelError(f"{self.name}: the first request was refused (HTTP {status}): {message}")
            return _Trouble(Failure(kind="bad_request", message=message, status=status), "never")
        wait_s = retry_after_s(headers)
        if status == 429:
            self._slow_down(wait_s)
            return _Trouble(Failure(kind="rate_limit", message=message, status=status), wait_s=wait_s)
        return _Trouble(Failure(kind="server", message=message, status=status), wait_s=wait_s)

    def _adapt(self, field: str) -> None:
        """Remember a field that this model refuses: rename the token limit, leave out anything else."""
        if field == self._limit_field and not self._renamed:
            self._limit_field = "max_tokens" if field == "max_completion_tokens" else "max_completion_tokens"
            self._renamed = True
        else:
            self.without |= {field}
        self._tails.clear()

    def _slow_down(self, wait_s: float | None) -> None:
        """After a 429: all wait what the provider asks, and half as many go at once (AIMD, Chiu and Jain 1989)."""
        if wait_s is not None:
            self._pace.pause(min(wait_s, MOST_PATIENCE_S))
        now = time.monotonic()
        if now - self._halved_at > 1.0:
            self._halved_at = now
            self._allowed = max(1.0, min(self._allowed, self._active + 1.0) / 2)

    async def _turn(self) -> None:
        """Wait until fewer requests are under way than are allowed now."""
        while self._active >= self._allowed:
            ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(ticket)
            await ticket

    def _wake(self) -> None:
        free = self._allowed - self._active
        while self._waiting and free >= 1:
            ticket = self._waiting.popleft()
            if not ticket.done():
                ticket.set_result(None)
                free -= 1

    def _clean(self, text: str) -> str:
        """Provider text without the key, on one line, bounded."""
        if self._key:
            text = text.replace(self._key, "[key]")
        return " ".join(text.split())[:400]

    async def models(self) -> list[str]:
        """Names that the server offers; empty when it does not say. Raises nothing."""
        session = self._session or self._open()
        try:
            async with session.get(f"{self.base_url}/models", timeout=aiohttp.ClientTimeout(total=10)) as response:
                return wire.model_names(await response.content.read(1_000_000)) if response.status == 200 else []
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
            return []

    async def _hopeless(self, status: int, message: str) -> str:
        if status in (401, 403):
            key = f"the key in {self._key_env}" if self._key else "no key was sent"
            mend = f"Check {key}." if self._key else "Set the provider's key, or name its variable with --api-key-env."
            return f"{self.name}: {self.base_url} refused the request (HTTP {status}; {key}): {message} {mend}"
        if status in (404, 405):
            offered = await self.models()
            if offered and self.model not in offered:
                close = nearest(self.model, offered) or offered[:8]
                return f"{self.name}: {self.base_url} has no model {self.model!r}. Did you mean: {', '.join(close)}?"
            if not offered:
                return self._wrong_address(f"HTTP {status}: {message}")
        return f"{self.name}: {self.base_url} refused the request (HTTP {status}): {message}"

    def _wrong_address(self, why: str) -> str:
        advice = (
            "" if urlsplit(self.base_url).path.rstrip("/").endswith("/v1") else " Most servers want a path that ends in /v1."
        )
        return f"{self.name}: {self._url} is no chat endpoint ({why}). Check --base-url.{advice}"

    def _unreachable(self, error: Exception) -> str:
        return (
            f"{self.name}: cannot reach {self.base_url} ({self._clean(str(error))}). "
            "Is the server running, and is --base-url right?"
        )
