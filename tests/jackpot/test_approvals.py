"""Changes of jackpots: proposed by one person, approved by another, in force at their moment; the old version stays."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from house.approvals import approve, describe, propose
from house.models import Proposal
from jackpot import links, pools, terms
from jackpot.demo import BOOM, CSP
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit
from jackpot.models import Hit, Link, Round, Table, Terms
from jackpot.pools import read_meter
from jackpot.reconcile import reconcile
from jackpot.start_round import Offer, start_round
from jackpot.tables import join_table, open_table
from kernel.money import ZERO
from kernel.refusal import Conflict, Forbidden, Malformed, NotFound, Refusal
from ledger.balance import balance
from ledger.models import Transfer
from tests.jackpot.dealt import ROYAL, cards
from tests.world.approvals import decide
from tests.world.jackpot_table import conserved, pay, verify
from tests.world.money import dollars
from tests.world.people import MANAGER, SUPERVISOR, TABLE, someone

pytestmark = pytest.mark.usefixtures("floor")


def proposed(kind: str, subject: str, new: Any, **more: Any) -> Proposal:
    return propose(kind=f"jackpot.{kind}", subject=subject, new=new, why="Agreed on Monday.", by=SUPERVISOR, **more)


def made(kind: str, subject: str, new: Any, **more: Any) -> Proposal:
    return decide(proposed(kind, subject, new, **more))


def csp(**changes: Any) -> dict[str, Any]:
    data = copy.deepcopy(terms.write(CSP))
    for name, value in changes.items():
        if name in ("seed", "increment_rate", "ceiling"):
            data["levels"][0][name] = value
        else:
            data[name] = value
    return data


def play(table: str = "CSP-01", hand: str | None = None) -> Round:
    started = start_round(table=table, wagers=[Offer(box=1)], by=TABLE)
    finish_round(round_id=started.pk, hands=[cards(1, hand)] if hand else [], by=TABLE)
    return started


@pytest.mark.clause("nsw-csp:11.6")
def test_new_terms_at_once_leave_the_open_round_and_the_old_version() -> None:
    open_round = start_round(table="CSP-01", wagers=[Offer(box=1)], by=TABLE)
    change = made("terms", "jackpot:CSP", csp(wager="5.00", increment_rate=6000, reserve_rate=2000))
    assert change.status == "effective"
    assert describe(change) == "CSP: wager from 2.50 to 5.00, reserve rate from 10% to 20%, other levels."
    assert list(Terms.objects.filter(link__code="CSP").order_by("version").values_list("version", "set_by")) == [
        (1, "system:demo"),
        (2, "staff:notary"),
    ]
    (hit,) = finish_round(round_id=open_round.pk, hands=[cards(1, "2S 2H 2D 3S 3H")], by=TABLE)
    assert hit.amount == dollars("150.00")
    assert pools.read_pools("CSP").prize == dollars("50001.75")
    play()
    assert pools.read_pools("CSP").prize == dollars("50004.75")
    assert reconcile(link=links.find_link("CSP")).fault == ""
    with pytest.raises(DatabaseError), transaction.atomic():
        Terms.objects.update(set_by="somebody")


def test_terms_that_wait_for_a_win() -> None:
    change = made("terms", "jackpot:CSP", csp(seed="60000.00", bonus="300.00"), condition="when-won")
    assert change.status == "approved"
    play(hand="9C 8C 7C 6C 5C")  # a straight flush is not a win of the whole
    change.refresh_from_db()
    assert change.status == "approved"
    play(hand=ROYAL)
    change.refresh_from_db()
    assert change.status == "effective"
    assert pools.read_pools("CSP").prize == dollars("60000.00")  # the next pool begins under them
    assert terms.of(terms.in_force(links.find_link("CSP"))).bonus == dollars("300.00")
    conserved("CSP")


def test_terms_that_waited_for_a_win_go_when_it_is_denied_and_wait_again() -> None:
    link = links.find_link("CSP")
    change = made("terms", "jackpot:CSP", csp(seed="60000.00", bonus="300.00"), condition="when-won")
    royal = Hit.objects.get(round=play(hand=ROYAL))
    stood = pools.read_pools("CSP").prize
    deny_hit(hit_id=royal.pk, reason="The deck was short.", by=MANAGER)
    change.refresh_from_db()
    assert (change.status, change.effective_at) == ("approved", None)
    version = terms.in_force(link)
    in_force = terms.of(version)
    assert (version.version, in_force.bonus, in_force.parameters.level("prize").seed) == (
        3,
        dollars("250.00"),
        dollars("50000.00"),
    )
    assert stood == dollars("60000.00")
    assert pools.read_pools("CSP").prize == dollars("50001.75")  # as if it had not been won
    play(hand=ROYAL)  # and with the next win they are in force after all
    change.refresh_from_db()
    assert change.status == "effective"
    assert terms.of(terms.in_force(link)).bonus == dollars("300.00")
    assert pools.read_pools("CSP").prize == dollars("60000.00")
    conserved("CSP")
    assert reconcile(link=link).fault == ""


def test_terms_that_replaced_them_since_stand_when_the_win_is_denied() -> None:
    change = made("terms", "jackpot:CSP", csp(bonus="300.00"), condition="when-won")
    royal = Hit.objects.get(round=play(hand=ROYAL))
    made("terms", "jackpot:CSP", csp(bonus="275.00"))
    deny_hit(hit_id=royal.pk, reason="The deck was short.", by=MANAGER)
    change.refresh_from_db()
    assert change.status == "effective"
    assert terms.of(terms.in_force(links.find_link("CSP"))).bonus == dollars("275.00")


@pytest.mark.parametrize(
    ("new", "error"),
    [
        (csp(retained_rate=1999), "parameters-invalid"),
        (csp(wager="2.505"), "terms-invalid"),
        (csp(wager=2.5), "terms-invalid"),
        (csp(bonus="-1.00"), "terms-invalid"),
        (csp(increment_rate="7000"), "terms-invalid"),
        (csp(ceiling="60000.00"), "expected-win-above-ceiling"),
        ({**csp(), "extra": 1}, "terms-invalid"),
        ([], "terms-invalid"),
        ({**csp(), "rules": {}}, "rule-set-invalid"),
        (csp(), "nothing-changes"),
    ],
)
def test_terms_that_cannot_be_are_refused(new: Any, error: str) -> None:
    with pytest.raises(Refusal) as refused:
        proposed("terms", "jackpot:CSP", new)
    assert refused.value.code == error
    assert not Proposal.objects.exists()


def test_a_kept_jackpot_needs_a_seed_that_carries_its_guarantees() -> None:
    data = terms.write(BOOM)
    data["levels"][0]["seed"] = "9999.00"
    with pytest.raises(Refusal) as refused:
        proposed("terms", "jackpot:BOOM", data)
    assert refused.value.code == "seed-below-guarantee"


def test_nobody_approves_their_own_and_not_everybody_may() -> None:
    own = propose(kind="jackpot.terms", subject="jackpot:CSP", new=csp(bonus="1.00"), why="Less.", by=MANAGER)
    for by in (MANAGER, SUPERVISOR, someone("writer")):
        with pytest.raises(Forbidden):
            approve(proposal_id=own.pk, by=by)
    assert Terms.objects.filter(link__code="CSP").count() == 1


def test_an_adjustment_has_a_cause_and_two_people() -> None:
    before = Transfer.objects.count()
    for new, error in (
        ({"purse": "prize", "amount": "1.00"}, Malformed),
        ({"purse": "prize", "amount": 1, "cause": "overcount"}, Malformed),
        ({"purse": "prize", "amount": "0.00", "cause": "overcount"}, Refusal),
        ({"purse": "house", "amount": "1.00", "cause": "overcount"}, Refusal),
        ({"purse": "prize", "amount": "1.00", "cause": "because"}, Refusal),
        ({"purse": "prize", "amount": "-50000.01", "cause": "overcount"}, Refusal),
    ):
        with pytest.raises(error):
            proposed("adjustment", "jackpot:CSP", new)
    with pytest.raises(NotFound):
        proposed("adjustment", "jackpot:NONE", {"purse": "prize", "amount": "1.00", "cause": "overcount"})
    waiting = proposed("adjustment", "jackpot:CSP", {"purse": "prize", "amount": "-12.50", "cause": "overcount"})
    assert describe(waiting) == "CSP: -12.50 to the prize, because more wagers were counted than made."
    assert Transfer.objects.count() == before
    assert decide(waiting).status == "effective"
    moved = Transfer.objects.get(kind="jackpot.adjustment")
    assert (moved.amount, moved.actor) == (dollars("12.50"), "staff:manager")
    assert moved.memo == {"cause": "overcount", "why": "Agreed on Monday.", "proposed_by": "staff:supervisor"}
    assert pools.read_pools("CSP").prize == dollars("49987.50")
    assert pools.read_pools("CSP").advanced == dollars("50000.00")
    checked = reconcile(link=links.find_link("CSP"))
    assert (checked.fault, checked.adjustments) == ("", -dollars("12.50"))


def test_an_adjustment_that_a_win_overtook_fails_and_moves_nothing() -> None:
    up = made("adjustment", "jackpot:CSP", {"purse": "prize", "amount": "100.00", "cause": "promotion"})
    assert up.status == "effective"
    down = proposed("adjustment", "jackpot:CSP", {"purse": "prize", "amount": "-50050.00", "cause": "overcount"})
    play(hand=ROYAL)
    assert decide(down).status == "failed"
    assert pools.read_pools("CSP").prize == dollars("50000.00")


def test_a_new_link_opens_with_its_seed() -> None:
    new = {"title": "High stakes", "terms": csp(seed="80000.00", wager="10.00")}
    assert made("link", "jackpot:HIGH", new).status == "effective"
    assert read_meter(links.find_link("HIGH")).total == dollars("80000.00")
    join_table(code="HIGH-01", link="HIGH", by=MANAGER, boxes=5)
    play("HIGH-01")
    assert pools.read_pools("HIGH").prize == dollars("80007.00")
    for subject, error in (("jackpot:CSP", Conflict), ("jackpot:low", NotFound), ("HIGH", NotFound)):
        with pytest.raises(error):
            proposed("link", subject, new)
    mystery = csp()
    mystery["rules"] |= {"game": "mystery", "measured_on": "trigger-point"}
    with pytest.raises(Refusal):
        proposed("link", "jackpot:M", {"title": "M", "terms": mystery})
    with pytest.raises(Forbidden):
        join_table(code="HIGH-02", link="HIGH", by=TABLE)


def test_a_pool_is_retired_into_another() -> None:
    play("BOOM-01")
    started = start_round(table="BOOM-02", wagers=[Offer(box=1)], by=TABLE)
    with pytest.raises(Conflict):
        proposed("retirement", "jackpot:BOOM", {"into": "CSP"})
    (hit,) = finish_round(round_id=started.pk, hands=[cards(1, "2S 2H 2D 3S 3H")], by=TABLE)
    with pytest.raises(Conflict):
        proposed("retirement", "jackpot:BOOM", {"into": "CSP"})
    verify(hit)
    pay(hit)
    with pytest.raises(Refusal):
        proposed("retirement", "jackpot:BOOM", {"into": "BOOM"})
    assert made("retirement", "jackpot:BOOM", {"into": "CSP"}).status == "effective"
    old = Link.objects.get(code="BOOM")
    assert (old.status, old.retired_into.code) == ("retired", "CSP")  # type: ignore[union-attr]
    assert set(Table.objects.filter(link=old).values_list("status", flat=True)) == {"closed"}
    assert all(amount == ZERO for amount in pools.read_pools("BOOM").balances.values())
    assert pools.read_pools("CSP").prize == dollars("60000.60")
    assert pools.read_pools("CSP").reserve == dollars("0.40")
    assert balance(pools.account("BOOM", "advance")).amount == dollars(
        "10000.00"
    )  # what the house had put in, it put in
    for again in (
        lambda: play("BOOM-01"),
        lambda: open_table(table="BOOM-01", by=SUPERVISOR),
        lambda: join_table(code="BOOM-09", link="BOOM", by=MANAGER),
    ):
        with pytest.raises(Conflict):
            again()
    assert reconcile(link=links.find_link("CSP")).fault == ""
