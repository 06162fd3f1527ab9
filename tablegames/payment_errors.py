"""Over- and underpayments, from their finding to their end (nsw-csp:14.16–14.19). What may be done when is in
``rules/payment_errors.py``; the notice of each above $1,000 is an incident with its month-end clock."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from house import incidents
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.gaming_days import gaming_day_at
from house.incident_kinds import PAYMENT_ERROR_SUSPECTED, REGULATOR, payment_error
from house.log import record_act
from house.models import Notice
from house.players import restrict
from house.players.cards import holder, known_card
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import NotFound, Refusal
from ledger.post import Booking, post
from tablegames import accounts, permissions, steps, tables
from tablegames.acts import IntentDecided, PaymentErrorClosed, PaymentErrorFound, PaymentErrorRectified, StepTaken
from tablegames.cash_kinds import UNDERPAYMENT
from tablegames.models import Cause, Check, ErrorStep, GamingTable, PaymentError
from tablegames.rules import payment_errors as rules
from tablegames.rules.catalogue import find
from tablegames.rules.payment_errors import Direction, Intent, NextStep, Status, Step, Taken

OVERPAID: Final = "tablegames.overpaid"
UNDERPAID: Final = "tablegames.underpaid"
RECTIFIED: Final = "tablegames.rectified"
GIVEN_UP: Final = "tablegames.given-up"
RIGHT_TO_COMPLAIN: Final = (
    "The person may take this to a casino supervisor, and has the right to complain to an inspector (nsw-csp:16.17–18)."
)


def open_for_check(check: Check, *, wager: str, difference: Money, by: Actor) -> PaymentError:
    """What a recorded check found of one wager: what is too much on one does not pay what is short on another."""
    where = f" at {check.table}" if check.table else ""
    return _open(
        difference=difference,
        cause=Cause.WAGER,
        table=check.table,
        player_card=check.player_card,
        what=f"{find(check.game).title}{where}: check {check.pk} found that {_said(difference)} on {wager}.",
        happened_at=check.happened_at,
        by=by,
        check=check,
        wager=wager,
    )


@transaction.atomic
def report_change_error(
    *,
    cause: str,
    owed: Money,
    paid: Money,
    what: str,
    by: Actor,
    table: str | None = None,
    player_card: str = "",
    happened_at: datetime | None = None,
) -> PaymentError:
    """A Cash Change or a Colour Change that was not settled correctly (14.16)."""
    by.require(permissions.CHECK)
    if cause not in (Cause.CASH_CHANGE, Cause.COLOUR_CHANGE):
        raise Refusal("cause-not-known", "It was a cash change or a colour change.", field="cause")
    if owed < ZERO or paid < ZERO:
        raise Refusal("paid-below-zero", "Nothing is paid below zero.", field="paid")
    if owed == paid:
        raise Refusal("nothing-wrong", "What was owed was paid.", field="paid")
    if not what.strip():
        raise Refusal("nothing-said", "Say what happened.", field="what")
    return _open(
        difference=paid - owed,
        cause=Cause(cause),
        table=None if table is None else tables.find_table(table),
        player_card=known_card(player_card).number if player_card.strip() else "",
        what=what.strip(),
        happened_at=happened_at or timezone.now(),
        by=by,
    )


def _said(difference: Money) -> str:
    return f"${difference} was paid too much" if difference > ZERO else f"${-difference} was paid too little"


def _open(
    *,
    difference: Money,
    cause: Cause,
    table: GamingTable | None,
    player_card: str,
    what: str,
    happened_at: datetime,
    by: Actor,
    check: Check | None = None,
    wager: str = "",
) -> PaymentError:
    over = difference > ZERO
    amount = difference if over else -difference
    day = gaming_day_at(timezone.now()).date
    incident = incidents.open_incident(
        kind=payment_error(amount),
        what=what,
        by=by,
        happened_at=happened_at,
        subject=f"check:{check.pk}" if check else f"table:{table}" if table else str(cause),
    )
    error = PaymentError.objects.create(
        check_of=check,
        wager=wager,
        cause=cause,
        table=table,
        direction=Direction.OVER if over else Direction.UNDER,
        amount=amount,
        player_card=player_card,
        what=what,
        incident=incident,
        day=day,
        found_at=timezone.now(),
        found_by=by.identity,
    )
    error.refresh_from_db()
    debit, credit = (accounts.OVERPAID, accounts.FLOAT) if over else (accounts.FLOAT, accounts.UNDERPAID)
    post(
        booking=Booking(
            debit=debit,
            credit=credit,
            amount=amount,
            kind=OVERPAID if over else UNDERPAID,
            reference=f"payment-error/{error.pk}",
        ),
        by=by,
        day=day,
    )
    record_act(_found(error), by=by)
    return error


def _found(error: PaymentError) -> PaymentErrorFound:
    return PaymentErrorFound(
        error=error.pk,
        direction=error.direction,
        cause=error.cause,
        amount=error.amount,
        incident=error.incident_id,
        what=error.what,
        check=error.check_of_id,
        wager=error.wager or None,
    )


@transaction.atomic
def decide_intent(*, error_id: int, intent: str, enquiries: str, by: Actor) -> PaymentError:
    """Whether it was on purpose, as far as reasonable enquiries tell (14.16.1). A suspicion is one incident more."""
    by.require(permissions.RECTIFY)
    error = _lock(error_id)
    steps.must_take(NextStep.DECIDE, error, by)
    if intent not in (Intent.UNINTENTIONAL, Intent.SUSPECTED):
        raise Refusal("intent-not-known", "It was unintentional, or it is suspected.", field="intent")
    if not enquiries.strip():
        raise Refusal("enquiries-missing", "Say what was enquired into.", clause="nsw-csp:14.16.1", field="enquiries")
    error.intent, error.enquiries = intent, enquiries.strip()
    error.save(update_fields=["intent", "enquiries"])
    if intent == Intent.SUSPECTED:
        incidents.open_incident(
            kind=PAYMENT_ERROR_SUSPECTED, what=f"{error.what} {error.enquiries}", by=by, subject=error.subject
        )
    decided = IntentDecided(error=error.pk, direction=error.direction, intent=intent, enquiries=error.enquiries)
    record_act(decided, by=by)
    return error


@transaction.atomic
def take_step(
    *, error_id: int, kind: str, how: str, succeeded: bool, by: Actor, at: datetime | None = None, reference: str = ""
) -> ErrorStep:
    """Keep what was tried: to enquire, identify, contact, reimburse or ask for the return (14.18)."""
    by.require(permissions.RECTIFY)
    error = _lock(error_id)
    steps.must_take(NextStep.STEP, error, by)
    if kind not in tuple(Step):
        raise Refusal("step-not-known", f"A step is one of {', '.join(Step)}.", field="kind")
    rules.check_step(Direction(error.direction), Step(kind))
    if not how.strip():
        raise Refusal("step-says-how", "Say how it was tried.", field="how")
    now = timezone.now()
    if at is not None and at > now:
        raise Refusal("not-happened-yet", "That time is still to come.", field="at")
    step = ErrorStep.objects.create(
        error=error,
        kind=kind,
        how=how.strip(),
        succeeded=succeeded,
        reference=reference.strip(),
        at=at or now,
        by=by.identity,
    )
    record_act(
        StepTaken(
            error=error.pk,
            direction=error.direction,
            step=kind,
            how=step.how,
            succeeded=succeeded,
            at=step.at,
            reference=step.reference,
        ),
        by=by,
    )
    return step


@transaction.atomic
def rectify(
    *,
    error_id: int,
    amount: Money,
    how: str,
    by: Actor,
    reference: str = "",
    identity: Identity | None = None,
) -> PaymentError:
    """Money: the patron is reimbursed, or returns it. All of it together rectifies the payment."""
    by.require(permissions.RECTIFY)
    error = _lock(error_id)
    steps.must_take(NextStep.RECTIFY, error, by)
    if amount <= ZERO or amount > error.outstanding or not amount.whole_cents:
        raise Refusal("amount-impossible", f"{error.outstanding} is outstanding: no more than that.", field="amount")
    if not how.strip():
        raise Refusal("step-says-how", "Say how: in chips, in cash.", field="how")
    over = error.direction == Direction.OVER
    if not over and error.player_card and error.check_of is not None:
        # What is short on a wager is not owed to somebody who broke the employee policy with it (nsw-csp:16.19).
        restrict.refuse_payment_on(error.player_card, wagered_at=error.check_of.happened_at)
    now = timezone.now()
    step = ErrorStep.objects.create(
        error=error,
        kind=Step.REQUEST_RETURN if over else Step.REIMBURSE,
        how=how.strip(),
        succeeded=True,
        amount=amount,
        reference=reference.strip(),
        at=now,
        by=by.identity,
    )
    # What was given up as lost and comes back after all is taken from there.
    given_up = over and error.status in (Status.ATTEMPTED, Status.REPORTED)
    back_from = accounts.ERRORS if given_up else accounts.OVERPAID
    debit, credit = (accounts.CAGE, back_from) if over else (accounts.UNDERPAID, accounts.CAGE)
    post(
        booking=Booking(
            debit=debit,
            credit=credit,
            amount=amount,
            kind=RECTIFIED,
            reference=f"payment-error/{error.pk}/{step.pk}",
            memo={"how": step.how, "reference": step.reference},
        ),
        by=by,
        day=gaming_day_at(now).date,
    )
    error.rectified += amount
    if not error.outstanding:
        error.status, error.closed_at, error.closed_by = Status.RECTIFIED, now, by.identity
    error.save(update_fields=["rectified", "status", "closed_at", "closed_by"])
    if not over:
        _hand_over(step, Receiver(identity=identity, played_by=holder(error.player_card)), by)
    rectified = PaymentErrorRectified(
        error=error.pk, direction=error.direction, amount=amount, outstanding=error.outstanding, step=step.pk
    )
    record_act(rectified, by=by)
    return error


def _hand_over(step: ErrorStep, receiver: Receiver, by: Actor) -> None:
    """How it was paid is said in words: so it counts as cash."""
    assert step.amount is not None
    handed = HandedOver(
        kind=UNDERPAYMENT,
        payment=step.pk,
        reference=str(step.error_id),
        cash=step.amount,
        day=gaming_day_at(step.at).date,
        at=step.at,
    )
    hand_over(handed, receiver=receiver, by=by)


@transaction.atomic
def close_error(*, error_id: int, outcome: str, what: str, by: Actor) -> PaymentError:
    """End the attempts: a reasonable one was made, or the regulator was told. What is given up is booked as lost."""
    by.require(permissions.CLOSE)
    error = _lock(error_id)
    steps.must_take(NextStep.CLOSE, error, by)
    if outcome not in tuple(Status):
        raise Refusal("outcome-not-known", "It is closed as attempted or as reported.", field="outcome")
    if not what.strip():
        raise Refusal("outcome-missing", "Say what came of it.", field="what")
    rules.check_close(
        outcome=Status(outcome),
        direction=Direction(error.direction),
        intent=Intent(error.intent),
        taken=[Taken(Step(step.kind), step.succeeded) for step in ErrorStep.objects.filter(error=error)],
        regulator_told=Notice.objects.filter(incident=error.incident, to=REGULATOR, told_at__isnull=False).exists(),
    )
    now = timezone.now()
    error.status, error.outcome = outcome, what.strip()
    error.closed_at, error.closed_by = now, by.identity
    error.save(update_fields=["status", "outcome", "closed_at", "closed_by"])
    if error.direction == Direction.OVER:
        post(
            booking=Booking(
                debit=accounts.ERRORS,
                credit=accounts.OVERPAID,
                amount=error.outstanding,
                kind=GIVEN_UP,
                reference=f"payment-error/{error.pk}",
            ),
            by=by,
            day=gaming_day_at(now).date,
        )
    closed = PaymentErrorClosed(error=error.pk, direction=error.direction, outcome=outcome, what=error.outcome)
    record_act(closed, by=by)
    return error


def _lock(error_id: int) -> PaymentError:
    error = PaymentError.objects.select_for_update().filter(pk=error_id).first()
    if error is None:
        raise NotFound("no-such-payment-error", f"There is no over- or underpayment {error_id}.")
    return error
