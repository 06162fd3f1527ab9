"""What was paid too much is asked back, and received in cash.

A player is never made to: a prize is paid whole and in cash, whatever its holder owes (10.5), and nothing is kept back
of it. Whoever gives an overpayment back does so at the counter, all of it or a part, into the drawer of a writer.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.gaming_days import gaming_day_at
from house.log import record_act
from keno import accounts
from keno.cash_kinds import GIVEN_BACK
from keno.models import AskedHow, Overpayment, Recovery, RecoveryKind
from keno.overpayment_acts import OverpaymentAsked, OverpaymentReceived
from keno.overpayment_kinds import RECEIVED
from keno.overpayments import PAYMENTS_LIMIT
from keno.permissions import OVERPAYMENT, RECEIVE_BACK
from keno.shifts import hold_open_shift
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, NotFound, Refusal
from ledger.post import Booking, post


def find_overpayment(number: int) -> Overpayment:
    return _found(number, Overpayment.objects.select_related("payment__ticket"))


def lock_overpayment(number: int) -> Overpayment:
    """Its row is locked: two who receive it at once receive no more than it is."""
    return _found(number, Overpayment.objects.select_related("payment__ticket").select_for_update(of=("self",)))


def _found(number: int, rows: object) -> Overpayment:
    found = None if number >= PAYMENTS_LIMIT else rows.filter(pk=number).first()  # type: ignore[attr-defined]
    if found is None:
        raise NotFound("no-such-overpayment", f"There is no overpayment {number}.")
    assert isinstance(found, Overpayment)
    return found


def require_left(overpayment: Overpayment) -> Money:
    if not overpayment.left:
        ended = "written off" if overpayment.written_off else "given back"
        raise Conflict("nothing-left", f"All of overpayment {overpayment.pk} was {ended}.")
    return overpayment.left


@transaction.atomic
def ask_back(*, overpayment_id: int, how: AskedHow, by: Actor, note: str = "") -> Recovery:
    """It was asked for: on record, with who did and how. *note* stays in the house: it may name the player."""
    by.require(OVERPAYMENT)
    overpayment = lock_overpayment(overpayment_id)
    require_left(overpayment)
    now = timezone.now()
    step = Recovery.objects.create(
        overpayment=overpayment,
        kind=RecoveryKind.ASKED,
        how=how,
        note=note.strip(),
        by=by.identity,
        at=now,
        day=gaming_day_at(now).date,
    )
    asked = OverpaymentAsked(
        ticket=overpayment.payment.ticket.serial, overpayment=overpayment.pk, game=overpayment.game, how=how.value
    )
    record_act(asked, by=by)
    return step


@transaction.atomic
def receive_back(
    *, overpayment_id: int, amount: Money, by: Actor, identity: Identity | None = None, card: str | None = None
) -> Recovery:
    """Cash into the drawer of whoever receives it; at most what is left. *identity*: who brings it, from the approved
    limit on."""
    by.require(RECEIVE_BACK)
    if amount <= ZERO or not amount.whole_cents:
        raise Refusal("amount-missing", "Say how much, in whole cents.", field="amount")
    overpayment = lock_overpayment(overpayment_id)
    if amount > (left := require_left(overpayment)):
        raise Refusal("more-than-left", f"${left} of it is left: take no more.", field="amount")
    shift, now, ticket = hold_open_shift(by), timezone.now(), overpayment.payment.ticket
    day = gaming_day_at(now).date
    overpayment.received += amount
    overpayment.save(update_fields=["received"])
    step = Recovery.objects.create(
        overpayment=overpayment,
        kind=RecoveryKind.RECEIVED,
        amount=amount,
        by=by.identity,
        at=now,
        day=day,
        shift=shift,
    )
    booking = Booking(
        debit=shift.cash,
        credit=accounts.OVERPAID,
        amount=amount,
        kind=RECEIVED,
        reference=f"{overpayment.pk}/{step.pk}",
    )
    post(booking=booking, by=by, day=day, at=now)
    received = OverpaymentReceived(
        ticket=ticket.serial, overpayment=overpayment.pk, game=overpayment.game, amount=amount
    )
    record_act(received, by=by)
    handed = HandedOver(kind=GIVEN_BACK, payment=step.pk, reference=ticket.serial, cash=amount, day=day, at=now)
    hand_over(handed, receiver=Receiver(identity=identity, card=card, played_by=ticket.player_id), by=by)
    return step
