"""Speed of `read_choice` on real responses: microseconds per kilobyte and per response.

    python bench/answers.py            the responses under OSCE_TEST_DATA (default ../shared/data beside the checkout)

Each response is read with its item's options prepared anew (cold) and prepared before (warm); each reading counts with its best
of --repeat times.
"""

from __future__ import annotations

import argparse
import gc
import time

from agreement import SETS, Case, cases, data_root
from osce.answers import options, read_choice


def best_us(found: list[Case], repeat: int, *, cold: bool) -> float:
    """Sum over the responses of the best of `repeat` readings each: other processes disturb single readings, not all of them."""
    best = [float("inf")] * len(found)
    clock = time.perf_counter_ns
    gc.disable()  # as timeit does: the corpus held here would make every collection long
    for _ in range(repeat):
        for k, case in enumerate(found):
            if cold:
                options._prepared.cache_clear()
            else:
                options.prepare(case.options)
            start = clock()
            read_choice(case.response, case.options)
            best[k] = min(best[k], clock() - start)
    gc.enable()
    return sum(best) / 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    collections = {name: list(cases(data_root(), name)) for name in SETS}
    collections["all"] = [case for found in collections.values() for case in found]
    print(f"{'responses':18} {'n':>6} {'KB':>8} {'cold µs/KB':>11} {'warm µs/KB':>11} {'warm µs each':>13}")
    for name, found in collections.items():
        kilobytes = sum(len(case.response.encode()) for case in found) / 1024
        cold = best_us(found, args.repeat, cold=True)
        warm = best_us(found, args.repeat, cold=False)
        print(
            f"{name:18} {len(found):6} {kilobytes:8.0f} {cold / kilobytes:11.1f} {warm / kilobytes:11.1f} {warm / len(found):13.1f}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
