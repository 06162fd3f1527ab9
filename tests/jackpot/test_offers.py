"""Wagers as they lie on the table: what the rules accept of them, asked before the database is asked to keep anything.

Its constraints would stop most of these as well (``test_wagers.py``); here each clause answers for itself.
"""

from __future__ import annotations

import pytest

from jackpot import terms
from jackpot.models import Table
from jackpot.rules.catalogue import BOOMERANG, CARIBBEAN_STUD, GEE_JUN
from jackpot.rules.payouts import Dealt, Payout, evaluate
from jackpot.rules.policies import RuleSet
from jackpot.start_round import Offer, sift
from kernel.money import Money
from tests.jackpot import dealt
from tests.world.people import TABLE
from tests.world.players import registered

pytestmark = pytest.mark.usefixtures("floor")


def accepted(table: str, *offers: Offer) -> list[tuple[int, str | None]]:
    """By box: whose wager is taken, by card."""
    at = Table.objects.select_related("link").get(code=table)
    taken, _ = sift(at, terms.of(terms.in_force(at.link)), offers, TABLE)
    return [(offer.box, offer.player_card) for offer in taken]


def refused(table: str, *offers: Offer) -> list[tuple[int, str, str | None]]:
    at = Table.objects.select_related("link").get(code=table)
    _, back = sift(at, terms.of(terms.in_force(at.link)), offers, TABLE)
    return [(each.box, each.code, each.clause) for each in back]


@pytest.mark.clause("nsw-csp:5.8")
def test_a_player_has_one_hand_a_round_whatever_his_card_is_written_like() -> None:
    registered("P-1", "P-2")
    offers = (Offer(box=1, player_card="P-1"), Offer(box=2, player_card=" p-1 "), Offer(box=3, player_card="P-2"))
    assert accepted("CSP-01", *offers) == [(1, "P-1"), (3, "P-2")]
    assert refused("CSP-01", *offers) == [(2, "second-hand-of-player", "nsw-csp:5.8")]


@pytest.mark.clause("nsw-csp:11.1.1")
def test_nobody_wagers_on_anothers_box_without_a_supervisor_who_allows_it() -> None:
    registered("P-1", "P-2", "P-3")
    for box, (card, allowed_by) in enumerate((("P-1", None), ("P-2", ""), ("P-3", "  ")), start=1):
        offer = Offer(box=box, player_card=card, placed="other-player", allowed_by=allowed_by)
        assert accepted("CSP-01", offer) == []
        assert refused("CSP-01", offer) == [(box, "supervisor-missing", "nsw-csp:11.1.1")]
    allowed = Offer(box=1, player_card="P-1", placed="other-player", allowed_by="staff:ruth")
    assert accepted("CSP-01", allowed) == [(1, "P-1")]


@pytest.mark.clause("act-pg:12.1")
def test_the_houses_own_wager_on_gee_jun_is_never_taken() -> None:
    offers = (Offer(box=1, placed="house"), Offer(box=2))
    assert accepted("GJ-01", *offers) == [(2, None)]
    assert refused("GJ-01", *offers) == [(1, "house-wager", "act-pg:12.1")]


@pytest.mark.clause("act-cp:13.7")
def test_a_boomerang_wager_on_a_box_without_an_ante_is_not_taken() -> None:
    offers = (Offer(box=1, ante=False), Offer(box=2))
    assert accepted("BOOM-01", *offers) == [(2, None)]


@pytest.mark.parametrize(
    ("rules", "best", "meter"),
    [
        pytest.param(BOOMERANG, dealt.cards(1, dealt.ROYAL), 10_000, marks=pytest.mark.clause("act-cp:13.7")),
        pytest.param(CARIBBEAN_STUD, dealt.cards(1, dealt.ROYAL), 50_000, marks=pytest.mark.clause("nsw-csp:11.1")),
        pytest.param(GEE_JUN, dealt.tiles(1, dealt.GEE_JUN), 10_000, marks=pytest.mark.clause("act-pg:12.1")),
    ],
)
def test_the_best_hand_on_a_box_whose_wager_is_void_wins_nothing(rules: RuleSet, best: Dealt, meter: int) -> None:
    def won(*boxes: int) -> tuple[Payout, ...]:
        return evaluate(rules, meter=Money.dollars(meter), wagers=boxes, hands=[best]).payouts

    assert won(2) == ()
    assert [payout.box for payout in won(1)] == [1]
