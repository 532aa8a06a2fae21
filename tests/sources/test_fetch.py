"""Downloads against a local server that misbehaves on request, and the hub's client against a local endpoint."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest

from osce.core.errors import DataError
from osce.sources import Upstream, Url, obtain
from osce.sources.fetch import fetch
from osce.sources.lock import FILE

BODY = b"".join(b'{"row": %d}\n' % i for i in range(20_000))
SHA = hashlib.sha256(BODY).hexdigest()


@dataclass
class Server:
    """What the server does next, and what it was asked."""

    url: str = ""
    body: bytes = BODY
    statuses: list[int] = field(default_factory=list)
    tear_at: list[int] = field(default_factory=list)
    ranges: bool = True
    asked: list[str | None] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            state.asked.append(wanted)
            if state.statuses:
                self.send_error(state.statuses.pop(0))
                return
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and state.ranges else 0
            if start > len(state.body):
                self.send_error(416)
                return
            body = state.body[start:]
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(state.body) - 1}/{len(state.body)}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if state.tear_at:
                self.wfile.write(body[: state.tear_at.pop(0)])
                self.close_connection = True
                return
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    state.url = f"http://127.0.0.1:{httpd.server_address[1]}/rows.jsonl"
    yield state
    httpd.shutdown()


def declared(server: Server, sha256: str = "") -> Upstream:
    return Upstream("rows.jsonl", "CC0", (Url(server.url, "c0ffee"),), sha256=sha256)


def test_a_download_is_whole_recorded_and_shown(server: Server, tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    path = fetch("bench", declared(server, SHA), tmp_path, progress=lambda done, total: told.append((done, total)))
    assert path == tmp_path / "bench" / "rows.jsonl"
    assert path.read_bytes() == BODY
    assert told[-1] == (len(BODY), len(BODY))
    lock = msgspec.json.decode((tmp_path / FILE).read_bytes())["files"]["bench/rows.jsonl"]
    assert (lock["sha256"], lock["size"], lock["revision"], lock["address"]) == (SHA, len(BODY), "c0ffee", server.url)
    assert not list(path.parent.glob(".*"))


def test_a_torn_download_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    server.tear_at = [1000, 50_000]
    fetch("bench", declared(server), tmp_path, wait_s=0)
    assert server.asked == [None, "bytes=1000-", "bytes=51000-"]
    assert (tmp_path / "bench/rows.jsonl").read_bytes() == BODY


def test_a_part_left_by_a_killed_fetch_is_used(server: Server, tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/.rows.jsonl.part").write_bytes(BODY[:777])
    fetch("bench", declared(server), tmp_path, wait_s=0)
    assert server.asked == ["bytes=777-"]
    assert (tmp_path / "bench/rows.jsonl").read_bytes() == BODY


def test_a_server_without_ranges_starts_again(server: Server, tmp_path: Path) -> None:
    server.ranges, server.tear_at = False, [1000]
    fetch("bench", declared(server), tmp_path, wait_s=0)
    assert (tmp_path / "bench/rows.jsonl").read_bytes() == BODY


def test_a_part_longer_than_the_file_is_thrown_away(server: Server, tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/.rows.jsonl.part").write_bytes(BODY + b"more")
    fetch("bench", declared(server), tmp_path, wait_s=0)
    assert (tmp_path / "bench/rows.jsonl").read_bytes() == BODY


def test_passing_trouble_is_tried_again(server: Server, tmp_path: Path) -> None:
    server.statuses = [503, 500, 429]
    fetch("bench", declared(server), tmp_path, wait_s=0)
    assert len(server.asked) == 4


def test_lasting_trouble_ends_with_what_was_kept(server: Server, tmp_path: Path) -> None:
    server.tear_at = [100, 100, 100, 100]
    with pytest.raises(DataError, match=r"after 4 tries\. 400 bytes are kept"):
        fetch("bench", declared(server), tmp_path, wait_s=0)
    assert not (tmp_path / "bench/rows.jsonl").exists()


@pytest.mark.parametrize("status", [404, 403])
def test_an_address_that_has_no_such_file_is_not_tried_again(server: Server, tmp_path: Path, status: int) -> None:
    server.statuses = [status]
    with pytest.raises(DataError, match=f"answered {status}"):
        fetch("bench", declared(server), tmp_path, wait_s=0)
    assert len(server.asked) == 1


def test_a_second_address_is_tried(server: Server, tmp_path: Path) -> None:
    upstream = Upstream("rows.jsonl", "CC0", (Url("http://127.0.0.1:9/none"), Url(server.url)))
    fetch("bench", upstream, tmp_path, wait_s=0)
    assert (tmp_path / "bench/rows.jsonl").read_bytes() == BODY


def test_another_content_than_pinned_is_refused_and_removed(server: Server, tmp_path: Path) -> None:
    server.body = BODY + b"changed\n"
    with pytest.raises(DataError) as error:
        fetch("bench", declared(server, SHA), tmp_path, wait_s=0)
    assert SHA in str(error.value)
    assert hashlib.sha256(server.body).hexdigest() in str(error.value)
    assert not (tmp_path / "bench/rows.jsonl").exists()


def test_upstream_that_changes_after_the_first_fetch_is_refused_unless_wanted(server: Server, tmp_path: Path) -> None:
    path = fetch("bench", declared(server), tmp_path)
    path.unlink()
    server.body = b'{"row": "new"}\n'
    with pytest.raises(DataError, match=SHA):
        fetch("bench", declared(server), tmp_path)
    assert fetch("bench", declared(server), tmp_path, again=True).read_bytes() == server.body


def test_obtain_fetches_once_and_then_needs_no_network(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    alternatives = [[Upstream("other.csv", "CC0", (Url(server.url + "x", ""),))], [declared(server)]]
    server.statuses = [404]
    index, found = obtain("bench", alternatives)
    assert (index, found[0].origin, found[0].sha256, found[0].revision) == (1, "cache", SHA, "c0ffee")
    monkeypatch.setenv("OSCE_OFFLINE", "1")
    asked = len(server.asked)
    assert obtain("bench", alternatives)[1][0].path == found[0].path
    assert len(server.asked) == asked


HUB_SERVER = """
import hashlib, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
BODY, COMMIT, asked = b'{"a": 1}' * 5000, "1" * 40, []

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def answer(self, body):
        asked.append(self.path)
        if "/missing" in self.path:
            self.send_response(404); self.send_header("X-Error-Code", "EntryNotFound")
            self.send_header("Content-Length", "0"); self.end_headers(); return
        self.send_response(200)
        for k, v in (("X-Repo-Commit", COMMIT), ("ETag", '"' + hashlib.sha256(BODY).hexdigest() + '"'),
                     ("Content-Length", str(len(BODY)))):
            self.send_header(k, v)
        self.end_headers()
        if body: self.wfile.write(BODY)
    def do_HEAD(self): self.answer(False)
    def do_GET(self): self.answer(True)
    def log_message(self, *a): pass

httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=httpd.serve_forever, daemon=True).start()
import os
os.environ["HF_ENDPOINT"] = f"http://127.0.0.1:{httpd.server_address[1]}"
from osce.core.errors import DataError
from osce.sources import Hub, Upstream
from osce.sources.fetch import fetch
from osce.sources.lock import Lock
folder, told = Path(sys.argv[1]), []
good = Upstream("default/test/0000.parquet", "MIT", (Hub("me/rows", "default/test/0000.parquet", "refs/convert/parquet"),))
path = fetch("bench", good, folder, progress=lambda d, t: told.append((d, t)))
assert path.read_bytes() == BODY, path
assert told and told[-1][0] == len(BODY), told
entry = Lock(folder).entries()["bench/default/test/0000.parquet"]
assert entry.revision == COMMIT, entry
assert any("refs%2Fconvert%2Fparquet" in p for p in asked), asked
path.unlink(); asked.clear()
fetch("bench", good, folder)
assert asked and all(COMMIT in p for p in asked), asked  # the recorded commit, not the moving name
assert sorted(p.name for p in path.parent.iterdir()) == ["0000.parquet"]
try:
    fetch("bench", Upstream("m", "MIT", (Hub("me/rows", "missing"),)), folder)
except DataError as error:
    assert "404" in str(error), error
else:
    raise AssertionError("a missing file went unnoticed")
print("done")
"""


def test_the_hub_client_records_the_commit_and_uses_it_again(tmp_path: Path) -> None:
    """In a process of its own, since the hub's client reads its endpoint when it is imported."""
    env = {**os.environ, "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HOME": str(tmp_path / "hf"), "NO_PROXY": "*"}
    script = textwrap.dedent(HUB_SERVER)
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "data")], env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "done"
