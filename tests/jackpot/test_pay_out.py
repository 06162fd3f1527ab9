"""A link that ends and is paid out as its authority says: all of it, to the cent, by people who are not the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from house.approvals import approve, propose
from house.models import Proposal
from jackpot import pools
from jackpot.contribute import Message, contribute_bulk
from jackpot.models import Link, Payout, Table
from jackpot.pay_out import pay_payout
from jackpot.rules.pay_out import gather, parts
from jackpot.rules.pool import WINNERS
from jackpot.tables import move_table
from kernel.money import BASIS_POINTS, ZERO, Money
from kernel.refusal import Conflict, Forbidden, Refusal
from tests.jackpot.dealt import ROYAL, cards
from tests.world.approvals import NOTARY, decide
from tests.world.jackpot_table import conserved, finish, start
from tests.world.money import dollars
from tests.world.people import MANAGER, SUPERVISOR, TABLE

PAYEES = [{"to": "Problem gambling fund", "share": 6_667}, {"to": "Consolidated revenue", "share": 3_333}]


@given(
    st.lists(st.integers(0, 10**12), min_size=1, max_size=5),
    st.lists(st.integers(1, 100), min_size=1, max_size=8),
)
def test_all_of_it_is_paid_in_whole_cents_and_the_house_adds_less_than_one(held: list[int], weights: list[int]) -> None:
    balances = {f"purse-{n}": Money(micros) for n, micros in enumerate(held)}
    shares = Money(BASIS_POINTS * 10_000).split(weights)
    points = [share.micros // 10_000 for share in shares]
    moves = gather(balances, into="purse-0")
    owed = parts(moves, points)
    added = Money.total(owed) - Money.total(balances.values())
    assert ZERO <= added < Money.parse("0.01")
    assert all(part.micros % 10_000 == 0 for part in owed)
    left = dict(balances)
    for move in moves:
        for purse, amount in ((move.source, -move.amount), (move.target, move.amount)):
            if purse in left:
                left[purse] += amount
    assert set(left.values()) == {ZERO}
    assert moves == () or moves[-1].target == WINNERS


def proposed(link: str = "BOOM", **changed: Any) -> Proposal:
    new = {"direction": "GCI 2026/114", "payees": PAYEES} | changed
    return propose(kind="jackpot.pay-out", subject=f"jackpot:{link}", new=new, why="It ends.", by=SUPERVISOR)


@pytest.mark.usefixtures("floor")
@pytest.mark.clause("act-cp:10.5")
def test_an_inspector_decides_and_everything_in_it_is_owed_and_paid_by_a_third() -> None:
    finish(start("BOOM-01", (1, 2, 3)))
    held = Money.total(pools.read_pools("BOOM").balances.values())
    waiting = proposed()
    with pytest.raises(Forbidden):
        approve(proposal_id=waiting.pk, by=MANAGER)
    assert Link.objects.get(code="BOOM").status == "open"
    decide(waiting)
    assert all(amount == ZERO for amount in pools.read_pools("BOOM").balances.values())
    first, second = Payout.objects.order_by("pk")
    assert ZERO <= first.amount + second.amount - held < dollars("0.01")
    assert pools.read_pools("BOOM").owed_to_winners == first.amount + second.amount
    conserved("BOOM")
    assert {table.status for table in Table.objects.filter(link__code="BOOM")} == {"closed"}
    with pytest.raises(Forbidden):
        pay_payout(payout_id=first.pk, method="transfer", reference="T 1", by=SUPERVISOR)
    for number, each in enumerate((first, second)):
        pay_payout(payout_id=each.pk, method="cheque", reference=f"CHQ 88{number}", by=MANAGER)
    with pytest.raises(Conflict):
        pay_payout(payout_id=first.pk, method="transfer", reference="T 2", by=MANAGER)
    assert pools.read_pools("BOOM").owed_to_winners == ZERO
    conserved("BOOM")
    move_table(table="BOOM-01", link="CSP", by=SUPERVISOR)
    assert Link.objects.get(code="BOOM").hits.count() == 0  # and its history stays


@pytest.mark.usefixtures("floor")
def test_who_proposed_or_decided_it_does_not_pay() -> None:
    waiting = propose(
        kind="jackpot.pay-out",
        subject="jackpot:BOOM",
        new={"direction": "GCI 2026/114", "payees": PAYEES},
        why="It ends.",
        by=MANAGER,
    )
    decide(waiting)
    payout = Payout.objects.order_by("pk")[0]
    with pytest.raises(Forbidden):
        pay_payout(payout_id=payout.pk, method="transfer", reference="T 1", by=MANAGER)
    with pytest.raises(Refusal):
        pay_payout(payout_id=payout.pk, method="cash", reference="1", by=NOTARY)
    with pytest.raises(Refusal):
        pay_payout(payout_id=payout.pk, method="transfer", reference=" ", by=NOTARY)
    payout.refresh_from_db()
    assert payout.paid_at is None
    assert pay_payout(payout_id=payout.pk, method="transfer", reference="T 1", by=NOTARY).paid_by == NOTARY.identity


@pytest.mark.usefixtures("floor")
def test_what_comes_in_late_is_paid_out_by_a_further_decision() -> None:
    played = datetime.now(UTC) - timedelta(milliseconds=1)
    decide(proposed())
    with pytest.raises(Refusal):
        proposed()  # there is nothing in it
    before = Payout.objects.count()
    assert contribute_bulk(messages=[Message("late", "BOOM-01", 4, played)], by=TABLE).counted == 1
    assert any(pools.read_pools("BOOM").balances.values())
    decide(proposed(payees=[{"to": "Problem gambling fund", "share": 10_000}]))
    assert Payout.objects.count() == before + 1
    assert not any(pools.read_pools("BOOM").balances.values())
    conserved("BOOM")
    after = datetime.now(UTC)
    later = contribute_bulk(messages=[Message("later", "BOOM-01", 4, after)], by=TABLE)
    assert [each.code for each in later.refused] == ["pool-retired"]


@pytest.mark.usefixtures("floor")
def test_what_cannot_be_paid_out() -> None:
    wrong: list[dict[str, Any]] = [{"payees": []}, {"payees": PAYEES[:1]}, {"direction": " "}]
    for changed in wrong:
        with pytest.raises(Refusal):
            proposed(**changed)
    started = start("BOOM-01", (1,))
    with pytest.raises(Conflict):
        proposed()
    finish(started, cards(1, ROYAL))
    with pytest.raises(Conflict):  # somebody is owed what he won first
        proposed()
    assert not Proposal.objects.exists()
