"""What a runner prints: one JSON line with CPU and wall time between start and stop, and the peak memory of its process."""

from __future__ import annotations

import json
import resource
import sys
import time


class Measure:
    def __enter__(self) -> Measure:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall_s = time.perf_counter() - self._wall
        self.cpu_s = time.process_time() - self._cpu

    def report(self, n: int, version: str, answered: int) -> None:
        """`answered` guards against a harness that is quick because it failed."""
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            json.dumps(
                {"n": n, "answered": answered, "cpu_s": self.cpu_s, "wall_s": self.wall_s, "rss_mb": rss, "version": version}
            ),
            file=sys.__stdout__,
            flush=True,
        )
