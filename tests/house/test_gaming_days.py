from __future__ import annotations

import threading
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from house import gaming_days, plan_days
from house.close_early import close_early
from house.gaming_days import gaming_day_at, open_gaming_day
from house.incident_kinds import EARLY_CLOSE
from house.models import GamingDay, Incident, OpeningHours
from house.plan_days import ensure_gaming_days
from house.tick import tick
from kernel.refusal import Conflict, Forbidden, Refusal
from tests.house.conftest import Log, MakeActor
from tests.world.refusals import refused

pytestmark = pytest.mark.django_db

# Monday 16 November 2026, 21:04 in Sydney (summer time).
NOW = datetime(2026, 11, 16, 10, 4, tzinfo=UTC)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_days_are_made_two_weeks_ahead_once(log: Log) -> None:
    made = ensure_gaming_days(now=NOW)
    # From yesterday, whose night may still be going on, to a fortnight ahead.
    assert [day.date for day in made] == [date(2026, 11, 15) + timedelta(days=n) for n in range(16)]
    assert (made[1].opens_at, made[1].closes_at) == (utc("2026-11-15T23:00"), utc("2026-11-16T17:00"))
    assert log.acts == [("gaming-day.scheduled", f"gaming-day:{day.date}", "system:calendar") for day in made]
    assert ensure_gaming_days(now=NOW) == []
    assert GamingDay.objects.count() == len(log.acts) == 16
    assert [day.date for day in ensure_gaming_days(now=NOW + timedelta(days=1))] == [date(2026, 12, 1)]


def test_closed_weekdays_have_no_day() -> None:
    OpeningHours.objects.filter(weekday__in=(5, 6)).update(opens=None, closes=None)
    made = ensure_gaming_days(now=NOW, upto=date(2026, 11, 29))
    assert [day.date.weekday() for day in made] == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]
    assert ensure_gaming_days(now=NOW, upto=date(2026, 11, 29)) == []


def test_days_on_which_the_house_did_not_run_are_not_made_up() -> None:
    ensure_gaming_days(now=NOW, upto=date(2026, 11, 16))
    later = ensure_gaming_days(now=NOW + timedelta(days=30), upto=date(2026, 12, 16))
    assert [day.date for day in later] == [date(2026, 12, 15), date(2026, 12, 16)]


@pytest.mark.clause("act-keno:13.1")
def test_no_business_outside_the_hours_of_gaming() -> None:
    ensure_gaming_days(now=NOW)
    day = GamingDay.objects.get(date=date(2026, 11, 16))
    assert open_gaming_day(day.opens_at) == day
    assert open_gaming_day(day.closes_at - timedelta(microseconds=1)) == day
    for moment in (day.closes_at, day.opens_at + timedelta(hours=24) - timedelta(microseconds=1)):
        with pytest.raises(Refusal) as refused:
            open_gaming_day(moment)
        assert (refused.value.code, refused.value.clause) == ("outside-gaming-hours", "act-keno:13.1")
        assert refused.value.detail == "No gaming day is open. The next one opens Tue 17 Nov, 10:00."


def test_money_booked_after_the_close_belongs_to_the_day_that_closed() -> None:
    ensure_gaming_days(now=NOW)
    day = GamingDay.objects.get(date=date(2026, 11, 16))
    assert gaming_day_at(day.closes_at) == day
    assert gaming_day_at(day.opens_at + timedelta(hours=24) - timedelta(microseconds=1)) == day
    assert gaming_day_at(day.opens_at + timedelta(hours=24)).date == date(2026, 11, 17)


def test_a_house_without_days_says_so() -> None:
    with pytest.raises(Refusal, match="has not had a gaming day") as refused:
        gaming_day_at(NOW)
    assert refused.value.code == "no-gaming-day"
    with pytest.raises(Refusal) as refused:
        open_gaming_day(NOW)
    assert (refused.value.code, refused.value.detail) == ("outside-gaming-hours", "No gaming day is open.")


def test_a_lookup_costs_nothing_while_its_answer_is_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    ensure_gaming_days(now=NOW)
    running = [0.0]
    monkeypatch.setattr("house.gaming_days.time.monotonic", lambda: running[0])
    with CaptureQueriesContext(connection) as queries:
        days = {open_gaming_day(NOW + timedelta(seconds=n)).date for n in range(1000)}
    assert (len(queries), days) == (2, {date(2026, 11, 16)})
    # A moment on the other side of a boundary is never answered from memory.
    assert open_gaming_day(NOW + timedelta(days=1)).date == date(2026, 11, 17)
    assert open_gaming_day(NOW).date == date(2026, 11, 16)
    with CaptureQueriesContext(connection) as queries:
        running[0] += gaming_days.CACHE_SECONDS
        open_gaming_day(NOW)
    assert len(queries) == 2


