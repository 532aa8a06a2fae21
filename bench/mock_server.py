"""A mock OpenAI-compatible server that costs little CPU: `python bench/mock_server.py PORT LATENCY_MS`.

Answers every POST with the same completion (streamed when asked to), every GET with one model. For measuring harnesses only.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import cast

CONTENT = "I compared the options with the findings.\n<answer>A</answer> ANSWER: A"
LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)


def _http(body: bytes, kind: bytes = b"application/json") -> bytes:
    return b"HTTP/1.1 200 OK\r\ncontent-type: %b\r\ncontent-length: %d\r\n\r\n%b" % (kind, len(body), body)


def _completion() -> bytes:
    usage = {"prompt_tokens": 120, "completion_tokens": 14, "total_tokens": 134}
    message = {"role": "assistant", "content": CONTENT, "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    body = {"id": "m", "object": "chat.completion", "created": 1, "model": "mock", "choices": [choice], "usage": usage}
    return _http(json.dumps(body).encode())


def _events() -> bytes:
    base = {"id": "m", "object": "chat.completion.chunk", "created": 1, "model": "mock"}
    delta = {"role": "assistant", "content": CONTENT}
    events = [
        {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    return _http(b"".join(b"data: %b\n\n" % json.dumps(e).encode() for e in events) + b"data: [DONE]\n\n", b"text/event-stream")


COMPLETION, EVENTS = _completion(), _events()
MODELS = _http(json.dumps({"object": "list", "data": [{"id": "mock", "object": "model", "created": 1}]}).encode())


class Server(asyncio.Protocol):
    """One connection: whole requests in, fixed answers out after the latency."""

    latency_s = 0.0

    def __init__(self) -> None:
        self.buffer = b""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (head := self.buffer.find(b"\r\n\r\n")) >= 0:
            found = LENGTH.search(self.buffer, 0, head)
            end = head + 4 + (int(found[1]) if found else 0)
            if len(self.buffer) < end:
                return
            request, self.buffer = self.buffer[:end], self.buffer[end:]
            answer = (
                MODELS if request.startswith(b"GET") else EVENTS if re.search(rb'"stream":\s*true', request) else COMPLETION
            )
            if self.latency_s:
                asyncio.get_running_loop().call_later(self.latency_s, self._send, answer)
            else:
                self._send(answer)

    def _send(self, answer: bytes) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(answer)


async def serve(port: int, latency_ms: float) -> None:
    Server.latency_s = latency_ms / 1000
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", port, backlog=4096)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    import uvloop

    uvloop.run(serve(int(sys.argv[1]), float(sys.argv[2])))
