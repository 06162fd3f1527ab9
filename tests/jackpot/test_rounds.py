"""Rounds at tables: what is won, what it is measured on, and what the purses hold afterwards."""

from __future__ import annotations

from datetime import date

import pytest

from jackpot import links, pools
from jackpot.pools import read_meter
from jackpot.rules.payouts import Dealt
from jackpot.rules.pool import HOUSE, WAGERS, Movement
from kernel.money import ZERO, Money
from ledger.balance import balance
from ledger.models import Act, Transfer
from tests.jackpot.dealt import (
    FLUSH,
    FULL_HOUSE,
    GEE_JUN,
    HUNDRED_TILES,
    NO_TILES,
    NOTHING,
    NOTHING_2,
    ROYAL,
    STRAIGHT_FLUSH,
    cards,
    tiles,
)
from tests.world.jackpot_table import conserved, finish, purses, start, won
from tests.world.money import dollars
from tests.world.people import TABLE

pytestmark = pytest.mark.usefixtures("floor")


@pytest.mark.clause("act-cp:10.3", "act-cp:10.4")
def test_a_boomerang_hand_that_was_not_declared_wins_nothing() -> None:
    def declared(box: int, text: str, yes: bool) -> Dealt:
        return Dealt(box=box, cards=text.split(), declared=yes)

    played = start("BOOM-01", (1, 2))
    hits = finish(played, declared(1, ROYAL, False), declared(2, FULL_HOUSE, True))
    assert won(hits) == [(2, "fixed", "150.00", "0.00", "150.00")]
    played.refresh_from_db()
    assert played.hands is not None
    assert [hand.get("declared") for hand in played.hands] == [False, None]  # kept as it was said
    assert played.fed == 1  # the wager of the royal lost, and feeds the pool
    # Caribbean Stud asks for no declaration (11.4).
    hits = finish(start("CSP-01", (1,)), declared(1, FULL_HOUSE, False))
    assert won(hits) == [(1, "fixed", "150.00", "0.00", "150.00")]


@pytest.mark.clause("nsw-csp:11.8")
def test_a_jackpot_prize_stands_beside_ante_and_bet() -> None:
    """Nothing about ante, bet or the dealer's hand goes into it: a hand is owed its whole prize whatever they paid,
    from accounts of the jackpot's own."""
    before = set(Transfer.objects.values_list("pk", flat=True))
    (hit,) = finish(start("CSP-01", (1,)), cards(1, FULL_HOUSE))
    assert (hit.amount, hit.kind) == (dollars("150.00"), "fixed")
    moved = Transfer.objects.exclude(pk__in=before).values_list("debit__code", "credit__code")
    assert {code.split(":")[0] for pair in moved for code in pair} == {"jackpot"}


@pytest.mark.clause("nsw-csp:11.5", "nsw-csp:11.6", "nsw-csp:2.3", "nsw-csp:2.4.3")
def test_every_caribbean_stud_wager_contributes_when_it_is_accepted() -> None:
    round_ = start(boxes=(1, 2, 3))
    assert round_.displayed == {"prize": "50000.00"}  # what the table showed when it began
    assert purses("CSP") == ("50005.25", "0.75")
    assert balance(pools.account("CSP", HOUSE)).amount == dollars("1.50")
    assert balance(pools.account("CSP", pools.DROP)).amount == dollars("7.50")
    assert finish(round_, cards(1, NOTHING), cards(2, NOTHING_2)) == []
    assert purses("CSP") == ("50005.25", "0.75")
    conserved("CSP")


@pytest.mark.clause(
    "nsw-csp:12.1.1", "nsw-csp:11.10.1", "nsw-csp:11.10.2", "nsw-csp:11.10.3", "nsw-csp:11.10.4", "nsw-csp:12.2"
)
def test_a_royal_flush_is_locked_and_the_pool_restarts_from_reserve_then_house() -> None:
    for _ in range(4):
        finish(start(boxes=(1, 2, 3, 4, 5)))  # 20 wagers: 35.00 prize, 5.00 reserve
    hits = finish(start(boxes=(1, 2, 3)), cards(2, ROYAL), cards(3, FULL_HOUSE))
    assert won(hits) == [
        (3, "fixed", "150.00", "0.00", "150.00"),
        (3, "bonus", "250.00", "0.00", "250.00"),
        (1, "bonus", "250.00", "0.00", "250.00"),
        (2, "royal", "50040.25", "50040.25", "0.00"),
    ]
    assert [hit.sequence for hit in hits] == [1, 2, 3, 4]
    assert hits[-1].measured_on == dollars("50040.25")
    assert {hit.status for hit in hits} == {"claimed"}
    now = pools.read_pools("CSP")
    assert (now.prize, now.reserve) == (dollars("50000.00"), ZERO)
    assert now.advanced == dollars("50000.00") + dollars("50000.00") - dollars("5.75")
    assert now.owed_to_winners == dollars("50690.25")
    conserved("CSP")
    told = list(Act.objects.filter(kind="jackpot.hit").order_by("id"))
    assert [act.data["amount"] for act in told] == ["150.00", "250.00", "250.00", "50040.25"]
    assert {act.data["table"] for act in told} == {"CSP-01"}
    assert {act.data["status"] for act in told} == {"claimed"}


