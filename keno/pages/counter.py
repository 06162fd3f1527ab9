"""The counter: shifts with what was expected and counted, claim forms, prizes nobody has collected."""

from __future__ import annotations

from django.http import HttpResponseBase

from house import people
from house.cash.limits import asks_identity
from house.pages.days import choices, on_day
from house.pages.forms.cash import IdentityForm
from keno import accounts, shifts
from keno.claims import make_claim, pay_claim
from keno.models import CashWay, ClaimReason
from keno.pages.forms import ClaimForm, CountForm
from keno.particulars import read_paper
from keno.permissions import CLAIM, CLOSE_SHIFT, MOVE_CASH, PAY_CLAIM, SEE, SEE_ALL
from keno.queries import counter as queries
from keno.queries.tickets import prizes_unpaid
from keno.steps import claim_steps, is_own, require_may_close, require_may_move_cash, room_steps, shift_steps
from kernel.money import ZERO, Money
from kernel.refusal import Malformed, NotFound
from ledger.balance import balance
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show
from web.words import money

# How cash goes to a drawer and from it: the step, its question, its button.
CASH_WAYS = (
    ("drop", "Take cash from the drawer", "Take it"),
    ("fill", "Bring cash from the cage to the drawer", "Bring it"),
)


# ── Shifts ──────────────────────────────────────────────────────────────────────────────────────────────────────────
@page(SEE)
def shift_list(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.shifts(request.actor),
        name="keno-shifts",
        order="-id",
        search=("terminal", "writer"),
        filters={
            "state": lambda rows, state: rows.filter(closed_at__isnull=state == "open"),
            "day": lambda rows, day: on_day(rows, "day", day),
        },
        columns=(
            Column("Shift", lambda row: row.pk, order="id"),
            Column("Writer", lambda row: row.writer, order="writer"),
            Column("Terminal", lambda row: row.terminal, order="terminal"),
            Column("Opened", lambda row: row.opened_at, order="opened_at"),
            Column("Closed", lambda row: row.closed_at),
            Column("Float", lambda row: row.opening_float, css="right"),
            Column("Counted", lambda row: row.counted_cash, css="right"),
            Column("Over or short", queries.cash_over, css="right"),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    names = people.names(each for row in found.rows for each in (row.writer, row.terminal))
    for row in found.rows:
        row.person, row.place, row.over = names[row.writer], names[row.terminal], queries.cash_over(row)
    sees = request.actor.may(SEE_ALL)
    return show(request, "keno/shifts.html", listing=found, day_choices=choices(), sees_overpayments=sees)


@page(SEE)
def shift(request: Visit, number: int) -> HttpResponseBase:
    return _shift(request, number)


def _shift(request: Visit, number: int, *, form: CountForm | None = None) -> HttpResponseBase:
    row = queries.find_shift(number, request.actor)
    waiting = list(queries.cash_waiting(row))
    counted = queries.counted_by(row)
    said_by = [each.said_by for each in waiting]
    names = people.names([row.writer, row.terminal, row.opened_by, row.closed_by, counted, *said_by])
    tickets, sold = queries.sold_in(row)
    return show(
        request,
        "keno/shift.html",
        form=form,
        count_form=form or CountForm(),
        shift=row,
        over=queries.cash_over(row),
        lines=queries.drawer_lines(row),
        sold=sold,
        tickets=tickets,
        writer=names[row.writer],
        terminal=names[row.terminal],
        steps=shift_steps(row, request.actor),
        own=is_own(row, request.actor),
        cash_ways=CASH_WAYS,
        waiting=[(each.way, names[each.said_by], each.said_at) for each in waiting],
        counted_by=names[counted] if counted else "",
    )


@page(MOVE_CASH, post=True)
def move_cash(request: Visit, number: int, way: str) -> HttpResponseBase:
    if way not in ("drop", "fill"):
        raise NotFound("no-such-move", "Cash is dropped to the cage or filled from it.")
    require_may_move_cash(queries.find_shift(number, request.actor), request.actor)
    try:
        amount = Money.parse(request.POST.get("amount", "").replace("$", "").replace(",", "").strip())
    except ValueError:
        raise Malformed("amount-missing", "Write the amount like 2000.00.", field="amount") from None
    moved = shifts.move_cash(shift_id=number, way=CashWay(way), amount=amount, by=request.actor)
    said = f"{money(amount)} to the cage." if way == "drop" else f"{money(amount)} from the cage."
    if moved.waits:
        said += " It is moved when the other of the two says the same."
    return done(request, f"Shift {number}: {said}", "keno-shift", number)


@page(CLOSE_SHIFT, post=True)
def close_shift(request: Visit, number: int) -> HttpResponseBase:
    require_may_close(queries.find_shift(number, request.actor), request.actor)
    form = CountForm(request.POST)
    if form.is_valid():
        count = attempt(
            form,
            shifts.close_shift,
            shift_id=number,
            counted_cash=form.counted_cash,
            counted_chips=form.counted_chips or ZERO,
            by=request.actor,
        )
        if count and count.cash_over is None:
            said = f"Your count of shift {number} is on record. It is closed when a second person counts the same."
            return done(request, said, "keno-shift", number)
        if count:
            over = count.cash_over
            how = "agrees" if not over else f"is {money(over)} over" if over > ZERO else f"is {money(-over)} short"
            return done(request, f"Shift {number} is closed. The cash {how}.", "keno-shift", number)
    return _shift(request, number, form=form)


# ── Claims ──────────────────────────────────────────────────────────────────────────────────────────────────────────
@page(SEE)
def claims(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.claims(request.actor),
        name="keno-claims",
        order="-id",
        filters={
            "state": lambda rows, state: queries.claims_that_are(state, rows),
            "reason": lambda rows, reason: rows.filter(reason=reason),
        },
        columns=(
            Column("Claim", lambda row: row.pk, order="id"),
            Column("For", lambda row: row.ticket.serial if row.ticket else row.voucher.code),
            Column("Claimant", lambda row: row.shown_claimant.get("name")),
            Column("Why", lambda row: row.reason),
            Column("Made", lambda row: row.made_at, order="made_at"),
            Column("State", queries.claim_status),
            Column("Amount", lambda row: row.amount, css="right", order="amount"),
            Column("Cheque", lambda row: row.cheque_number, shown=False),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    proposals = queries.proposals_of(found.rows)
    for row in found.rows:
        row.state, row.proposal = queries.claim_status(row), proposals.get(row.pk)
        row.steps = claim_steps(row, request.actor, proposal=row.proposal)
        row.form, row.large = IdentityForm(auto_id=f"pay-{row.pk}-%s"), asks_identity(row.amount)
    return show(
        request,
        "keno/claims.html",
        listing=found,
        reasons=ClaimReason.values,
        steps=room_steps(request.actor),
    )


@page(CLAIM)
def new_claim(request: Visit) -> HttpResponseBase:
    form = ClaimForm(request.POST or None, initial={"serial": request.GET.get("serial", "")[:60]})
    if form.is_valid():
        serial, code = read_paper(form.serial)
        made = attempt(
            form,
            make_claim,
            serial=serial,
            security_code=code,
            reason=ClaimReason(form.reason),
            claimant={"name": form.name, "address": form.address, "contact": form.contact},
            grounds=form.grounds,
            by=request.actor,
        )
        if made:
            return done(request, f"Claim {made.pk} for {money(made.amount)} waits for the inspector.", "keno-claims")
    return show(request, "keno/new_claim.html", form=form)


@page(PAY_CLAIM, post=True)
def pay(request: Visit, number: int) -> HttpResponseBase:
    form = IdentityForm(request.POST)
    paid = pay_claim(
        claim_id=number,
        cheque_number=request.POST.get("cheque_number", ""),
        identity=form.identity() if form.is_valid() else None,
        by=request.actor,
    )
    said = f"Claim {number} is paid: {money(paid.amount)} by cheque {paid.cheque_number}."
    return done(request, said, "keno-claims")


# ── Not collected ───────────────────────────────────────────────────────────────────────────────────────────────────
@page(SEE_ALL)
def unclaimed(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        prizes_unpaid(request.actor),
        name="keno-unclaimed",
        order="day",
        filters={
            "moved": lambda rows, moved: rows.filter(unclaimed_on__isnull=moved != "yes"),
            "kind": lambda rows, kind: rows.filter(kind=kind),
        },
        columns=(
            Column("Won on", lambda row: row.day, order="day"),
            Column("Ticket", lambda row: row.ticket.serial),
            Column("Game", lambda row: row.game, order="game"),
            Column("For", lambda row: row.kind),
            Column("Moved", lambda row: row.unclaimed_on),
            Column("Amount", lambda row: row.amount, css="right", order="amount"),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    fund = balance(accounts.UNCLAIMED).amount
    steps = room_steps(request.actor)
    return show(request, "keno/unclaimed.html", listing=found, steps=steps, kinds=PRIZE_KINDS, fund=fund)


PRIZE_KINDS = ("prize", "bonus", "refund")
