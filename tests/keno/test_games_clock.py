"""Games by the clock: opened, closed and drawn on time, in the hours of gaming, in their order."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
import time_machine

from house import gaming_days
from house.close_early import close_early
from house.models import GamingDay
from house.rules.gaming_day import Hours
from house.rules.gaming_day import gaming_days as days_of
from keno.attempts import promise_of
from keno.choose_device import choose_device
from keno.close import close_game
from keno.draw import draw_game
from keno.locks import hold_game_on_sale
from keno.models import Draw, Game, KenoSettings
from keno.tick import tick
from keno.timetable import next_close
from kernel.refusal import Conflict, Refusal
from ledger.models import Act, Transfer
from tests.world.approvals import put_in_force
from tests.world.keno_games import (
    CLOSES,
    DAY,
    NOBODY,
    OPENS,
    SECOND,
    SUE,
    open_days,
    open_first_game,
    put_ticket,
    raw,
    run,
    totals_of,
)
from tests.world.people import MANAGER

pytestmark = pytest.mark.django_db
ONCE = [
    "keno.opened", "keno.closed", "keno.sealed", "keno.locked", *["keno.ball"] * 20, "keno.drawn", "keno.settled",
]  # fmt: skip
MINUTE = timedelta(minutes=1)


def statuses() -> dict[int, str]:
    return dict(Game.objects.values_list("number", "status"))


def acts_of(game: int) -> list[str]:
    return list(Act.objects.filter(subject=f"keno-game:{game}").order_by("id").values_list("kind", flat=True))


def test_a_day_begins_with_game_one_and_the_next_is_scheduled() -> None:
    open_days()
    tick(OPENS - SECOND)
    assert statuses() == {1: "scheduled"}
    assert Game.objects.get().opens_at == OPENS
    tick(OPENS)
    assert statuses() == {1: "open", 2: "scheduled"}
    first, second = Game.objects.all()
    assert (first.opens_at, first.closes_at, first.gaming_day) == (OPENS, OPENS + 3 * MINUTE, DAY)
    assert (second.opens_at, second.closes_at) == (OPENS + 3 * MINUTE, OPENS + 6 * MINUTE)
    opened = Act.objects.get(kind="keno.opened")
    draw = Draw.objects.get()
    assert opened.data == {
        "game": 1,
        "opens_at": OPENS.isoformat(),
        "closes_at": (OPENS + 3 * MINUTE).isoformat(),
        "gaming_day": "2026-11-16",
        "device": "rng",
        "commitment": raw(promise_of(1).commitment).hex(),
    }
    assert (draw.attempt, draw.numbers, draw.asked) == (1, [], None)


def test_no_game_without_a_gaming_day() -> None:
    tick(OPENS)
    assert statuses() == {}


@pytest.mark.clause("act-keno:7.1", "act-keno:7.2")
def test_a_game_closes_is_drawn_at_its_pace_and_settled() -> None:
    open_first_game()
    closes = OPENS + 3 * MINUTE
    tick(closes - SECOND)
    assert statuses() == {1: "open", 2: "scheduled"}
    tick(closes)
    assert statuses() == {1: "sealed", 2: "open", 3: "scheduled"}
    tick(closes + 4 * SECOND)
    assert statuses()[1] == "sealed"
    recorded = []
    for second in range(5, 16):
        tick(closes + second * SECOND)
        recorded.append(len(Draw.objects.get(game=1).numbers))
    assert recorded == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 20]
    game = Game.objects.get(pk=1)
    assert game.status == "settled"
    assert (game.closed_at, game.began_at) == (closes, closes + 5 * SECOND)
    assert acts_of(1) == ONCE
    balls = Act.objects.filter(kind="keno.ball").order_by("id").values_list("data", flat=True)
    numbers = Draw.objects.get(game=1).numbers
    assert [ball["number"] for ball in balls] == numbers
    assert [ball["place"] for ball in balls] == list(range(1, 21))
    assert len(set(numbers)) == 20
    assert set(numbers) <= set(range(1, 81))


def test_nothing_happens_twice_however_often_it_ticks() -> None:
    open_first_game()
    closes = OPENS + 3 * MINUTE
    for second in range(30):
        for _ in range(3):
            tick(closes + second * SECOND)
    assert acts_of(1) == ONCE
    assert statuses() == {1: "settled", 2: "open", 3: "scheduled"}


def test_a_worker_that_was_away_catches_up() -> None:
    """The broker was gone for a minute and a half: sales went on, the game closes late, the day finds its rhythm."""
    open_first_game()
    back = OPENS + 4.5 * MINUTE
    assert hold_game_on_sale(now=back - SECOND).game == 1
    tick(back)
    first, second, _ = Game.objects.all()
    assert first.closed_at == back
    assert (second.status, second.opens_at, second.closes_at) == ("open", back, OPENS + 6 * MINUTE)
    run(back + SECOND, back + 30 * SECOND)
    assert statuses()[1] == "settled"


def test_a_game_opened_late_stays_open_for_a_third_of_the_interval() -> None:
    open_first_game()
    tick(OPENS + 5.5 * MINUTE)
    assert Game.objects.get(pk=2).closes_at == OPENS + 9 * MINUTE


@pytest.mark.clause("act-keno:13.1")
def test_the_last_game_of_the_day_is_drawn_before_its_end_and_the_next_opens_with_the_next_day() -> None:
    open_first_game()
    Game.objects.filter(pk=1).update(closes_at=CLOSES - 3 * MINUTE)
    run(CLOSES - 3 * MINUTE, CLOSES - 2.5 * MINUTE)
    assert statuses() == {1: "settled", 2: "scheduled"}
    assert Game.objects.get(pk=2).opens_at == OPENS + timedelta(days=1)
    with pytest.raises(Conflict) as refused:
        hold_game_on_sale(now=CLOSES - MINUTE)
    assert refused.value.code == "no-game-open"
    with pytest.raises(Refusal) as closed:
        hold_game_on_sale(now=CLOSES)
    assert (closed.value.code, closed.value.clause) == ("outside-gaming-hours", "act-keno:13.1")
    run(CLOSES, CLOSES + MINUTE, 10 * SECOND)
    assert statuses() == {1: "settled", 2: "scheduled"}
    tick(OPENS + timedelta(days=1))
    assert statuses() == {1: "settled", 2: "open", 3: "scheduled"}


@pytest.mark.clause("act-keno:4.5", "act-keno:13.1")
def test_a_ticket_for_several_games_plays_on_after_the_close_of_the_day() -> None:
    """Three games, the day ends after the first: the other two are the next day's, and so is their money."""
    open_first_game()
    put_ticket(first_game=1, groups=[[1, 2, 3]], plays=[(3, 100)], games=3)
    Game.objects.filter(pk=1).update(closes_at=CLOSES - 3 * MINUTE)
    run(CLOSES - 3 * MINUTE, CLOSES - 2.5 * MINUTE)
    run(CLOSES - 2.5 * MINUTE, CLOSES + MINUTE, 10 * SECOND)
    assert statuses() == {1: "settled", 2: "scheduled"}
    assert Transfer.objects.filter(kind="keno.stakes").count() == 1
    tomorrow = OPENS + timedelta(days=1)
    tick(tomorrow)
    for game in (2, 3):
        run(tomorrow + (game - 1) * 3 * MINUTE, tomorrow + (game - 1) * 3 * MINUTE + 20 * SECOND)
    assert statuses() == {1: "settled", 2: "settled", 3: "settled", 4: "open", 5: "scheduled"}
    stakes = Transfer.objects.filter(kind="keno.stakes").order_by("id").values_list("reference", "day", "amount")
    assert [(reference, day, str(amount)) for reference, day, amount in stakes] == [
        ("game/1", DAY, "1.00"),
        ("game/2", DAY + timedelta(days=1), "1.00"),
        ("game/3", DAY + timedelta(days=1), "1.00"),
    ]
    assert [Game.objects.get(pk=game).ticket_count for game in (1, 2, 3)] == [1, 1, 1]


