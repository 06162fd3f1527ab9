"""Paid tickets that are kept until the close, ticked off against the box (10.4)."""

from __future__ import annotations

from django.http import HttpResponseBase

from house import people
from house.pages.days import choices, on_day
from keno.kept_paper import paper_to_keep, tick_off
from keno.models import Payment
from keno.permissions import CHECK_PAPER, OVERPAYMENT, SEE
from web.lists import Column, Listing
from web.page import Visit, done, page, show


def _finder(payment: Payment) -> str:
    return payment.found.by if hasattr(payment, "found") else ""


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        paper_to_keep(request.actor),
        name="keno-paper",
        order="-id",
        filters={
            "state": lambda rows, state: rows.filter(found__isnull=state == "missing"),
            "day": lambda rows, day: on_day(rows, "day", day),
        },
        columns=(
            Column("Ticket", lambda row: row.ticket.serial),
            Column("Paid", lambda row: row.paid_at, order="id"),
            Column("Amount", lambda row: row.amount, css="right"),
            Column("By", lambda row: row.paid_by),
            Column("Kept until", lambda row: row.retain_until),
            Column("Found", _finder),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    names = people.names(each for row in found.rows for each in (row.paid_by, _finder(row)) if each)
    may = request.actor.may(CHECK_PAPER)
    for row in found.rows:
        row.payer = names[row.paid_by]
        row.finder = names[_finder(row)] if _finder(row) else ""
        row.may_tick = may and not row.finder
        row.may_record = request.actor.may(OVERPAYMENT)
    return show(request, "keno/kept_paper.html", listing=found, day_choices=choices())


@page(CHECK_PAPER, post=True)
def tick(request: Visit, number: int) -> HttpResponseBase:
    found = tick_off(payment_id=number, by=request.actor)
    return done(request, f"Ticket {found.payment.ticket.serial} is there.", "keno-paper")
