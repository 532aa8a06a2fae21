"""Talking to models: OpenAI-compatible HTTP, a local GGUF, baselines; limits and prices."""

from __future__ import annotations

import os

from osce.core.errors import ModelError
from osce.models.baselines import KINDS, Baseline
from osce.models.http import HttpChat
from osce.models.limits import Limits
from osce.models.names import nearest
from osce.models.providers import PROVIDERS

__all__ = ["Baseline", "HttpChat", "Limits", "open_model"]


def open_model(
    spec: str, *, base_url: str | None = None, api_key_env: str | None = None, limits: Limits | None = None
) -> HttpChat | Baseline:
    """A model from its name: PROVIDER/NAME, local/smollm2, local/FILE.gguf, baseline/KIND, or any name with a base URL.

    Keys come from the environment only. Raises ModelError for an unknown provider, a missing key or a local model that
    cannot be started.
    """
    prefix, _, rest = spec.partition("/")
    if prefix == "baseline" and base_url is None:
        return Baseline(rest)
    if prefix == "local" and base_url is None:
        from osce.models.local import open_local

        return open_local(rest, limits)
    provider = PROVIDERS.get(prefix)
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        raise ModelError(f"--base-url {base_url!r} is no address. It must begin with http:// or https://")
    if provider is None and base_url is None:
        raise ModelError(_unknown(spec, prefix))
    model = rest if provider is not None else spec
    if not model:
        raise ModelError(f"{spec!r} names no model. Say {prefix}/NAME.")
    address = base_url or (provider.base_url if provider else "")
    key_env = api_key_env or (provider.key_env if provider and base_url is None else "")
    key = os.environ.get(key_env, "").strip() if key_env else ""
    if key_env and not key:
        raise ModelError(f"{spec} needs a key: set {key_env} in the environment, e.g. export {key_env}=…")
    if base_url is not None and not key and provider is not None and provider.key_env:
        key_env = provider.key_env  # a proxy in front of a provider: the provider's key where it is set, none otherwise
        key = os.environ.get(key_env, "").strip()
    return HttpChat(
        spec,
        model,
        address,
        key=key,
        key_env=key_env,
        limit_field=provider.limit_field if provider and base_url is None else "max_tokens",
        sends_seed=provider.seed if provider else True,
        limits=limits,
    )


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
