"""The counter: shifts with what was expected and counted, claim forms, prizes nobody has collected."""

from __future__ import annotations

from typing import Any

from django.db.models import Sum
from django.http import HttpResponseBase

from console import people
from console.days import choices
from console.forms.keno import ClaimForm, CountForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from console.views.keno.tickets import serial_in
from console.words import money
from house.models import Proposal
from house.refusal import Malformed, NotFound
from keno import shifts
from keno.claims import KIND as CLAIM_KIND
from keno.claims import make_claim, pay_claim
from keno.models import Claim, ClaimReason, Prize, Shift, ThresholdReport
from keno.pay import threshold_reported
from keno.permissions import CASH, CLAIM, PAY_CLAIM, REPORT_THRESHOLD, REPORTS, SEE, SHIFT, SHIFT_OTHERS
from keno.reports.shifts import drawers
from ledger.money import ZERO, Money


def _is_day(text: str) -> bool:
    return any(day.date.isoformat() == text for day in choices())


# ── Shifts ──────────────────────────────────────────────────────────────────────────────────────────────────────────
def _over(row: Shift) -> Money | None:
    return None if row.counted_cash is None or row.expected_cash is None else row.counted_cash - row.expected_cash


@page(SEE)
def shift_list(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        Shift.objects.all(),
        name="keno-shifts",
        order="-id",
        search=("terminal", "writer"),
        filters={
            "state": lambda rows, state: rows.filter(closed_at__isnull=state == "open"),
            "day": lambda rows, day: rows.filter(day=day) if _is_day(day) else rows.none(),
        },
        columns=(
            Column("Shift", lambda row: row.pk, order="id"),
            Column("Writer", lambda row: row.writer, order="writer"),
            Column("Terminal", lambda row: row.terminal, order="terminal"),
            Column("Opened", lambda row: row.opened_at, order="opened_at"),
            Column("Closed", lambda row: row.closed_at),
            Column("Float", lambda row: row.opening_float, css="right"),
            Column("Counted", lambda row: row.counted_cash, css="right"),
            Column("Over or short", _over, css="right"),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    names = people.names(each for row in found.rows for each in (row.writer, row.terminal))
    for row in found.rows:
        row.person, row.place, row.over = names[row.writer], names[row.terminal], _over(row)
    return show(request, "console/keno/shifts.html", listing=found, day_choices=choices())


@page(SEE)
def shift(request: Visit, number: int) -> HttpResponseBase:
    return _shift(request, number)


def _shift(request: Visit, number: int, *, form: CountForm | None = None) -> HttpResponseBase:
    row: Any = Shift.objects.filter(pk=number).first() if number < 2**31 else None
    if row is None:
        raise NotFound("no-such-shift", f"There is no shift {number}.")
    actor = request.actor
    own = actor.identity in (row.writer, row.terminal, row.opened_by)
    names = people.names([row.writer, row.terminal, row.opened_by, row.closed_by])
    # A drawer is counted blind: what the books expect is told once it is closed, and before that to nobody here.
    moved = drawers(row.day, row.day) if row.closed_at else None
    lines: list[tuple[str, Money]] = []
    if moved is not None:
        found = next(each for each in moved.rows if each[0] == row.pk)
        lines = [
            (name, value)
            for name, value in zip(moved.columns, found, strict=True)
            if isinstance(value, Money) and name not in ("Expected", "Counted", "Over or short")
        ]
    sold = row.tickets.aggregate(total=Sum("price"))["total"] or ZERO
    return show(
        request,
        "console/keno/shift.html",
        form=form,
        count_form=form or CountForm(),
        shift=row,
        over=_over(row),
        lines=lines,
        sold=sold,
        tickets=row.tickets.count(),
        writer=names[row.writer],
        terminal=names[row.terminal],
        may_cash=actor.may(CASH) and row.writer != actor.identity and row.closed_at is None,
        may_close=actor.may(SHIFT if own else SHIFT_OTHERS) and row.closed_at is None,
    )


@page(CASH, post=True)
def move_cash(request: Visit, number: int, way: str) -> HttpResponseBase:
    if way not in ("drop", "fill"):
        raise NotFound("no-such-move", "Cash is dropped to the cage or filled from it.")
    try:
        amount = Money.parse(request.POST.get("amount", "").replace("$", "").replace(",", "").strip())
    except ValueError:
        raise Malformed("amount-missing", "Write the amount like 2000.00.", field="amount") from None
    (shifts.drop if way == "drop" else shifts.fill)(shift_id=number, amount=amount, by=request.actor)
    said = f"{money(amount)} to the cage." if way == "drop" else f"{money(amount)} from the cage."
    return done(request, f"Shift {number}: {said}", "keno-shift", number)


@page(SHIFT, post=True)
def close_shift(request: Visit, number: int) -> HttpResponseBase:
    form = CountForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        count = attempt(
            form,
            shifts.close_shift,
            shift_id=number,
            counted_cash=data["counted_cash"],
            counted_chips=data["counted_chips"] or ZERO,
            by=request.actor,
        )
        if count:
            over = count.cash_over
            how = "agrees" if not over else f"is {money(over)} over" if over > ZERO else f"is {money(-over)} short"
            return done(request, f"Shift {number} is closed. The cash {how}.", "keno-shift", number)
    return _shift(request, number, form=form)


# ── Claims ──────────────────────────────────────────────────────────────────────────────────────────────────────────
def _state(row: Any) -> str:
    if row.paid_at:
        return "paid"
    return "approved" if row.approved_by else "waiting"


_STATES = {
    "paid": {"paid_at__isnull": False},
    "approved": {"paid_at__isnull": True, "approved_by__isnull": False},
    "waiting": {"paid_at__isnull": True, "approved_by__isnull": True},
}


@page(SEE)
def claims(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        Claim.objects.select_related("ticket", "voucher"),
        name="keno-claims",
        order="-id",
        filters={
            "state": lambda rows, state: rows.filter(**_STATES[state]) if state in _STATES else rows.none(),
            "reason": lambda rows, reason: rows.filter(reason=reason),
        },
        columns=(
            Column("Claim", lambda row: row.pk, order="id"),
            Column("For", lambda row: row.ticket.serial if row.ticket else row.voucher.code),
            Column("Claimant", lambda row: row.claimant.get("name")),
            Column("Why", lambda row: row.reason),
            Column("Made", lambda row: row.made_at, order="made_at"),
            Column("State", _state),
            Column("Amount", lambda row: row.amount, css="right", order="amount"),
            Column("Cheque", lambda row: row.cheque_number, shown=False),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    proposals = {
        proposal.subject: proposal.pk
        for proposal in Proposal.objects.filter(
            kind=CLAIM_KIND, subject__in=[f"claim:{row.pk}" for row in found.rows]
        ).order_by("pk")
    }
    for row in found.rows:
        row.state, row.proposal = _state(row), proposals.get(f"claim:{row.pk}")
    return show(
        request,
        "console/keno/claims.html",
        listing=found,
        reasons=ClaimReason.values,
        may_claim=request.actor.may(CLAIM),
        may_pay=request.actor.may(PAY_CLAIM),
        may_see_approvals=request.actor.may("approvals.view"),
    )


@page(CLAIM)
def new_claim(request: Visit) -> HttpResponseBase:
    form = ClaimForm(request.POST or None, initial={"serial": request.GET.get("serial", "")[:60]})
    if form.is_valid():
        data = form.cleaned_data
        made = attempt(
            form,
            make_claim,
            serial=serial_in(data["serial"]),
            reason=ClaimReason(data["reason"]),
            claimant={name: data[name] for name in ("name", "address", "contact")},
            grounds=data["grounds"],
            by=request.actor,
        )
        if made:
            return done(request, f"Claim {made.pk} for {money(made.amount)} needs a second person.", "keno-claims")
    return show(request, "console/keno/new_claim.html", form=form)


@page(PAY_CLAIM, post=True)
def pay(request: Visit, number: int) -> HttpResponseBase:
    paid = pay_claim(claim_id=number, cheque_number=request.POST.get("cheque_number", ""), by=request.actor)
    said = f"Claim {number} is paid: {money(paid.amount)} by cheque {paid.cheque_number}."
    return done(request, said, "keno-claims")


# ── Not collected ───────────────────────────────────────────────────────────────────────────────────────────────────
@page(SEE)
def unclaimed(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        # Not joined: the few on the page are found first, of a million perhaps, and their tickets then.
        Prize.objects.filter(payment=None).prefetch_related("ticket"),
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
    return show(
        request, "console/keno/unclaimed.html", listing=found, may_claim=request.actor.may(CLAIM), kinds=PRIZE_KINDS
    )


# ── Threshold reports ───────────────────────────────────────────────────────────────────────────────────────────────
@page(REPORTS)
def threshold(request: Visit) -> HttpResponseBase:
    """Payments of $10,000 or more in cash. Who was paid stays out of the list, and out of its file."""
    found = Listing(
        request,
        ThresholdReport.objects.select_related("payment__ticket"),
        name="keno-threshold-reports",
        order="-id",
        filters={"state": lambda rows, state: rows.filter(reported_at__isnull=state == "due")},
        columns=(
            Column("Report", lambda row: row.pk, order="id"),
            Column("Ticket", lambda row: row.payment.ticket.serial),
            Column("Gaming day", lambda row: row.day, order="day"),
            Column("In cash", lambda row: row.cash, css="right", order="cash"),
            Column("Reported", lambda row: row.reported_at),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return show(request, "console/keno/threshold.html", listing=found, may_report=request.actor.may(REPORT_THRESHOLD))


@page(REPORT_THRESHOLD, post=True)
def reported(request: Visit, number: int) -> HttpResponseBase:
    threshold_reported(report_id=number, by=request.actor)
    return done(request, f"Threshold report {number} went to the authority.", "keno-threshold")


PRIZE_KINDS = ("prize", "bonus", "refund")
