"""The database itself knows the life of a game: statuses, times, one series, numbers that stand."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import DataError, connection, transaction

from keno.models import Draw, Game, KenoSettings
from keno.models.fields import as_bits
from keno.steps import TRANSITIONS, Status
from kernel.money import ZERO, Money
from tests.world.refusals import refused_by_database

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 16, 1, tzinfo=UTC)
REASON = {
    "invalidated_at": AT,
    "invalidated_by": "staff:x",
    "invalidation_cause": "fire",
    "invalidation_reason": "Fire.",
}
SET = {"sealed_at": AT, "ticket_root": b"r" * 32, "ticket_count": 0, "sealed_stakes": ZERO}
# What a row of each status has, at least.
HAS: dict[Status, dict[str, Any]] = {
    Status.SCHEDULED: {},
    Status.OPEN: {"opened_at": AT},
    Status.CLOSED: {"opened_at": AT, "closed_at": AT},
    Status.SEALED: {"opened_at": AT, "closed_at": AT, **SET},
    Status.DRAWING: {"opened_at": AT, "closed_at": AT, **SET, "began_at": AT},
    Status.DRAWN: {"opened_at": AT, "closed_at": AT, **SET, "began_at": AT, "drawn_at": AT},
    Status.SETTLED: {
        "opened_at": AT, "closed_at": AT, **SET, "began_at": AT, "drawn_at": AT, "settled_at": AT, "totals": {},
    },
    Status.INVALIDATED: {"opened_at": AT, **REASON},
}  # fmt: skip


SEALED = (Status.SEALED, Status.DRAWING, Status.DRAWN, Status.SETTLED)


def make(status: Status = Status.OPEN, number: int = 1, **fields: Any) -> Game:
    return Game.objects.create(
        number=number,
        status=status,
        device="rng",
        gaming_day=date(2026, 11, 16),
        opens_at=AT,
        closes_at=AT + timedelta(minutes=3),
        **{**HAS[status], **fields},
    )


@pytest.mark.parametrize("old", Status)
@pytest.mark.parametrize("new", Status)
def test_the_database_lets_a_status_follow_another_only_where_the_table_says(old: Status, new: Status) -> None:
    game = make(old)
    allowed = new == old or new in {after for (before, _), after in TRANSITIONS.items() if before == old}
    cleared = dict.fromkeys(("opened_at", "closed_at", "began_at", "drawn_at", "settled_at", "totals"))
    cleared |= dict.fromkeys(SET) if old not in SEALED else {}  # a sealed set stays what it is
    cleared |= {"invalidated_at": None, "invalidated_by": None, "invalidation_cause": "", "invalidation_reason": ""}

    def change() -> None:
        Game.objects.filter(pk=game.pk).update(status=new, **{**cleared, **HAS[new]})

    if allowed:
        change()
    else:
        refused_by_database(change)
    game.refresh_from_db()
    assert game.status == (new if allowed else old)


@pytest.mark.parametrize(("status", "missing"), [(status, name) for status in Status for name in HAS[status]])
def test_a_status_without_what_it_implies_is_refused(status: Status, missing: str) -> None:
    empty = "" if missing in ("invalidation_cause", "invalidation_reason") else None
    refused_by_database(make, status, **{missing: empty})
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("status", "too_much"),
    [
        (Status.SCHEDULED, {"opened_at": AT}),
        (Status.OPEN, {"closed_at": AT}),
        (Status.OPEN, {"began_at": AT}),
        (Status.OPEN, {"contributed_at": AT}),
        (Status.OPEN, SET),
        (Status.CLOSED, SET),
        (Status.CLOSED, {"asked_at": AT}),
        (Status.CLOSED, {"began_at": AT}),
        (Status.SEALED, {"drawn_at": AT}),
        (Status.CLOSED, {"drawn_at": AT}),
        (Status.DRAWING, {"drawn_at": AT}),
        (Status.DRAWING, {"matched_upto": 1}),
        (Status.DRAWN, {"settled_at": AT}),
        (Status.DRAWN, {"totals": {}}),
        (Status.SETTLED, REASON),
        (Status.INVALIDATED, {"invalidation_cause": "boredom"}),
        (Status.OPEN, {"device": "dice"}),
        (Status.OPEN, {"closes_at": AT}),
        (Status.OPEN, {"number": 0}),
    ],
)
def test_a_status_with_more_than_it_allows_is_refused(status: Status, too_much: Any) -> None:
    fields = {"number": 1, **too_much}
    refused_by_database(
        Game.objects.create,
        **{
            "status": status,
            "device": "rng",
            "gaming_day": date(2026, 11, 16),
            "opens_at": AT,
            "closes_at": AT + timedelta(minutes=3),
            **HAS[status],
            **fields,
        },
    )


@pytest.mark.parametrize("status", [Status.SCHEDULED, Status.OPEN, Status.DRAWING])
def test_only_one_game_is_scheduled_open_or_being_drawn(status: Status) -> None:
    make(status, 1)
    refused_by_database(make, status, 2)


def test_a_game_is_never_deleted_or_renumbered() -> None:
    game = make()
    refused_by_database(game.delete)
    refused_by_database(Game.objects.filter(pk=1).update, number=2)
    assert Game.objects.get().number == 1


def attempt(game: Game, **fields: Any) -> Draw:
    return Draw.objects.create(game=game, **{"attempt": 1, "device": "rng", **fields})


BEGUN = {"began_at": AT, "asked": 1, "stakes": ZERO}


@pytest.mark.parametrize(
    "fields",
    [
        {"device": "mechanical", "asked": 1},
        {"asked": 0},
        {"waits_since": AT},
        {"would_be": list(range(1, 21))},
        {"numbers": [1]},
        {**BEGUN, "asked": None},
        {**BEGUN, "stakes": None},
        {**BEGUN, "numbers": [1, 2, 1]},
        {**BEGUN, "numbers": list(range(1, 22))},
        {**BEGUN, "numbers": [1], "finished_at": AT},
        {"voided_at": AT, "voided_by": "staff:x"},
        {"void_reason": "because"},
        {"balls_counted": 80, "counted_by": "staff:x"},
        {"attempt": 0},
    ],
)
def test_a_draw_that_cannot_be_is_refused(fields: dict[str, Any]) -> None:
    game = make()
    refused_by_database(attempt, game, **fields)
    assert not Draw.objects.exists()


@pytest.mark.parametrize("number", [0, 81, -1])
@pytest.mark.clause("act-keno:2.1")
def test_a_number_is_one_of_1_to_80(number: int) -> None:
    game = make()
    with pytest.raises(DataError), transaction.atomic():
        attempt(game, **BEGUN, numbers=[number])


def test_one_attempt_stands_at_a_time() -> None:
    game = make()
    first = attempt(game)
    refused_by_database(attempt, game, attempt=2)
    Draw.objects.filter(pk=first.pk).update(voided_at=AT, voided_by="staff:x", void_reason="Spilled.")
    attempt(game, attempt=2)
    refused_by_database(attempt, game, attempt=2)


@pytest.mark.clause("act-keno:12.1")
def test_what_a_draw_has_recorded_stands() -> None:
    draw = attempt(make(), **BEGUN, numbers=[7, 3])
    rows = Draw.objects.filter(pk=draw.pk)
    changes: list[dict[str, Any]] = [
        {"numbers": [7]},
        {"numbers": [7, 4]},
        {"asked": 2},
        {"stakes": Money.dollars(1)},
        {"device": "mechanical"},
        {"attempt": 2},
    ]
    for change in changes:
        refused_by_database(rows.update, **change)
    rows.update(numbers=[7, 3, 80])
    twenty = [7, 3, 80, *range(10, 27)]
    rows.update(numbers=twenty, finished_at=AT)
    changes = [{"numbers": [*twenty[:19], 60]}, {"finished_at": None}]
    for change in changes:
        refused_by_database(rows.update, **change)
    refused_by_database(draw.delete)


def test_a_set_is_sealed_once_and_what_was_asked_stays_asked() -> None:
    make(Status.SEALED, asked_at=AT)
    rows = Game.objects.filter(pk=1)
    later = AT + timedelta(seconds=1)
    changes: list[dict[str, Any]] = [
        {"ticket_root": b"x" * 32},
        {"ticket_count": 5},
        {"sealed_stakes": Money.dollars(1)},
        {"sealed_at": later},
        {"asked_at": later},
        {"asked_at": None},
    ]
    for change in changes:
        refused_by_database(rows.update, **change)
    rows.update(status=Status.DRAWING, began_at=AT)


def test_settings_are_one_row_and_leave_time_for_a_draw() -> None:
    KenoSettings.objects.create()
    refused_by_database(KenoSettings.objects.create, id=2)
    refused_by_database(KenoSettings.objects.update, interval=timedelta(seconds=15))
    refused_by_database(KenoSettings.objects.update, pace=timedelta(seconds=-1))
    refused_by_database(KenoSettings.objects.update, device="dice")


def test_the_bits_of_python_and_of_the_database_agree() -> None:
    numbers = [1, 8, 9, 40, 79, 80]
    with connection.cursor() as cursor:
        cursor.execute("SELECT keno_bits(%s::smallint[]), bit_count(keno_bits('{}'))", [numbers])
        assert cursor.fetchone() == (as_bits(numbers), 0)
