"""Settlement in the database, against the oracle that lists every way; resumed, never doubled; the books agree."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from keno import settle as settlement
from keno.accounts import PRIZES, PRIZES_OWING, STAKES, STAKES_HELD
from keno.chart import CONTRIBUTIONS
from keno.close import close_game
from keno.jackpots import displayed, fed, purses_of
from keno.models import Game, KenoSettings, Match, Prize, Ticket
from keno.open_games import keep_open
from keno.recompute import require_as_sealed
from keno.rules.schedules import GUARANTEES
from keno.settle import match_batch, settle
from kernel.money import MICROS_PER_CENT, Money
from ledger.balance import balance, balances
from ledger.models import Act, Transfer
from tests.keno import oracle
from tests.keno.random_games import random_ticket
from tests.world.approvals import put_in_force
from tests.world.extent import seeds, some
from tests.world.keno_balls import enter_balls
from tests.world.keno_games import OPENS, SUE, cancel_from, open_days, put_ticket, totals_of

pytestmark = pytest.mark.django_db
NOW = OPENS + timedelta(minutes=3)


def by_balls() -> None:
    """Games whose balls we choose."""
    KenoSettings.objects.create(device="mechanical")
    open_days()
    keep_open(now=OPENS)


def cents(amount: Money) -> int:
    assert amount.whole_cents
    return amount.micros // MICROS_PER_CENT


def put(tickets: list[dict[str, Any]], *, game: int, chance: Random) -> list[Ticket]:
    """The tickets as rows, sold in any order; they stand in the order of their particulars."""
    rows: dict[int, Ticket] = {}
    for place in chance.sample(range(len(tickets)), len(tickets)):
        rows[place] = put_ticket(
            first_game=game,
            groups=[list(group) for group in tickets[place]["groups"]],
            plays=tickets[place]["plays"],
            schedule=tickets[place]["schedule"],
            jackpot=tickets[place]["jackpot"],
            serial=f"{game:04d}{place:08d}",
        )
    return [rows[place] for place in sorted(rows)]


@pytest.mark.clause(
    "act-keno:8.1", "act-keno:8.2", "act-keno:8.3", "act-keno:9.1", "act-keno:9.2", "act-keno:9.3", "act-keno:9.4",
    "act-keno:9.5", "act-keno:9.6", "act-keno:9.7", "act-keno:10.1", "act-keno:10.2", "act-keno:12.1",
)  # fmt: skip
@pytest.mark.parametrize("seed", seeds(6, always=1))
# long: the oracle’s whole game in one place
def test_games_pay_what_the_oracle_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(seed)
    monkeypatch.setattr(settlement, "BATCH_TICKETS", 3)
    by_balls()
    scaled = won_jackpots = paid = contributed = 0
    for game in range(1, 13):
        drawn = chance.sample(range(1, 81), 20)
        tickets = [random_ticket(chance, drawn) for _ in range(chance.randint(1, 12))]
        rows = put(tickets, game=game, chance=chance)
        now = NOW + timedelta(minutes=game)
        close_game(number=game, by=SUE, now=now)
        jackpots = {spots: cents(amount) for spots, amount in displayed().items()}
        expected = oracle.settle(drawn, tickets, jackpots)
        enter_balls(number=game, balls=drawn, by=SUE, now=now)

        prizes = {prize.ticket_id: prize for prize in Prize.objects.filter(game=game)}
        for row, answer in zip(rows, expected["tickets"], strict=True):
            prize = prizes.pop(row.pk, None)
            assert (cents(prize.amount) if prize else 0) == answer["prize"]
            winning = {key: group for key, group in answer["ways"].items() if group[1]}
            assert {
                (way["spots"], way["matches"]): [
                    way["count"], cents(Money.parse(way["prize"])), way["jackpot"], way["prorated"],
                ]
                for way in (prize.ways if prize else [])
            } == winning  # fmt: skip
            if prize:
                assert prize.major == any(group[1] >= 200_00 for group in winning.values())
                require_as_sealed(row, [prize], by=SUE)  # before it is paid it is computed again, from what was sealed
        assert not prizes  # nobody else won
        totals = totals_of(game)
        assert {name: cents(Money.parse(totals["majors"][name])) for name in ("before", "after")} == {
            name: expected["majors"][name] for name in ("before", "after")
        }
        assert totals["majors"]["count"] == expected["majors"]["count"]
        assert totals["tickets"] == len(tickets)
        game_paid = sum(answer["prize"] for answer in expected["tickets"])
        assert cents(Money.parse(totals["prizes"])) == game_paid
        for spots, won in totals["jackpots"].items():
            assert cents(Money.parse(won["amount"])) == jackpots[int(spots)]
        # 25% of the jackpot ways, by listing them.
        for spots in (6, 8):
            staked = sum(
                stake * len(list(oracle.ways_of(ticket["groups"], spots)))
                for ticket in tickets
                if ticket["jackpot"]
                for of, stake in ticket["plays"]
                if of == spots
            )
            assert fed(Game.objects.get(pk=game))[spots].micros * 4 == staked * MICROS_PER_CENT
            contributed += staked
            assert displayed()[spots] >= GUARANTEES[spots]
        paid += game_paid
        scaled += expected["majors"]["before"] > expected["majors"]["after"]
        won_jackpots += len(totals["jackpots"])
    books = balances([PRIZES_OWING, PRIZES, CONTRIBUTIONS])
    assert cents(books[PRIZES_OWING].amount) == paid
    assert books[CONTRIBUTIONS].amount.micros * 4 == contributed * MICROS_PER_CENT
    assert not Match.objects.exists()
    if seed == 0:  # the games are worth running
        assert scaled
        assert won_jackpots


def several_ways(game: int, count: int) -> None:
    for n in range(count):
        put_ticket(first_game=game, groups=[[1, 2], [3, 4], [5 + n]], plays=[(2, 100), (5, 100)])


DRAWN = [1, 2, 3, *range(40, 57)]


@pytest.mark.parametrize("crash_after", some(range(4), always={0, 2}))
def test_a_settlement_that_stops_half_way_goes_on_and_nothing_is_doubled(
    crash_after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_balls()
    several_ways(1, 5)
    put_ticket(first_game=1, groups=[[1, 2, 3]], plays=[(3, 100)])
    close_game(number=1, by=SUE, now=NOW)

    class PowerCut(Exception):
        pass

    with monkeypatch.context() as broken:
        broken.setattr("keno.balls.settle", lambda **_: None)
        enter_balls(number=1, balls=DRAWN, by=SUE, now=NOW)
    assert Game.objects.get(pk=1).status == "drawn"
    for _ in range(crash_after):
        match_batch(number=1, batch=2)

    def cut(*args: Any, **kwargs: Any) -> None:
        raise PowerCut

    with monkeypatch.context() as broken:
        broken.setattr(settlement, "post_many", cut)  # everything written but the money
        with pytest.raises(PowerCut):
            settle(number=1, now=NOW)
    assert (Game.objects.get(pk=1).status, Prize.objects.count()) == ("drawn", 0)
    assert not Act.objects.filter(kind="keno.settled").exists()
    settle(number=1, now=NOW)
    once = list(Prize.objects.order_by("ticket").values("ticket", "amount", "spots", "matches", "listed"))
    # [1 2]: $13 for both, [3 4]: 1 of 2, [5+n] no help; five of five needs 5: three drawn pays $1.
    assert [str(row["amount"]) for row in once] == ["14.00"] * 5 + ["36.00"]
    settle(number=1, now=NOW)  # again: answered as it is
    assert list(Prize.objects.order_by("ticket").values("ticket", "amount", "spots", "matches", "listed")) == once
    assert Act.objects.filter(kind="keno.settled").count() == 1
    assert Transfer.objects.filter(kind="keno.prizes").count() == 1
    assert not Match.objects.exists()


@pytest.mark.clause("act-keno:3.1a", "act-keno:10.2", "act-keno:14.5")
def test_stakes_are_earned_game_by_game_and_free_games_earn_nothing() -> None:
    by_balls()
    put_ticket(first_game=1, groups=[[80]], plays=[(1, 300)], games=3, charged_games=2)
    put_ticket(first_game=2, groups=[[79]], plays=[(1, 100)])
    stopped = put_ticket(first_game=1, groups=[[78]], plays=[(1, 200)], games=3)
    cancel_from(stopped, 2)
    for game in (1, 2, 3):
        close_game(number=game, by=SUE, now=NOW)
        enter_balls(number=game, balls=list(range(game, game + 20)), by=SUE, now=NOW)
    assert [(totals_of(game)["tickets"], totals_of(game)["stakes"]) for game in (1, 2, 3)] == [
        (2, "5.00"),
        (2, "4.00"),
        (1, "0.00"),
    ]
    books = balances([STAKES, STAKES_HELD])
    assert books[STAKES].amount == Money.parse("9.00")
    assert books[STAKES_HELD].amount == Money.parse("-9.00")  # no sale was booked in this test
    assert not Prize.objects.exists()


@pytest.mark.clause("act-keno:5.3")
def test_entries_cancelled_between_close_and_first_number_never_contributed() -> None:
    by_balls()
    put_ticket(first_game=1, groups=[[1, 2, 3, 4, 5, 6]], plays=[(6, 400)], jackpot=True)
    gone = put_ticket(first_game=1, groups=[[1, 2, 3, 4, 5, 7]], plays=[(6, 600)], jackpot=True)
    close_game(number=1, by=SUE, now=NOW)
    game = Game.objects.get(pk=1)
    assert fed(game)[6] == Money.parse("2.50")
    cancel_from(gone, 1)
    enter_balls(number=1, balls=list(range(60, 80)), by=SUE, now=NOW)
    assert fed(game)[6] == Money.parse("1.00")
    assert balance(CONTRIBUTIONS).amount == Money.parse("1.00")
    after = purses_of(6)
    assert (str(after.prize), str(after.secondary), str(after.owed)) == ("1000.60", "0.24", "999.84")


@pytest.mark.clause("act-keno:5.2", "act-keno:9.5")
def test_a_jackpot_is_shared_by_stake_and_the_next_one_begins_at_its_guarantee() -> None:
    by_balls()
    for stake in (100, 200):
        put_ticket(first_game=1, groups=[[1, 2, 3, 4, 5, 6]], plays=[(6, stake)], jackpot=True)
    put_ticket(first_game=1, groups=[[1, 2, 3, 4, 5, 6]], plays=[(6, 100)])  # without the jackpot: a fixed prize
    close_game(number=1, by=SUE, now=NOW)
    assert displayed()[6] == Money.parse("1000.45")  # 15% of $3.00
    enter_balls(number=1, balls=list(range(1, 21)), by=SUE, now=NOW)
    amounts = [(str(prize.amount), str(prize.jackpot)) for prize in Prize.objects.order_by("ticket")]
    # A third of $1,000.45 is $333.48 1/3, two thirds $666.96 2/3; the loose cent goes to the first.
    assert amounts == [("333.49", "333.49"), ("666.96", "666.96"), ("1000.00", "0.00")]
    assert totals_of(1)["jackpots"] == {"6": {"amount": "1000.45", "ways": 2}}
    assert displayed() == GUARANTEES
    assert balance(PRIZES_OWING).amount == Money.parse("2000.45")
    assert balance(PRIZES).amount == Money.parse("1000.00")


def test_a_special_3_ticket_is_paid_by_the_version_it_was_sold_under() -> None:
    from keno import approved
    from keno.models import Play

    by_balls()
    old = put_in_force("keno.special-3", "special-3", {"tables": {"2": {"2": "15.00"}}, "band": ["0.5", "1"]})
    put_in_force("keno.special-3", "special-3", {"tables": {"2": {"2": "10.00"}}, "band": ["0.5", "1"]})
    new = approved.in_force("special-3", "special-3")
    assert new is not None
    for version in (old, new):
        for groups, plays in (([[1, 2]], [(2, 100)]), ([[1], [2], [3]], [(2, 100)])):
            ticket = put_ticket(first_game=1, groups=groups, plays=plays, schedule="special-3", version=version.pk)
            assert Play.objects.filter(ticket=ticket, schedule_version=version.pk).exists()
    close_game(number=1, by=SUE, now=NOW)
    enter_balls(number=1, balls=[1, 2, *range(10, 28)], by=SUE, now=NOW)
    assert [str(prize.amount) for prize in Prize.objects.order_by("ticket")] == ["15.00", "15.00", "10.00", "10.00"]


def test_what_one_way_won_is_told_in_full_and_kept_in_little() -> None:
    """One way with a fixed prize needs no list; the same words as of any other are made of what is kept."""
    by_balls()
    tickets = [
        put_ticket(first_game=1, groups=[[1, 2]], plays=[(2, 100)]),
        put_ticket(first_game=1, groups=[[1], [2]], plays=[(2, 100), (1, 100)]),  # the first play is one way, too
    ]
    close_game(number=1, by=SUE, now=NOW)
    enter_balls(number=1, balls=DRAWN, by=SUE, now=NOW)
    plain, two_plays = (Prize.objects.get(ticket=ticket) for ticket in tickets)
    assert (plain.spots, plain.matches, plain.listed) == (2, 2, None)
    shown = {"play": 0, "spots": 2, "matches": 2, "count": 1, "prize": "13.00", "jackpot": False}
    assert plain.ways == [shown | {"prorated": False, "loose": "0.00"}]
    assert (two_plays.spots, two_plays.matches) == (None, None)
    assert two_plays.ways[0] == plain.ways[0]
    assert {way["play"] for way in two_plays.ways} == {0, 1}


@pytest.mark.clause("act-keno:9.1")
def test_the_largest_stake_on_the_largest_prize_is_settled() -> None:
    by_balls()
    put_ticket(first_game=1, groups=[list(range(1, 11))], plays=[(10, 999_900)])
    close_game(number=1, by=SUE, now=NOW)
    enter_balls(number=1, balls=list(range(1, 21)), by=SUE, now=NOW)
    assert Game.objects.get(pk=1).status == "settled"
    assert [str(prize.amount) for prize in Prize.objects.all()] == ["50000.00"]


@pytest.mark.clause("act-keno:9.1", "act-keno:9.6")
def test_a_jackpot_way_short_of_the_jackpot_is_pro_rated_by_all_that_it_won() -> None:
    by_balls()
    ticket: dict[str, Any] = {"first_game": 1, "plays": [(8, 10_000)]}
    put_ticket(groups=[[*range(1, 8), 80]], jackpot=True, serial="A", **ticket)  # 7 of 8 at $100: $55,500
    put_ticket(groups=[list(range(1, 10))], plays=[(9, 300)], first_game=1, serial="B")  # $60,000, capped
    put_ticket(groups=[[*range(1, 7), 79, 80]], serial="C", **ticket)  # the same play without the jackpot: $5,000
    close_game(number=1, by=SUE, now=NOW)
    enter_balls(number=1, balls=list(range(1, 21)), by=SUE, now=NOW)
    assert totals_of(1)["majors"] == {"before": "110500.00", "after": "50000.00", "count": 3}
    assert {prize.ticket.serial: str(prize.amount) for prize in Prize.objects.select_related("ticket")} == {
        "A": "25113.13", "B": "22624.43", "C": "2262.44",
    }  # fmt: skip


def test_no_ticket_wins_a_game_twice() -> None:
    open_days()
    ticket = put_ticket(first_game=1, groups=[[1]], plays=[(1, 100)])
    won = {"ticket": ticket, "game": 1, "amount": Money.dollars(3), "day": OPENS.date()}
    Prize.objects.create(**won)
    with pytest.raises(IntegrityError, match="keno_prize_pkey"), transaction.atomic():
        Prize.objects.create(**won)
    Prize.objects.create(**won, kind="bonus")
    assert Prize.objects.count() == 2


def test_a_prize_belongs_to_a_ticket() -> None:
    """What is won comes from the plays of tickets; of bonuses and refunds the database looks at each."""
    open_days()
    ticket = put_ticket(first_game=1, groups=[[1]], plays=[(1, 100)])
    rows = [
        Prize(ticket_id=pk, game=1, kind="bonus", amount=Money.dollars(3), day=OPENS.date())
        for pk in (ticket.pk, ticket.pk + 1)
    ]
    with pytest.raises(IntegrityError, match="a prize belongs to a ticket"), transaction.atomic():
        Prize.objects.bulk_create(rows)
    assert not Prize.objects.exists()
    Prize.objects.bulk_create(rows[:1])
    assert Prize.objects.get().ticket == ticket


def test_a_prize_is_paid_by_a_payment_that_exists() -> None:
    open_days()
    ticket = put_ticket(first_game=1, groups=[[1]], plays=[(1, 100)])
    won = {"ticket": ticket, "game": 1, "amount": Money.dollars(3), "day": OPENS.date()}
    with pytest.raises(IntegrityError, match="a prize is paid after it is won"), transaction.atomic():
        Prize.objects.create(**won, payment_id=4711)
    prize = Prize.objects.create(**won)
    with pytest.raises(IntegrityError, match="a prize is paid by a payment"), transaction.atomic():
        Prize.objects.update(payment_id=4711)
    prize.refresh_from_db()
    assert prize.payment_id is None
