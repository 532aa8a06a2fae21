"""What a runner prints: one JSON line with CPU and wall time between start and stop, and the peak memory of its process."""

from __future__ import annotations

import json
import os
import resource
import sys
import time


def cpu_s() -> float:
    """CPU seconds of this process with all its threads, and of the child processes that it has waited for."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


def peak_mb() -> float:
    """Peak resident memory. On Linux from /proc: getrusage counts there what the parent held at the fork, too."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024
    except (OSError, StopIteration):
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return rss / 2**20 if sys.platform == "darwin" else rss / 1024


class Measure:
    def __enter__(self) -> Measure:
        self._wall, self._cpu = time.perf_counter(), cpu_s()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall_s = time.perf_counter() - self._wall
        self.cpu_s = cpu_s() - self._cpu

    def report(self, n: int, version: str, answered: int, score: float | None) -> None:
        """`answered` guards against a harness that is quick because it failed, `score` (mean over the items; None = does not
        grade) against one that graded nothing: the server's one answer is right for every fourth item."""
        found = {"n": n, "answered": answered, "score": score, "cpu_s": self.cpu_s, "wall_s": self.wall_s}
        print(json.dumps({**found, "rss_mb": peak_mb(), "version": version}), file=sys.__stdout__, flush=True)
