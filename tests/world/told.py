"""Acts as a room's check is told them, without an export around them."""

from __future__ import annotations

import copy
from typing import Any, Protocol

from kernel.export_check import ActOnRecord, Doubt
from verify.known_acts import KNOWN_ACTS


class Reads(Protocol):
    def act(self, row: ActOnRecord) -> None: ...


def tell(check: Reads, kind: str, data: dict[str, Any], *, subject: str = ":0", index: int = 0) -> None:
    try:
        act = KNOWN_ACTS[kind].read(copy.deepcopy(data), subject=subject)
    except ValueError as unreadable:
        raise Doubt(f"an act of kind {kind} is not written as it should be: {unreadable}.") from unreadable
    check.act(ActOnRecord(index, index, index, index, "", "", kind, "system:test", subject, act, None))
