"""Unclaimed prizes come back to players (11.2): as bonuses, in a jackpot; a claim that comes later is paid (11.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.utils import timezone

from house.approvals import approve, propose
from house.models import Proposal
from keno import jackpots
from keno.claims import make_claim, pay_claim
from keno.models import ClaimReason
from keno.reports import REPORTS
from keno.sell import Sold
from keno.unclaimed import move_unclaimed
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tests.keno.test_claims import ANNA, decide
from tests.plugins.worlds import kept
from tests.world import approvals
from tests.world import keno_counter as at
from tests.world.keno_counter import plain
from tests.world.keno_played import LOW, Played, gaming_day_of
from tests.world.money import dollars

pytestmark = pytest.mark.django_db
KIND = "keno.unclaimed-to-jackpot"


def _with_pools() -> Played:
    counter = Played()
    jackpots.hold_pools(day=counter.day.date)
    return counter


counter = kept(_with_pools)


Unclaimed = Callable[..., list[Sold]]


@pytest.fixture
def unclaimed(counter: Played) -> Iterator[Unclaimed]:
    """Tickets that have won these, which nobody came for in twelve months: it is a year later then."""
    with ExitStack() as a_year_on:

        def won(*amounts: str) -> list[Sold]:
            sold = [counter.won(amount) for amount in amounts]
            counter.day = a_year_on.enter_context(gaming_day_of(counter.too_late))
            assert move_unclaimed(now=timezone.now()) == Money.total(map(dollars, amounts))
            return sold

        yield won


def proposed(counter: Played, amount: Any, subject: str = "jackpot:KENO-6", by: Actor | None = None) -> Proposal:
    new = {"amount": amount} if isinstance(amount, str) else amount
    return propose(kind=KIND, subject=subject, new=new, why="Back to the players.", by=by or counter.supervisor)


def fund() -> Money:
    return at.books().get("keno:unclaimed", ZERO)


def claimed(counter: Played, sold: Sold) -> Any:
    form: dict[str, Any] = {"claimant": ANNA, "grounds": "She has the ticket.", "by": counter.writer}
    made = make_claim(serial=sold.ticket.serial, security_code=sold.security_code, reason=ClaimReason.LATE, **form)
    decide(counter, made)
    return pay_claim(claim_id=made.pk, cheque_number=f"{made.pk:06d}", by=counter.supervisor)


def owed_agrees() -> bool:
    day = timezone.now().date()
    return all(row[3] == ZERO for row in REPORTS["liability"](day, day).rows)


@pytest.mark.clause("act-keno:11.2")
def test_unclaimed_prizes_are_added_to_a_jackpot_by_two_people(counter: Played, unclaimed: Unclaimed) -> None:
    unclaimed("300.00")
    before = jackpots.displayed()
    proposal = proposed(counter, "250.00")
    assert proposal.status == "proposed"
    assert (fund(), jackpots.displayed()) == (dollars("300.00"), before)
    with pytest.raises(Refusal) as caught:
        approve(proposal_id=proposal.pk, by=counter.supervisor)
    assert caught.value.status == 403
    assert approvals.decide(proposal, house=counter.manager).status == "effective"
    assert jackpots.displayed() == {6: before[6] + dollars("250.00"), 8: before[8]}
    assert fund() == dollars("50.00")
    assert at.transfers(KIND) == [("keno:unclaimed", "jackpot:KENO-6:prize", "250.00")]
    assert owed_agrees()
    assert at.in_balance()


def test_the_winner_gets_what_was_added(counter: Played, unclaimed: Unclaimed) -> None:
    unclaimed("300.00")
    approvals.decide(proposed(counter, "300.00"), house=counter.manager)
    counter.sell(plain(1, 2, 3, 4, 5, 6, jackpot=True))
    counter.play(2, LOW)
    won = next(row for row in counter.report("jackpots").rows if row[1] == "won")
    # $1,000.00 guaranteed, $300.00 of others' unclaimed prizes, 15% of the one dollar staked.
    assert won[4] == dollars("1300.15")
    assert at.in_balance()


@pytest.mark.clause("act-keno:11.2")
def test_no_more_than_the_fund_holds_when_it_is_asked_and_when_it_is_decided(
    counter: Played, unclaimed: Unclaimed
) -> None:
    unclaimed("300.00")
    with pytest.raises(Refusal) as caught:
        proposed(counter, "300.01")
    assert (caught.value.code, caught.value.clause) == ("fund-too-small", "act-keno:11.2")
    first, second = proposed(counter, "200.00"), proposed(counter, "200.00", "jackpot:KENO-8")
    approvals.decide(first, house=counter.manager)
    before = at.books()
    late = approvals.decide(second, house=counter.manager)
    assert (late.status, late.outcome) == ("failed", "The unclaimed prizes hold $100.00.")
    assert at.books() == before
    assert fund() == dollars("100.00")


@pytest.mark.parametrize(
    ("amount", "subject", "code"),
    [
        ("0.00", "jackpot:KENO-6", "value-not-readable"),
        ("1.005", "jackpot:KENO-6", "value-not-readable"),
        ("-1.00", "jackpot:KENO-6", "value-not-readable"),
        ("much", "jackpot:KENO-6", "value-not-readable"),
        ({"amount": 5}, "jackpot:KENO-6", "value-not-readable"),
        ({"amount": "5.00", "to": "me"}, "jackpot:KENO-6", "value-not-readable"),
        (["5.00"], "jackpot:KENO-6", "value-not-readable"),
        ("5.00", "jackpot:CSP", "no-such-subject"),
        ("5.00", "KENO-6", "no-such-subject"),
    ],
)
def test_impossible_additions_cannot_be_proposed(
    counter: Played, unclaimed: Unclaimed, amount: dict[str, Any] | list[str] | str, subject: str, code: str
) -> None:
    unclaimed("300.00")
    with pytest.raises(Refusal) as caught:
        proposed(counter, amount, subject)
    assert caught.value.code == code


@pytest.mark.clause("act-keno:11.4", "act-keno:11.5")
def test_a_claim_that_finds_the_fund_spent_is_made_good_by_the_house_and_seen(
    counter: Played, unclaimed: Unclaimed
) -> None:
    anna, ben = unclaimed("300.00", "80.00")
    approvals.decide(proposed(counter, "250.00"), house=counter.manager)
    assert fund() == dollars("130.00")
    assert claimed(counter, anna).payment.amount == dollars("300.00")
    # What the fund still had, and the house for the rest. The fund is never below nothing.
    assert at.transfers("keno.payment") == [
        ("keno:unclaimed", "keno:bank", "130.00"), ("keno:unclaimed-made-good", "keno:bank", "170.00"),
    ]  # fmt: skip
    assert fund() == ZERO
    assert owed_agrees()
    assert claimed(counter, ben).payment.amount == dollars("80.00")
    assert fund() == ZERO
    assert at.books()["keno:unclaimed-made-good"] == dollars("250.00")  # exactly what had been given away
    assert owed_agrees()
    assert at.in_balance()


@pytest.mark.clause("act-keno:11.4")
def test_a_claim_that_finds_its_money_costs_the_house_nothing(counter: Played, unclaimed: Unclaimed) -> None:
    (sold,) = unclaimed("300.00")
    claimed(counter, sold)
    assert at.transfers("keno.payment") == [("keno:unclaimed", "keno:bank", "300.00")]
    assert "keno:unclaimed-made-good" not in at.books()
    assert owed_agrees()
