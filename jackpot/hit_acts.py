"""The acts of a hit: claimed, verified, authorised, paid or denied; and its instalments. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final

from jackpot.acts import OfLink, link_subject
from jackpot.rules.handpay import Due
from jackpot.rules.sealed_hands import HandShown
from kernel.acts import Act, Json, OrMissing
from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class HitAct(Act):
    """Everything that is shown of a hit, each time anything happens to it."""

    hit: int
    sequence: int
    link: str
    table: str
    round: int | None
    box: int | None
    hand: str | None
    kind_: str
    amount: Money
    from_pool: Money
    from_house: Money
    measured_on: Money | None
    status: str
    place: OrMissing[int] = None  # in the order of payment of its round
    level: OrMissing[str] = None

    @property
    def subject(self) -> str:
        return link_subject(self.link)

    def _named(self) -> str:
        return f"{self.amount} at {self.table}, hit {self.sequence} of {self.link}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HitClaimed(HitAct):
    kind: ClassVar[str] = "jackpot.hit"

    def sentence(self) -> str:
        return f"claimed {self._named()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HitVerified(HitAct):
    kind: ClassVar[str] = "jackpot.hit-verified"
    verification: Mapping[str, Json]  # what the supervisor saw
    dealt: OrMissing[HandShown] = None  # what the table had sent, and sealed

    def sentence(self) -> str:
        return f"verified {self._named()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HitAuthorised(HitAct):
    """A fourth person has authorised that it is paid, because of its amount."""

    kind: ClassVar[str] = "jackpot.hit-authorised"

    def sentence(self) -> str:
        return f"authorised the payment of {self._named()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HitPaid(HitAct):
    """*withheld*: of the amount, for the tax authority. *instalments*: what is owed instead of being handed over, as
    *proposal* was approved."""

    kind: ClassVar[str] = "jackpot.hit-paid"
    method: str
    reported: bool
    withheld: OrMissing[Money] = None
    instalments: OrMissing[tuple[Due, ...]] = None
    proposal: OrMissing[int] = None

    def sentence(self) -> str:
        tax = f", {self.withheld} withheld as tax" if self.withheld else ""
        return f"paid {self._named()}, by {self.method}{tax}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HitDenied(HitAct):
    kind: ClassVar[str] = "jackpot.hit-denied"
    reason: str
    dealt: OrMissing[HandShown] = None

    def sentence(self) -> str:
        return f"denied {self._named()}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalmentPaid(OfLink):
    kind: ClassVar[str] = "jackpot.instalment-paid"
    hit: int
    number: int
    due: date
    amount: Money
    method: str
    owed: Money  # of this hit, after it

    def sentence(self) -> str:
        return f"paid instalment {self.number} of hit {self.hit} of {self.link}, {self.amount}, by {self.method}"


def hit_subject(hit: int) -> str:
    """What the log calls a hit where only people's ways are meant, and nothing of it changes."""
    return f"jackpot-hit:{hit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HitAttended(Act):
    """Somebody goes to the table."""

    kind: ClassVar[str] = "jackpot.hit-attended"
    hit: int
    link: str
    table: str

    @property
    def subject(self) -> str:
        return hit_subject(self.hit)

    def sentence(self) -> str:
        return f"went to {self.table} for hit {self.hit} of {self.link}"


ALL: Final[tuple[type[Act], ...]] = (
    HitAttended,
    HitClaimed,
    HitVerified,
    HitAuthorised,
    HitPaid,
    HitDenied,
    InstalmentPaid,
)
