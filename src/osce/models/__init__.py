"""Talking to models: OpenAI-compatible HTTP, a local GGUF, baselines; limits and prices."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from osce.core.errors import ModelError
from osce.models.baselines import KINDS, Baseline
from osce.models.http import HttpChat
from osce.models.limits import Limits
from osce.models.names import nearest
from osce.models.providers import PROVIDERS, Provider

__all__ = ["Baseline", "HttpChat", "Limits", "open_model"]


def open_model(
    spec: str,
    *,
    base_url: str | None = None,
    api_key_env: str | None = None,
    limits: Limits | None = None,
    seed: int = 0,
) -> HttpChat | Baseline:
    """A model from its name: PROVIDER/NAME, local/smollm2, local/FILE.gguf, baseline/KIND, or any name with a base URL.

    Keys come from the environment only. `seed` is for baseline/random. Raises ModelError for an unknown provider, a missing
    key, an address that is none, or a local model that cannot be started.
    """
    prefix, _, rest = spec.partition("/")
    if prefix == "baseline" and base_url is None:
        return Baseline(rest, seed=seed)
    if prefix == "local" and base_url is None:
        from osce.models.local import open_local

        return open_local(rest, limits)
    provider = PROVIDERS.get(prefix)
    if provider is None and base_url is None:
        raise ModelError(_unknown(spec, prefix))
    model = rest if provider is not None else spec
    if not model.strip():
        raise ModelError(f"{spec!r} names no model. Say {prefix}/NAME." if provider else "--model is empty. Say PROVIDER/NAME.")
    own = base_url is None
    address = _address(base_url) if base_url is not None else _at_home(provider, prefix)
    key, key_env = _key(spec, provider, api_key_env, own)
    identity: dict[str, object] = {"model": model} if provider is None else {"provider": prefix, "model": model}
    if not own and address.startswith("https://"):
        # An https address names a service, which may serve another build under the same name. A plain http one is a machine
        # of the user's, and a cluster gives the same server another address every day: no reason to refuse to go on.
        identity["service"] = address
    return HttpChat(spec, model, address, key=key, key_env=key_env, provider=provider, limits=limits, identity=identity)


def _at_home(provider: Provider | None, prefix: str) -> str:
    assert provider is not None, prefix
    return provider.base_url


def _address(base_url: str) -> str:
    """A base URL as a user gives it, checked. Raises ModelError that never shows a password."""
    text = base_url.strip()
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ModelError("--base-url is no address (its host or port cannot be read), e.g. http://127.0.0.1:8000/v1") from None
    if parts.username or parts.password:
        raise ModelError(
            "--base-url holds a user name or password. Keys come from the environment: put it into a variable and name that "
            "with --api-key-env."
        )
    if parts.scheme not in ("http", "https") or not host:
        shown = text if "?" not in text else text.split("?")[0]
        raise ModelError(
            f"--base-url {shown!r} is no address. It begins with http:// or https://, e.g. http://127.0.0.1:8000/v1"
        )
    if parts.query or parts.fragment:
        raise ModelError(f"--base-url must end with its path, before '?' and '#': {parts.scheme}://{parts.netloc}{parts.path}")
    return text.rstrip("/").removesuffix("/chat/completions").rstrip("/")


def _key(spec: str, provider: Provider | None, api_key_env: str | None, own: bool) -> tuple[str, str]:
    """(key, the variable it is from). Needed by a provider at its own address and where a variable is named; at another
    address (a proxy in front of that provider) the provider's key is sent where it is set."""
    names = (api_key_env,) if api_key_env else (provider.key_env, *provider.other_key_envs) if provider else ()
    names = tuple(name for name in names if name)
    for name in names:
        key = os.environ.get(name, "").strip()
        if key and (not key.isascii() or not key.isprintable() or " " in key):
            raise ModelError(f"the key in {name} holds a blank, a line break or another character that no key has")
        if key:
            return key, name
    if names and (own or api_key_env):
        raise ModelError(f"{spec} needs a key: set {' or '.join(names)} in the environment, e.g. export {names[0]}=…")
    return "", names[0] if names else ""


def _unknown(spec: str, prefix: str) -> str:
    known = [*PROVIDERS, "local", "baseline"]
    if "/" not in spec and spec in KINDS:
        return f"{spec!r} is no model. Did you mean baseline/{spec}?"
    close = nearest(prefix, known)
    hint = f" Did you mean {close[0]}/…?" if close else ""
    return (
        f"{spec!r}: {prefix!r} is no provider that osce knows.{hint} Known: {', '.join(known)}. "
        "Any other OpenAI-compatible server: add --base-url URL."
    )