@pytest.mark.clause("act-keno:4.5", "act-keno:13.2")
def test_games_left_over_at_an_early_close_are_the_next_ones_drawn() -> None:
    """Closed early with game 1 closed and not drawn, and game 2 open, both with a ticket for three games."""
    open_first_game()
    put_ticket(first_game=1, groups=[[1, 2, 3]], plays=[(3, 100)], games=3)
    early = OPENS + 3 * MINUTE + 2 * SECOND
    tick(OPENS + 3 * MINUTE)
    with time_machine.travel(early - gaming_days.NOTICE, tick=False):
        close_early(reason="Flood.", notice="Announced on the floor.", by=MANAGER, at=early)
    tick(early)  # at once: no opening and no close of this evening is shown to anybody any more
    assert {each.gaming_day for each in Game.objects.filter(pk__in=(2, 3))} == {DAY + timedelta(days=1)}
    assert Game.objects.get(pk=3).opens_at == Game.objects.get(pk=2).closes_at
    with pytest.raises(Refusal) as closed:
        close_game(number=2, by=SUE, now=early + SECOND)
    assert (closed.value.code, closed.value.clause) == ("outside-gaming-hours", "act-keno:13.1")
    run(early + SECOND, early + 20 * SECOND)  # when game 1 would be drawn
    run(early + 30 * SECOND, early + 5 * MINUTE, 10 * SECOND)
    assert statuses() == {1: "sealed", 2: "open", 3: "scheduled"}
    assert Act.objects.filter(kind="keno.moved").count() == 1
    assert not Draw.objects.exclude(numbers=[]).exists()
    tomorrow = OPENS + timedelta(days=1)
    second = Game.objects.get(pk=2)
    assert (second.gaming_day, second.closes_at) == (DAY + timedelta(days=1), tomorrow + 3 * MINUTE)
    with pytest.raises(Refusal) as refused:
        draw_game(number=1, by=SUE, now=early + MINUTE)
    assert refused.value.code == "outside-gaming-hours"
    run(tomorrow, tomorrow + 20 * SECOND)
    first = Game.objects.get(pk=1)
    assert (first.status, first.gaming_day) == ("settled", DAY + timedelta(days=1))
    run(tomorrow + 3 * MINUTE, tomorrow + 3 * MINUTE + 20 * SECOND)
    assert statuses() == {1: "settled", 2: "settled", 3: "open", 4: "scheduled"}
    assert [totals_of(game)["tickets"] for game in (1, 2)] == [1, 1]


