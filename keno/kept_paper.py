"""Paid tickets are kept until the close of Keno that day (10.4): the list of them, ticked off against the box.

Somebody else than who paid looks for each: a payment without its paper is how a prize is paid to nobody.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from house.log import record_act
from house.persons import is_another
from keno.models import Claim, PaperFound, Payment
from keno.permissions import CHECK_PAPER
from keno.prize_acts import PaperTicked
from keno.queries.tickets import payments
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, NotFound


def paper_to_keep(by: Actor) -> QuerySet[Payment]:
    """Payments whose ticket the house has now: all but those on a claim form, whose ticket was lost or unreadable. For
    a writer those of his shift."""
    return payments(by, now=timezone.now()).filter(claim=None)


@transaction.atomic
def tick_off(*, payment_id: int, by: Actor) -> PaperFound:
    """The paid ticket is there."""
    by.require(CHECK_PAPER)
    payment = Payment.objects.select_related("ticket").filter(pk=payment_id).first()
    if payment is None:
        raise NotFound("no-such-payment", f"There is no payment {payment_id}.")
    if Claim.objects.filter(payment=payment).exists():
        raise Conflict("no-paper", "It was paid on a claim form: there is no ticket to keep.", clause="act-keno:10.4")
    if not is_another(by, CHECK_PAPER, payment.paid_by):
        raise Forbidden("needs-second-person", "Somebody else looks for it: you have paid it.")
    seen = {"at": timezone.now(), "by": by.identity}
    found, new = PaperFound.objects.get_or_create(payment=payment, defaults=seen)
    if not new:
        raise Conflict("found-already", f"The ticket of payment {payment.pk} was found before.", clause="act-keno:10.4")
    record_act(PaperTicked(ticket=payment.ticket.serial, payment=payment.pk), by=by)
    return found
