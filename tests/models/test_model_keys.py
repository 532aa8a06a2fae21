"""Opening a model: which names are known, where keys come from, and that a key goes nowhere but into its header."""

from __future__ import annotations

import asyncio
import logging

import msgspec
import pytest

from osce.core.errors import ModelError
from osce.core.items import Message
from osce.core.replies import Sampling
from osce.models import Baseline, HttpChat, Limits, open_model
from osce.models.providers import PROVIDERS
from osce.models.scrub import Scrubber
from servers.misbehaving import Misbehaving, answers, error, http, says

SECRET = "sk-live-0123456789abcdefghijZYX"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in PROVIDERS.values():
        for name in (provider.key_env, *provider.other_key_envs):
            if name:
                monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("prefix", sorted(p for p in PROVIDERS if PROVIDERS[p].key_env))
def test_each_provider_names_its_variable_when_it_is_missing(prefix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match=PROVIDERS[prefix].key_env):
        open_model(f"{prefix}/some-model")
    monkeypatch.setenv(PROVIDERS[prefix].key_env, "  ")
    with pytest.raises(ModelError, match=PROVIDERS[prefix].key_env):
        open_model(f"{prefix}/some-model")
    monkeypatch.setenv(PROVIDERS[prefix].key_env, SECRET)
    model = open_model(f"{prefix}/some-model")
    assert isinstance(model, HttpChat)
    assert model.base_url == PROVIDERS[prefix].base_url
    assert model.identity() == {"provider": prefix, "model": "some-model"}
    assert SECRET not in repr(model) + str(model.identity()) + model.name


@pytest.mark.parametrize("prefix", ["vllm", "ollama", "llamacpp"])
def test_servers_of_ones_own_need_no_key(prefix: str) -> None:
    model = open_model(f"{prefix}/org/some-model")
    assert isinstance(model, HttpChat)
    assert model.model == "org/some-model"


def test_another_variable_may_hold_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="LAB_KEY"):
        open_model("openai/gpt-5", api_key_env="LAB_KEY")
    monkeypatch.setenv("LAB_KEY", SECRET)
    assert isinstance(open_model("openai/gpt-5", api_key_env="LAB_KEY"), HttpChat)
    monkeypatch.setenv("GOOGLE_API_KEY", SECRET)
    assert isinstance(open_model("google/gemini"), HttpChat)


@pytest.mark.parametrize("key", ["sk-one two", "sk-line\nbreak", "schlüssel"])
def test_a_key_that_is_none_is_told_without_showing_it(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ModelError, match="OPENAI_API_KEY") as caught:
        open_model("openai/gpt-5")
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("opnai/gpt-5", "openai"),
        ("antropic/claude", "anthropic"),
        ("ollma/x", "ollama"),
        ("nonsense/x", "--base-url"),
        ("gpt-5", "--base-url"),
        ("random", "baseline/random"),
        ("openai/", "no model"),
        ("openai", "no model"),
        ("", "openai"),
        ("baseline/oracel", "baseline/oracle"),
        ("baseline/", "random"),
        ("local/", "smollm2"),
        ("local/nothing", "smollm2"),
        ("local/no/such/file.gguf", "file.gguf"),
    ],
)
def test_unknown_names_are_answered_with_what_there_is(spec: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError) as caught:
        open_model(spec)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "url",
    ["localhost:8000/v1", "ftp://x/v1", "http://", "http:///v1", "", "http://[::1/v1", "http://host:port/v1",
     "https://user:hunter2@host/v1", "https://host/v1?key=hunter2", "https://host/v1#frag"],
)  # fmt: skip
def test_an_address_that_is_none_is_told_and_shows_no_password(url: str) -> None:
    with pytest.raises(ModelError) as caught:
        open_model("toy", base_url=url)
    assert "hunter2" not in str(caught.value)
    assert "--base-url" in str(caught.value)


def test_identity_is_what_decides_the_answers() -> None:
    def identity(spec: str, url: str) -> dict[str, object]:
        return open_model(spec, base_url=url).identity()

    # a server of one's own has another address every day
    assert (
        identity("vllm/q", "http://10.0.0.1:8000/v1")
        == identity("vllm/q", "http://node7:9000/v1")
        == {"provider": "vllm", "model": "q"}
    )
    # a service by name may serve another build
    assert identity("q", "https://a.example/v1") != identity("q", "https://b.example/v1")
    assert identity("q", "https://a.example/v1") != identity("p", "https://a.example/v1")


def test_baselines_are_opened_by_name() -> None:
    model = open_model("baseline/random", seed=7)
    assert isinstance(model, Baseline)
    assert model.identity() == {"model": "baseline/random", "seed": 7}


# The key goes into one header and nowhere else


@pytest.mark.parametrize(
    "echo",
    [
        says(http(500, error(f"failed with key {SECRET}"))),
        says(http(400, error(f"bad header Authorization: Bearer {SECRET}"))),
        says(http(200, f"not json {SECRET}")),
        says(http(200, error(f"odd {SECRET}"))),
        says(http(429, error(f"key {SECRET[:7]}****{SECRET[-4:]} is limited"), x_key=SECRET)),
        answers(f"you sent {SECRET}", reasoning_content=SECRET),
        "reset",
    ],
)
def test_a_server_that_echoes_the_key_gets_it_nowhere(
    echo: object, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOY_KEY", SECRET)
    caplog.set_level(logging.DEBUG)

    async def go(server: Misbehaving) -> str:
        model = open_model("toy", base_url=server.url, api_key_env="TOY_KEY", limits=Limits(retries=1, backoff_s=0.01))
        assert isinstance(model, HttpChat)
        try:
            reply = await model.chat((Message("user", "Which?"),), Sampling())
            return msgspec.json.encode(reply).decode() + repr(reply)
        except ModelError as caught:
            return str(caught) + repr(caught)
        finally:
            await model.close()
            assert SECRET not in repr(model) + str(model.identity()) + str(model.notes)

    with Misbehaving(key=SECRET) as server:
        server.always = echo  # type: ignore[assignment]
        said = asyncio.run(go(server))
        assert server.heads, "the key was sent"
    out, err = capfd.readouterr()
    for text in (said, out, err, caplog.text):
        assert SECRET not in text
        assert SECRET[:7] not in text


def test_without_a_key_no_header_is_sent() -> None:
    async def go(server: Misbehaving) -> None:
        model = open_model("toy", base_url=server.url)
        assert isinstance(model, HttpChat)
        await model.chat((Message("user", "Which?"),), Sampling())
        await model.close()

    with Misbehaving() as server:
        asyncio.run(go(server))
        assert "authorization" not in server.heads[0].lower()


def test_scrubbing_leaves_other_words_alone() -> None:
    scrub = Scrubber(SECRET)
    assert scrub.text("The model gpt-5 is overloaded; try again.") == "The model gpt-5 is overloaded; try again."
    assert scrub.text(f"a\n {SECRET}\tb") == "a [key] b"
    assert Scrubber("").text("nothing to hide") == "nothing to hide"
    assert Scrubber("").body(b"x") == b"x"
    assert Scrubber("none").text("there is none at all") == "there is [key] at all", "a short key is taken out as it stands"
    assert len(Scrubber("").text("x" * 10_000)) == 400