@pytest.mark.clause("act-keno:13.1")
def test_a_draw_begun_in_the_hours_is_finished_after_them() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=CLOSES - 8 * SECOND)
    run(CLOSES - 8 * SECOND, CLOSES + 20 * SECOND)
    game = Game.objects.get(pk=1)
    assert game.began_at == CLOSES - 3 * SECOND
    assert game.status == "settled"


SYDNEY = ZoneInfo("Australia/Sydney")


@pytest.mark.parametrize(
    ("day", "hours"),
    [
        (date(2026, 4, 4), 19),  # clocks go back at three: the night has an hour more
        (date(2026, 10, 3), 17),  # clocks go forward at two
        (date(2026, 11, 16), 18),
    ],
)
@pytest.mark.clause("act-keno:13.1")
def test_both_daylight_saving_nights_have_their_games(day: date, hours: int) -> None:
    week = dict.fromkeys(range(7), Hours(opens=time(10), closes=time(4)))
    ((_, opens, ends),) = days_of(day, day, week, SYDNEY)
    interval, draw = timedelta(minutes=3), timedelta(seconds=15)
    closes, since = [], opens
    while (close := next_close(opens=opens, ends=ends, interval=interval, draw=draw, since=since)) is not None:
        closes.append(close)
        since = close
    assert len(closes) == hours * 20 - 1  # the last one would close with the day, and could not be drawn
    assert {after - before for before, after in pairwise(closes)} == {interval}
    assert closes[0] == opens + interval
    assert closes[-1] == ends - interval


@pytest.mark.parametrize("day", [date(2026, 4, 4), pytest.param(date(2026, 10, 3), marks=pytest.mark.long)])
def test_a_daylight_saving_night_run_by_the_tick(day: date) -> None:
    week = dict.fromkeys(range(7), Hours(opens=time(10), closes=time(4)))
    hour = timedelta(hours=1)
    KenoSettings.objects.create(interval=hour)
    ((_, opens, ends),) = days_of(day, day, week, SYDNEY)
    GamingDay.objects.create(date=day, opens_at=opens, closes_at=ends)
    gaming_days.forget()
    now = opens
    while now <= ends:  # a tick where something is due
        tick(now)
        run(now + 5 * SECOND, now + 15 * SECOND, 10 * SECOND)
        now += hour
    settled = Game.objects.filter(status="settled")
    assert settled.count() == (ends - opens) // hour - 1
    assert list(settled.values_list("number", flat=True)) == list(range(1, settled.count() + 1))


