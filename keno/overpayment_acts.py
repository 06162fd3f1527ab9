"""The acts about what was paid and not won: recorded, asked back, received, written off. Pure: see ``acts.py``.

What a game that was settled again makes of its paid prizes follows from the game (``resettle_acts.py``): such an
overpayment is named by its ticket and *game*. Another one is named by its number, and *game* is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from keno.acts import OfTicket
from kernel.acts import Act
from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class OverpaymentRecorded(OfTicket):
    """More was handed out with this payment than was owed: two people say so."""

    kind: ClassVar[str] = "keno.overpayment-recorded"
    overpayment: int
    payment: int
    amount: Money
    proposal: int

    def sentence(self) -> str:
        return f"recorded that ticket {self.ticket} was paid ${self.amount} too much"


@dataclass(frozen=True, slots=True, kw_only=True)
class OverpaymentAsked(OfTicket):
    """*how*: at the counter, by letter, by telephone; or whom to ask was not found out."""

    kind: ClassVar[str] = "keno.overpayment-asked"
    overpayment: int
    game: int | None
    how: str

    def sentence(self) -> str:
        return f"asked back what ticket {self.ticket} was paid too much"


@dataclass(frozen=True, slots=True, kw_only=True)
class OverpaymentReceived(OfTicket):
    """In cash, into the drawer of whoever received it."""

    kind: ClassVar[str] = "keno.overpayment-received"
    overpayment: int
    game: int | None
    amount: Money

    def sentence(self) -> str:
        return f"received ${self.amount} back that ticket {self.ticket} was paid too much"


@dataclass(frozen=True, slots=True, kw_only=True)
class OverpaymentWrittenOff(OfTicket):
    """All that had not come back: the house's loss, by two people."""

    kind: ClassVar[str] = "keno.overpayment-written-off"
    overpayment: int
    game: int | None
    amount: Money
    proposal: int

    def sentence(self) -> str:
        return f"wrote off ${self.amount} that ticket {self.ticket} was paid too much"


ALL: tuple[type[Act], ...] = (OverpaymentAsked, OverpaymentReceived, OverpaymentRecorded, OverpaymentWrittenOff)
