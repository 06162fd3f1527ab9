"""Tickets: found by serial or by scanning, with their games, prizes and papers, and what may be done with them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse

from house import people
from house.cash.limits import asks_identity
from house.pages.days import choices, on_day
from keno.cancel import cancel_ticket
from keno.models import PaymentMethod, PrizeHold, TicketKind, TicketStatus
from keno.pages.forms import CancelForm, CodeForm, PayForm
from keno.particulars import read_serial
from keno.pay import Paid, authorise_payment, pay_ticket
from keno.permissions import CANCEL, PAY, PAY_LARGE, REPRINT, SEE, SEE_ALL, VOID_WAGER
from keno.printing import print_receipt, reprint_receipt
from keno.queries.tickets import (
    TicketResult,
    find_ticket,
    held_on,
    look_up,
    printings_of,
    prizes_of,
    result_of,
    tickets,
    wins_unpaid,
)
from keno.refunds import void_wagers
from keno.steps import TicketSteps, room_steps, ticket_steps
from keno.vouchers import IssuedVoucher
from kernel.refusal import Forbidden, NotFound, Refusal
from web.forms import PageForm
from web.lists import Column, Listing
from web.page import P, T, Visit, attempt, done, page, show
from web.words import in_fours, money

GAMES_ROWS = 30  # of a ticket's games on its page, the latest


def serial_in(text: str) -> str:
    """What was typed or scanned, as a serial: ``keno:SERIAL:CODE:1-3`` is the code on a receipt."""
    return read_serial(text.split(":")[1] if text.casefold().startswith("keno:") and ":" in text[5:] else text)


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        tickets(request.actor),
        name="keno-tickets",
        order="-id",
        filters={
            "serial": lambda rows, text: rows.filter(serial__startswith=serial_in(text)),
            "kind": lambda rows, kind: rows.filter(kind=kind),
            "status": lambda rows, status: rows.filter(status=status),
            "day": lambda rows, day: on_day(rows, "day", day),
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
        "keno/tickets.html",
        listing=found,
        kinds=TicketKind.values,
        statuses=TicketStatus.values,
        day_choices=choices(),
        steps=room_steps(request.actor),
    )


@page(SEE)
def ticket(request: Visit, serial: str) -> HttpResponseBase:
    """To a writer by its serial what is printed on it; with its code, which is sent, what it won as well."""
    form = CodeForm(request.POST or None)
    if form.is_valid():
        code = form.security_code
        found = _with_code(form, look_up, serial=serial, security_code=code, by=request.actor)
        if found:
            return show_ticket(request, serial, held=code)
    return show_ticket(request, serial, code_form=form if form.is_bound else None)


def _why(hold: PrizeHold | None, names: dict[str, str]) -> str:
    return f"{hold.why} {names[hold.owner]} looks into it." if hold else ""


def show_ticket(
    request: Visit,
    serial: str,
    *,
    form: PayForm | None = None,
    code_form: CodeForm | None = None,
    cancel_form: CancelForm | None = None,
    held: str = "",
    receipt: dict[str, Any] | None = None,
    voucher: IssuedVoucher | None = None,
    issued: dict[str, Any] | None = None,
    continued: Paid | None = None,
) -> HttpResponse:
    """*held*: the security code that was shown, for the forms of this page."""
    found = result_of(find_ticket(serial))
    row = found.ticket
    shown = bool(held) or request.actor.may(SEE_ALL)
    plays = sorted(row.plays.all(), key=lambda play: play.place)
    hold = held_on(row)
    names = people.names([row.terminal, row.writer, row.cancelled_by, hold.owner if hold else None])
    marked = {number for group in row.groups for number in group}
    games: list[Any] = [
        {"row": each, "drawn": [(n, n in marked) for n in sorted(each.drawn)], "paid": each.prize + each.refund}
        for each in found.games[-GAMES_ROWS:]
    ]
    steps = ticket_steps(
        row, request.actor, owing=found.owing, still_playing=found.still_playing, shown=shown, hold=hold
    )
    return show(
        request,
        "keno/ticket.html",
        form=form or code_form or cancel_form,
        pay_form=form or PayForm(initial={"security_code": held}),
        code_form=code_form or CodeForm(),
        cancel_form=cancel_form or CancelForm(initial={"security_code": held}),
        paying=form is not None,
        cancelling=cancel_form is not None,
        large=asks_identity(found.owing),
        shown=shown,
        held=held,
        ticket=row,
        result=found,
        plays=plays,
        games=games,
        more_games=max(0, len(found.games) - GAMES_ROWS),
        prizes=prizes_of(row) if shown else (),
        printings=printings_of(row),
        names=names,
        seller=names[row.terminal],
        receipt=receipt,
        voucher=voucher,
        issued=issued,
        continued=continued,
        address=reverse("console:keno-ticket", args=[row.serial]),
        steps=steps,
        hold=hold,
        hold_why=_why(hold, names) if request.actor.may(SEE_ALL) else "",
        wins=wins_unpaid(row) if steps.void_win else (),
        confirmations=_confirmations(found, steps),
    )


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What is asked before something is done with a ticket (web/_confirm.html)."""

    id: str
    action: str
    sentence: str
    button: str
    then: str = ""
    comment: str = ""
    typed: str = ""
    tone: str = "primary"


