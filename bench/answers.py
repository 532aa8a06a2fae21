"""Speed of `read_choice` on real responses: CPU microseconds per kilobyte and per response.

    python bench/answers.py            the responses under OSCE_TEST_DATA (default ../shared/data beside the checkout)

Each response is read with its item's options prepared anew (cold) and prepared before (warm); best of --repeat passes.
"""

from __future__ import annotations

import argparse
import time

from agreement import SETS, Case, cases, data_root
from osce.answers import options, read_choice


def seconds(found: list[Case], *, cold: bool) -> float:
    """One pass over the responses."""
    if cold:
        options._prepared.cache_clear()
    else:
        for case in found:
            options.prepare(case.options)
    start = time.process_time()
    for case in found:
        read_choice(case.response, case.options)
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    collections = {name: list(cases(data_root(), name)) for name in SETS}
    collections["all"] = [case for found in collections.values() for case in found]
    print(f"{'responses':18} {'n':>6} {'KB':>8} {'cold µs/KB':>11} {'warm µs/KB':>11} {'warm µs each':>13}")
    for name, found in collections.items():
        kilobytes = sum(len(case.response.encode()) for case in found) / 1024
        cold = min(seconds(found, cold=True) for _ in range(args.repeat))
        warm = min(seconds(found, cold=False) for _ in range(args.repeat))
        print(
            f"{name:18} {len(found):6} {kilobytes:8.0f} {cold * 1e6 / kilobytes:11.1f} {warm * 1e6 / kilobytes:11.1f} "
            f"{warm * 1e6 / len(found):13.1f}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
