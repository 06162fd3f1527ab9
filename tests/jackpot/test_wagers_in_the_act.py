"""Boomerang and Gee Jun wagers: what their rules ask of them, at their own tables."""

from __future__ import annotations

from typing import Any

import pytest

from house.approvals import approve, propose
from house.players.cards import register_player
from jackpot import pools, terms
from jackpot.demo import BOOM, GJ
from jackpot.models import Hit, Round, Wager
from jackpot.rules.pool import HOUSE, WAGERS
from jackpot.start_round import Offer, start_round
from kernel.money import ZERO
from kernel.refusal import Forbidden
from ledger.balance import balance
from ledger.models import Transfer
from tests.jackpot.dealt import GEE_JUN, HUNDRED_TILES, NOTHING, ROYAL, ROYAL_HEARTS, cards, tiles
from tests.world.approvals import INSPECTOR
from tests.world.jackpot_table import conserved, finish, pay, purses, start, verify, won
from tests.world.money import dollars
from tests.world.people import DESK, MANAGER, SUPERVISOR, TABLE
from tests.world.refusals import refused

pytestmark = pytest.mark.usefixtures("floor")


def offered(table: str, *offers: Offer) -> Round:
    return start_round(table=table, wagers=offers, by=TABLE)


def why(round_: Round) -> list[tuple[int, str, str | None]]:
    return [(each["box"], each["code"], each["clause"]) for each in round_.refused]


def taken(code: str) -> str:
    return str(balance(pools.account(code, pools.DROP)).amount)


@pytest.mark.clause("act-cp:10.1", "act-cp:13.7")
def test_a_boomerang_wager_without_an_ante_is_none_and_its_royal_wins_nothing() -> None:
    played = offered("BOOM-01", Offer(box=1, ante=False), Offer(box=2))
    assert why(played) == [(1, "no-ante", "act-cp:10.1")]
    assert list(Wager.objects.values_list("box", flat=True)) == [2]
    assert taken("BOOM") == "1.00"  # the void wager was never taken
    assert finish(played, cards(1, ROYAL), cards(2, NOTHING)) == []
    assert purses("BOOM") == ("10000.60", "0.40")
    conserved("BOOM")


@pytest.mark.parametrize(
    ("code", "new", "clause"),
    [
        pytest.param("BOOM", BOOM, "act-cp:10.2", marks=pytest.mark.clause("act-cp:10.2")),
        pytest.param("GJ", GJ, "act-pg:12.3", marks=pytest.mark.clause("act-pg:12.3")),
    ],
)
def test_a_wager_is_the_amount_that_an_inspector_has_approved(code: str, new: terms.LinkTerms, clause: str) -> None:
    one, two = dollars("1.00"), dollars("2.00")
    table = f"{code}-01"
    played = offered(table, Offer(box=1, amount=one), Offer(box=2, amount=two), Offer(box=3, amount=dollars("0.50")))
    assert why(played) == [(box, "wrong-denomination", clause) for box in (2, 3)]
    assert taken(code) == "1.00"
    finish(played)
    data = terms.write(new) | {"wager": "2.00"}
    said: dict[str, Any] = {"kind": "jackpot.terms", "subject": f"jackpot:{code}", "new": data, "why": "Agreed."}
    proposal = propose(**said, by=SUPERVISOR)
    refused(lambda: approve(proposal_id=proposal.pk, by=MANAGER), "needs-inspector", Forbidden)  # never the house
    assert why(offered(f"{code}-02", Offer(box=1, amount=two))) == [(1, "wrong-denomination", clause)]
    approve(proposal_id=proposal.pk, by=INSPECTOR)
    played = offered(table, Offer(box=1, amount=one), Offer(box=2, amount=two))
    assert why(played) == [(1, "wrong-denomination", clause)]
    assert [wager.amount for wager in Wager.objects.filter(round=played)] == [two]


@pytest.mark.clause("act-pg:12.1")
def test_the_house_does_not_wager_and_its_hand_wins_nothing() -> None:
    before = Transfer.objects.count()
    played = offered("GJ-01", Offer(box=1, placed="house"))
    assert why(played) == [(1, "house-wager", "act-pg:12.1")]
    assert finish(played, tiles(1, GEE_JUN)) == []
    assert (Transfer.objects.count(), Wager.objects.count(), Hit.objects.count()) == (before, 0, 0)


@pytest.mark.clause("act-pg:13.1")
def test_every_gee_jun_payout_is_the_houses_debt_whoever_banked() -> None:
    """Nobody at the table stands for it: what is owed is the house's from the moment it is won, to the last cent, and
    no account but the jackpot's own and the house's is touched on the way to the player."""
    before = set(Transfer.objects.values_list("pk", flat=True))
    kept = balance(pools.account("GJ", HOUSE)).amount
    hits = finish(start("GJ-01", (1, 2, 3)), tiles(1, GEE_JUN), tiles(2, HUNDRED_TILES))
    assert won(hits) == [(2, "fixed", "100.00", "0.00", "100.00"), (1, "major", "10000.00", "10000.00", "0.00")]
    assert pools.read_pools("GJ").owed_to_winners == dollars("10100.00")
    # Two winning wagers stay with it, and a hundred dollars it owes.
    assert balance(pools.account("GJ", HOUSE)).amount == kept + dollars("2.00") - dollars("100.00")
    for number, hit in enumerate(hits):
        pay(verify(hit), payment_reference=f"CHQ 88{number}")
    assert pools.read_pools("GJ").owed_to_winners == ZERO
    assert balance(pools.account("GJ", WAGERS)).amount == ZERO
    moved = Transfer.objects.exclude(pk__in=before).values_list("debit__code", "credit__code")
    assert {account.rpartition(":")[0] for pair in moved for account in pair} == {"jackpot:GJ"}
    conserved("GJ")


@pytest.mark.clause("nsw-csp:16.1")
def test_a_wager_with_anothers_card_is_invalid_and_wins_nothing() -> None:
    register_player(name="Pat Morgan", card="C-1", by=DESK)
    start_round(table="CSP-01", wagers=[Offer(box=1, player_card="C-1")], by=TABLE)
    before = purses("CSP")
    lent = offered("CSP-02", Offer(box=1, player_card="C-1"))
    assert why(lent) == [(1, "card-in-use", "nsw-csp:16.1")]
    assert finish(lent, cards(1, ROYAL_HEARTS)) == []
    assert purses("CSP") == before
