"""What is paid too much in a simulation: noticed, asked back, mostly given back, now and then written off."""

from __future__ import annotations

from random import Random

from django.db.models import F

from house.approvals import approve
from keno.models import AskedHow, Overpayment, Payment
from keno.overpayments import propose_overpayment
from keno.recover import ask_back, receive_back
from keno.simulate.book import Book
from keno.simulate.staff import People
from keno.write_off import propose_write_off
from kernel.actors import Actor
from kernel.money import Money


def hand_too_much(chance: Random, *, people: People, book: Book) -> bool:
    """A writer has handed out ten times as much: the camera shows it."""
    small = Payment.objects.filter(overpayments=None, cash__gt=Money(0), cash__lt=Money.dollars(100))
    paid = small.select_related("ticket").order_by("-id").first()
    if paid is None or paid.ticket.serial not in book.papers:
        return False
    amount = paid.cash * 9
    why = "Ten times as much was handed out."
    made = propose_overpayment(payment_id=paid.pk, amount=amount, why=why, by=people.supervisor)
    approve(proposal_id=made.pk, by=people.manager)
    book.asked_back += amount.micros
    return True


def recover(chance: Random, *, people: People, book: Book, writer: Actor) -> bool:
    """The oldest that is open: asked for, then given back whole or in part, or given up."""
    open_ = Overpayment.objects.filter(amount__gt=F("received") + F("written_off")).order_by("id").first()
    if open_ is None:
        return False
    if not open_.steps.exists():
        ask_back(overpayment_id=open_.pk, how=chance.choice(list(AskedHow)), by=people.supervisor)
        return True
    left, part = open_.left, Money.dollars(1)
    if chance.random() < 0.3:
        made = propose_write_off(overpayment_id=open_.pk, why="It does not come back.", by=people.supervisor)
        approve(proposal_id=made.pk, by=people.manager)
        back = left
    else:
        back = part if left > part and chance.random() < 0.5 else left
        receive_back(overpayment_id=open_.pk, amount=back, by=writer)
    if open_.game is None and open_.payment.ticket.serial in book.papers:
        book.asked_back -= back.micros
    return True
