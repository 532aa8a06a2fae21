"""Whether a model can be used, found out with as little as possible: for `osce doctor`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from osce.core.errors import ModelError
from osce.core.items import Message
from osce.core.replies import Sampling
from osce.models import Baseline, Limits, open_model
from osce.models.local import check_local
from osce.models.names import nearest


@dataclass(frozen=True)
class ModelCheck:
    """`ok`: the model can be used. `known`: it is in the server's list (None: there is no list). `found` and `mend` are one
    sentence each for a person; `mend` is empty when there is nothing to mend."""

    spec: str
    ok: bool
    found: str
    mend: str = ""
    key: Literal["set", "none"] = "none"
    known: bool | None = None
    latency_s: float | None = None


async def check(
    spec: str, *, base_url: str | None = None, api_key_env: str | None = None, ask: bool = False, timeout_s: float = 30.0
) -> ModelCheck:
    """Look at the server's list of models, which costs nothing; put one short question to it where that does not settle the
    matter, or where `ask` says so. A local model is started only to be asked. Raises nothing."""
    try:
        if spec.startswith("local/") and base_url is None and not ask:
            found = check_local(spec.removeprefix("local/"))
            return ModelCheck(spec, True, f"{found['model']}, {found['runtime']}", known=True)
        limits = Limits(retries=1, timeout_s=timeout_s, connect_timeout_s=min(10.0, timeout_s))
        model = open_model(spec, base_url=base_url, api_key_env=api_key_env, limits=limits)
    except ModelError as error:
        return ModelCheck(spec, False, "cannot be used", str(error))
    if isinstance(model, Baseline):
        return ModelCheck(spec, True, "a baseline needs nothing", known=True)
    try:
        offered = await model.models()
        known = None if offered is None else model.model in offered
        state = ModelCheck(spec, True, "", key="set" if model.has_key else "none", known=known)
        if known and not ask:
            return replace(state, found=f"{model.base_url} offers it")
        reply = await model.chat((Message("user", "Reply with the word ready."),), Sampling(max_tokens=64))
    except ModelError as error:
        return ModelCheck(spec, False, "cannot be used", str(error), key="set" if model.has_key else "none")
    finally:
        await model.close()
    if reply.failure is not None:
        return replace(
            state, ok=False, found=f"{reply.failure.kind}: {reply.failure.message}", mend="try again, see docs/models.md"
        )
    found_text = f"answered in {reply.latency_s:.2f} s"
    if known is False and offered:
        found_text += f" (though its list lacks the name; near: {', '.join(nearest(model.model, offered)) or 'none'})"
    return replace(state, found=found_text, latency_s=reply.latency_s)
