"""Adjustments: nobody edits a meter. A transfer with a cause code, proposed by one person and approved by another."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.utils import timezone

from house.actors import Actor
from house.approvals import approvable
from house.gaming_days import gaming_day_at
from house.models import Proposal
from house.refusal import Malformed, NotFound, Refusal
from ledger.models import Account
from ledger.money import ZERO, Money
from ledger.permissions import DECIDE, PROPOSE
from ledger.post import Booking, post

KIND: Final = "ledger.adjustment"
SUBJECT: Final = "ledger"
CAUSES: Final = {
    "count-difference": "A count showed another amount",
    "equipment-fault": "Equipment recorded a wrong amount",
    "entry-error": "An amount was entered wrongly",
    "regulator-order": "Ordered by the regulator",
    "test-money": "Test money taken out",
}
_FIELDS: Final = {"debit", "credit", "amount", "cause"}


def _read(value: Any) -> tuple[str, str, Money, str]:
    if not isinstance(value, dict) or value.keys() != _FIELDS or not all(isinstance(v, str) for v in value.values()):
        raise Malformed("adjustment-not-readable", "An adjustment has debit, credit, amount and cause.", field="new")
    try:
        amount = Money.parse(value["amount"])
    except ValueError as error:
        raise Malformed("amount-not-readable", f"{error}.", field="new.amount") from error
    return value["debit"], value["credit"], amount, value["cause"]


def _check(subject: str, new: Any) -> None:
    _current(subject)
    debit, credit, amount, cause = _read(new)
    if amount <= ZERO:
        raise Refusal("amount-not-positive", "An adjustment moves an amount above zero.", field="new.amount")
    if cause not in CAUSES:
        raise Refusal("no-such-cause", f"The cause is one of: {', '.join(CAUSES)}.", field="new.cause")
    if debit == credit:
        raise Refusal("one-account", "An adjustment goes from one account to another.", field="new.credit")
    open_accounts = set(Account.objects.filter(code__in=[debit, credit]).values_list("code", flat=True))
    for name, code in (("debit", debit), ("credit", credit)):
        if code not in open_accounts:
            raise NotFound("no-such-account", f"There is no account “{code}”.", field=f"new.{name}")


def _current(subject: str) -> None:
    """An adjustment replaces nothing: there is no value in force that could have changed meanwhile."""
    if subject != SUBJECT:
        raise NotFound("no-such-subject", "Adjustments are made to the ledger.", field="subject")


def _describe(subject: str, old: Any, new: Any) -> str:
    debit, credit, amount, cause = _read(new)
    return f"Move ${amount} from {credit} to {debit}: {CAUSES.get(cause, cause).lower()}."


def _apply(proposal: Proposal, by: Actor) -> None:
    debit, credit, amount, cause = _read(proposal.new)
    now: datetime = timezone.now()
    post(
        booking=Booking(
            debit=debit,
            credit=credit,
            amount=amount,
            kind=KIND,
            reference=f"proposal/{proposal.pk}",
            memo={"cause": cause, "why": proposal.why, "proposed_by": proposal.proposed_by},
        ),
        by=by,
        day=gaming_day_at(now).date,
        at=now,
    )


approvable(
    kind=KIND,
    label="Adjustment of the books",
    permission=DECIDE,
    propose_permission=PROPOSE,
    describe=_describe,
    current=_current,
    check=_check,
    apply=_apply,
)
