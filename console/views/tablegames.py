"""The supervisors' pages of table games: check a hand, record what was paid, follow an over- or underpayment."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseBase

from console import people
from console.forms import Sheet
from console.forms.tablegames import CloseForm, IntentForm, RectifyForm, SettleForm, StepForm, amount
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from house.refusal import NotFound, Refusal
from ledger.money import Money
from tablegames import payment_errors, permissions
from tablegames.models import Check, PaymentError
from tablegames.rules.payment_errors import ALLOWED, Act, Status
from tablegames.settle import Answer, evaluate, find_check, record_check
from tablegames.tables import find_table, sign


@page(permissions.CHECK)
def settle(request: Visit) -> HttpResponseBase:
    """Enter a hand, see what is owed, record what was paid."""
    form = SettleForm(request.POST or None, initial={"table": request.GET.get("table", "")})
    answer = None
    if form.is_valid():
        if request.POST.get("do") == "record":
            check = attempt(form, _record, sheet=form, request=request)
            if check is not None:
                return _recorded(request, check)
        else:
            answer = attempt(form, _look, sheet=form)
    return show(request, "console/tables/settle.html", form=form, answer=_shown(answer), sign=_sign(form))


def _look(*, sheet: SettleForm) -> Answer:
    return evaluate(**sheet.read())


def _record(*, sheet: SettleForm, request: Visit) -> Check:
    read = sheet.read()
    if read["paid"] is None:
        raise Refusal("paid-missing", "Say what was paid on every wager before it is recorded.", field="paid")
    return record_check(**read, player=sheet.cleaned_data["player"], note=sheet.cleaned_data["note"], by=request.actor)


def _recorded(request: Visit, check: Check) -> HttpResponse:
    if not check.difference:
        return done(request, f"Check {check.pk} is recorded: paid as owed.", "tables-check", check.pk)
    error = PaymentError.objects.get(check_of=check)
    said = f"Check {check.pk} is recorded. {error.amount} {_direction(error)}: no. {error.pk} is open."
    return done(request, said, "tables-error", error.pk)


def _direction(error: PaymentError) -> str:
    return "too much" if error.direction == "over" else "too little"


def _sign(form: SettleForm) -> dict[str, Any] | None:
    code = form["table"].value()
    if not code:
        return None
    try:
        return sign(find_table(str(code)[:16]))
    except NotFound:
        return None


def _shown(answer: Answer | None) -> dict[str, Any] | None:
    if answer is None:
        return None
    return {
        "lines": [
            {
                "owed": line,
                "paid": answer.paid[line.wager] if answer.paid else None,
                "difference": answer.difference_of(line),
            }
            for line in answer.settlement.owed
        ],
        "notes": answer.settlement.notes,
        "pays": answer.settlement.pays,
        "difference": answer.difference,
    }


@page(permissions.VIEW)
def check(request: Visit, number: int) -> HttpResponseBase:
    found = find_check(number)
    lines = []
    for line in found.owed:
        paid = {name: Money.parse(value) for name, value in found.paid[line["wager"]].items()}
        had = paid["pays"] + paid["returns"] - Money.parse(line["pays"]) - Money.parse(line["returns"])
        lines.append({**line, "paid": paid["pays"], "difference": had})
    return show(
        request,
        "console/tables/check.html",
        check=found,
        lines=lines,
        error=getattr(found, "error", None),
        checker=people.names([found.by]).get(found.by),
    )


@page(permissions.VIEW)
def errors(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        PaymentError.objects.select_related("table"),
        name="payment-errors",
        order="-found_at",
        search=("what", "player", "table__code"),
        filters={"status": lambda rows, status: rows.filter(status=status)},
        columns=(
            Column("No.", lambda row: row.pk, order="id"),
            Column("What", lambda row: row.what),
            Column("Found", lambda row: row.found_at, order="found_at"),
            Column("Over or under", lambda row: row.direction, order="direction"),
            Column("Amount", lambda row: row.amount, order="amount", css="right"),
            Column("Rectified", lambda row: row.rectified, css="right"),
            Column("Intent", lambda row: row.intent, shown=False),
            Column("Status", lambda row: row.status, order="status"),
            Column("Player", lambda row: row.player, shown=False),
            Column("Outcome", lambda row: row.outcome, shown=False),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return show(
        request,
        "console/tables/errors.html",
        listing=found,
        statuses=list(Status),
        may_check=request.actor.may(permissions.CHECK),
        may_report=request.actor.may(permissions.REPORTS),
    )


@page(permissions.VIEW)
def error(request: Visit, number: int) -> HttpResponseBase:
    return _show_error(request, payment_errors.find_error(number))


def _show_error(request: Visit, found: PaymentError, bound: Sheet | None = None) -> HttpResponseBase:
    steps: Any = list(found.steps.all())
    names = people.names([found.found_by, found.closed_by, *(step.by for step in steps)])
    for step in steps:
        step.person = names.get(step.by, step.by)
    allowed = ALLOWED[Status(found.status)]
    outstanding = Money(found.outstanding_micros)
    forms = {
        "intent": IntentForm(auto_id="intent-%s"),
        "step": StepForm(auto_id="step-%s", direction=found.direction),
        "rectify": RectifyForm(auto_id="rectify-%s", initial={"amount": str(outstanding)}),
        "close": CloseForm(auto_id="close-%s"),
    }
    return show(
        request,
        "console/tables/error.html",
        form=bound,
        forms=forms,
        error=found,
        steps=steps,
        outstanding=outstanding,
        direction=_direction(found),
        right_to_complain=payment_errors.RIGHT_TO_COMPLAIN,
        finder=names.get(found.found_by),
        closer=names.get(found.closed_by or ""),
        notices=list(found.incident.notices.all()),
        may_follow=request.actor.may(permissions.RECTIFY),
        may_decide=request.actor.may(permissions.RECTIFY) and Act.DECIDE in allowed,
        may_step=request.actor.may(permissions.RECTIFY) and Act.STEP in allowed,
        may_rectify=request.actor.may(permissions.RECTIFY) and Act.RECTIFY in allowed,
        may_close=request.actor.may(permissions.CLOSE) and Act.CLOSE in allowed,
    )


def _act(request: Visit, number: int, form: Sheet, verb: Any, said: str, **more: Any) -> HttpResponseBase:
    """One act on an over- or underpayment: what the form holds goes to the verb; a refusal is shown on the page."""
    if form.is_valid() and attempt(form, verb, error_id=number, by=request.actor, **(form.cleaned_data | more)):
        return done(request, said, "tables-error", number)
    return _show_error(request, payment_errors.find_error(number), bound=form)


@page(permissions.RECTIFY, post=True)
def decide(request: Visit, number: int) -> HttpResponseBase:
    return _act(request, number, IntentForm(request.POST), payment_errors.decide_intent, "The intent is on record.")


@page(permissions.RECTIFY, post=True)
def step(request: Visit, number: int) -> HttpResponseBase:
    form = StepForm(request.POST, direction=payment_errors.find_error(number).direction)
    return _act(request, number, form, payment_errors.take_step, "What was tried is on record.")


@page(permissions.RECTIFY, post=True)
def rectify(request: Visit, number: int) -> HttpResponseBase:
    money = amount(request.POST.get("amount", ""), field="amount")
    form = RectifyForm(request.POST)
    return _act(request, number, form, payment_errors.rectify, f"{money} is booked.", amount=money)


@page(permissions.CLOSE, post=True)
def close(request: Visit, number: int) -> HttpResponseBase:
    return _act(request, number, CloseForm(request.POST), payment_errors.close_error, f"No. {number} is closed.")
