"""The proxy of the environment, looked up once per client."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(base_url: str) -> str | None:
    """HTTP(S)_PROXY for this address unless NO_PROXY or loopback exempts it; only http and https proxies can be used."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    if host in ("localhost", "127.0.0.1", "::1") or not host:
        return None
    proxies = getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    if not found or proxy_bypass(host):
        return None
    if "://" not in found:
        found = f"http://{found}"
    return found if urlsplit(found).scheme in ("http", "https") else None
