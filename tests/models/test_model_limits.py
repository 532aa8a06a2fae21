"""Limits on a clock that only the test moves: a minute passes in no time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from osce.core.errors import ModelError
from osce.models.limits import Bucket, Gate, Limits, Pace


class _NoWait(selectors.DefaultSelector):
    """Instead of sleeping until the next timer, move the clock there."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found and timeout:
            self.now += timeout
        return found


def on_fake_clock(main: Callable[[Callable[[], float]], Coroutine[Any, Any, None]]) -> float:
    """Run `main(clock)`; the seconds that it believes to have taken."""
    selector = _NoWait()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now  # type: ignore[method-assign]
    try:
        loop.run_until_complete(main(lambda: selector.now))
    finally:
        loop.close()
    return selector.now - 1000.0


def test_the_fake_clock_moves() -> None:
    async def main(_clock: Callable[[], float]) -> None:
        await asyncio.sleep(3600)

    assert on_fake_clock(main) == pytest.approx(3600, abs=0.01)


def test_without_limits_nothing_is_waited_for() -> None:
    assert Pace(Limits()).free
    assert not Pace(Limits(requests_per_minute=1)).free


@pytest.mark.parametrize(("per_minute", "requests"), [(60, 180), (600, 1200), (7, 21), (30_000, 60_000)])
def test_requests_keep_to_their_minute(per_minute: int, requests: int) -> None:
    starts: list[float] = []

    async def main(clock: Callable[[], float]) -> None:
        pace = Pace(Limits(requests_per_minute=per_minute))

        async def one() -> None:
            await pace.wait(0)
            starts.append(clock())

        await asyncio.gather(*(one() for _ in range(requests)))

    took = on_fake_clock(main)
    assert took == pytest.approx(60 * requests / per_minute, rel=0.06, abs=10)
    most = max(sum(s <= t < s + 60 for t in starts[i : i + 3 * per_minute]) for i, s in enumerate(starts) if i % 997 == 0)
    burst = max(1, per_minute / 60)
    assert most <= per_minute + burst + 1, "in no minute more than allowed, but for the opening burst of a second"


def test_first_come_first_served() -> None:
    order: list[int] = []

    async def main(_clock: Callable[[], float]) -> None:
        pace = Pace(Limits(requests_per_minute=30))

        async def one(number: int) -> None:
            await pace.wait(0)
            order.append(number)

        await asyncio.gather(*(one(n) for n in range(10)))

    on_fake_clock(main)
    assert order == list(range(10))


def test_tokens_keep_to_their_minute_by_what_was_used_not_by_what_was_feared() -> None:
    """max_tokens of 16,000 and answers of 100: after a few answers the estimate follows what is used."""
    used = 0

    async def main(_clock: Callable[[], float]) -> None:
        nonlocal used
        pace = Pace(Limits(tokens_per_minute=60_000))
        turn = asyncio.Semaphore(16)

        async def one() -> None:
            nonlocal used
            async with turn:
                guess = pace.estimate(1600, 16_000)
                await pace.wait(guess)
                await asyncio.sleep(0.5)
                pace.learn(guess, 1600, 400, 100)
                used += 500

        await asyncio.gather(*(one() for _ in range(600)))

    took = on_fake_clock(main)
    assert used == 300_000
    assert 0.9 * 300 <= took <= 1.15 * 300, "300,000 tokens at 60,000 a minute are five minutes"


def test_what_a_refused_request_did_not_use_is_given_back() -> None:
    async def main(_clock: Callable[[], float]) -> None:
        pace = Pace(Limits(tokens_per_minute=600))
        for _ in range(50):
            await pace.wait(100.0)
            pace.settle(100.0)

    assert on_fake_clock(main) < 1


def test_a_request_larger_than_a_minute_goes_and_is_paid_for_later() -> None:
    async def main(_clock: Callable[[], float]) -> None:
        pace = Pace(Limits(tokens_per_minute=6000))
        await pace.wait(12_000.0)
        await pace.wait(10.0)

    assert on_fake_clock(main) == pytest.approx(120, abs=2)


def test_one_pause_stops_all_and_then_is_forgotten() -> None:
    times: list[float] = []

    async def main(clock: Callable[[], float]) -> None:
        pace = Pace(Limits())
        pace.pause(30)
        assert not pace.free

        async def one() -> None:
            await pace.wait(0)
            times.append(clock() - 1000)

        await asyncio.gather(*(one() for _ in range(20)))
        assert vars(pace)["free"]
        pace.pause(5)
        pace.pause(1)
        await one()

    on_fake_clock(main)
    assert times[:20] == [pytest.approx(30, abs=0.01)] * 20
    assert times[20] == pytest.approx(35, abs=0.01), "a shorter pause does not cut a longer one"


def test_a_cancelled_request_gives_its_turn_to_the_next() -> None:
    async def main(clock: Callable[[], float]) -> None:
        pace = Pace(Limits(requests_per_minute=6))
        await pace.wait(0)
        waiting = [asyncio.create_task(pace.wait(0)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in waiting[:4]:
            task.cancel()
        await waiting[4]
        assert clock() - 1000 == pytest.approx(10, abs=0.1)

    on_fake_clock(main)


def test_a_bucket_never_holds_more_than_a_second() -> None:
    now = 0.0
    bucket = Bucket(600, lambda: now)
    now = 10_000.0
    taken = 0
    while bucket.missing_s(1) == 0:
        bucket.take(1)
        taken += 1
    assert taken == 10


# The gate


def test_the_gate_halves_and_opens_again() -> None:
    async def main(_clock: Callable[[], float]) -> None:
        gate = Gate()
        for _ in range(64):
            await gate.enter()
        gate.narrow()
        assert gate.allowed == 32.5
        for _ in range(64):
            gate.leave()
        rounds = 0
        while gate.allowed != float("inf"):
            for _ in range(int(gate.allowed)):
                gate.answered()
            rounds += 1
        assert 25 <= rounds <= 40, "one more a round"

    on_fake_clock(main)


def test_the_gate_never_closes() -> None:
    async def main(_clock: Callable[[], float]) -> None:
        gate = Gate()
        for _ in range(30):
            gate.narrow()
        await gate.enter()
        assert gate.active == 1

    on_fake_clock(main)


def test_no_more_than_allowed_are_inside_and_everyone_gets_in() -> None:
    async def main(_clock: Callable[[], float]) -> None:
        gate = Gate()
        for _ in range(8):
            await gate.enter()
        gate.narrow()
        for _ in range(8):
            gate.leave()
        inside = most = done = 0

        async def one() -> None:
            nonlocal inside, most, done
            await gate.enter()
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(1)
            inside -= 1
            done += 1
            gate.leave()

        await asyncio.gather(*(one() for _ in range(50)))
        assert (done, most) == (50, 5)

    on_fake_clock(main)


@pytest.mark.parametrize(
    "bad", [{"requests_per_minute": 0}, {"tokens_per_minute": -5}, {"timeout_s": 0}, {"retries": -1}, {"max_bytes": 0},
            {"timeout_s": float("nan")}, {"requests_per_minute": float("nan")}]
)  # fmt: skip
def test_limits_that_make_no_sense_are_refused_by_name(bad: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match=next(iter(bad))):
        Limits(**bad)
