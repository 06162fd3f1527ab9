"""A Keno payment that was too much: one says so, another decides."""

from __future__ import annotations

from house.approvals import approve
from keno.models import Overpayment, Payment
from keno.overpayments import propose_overpayment
from kernel.actors import Actor
from kernel.money import Money


def handed_too_much(payment: Payment, amount: Money, *, by: Actor, decided_by: Actor) -> Overpayment:
    made = propose_overpayment(payment_id=payment.pk, amount=amount, why="Camera 2 shows it.", by=by)
    approve(proposal_id=made.pk, by=decided_by)
    return Overpayment.objects.get(payment=payment, game=None)
