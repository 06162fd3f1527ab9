"""A royal flush that is verified, and what the payment of so much asks for in this house."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from house.approvals import propose
from house.gaming_days import gaming_day_at
from house.models import Proposal
from jackpot.models import Hit, Instalment
from jackpot.rules.handpay import INSTALMENTS
from jackpot.rules.payouts import Dealt
from kernel.money import Money
from tests.world.approvals import decide
from tests.world.jackpot_table import finish, pay, start, verify
from tests.world.people import SUPERVISOR

NOTHING_ASKED: dict[str, Any] = {
    "tax_rate": 0,
    "tax_from": "0.00",
    "authorised_from": None,
    "surveillance_from": None,
    "instalments_from": None,
}
ROYAL = ("AS", "KS", "QS", "JS", "TS")


def handpay_asks(**changed: Any) -> Proposal:
    """Proposed by a supervisor, approved by an inspector."""
    new = NOTHING_ASKED | changed
    return decide(propose(kind="jackpot.handpay", subject="handpay:venue", new=new, why="As agreed.", by=SUPERVISOR))


def verified_royal(table: str = "CSP-01") -> Hit:
    (hit,) = finish(start(table, (1,)), Dealt(box=1, cards=ROYAL))
    return verify(hit)


def today() -> date:
    return gaming_day_at(timezone.now()).date


def plan_for(
    hit: Hit, owed: Money, *, parts: int = 3, every_days: int = 30, first: date | None = None
) -> dict[str, Any]:
    """Equal instalments, the loose cents with the last."""
    one = Money(owed.micros // parts).down_to_cents()
    amounts = [one] * (parts - 1)
    amounts.append(owed - Money.total(amounts))
    begin = today()
    dues = [
        {"due": (begin + timedelta(days=every_days * number)).isoformat(), "amount": str(amount)}
        for number, amount in enumerate(amounts)
    ]
    return {"hit": hit.pk, "agreed": "Paper 12", "instalments": dues}


def owed_instalment(table: str = "CSP-03") -> Instalment:
    """The first of three, due today, of a hit that was approved to be paid so."""
    handpay_asks(instalments_from="20000.00")
    hit = verified_royal(table)
    decide(proposed_plan(hit, plan_for(hit, hit.amount)))
    pay(hit, method=INSTALMENTS, payment_reference="")
    return hit.instalments.order_by("number")[0]


def proposed_plan(hit: Hit, new: dict[str, Any]) -> Proposal:
    about = hit.link.subject
    return propose(kind="jackpot.instalments", subject=about, new=new, why="The winner asked.", by=SUPERVISOR)
