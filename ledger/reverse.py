"""Corrections are reversals: the same amount back, as a row of its own that names the one it undoes."""

from __future__ import annotations

from datetime import date, datetime

from django.db import IntegrityError, transaction

from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound
from ledger.models import Transfer
from ledger.post import Booking, post


@transaction.atomic
def reverse(*, transfer: int, why: str, by: Actor, day: date, at: datetime | None = None) -> int:
    """Undo a posted transfer, once. A reversal is not itself reversed: book the right amount instead."""
    original = Transfer.objects.filter(id=transfer).select_related("debit", "credit").first()
    if original is None:
        raise NotFound("no-posted-transfer", f"There is no posted transfer {transfer}.")
    if original.reverses_id is not None:
        raise Conflict("is-a-reversal", f"Transfer {transfer} is a reversal: book the right amount instead.")
    booking = Booking(
        debit=original.credit.code,
        credit=original.debit.code,
        amount=original.amount,
        kind=f"{original.kind}.reversal",
        reference=original.reference,
        reverses=transfer,
        memo={"why": why},
    )
    try:
        with transaction.atomic():
            return post(booking=booking, by=by, day=day, at=at)
    except IntegrityError as error:
        if "reverses" not in str(error) and "transfer_once" not in str(error):
            raise
        raise Conflict("already-reversed", f"Transfer {transfer} has been reversed already.") from error
