"""Child processes that do not outlive the one that measures, the mock server, and their memory."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: even where the parent is killed with -9


DIES_WITH_PARENT = _die_with_parent if sys.platform == "linux" else None


def end_on_sigterm() -> None:
    """Let SIGTERM unwind like an interrupt, so that child processes are ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


@contextlib.contextmanager
def mock_server(latency_ms: float) -> Iterator[str]:
    """The base URL of a mock server in a process of its own."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = int(s.getsockname()[1])
    command = [sys.executable, str(HERE / "mock_server.py"), str(port), str(latency_ms)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=DIES_WITH_PARENT)
    try:
        assert server.stdout is not None
        if server.stdout.readline().strip() != "ready":
            raise SystemExit("the mock server did not start")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.kill()
        server.wait()


def rss_mb(pid: int) -> tuple[float, float] | None:
    """(resident now, peak so far) of a process in MB; None where it is gone or there is no /proc."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        lines = dict(line.split(":", 1) for line in status.splitlines())
        return int(lines["VmRSS"].split()[0]) / 1024, int(lines["VmHWM"].split()[0]) / 1024
    except (OSError, KeyError):
        return None


def machine() -> str:
    """What the figures were measured on, and how busy it was."""
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    return f"{os.cpu_count()} cores, Python {sys.version.split()[0]}{load}"
