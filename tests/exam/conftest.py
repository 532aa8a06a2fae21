"""A small synthetic data set and a well-behaved local server for tests of running."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from osce.benchmarks.base import Dataset
from osce.benchmarks.prompts import messages
from osce.core.items import Choice, Item
from osce.grading import grade


class Items(Sequence[Item]):
    """n lazily built questions; the gold of item i is its i-th label, round and round."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if not 0 <= index < self.n:
            raise IndexError(index)
        options = dict(zip("ABCD", ("ear", "nose", "throat", "larynx"), strict=True))
        return Item(id=f"q{index}", question=f"Question {index}?", options=options, target=Choice(("ABCD"[index % 4],)))


def dataset(n: int = 12, *, name: str = "toy", data: str = "1") -> Dataset:
    return Dataset(
        benchmark=name,
        variant="",
        items=Items(n),
        messages=lambda item, answer_format: messages(item, answer_format),
        grade=grade,
        version="1",
        source={"data": data},
    )


class Server:
    """Answers `B` to everything after `delay_s`; counts each question asked; can be told to fail."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.delay_s = 0.0
        self.status = 200
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append(body["messages"][-1]["content"])
                time.sleep(outer.delay_s)
                message = {"role": "assistant", "content": "<answer>B</answer>"}
                reply = {
                    "model": "toy",
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
                }
                payload = json.dumps(reply if outer.status == 200 else {"error": {"message": "no"}}).encode()
                self.send_response(outer.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()