@pytest.mark.clause("act-keno:13.1", "act-keno:13.2")
def test_an_early_close_stops_business_in_every_process(
    actor: MakeActor, monkeypatch: pytest.MonkeyPatch, log: Log
) -> None:
    ensure_gaming_days(now=NOW)
    running = [0.0]
    monkeypatch.setattr("house.gaming_days.time.monotonic", lambda: running[0])
    open_gaming_day(NOW)
    other_process = gaming_days._known
    with time_machine.travel(NOW, tick=False):
        day = close_early(reason="Water on the floor", notice="Keno closes at 21:05 tonight.", by=actor("manager"))
    # It lies further ahead than any process can remember the old answer: at the moment it takes effect,
    # another process's memory, read at the last moment before the close was written, is too old to be used.
    assert day.closed_early_at == NOW + gaming_days.NOTICE
    monkeypatch.setattr(gaming_days, "_known", other_process)
    running[0] = gaming_days.NOTICE.total_seconds()
    with pytest.raises(Refusal, match="No gaming day is open"):
        open_gaming_day(day.closed_early_at)
    assert open_gaming_day(day.closed_early_at - timedelta(microseconds=1)) == day
    assert gaming_day_at(day.closed_early_at + timedelta(hours=1)) == day
    assert gaming_days.NOTICE.total_seconds() > gaming_days.CACHE_SECONDS
    assert ("gaming-day.closed-early", "gaming-day:2026-11-16", "staff:manager") in log.acts


@pytest.mark.clause("act-keno:13.2")
def test_an_early_close_owes_notice_to_players_and_an_inspector(actor: MakeActor) -> None:
    ensure_gaming_days(now=NOW)
    at = NOW + timedelta(hours=1)
    with time_machine.travel(NOW, tick=False):
        day = close_early(reason="Storm", notice="We close at 22:04.", by=actor("manager"), at=at)
    day.refresh_from_db()
    assert (day.closed_early_at, day.closed_early_by) == (at, "staff:manager")
    assert (day.closed_early_reason, day.closed_early_notice) == ("Storm", "We close at 22:04.")
    assert day.closes_at == utc("2026-11-16T17:00")  # the schedule stays on record
    incident = Incident.objects.get()
    assert (incident.kind, incident.clause, incident.gaming_day) == (EARLY_CLOSE, "act-keno:13.2", day)
    assert list(incident.notices.order_by("to").values_list("to", "due_at")) == [("inspector", NOW), ("players", NOW)]


def test_early_close_refusals_change_nothing(actor: MakeActor, log: Log) -> None:
    ensure_gaming_days(now=NOW)
    log.acts.clear()
    manager = actor("manager")
    before = list(GamingDay.objects.values())

    given: dict[str, Any] = {"reason": "Storm", "notice": "We close.", "by": manager}

    with time_machine.travel(NOW, tick=False):
        refused(partial(close_early, **given | {"by": actor("supervisor")}), "no-permission", Forbidden)
        refused(partial(close_early, **given | {"reason": " "}), "reason-missing", Refusal)
        refused(partial(close_early, **given | {"notice": " "}), "notice-missing", Refusal)
        refused(partial(close_early, **given | {"at": utc("2026-11-16T17:00")}), "not-early", Refusal)
    with time_machine.travel(NOW + timedelta(hours=8), tick=False):
        refused(partial(close_early, **given), "outside-gaming-hours", Conflict)
    assert list(GamingDay.objects.values()) == before
    assert not log.acts
    assert not Incident.objects.exists()
    with time_machine.travel(NOW, tick=False):
        close_early(reason="Storm", notice="We close.", by=manager)
        refused(partial(close_early, **given), "closed-early-already", Conflict)


@pytest.mark.django_db(transaction=True)
def test_a_day_that_a_tick_is_making_is_made_again_under_new_hours() -> None:
    ensure_gaming_days(now=NOW)
    OpeningHours.objects.update(opens=time(12))

    def new_hours() -> None:
        with transaction.atomic():
            plan_days.reschedule(now=NOW)
        connection.close()

    thread = threading.Thread(target=new_hours)
    with transaction.atomic():
        ensure_gaming_days(now=NOW + timedelta(days=1))  # makes the fifteenth, and has not committed yet
        thread.start()
        with connection.cursor() as cursor:
            waiting = False
            while not waiting and thread.is_alive():
                cursor.execute(
                    "SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database ON oid = database"
                    " WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted)"
                )
                waiting = cursor.fetchone()[0]
    thread.join()
    opened = dict(GamingDay.objects.filter(opens_at__gt=NOW).values_list("date", "opens_at"))
    assert opened == {
        date(2026, 11, 16) + timedelta(days=n): utc("2026-11-16T01:00") + timedelta(days=n) for n in range(1, 15)
    }


def test_a_tick_makes_the_days() -> None:
    tick(NOW)
    tick(NOW)
    assert GamingDay.objects.count() == 16


def test_default_hours_are_ten_to_four() -> None:
    assert list(OpeningHours.objects.values_list("opens", "closes")) == [(time(10), time(4))] * 7
