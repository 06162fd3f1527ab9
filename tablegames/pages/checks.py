"""The supervisors' pages of table games: check a hand, record what was paid, follow an over- or underpayment."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse, HttpResponseBase

from house import people
from kernel.money import Money
from kernel.refusal import NotFound, Refusal
from tablegames import payment_errors, permissions, queries
from tablegames.in_force import sign_now
from tablegames.models import Check, PaymentError
from tablegames.pages.forms import CloseForm, IntentForm, RectifyForm, SettleForm, StepForm, amount
from tablegames.rules.payment_errors import NextStep, Status
from tablegames.settle import Answer, evaluate, record_check
from tablegames.steps import error_steps, room_steps
from tablegames.tables import find_table
from web import words
from web.forms import PageForm
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show


@page(permissions.CHECK)
def settle(request: Visit) -> HttpResponseBase:
    """Enter a hand, see what is owed, record what was paid."""
    form = SettleForm(request.POST or None, initial={"table": request.GET.get("table", "")})
    answer = None
    if form.is_valid():
        if request.POST.get("do") == "record":
            check = attempt(form, _record, hand=form, request=request)
            if check is not None:
                return _recorded(request, check)
        else:
            answer = attempt(form, _look, hand=form)
    return show(request, "tablegames/settle.html", form=form, answer=_shown(answer), sign=_sign(form))


def _look(*, hand: SettleForm) -> Answer:
    return evaluate(**hand.read())


def _record(*, hand: SettleForm, request: Visit) -> Check:
    read = hand.read()
    if read["paid"] is None:
        raise Refusal("paid-missing", "Say what was paid on every wager before it is recorded.", field="paid")
    return record_check(**read, player_card=hand.player, note=hand.note, by=request.actor)


def _recorded(request: Visit, check: Check) -> HttpResponse:
    errors = queries.errors_of(check)
    if not errors:
        return done(request, f"Check {check.pk} is recorded: paid as owed.", "tables-check", check.pk)
    found = words.listed(f"{error.amount} {_direction(error)} (no. {error.pk})" for error in errors)
    said = f"Check {check.pk} is recorded. {found}: open."
    if len(errors) > 1:
        return done(request, said, "tables-check", check.pk)
    return done(request, said, "tables-error", errors[0].pk)


def _direction(error: PaymentError) -> str:
    return "too much" if error.direction == "over" else "too little"


def _sign(form: SettleForm) -> dict[str, object] | None:
    code = form["table"].value()
    if not code:
        return None
    try:
        return sign_now(find_table(str(code)[:16]))
    except NotFound:
        return None


def _shown(answer: Answer | None) -> dict[str, object] | None:
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
    found = queries.find_check(number)
    lines = []
    for line in found.owed:
        paid = {name: Money.parse(value) for name, value in found.paid[line["wager"]].items()}
        had = paid["pays"] + paid["returns"] - Money.parse(line["pays"]) - Money.parse(line["returns"])
        lines.append({**line, "paid": paid["pays"], "difference": had})
    return show(
        request,
        "tablegames/check.html",
        check=found,
        lines=lines,
        errors=list(found.errors.all()),
        checker=people.names([found.by]).get(found.by),
    )


@page(permissions.VIEW)
def errors(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.payment_errors(),
        name="payment-errors",
        order="-found_at",
        search=("what", "player_card", "table__code"),
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
            Column("Player", lambda row: row.player_card, shown=False),
            Column("Outcome", lambda row: row.outcome, shown=False),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return show(
        request,
        "tablegames/errors.html",
        listing=found,
        statuses=list(Status),
        steps=room_steps(request.actor),
    )


@page(permissions.VIEW)
def error(request: Visit, number: int) -> HttpResponseBase:
    return _show_error(request, queries.find_error(number))


@dataclass(frozen=True, slots=True)
class _Dialog:
    """What is asked before a step: a sentence that repeats the object, a form, a button."""

    step: NextStep
    id: str
    address: str
    sentence: str
    form: PageForm
    button: str
    tone: str = "primary"


def _dialogs(error: PaymentError) -> list[_Dialog]:
    owing, number = words.money(error.outstanding), error.pk
    returns = "The patron returns what was paid too much" if error.direction == "over" else "The patron is reimbursed"
    return [
        _Dialog(
            NextStep.RECTIFY,
            "rectify",
            "console:tables-error-rectify",
            f"{returns}, no. {number}: {owing} is outstanding.",
            RectifyForm(auto_id="rectify-%s", initial={"amount": str(error.outstanding)}),
            "Book it",
        ),
        _Dialog(
            NextStep.STEP,
            "step",
            "console:tables-error-step",
            f"Keep what was tried about no. {number}.",
            StepForm(auto_id="step-%s", direction=error.direction),
            "Record it",
        ),
        _Dialog(
            NextStep.DECIDE,
            "intent",
            "console:tables-error-intent",
            f"Whether no. {number}, {words.money(error.amount)} {_direction(error)}, was on purpose.",
            IntentForm(auto_id="intent-%s"),
            "Record it",
        ),
        _Dialog(
            NextStep.CLOSE,
            "close",
            "console:tables-error-close",
            f"Close no. {number} with {owing} outstanding.",
            CloseForm(auto_id="close-%s"),
            "Close it",
            tone="danger",
        ),
    ]


def _show_error(request: Visit, found: PaymentError, bound: PageForm | None = None) -> HttpResponseBase:
    tried = list(found.steps.all())
    names = people.names([found.found_by, found.closed_by, *(step.by for step in tried)])
    steps = error_steps(found, request.actor)
    return show(
        request,
        "tablegames/error.html",
        form=bound,
        dialogs=[dialog for dialog in _dialogs(found) if dialog.step in steps],
        error=found,
        tried=[(step, names.get(step.by, step.by)) for step in tried],
        outstanding=found.outstanding,
        direction=_direction(found),
        right_to_complain=payment_errors.RIGHT_TO_COMPLAIN,
        finder=names.get(found.found_by),
        closer=names.get(found.closed_by or ""),
        notices=list(found.incident.notices.all()),
        steps=steps,
    )


@page(permissions.RECTIFY, post=True)
def decide(request: Visit, number: int) -> HttpResponseBase:
    form = IntentForm(request.POST)
    if (
        form.is_valid()
        and attempt(
            form,
            payment_errors.decide_intent,
            error_id=number,
            intent=form.intent,
            enquiries=form.enquiries,
            by=request.actor,
        )
        is not None
    ):
        return done(request, "The intent is on record.", "tables-error", number)
    return _show_error(request, queries.find_error(number), bound=form)


@page(permissions.RECTIFY, post=True)
def step(request: Visit, number: int) -> HttpResponseBase:
    form = StepForm(request.POST, direction=queries.find_error(number).direction)
    if (
        form.is_valid()
        and attempt(
            form,
            payment_errors.take_step,
            error_id=number,
            kind=form.kind,
            how=form.how,
            succeeded=form.succeeded,
            reference=form.reference,
            by=request.actor,
        )
        is not None
    ):
        return done(request, "What was tried is on record.", "tables-error", number)
    return _show_error(request, queries.find_error(number), bound=form)


@page(permissions.RECTIFY, post=True)
def rectify(request: Visit, number: int) -> HttpResponseBase:
    money = amount(request.POST.get("amount", ""), field="amount")
    form = RectifyForm(request.POST)
    if (
        form.is_valid()
        and attempt(
            form,
            payment_errors.rectify,
            error_id=number,
            amount=money,
            how=form.how,
            reference=form.reference,
            identity=form.identity(),
            by=request.actor,
        )
        is not None
    ):
        return done(request, f"{money} is booked.", "tables-error", number)
    return _show_error(request, queries.find_error(number), bound=form)


@page(permissions.CLOSE, post=True)
def close(request: Visit, number: int) -> HttpResponseBase:
    form = CloseForm(request.POST)
    if (
        form.is_valid()
        and attempt(
            form, payment_errors.close_error, error_id=number, outcome=form.outcome, what=form.what, by=request.actor
        )
        is not None
    ):
        return done(request, f"No. {number} is closed.", "tables-error", number)
    return _show_error(request, queries.find_error(number), bound=form)
