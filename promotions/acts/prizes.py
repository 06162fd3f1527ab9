"""Winners and their prizes: called, told, lost, claimed, denied, paid."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from kernel.acts import Act, InSubject, OrMissing
from kernel.money import Money
from promotions.acts.base import PromotionAct


@dataclass(frozen=True, slots=True)
class Won:
    """*win* is its number in the house, by which it is booked and paid; *place* and *entry* are the draw's."""

    win: int
    place: int
    entry: int
    prize: int
    value: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesWon(PromotionAct):
    """Who holds which prize by the draw, or by a loss in it: from now on it is owed."""

    kind: ClassVar[str] = "promotion.prizes-won"
    promotion: str
    draw: int
    won: tuple[Won, ...]

    def sentence(self) -> str:
        return f"wrote down {len(self.won)} winners of {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeLost(PromotionAct):
    """By the scrutineer's signature; *next_* are the entries that were drawn instead. *numbers* and *people* are of
    everything that is drawn by now, as in `promotions.acts.draws.Drawn`."""

    kind: ClassVar[str] = "promotion.prize-lost"
    promotion: str
    draw: int
    place: int
    entry: int
    prize: int | None
    reason: str
    redraw: bool
    next_: tuple[int, ...]
    numbers: OrMissing[tuple[int, ...]] = None
    people: OrMissing[tuple[int, ...]] = None

    def sentence(self) -> str:
        return f"recorded that entry {self.entry} lost prize {self.prize} of {self.promotion}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LossAct(PromotionAct):
    """On the way to a loss: *case* is its number in the house."""

    promotion: str
    draw: int
    case: int
    place: int
    entry: int
    prize: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LossNoted(LossAct):
    kind: ClassVar[str] = "promotion.loss-noted"

    def sentence(self) -> str:
        return f"said that entry {self.entry} loses prize {self.prize} of {self.promotion}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LossSeconded(LossAct):
    kind: ClassVar[str] = "promotion.loss-seconded"

    def sentence(self) -> str:
        return f"seconded that entry {self.entry} loses prize {self.prize} of {self.promotion}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LossWithdrawn(LossAct):
    kind: ClassVar[str] = "promotion.loss-withdrawn"

    def sentence(self) -> str:
        return f"took back that entry {self.entry} loses prize {self.prize} of {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerCalled(PromotionAct):
    kind: ClassVar[str] = "promotion.winner-called"
    place: int
    entry: int
    prize: int | None
    until: datetime

    def sentence(self) -> str:
        return f"called entry {self.entry} for prize {self.prize} of {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerPresent(PromotionAct):
    kind: ClassVar[str] = "promotion.winner-present"
    place: int
    entry: int
    prize: int | None

    def sentence(self) -> str:
        return f"saw the winner of prize {self.prize} of {self.promotion} come forward"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinAct(Act):
    promotion: str
    win: InSubject[int]

    @property
    def subject(self) -> str:
        return f"promotion-win:{self.win}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerTold(WinAct):
    kind: ClassVar[str] = "promotion.winner-told"
    how: str
    at: datetime

    def sentence(self) -> str:
        return f"told winner {self.win} of {self.promotion} ({self.how})"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerNotReached(WinAct):
    kind: ClassVar[str] = "promotion.winner-not-reached"
    how: str
    at: datetime

    def sentence(self) -> str:
        return f"tried to tell winner {self.win} of {self.promotion} ({self.how})"


@dataclass(frozen=True, slots=True)
class PaidPart:
    method: str
    amount: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizePaid(WinAct):
    kind: ClassVar[str] = "promotion.prize-paid"
    prize: int | None
    amount: Money
    alternative: bool
    parts: tuple[PaidPart, ...]
    claim: OrMissing[int] = None
    payment: OrMissing[int] = None  # its number in the house: each part is booked under it

    def sentence(self) -> str:
        return f"paid prize {self.prize} of {self.promotion}: ${self.amount}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimAct(Act):
    claim: InSubject[int]

    @property
    def subject(self) -> str:
        return f"promotion-claim:{self.claim}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMade(ClaimAct):
    kind: ClassVar[str] = "promotion.claim-made"
    promotion: str
    value: Money
    win: OrMissing[int] = None  # none: by the draw the prize is not the claimant's
    age: OrMissing[str] = None  # by what it is known, "record" or "document"; the date itself is nobody's business
    player: OrMissing[str] = None  # by whose record, where it is known by that: his number
    household: OrMissing[bool] = None  # whether he is of an employee's, where he was asked

    def sentence(self) -> str:
        return f"took claim {self.claim} for a prize of {self.promotion} worth ${self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimAccepted(ClaimAct):
    kind: ClassVar[str] = "promotion.claim-accepted"
    promotion: str

    def sentence(self) -> str:
        return f"accepted claim {self.claim} for a prize of {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDenied(ClaimAct):
    kind: ClassVar[str] = "promotion.claim-denied"
    promotion: str
    value: Money
    reasons: str

    def sentence(self) -> str:
        return f"denied claim {self.claim} for a prize of {self.promotion}: {self.reasons}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DenialTold(ClaimAct):
    """17.9, 15.10: the person knows the reasons and the right to complain."""

    kind: ClassVar[str] = "promotion.claim-denial-told"
    how: str

    def sentence(self) -> str:
        return f"told the claimant of claim {self.claim} why it was denied ({self.how})"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeniedClaimsReported(Act):
    """Names and addresses were looked at: by whom is on record."""

    kind: ClassVar[str] = "promotion.denied-claims-report"
    first: date
    last: date
    rows: int

    @property
    def subject(self) -> str:
        return "report:denied-claims"

    def sentence(self) -> str:
        return f"looked at the denied claims of {self.first} to {self.last}"
