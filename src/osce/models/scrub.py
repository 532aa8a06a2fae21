"""Keeping a key out of everything that is printed or written."""

from __future__ import annotations

import re
from urllib.parse import quote

SHORTEST_FRAGMENT = 6
"""Providers echo a key masked ("sk-pro****abcd"): a word that starts or ends like the key is taken out whole."""
_MASK = "[key]"


class Scrubber:
    """Takes one key out of text and bytes. An empty key takes out nothing."""

    def __init__(self, key: str) -> None:
        forms = {key, quote(key, safe="")} if key else set()
        self._forms = sorted(forms, key=len, reverse=True)
        self._raw = [form.encode() for form in self._forms]
        fragments = {key[:SHORTEST_FRAGMENT], key[-SHORTEST_FRAGMENT:]} if len(key) >= 3 * SHORTEST_FRAGMENT else set()
        self._fragments = tuple(fragments)

    def body(self, data: bytes) -> bytes:
        """A response body without the key (a server that echoes its request must not get it into the ledger)."""
        for raw in self._raw:
            if raw in data:
                data = data.replace(raw, _MASK.encode())
        return data

    def text(self, text: str, *, most: int = 400) -> str:
        """Provider text on one line of at most `most` characters, without the key and without masked forms of it."""
        for form in self._forms:
            text = text.replace(form, _MASK)
        words = re.split(r"([\s\"'`,;]+)", text)
        shown = "".join(_MASK if any(f in word for f in self._fragments) else word for word in words)
        # whatever follows "Bearer" is a credential, ours or not
        shown = re.sub(r"(?i)\bbearer\s+[^\s\"',]{4,512}", "Bearer [key]", " ".join(shown.split()))
        return shown if len(shown) <= most else shown[: most - 1] + "…"
