"""What to say when a model cannot be used: what happened, where, and how to mend it. Texts only."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import aiohttp

from osce.models.names import nearest


def bad_key(name: str, base_url: str, status: int, message: str, key_env: str, has_key: bool) -> str:
    if has_key:
        mend = f"Check the key in the environment variable {key_env}."
    elif key_env:
        mend = f"No key was sent: set the environment variable {key_env}."
    else:
        mend = "No key was sent: put it into an environment variable and name that with --api-key-env."
    return f"{name}: {base_url} refused the request (HTTP {status}): {_sentence(message)} {mend}"


def no_model(name: str, base_url: str, model: str, offered: Sequence[str], message: str) -> str:
    if not offered:
        said = _sentence(message)
        return f"{name}: {base_url} has no model {model!r}, and lists none: {said} Load a model into the server first."
    close = nearest(model, offered)
    if close:
        return f"{name}: {base_url} has no model {model!r}. Did you mean {_listed(close)}? It offers {_listed(offered)}."
    return f"{name}: {base_url} has no model {model!r}. It offers {_listed(offered)}."


def wrong_address(
    name: str, url: str, base_url: str, status: int, message: str, better: str = "", better_answers: bool = False
) -> str:
    """`better` is another base URL, `better_answers` that a server of the right kind answers there."""
    said = f"HTTP {status}: {message}" if status else message
    if better_answers:
        mend = f"{better} answers: use --base-url {better}"
    elif urlsplit(base_url).path.rstrip("/").endswith("/v1"):
        mend = "Check --base-url; it is the address up to /v1, without /chat/completions."
    else:
        mend = f"Check --base-url: most servers want a path that ends in /v1, here {better}" if better else "Check --base-url."
    return f"{name}: {url} is no chat endpoint ({said}). {mend}"


def unreachable(name: str, base_url: str, said: str, error: Exception) -> str:
    parts = urlsplit(base_url)
    if isinstance(error, aiohttp.ClientSSLError):
        mend = "If it speaks plain http, write http:// in --base-url; else its certificate is not trusted here (SSL_CERT_FILE)."
    elif isinstance(error, aiohttp.ClientConnectorDNSError):
        mend = f"No such host: check the spelling of {parts.hostname} in --base-url, and the network."
    elif isinstance(error, aiohttp.ConnectionTimeoutError):
        mend = "Nobody answers there: check scheme, host and port of --base-url, the firewall, and HTTPS_PROXY."
    else:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        mend = f"Is the server running on port {port}, and is --base-url right?"
    return f"{name}: cannot reach {base_url} ({said}). {mend}"


def refused(name: str, base_url: str, status: int, message: str) -> str:
    return f"{name}: {base_url} refused the request (HTTP {status}): {message}"


def _listed(names: Sequence[str], most: int = 12) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
