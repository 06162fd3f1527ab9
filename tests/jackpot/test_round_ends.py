"""How a round ends: once, with hands that can be, or void with everything given back."""

from __future__ import annotations

import pytest

from house.models import Incident
from jackpot import pools
from jackpot.finish_round import finish_round
from jackpot.models import Hit, Round, Table, Wager
from jackpot.reconcile import reconcile
from jackpot.rules.payouts import Dealt
from jackpot.rules.pool import HOUSE, WAGERS
from jackpot.void_round import INVALIDATION_CAUSES, LISTED_CAUSES, invalidate_round, void_round
from kernel.money import ZERO
from kernel.refusal import Refusal
from ledger.balance import balance
from ledger.models import Transfer
from tests.jackpot.dealt import FLUSH, GEE_JUN, NOTHING, ROYAL, ROYAL_HEARTS, STRAIGHT_FLUSH, cards, tiles
from tests.world.jackpot_table import conserved, finish, purses, start
from tests.world.money import dollars
from tests.world.people import MANAGER, SUPERVISOR, TABLE

pytestmark = pytest.mark.usefixtures("floor")


def not_refused(round_: Round, *hands: Dealt) -> list[tuple[int | None, str, str]]:
    """What is won where the round ends; a refusal of the whole round is what the clause forbids."""
    try:
        hits = finish(round_, *hands)
    except Refusal as why:
        pytest.fail(f"nsw-csp:14.8: one void hand has stopped the whole round: {why.detail}")
    return [(hit.box, hit.kind, str(hit.amount)) for hit in hits]


def test_a_round_ends_once() -> None:
    round_ = start()
    finish(round_)
    before = Transfer.objects.count(), Hit.objects.count()
    for again in (
        lambda: finish(round_, cards(1, ROYAL)),
        lambda: void_round(round_id=round_.pk, by=TABLE),
        lambda: finish_round(round_id=10**9, hands=[], by=TABLE),
    ):
        with pytest.raises(Refusal):
            again()
    assert (Transfer.objects.count(), Hit.objects.count()) == before


@pytest.mark.clause("nsw-csp:14.8", "nsw-csp:14.9")
def test_a_hand_that_cannot_be_changes_nothing() -> None:
    round_ = start()
    before = Transfer.objects.count()
    for hands in (
        [cards(1, ROYAL), cards(2, ROYAL)],
        [cards(1, "AS KS QS XX")],
        [cards(9, ROYAL)],
        [tiles(1, GEE_JUN)],
    ):
        with pytest.raises(Refusal):
            finish(round_, *hands)
    round_.refresh_from_db()
    assert (round_.status, Transfer.objects.count(), Hit.objects.count()) == ("open", before, 0)


@pytest.mark.clause("nsw-csp:14.8", "act-cp:13.4")
@pytest.mark.parametrize(("table", "code"), [("CSP-01", "CSP"), ("BOOM-01", "BOOM")])
def test_a_hand_of_six_cards_is_void_by_itself_and_the_others_play_on(table: str, code: str) -> None:
    """Its wager goes back with what it had contributed; it gets no prize and no bonus."""
    round_ = start(table, (1, 2, 3))
    won = not_refused(round_, cards(1, f"{ROYAL} 9S"), cards(2, "AH KH QH JH"), cards(3, FLUSH))
    assert won == [(3, "fixed", "100.00")]
    wager = Wager.objects.get(round=round_, box=1).amount
    assert balance(pools.account(code, pools.DROP)).amount == wager  # only the third is still the table's
    one = {"CSP": ("50001.75", "0.25"), "BOOM": ("10000.00", "0.00")}  # the winner's, where every wager contributes
    assert purses(code) == one[code]
    conserved(code)
    assert reconcile(link=round_.table.link).fault == ""
    invalidate_round(round_id=round_.pk, by=SUPERVISOR, cause="fire", why="Fire.")
    assert balance(pools.account(code, pools.DROP)).amount == ZERO
    conserved(code)
    assert reconcile(link=round_.table.link).fault == ""


