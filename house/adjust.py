"""Adjustments: nobody edits a meter. A transfer with a cause code, proposed by one person and approved by another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final

from django.utils import timezone

from house.approvals import Approvable, Record, Shape
from house.gaming_days import gaming_day_at
from house.models import Proposal
from house.permissions import ADJUST_LEDGER, DECIDE_LEDGER
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import ZERO, Money
from kernel.refusal import NotFound, Refusal
from ledger.models import Account
from ledger.post import Booking, post
from web.fields import MoneyField, Text

KIND: Final = "ledger.adjustment"
SUBJECT: Final = "ledger"
CAUSES: Final = {
    "count-difference": "A count showed another amount",
    "equipment-fault": "Equipment recorded a wrong amount",
    "entry-error": "An amount was entered wrongly",
    "regulator-order": "Ordered by the regulator",
    "test-money": "Test money taken out",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    debit: str
    credit: str
    amount: Money
    cause: str


class _Amount(MoneyField):
    """An amount of either sign: that it is above zero is a rule, not a way to write it."""

    default_error_messages: ClassVar = {"not-text": "Write the amount in quotes."}

    def __init__(self) -> None:
        super().__init__(allow_negative=True)

    def to_internal_value(self, data: object) -> Money:
        if not isinstance(data, str):
            self.fail("not-text")
        return super().to_internal_value(data)


class LedgerAdjustmentValue(Record):
    """Money from one account to another."""

    debit = Text(max_length=80, help_text="The account it goes to.")
    credit = Text(max_length=80, help_text="The account it comes from.")
    amount = _Amount()
    cause = Text(max_length=32, help_text=f"One of: {', '.join(CAUSES)}.")
    makes = Adjustment


def _check(subject: str, new: Adjustment) -> None:
    if new.amount <= ZERO:
        raise Refusal("amount-not-positive", "An adjustment moves an amount above zero.", field="new.amount")
    if new.cause not in CAUSES:
        raise Refusal("no-such-cause", f"The cause is one of: {', '.join(CAUSES)}.", field="new.cause")
    if new.debit == new.credit:
        raise Refusal("one-account", "An adjustment goes from one account to another.", field="new.credit")
    open_accounts = set(Account.objects.filter(code__in=[new.debit, new.credit]).values_list("code", flat=True))
    for name, code in (("debit", new.debit), ("credit", new.credit)):
        if code not in open_accounts:
            raise NotFound("no-such-account", f"There is no account “{code}”.", field=f"new.{name}")


def _current(subject: str) -> None:
    """An adjustment replaces nothing: there is no value in force that could have changed meanwhile."""
    if subject != SUBJECT:
        raise NotFound("no-such-subject", "Adjustments are made to the ledger.", field="subject")


def _describe(subject: str, old: Adjustment | None, new: Adjustment) -> str:
    return f"Move ${new.amount} from {new.credit} to {new.debit}: {CAUSES.get(new.cause, new.cause).lower()}."


def _apply(proposal: Proposal, new: Adjustment, by: Actor) -> None:
    now: datetime = timezone.now()
    post(
        booking=Booking(
            debit=new.debit,
            credit=new.credit,
            amount=new.amount,
            kind=KIND,
            reference=f"proposal/{proposal.pk}",
            memo={"cause": new.cause, "why": proposal.why, "proposed_by": proposal.proposed_by},
        ),
        by=by,
        day=gaming_day_at(now).date,
        at=now,
    )


ADJUSTMENT = Approvable(
    kind=KIND,
    label="Adjustment of the books",
    shape=Shape[Adjustment](
        LedgerAdjustmentValue(), unreadable="adjustment-not-readable", codes={"not-money": "amount-not-readable"}
    ),
    authority=Authority.HOUSE,
    permission=DECIDE_LEDGER,
    propose_permission=ADJUST_LEDGER,
    describe=_describe,
    current=_current,
    check=_check,
    apply=_apply,
)
