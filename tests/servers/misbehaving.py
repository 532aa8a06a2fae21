"""An OpenAI-compatible server that misbehaves on request, on raw sockets so that it can lie about HTTP itself.

    with Misbehaving() as server:
        server.next("429", "429", "ok")      # faults for the next requests, in order
        server.always = "html"               # and for all that follow (default: "ok")
        open_model("vllm/toy", base_url=server.url)

It runs in a thread of its own, so synchronous and asynchronous tests and child processes can use it. `server.bodies` and
`server.heads` hold what was asked. A fault is a name in FAULTS, an int (that status), or an async function
(server, writer, body) of the test's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from email.utils import formatdate
from typing import Any

Fault = Callable[["Misbehaving", asyncio.StreamWriter, dict[str, Any]], Awaitable[None]]
TEXT = "<answer>B</answer>"
COUNTED = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def completion(content: Any = TEXT, **message: Any) -> dict[str, Any]:
    """A well-formed answer; `message` goes into its message."""
    return {
        "id": "1",
        "object": "chat.completion",
        "model": "toy",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": "stop"}],
        "usage": dict(COUNTED),
    }


def http(status: int, body: bytes | str | dict[str, Any], kind: str = "application/json", **headers: str) -> bytes:
    """A response with the right length; header names have _ for -."""
    data = json.dumps(body).encode() if isinstance(body, dict) else body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} X", f"content-type: {kind}", f"content-length: {len(data)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def error(message: str, code: Any = None, param: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "some_error", "param": param, "code": code}}


def events(*payloads: Any, done: bool = True) -> bytes:
    lines = [b": a comment\n\n"] + [b"data: " + json.dumps(p).encode() + b"\n\n" for p in payloads]
    return b"".join(lines) + (b"data: [DONE]\n\n" if done else b"")


def delta(content: Any = None, finish: str | None = None, **rest: Any) -> dict[str, Any]:
    return {"model": "toy", "choices": [{"index": 0, "delta": {"content": content, **rest}, "finish_reason": finish}]}


def says(data: bytes) -> Fault:
    async def fault(_server: Misbehaving, writer: asyncio.StreamWriter, _body: dict[str, Any]) -> None:
        writer.write(data)

    return fault


def answers(content: Any = TEXT, finish: str | None = "stop", usage: Any = ..., **message: Any) -> Fault:
    whole = completion(content, **message)
    whole["choices"][0]["finish_reason"] = finish
    if usage is not ...:
        whole["usage"] = usage
    return says(http(200, whole))


async def _reset(_server: Misbehaving, writer: asyncio.StreamWriter, _body: dict[str, Any]) -> None:
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # RST instead of FIN
    writer.transport.abort()


async def _hang_up(_server: Misbehaving, writer: asyncio.StreamWriter, _body: dict[str, Any]) -> None:
    writer.close()


async def _silence(server: Misbehaving, _writer: asyncio.StreamWriter, _body: dict[str, Any]) -> None:
    await server.until_closed()


async def _slow_headers(server: Misbehaving, writer: asyncio.StreamWriter, _body: dict[str, Any]) -> None:
    for byte in http(200, completion())[:40]:
        writer.write(bytes([byte]))
        await writer.drain()
        await server.until_closed(0.1)


async def _endless_events(server: Misbehaving, writer: asyncio.StreamWriter, _body: dict[str, Any]) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n")
    piece = events(delta("word "), done=False)
    while not await server.until_closed(0.01):
        writer.write(piece)
        await writer.drain()


async def _endless_spaces(server: Misbehaving, writer: asyncio.StreamWriter, _body: dict[str, Any]) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
    while not await server.until_closed(0.001):
        writer.write(b" " * 65536)
        await writer.drain()


async def _done_but_open(server: Misbehaving, writer: asyncio.StreamWriter, _body: dict[str, Any]) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + events(delta(TEXT), delta(finish="stop")))
    await writer.drain()
    await server.until_closed()


async def _ok_then_close(_server: Misbehaving, writer: asyncio.StreamWriter, _body: dict[str, Any]) -> None:
    """A good answer on a connection that is called keep-alive and dies when it is used again."""
    writer.write(http(200, completion(), connection="keep-alive"))
    await writer.drain()
    setattr(writer, "dies", True)  # noqa: B010


async def _cut_short(_server: Misbehaving, writer: asyncio.StreamWriter, _body: dict[str, Any]) -> None:
    writer.write(http(200, completion())[:-20])
    await writer.drain()
    writer.close()


FAULTS: dict[str, Fault] = {
    "ok": answers(),
    "429": says(http(429, error("slow down"))),
    "429-now": says(http(429, error("slow down"), retry_after="0")),
    "429-1s": says(http(429, error("slow down"), retry_after="1")),
    "429-ms": says(http(429, error("slow down"), retry_after_ms="150")),
    "html": says(http(200, "<!doctype html><title>Sign in</title>", "text/html")),
    "truncated": says(http(200, json.dumps(completion())[:-30])),
    "empty-body": says(http(200, b"")),
    "no-choices": says(http(200, {"choices": [], "usage": {}})),
    "not-a-dict": says(http(200, b"[1, 2]")),
    "cut-short": _cut_short,
    "reset": _reset,
    "hang-up": _hang_up,
    "silence": _silence,
    "slow-headers": _slow_headers,
    "endless-events": _endless_events,
    "endless-spaces": _endless_spaces,
    "done-but-open": _done_but_open,
    "ok-then-close": _ok_then_close,
    "empty": answers(""),
    "null": answers(None),
    "events": says(
        http(
            200,
            events(delta("<answer>"), delta("B</answer>"), delta(finish="stop"), {"choices": [], "usage": COUNTED}),
            "text/event-stream",
        )
    ),
    "torn-events": says(http(200, events(delta("<answer>"), done=False), "text/event-stream")),
}  # fmt: skip


def retry_at(seconds: float, *, skew: float = 0.0) -> Fault:
    """429 with Retry-After as an HTTP date; `skew` sets the server's clock wrong."""
    import time

    now = time.time() + skew
    return says(
        http(429, error("later"), retry_after=formatdate(now + seconds, usegmt=True), date=formatdate(now, usegmt=True))
    )