def _confirmations(found: TicketResult, steps: TicketSteps) -> list[Confirmation]:
    ticket, called = found.ticket, in_fours(found.ticket.serial)

    def asked(id: str, sentence: str, button: str, **more: Any) -> Confirmation:
        return Confirmation(id, reverse(f"console:keno-ticket-{id}", args=[ticket.serial]), sentence, button, **more)

    made = []
    if steps.hold:
        sentence = f"Put what ticket {called} has won on hold?"
        then = "Nothing on it is paid, tendered or claimed until another person ends the hold."
        made.append(asked("hold", sentence, "Put it on hold", then=then, comment="What is looked into"))
    if steps.release:
        sentence = f"End the hold on ticket {called}?"
        then = "There is nothing against it: whoever holds the ticket is paid."
        made.append(asked("release", sentence, "End the hold", then=then, comment="What was found"))
    for game in wins_unpaid(ticket) if steps.void_win else ():
        address = reverse("console:keno-ticket-void-win", args=[ticket.serial, game])
        sentence = f"Propose that the winning wager of ticket {called} in game {game} is void?"
        then = (
            "Its player was in breach of the rules. Another person decides; then the stake is refunded, and what was "
            "won goes back to its pool."
        )
        more = {"comment": "Which rule was broken, and how", "typed": ticket.serial, "tone": "danger"}
        made.append(Confirmation(f"void-win-{game}", address, sentence, "Propose it", then=then, **more))
    if steps.authorise:
        sentence = f"Authorise the payment of {money(found.owing)} on ticket {called}?"
        then = "You have seen the ticket. Another person then pays it."
        made.append(asked("authorise", sentence, "Authorise payment", then=then))
    if steps.reprint:
        made.append(asked("reprint", f"Print ticket {called} again, marked DUPLICATE?", "Reprint", comment="Why"))
    if steps.void:
        sentence = f"Void the wagers of ticket {called} for games not yet begun?"
        then = "Its player was in breach of the rules. What was paid for these games becomes owing."
        more = {"comment": "Why", "typed": ticket.serial, "tone": "danger"}
        made.append(asked("void", sentence, "Void the wagers", then=then, **more))
    return made


def _with_code(form: PageForm, verb: Callable[P, T], *args: P.args, **arguments: P.kwargs) -> T | None:
    """Like ``attempt``. A terminal that is held is no missing right: it goes back on the form as well."""
    try:
        return attempt(form, verb, *args, **arguments)
    except Forbidden as refusal:
        if refusal.code != "terminal-held":
            raise
        form.refuse(refusal)
        return None


def _held(request: Visit, serial: str, form: PageForm) -> str:
    """The code that was typed, if it is the paper's: what was refused for another reason is asked for again."""
    code = str(form.data.get("security_code", ""))
    try:
        look_up(serial=serial, security_code=code, by=request.actor)
    except Refusal:  # counted already, if it was wrong
        return ""
    return code


@page(CANCEL, post=True)
def cancel(request: Visit, serial: str) -> HttpResponseBase:
    form = CancelForm(request.POST)
    done_with = None
    if form.is_valid():
        code, who = form.security_code, form.identity()
        done_with = _with_code(form, cancel_ticket, serial=serial, security_code=code, identity=who, by=request.actor)
    if done_with is None:
        return show_ticket(request, serial, cancel_form=form, held=_held(request, serial, form))
    if done_with.voucher is not None:  # part of it was paid with a voucher: its paper is on this answer only
        return show_ticket(request, serial, voucher=done_with.voucher)
    said = f"Cancelled {done_with.games} games of {in_fours(read_serial(serial))}. Hand back {money(done_with.cash)}."
    return done(request, said, "keno-ticket", read_serial(serial))


@page(PAY, post=True)
def pay(request: Visit, serial: str) -> HttpResponseBase:
    form = PayForm(request.POST)
    if form.is_valid():
        paid = _with_code(
            form,
            pay_ticket,
            serial=serial,
            security_code=form.security_code,
            method=PaymentMethod(form.method),
            cheque=form.cheque,
            cheque_number=form.cheque_number,
            identity=form.identity(),
            by=request.actor,
        )
        if paid and paid.continuation is not None:  # what the player goes on with: on this answer only
            printed = print_receipt(serial=serial, layout="pdf", by=request.actor)
            receipt = {"pdf": b64encode(printed.content).decode(), "serial": printed.receipt.serial}
            return show_ticket(request, serial, receipt=receipt, voucher=paid.voucher, continued=paid)
        if paid:
            if paid.voucher is not None:  # what came in as an approved voucher: its paper is on this answer only
                return show_ticket(request, serial, voucher=paid.voucher)
            return done(request, f"Paid {money(paid.payment.amount)}.", "keno-ticket", read_serial(serial))
    return show_ticket(request, serial, form=form, held=_held(request, serial, form))


@page(PAY_LARGE, post=True)
def authorise(request: Visit, serial: str) -> HttpResponseBase:
    given = authorise_payment(serial=serial, by=request.actor)
    said = f"You have authorised the payment of {money(given.amount)}. Another person pays it."
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