def test_a_supervisor_closes_a_game_before_its_time() -> None:
    open_first_game()
    now = OPENS + MINUTE
    game = close_game(number=1, by=SUE, now=now)
    assert (game.status, game.closed_at, game.sealed_at) == ("sealed", now, now)
    second = Game.objects.get(pk=2)
    assert (second.status, second.opened_at, second.closes_at) == ("open", now, OPENS + 3 * MINUTE)
    with pytest.raises(Conflict) as refused:
        close_game(number=1, by=SUE, now=now)
    assert refused.value.code == "game-sealed"
    assert statuses() == {1: "sealed", 2: "open", 3: "scheduled"}


@pytest.mark.clause("act-keno:7.2")
def test_who_may_not_run_games_changes_nothing() -> None:
    open_first_game()
    before = list(Game.objects.values())
    for verb in (close_game, draw_game):
        with pytest.raises(Refusal) as refused:
            verb(number=1, by=NOBODY)
        assert refused.value.status == 403
    with pytest.raises(Refusal):
        choose_device(device="mechanical", by=NOBODY)
    assert list(Game.objects.values()) == before


def test_games_are_drawn_in_their_order() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=OPENS + MINUTE)
    close_game(number=2, by=SUE, now=OPENS + MINUTE)
    draw_game(number=2, by=SUE, now=OPENS + MINUTE)
    assert statuses() == {1: "settled", 2: "settled", 3: "open", 4: "scheduled"}
    first, second = Draw.objects.filter(game__in=[1, 2])
    assert first.numbers != second.numbers
    drawn = Act.objects.filter(kind="keno.drawn").order_by("id").values_list("subject", flat=True)
    assert list(drawn) == ["keno-game:1", "keno-game:2"]


def test_an_open_or_settled_game_is_not_drawn() -> None:
    open_first_game()
    with pytest.raises(Conflict) as refused:
        draw_game(number=1, by=SUE, now=OPENS)
    assert (refused.value.code, refused.value.clause) == ("game-open", "act-keno:7.2")
    close_game(number=1, by=SUE, now=OPENS + MINUTE)
    draw_game(number=1, by=SUE, now=OPENS + MINUTE)
    with pytest.raises(Conflict) as again:
        draw_game(number=1, by=SUE, now=OPENS + MINUTE)
    assert again.value.code == "game-settled"
    with pytest.raises(Refusal) as unknown:
        draw_game(number=99, by=SUE, now=OPENS)
    assert unknown.value.status == 404


def test_a_new_device_holds_from_the_next_game_on() -> None:
    open_first_game()
    with pytest.raises(Refusal) as unapproved:
        choose_device(device="mechanical", by=SUE)
    assert unapproved.value.code == "device-not-approved"
    put_in_force("keno.draw-device", "mechanical", {"name": "Balls", "reference": "1"})
    choose_device(device="mechanical", by=SUE)
    choose_device(device="mechanical", by=SUE)
    assert Act.objects.filter(kind="keno.device-chosen").count() == 1
    assert Game.objects.get(pk=1).device == "rng"
    run(OPENS + 3 * MINUTE, OPENS + 3 * MINUTE + 20 * SECOND)
    second = Game.objects.get(pk=2)
    assert (Game.objects.get(pk=1).status, second.device) == ("settled", "mechanical")
    run(OPENS + 6 * MINUTE, OPENS + 7 * MINUTE, 5 * SECOND)  # closed on time; the worker waits for the balls
    assert statuses() == {1: "settled", 2: "sealed", 3: "open", 4: "scheduled"}
    with pytest.raises(Refusal) as refused:
        choose_device(device="dice", by=SUE)
    assert refused.value.status == 400


def test_years_of_games_keep_their_numbers() -> None:
    open_days()
    Game.objects.create(
        number=71_204,
        status="invalidated",
        device="rng",
        gaming_day=DAY,
        opens_at=datetime(2026, 1, 1, tzinfo=UTC),
        closes_at=datetime(2026, 1, 2, tzinfo=UTC),
        opened_at=OPENS,
        invalidated_at=OPENS,
        invalidated_by="staff:x",
        invalidation_cause="fire",
        invalidation_reason="Fire.",
    )
    tick(OPENS)
    assert statuses() == {71_204: "invalidated", 71_205: "open", 71_206: "scheduled"}