class Misbehaving:
    """See the module. `models` is what GET /v1/models lists (None: 404); `key` is the only good key (None: any)."""

    def __init__(self, *, path: str = "/v1", key: str | None = None) -> None:
        self.path = path
        self.key = key
        self.models: list[str] | None = ["toy", "toy-large"]
        self.always: str | int | Fault = "ok"
        self.bodies: list[dict[str, Any]] = []
        self.heads: list[str] = []
        self.connections = 0
        self.active = 0
        self.most_active = 0
        self._script: deque[str | int | Fault] = deque()
        self._loop = asyncio.new_event_loop()
        self._closed = asyncio.Event()
        self._sock = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._sock.getsockname()[1]
        self.root = f"http://127.0.0.1:{self.port}"
        self.url = f"{self.root}{path}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def next(self, *faults: str | int | Fault) -> None:
        self._script.extend(faults)

    def close(self) -> None:
        with contextlib.suppress(RuntimeError):  # closed before
            self._loop.call_soon_threadsafe(self._closed.set)
        self._thread.join(5)

    def __enter__(self) -> Misbehaving:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def until_closed(self, seconds: float | None = None) -> bool:
        """Wait for the server's end, or so long; whether it has ended."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closed.wait(), seconds)
        return self._closed.is_set()

    def _serve(self) -> None:
        async def main() -> None:
            server = await asyncio.start_server(self._connection, sock=self._sock)
            await self._closed.wait()
            server.close()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.sleep(0)

        self._loop.run_until_complete(main())
        self._loop.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while not writer.is_closing():
                first = await reader.readexactly(1)
                if first == b"\x16":  # a TLS handshake: real servers answer that they do not understand
                    writer.write(http(400, "bad request", "text/plain"))
                    break
                head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                length = next((int(line[15:]) for line in head.lower().split("\r\n") if line.startswith("content-length:")), 0)
                body = json.loads(await reader.readexactly(length) or b"{}")
                if getattr(writer, "dies", False):
                    break
                await self._answer(head, body, writer)
                await writer.drain()
        writer.close()

    async def _answer(self, head: str, body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        method, path, _ = head.split("\r\n")[0].split(" ")
        authorized = self.key is None or f"authorization: bearer {self.key}".lower() in head.lower()
        if not authorized:
            sent = next((line for line in head.split("\r\n") if line.lower().startswith("authorization")), "no header")
            writer.write(http(401, error(f"Incorrect API key provided: {sent}", "invalid_api_key")))
        elif method == "GET" and path == f"{self.path}/models" and self.models is not None:
            writer.write(http(200, {"object": "list", "data": [{"id": name} for name in self.models]}))
        elif method == "POST" and path == f"{self.path}/chat/completions":
            self.heads.append(head)
            self.bodies.append(body)
            self.active += 1
            self.most_active = max(self.most_active, self.active)
            try:
                await self._fault(self._script.popleft() if self._script else self.always, writer, body)
            finally:
                self.active -= 1
        else:
            writer.write(http(404, "404 page not found", "text/plain"))

    async def _fault(self, fault: str | int | Fault, writer: asyncio.StreamWriter, body: dict[str, Any]) -> None:
        if isinstance(fault, int):
            writer.write(http(fault, error(f"status {fault}")))
        elif isinstance(fault, str):
            await FAULTS[fault](self, writer, body)
        else:
            await fault(self, writer, body)
