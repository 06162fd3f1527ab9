"""Tickets: found by serial or by scanning, with their games, prizes and papers, and what may be done with them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse

from console import people
from console.days import choices
from console.forms.keno import PayForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from console.words import in_fours, money
from house.refusal import NotFound
from keno.cancel import cancel_ticket
from keno.models import PaymentMethod, Ticket, TicketKind, TicketStatus
from keno.pay import authorise_payment, pay_ticket
from keno.permissions import CANCEL, PAY, PAY_LARGE, REPRINT, SEE, VOID_WAGER
from keno.printing import reprint_receipt
from keno.refunds import void_wagers
from keno.serials import read_serial
from keno.standing import find_ticket, standing_of
from keno.vouchers import Paper

MOST_GAMES = 30  # of a ticket's games on its page, the latest


def serial_in(text: str) -> str:
    """What was typed or scanned, as a serial: ``keno:SERIAL:CODE:1-3`` is the code on a receipt."""
    return read_serial(text.split(":")[1] if text.casefold().startswith("keno:") and ":" in text[5:] else text)


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        Ticket.objects.all(),
        name="keno-tickets",
        order="-id",
        filters={
            "serial": lambda rows, text: rows.filter(serial__startswith=serial_in(text)),
            "kind": lambda rows, kind: rows.filter(kind=kind),
            "status": lambda rows, status: rows.filter(status=status),
            "day": lambda rows, day: rows.filter(day=day) if _is_day(day) else rows.none(),
        },
        columns=(
            Column("Serial", lambda row: row.serial),
            Column("Sold", lambda row: row.sold_at, order="id"),
            Column("Gaming day", lambda row: row.day, shown=False),
            Column("Kind", lambda row: row.kind),
            Column("Games", lambda row: f"{row.first_game}-{row.last_game}"),
            Column("Terminal", lambda row: row.terminal),
            Column("Status", lambda row: row.status),
            Column("Price", lambda row: row.price, css="right"),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    names = people.names(row.terminal for row in found.rows)
    for row in found.rows:
        row.place = names[row.terminal]
    return show(
        request,
        "console/keno/tickets.html",
        listing=found,
        kinds=TicketKind.values,
        statuses=TicketStatus.values,
        day_choices=choices(),
    )


def _is_day(text: str) -> bool:
    return any(day.date.isoformat() == text for day in choices())


@page(SEE)
def ticket(request: Visit, serial: str) -> HttpResponseBase:
    return show_ticket(request, serial)


def show_ticket(
    request: Visit,
    serial: str,
    *,
    form: PayForm | None = None,
    receipt: dict[str, Any] | None = None,
    voucher: Paper | None = None,
    issued: dict[str, Any] | None = None,
) -> HttpResponse:
    found = standing_of(find_ticket(serial))
    row: Any = found.ticket
    plays = sorted(row.plays.all(), key=lambda play: play.place)
    names = people.names([row.terminal, row.writer, row.cancelled_by])
    marked = {number for group in row.groups for number in group}
    games: list[Any] = [
        {"row": each, "drawn": [(n, n in marked) for n in sorted(each.drawn)], "paid": each.prize + each.refund}
        for each in found.games[-MOST_GAMES:]
    ]
    may = request.actor.may
    return show(
        request,
        "console/keno/ticket.html",
        form=form,
        pay_form=form or PayForm(),
        paying=form is not None,
        ticket=row,
        standing=found,
        plays=plays,
        games=games,
        more_games=max(0, len(found.games) - MOST_GAMES),
        prizes=row.prizes.select_related("payment").order_by("game", "kind"),
        printings=row.printings.order_by("pk"),
        names=names,
        seller=names[row.terminal],
        receipt=receipt,
        voucher=voucher,
        issued=issued,
        address=reverse("console:keno-ticket", args=[row.serial]),
        may_pay=may(PAY) and bool(found.owing),
        may_cancel=may(CANCEL) and found.still_playing and row.cancelled_from is None,
        may_reprint=may(REPRINT),
        may_authorise=may(PAY_LARGE) and bool(found.owing),
        may_void=may(VOID_WAGER) and found.still_playing and row.status == TicketStatus.ISSUED,
    )


@page(CANCEL, post=True)
def cancel(request: Visit, serial: str) -> HttpResponseBase:
    done_with = cancel_ticket(serial=serial, by=request.actor)
    if done_with.voucher is not None:  # part of it was paid with a voucher: its paper is on this answer only
        return show_ticket(request, serial, voucher=done_with.voucher)
    said = f"Cancelled {done_with.games} games of {in_fours(read_serial(serial))}. Hand back {money(done_with.refund)}."
    return done(request, said, "keno-ticket", read_serial(serial))


@page(PAY, post=True)
def pay(request: Visit, serial: str) -> HttpResponseBase:
    form = PayForm(request.POST)
    if form.is_valid():
        given = form.given()
        paid = attempt(
            form,
            pay_ticket,
            serial=serial,
            by=request.actor,
            method=PaymentMethod(given.pop("method")),
            **given,
        )
        if paid:
            return done(request, f"Paid {money(paid.payment.amount)}.", "keno-ticket", read_serial(serial))
    return show_ticket(request, serial, form=form)


@page(PAY_LARGE, post=True)
def authorise(request: Visit, serial: str) -> HttpResponseBase:
    given = authorise_payment(serial=serial, by=request.actor)
    said = f"You stand by the payment of {money(given.amount)}. Another person pays it."
    return done(request, said, "keno-ticket", read_serial(serial))


@page(REPRINT, post=True)
def reprint(request: Visit, serial: str) -> HttpResponseBase:
    """The duplicate is on this answer only: shown again, it would have to be printed again."""
    printed = reprint_receipt(serial=serial, reason=request.POST.get("comment", ""), layout="pdf", by=request.actor)
    receipt = {"pdf": b64encode(printed.content).decode(), "serial": printed.receipt.serial}
    return show_ticket(request, serial, receipt=receipt)


@page(VOID_WAGER, post=True)
def void(request: Visit, serial: str) -> HttpResponseBase:
    refund = void_wagers(serial=serial, why=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"The wagers are void; {money(refund)} is owing.", "keno-ticket", read_serial(serial))


@page(SEE)
def scanned(request: Visit) -> HttpResponseBase:
    """Where a scanner on any page leads: to the ticket of that code."""
    code = request.GET.get("code", "")[:100]
    serial = serial_in(code.replace("\0", ""))
    if not serial:
        raise NotFound("no-such-ticket", "That code is no Keno ticket.", clause="act-keno:1.2")
    return show_ticket(request, serial)
