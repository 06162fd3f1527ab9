"""What is due is done in its moment, by one tick, with few statements: a first ball comes soon after the close."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from keno import tick as ticks
from keno.models import Game, KenoSettings
from keno.tick import due, is_late, late_seconds, next_due, on_time, tick
from kernel.locks import Lock
from ledger.models import Act
from tests.world.keno_games import OPENS, open_days, put_ticket
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db
STATEMENTS_LIMIT = 115  # without those of the witness, which tests/ledger/test_questions.py counts


def test_the_next_close_and_the_next_number_are_waited_for(second_party: AtHand) -> None:
    KenoSettings.objects.create(draw_after=timedelta(seconds=5), pace=timedelta(seconds=0.5))
    open_days()
    tick(OPENS)
    first = Game.objects.get(number=1)
    assert next_due(OPENS) == first.closes_at
    tick(first.closes_at)
    assert next_due(first.closes_at) == first.closes_at + timedelta(seconds=5)
    tick(first.closes_at + timedelta(seconds=5))
    assert next_due(first.closes_at + timedelta(seconds=5)) == first.closes_at + timedelta(seconds=5.5)
    second_party.goes_away()
    assert next_due(first.closes_at + timedelta(hours=1)) is None  # what is late is not waited for


def test_in_a_quiet_house_a_game_is_due_before_its_close_and_until_it_is_settled(second_party: AtHand) -> None:
    KenoSettings.objects.create(draw_after=timedelta(seconds=5), pace=timedelta(seconds=0.5))
    assert due(OPENS) is None
    open_days()
    tick(OPENS)
    closes_at = Game.objects.get(number=1).closes_at
    assert due(OPENS) == closes_at - ticks.WAITED_FOR
    for now in (closes_at, closes_at + timedelta(seconds=6)):
        tick(now)
        assert due(now) == now  # the witness may be away: it is asked again
    tick(closes_at + timedelta(minutes=1))
    assert Game.objects.get(number=1).status == "settled"
    assert due(closes_at) == Game.objects.get(number=2).closes_at - ticks.WAITED_FOR


@pytest.mark.parametrize(("late", "expected"), [(0.0, "open"), (0.9, "open"), (1.1, "drawing")])
def test_a_tick_leaves_to_another_what_that_one_waits_for_unless_it_is_late(
    second_party: AtHand, monkeypatch: pytest.MonkeyPatch, late: float, expected: str
) -> None:
    KenoSettings.objects.create(draw_after=timedelta(0), pace=timedelta(0))
    open_days()
    tick(OPENS)
    asked: list[Lock] = []
    monkeypatch.setattr(ticks, "keep", asked.append)  # None: another one has it
    monkeypatch.setattr(ticks, "let_go", lambda lock: pytest.fail("it is not ours"))
    first = Game.objects.get(number=1)
    moment = first.closes_at + timedelta(seconds=late)
    assert is_late(moment) == (expected == "drawing")
    assert (late_seconds(moment) > 1) == is_late(moment)
    on_time(moment)
    first.refresh_from_db()
    assert (first.status, asked) == (expected, [Lock.KENO_CLOCK])


def test_who_waits_hands_over_between_two_moments_and_not_just_before_one() -> None:
    taken, hard = ticks.ON_TIME_SECONDS, ticks.LONGEST_SECONDS
    assert not ticks._is_long(taken - 1, 4.9)
    assert ticks._is_long(taken + 1, 4.9)
    assert not ticks._is_long(taken + 1, 0.5)
    assert ticks._is_long(hard + 1, 0.5)


def test_who_waits_ticks_in_the_moment_and_gives_the_clock_back(
    second_party: AtHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some seconds before a close: a tick a second, the last one when it is due."""
    KenoSettings.objects.create(draw_after=timedelta(0), pace=timedelta(0))
    open_days()
    tick(OPENS)
    first = Game.objects.get(number=1)
    clock = [first.closes_at - timedelta(seconds=4.5)]
    ticked: list[datetime] = []

    def sleep(seconds: float) -> None:
        clock[0] += timedelta(seconds=seconds)

    def counted(now: datetime) -> None:
        ticked.append(now)
        tick(now)

    monkeypatch.setattr("keno.tick.timezone.now", lambda: clock[0])
    monkeypatch.setattr("keno.tick.time.sleep", sleep)
    monkeypatch.setattr(ticks, "tick", counted)
    on_time(clock[0])
    assert [(each - first.closes_at).total_seconds() for each in ticked] == [-4.5, -3.5, -2.5, -1.5, 0]
    assert Act.objects.filter(kind="keno.ball", subject="keno-game:1").count() >= 1
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s", [Lock.KENO_CLOCK])
        assert cursor.fetchone() == (0,)


def test_from_the_close_to_the_first_ball_it_takes_few_statements(second_party: AtHand) -> None:
    KenoSettings.objects.create(draw_after=timedelta(0), pace=timedelta(seconds=1))
    open_days()
    tick(OPENS)
    first = Game.objects.get(number=1)
    put_ticket(first_game=1, groups=[[1, 2, 3]], plays=[(3, 100)])
    tick(first.closes_at)  # the first opens the pools
    second = Game.objects.get(number=2)
    put_ticket(first_game=2, groups=[[1, 2, 3]], plays=[(3, 100)])
    for place in range(21):
        tick(first.closes_at + timedelta(seconds=place))
    with CaptureQueriesContext(connection) as sent:
        tick(second.closes_at)
    assert Act.objects.filter(kind="keno.ball", subject="keno-game:2").count() == 1
    statements = [each["sql"] for each in sent.captured_queries]
    ball = next(place for place, each in enumerate(statements) if "'keno.ball'" in each)
    assert ball < STATEMENTS_LIMIT, statements
