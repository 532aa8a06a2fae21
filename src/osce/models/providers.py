"""Where providers are and what their OpenAI-compatible endpoints want: data, no behaviour.

What an endpoint ignores is not sent, so that no run claims a seed or an effort that had no effect. Sources: the providers'
pages on OpenAI compatibility, read 2026-12-01.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Provider:
    """`key_env` is empty where no key is needed, `other_key_envs` are looked at after it. `names` says what the endpoint
    calls a sampling field where that is not the usual name; `ignores` lists fields that it does not heed; `extra` goes into
    every request body."""

    base_url: str
    key_env: str = ""
    other_key_envs: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    ignores: frozenset[str] = frozenset()
    extra: Mapping[str, object] = field(default_factory=dict)


PROVIDERS: dict[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", names={"max_tokens": "max_completion_tokens"}),
    "anthropic": Provider("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", ignores=frozenset({"seed", "reasoning_effort"})),
    "google": Provider("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", ("GOOGLE_API_KEY",)),
    "xai": Provider("https://api.x.ai/v1", "XAI_API_KEY"),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY", names={"seed": "random_seed"}),
    "deepseek": Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", extra={"usage": {"include": True}}),
    "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "groq": Provider("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "vllm": Provider("http://127.0.0.1:8000/v1"),
    "ollama": Provider("http://127.0.0.1:11434/v1"),
    "llamacpp": Provider("http://127.0.0.1:8080/v1"),
}
