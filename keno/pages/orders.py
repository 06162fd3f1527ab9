"""Runner orders (4.8): what a player asked a runner for, until a writer issues it as a ticket or it is withdrawn."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from django.http import HttpResponseBase

from house import people
from house.pages.days import choices, within
from keno import approved, orders
from keno.entries import compose
from keno.models import Order, OrderStatus, TenderType
from keno.pages.order_forms import IssueForm, OrderForm
from keno.pages.tickets import show_ticket
from keno.permissions import CLAIMANTS, ORDER, SEE, SELL
from keno.printing import print_receipt
from keno.queries import counter as queries
from keno.rules.schedules import STANDARD
from keno.steps import order_steps, room_steps
from keno.tender import EXACT_CASH, Handed
from kernel.refusal import Refusal
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show
from web.words import count, label


def said(request: dict[str, Any]) -> str:
    """``Quick pick of 6 at $2.00, 3 games, jackpot``: an order as a runner reads it to the writer."""
    stake = f" at ${request['stake']}" if request["stake"] else ""
    if request["set_bet"]:
        what = f"Set bet {request['set_bet']}{stake}"
    elif request["quick_pick"]:
        what = (f"Quick pick of {request['spots']}" if request["spots"] else "Mystery quick pick") + stake
    elif request["groups"]:
        groups = " | ".join(" ".join(map(str, group)) for group in request["groups"])
        plays = ", ".join(f"{play['spots']}s at ${play['stake']}" for play in request["plays"] or ())
        what = f"{groups}, played {plays}"
    else:
        what = " ".join(map(str, request["numbers"] or ())) + stake
    more = [count(request["games"], "game")] if request["games"] > 1 else []
    more += [label(request["schedule"])] if request["schedule"] != STANDARD.code else []
    more += ["jackpot"] if request["jackpot"] else []
    return ", ".join([what, *more])


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.orders(request.actor),
        name="keno-orders",
        order="-id",
        search=("note", "runner"),
        personal={"note": CLAIMANTS},
        filters={
            "state": lambda rows, state: rows.filter(status=state),
            "day": lambda rows, day: within(rows, "taken_at", day),
        },
        columns=(
            Column("Order", lambda row: row.pk, order="id"),
            Column("Wants", lambda row: said(row.request)),
            Column("Note", lambda row: row.note if queries.sees_note(row, request.actor) else "", shown=False),
            Column("Runner", lambda row: row.runner, order="runner"),
            Column("Taken", lambda row: row.taken_at, order="taken_at"),
            Column("State", lambda row: row.status, order="status"),
            Column("Ticket", lambda row: row.ticket.serial if row.ticket else "", shown=False),
            Column("Ended", lambda row: row.ended_at, shown=False),
            Column("Ended by", lambda row: row.ended_by, shown=False),
            Column("Price", css="right"),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return _shown(request, found)


def _shown(request: Visit, found: Listing) -> HttpResponseBase:
    names = people.names(row.runner for row in found.rows)
    for row in found.rows:
        row.said, row.person = said(row.request), names[row.runner]
        sees = queries.sees_note(row, request.actor)
        row.noted = ", ".join(filter(None, (row.note, row.card and f"card {row.card}"))) if sees else ""
        row.price, row.unsaleable = _price(row)
        row.steps = order_steps(row, request.actor, saleable=row.price is not None)
    return show(
        request,
        "keno/orders.html",
        listing=found,
        states=OrderStatus.values,
        day_choices=choices(),
        steps=room_steps(request.actor),
    )


def _price(row: Order) -> tuple[object, str]:
    """What it would cost now, or why it cannot be sold any more; of an order that ended, what its ticket cost."""
    if row.ticket is not None:
        return row.ticket.price, ""
    if row.status != OrderStatus.WAITING:
        return None, ""
    try:
        return compose(orders.from_json(row.request)).quote.price.total, ""
    except Refusal as refusal:
        return None, refusal.detail


@page(ORDER)
def take(request: Visit) -> HttpResponseBase:
    form = OrderForm(request.POST or None, set_bets=approved.all_in_force(approved.SET_BET))
    if form.is_valid():
        verb, wanted = orders.take_order, form.wanted()
        taken = attempt(form, verb, request=wanted, note=form.note, card=form.card, by=request.actor)
        if taken:
            note = f"Order {taken.pk} is taken. It is in no game until a writer issues its ticket."
            return done(request, note, "keno-orders")
    return show(request, "keno/take_order.html", form=form)


@page(SELL, post=True)
def issue(request: Visit, number: int) -> HttpResponseBase:
    """The ticket and its receipt, which is on this answer only: printed again, it would be a duplicate."""
    form = IssueForm(request.POST)
    given = form.given if form.is_valid() else None
    if form.errors:
        raise Refusal("amount-unreadable", "Write the cash given like 20.00, or leave it empty.", field="given")
    tender = EXACT_CASH if given is None else (Handed(type=TenderType.CASH, amount=given),)
    _, sold = orders.issue_order(order_id=number, tender=tender, by=request.actor)
    serial, paper = sold.ticket.serial, None
    if room_steps(request.actor).print_receipt:
        printed = print_receipt(serial=serial, layout="pdf", by=request.actor)
        paper = {"pdf": b64encode(printed.content).decode(), "serial": serial}
    issued = {"order": number, "price": sold.ticket.price, "change": sold.change}
    return show_ticket(request, serial, receipt=paper, issued=issued)


@page(ORDER, post=True)
def withdraw(request: Visit, number: int) -> HttpResponseBase:
    ended = orders.withdraw_order(order_id=number, by=request.actor)
    return done(request, f"Order {ended.pk} is withdrawn. Nothing was sold.", "keno-orders")