@pytest.mark.clause("nsw-csp:14.8", "nsw-csp:11.10.2")
def test_a_void_hand_gets_no_bonus() -> None:
    won = not_refused(start("CSP-01", (1, 2, 3)), cards(1, ROYAL), cards(2, "AH KH QH JH 2C 3C"))
    assert [(box, kind) for box, kind, _ in won] == [(3, "bonus"), (1, "royal")]
    conserved("CSP")


@pytest.mark.clause("nsw-csp:14.8", "nsw-csp:12.1.1", "nsw-csp:12.1.2")
@pytest.mark.parametrize(
    ("hand", "amount", "left"),
    [
        (ROYAL, "50003.50", ("50000.00", "0.00")),  # the reserve has gone into the next pool
        (STRAIGHT_FLUSH, "5000.35", ("45003.15", "0.50")),
    ],
)
def test_who_wins_beside_a_void_hand_wins_the_pool_without_its_wager(
    hand: str, amount: str, left: tuple[str, str]
) -> None:
    """Three wagers came in, $1.75 each; one goes back, and neither the winner nor the next pool has it."""
    round_ = start("CSP-01", (1, 2, 3))
    *_, (box, _, won) = not_refused(round_, cards(1, hand), cards(2, "AH KH QH JH 2C 3C"))
    assert (box, won) == (1, amount)
    assert purses("CSP") == left
    assert Hit.objects.get(box=1).measured_on == dollars("50003.50")
    assert balance(pools.account("CSP", pools.DROP)).amount == dollars("5.00")
    conserved("CSP")
    assert reconcile(link=round_.table.link).fault == ""
    invalidate_round(round_id=round_.pk, by=SUPERVISOR, cause="fire", why="Fire.")
    assert purses("CSP") == ("50000.00", "0.00")
    conserved("CSP")
    assert reconcile(link=round_.table.link).fault == ""


@pytest.mark.clause("nsw-csp:14.8")
def test_a_void_hand_after_another_tables_win_takes_nothing_from_the_next_pool() -> None:
    slow = start("CSP-01", (1, 2))
    finish(start("CSP-02", (1,)), cards(1, ROYAL))
    won = not_refused(slow, cards(1, ROYAL_HEARTS), cards(2, "AD KD QD JD"))
    assert won == [(1, "royal", "50000.00")]  # its own wager went with the first win; the house gave the other back
    assert purses("CSP")[0] == "50000.00"
    conserved("CSP")


@pytest.mark.clause("nsw-csp:14.4", "nsw-csp:14.9", "act-cp:15.5")
def test_a_void_round_gives_everything_back() -> None:
    for table, code in (("CSP-01", "CSP"), ("BOOM-01", "BOOM")):
        before = pools.read_pools(code)
        round_ = start(table)
        void_round(round_id=round_.pk, cause="foreign-card", why="Two aces of spades.", by=TABLE)
        assert pools.read_pools(code) == before
        for purse in (HOUSE, WAGERS, pools.DROP):
            assert balance(pools.account(code, purse)).amount == ZERO
        round_.refresh_from_db()
        assert (round_.status, round_.why) == ("void", "foreign-card: Two aces of spades.")
        conserved(code)
    assert set(Incident.objects.values_list("kind", flat=True)) == {"foreign-or-missing-card"}


@pytest.mark.clause("nsw-csp:16.9", "nsw-csp:16.10", "act-cp:15.4")
def test_a_finished_round_can_be_invalidated_until_something_is_paid() -> None:
    for table, code, forfeited in (("CSP-01", "CSP", [1]), ("BOOM-01", "BOOM", [])):
        before = pools.read_pools(code)
        round_ = start(table)
        finish(round_, cards(1, ROYAL), cards(2, NOTHING))
        assert pools.read_pools(code) != before
        why = "Box 1 brought a card of his own."
        invalidate_round(round_id=round_.pk, cause="fraud", why=why, forfeited=forfeited, by=SUPERVISOR)
        assert pools.read_pools(code) == before
        wager = Wager.objects.get(round=round_, box=1).amount * len(forfeited)
        assert balance(pools.account(code, HOUSE)).amount == wager
        assert balance(pools.account(code, pools.DROP)).amount == wager
        assert set(Hit.objects.filter(round=round_).values_list("status", flat=True)) == {"denied"}
        conserved(code)
    assert Table.objects.count() == 8


