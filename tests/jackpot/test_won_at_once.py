"""act-pg:13.3: majors that are won at the same time on linked tables share what was displayed at the first."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import ProgrammingError, transaction
from django.utils import timezone

from house.approvals import approve, propose
from house.models import Incident
from jackpot import at_once, pools
from jackpot.hits import deny_hit
from jackpot.models import Hit
from jackpot.reconcile import reconcile
from jackpot.rules.at_once import are_shared, shares
from jackpot.rules.catalogue import RULE_SETS
from jackpot.tables import join_table
from jackpot.void_round import invalidate_round, void_round
from jackpot.waiting_rounds import watch_waiting_rounds
from kernel.money import ZERO, Money
from tests.jackpot.dealt import GEE_JUN, NO_TILES, tiles
from tests.world.approvals import NOTARY
from tests.world.jackpot_table import conserved, finish, pay, purses, start, verify
from tests.world.money import dollars
from tests.world.people import DESK, MANAGER, SUPERVISOR, TABLE
from tests.world.refusals import refused

pytestmark = pytest.mark.usefixtures("floor")
CLAUSE = pytest.mark.clause("act-pg:13.3")


def test_which_rules_share() -> None:
    assert [code for code, rules in RULE_SETS.items() if are_shared(rules)] == ["gee-jun"]


def test_shares_are_by_wager_and_never_more_than_was_displayed() -> None:
    one = dollars("1.00")
    assert shares(dollars("10000.01"), [one, one]) == [dollars("5000.00")] * 2
    assert shares(dollars("100.00"), [one] * 3) == [dollars("33.33")] * 3
    assert shares(dollars("90.00"), [one, dollars("2.00")]) == [dollars("30.00"), dollars("60.00")]


def owed(*hits: Hit) -> list[str]:
    for hit in hits:
        hit.refresh_from_db()
    return [str(hit.amount) for hit in hits]


@CLAUSE
def test_two_majors_at_once_share_what_was_displayed_at_the_first() -> None:
    one, two = start("GJ-01", (1, 2)), start("GJ-02", (3,))
    (first,) = finish(one, tiles(1, GEE_JUN))
    assert owed(first) == ["10000.00"]
    one.refresh_from_db()
    assert one.waits_for == [two.pk]
    verify(first)
    said = refused(lambda: pay(first), "hit-waits", unchanged=lambda: purses("GJ"))
    assert f"round {two.pk} at GJ-02 was open when it was won" in said.detail
    prize, reserve = purses("GJ")
    (second,) = finish(two, tiles(3, GEE_JUN))
    assert owed(first, second) == ["5000.00", "5000.00"]
    assert second.measured_on == first.measured_on == dollars("10000.00")
    assert (second.lock_id, second.from_house) == (one.pk, ZERO)
    assert purses("GJ") == (prize, reserve)  # it had begun again with the first, and does so once
    conserved("GJ")
    assert "is neither verified nor denied" in refused(lambda: pay(first), "hit-waits").detail
    verify(second)
    for number, hit in enumerate((first, second)):
        pay(hit, payment_reference=f"CHQ 77{number}")
    assert pools.read_pools("GJ").owed_to_winners == ZERO
    conserved("GJ")
    assert reconcile(link=first.link).fault == ""


@CLAUSE
def test_three_tables_and_what_rounding_leaves_stays_in_the_pool() -> None:
    join_table(code="GJ-03", link="GJ", by=SUPERVISOR)
    one, two, three = (start(table, (1,)) for table in ("GJ-01", "GJ-02", "GJ-03"))
    hits = finish(one, tiles(1, GEE_JUN)) + finish(two, tiles(1, GEE_JUN)) + finish(three, tiles(1, GEE_JUN))
    assert owed(*hits) == ["3333.33"] * 3
    assert purses("GJ")[0] == "10000.01"
    conserved("GJ")


@CLAUSE
def test_a_round_that_began_after_the_win_plays_for_the_next_pool() -> None:
    (first,) = finish(start("GJ-01", (1,)), tiles(1, GEE_JUN))
    (second,) = finish(start("GJ-02", (1,)), tiles(1, GEE_JUN))
    assert owed(first, second) == ["10000.00", "10000.00"]
    assert second.lock_id is None
    pay(verify(first))  # and it waits for nobody


@CLAUSE
@pytest.mark.parametrize("ends", ["loses", "void"])
def test_nobody_else_won_and_the_first_gets_all(ends: str) -> None:
    one, two = start("GJ-01", (1,)), start("GJ-02", (1,))
    (first,) = finish(one, tiles(1, GEE_JUN))
    if ends == "loses":
        assert finish(two, tiles(1, NO_TILES)) == []
    else:
        void_round(round_id=two.pk, by=TABLE)
    pay(verify(first))
    assert owed(first) == ["10000.00"]
    conserved("GJ")


@CLAUSE
def test_one_who_is_denied_leaves_his_share_to_the_others_until_one_is_paid() -> None:
    one, two = start("GJ-01", (1,)), start("GJ-02", (1,))
    (first,), (second,) = finish(one, tiles(1, GEE_JUN)), finish(two, tiles(1, GEE_JUN))
    deny_hit(hit_id=first.pk, reason="The tiles were marked.", by=MANAGER)
    assert owed(second) == ["10000.00"]
    assert purses("GJ")[0] == "10000.00"
    conserved("GJ")
    deny_hit(hit_id=second.pk, reason="So were these.", by=MANAGER)
    assert purses("GJ")[0] == "10000.00"  # it stands as if neither had been
    assert pools.read_pools("GJ").advanced == dollars("10000.00")
    conserved("GJ")
    assert reconcile(link=first.link).fault == ""


@CLAUSE
def test_after_a_payment_the_shares_stand() -> None:
    one, two = start("GJ-01", (1,)), start("GJ-02", (1,))
    (first,), (second,) = finish(one, tiles(1, GEE_JUN)), finish(two, tiles(1, GEE_JUN))
    verify(first)
    verify(second)
    pay(first)
    deny_hit(hit_id=second.pk, reason="Not his wager.", by=NOTARY)
    assert owed(first) == ["5000.00"]
    assert purses("GJ")[0] == "15000.00"
    conserved("GJ")


@CLAUSE
def test_the_first_round_invalidated_leaves_all_to_the_second() -> None:
    one, two = start("GJ-01", (1,)), start("GJ-02", (1,))
    finish(one, tiles(1, GEE_JUN))
    (second,) = finish(two, tiles(1, GEE_JUN))
    invalidate_round(round_id=one.pk, cause="fire", why="Table 1 burnt.", by=MANAGER)
    assert owed(second) == ["10000.00"]
    conserved("GJ")


@CLAUSE
@pytest.mark.parametrize("void", [True, False])
def test_after_five_minutes_two_people_end_what_is_open(void: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = start("GJ-01", (1,)), start("GJ-02", (1,))
    (first,) = finish(one, tiles(1, GEE_JUN))
    hands = [] if void else [{"box": 1, "pieces": GEE_JUN.split()}]
    new = {"round": two.pk, "void": void, "hands": hands, "surveillance": "CAM-7 21:04"}
    said: dict[str, Any] = {"kind": "jackpot.waiting-round", "subject": "jackpot:GJ", "new": new, "why": "Asleep."}
    refused(lambda: propose(**said, by=SUPERVISOR), "round-not-overdue")
    assert watch_waiting_rounds(timezone.now()) == 0
    monkeypatch.setattr(at_once, "WAITS_AT_MOST", timedelta(0))
    refused(lambda: void_round(round_id=two.pk, by=TABLE), "two-people-end-it", unchanged=lambda: purses("GJ"))
    refused(lambda: finish(two, tiles(1, NO_TILES)), "two-people-end-it", unchanged=lambda: purses("GJ"))
    two.refresh_from_db()
    assert two.status == "open"
    assert [watch_waiting_rounds(timezone.now()) for _ in range(2)] == [1, 0]  # told once
    assert (told := Incident.objects.get()).kind == "jackpot-round-waited-for"
    assert told.subject == f"round:{two.pk}"
    approve(proposal_id=propose(**said, by=SUPERVISOR).pk, by=NOTARY)
    two.refresh_from_db()
    assert two.status == ("void" if void else "finished")
    assert owed(first) == ["10000.00" if void else "5000.00"]
    if not void:
        second = Hit.objects.get(round=two)
        refused(lambda: verify(second, by=SUPERVISOR), "same-person")  # who proposed how it ended
        verify(second, by=DESK)
    conserved("GJ")
    assert watch_waiting_rounds(timezone.now()) == 0


@CLAUSE
def test_the_amount_of_a_hit_changes_only_as_a_share() -> None:
    (first,) = finish(start("GJ-01", (1,)), tiles(1, GEE_JUN))
    with pytest.raises(ProgrammingError), transaction.atomic():
        Hit.objects.filter(pk=first.pk).update(amount=Money.dollars(1), from_pool=Money.dollars(1))
