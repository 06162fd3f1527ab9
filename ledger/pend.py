"""Two steps where two people act: a pending transfer moves nothing until another row posts or voids it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

from django.db import IntegrityError, transaction

from house.actors import Actor
from house.refusal import Conflict, NotFound
from ledger.models import Transfer
from ledger.post import Booking, post


def pend(*, booking: Booking, by: Actor, day: date, at: datetime | None = None) -> int:
    """Set an amount aside until a second person decides."""
    return post(booking=replace(booking, phase=Transfer.Phase.PENDING), by=by, day=day, at=at)


def post_pending(*, transfer: int, by: Actor, day: date, at: datetime | None = None) -> int:
    """The second person's yes: now the money moves."""
    return _settle(transfer, Transfer.Phase.POST, by, day, at)


def void_pending(*, transfer: int, by: Actor, day: date, at: datetime | None = None) -> int:
    """The second person's no: the amount is free again."""
    return _settle(transfer, Transfer.Phase.VOID, by, day, at)


@transaction.atomic
def _settle(number: int, phase: Transfer.Phase, by: Actor, day: date, at: datetime | None) -> int:
    pending = Transfer.objects.filter(id=number, phase=Transfer.Phase.PENDING).select_related("debit", "credit").first()
    if pending is None:
        raise NotFound("no-pending-transfer", f"There is no pending transfer {number}.")
    booking = Booking(
        debit=pending.debit.code,
        credit=pending.credit.code,
        amount=pending.amount,
        kind=f"{pending.kind}.{phase}",
        reference=pending.reference,
        phase=phase,
        settles=number,
    )
    try:
        with transaction.atomic():
            return post(booking=booking, by=by, day=day, at=at)
    except IntegrityError as error:
        # The unique index on settles decides between two people who answer at the same moment.
        if "settles" not in str(error) and "transfer_once" not in str(error):
            raise
        raise Conflict("already-settled", f"Pending transfer {number} has been posted or voided already.") from error
