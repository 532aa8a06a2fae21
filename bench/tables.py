"""Put a generated table between its markers: `python bench/answers.py | python bench/tables.py docs/performance.md answers`.

The markers are <!-- NAME:begin --> and <!-- NAME:end -->; text that is no Markdown table is shown as code.
"""

from __future__ import annotations

import sys
from pathlib import Path


def put(path: Path, name: str, text: str) -> None:
    """Replace what stands between the markers; a file without them (or a new one) becomes the table alone."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if begin in old and end in old.split(begin, 1)[1]:
        before, rest = old.split(begin, 1)
        text = f"{before}{begin}\n{text.rstrip()}\n{end}{rest.split(end, 1)[1]}"
    elif old.strip() and not old.lstrip().startswith("|"):
        raise SystemExit(f"{path} is no table and has no line {begin}")
    path.write_text(text.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    text = sys.stdin.read().strip("\n")
    put(Path(sys.argv[1]), sys.argv[2], text if "\n|--" in text else f"```\n{text}\n```")
