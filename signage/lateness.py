"""Whether the boards keep up with the log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from kernel.redis import client
from kernel.rooms import Lateness
from ledger.models import Act
from signage import tail
from signage.events import Position
from signage.relay import STREAM


def seconds(now: datetime) -> float:
    """How long ago the first published act was written that the boards have not been told."""
    with client() as line:
        last: Any = line.xrevrange(STREAM, count=1)
    told = Position.parse(last[0][0].decode()) if last else None
    if told is None or not tail.is_ours(told):
        return 0.0  # nothing yet: whoever relays begins with what is recent
    waiting = tail.events_after(told, upto=tail.boundary(), most=1)
    if not waiting:
        return 0.0
    at: datetime = Act.objects.values_list("at", flat=True).get(id=waiting[0].position.id)
    return (now - at).total_seconds()


BOARDS = Lateness("boards", "The boards are behind the log", 15.0, seconds)
