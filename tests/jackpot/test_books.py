"""What links do by themselves, and whether their books agree."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.models import Incident
from jackpot import links, pools
from jackpot.contribute import Message, contribute_bulk
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit
from jackpot.models import LinkDay, Round
from jackpot.open_link import open_link
from jackpot.pools import read_meter
from jackpot.reconcile import reconcile, reconcile_due
from jackpot.rules.pool import Level, Movement, Parameters
from jackpot.settle_pools import settle_pools
from jackpot.start_round import Offer, start_round
from jackpot.tables import join_table
from jackpot.terms import LinkTerms
from jackpot.tick import tick
from jackpot.void_round import void_round
from kernel.money import ZERO, Money
from ledger.models import Transfer
from tests.jackpot.dealt import ROYAL, STRAIGHT_FLUSH, cards
from tests.world.approvals import SYSTEM
from tests.world.house_game import HOUSE_STUD
from tests.world.money import dollars
from tests.world.people import MANAGER, SUPERVISOR, TABLE

pytestmark = pytest.mark.usefixtures("floor")


def play(table: str, hand: str | None = None, boxes: tuple[int, ...] = (1, 2)) -> Round:
    started = start_round(table=table, wagers=[Offer(box=box) for box in boxes], by=TABLE)
    finish_round(round_id=started.pk, hands=[cards(1, hand)] if hand else [], by=TABLE)
    return started


def book(link: str, source: str, target: str, amount: str, kind: str = "test.moved") -> None:
    pools.book(
        link=link,
        movements=[Movement(source, target, dollars(amount))],
        kind=kind,
        reference=f"{Transfer.objects.count()}",
        by=TABLE,
        day=gaming_day_at(timezone.now()).date,
    )


def test_the_equation_of_a_day_with_everything_in_it() -> None:
    play("CSP-01")
    play("CSP-02", ROYAL)
    won = play("CSP-03", STRAIGHT_FLUSH)
    deny_hit(hit_id=won.hits.get(kind="straight").pk, reason="No.", by=SUPERVISOR)
    open_round = start_round(table="CSP-04", wagers=[Offer(box=1)], by=TABLE)
    void_round(round_id=open_round.pk, by=TABLE)
    contribute_bulk(messages=[Message("x", "CSP-01", 10, datetime.now(UTC))], by=TABLE)
    checked = reconcile(link=links.find_link("CSP"))
    assert checked.fault == ""
    assert checked.opening == ZERO
    assert checked.wagers == 2 * 3 + 10
    assert checked.contributions == dollars("2.00") * 16  # 80% of 2.50 is the players'
    assert checked.wins == dollars("50007.00")
    assert checked.topped_up == dollars("50000.00") * 2 - dollars("1.00")  # the reserve gave a dollar of the restart
    assert checked.adjustments == ZERO
    assert checked.closing == Money.total(pools.read_pools("CSP").balances.values())
    assert checked.closing == checked.contributions + checked.topped_up - checked.wins
    assert not Incident.objects.exists()


def test_what_no_round_explains_is_an_incident_once() -> None:
    play("CSP-01")
    book("CSP", "prize", "house", "5.00", kind="jackpot.contribution")
    now = timezone.now()
    assert len(reconcile_due(now)) == 3
    assert reconcile_due(now) == []  # a minute has not passed
    reconcile_due(now + timedelta(seconds=61))
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("jackpot-out-of-balance", "jackpot:CSP")
    assert "contributions: -1.00 booked, 4.00 by the rounds" in incident.what
    assert LinkDay.objects.get(link__code="BOOM").fault == ""


def test_a_movement_nobody_knows_is_a_fault() -> None:
    book("CSP", "prize", "house", "5.00")
    assert reconcile(link=links.find_link("CSP")).fault == "test.moved moved -5.00"


def test_one_day_opens_where_the_last_closed() -> None:
    now = timezone.now()
    play("CSP-01")
    first = reconcile(link=links.find_link("CSP"), now=now)
    play("CSP-01")  # after the last check of its day
    tomorrow = now + timedelta(days=1)
    second = reconcile(link=links.find_link("CSP"), now=tomorrow)
    first.refresh_from_db()
    assert (first.fault, second.fault) == ("", "")
    assert second.opening == first.closing == dollars("50008.00")
    assert (second.contributions, second.closing) == (ZERO, second.opening)
    assert second.tx_from == first.tx_upto


def test_overflow_is_set_aside_and_the_house_is_paid_back() -> None:
    terms = LinkTerms(
        rules=HOUSE_STUD,
        parameters=Parameters(
            wager=Money.dollars(10),
            levels=(Level(increment_rate=5000, seed=dollars("60.00"), ceiling=Money.dollars(10_000_000)),),
            reserve_rate=1000,
            reimbursement_rate=2000,
            retained_rate=2000,
        ),
    )
    open_link(code="OVER", title="Over", link_terms=terms, by=SYSTEM)
    join_table(code="OVER-01", link="OVER", by=MANAGER)
    assert settle_pools() == 0
    book("OVER", "wagers", "prize", "9999900.00", kind="jackpot.seed")
    play("OVER-01", boxes=(1, 2, 3, 4, 5, 6, 7))
    play("OVER-01", boxes=(1, 2, 3, 4, 5, 6, 7))
    assert read_meter(links.find_link("OVER")).total == dollars("10000000.00")  # 10,000,030.00, shown up to the ceiling
    assert settle_pools() == 1
    now = pools.read_pools("OVER")
    assert now.prize == dollars("10000000.00")
    assert now.balances["prize-overflow"] == dollars("30.00")
    assert (now.reimbursement, now.advanced) == (ZERO, dollars("32.00"))
    assert settle_pools() == 0
    play("OVER-01", boxes=(1, 2, 3, 4, 5, 6, 7))
    settle_pools()
    play("OVER-01", boxes=(1, 2, 3, 4, 5, 6, 7))
    settle_pools()
    now = pools.read_pools("OVER")
    assert (now.reimbursement, now.advanced) == (ZERO, dollars("4.00"))
    # Won: what had overflowed starts the next pool, the house fills the rest.
    play("OVER-01", ROYAL, boxes=(1,))
    now = pools.read_pools("OVER")
    assert now.balances["prize-overflow"] == ZERO
    assert now.prize == dollars("105.00")


def test_a_jackpot_that_is_kept_at_its_seed_is_topped_up() -> None:
    book("BOOM", "prize", "house", "100.00", kind="jackpot.adjustment")
    tick(timezone.now())
    now = pools.read_pools("BOOM")
    assert (now.prize, now.advanced) == (dollars("10000.00"), dollars("10000.00"))
    assert set(LinkDay.objects.values_list("fault", flat=True)) == {""}


def test_no_day_no_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Transfer.objects.count()
    tick(datetime(2001, 1, 1, tzinfo=UTC))
    assert (LinkDay.objects.count(), Transfer.objects.count()) == (0, before)
