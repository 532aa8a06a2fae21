"""One graded answer as it stands in the ledger. Self-contained: it can be viewed and graded again without the data set."""

from __future__ import annotations

import msgspec

from osce.core.grades import Grade
from osce.core.items import Item, Message
from osce.core.replies import Reply

Key = tuple[str, str, int]
"""(item id, order, rollout): what makes an answer one of its run."""


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`item` is as shown to the model (options in the order shown, target labels mapped to it); `order` is "natural" or the
    seed of the shuffle; `time` is Unix seconds at the end of the request; `cost_usd` is None where the price is unknown."""

    item: Item
    order: str = "natural"
    rollout: int = 0
    messages: tuple[Message, ...] = ()
    reply: Reply
    grade: Grade
    time: float = 0.0
    cost_usd: float | None = None

    @property
    def key(self) -> Key:
        return (self.item.id, self.order, self.rollout)
