"""Model names: PROVIDER/NAME."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], *, most: int = 5) -> list[str]:
    """The known names that look most like `name`, best first."""
    names = list(known)
    holding = [k for k in names if name and (name.lower() in k.lower() or k.lower() in name.lower())]
    return list(dict.fromkeys([*difflib.get_close_matches(name, names, most, 0.5), *holding]))[:most]
