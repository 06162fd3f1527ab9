"""What the boards may know: which acts are published, and which of their parts. Everything else stays in the house.

A board needs no names, no boxes and no reasons that people typed in. A kind that is not listed is not published.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from signage.positions import Position

METER: Final = "jackpot.meter"
_HIT: Final = ("hit", "link", "table", "hand", "kind", "amount", "from_pool", "status")

PUBLISHED: Final[Mapping[str, tuple[str, ...]]] = {
    "keno.opened": ("game", "opens_at", "closes_at", "gaming_day", "device", "commitment"),
    "keno.moved": ("game", "new"),
    "keno.closed": ("game", "closed_at"),
    "keno.ball": ("game", "attempt", "place", "number"),
    "keno.ball-fell-back": ("game", "attempt", "number"),
    "keno.drawn": ("game", "attempt", "numbers", "ticket_root", "ticket_count"),
    "keno.settled": (
        "game", "attempt", "numbers", "device", "commitment", "ticket_root", "ticket_count", "seed", "jackpots",
    ),
    "keno.voided": ("game", "attempt", "numbers", "seed", "device", "commitment"),
    "keno.invalidated": ("game", "cause"),
    "jackpot.pool-opened": ("code", "title"),
    "jackpot.retired": ("code",),
    "jackpot.table-joined": ("table", "link"),
    "jackpot.table-opened": ("table",),
    "jackpot.table-closed": ("table",),
    "jackpot.table-suspended": ("table",),
    "jackpot.hit": _HIT,
    "jackpot.hit-verified": _HIT,
    "jackpot.hit-paid": _HIT,
    "jackpot.hit-denied": _HIT,
    "jackpot.mystery-sealed": ("code", "number", "floor", "ceiling", "commitment", "ticket_root"),
    "jackpot.mystery-revealed": ("code", "number", "floor", "ceiling", "commitment", "ticket_root", "point", "seed"),
    "promotion.result": ("promotion", "name", "draw", "numbers", "prize", "winners", "proof_url"),
}  # fmt: skip
KINDS: Final = sorted(PUBLISHED)


@dataclass(frozen=True, slots=True)
class Event:
    """Something a board is told. *before* is the act published just before it; a meter, which is no act, has none."""

    position: Position
    kind: str
    data: Mapping[str, Any]
    before: Position | None = None

    def encoded(self, *, with_id: bool = True) -> bytes:
        """As server-sent events are written. Without an id it does not move the listener's place in the log."""
        said = f"id: {self.position}\n" if with_id else ""
        return f"{said}event: {self.kind}\ndata: {written(self.data)}\n\n".encode()


def written(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def public(kind: str, subject: str, at: datetime, data: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of an act that everybody may see, and when it was."""
    known = dict(data)
    named = subject.partition(":")[2]
    if subject.startswith("jackpot:"):
        known.setdefault("code", named)
    elif subject.startswith("table:"):
        known.setdefault("table", named)
    if isinstance(totals := known.get("totals"), Mapping):
        known["jackpots"] = totals.get("jackpots") or {}
    shown = {name: known[name] for name in PUBLISHED[kind] if name in known}
    return {"at": at.astimezone(UTC).isoformat(timespec="milliseconds"), **shown}
