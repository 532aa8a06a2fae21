"""Not asking faster than a provider allows: requests and tokens a minute, one shared pause, fewer at once after a 429."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from osce.core.errors import ModelError


@dataclass(frozen=True)
class Limits:
    """Per client. `retries` are tries after the first one; times in seconds; `max_bytes` bounds one response body.

    `timeout_s` is for one whole try, `connect_timeout_s` for opening the connection, `idle_timeout_s` for silence between
    two pieces of a response (None: silence may last as long as the try; a model that thinks is silent).
    """

    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    retries: int = 8
    timeout_s: float = 600.0
    connect_timeout_s: float = 20.0
    idle_timeout_s: float | None = None
    max_bytes: int = 32 * 1024 * 1024
    backoff_s: float = 0.5
    max_backoff_s: float = 60.0

    def __post_init__(self) -> None:
        for name in ("requests_per_minute", "tokens_per_minute", "idle_timeout_s"):
            value = getattr(self, name)
            if value is not None and not 0 < value < inf:
                raise ModelError(f"limit {name} is {value}: it must be more than 0 (leave it out for no limit)")
        for name in ("timeout_s", "connect_timeout_s", "max_bytes"):
            if not 0 < getattr(self, name) < inf:
                raise ModelError(f"limit {name} is {getattr(self, name)}: it must be more than 0")
        for name in ("retries", "backoff_s", "max_backoff_s"):
            if not 0 <= getattr(self, name) < inf:
                raise ModelError(f"limit {name} is {getattr(self, name)}: it must be 0 or more")


class Bucket:
    """A token bucket. It holds a second's worth (at least `least`), and may go into debt for a request larger than that,
    so that the mean over a minute is what was asked for and no burst opens it. `clock` gives seconds."""

    def __init__(self, per_minute: float, clock: Callable[[], float], *, least: float = 1.0) -> None:
        self.rate = per_minute / 60.0
        self.size = max(least, self.rate)
        self.level = self.size
        self._clock = clock
        self._at = clock()

    def missing_s(self, amount: float) -> float:
        """Seconds until `amount` may be taken; 0 when it may be taken now."""
        now = self._clock()
        self.level = min(self.size, self.level + (now - self._at) * self.rate)
        self._at = now
        short = min(amount, self.size) - self.level
        # A hair of tolerance: after the wait, rounding may leave it short by less than any clock can tell.
        return short / self.rate if short > 1e-6 * self.size else 0.0

    def take(self, amount: float) -> None:
        self.level -= amount

    def give_back(self, amount: float) -> None:
        """What an estimate took too much (or, negative, too little)."""
        self.level = min(self.size, self.level + amount)


class Pace:
    """When the next request may go. First come, first served; waiting costs one timer in all, not one for each.

    Tokens are estimated before a request (body bytes times a learned ratio, plus the mean answer so far) and corrected when
    the provider has counted them. All times are those of the running event loop.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] | None = None) -> None:
        self.limits = limits
        self.free = limits.requests_per_minute is None and limits.tokens_per_minute is None
        """Nothing to wait for: the hot path passes by."""
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        self._requests: Bucket | None = None
        self._tokens: Bucket | None = None
        self._ready = False
        self._not_before = 0.0
        self._waiting: deque[tuple[float, asyncio.Future[None]]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._tokens_per_byte = 0.25
        self._answer_tokens: float | None = None

    def estimate(self, body_bytes: int, max_tokens: int | None) -> float:
        """Tokens of a request that has not been sent yet."""
        answer = self._answer_tokens if self._answer_tokens is not None else 500.0
        return body_bytes * self._tokens_per_byte + (answer if max_tokens is None else min(answer, max_tokens))

    def learn(self, estimated: float, body_bytes: int, sent: int | None, got: int | None) -> None:
        """After an answer: settle the estimate with what was counted, and guess better next time. None: not counted."""
        if sent is not None and body_bytes:
            self._tokens_per_byte += 0.1 * (sent / body_bytes - self._tokens_per_byte)
        if got is not None:
            self._answer_tokens = (
                got if self._answer_tokens is None else self._answer_tokens + 0.1 * (got - self._answer_tokens)
            )
        if sent is not None and got is not None:
            self.settle(estimated - sent - got)

    def settle(self, too_much: float) -> None:
        """Give back tokens that were not used (a refused request uses none)."""
        if self._tokens is not None:
            self._tokens.give_back(too_much)
            if self._waiting:
                self._release()

    def pause(self, seconds: float) -> None:
        """Nobody of this client asks before so many seconds have gone."""
        self._not_before = max(self._not_before, self._clock() + seconds)
        self.free = False

    async def wait(self, tokens: float) -> None:
        """Wait for the turn of a request of about so many tokens."""
        if not self._ready:
            self._start()
        if not self._waiting and self._missing_s(tokens) <= 0:
            self._take(tokens)
            return
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((tokens, ticket))
        if len(self._waiting) == 1:
            self._release()
        await ticket

    def _start(self) -> None:
        self._ready = True
        if self.limits.requests_per_minute is not None:
            self._requests = Bucket(self.limits.requests_per_minute, self._clock)
        if self.limits.tokens_per_minute is not None:
            self._tokens = Bucket(self.limits.tokens_per_minute, self._clock)

    def _missing_s(self, tokens: float) -> float:
        missing_s = self._not_before - self._clock()
        if self._requests is not None:
            missing_s = max(missing_s, self._requests.missing_s(1.0))
        if self._tokens is not None:
            missing_s = max(missing_s, self._tokens.missing_s(tokens))
        return missing_s

    def _take(self, tokens: float) -> None:
        if self._requests is not None:
            self._requests.take(1.0)
        if self._tokens is not None:
            self._tokens.take(tokens)
        if self._requests is None and self._tokens is None and not self._waiting:
            self.free = True  # the pause is over

    def _release(self) -> None:
        """Let go whoever may go, and come back when the next one may."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._waiting:
            tokens, ticket = self._waiting[0]
            if ticket.done():  # its request was cancelled
                self._waiting.popleft()
                continue
            missing_s = self._missing_s(tokens)
            if missing_s > 0:
                self._timer = asyncio.get_running_loop().call_later(missing_s, self._release)
                return
            self._waiting.popleft()
            self._take(tokens)
            ticket.set_result(None)


class Gate:
    """How many requests may be under way. Open until a provider says "too many"; then half as many, and one more for each
    round of answers (additive increase, multiplicative decrease: Chiu and Jain 1989), until it is as wide as it was needed."""

    def __init__(self) -> None:
        self.active = 0
        self.allowed = inf
        self._widest = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> None:
        if self.active < self.allowed and not self._waiting:
            self.active += 1
            return
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(ticket)
        try:
            await ticket
        except asyncio.CancelledError:
            if ticket.done() and not ticket.cancelled():
                self.leave()  # the place was given to a request that has been cancelled since
            raise

    def leave(self) -> None:
        self.active -= 1
        if self._waiting:
            self._admit()

    def answered(self) -> None:
        """A request came home well."""
        if self.allowed != inf:
            self.allowed += 1.0 / self.allowed
            if self.allowed > self._widest:
                self.allowed = inf
            self._admit()

    def narrow(self) -> None:
        """A provider said "too many": half of what is under way."""
        if self.allowed == inf:
            self._widest = self.active + 1
        self.allowed = max(1.0, min(self.allowed, float(self.active + 1)) / 2)

    def _admit(self) -> None:
        while self._waiting and self.active < self.allowed:
            ticket = self._waiting.popleft()
            if not ticket.done():
                self.active += 1
                ticket.set_result(None)