@pytest.mark.clause("nsw-csp:12.1.2")
def test_a_straight_flush_takes_its_tenth_and_nothing_restarts() -> None:
    hits = finish(start(boxes=(4,)), cards(4, STRAIGHT_FLUSH))
    # 50,001.75 × 10% = 5,000.175: down to the cent, above the guarantee
    assert won(hits) == [(4, "straight", "5000.17", "5000.17", "0.00")]
    assert purses("CSP") == ("45001.58", "0.25")
    second = finish(start(boxes=(4,)), cards(4, STRAIGHT_FLUSH))
    # 45,003.33 → 4,500.33 from the pool, made up to 5,000 by the house; the meter may fall below its seed
    assert won(second) == [(4, "straight", "5000.00", "4500.33", "499.67")]
    assert read_meter(links.find_link("CSP")).total == dollars("40503.00")
    conserved("CSP")


@pytest.mark.clause("act-cp:10.5", "act-cp:11.1-fixed", "act-cp:7.3")
def test_boomerang_is_fed_by_losing_wagers_at_the_end() -> None:
    round_ = start("BOOM-01", (1, 2, 3, 4))
    assert purses("BOOM") == ("10000.00", "0.00")
    assert balance(pools.account("BOOM", WAGERS)).amount == dollars("4.00")
    hits = finish(round_, cards(1, FLUSH), cards(2, NOTHING), cards(3, FULL_HOUSE), folded=(3,))
    assert won(hits) == [(1, "fixed", "100.00", "0.00", "100.00")]  # box 3 folded: it lost its wager
    assert purses("BOOM") == ("10001.80", "1.20")
    assert balance(pools.account("BOOM", WAGERS)).amount == ZERO
    # the winning wager is the house's, and nothing of the three others; it owes the prize
    assert balance(pools.account("BOOM", HOUSE)).amount == dollars("1.00") - dollars("100.00")
    round_.refresh_from_db()
    assert round_.fed == 3
    conserved("BOOM")


@pytest.mark.clause("act-cp:11.1-royal", "act-cp:11.1-straight", "nsw-csp:12.1.1")
def test_the_linked_table_race() -> None:
    """Table A starts at a displayed amount; table B wins it; then A's round ends with a royal flush, too."""
    for table, code in (("BOOM-0", "BOOM"), ("CSP-0", "CSP")):
        a = start(f"{table}1", (1,))
        shown = Money.parse(a.displayed["prize"])
        b = start(f"{table}2", (1,))
        (first,) = finish(b, cards(1, ROYAL))
        (second,) = finish(a, cards(1, ROYAL))
        if code == "BOOM":  # owed what was displayed when A's round began, the house covering what the pool cannot
            assert (first.amount, second.amount) == (shown, shown)
            assert (second.measured_on, second.from_pool) == (shown, dollars("10000.00"))
        else:  # paid on the pool as it then is
            assert first.amount == dollars("50003.50")  # both rounds' wagers
            assert (second.amount, second.measured_on) == (dollars("50000.00"), dollars("50000.00"))
        assert second.sequence == first.sequence + 1
        conserved(code)


@pytest.mark.clause("act-cp:11.1-royal")
def test_the_race_at_eighty_thousand() -> None:
    pools.book(
        link="BOOM",
        movements=[Movement(HOUSE, "prize", dollars("70000.00"))],
        kind="test.grown",
        reference="1",
        by=TABLE,
        day=date(2026, 11, 16),
    )
    a, b = start("BOOM-01", (1,)), start("BOOM-02", (1,))
    assert a.displayed == {"prize": "80000.00"}
    assert won(finish(b, cards(1, ROYAL))) == [(1, "royal", "80000.00", "80000.00", "0.00")]
    assert won(finish(a, cards(1, ROYAL))) == [(1, "royal", "80000.00", "10000.00", "70000.00")]
    assert purses("BOOM") == ("10000.00", "0.00")
    conserved("BOOM")


@pytest.mark.clause("act-pg:12.7", "act-pg:13.2-major", "act-pg:13.2-fixed", "act-pg:13.1")
def test_gee_jun_pays_what_is_displayed_and_losing_wagers_feed_the_next_pool() -> None:
    hits = finish(start("GJ-01", (1, 2, 3, 4)), tiles(1, GEE_JUN), tiles(2, HUNDRED_TILES), tiles(3, NO_TILES))
    assert won(hits) == [
        (2, "fixed", "100.00", "0.00", "100.00"),
        (1, "major", "10000.00", "10000.00", "0.00"),
    ]
    assert purses("GJ") == ("10001.20", "0.80")
    conserved("GJ")


@pytest.mark.clause("act-cp:11.1-straight")
def test_boomerang_is_topped_up_at_once() -> None:
    finish(start("BOOM-01", (1, 2)))  # 1.20 prize, 0.80 reserve
    hits = finish(start("BOOM-01", (1,)), cards(1, STRAIGHT_FLUSH))
    assert won(hits) == [(1, "straight", "1000.12", "1000.12", "0.00")]
    now = pools.read_pools("BOOM")
    assert (now.prize, now.reserve) == (dollars("10000.00"), ZERO)
    assert now.advanced == dollars("10998.12")  # 10,000 at the start; 998.92 missing, 0.80 of it from the reserve
    conserved("BOOM")
