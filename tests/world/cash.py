"""Money over the counter: who gets it, and by what."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.cash.kinds import CashKind
from kernel.actors import Actor
from kernel.money import Money
from kernel.rooms import offered

WHEN = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
DAY = date(2026, 11, 16)
ANNA = Identity(
    name="Anna Marsh",
    born=date(1980, 2, 29),
    address="1 Binara Street",
    document="passport",
    document_number="PA1234567",
)
BEN = Identity(
    name="Ben Ode", born=date(1970, 1, 1), address="2 Main St", document="licence", document_number="7654321"
)
PAYER = Actor("device:W-0001", "Counter 1")


def kind(room: str, what: str) -> CashKind:
    return next(each for each in offered(CashKind) if (each.room, each.what) == (room, what))


def handed(cash: str, *, payment: int, of: str = "keno ticket", day: date = DAY, by: Actor = PAYER, **more: Any) -> Any:
    """So much over the counter, to whoever *more* says."""
    room, what = of.split()
    cheque = more.pop("cheque", None)
    given = HandedOver(
        kind=kind(room, what),
        payment=payment,
        reference=f"T{payment}",
        cash=Money.parse(cash),
        cheque=cheque,
        other=more.pop("other", Money(0)),
        day=day,
        at=more.pop("at", WHEN),
    )
    return hand_over(given, receiver=Receiver(**more), by=by)
