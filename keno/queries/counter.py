"""The counter: shifts, runner orders, claim forms, vouchers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from django.db.models import F, JSONField, Q, QuerySet, Sum, Value

from house.models import Proposal
from keno.claims import KIND as CLAIM_KIND
from keno.models import CashMove, Claim, Order, OrderStatus, PaymentAuthority, Shift, Voucher
from keno.particulars import read_serial
from keno.permissions import CLAIMANTS, SEE_ALL, SELL
from keno.reports.shifts import drawers
from keno.simulations import SIMULATION
from keno.steps import require_may_see
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import NotFound
from web.models import Work

_ID_LIMIT: Final = 2**63 - 1  # a number that no row could have is no row either, and no fault of the database
SIMULATIONS_ROWS: Final = 8


# ── Shifts ──────────────────────────────────────────────────────────────────────────────────────────────────────────
def shifts(by: Actor, *, day: date | None = None) -> QuerySet[Shift]:
    """A writer's own; over and short of another's drawer is not his to know."""
    rows = Shift.objects.all() if by.may(SEE_ALL) else Shift.objects.filter(terminal=by.identity)
    return rows if day is None else rows.filter(day=day)


def has_shifts(*, writer: str) -> bool:
    return Shift.objects.filter(writer=writer).exists()


def find_shift(number: int, by: Actor) -> Shift:
    found = Shift.objects.filter(pk=number).first() if number <= _ID_LIMIT else None
    if found is None:
        raise NotFound("no-such-shift", f"There is no shift {number}.")
    require_may_see(found, by)
    return found


def cash_waiting(shift: Shift) -> QuerySet[CashMove]:
    """Cash that one of two people has said was handed over."""
    return shift.cash_moves.filter(confirmed_at=None).order_by("id")


def counted_by(shift: Shift) -> str | None:
    """Who has counted the drawer of a shift that was left open, and waits for a second person."""
    if shift.closed_at is not None:
        return None
    return shift.drawer_counts.order_by("-at").values_list("by", flat=True).first()


def open_shift_at(terminal: str) -> Shift | None:
    return Shift.objects.filter(terminal=terminal, closed_at=None).first()


def sold_in(shift: Shift) -> tuple[int, Money]:
    """Tickets sold in a shift, and what they cost."""
    return shift.tickets.count(), shift.tickets.aggregate(total=Sum("price"))["total"] or ZERO


def cash_over(shift: Shift) -> Money | None:
    """Counted less expected; None while it is open."""
    if shift.counted_cash is None or shift.expected_cash is None:
        return None
    over: Money = shift.counted_cash - shift.expected_cash
    return over


def drawer_lines(shift: Shift) -> list[tuple[str, Money]]:
    """What went through the drawer of a closed shift. It is counted blind: before the close nobody is told."""
    if shift.closed_at is None:
        return []
    moved = drawers(shift.day, shift.day)
    found = next(each for each in moved.rows if each[0] == shift.pk)
    return [
        (name, value)
        for name, value in zip(moved.columns, found, strict=True)
        if isinstance(value, Money) and name not in ("Expected", "Counted", "Over or short")
    ]


# ── Orders, vouchers ────────────────────────────────────────────────────────────────────────────────────────────────
def orders(by: Actor, *, status: str | None = None) -> QuerySet[Order]:
    """A writer sees what waits, since he may issue it, and what he took or ended himself."""
    rows = Order.objects.select_related("ticket")
    if not by.may(SEE_ALL):
        rows = rows.filter(Q(status=OrderStatus.WAITING) | Q(runner=by.identity) | Q(ended_by=by.identity))
    return rows if status is None else rows.filter(status=status)


def sees_note(order: Order, by: Actor) -> bool:
    """What a runner noted of a player is for himself, for the writer who is to find him, and for who may see people."""
    to_issue = order.status == OrderStatus.WAITING and by.may(SELL)
    return to_issue or order.runner == by.identity or by.may(CLAIMANTS)


def orders_waiting() -> QuerySet[Order]:
    """Runner orders that are no tickets yet, the oldest first: until then they are in no game."""
    return Order.objects.filter(status=OrderStatus.WAITING).order_by("id")


def find_order(number: int, by: Actor) -> Order:
    return order_among(orders(by), number)


def order_among(rows: QuerySet[Order], number: int) -> Order:
    order = rows.filter(pk=number).first() if number <= _ID_LIMIT else None
    if order is None:
        raise NotFound("no-such-order", f"There is no order {number}.")
    return order


def find_voucher(code: str) -> Voucher:
    found = Voucher.objects.select_related("ticket", "payment__ticket").filter(code=read_serial(code)).first()
    if found is None:
        raise NotFound("no-such-voucher", "There is no such Keno voucher.")
    return found


def latest_authority(voucher: Voucher) -> PaymentAuthority | None:
    """Who stands by its redemption."""
    return PaymentAuthority.objects.filter(voucher=voucher).order_by("-id").first()


def shown_voucher(code: str, by: Actor) -> Voucher:
    """As this person may see it: whether it was spent is not on its paper."""
    found = find_voucher(code)
    if not by.may(SEE_ALL):
        found.spent_at = found.spent_by = None
    return found


# ── Claims ──────────────────────────────────────────────────────────────────────────────────────────────────────────
_CLAIMS_BY_STATUS: Final[dict[str, dict[str, object]]] = {
    "paid": {"paid_at__isnull": False},
    "approved": {"paid_at__isnull": True, "approved_by__isnull": False},
    "waiting": {"paid_at__isnull": True, "approved_by__isnull": True},
}


def claims(by: Actor) -> QuerySet[Claim]:
    """A writer sees the forms that he took; claimants are shown to those who may see personal data."""
    rows = Claim.objects.select_related("ticket", "voucher").defer("claimant")
    seen = F("claimant") if by.may(CLAIMANTS) else Value({}, JSONField())
    rows = rows.annotate(shown_claimant=seen)
    return rows if by.may(SEE_ALL) else rows.filter(made_by=by.identity)


def shown_claim(claim: Claim, by: Actor) -> Claim:
    shown: Any = claim
    shown.shown_claimant = claim.claimant if by.may(CLAIMANTS) else {}
    return claim


def claims_to_pay() -> QuerySet[Claim]:
    return Claim.objects.filter(approved_by__isnull=False, paid_at=None).order_by("pk")


def claims_that_are(status: str, among: QuerySet[Claim]) -> QuerySet[Claim]:
    return among.filter(**_CLAIMS_BY_STATUS[status]) if status in _CLAIMS_BY_STATUS else among.none()


def claim_status(claim: Claim) -> str:
    if claim.paid_at:
        return "paid"
    return "approved" if claim.approved_by else "waiting"


def proposals_of(claims: Iterable[Claim]) -> dict[int, int]:
    """By claim the latest proposal that somebody decides."""
    subjects = {f"claim:{claim.pk}": claim.pk for claim in claims}
    rows = Proposal.objects.filter(kind=CLAIM_KIND, subject__in=list(subjects)).order_by("pk")
    return {subjects[proposal.subject]: proposal.pk for proposal in rows}


# ── Simulations ─────────────────────────────────────────────────────────────────────────────────────────────────────
def simulations_of(schedule: str) -> QuerySet[Work]:
    return Work.objects.filter(kind=SIMULATION, asked__schedule=schedule)[:SIMULATIONS_ROWS]
