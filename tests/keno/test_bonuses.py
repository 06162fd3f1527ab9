"""Bonus prizes (4.7e): approved, in a window of games, out of a budget that ends them; who may fund one."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from house.approvals import propose
from house.models import Proposal
from keno import bonuses as bonus_rules
from keno.entries import TicketRequest
from keno.models import Prize
from keno.pay import pay_ticket
from keno.rules.selection import Play as Asked
from keno.unclaimed import move_unclaimed
from kernel.money import ZERO
from kernel.refusal import Refusal
from tests.plugins.worlds import kept
from tests.world import keno_counter as at
from tests.world.approvals import decide
from tests.world.keno_counter import plain
from tests.world.keno_played import Played, gaming_day_of
from tests.world.money import dollars

pytestmark = pytest.mark.django_db

TWENTY = list(range(1, 21))
TERMS = {
    "name": "Lucky threes",
    "first_game": 1,
    "last_game": 2,
    "spots": 3,
    "matches": 3,
    "prize": "10.00",
    "per": "dollar",
    "budget": "100.00",
    "fund": "house",
}


counter = kept(Played)


def put(counter: Played, new: Any, code: str = "LUCKY") -> Proposal:
    made = propose(kind="keno.bonus", subject=f"bonus:{code}", new=new, why="For the players.", by=counter.supervisor)
    return decide(made, house=counter.manager)


def bonuses() -> list[tuple[str, int, str]]:
    rows = Prize.objects.filter(kind="bonus").order_by("game", "ticket__serial")
    return [(row.ticket.serial, row.game, str(row.amount)) for row in rows]


@pytest.mark.clause("act-keno:4.7e")
def test_a_bonus_is_paid_on_top_in_its_window_and_not_after(counter: Played) -> None:
    sold = counter.sell(plain(1, 2, 3, stake="2.00", games=3))
    ways = counter.sell(TicketRequest(groups=[[1, 2, 3], [4, 5, 6], [70]], plays=[Asked(3, dollars("1.00"))]))
    loser = counter.sell(plain(71, 72, 73))
    put(counter, TERMS)
    for game in (1, 2, 3):
        counter.play(game, TWENTY)
    assert bonuses() == sorted(
        [(sold.ticket.serial, 1, "20.00"), (ways.ticket.serial, 1, "20.00"), (sold.ticket.serial, 2, "20.00")],
        key=lambda row: (row[1], row[0]),
    )
    assert not Prize.objects.filter(ticket=loser.ticket).exists()
    paid = pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=counter.writer)
    assert paid.payment.amount == dollars("256.00")  # 3 x 36 x 2 + 2 x 20
    assert at.books()["keno:bonuses"] == dollars("60.00")
    assert at.in_balance()


@pytest.mark.clause("act-keno:4.7e")
def test_a_bonus_ends_when_its_budget_does_in_ticket_order(counter: Played) -> None:
    serials = sorted(counter.sell(plain(1, 2, 3, stake="2.00", games=2)).ticket.serial for _ in range(3))
    put(counter, {**TERMS, "budget": "50.00"})
    counter.play(1, TWENTY)
    assert bonuses() == [(serials[0], 1, "20.00"), (serials[1], 1, "20.00")]
    counter.play(2, TWENTY)
    assert len(bonuses()) == 2
    put(counter, {**TERMS, "budget": "60.00"})  # raised, not refilled
    assert at.books()["keno:bonuses"] == dollars("40.00")


def test_a_bonus_per_ticket_counts_the_ticket_once(counter: Played) -> None:
    counter.sell(TicketRequest(groups=[[1, 2, 3], [4, 5, 6]], plays=[Asked(3, dollars("2.00"))]))
    put(counter, {**TERMS, "per": "ticket"})
    counter.play(1, TWENTY)
    assert [amount for *_, amount in bonuses()] == ["10.00"]


def test_way_tickets_are_counted_batch_by_batch(counter: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bonus_rules, "BATCH_PLAYS", 2)
    groups = [[[1, 2, 3], [4, 5, 6], [70]], [[70, 71, 72], [73, 74, 75]], [[7, 8, 9], [70, 71, 72]]]
    sold = [
        counter.sell(TicketRequest(groups=of, plays=[Asked(3, dollars("1.00"))])) for of in [*groups, *groups, *groups]
    ]
    put(counter, {**TERMS, "budget": "1000.00"})
    counter.play(1, TWENTY)
    won = [(one.ticket.serial, 1, amount) for one, amount in zip(sold, ["20.00", "", "10.00"] * 3, strict=True)]
    assert bonuses() == sorted(row for row in won if row[2])
    prize = Prize.objects.get(ticket=sold[0].ticket, kind="bonus")
    assert prize.ways == [{"bonus": "LUCKY", "amount": "20.00"}]
    assert at.in_balance()


def test_two_bonuses_on_one_ticket_are_one_prize(counter: Played) -> None:
    counter.sell(plain(1, 2, 3))
    put(counter, TERMS)
    put(counter, {**TERMS, "per": "ticket", "prize": "1.50"}, code="ALSO")
    counter.play(1, TWENTY)
    assert [amount for *_, amount in bonuses()] == ["11.50"]


@pytest.mark.clause("act-keno:11.2", "act-keno:4.7e")
def test_unclaimed_prizes_may_fund_a_bonus_up_to_what_they_hold(counter: Played) -> None:
    unclaimed = {**TERMS, "fund": "unclaimed", "budget": "30.00"}
    with pytest.raises(Refusal) as caught:
        put(counter, unclaimed)
    assert (caught.value.code, caught.value.clause) == ("fund-too-small", "act-keno:11.2")
    counter.won("30.00")
    with gaming_day_of(counter.too_late) as counter.day:
        move_unclaimed(now=timezone.now())
        put(counter, unclaimed)
        counter.sell(plain(1, 2, 3, stake="3.00"))
        counter.play(2, TWENTY)
        assert at.books().get("keno:unclaimed", ZERO) == ZERO
        assert "keno:bonuses" not in at.books()
        assert all(row[3] == ZERO for row in counter.report("liability").rows)
    assert at.in_balance()


@pytest.mark.clause("act-keno:11.2", "act-keno:4.7e")
def test_two_bonuses_of_one_game_do_not_spend_the_fund_twice(counter: Played) -> None:
    counter.won("30.00")
    with gaming_day_of(counter.too_late):
        move_unclaimed(now=timezone.now())
        for code in ("FIRST", "SECOND"):
            put(counter, {**TERMS, "fund": "unclaimed", "budget": "30.00"}, code=code)
        counter.sell(plain(1, 2, 3, stake="2.00"))
        counter.play(2, TWENTY)
    assert [amount for *_, amount in bonuses()] == ["20.00"]  # $10.00 are left, which does not cover the second
    assert at.books()["keno:unclaimed"] == dollars("10.00")
    assert at.in_balance()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"spots": 16}, "spots-not-offered"),
        ({"matches": 4}, "matches-impossible"),
        ({"last_game": 0}, "window-impossible"),
        ({"per": "way"}, "value-not-readable"),
        ({"fund": "players"}, "value-not-readable"),
        ({"prize": "0.00"}, "budget-impossible"),
        ({"budget": "9.99"}, "budget-impossible"),
        ({"prize": 10}, "value-not-readable"),
        ({"extra": 1}, "value-not-readable"),
    ],
)
def test_an_impossible_bonus_cannot_be_proposed(counter: Played, change: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as caught:
        put(counter, {**TERMS, **change})
    assert caught.value.code == code
