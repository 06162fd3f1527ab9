"""The acts Keno writes about the counter: what is tendered, vouchers, claims. Pure: see ``acts.py``.

An amount that changes hands is a transfer. Where the transfer does not say which paper it was, the act beside it does:
so that a stranger sees each paper come in once, for what it was worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from keno.acts import ticket_subject
from kernel.acts import Act, InSubject, OrMissing
from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class TenderLine:
    """One part of what a ticket was paid with; *reference*: which voucher or ticket, empty of cash and chips."""

    type: str
    amount: Money
    reference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TenderTaken(Act):
    """Paper was taken in for a ticket (4.6): written only where it was not all cash and chips. *change*: what was over,
    in cash or as the Keno voucher that is named."""

    kind: ClassVar[str] = "keno.tendered"
    ticket: InSubject[str]
    lines: tuple[TenderLine, ...]
    change: Money

    @property
    def subject(self) -> str:
        return ticket_subject(self.ticket)

    def sentence(self) -> str:
        papers = sum(1 for line in self.lines if line.reference)
        return f"took {papers} {'paper' if papers == 1 else 'papers'} in for ticket {self.ticket}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfVoucher(Act):
    voucher: InSubject[str]

    @property
    def subject(self) -> str:
        return f"voucher:{self.voucher}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VoucherIssued(_OfVoucher):
    """A Keno voucher went out: as the rest of a tender or the refund of a ticket (*ticket*), or as a payment. One that
    stands for an approved voucher is not *cashable*."""

    kind: ClassVar[str] = "keno.voucher-issued"
    amount: Money
    cashable: bool
    ticket: OrMissing[str] = None
    payment: OrMissing[int] = None

    def sentence(self) -> str:
        return f"issued voucher {self.voucher} for ${self.amount}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VouchersRegistered(Act):
    """Approved vouchers that were issued elsewhere, each worth *value* (4.6)."""

    kind: ClassVar[str] = "keno.vouchers-registered"
    type: InSubject[str]
    value: Money
    numbers: tuple[str, ...]
    proposal: int | None

    @property
    def subject(self) -> str:
        return f"voucher-register:{self.type}"

    def sentence(self) -> str:
        return f"registered {len(self.numbers):,} vouchers of the type {self.type}, each worth ${self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfClaim(Act):
    """Of a ticket, or of a voucher."""

    claim: InSubject[int]
    amount: Money
    ticket: OrMissing[str] = None
    voucher: OrMissing[str] = None

    @property
    def subject(self) -> str:
        return f"claim:{self.claim}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMade(_OfClaim):
    """A claim form was taken (11.1, 12.5): everything unpaid on it, which is what the inspector then approves."""

    kind: ClassVar[str] = "keno.claim-made"
    reason: str

    def sentence(self) -> str:
        of = f"ticket {self.ticket}" if self.ticket is not None else f"voucher {self.voucher}"
        return f"took claim {self.claim}: ${self.amount} for {of}, which is {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimPaid(_OfClaim):
    """It was paid by cheque (11.5), a ticket's with the number of the payment. *amount*: what the cheque was for."""

    kind: ClassVar[str] = "keno.claim-paid"
    payment: OrMissing[int] = None

    def sentence(self) -> str:
        return f"paid claim {self.claim}: ${self.amount}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfFavourite(Act):
    """Whose it is, and which; what he plays is his own business, and in no log."""

    player: InSubject[str]
    favourite: int

    @property
    def subject(self) -> str:
        return f"player:{self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FavouriteKept(_OfFavourite):
    kind: ClassVar[str] = "keno.favourite-kept"
    replaced: bool  # another of the same name was there before

    def sentence(self) -> str:
        return f"{'changed' if self.replaced else 'kept'} usual ticket {self.favourite} of player {self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FavouriteForgotten(_OfFavourite):
    kind: ClassVar[str] = "keno.favourite-forgotten"

    def sentence(self) -> str:
        return f"forgot usual ticket {self.favourite} of player {self.player}"


ALL: tuple[type[Act], ...] = (
    TenderTaken, VoucherIssued, VouchersRegistered, ClaimMade, ClaimPaid, FavouriteKept, FavouriteForgotten,
)  # fmt: skip
