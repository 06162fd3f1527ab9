"""A pool as purses of the ledger: what Keno and the tables share."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from house.plan_days import ensure_gaming_days
from jackpot import links, pools, queries
from jackpot.demo import CSP, build_demo
from jackpot.models import Link
from jackpot.open_link import open_link
from jackpot.rules.pool import HOUSE, RESERVE, WAGERS, WINNERS, Movement, apply, fill
from keno.rules import jackpots as keno
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, NotFound, Refusal
from ledger.balance import balance
from ledger.models import Account, Transfer
from tests.world.approvals import SYSTEM
from tests.world.money import dollars

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 16)
ANNA = Actor("staff:anna", "Anna")
RATIO = keno.Ratio(prize=1500, secondary=600, reimbursement=400)


def purses(code: str) -> keno.Purses:
    now = pools.read_pools(code)
    return keno.Purses(now.prize, now.reserve, now.reimbursement, now.advanced)


def booked(code: str, booking: keno.Booked, *, kind: str, reference: str) -> keno.Purses:
    """Post the moves, and answer where the ledger then stands: it must be where the rules say."""
    pools.book(link=code, movements=booking.moves, kind=kind, reference=reference, by=ANNA, day=DAY)
    assert purses(code) == booking.purses
    return booking.purses


@pytest.mark.clause("act-keno:5.2", "act-keno:5.3")
def test_a_keno_jackpot_over_its_life() -> None:
    """Guarantee $1,000; 15/6/4 of the stake. Every step: the ledger stands where the arithmetic says."""
    guarantee = dollars("1000.00")
    links.create_link(code="KENO-6", title="Keno, 6 of 6", by=ANNA)
    booked("KENO-6", keno.top_up(purses("KENO-6"), guarantee), kind="keno.jackpot-opened", reference="1")
    assert pools.read_pools("KENO-6").advanced == guarantee

    after = booked(
        "KENO-6", keno.contribute(purses("KENO-6"), dollars("101.00"), RATIO), kind="keno.fed", reference="g/1"
    )
    assert after == keno.Purses(Money(1_015_150_000), Money(6_060_000), ZERO, dollars("995.96"))

    won = keno.win(purses("KENO-6"), guarantee)
    after = booked("KENO-6", won, kind="keno.jackpot-won", reference="g/1")
    assert pools.read_pools("KENO-6").owed_to_winners == dollars("1015.15")
    assert after.prize == guarantee

    booked(
        "KENO-6",
        keno.reverse(purses("KENO-6"), keno.shares_of(dollars("101.00"), RATIO), guarantee=guarantee),
        kind="keno.unfed",
        reference="g/1",
    )
    # All there ever was is somewhere: what the house is owed is in the prize, with the winners or back with the stakes.
    now = pools.read_pools("KENO-6")
    stakes = balance(pools.account("KENO-6", WAGERS)).amount
    assert now.prize + now.reserve + now.reimbursement + now.owed_to_winners + stakes == now.advanced


def test_two_pools_in_one_transaction_and_a_game_books_once() -> None:
    for code in ("KENO-6", "KENO-8"):
        links.create_link(code=code, title=code, by=ANNA)
    with transaction.atomic():
        links.hold("KENO-8", "KENO-6")
        for code in ("KENO-6", "KENO-8"):
            booked(code, keno.contribute(purses(code), dollars("10.00"), RATIO), kind="keno.fed", reference="g/7")
    before = Transfer.objects.count()
    with pytest.raises(Conflict) as refused:
        pools.book(
            link="KENO-6",
            movements=keno.contribute(purses("KENO-6"), dollars("10.00"), RATIO).moves,
            kind="keno.fed",
            reference="g/7",
            by=ANNA,
            day=DAY,
        )
    assert refused.value.code == "already-booked"
    assert Transfer.objects.count() == before
    assert pools.read_pools("KENO-8").prize == dollars("1.50")


def test_moves_to_accounts_of_another_room() -> None:
    from ledger.accounts import open_account

    open_account(code="keno:jackpot-prizes", name="Keno jackpots won", kind=Account.Kind.LIABILITY)
    links.create_link(code="KENO-6", title="Keno", by=ANNA)
    pools.book(
        link="KENO-6",
        movements=[Movement(HOUSE, "prize", dollars("5.00")), Movement("prize", WINNERS, dollars("2.00"))],
        kind="keno.jackpot-won",
        reference="g/1",
        outside={WINNERS: "keno:jackpot-prizes"},
        by=ANNA,
        day=DAY,
    )
    assert balance("keno:jackpot-prizes").amount == dollars("2.00")
    assert pools.read_pools("KENO-6").owed_to_winners == ZERO


def test_the_reserve_becomes_the_prize_and_the_house_fills_the_rest() -> None:
    links.create_link(code="P", title="P", by=ANNA)
    pools.book(
        link="P",
        movements=[Movement(WAGERS, RESERVE, dollars("30.00"))],
        kind="test.fed",
        reference="1",
        by=ANNA,
        day=DAY,
    )
    balances = pools.read_pools("P").balances
    moved = (Movement(RESERVE, "prize", balances[RESERVE]),)
    filled = fill(apply(balances, moved), level="prize", to=dollars("100.00"), sources=())
    moves = (*moved, *filled)
    pools.book(link="P", movements=moves, kind="test.renewed", reference="1", by=ANNA, day=DAY)
    now = pools.read_pools("P")
    assert (now.prize, now.reserve, now.advanced) == (dollars("100.00"), ZERO, dollars("70.00"))


def test_a_reversal_is_made_good_by_the_house_where_the_purse_was_won_meanwhile() -> None:
    link = links.create_link(code="P", title="P", by=ANNA)
    fed = [Movement(WAGERS, "prize", dollars("7.00")), Movement(WAGERS, RESERVE, dollars("1.00"))]
    pools.book(link="P", movements=fed, kind="test.fed", reference="1", by=ANNA, day=DAY)
    pools.book(
        link="P",
        movements=[Movement("prize", WINNERS, dollars("5.00"))],
        kind="test.won",
        reference="1",
        by=ANNA,
        day=DAY,
    )
    with transaction.atomic():
        links.hold("P")
        back = pools.unbook(link=link, kind="test.fed", reference="1", why="void", by=ANNA, day=DAY)
    now = pools.read_pools("P")
    assert Money.total(move.amount for move in back) == dollars("8.00")
    assert (now.prize, now.reserve, now.advanced) == (ZERO, ZERO, dollars("5.00"))
    assert balance(pools.account("P", WAGERS)).amount == ZERO
    with pytest.raises(Conflict):
        pools.unbook(link=link, kind="test.fed", reference="1", why="again", by=ANNA, day=DAY)
    assert pools.read_pools("P") == now


def test_a_pool_is_opened_once_and_its_code_is_plain() -> None:
    first = links.create_link(code="P", title="P", by=ANNA)
    assert links.create_link(code="P", title="P", by=ANNA) == first
    with pytest.raises(Conflict):
        links.create_link(code="P", title="P", by=ANNA, levels=("minor", "major"))
    for code in ("", "p", "P Q", "P:Q", "P" * 17, "P\n"):
        with pytest.raises(Refusal):
            links.create_link(code=code, title="P", by=ANNA)
        with pytest.raises(IntegrityError), transaction.atomic():
            Link.objects.create(code=code, title="P", levels=["prize"])
    assert Link.objects.count() == 1
    with pytest.raises(NotFound):
        pools.read_pools("NONE")


def test_what_people_get_is_complete_cents() -> None:
    links.create_link(code="P", title="P", by=ANNA)
    with pytest.raises(IntegrityError), transaction.atomic():
        pools.book(
            link="P", movements=[Movement("prize", WINNERS, Money(1))], kind="test.won", reference="1", by=ANNA, day=DAY
        )
    assert pools.read_pools("P").owed_to_winners == ZERO


def test_the_meters_of_all_links_take_a_few_statements_however_many_links(django_assert_num_queries: Any) -> None:
    def shown() -> dict[str, Money]:
        queries.displayed()  # terms are read from their text once a process
        with django_assert_num_queries(4):  # links, their terms, their purses; Keno's purses
            return queries.displayed()

    ensure_gaming_days()
    build_demo()
    few = shown()
    for number in range(3):
        open_link(code=f"MORE-{number}", title="One more", link_terms=CSP, by=SYSTEM)
    many = shown()
    assert len(many) == len(few) + 3
    assert {code: many[code] for code in few} == few
    for link in Link.objects.filter(code__in=many).exclude(code__startswith="KENO"):
        assert many[link.code] == pools.read_meter(link).total
