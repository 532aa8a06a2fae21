"""Any OpenAI-compatible chat endpoint, on aiohttp and msgspec alone: this is the hot path of every exam.

What keeps it cheap (measured, docs/models.md): the body is bytes joined from parts that are encoded once, only the needed
fields of a response are decoded, no task and no timer of our own per request, no cookie jar, no netrc or proxy look-up per
request (the proxy is found once), and one attribute tells that no limiter has anything to say.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import aiohttp
import msgspec
from yarl import URL

from osce.core.errors import ModelError
from osce.core.items import Message
from osce.core.replies import Failure, Reply, Sampling
from osce.models import advice, wire
from osce.models.limits import Gate, Limits, Pace
from osce.models.providers import Provider
from osce.models.proxies import proxy_for
from osce.models.retry import backoff_s, refused_field, retry_after_s, verdict
from osce.models.scrub import Scrubber
from osce.models.wire import ErrorBody, Malformed

MOST_TRIES = {"malformed": 3, "timeout": 2}
"""Bounds below --retries: what is torn or silent three times stays so, and each such try may cost a whole answer."""
MOST_ADAPTATIONS = 6
MOST_PATIENCE_S = 300.0
"""A provider that asks for a longer wait than this is done with us for today: the run ends in order and can be resumed."""
UNREACHABLE_TRIES = 2
"""Tries before a host that never answered once is called unreachable."""
REFUSALS_BEFORE_STOPPING = 3
"""Requests refused as bad before the first answer: then it is not the items, it is the set-up."""
_MOST_TAILS = 4096


class _TooBig(Exception):
    pass


@dataclass(frozen=True)
class _Trouble:
    """A try that brought no answer. `wait_s` is what the provider asked for. "free" = send again at once, uncounted."""

    failure: Failure
    again: Literal["free", "later", "never"] = "later"
    wait_s: float | None = None


class HttpChat:
    """A Chat over HTTP. Opens its connections on the first request; close() it on the same event loop.

    `notes` are things that a reader of the figures should know: fields that this endpoint refused or ignores.
    """

    def __init__(
        self,
        name: str,
        model: str,
        base_url: str,
        *,
        key: str = "",
        key_env: str = "",
        provider: Provider | None = None,
        limits: Limits | None = None,
        identity: dict[str, object] | None = None,
    ) -> None:
        self.name = name
        self.model = model
        self.base_url = base_url.rstrip("/")
        self.limits = limits or Limits()
        self.key_env = key_env
        self.notes: list[str] = []
        self._key = key
        self._scrub = Scrubber(key)
        self._identity = identity or {"model": model}
        self._url = URL(f"{self.base_url}/chat/completions")
        self._names = provider.names if provider else {}
        self._without: frozenset[str] = provider.ignores if provider else frozenset()
        self._ignored = self._without
        self._head = wire.head(model, provider.extra if provider else {})
        self._tails: dict[Sampling, bytes] = {}
        self._pace = Pace(self.limits)
        self._gate = Gate()
        self._session: aiohttp.ClientSession | None = None
        self._fatal = ""
        self._answered = False
        self._refusals = 0
        self._slowed_at = -1e9
        self._explaining = asyncio.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.base_url!r})"

    @property
    def has_key(self) -> bool:
        return bool(self._key)

    def identity(self) -> dict[str, object]:
        """What decides the answers: provider, model, and an https service that stands in for them; never the key."""
        return dict(self._identity)

    async def close(self) -> None:
        if self._session is not None:
            session, self._session = self._session, None
            await session.close()

    async def chat(self, messages: tuple[Message, ...], sampling: Sampling) -> Reply:
        """Answer; see the protocol. Trouble that outlived the retries is a Failure; hopeless trouble raises ModelError."""
        tries = adapted = freed = 0
        while True:
            self._go_on()
            tail = self._tails.get(sampling) or self._tail(sampling)
            data = wire.body(self._head, messages, tail)
            tries += 1
            outcome = await self._try(data, sampling.max_tokens, tries)
            if isinstance(outcome, Reply):
                return outcome
            failure = outcome.failure
            if failure.kind == "bad_request" and outcome.again == "free":
                # A field was refused. Only a request that now looks otherwise may go again.
                adapted += 1
                if adapted <= MOST_ADAPTATIONS and self._tail(sampling) != tail:
                    tries -= 1
                    continue
                return Reply(failure=failure, attempts=tries)
            if outcome.again == "free" and not freed:
                freed = 1
                tries -= 1
                continue
            most = min(self.limits.retries + 1, MOST_TRIES.get(failure.kind, tries + 1))
            if outcome.again == "never" or tries >= most:
                return Reply(failure=failure, attempts=tries)
            wait_s = backoff_s(tries, self.limits.backoff_s, self.limits.max_backoff_s)
            if outcome.wait_s is not None:  # the jitter keeps those who were told the same time from coming all at once
                wait_s = outcome.wait_s + min(wait_s, 1.0) * 0.2
            await asyncio.sleep(wait_s)

    def _go_on(self) -> None:
        if self._fatal:
            raise ModelError(self._fatal)

    def _tail(self, sampling: Sampling) -> bytes:
        found = self._tails.get(sampling)
        if found is None:
            if len(self._tails) >= _MOST_TAILS:
                self._tails.clear()
            found = self._tails[sampling] = wire.tail(sampling, names=self._names, without=self._without)
            for field in msgspec.to_builtins(sampling).keys() & self._ignored:
                self._note(f"{self.name}: this endpoint does not heed {field}; it is not sent")
        return found

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    async def _try(self, data: bytes, max_tokens: int | None, tries: int) -> Reply | _Trouble:
        """One request, in its turn."""
        gate, pace = self._gate, self._pace
        await gate.enter()
        guess = 0.0
        try:
            if not pace.free:
                guess = pace.estimate(len(data), max_tokens)
                await pace.wait(guess)
                self._go_on()  # others may have met a wall meanwhile
            start = time.perf_counter()
            status, headers, body = await self._post(data)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError, _TooBig) as error:
            return await self._lost(error, tries)
        finally:
            gate.leave()
        took_s = time.perf_counter() - start
        body = self._scrub.body(body)
        if status != 200:
            if guess:
                pace.settle(guess)
            return await self._refused(status, headers, wire.error_body(body), start)
        try:
            reply = wire.read(
                body, events=headers.get("Content-Type", "")[:17] == "text/event-stream", latency_s=took_s, attempts=tries
            )
        except Malformed as error:
            if error.error is not None:
                code = error.error.code
                status = int(code) if code.isdigit() and len(code) == 3 else 500
                return await self._refused(status, headers, error.error, start)
            if not self._answered and wire.is_page(body) and tries >= min(MOST_TRIES["malformed"], self.limits.retries + 1):
                raise ModelError(await self._stop(0, "it answered with a web page, not with JSON", address=True)) from None
            return _Trouble(Failure(kind="malformed", message=self._scrub.text(str(error)), status=status))
        self._answered = True
        gate.answered()
        if guess:
            usage = reply.usage
            pace.learn(guess, len(data), usage.input_tokens, usage.output_tokens)
        return reply

    async def _post(self, data: bytes) -> tuple[int, Mapping[str, str], bytes]:
        session = self._session or self._open()
        most = self.limits.max_bytes
        async with session.post(self._url, data=data, allow_redirects=False) as response:
            headers = response.headers
            length = response.content_length
            if length is not None and length <= most and "Content-Encoding" not in headers:
                return response.status, headers, await response.read()
            events = headers.get("Content-Type", "")[:17] == "text/event-stream"
            read = bytearray()
            async for chunk in response.content.iter_any():
                read += chunk
                if len(read) > most:
                    response.close()
                    raise _TooBig
                if events and b"data: [DONE]" in read[-len(chunk) - 16 :]:
                    response.close()  # the answer is whole, whether or not the server ends the stream
                    break
            return response.status, headers, bytes(read)

    def _open(self) -> aiohttp.ClientSession:
        # "identity": a compressed body would cost CPU here, and could unpack to any size
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "osce",
        }
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        timeout = aiohttp.ClientTimeout(
            total=self.limits.timeout_s,
            sock_connect=self.limits.connect_timeout_s,
            sock_read=self.limits.idle_timeout_s,
            ceil_threshold=30.0,
        )
        self._session = aiohttp.ClientSession(
            headers=headers,
            timeout=timeout,
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, keepalive_timeout=30),
            cookie_jar=aiohttp.DummyCookieJar(),
            proxy=proxy_for(self.base_url),
            trust_env=False,  # aiohttp would look for proxies and netrc in a thread for every request: 0.25 ms each
        )
        return self._session

    def _gone(self) -> str:
        """Why the server is there no more, for one whose process is ours; "" otherwise."""
        return ""

    async def _lost(self, error: Exception, tries: int) -> _Trouble:
        """A try that brought no whole response. Raises ModelError for a host that cannot be reached at the start."""
        gone = self._gone()
        if gone:
            self._fatal = self._fatal or gone
            raise ModelError(self._fatal) from None
        said = self._scrub.text(str(error) or type(error).__name__)
        if isinstance(error, _TooBig):
            too_big = f"a response of more than {self.limits.max_bytes} bytes"
            return _Trouble(Failure(kind="malformed", message=too_big), "never")
        never_there = isinstance(error, aiohttp.ClientConnectorError | aiohttp.InvalidURL | aiohttp.ConnectionTimeoutError)
        if never_there and not self._answered:
            certain = isinstance(error, aiohttp.ClientSSLError | aiohttp.InvalidURL | aiohttp.ConnectionTimeoutError)
            if certain or tries >= min(UNREACHABLE_TRIES, self.limits.retries + 1):
                self._fatal = self._fatal or advice.unreachable(self.name, self.base_url, said, error)
                raise ModelError(self._fatal) from None
        if isinstance(error, TimeoutError):  # aiohttp's own are of both families
            waited = "connection" if never_there else f"whole answer within {self.limits.timeout_s:g} s"
            if isinstance(error, aiohttp.SocketTimeoutError) and not never_there:
                waited = f"byte for {self.limits.idle_timeout_s or self.limits.timeout_s:g} s"
            return _Trouble(Failure(kind="timeout", message=f"no {waited}"))
        # A server may close a connection that lay idle just as we use it again: nothing was lost, so ask again at no cost.
        stale = self._answered and isinstance(error, aiohttp.ServerDisconnectedError | aiohttp.ClientOSError)
        failure = Failure(kind="connection", message=f"{type(error).__name__}: {said}")
        return _Trouble(failure, "free" if stale and not never_there else "later")

    async def _refused(self, status: int, headers: Mapping[str, str], told: ErrorBody, start: float) -> Reply | _Trouble:
        """A status that is not 200, of a request sent at `start`. Raises ModelError where no further request can succeed."""
        what = verdict(status, told)
        message = self._scrub.text(told.message) or f"HTTP {status}"
        if what in ("auth", "no_model", "address", "fatal"):
            where = headers.get("Location", "") if 300 <= status < 400 else ""
            if where:
                message = f"it redirects to {self._scrub.text(where)}"
            raise ModelError(
                await self._stop(status, message, address=what == "address", auth=what == "auth", model=what == "no_model")
            )
        if what == "filtered":
            return Reply(finish="filter", refusal=True)
        if what == "too_long":
            return _Trouble(Failure(kind="too_long", message=message, status=status), "never")
        if what == "unsupported":
            self._leave_out(refused_field(told), message)
            return _Trouble(Failure(kind="bad_request", message=message, status=status), "free")
        if what == "bad_request":
            self._refusals += 1
            if not self._answered and self._refusals >= REFUSALS_BEFORE_STOPPING:
                raise ModelError(await self._stop(status, message))
            return _Trouble(Failure(kind="bad_request", message=message, status=status), "never")
        wait_s = retry_after_s(headers, told.message)
        if wait_s is not None and wait_s > MOST_PATIENCE_S:
            raise ModelError(await self._stop(status, f"{message} It asks to wait {wait_s / 60:.0f} minutes: go on then."))
        if status == 429:
            self._slow_down(wait_s, start)
            return _Trouble(Failure(kind="rate_limit", message=message, status=status), wait_s=wait_s)
        return _Trouble(Failure(kind="server", message=message, status=status), wait_s=wait_s)

    def _leave_out(self, field: str, message: str) -> None:
        """Remember a field that this model refuses; the token limit is then sent under its other name."""
        if field in self._without:
            return
        self._without |= {field}
        self._tails.clear()
        if field == "usage":
            self._head = wire.head(self.model, {})
        elif field not in wire.LIMIT_NAMES or self._without.issuperset(wire.LIMIT_NAMES):
            self._note(f"{self.name}: the model refuses {field}, so it is left out ({message})")

    def _slow_down(self, wait_s: float | None, start: float) -> None:
        """After a 429: all wait what the provider asks, and half as many go at once. What was sent before the last halving
        says nothing about it, so one wave of refusals halves once."""
        if wait_s is not None:
            self._pace.pause(wait_s)
        if start > self._slowed_at:
            self._slowed_at = time.perf_counter()
            self._gate.narrow()

    async def models(self, base_url: str = "") -> list[str] | None:
        """Names that the server offers, perhaps none; None where it does not say. Raises nothing."""
        session = self._session or self._open()
        url = URL(f"{base_url or self.base_url}/models")
        try:
            async with session.get(url, timeout=aiohttp.ClientTimeout(total=10), allow_redirects=False) as response:
                if response.status != 200:
                    return None
                body = bytearray()
                async for chunk in response.content.iter_any():
                    body += chunk
                    if len(body) > 8_000_000:
                        return None
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
            return None
        names = wire.model_names(self._scrub.body(bytes(body)))
        # Google writes "models/NAME" here and takes NAME in a request.
        return [name.removeprefix("models/") for name in names] or (None if wire.is_page(bytes(body)) else [])

    async def _stop(self, status: int, message: str, *, address: bool = False, auth: bool = False, model: bool = False) -> str:
        """Why no further request can succeed, found out once for all requests that are under way."""
        async with self._explaining:
            if self._fatal:
                return self._fatal
            text = ""
            if auth:
                text = advice.bad_key(self.name, self.base_url, status, message, self.key_env, self.has_key)
            elif address or model:
                offered = await self.models()
                if offered is not None and self.model not in offered:
                    text = advice.no_model(self.name, self.base_url, self.model, offered, message)
                elif address:
                    better = f"{self.base_url}/v1" if not self.base_url.endswith("/v1") else ""
                    answers = bool(better) and await self.models(better) is not None
                    text = advice.wrong_address(self.name, str(self._url), self.base_url, status, message, better, answers)
            self._fatal = text or advice.refused(self.name, self.base_url, status, message)
            return self._fatal
