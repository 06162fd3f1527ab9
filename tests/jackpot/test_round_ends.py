"""How a round ends: once, with hands that can be, or void with everything given back."""

from __future__ import annotations

import pytest

from house.models import Incident
from jackpot import pools
from jackpot.finish_round import finish_round
from jackpot.models import Hit, Table, Wager
from jackpot.rules.pool import HOUSE, WAGERS
from jackpot.void_round import invalidate_round, void_round
from kernel.money import ZERO
from kernel.refusal import Refusal
from ledger.balance import balance
from ledger.models import Transfer
from tests.jackpot.dealt import GEE_JUN, NOTHING, ROYAL, cards, tiles
from tests.world.jackpot_table import conserved, finish, purses, start
from tests.world.money import dollars
from tests.world.people import SUPERVISOR, TABLE

pytestmark = pytest.mark.usefixtures("floor")


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
        [cards(1, "AS KS QS JS")],
        [cards(9, ROYAL)],
        [tiles(1, GEE_JUN)],
    ):
        with pytest.raises(Refusal):
            finish(round_, *hands)
    round_.refresh_from_db()
    assert (round_.status, Transfer.objects.count(), Hit.objects.count()) == ("open", before, 0)


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
    for table, code in (("CSP-01", "CSP"), ("BOOM-01", "BOOM")):
        before = pools.read_pools(code)
        round_ = start(table)
        finish(round_, cards(1, ROYAL), cards(2, NOTHING))
        assert pools.read_pools(code) != before
        invalidate_round(
            round_id=round_.pk,
            cause="illegal-irregular-or-fraudulent-conduct",
            why="Box 1 brought a card of his own.",
            forfeited=[1],
            by=SUPERVISOR,
        )
        assert pools.read_pools(code) == before
        wager = Wager.objects.get(round=round_, box=1).amount
        assert balance(pools.account(code, HOUSE)).amount == wager
        assert balance(pools.account(code, pools.DROP)).amount == wager
        assert set(Hit.objects.filter(round=round_).values_list("status", flat=True)) == {"denied"}
        conserved(code)
    assert Table.objects.count() == 8


def test_a_void_round_whose_contribution_was_won_meanwhile_is_made_good() -> None:
    a, b = start("CSP-01", (1, 2, 3)), start("CSP-02", (1,))
    (hit,) = finish(b, cards(1, ROYAL))
    assert hit.amount == dollars("50007.00")  # A's wagers are in it
    void_round(round_id=a.pk, by=TABLE)
    assert purses("CSP") == ("49994.75", "0.00")  # the reserve had gone into the restart: the house puts it back
    conserved("CSP")
