"""Further acts of links and their tables: terms restored, a table’s meter against what was counted. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from jackpot.acts import OfLink, OfTable
from kernel.acts import Act, Json, OrMissing
from kernel.money import Money

LINK_DOWN: Final = "Link down"
"""How a suspension begins to say what it is for when the table’s controller is not heard of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsRestored(OfLink):
    """The win was denied for which other terms had waited: those before are in force again, as a new version."""

    kind: ClassVar[str] = "jackpot.terms-restored"
    version: int
    terms: Mapping[str, Json]
    of: int  # the version whose terms these are
    hit: int  # the last to be denied of those who had won

    def sentence(self) -> str:
        return f"put the terms of version {self.of} of {self.link} in force again: hit {self.hit} was denied"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterDisagrees(OfTable):
    """Its running meter shows other wagers than were counted over the same time, or fell and is not believed; or its
    controller restarted, and up to *unseen* wagers before it are shown by no reading."""

    kind: ClassVar[str] = "jackpot.meter-disagrees"
    disagreement: int
    shown: int
    counted: int
    fell_to: int | None
    unseen: OrMissing[int] = None

    def sentence(self) -> str:
        fell = "" if self.fell_to is None else f"; it fell to {self.fell_to}"
        most = f"; it restarted, and up to {self.unseen} wagers were not shown" if self.unseen else ""
        said = f"found that the meter of {self.table} shows {self.shown} wagers and {self.counted} were counted"
        return f"{said}{fell}{most}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterAgrees(OfTable):
    kind: ClassVar[str] = "jackpot.meter-agrees"
    disagreement: int

    def sentence(self) -> str:
        return f"found that the meter of {self.table} agrees again with what was counted"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterExplained(OfTable):
    """Two people have closed a disagreement; *wagers* were counted for it, by the terms of the time."""

    kind: ClassVar[str] = "jackpot.meter-explained"
    disagreement: int
    shown: int
    counted: int
    cause: str
    wagers: int
    unseen: OrMissing[int] = None
    proposal: int

    def sentence(self) -> str:
        return (
            f"closed the disagreement about the meter of {self.table}, which showed {self.shown} wagers where "
            f"{self.counted} were counted: {self.cause}; {self.wagers} are counted now"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    payout: int
    amount: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPaidOut(OfLink):
    """A link has ended, or something came in for it after its end: what its purses held is owed, by shares."""

    kind: ClassVar[str] = "jackpot.paid-out"
    held: Mapping[str, Money]  # by purse
    owed: tuple[Owed, ...]
    proposal: int
    seen: str

    def sentence(self) -> str:
        whole = Money.total(each.amount for each in self.owed)
        return f"paid out what was in {self.link}: {whole}, in {len(self.owed)} shares"


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutPaid(OfLink):
    kind: ClassVar[str] = "jackpot.payout-paid"
    payout: int
    amount: Money
    method: str

    def sentence(self) -> str:
        return f"paid {self.amount} of what was in {self.link}, by {self.method}"


ALL: Final[tuple[type[Act], ...]] = (
    *(TermsRestored, MeterDisagrees, MeterAgrees, MeterExplained),
    *(LinkPaidOut, PayoutPaid),
)
