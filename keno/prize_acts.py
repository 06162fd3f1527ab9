"""The acts Keno writes about prizes: looked into (14.3), paid with games to come (10.4). Pure: see ``acts.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from keno.acts import OfTicket
from kernel.acts import Act, InSubject
from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeHeld(OfTicket):
    """Nothing on the ticket is paid from here on. *owner*: who looks into it."""

    kind: ClassVar[str] = "keno.prize-held"
    why: str
    owner: str

    def sentence(self) -> str:
        return f"put what ticket {self.ticket} won on hold"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeReleased(OfTicket):
    """*proposal*: by which two people voided what had been won; None: there was nothing against it."""

    kind: ClassVar[str] = "keno.prize-released"
    why: str
    proposal: int | None

    def sentence(self) -> str:
        return f"ended the hold on ticket {self.ticket}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinVoided(OfTicket):
    """A winning wager of a person in breach, voided after the draw by two people. *won* is all that the ticket had won
    in that game; of it *jackpots*, by spots, went back to their pools, *bonus* to what had funded it, and the rest to
    the house's prizes: nothing to other winners. *refund*: what was paid for the game. *excluded*: the number of the
    player, where he was excluded as well."""

    kind: ClassVar[str] = "keno.win-voided"
    game: int
    won: Money
    jackpots: Mapping[int, Money]
    bonus: Money
    refund: Money
    why: str
    proposal: int
    excluded: str | None

    def sentence(self) -> str:
        return f"voided the winning wager of ticket {self.ticket} in game {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketContinued(OfTicket):
    """It was paid, its paper is kept, and its games to come go on with another one, whose number this is (10.4)."""

    kind: ClassVar[str] = "keno.continued"
    paper: int

    def sentence(self) -> str:
        return f"gave ticket {self.ticket} paper {self.paper} for the games to come"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTicked(OfTicket):
    """The paid ticket was found among those that are kept until the close (10.4)."""

    kind: ClassVar[str] = "keno.paper-found"
    payment: int

    def sentence(self) -> str:
        return f"found the paid ticket {self.ticket} among those kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeReviewed(Act):
    """An inspector has decided a dispute in his own name (14.6)."""

    kind: ClassVar[str] = "keno.dispute-reviewed"
    incident: InSubject[int]
    decision: str

    @property
    def subject(self) -> str:
        return f"incident:{self.incident}"

    def sentence(self) -> str:
        return f"reviewed dispute {self.incident}"


ALL: tuple[type[Act], ...] = (DisputeReviewed, PaperTicked, PrizeHeld, PrizeReleased, TicketContinued, WinVoided)
