"""What was paid too much: the list of it, and of each what became of it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import F
from django.http import HttpResponseBase

from house import people
from house.pages.forms.cash import IdentityForm
from keno.models import AskedHow, Overpayment
from keno.overpayments import find_payment, overpayments, propose_overpayment
from keno.permissions import OVERPAYMENT, RECEIVE_BACK, SEE, SEE_ALL
from keno.recover import ask_back, find_overpayment, receive_back
from keno.write_off import propose_write_off, write_off_proposed
from web.forms import PageForm
from web.lists import Column, Listing
from web.money_field import MoneyInput
from web.page import Visit, attempt, done, page, show
from web.words import money


class TooMuchForm(PageForm):
    amount = MoneyInput(label="Handed out too much")
    why = forms.CharField(label="What shows it", widget=forms.Textarea)


class AskForm(PageForm):
    how = forms.ChoiceField(label="How", choices=AskedHow.choices)
    note = forms.CharField(label="Note", required=False, help_text="Stays in the house: it may name the player.")


class ReceiveForm(IdentityForm):
    amount = MoneyInput(label="Received in cash")


@page(SEE_ALL)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        overpayments(request.actor),
        name="keno-overpayments",
        order="-id",
        filters={
            "state": lambda rows, state: (
                rows.filter(amount__gt=F("received") + F("written_off"))
                if state == "open"
                else rows.filter(amount=F("received") + F("written_off"))
            ),
        },
        columns=(
            Column("Overpayment", lambda row: row.pk),
            Column("Ticket", lambda row: row.payment.ticket.serial),
            Column("Paid", lambda row: row.payment.paid_at),
            Column("Too much", lambda row: row.amount, css="right"),
            Column("Given back", lambda row: row.received, css="right"),
            Column("Written off", lambda row: row.written_off, css="right"),
            Column("Left", lambda row: row.left, css="right"),
        ),
    )
    return found.csv() if found.wants_csv else show(request, "keno/overpayments.html", listing=found)


@page(SEE)
def one(request: Visit, number: int) -> HttpResponseBase:
    """Who receives cash at the counter finds it by its number, on the letter; lists are not for him."""
    return _show(request, find_overpayment(number))


def _show(request: Visit, row: Overpayment, **forms_: Any) -> HttpResponseBase:
    steps = list(row.steps.order_by("id"))
    names = people.names(each.by for each in steps)
    may, proposed = request.actor.may(OVERPAYMENT), write_off_proposed(row)
    return show(
        request,
        "keno/overpayment.html",
        row=row,
        steps=[(each, names[each.by]) for each in steps],
        proposed=proposed,
        may_ask=may and bool(row.left),
        may_write_off=may and bool(row.left) and proposed is None and any(each.kind == "asked" for each in steps),
        may_receive=request.actor.may(RECEIVE_BACK) and bool(row.left),
        sees_all=request.actor.may(SEE_ALL),
        **{
            "ask_form": AskForm(auto_id="ask-%s"),
            "receive_form": ReceiveForm(initial={"amount": row.left}, auto_id="receive-%s"),
            **forms_,
        },
    )


@page(OVERPAYMENT)
def record(request: Visit, payment: int) -> HttpResponseBase:
    paid = find_payment(payment)
    form = TooMuchForm(request.POST or None)
    if form.is_valid():
        made = attempt(
            form, propose_overpayment, payment_id=paid.pk, amount=form.amount, why=form.why, by=request.actor
        )
        if made:
            return done(request, f"Proposal {made.pk}: another person decides.", "approval", made.pk)
    return show(request, "keno/record_overpayment.html", form=form, payment=paid)


@page(OVERPAYMENT, post=True)
def ask(request: Visit, number: int) -> HttpResponseBase:
    form = AskForm(request.POST, auto_id="ask-%s")
    if form.is_valid():
        asked = attempt(form, ask_back, overpayment_id=number, how=AskedHow(form.how), note=form.note, by=request.actor)
        if asked:
            return done(request, "It is on record that it was asked for.", "keno-overpayment", number)
    return _show(request, find_overpayment(number), ask_form=form, asking=True)


@page(RECEIVE_BACK, post=True)
def receive(request: Visit, number: int) -> HttpResponseBase:
    form = ReceiveForm(request.POST, auto_id="receive-%s")
    if form.is_valid():
        made = attempt(
            form, receive_back, overpayment_id=number, amount=form.amount, identity=form.identity(), by=request.actor
        )
        if made:
            return done(request, f"Received {money(made.amount)} into your drawer.", "keno-overpayment", number)
    return _show(request, find_overpayment(number), receive_form=form, receiving=True)


@page(OVERPAYMENT, post=True)
def write_off(request: Visit, number: int) -> HttpResponseBase:
    made = propose_write_off(overpayment_id=number, why=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"Proposal {made.pk}: another person decides.", "approval", made.pk)
