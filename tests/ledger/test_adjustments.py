"""Nobody edits a meter: an adjustment is a transfer with a cause code, and two people."""

from __future__ import annotations

from typing import Any

import pytest

from house.approvals import approve, describe, propose
from house.models import Proposal
from house.plan_days import ensure_gaming_days
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Forbidden, Refusal
from ledger.balance import balance
from ledger.models import Transfer
from tests.world.books import CASH, SALES, open_books

pytestmark = pytest.mark.django_db

ANNA = Actor("staff:anna", "Anna", frozenset({"ledger.adjust", "approvals.decide.ledger"}))
BEN = Actor("staff:ben", "Ben", frozenset({"ledger.adjust", "approvals.decide.ledger"}))
GOOD = {"debit": CASH, "credit": SALES, "amount": "12.50", "cause": "entry-error"}


@pytest.fixture(autouse=True)
def _open(db: None) -> None:
    ensure_gaming_days()
    open_books()


def proposed(new: Any = GOOD, by: Actor = ANNA) -> Proposal:
    return propose(kind="ledger.adjustment", subject="ledger", new=new, why="the count of table 4", by=by)


def test_one_proposes_another_approves_and_the_books_say_why() -> None:
    proposal = proposed()
    assert balance(CASH).amount == ZERO
    assert describe(proposal) == "Move $12.50 from house:sales to house:cash: an amount was entered wrongly."
    approve(proposal_id=proposal.pk, by=BEN)
    assert balance(CASH).amount == Money.parse("12.50")
    transfer = Transfer.objects.get()
    assert (transfer.kind, transfer.actor) == ("ledger.adjustment", "staff:ben")
    assert transfer.memo == {"cause": "entry-error", "why": "the count of table 4", "proposed_by": "staff:anna"}


def test_never_by_the_one_who_proposed_it() -> None:
    proposal = proposed()
    with pytest.raises(Forbidden):
        approve(proposal_id=proposal.pk, by=ANNA)
    assert Transfer.objects.count() == 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"amount": "0.00"}, "amount-not-positive"),
        ({"amount": "-1.00"}, "amount-not-positive"),
        ({"amount": "1"}, "amount-not-readable"),
        ({"amount": 1}, "adjustment-not-readable"),
        ({"cause": "because"}, "no-such-cause"),
        ({"credit": CASH}, "one-account"),
        ({"debit": "house:nowhere"}, "no-such-account"),
        ({"extra": "x"}, "adjustment-not-readable"),
    ],
)
def test_an_impossible_one_is_not_even_proposed(change: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        proposed(GOOD | change)
    assert refusal.value.code == code
    assert Proposal.objects.count() == Transfer.objects.count() == 0