@pytest.mark.clause("nsw-csp:16.9", "nsw-csp:16.10", "act-cp:15.5", "act-pg:17.4", "act-pg:17.5")
@pytest.mark.parametrize(
    ("table", "cause", "forfeited", "code"),
    [
        ("CSP-01", "error-of-staff", [], "no-such-cause"),  # an irregularity with a rule of its own
        ("CSP-01", "impractical-to-continue", [], "no-such-cause"),  # the ACT's
        ("CSP-01", "fire", [1], "not-forfeited"),
        ("BOOM-01", "fraud", [1], "not-forfeited"),
        ("GJ-01", "fraud", [1], "not-forfeited"),
    ],
)
def test_a_round_is_invalidated_for_what_its_rule_lists(
    table: str, cause: str, forfeited: list[int], code: str
) -> None:
    round_ = start(table)
    finish(round_, tiles(1, GEE_JUN) if table == "GJ-01" else cards(1, ROYAL))
    before = Transfer.objects.count(), pools.read_pools(round_.table.link.code)
    with pytest.raises(Refusal) as refused:
        invalidate_round(round_id=round_.pk, cause=cause, why="So it was.", forfeited=forfeited, by=SUPERVISOR)
    assert refused.value.code == code
    assert (Transfer.objects.count(), pools.read_pools(round_.table.link.code)) == before
    assert set(Hit.objects.values_list("status", flat=True)) == {"claimed"}
    if table != "CSP-01":
        invalidate_round(round_id=round_.pk, cause="impractical-to-continue", why="No light.", by=SUPERVISOR)
        assert balance(pools.account(round_.table.link.code, pools.DROP)).amount == ZERO


@pytest.mark.clause("nsw-csp:16.9", "nsw-csp:16.9.1-2", "act-cp:15.1", "act-cp:15.4", "act-pg:17.1", "act-pg:17.4")
@pytest.mark.parametrize("table", ["CSP-01", "BOOM-01", "GJ-01"])
def test_each_cause_that_the_rule_lists_invalidates_a_round(table: str) -> None:
    listed = ["civil-commotion", "fire", "riot", "brawl", "robbery", "act-of-god", "fraud"]
    for cause in listed + (["impractical-to-continue"] if table != "CSP-01" else []):
        round_ = start(table)
        invalidate_round(round_id=round_.pk, cause=cause, why="So it was.", by=SUPERVISOR)
        round_.refresh_from_db()
        assert (round_.status, round_.why) == ("invalidated", f"{cause}: So it was.")
        assert balance(pools.account(round_.table.link.code, pools.DROP)).amount == ZERO


def test_a_void_round_whose_contribution_was_won_meanwhile_is_made_good() -> None:
    a, b = start("CSP-01", (1, 2, 3)), start("CSP-02", (1,))
    (hit,) = finish(b, cards(1, ROYAL))
    assert hit.amount == dollars("50007.00")  # A's wagers are in it
    void_round(round_id=a.pk, by=TABLE)
    assert purses("CSP") == ("50000.00", "0.00")  # they went with the win: the house gives them back, the seed stays
    conserved("CSP")


@pytest.mark.clause("act-cp:10.5")
def test_a_round_taken_back_after_anothers_win_leaves_the_pool_at_its_seed_at_once() -> None:
    """What it had brought in was won by a straight flush meanwhile, and the pool topped up to its seed."""
    slow = start("BOOM-01", (1, 2, 3, 4, 5))
    finish(slow)
    finish(start("BOOM-02", (1,)), cards(1, STRAIGHT_FLUSH))
    assert purses("BOOM")[0] == "10000.00"
    invalidate_round(round_id=slow.pk, cause="fire", why="The alarm went off.", by=MANAGER)
    assert purses("BOOM")[0] == "10000.00"
    conserved("BOOM")


@pytest.mark.clause("nsw-csp:16.9", "nsw-csp:16.9.1-2")
def test_no_cause_is_listed_that_the_rule_does_not_list() -> None:
    """An error of staff is none of them, nor is "impractical to continue" in New South Wales."""
    listed = {"civil-commotion", "fire", "riot", "brawl", "robbery", "act-of-god", "fraud"}
    assert set(LISTED_CAUSES) == listed
    assert set(INVALIDATION_CAUSES) == listed | {"impractical-to-continue"}
