"""The mechanical device: counted, drawn ball by ball, confirmed, and everything that goes wrong with it (2.1, 12)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from house.models import Incident, Notice
from keno.balls import count_balls, enter_balls, fall_back, report_stoppage
from keno.close import close_game
from keno.draw import draw_game
from keno.models import Draw, Game, KenoSettings
from keno.open_games import keep_open
from keno.void import void_draw
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal
from ledger.models import Act
from tests.world.keno_games import NOBODY, OPENS, SAM, SUE, numbers_of, open_days, put_ticket, run, some_numbers

pytestmark = pytest.mark.django_db
NOW = OPENS + timedelta(minutes=3)
BALLS = some_numbers(20)


@pytest.fixture
def closed() -> None:
    KenoSettings.objects.create(device="mechanical")
    open_days()
    keep_open(now=OPENS)
    put_ticket(first_game=1, groups=[BALLS[:3]], plays=[(3, 100)])
    close_game(number=1, by=SUE, now=NOW)


def enter(*balls: int, by: Actor = SUE) -> Game:
    return enter_balls(number=1, balls=balls, by=by, now=NOW)


@pytest.mark.clause("act-keno:7.1", "act-keno:12.1")
def test_twenty_balls_one_at_a_time_are_the_record_and_settle_the_game(closed: None) -> None:
    for place, ball in enumerate(BALLS, start=1):
        game = enter(ball)
        assert game.status == ("settled" if place == 20 else "drawing")
        assert numbers_of(1) == BALLS[:place]
    draw = Draw.objects.get(game=1)
    assert (draw.balls_counted, draw.counted_by, draw.game.ticket_count, draw.asked) == (80, "staff:sue", 1, None)
    kinds = list(Act.objects.filter(subject="keno-game:1").order_by("id").values_list("kind", flat=True))
    assert kinds == ["keno.opened", "keno.closed", "keno.sealed", *["keno.ball"] * 20, "keno.drawn", "keno.settled"]
    settled = Act.objects.get(kind="keno.settled").data
    assert (settled["device"], settled["seed"], len(settled["commitment"])) == ("mechanical", None, 64)
    assert settled["totals"]["prizes"] == "36.00"


@pytest.mark.clause("act-keno:7.1")
def test_several_balls_at_once(closed: None) -> None:
    enter(*BALLS[:12])
    assert enter(*BALLS[12:]).status == "settled"
    assert numbers_of(1) == BALLS


@pytest.mark.clause("act-keno:2.1", "act-keno:7.1")
@pytest.mark.parametrize(
    ("balls", "code"),
    [
        ((0,), "no-such-ball"),
        ((81,), "no-such-ball"),
        ((BALLS[0],), "ball-drawn-already"),
        ((77, 77), "ball-drawn-already"),
        ((), "balls-missing"),
        (tuple(n for n in range(1, 81) if n not in BALLS[:2])[:19], "too-many-balls"),
    ],
)
def test_balls_that_cannot_be_are_refused(closed: None, balls: tuple[int, ...], code: str) -> None:
    enter(*BALLS[:2])
    with pytest.raises(Refusal) as refused:
        enter(*balls)
    assert (refused.value.code, refused.value.status) == (code, 422)
    assert numbers_of(1) == BALLS[:2]


def test_balls_are_entered_when_the_game_is_closed_and_drawn_with_them(closed: None) -> None:
    with pytest.raises(Conflict) as early:
        enter_balls(number=2, balls=[1], by=SUE, now=NOW)
    assert (early.value.code, early.value.clause) == ("game-open", "act-keno:7.2")
    with pytest.raises(Conflict) as generator:
        draw_game(number=1, by=SUE, now=NOW)
    assert generator.value.code == "device-mechanical"
    with pytest.raises(Refusal) as right:
        enter(5, by=NOBODY)
    assert right.value.status == 403
    with pytest.raises(Refusal) as unknown:
        enter_balls(number=99, balls=[1], by=SUE, now=NOW)
    assert unknown.value.status == 404
    enter(*BALLS)
    with pytest.raises(Conflict) as late:
        enter(5)
    assert late.value.code == "game-settled"
    assert numbers_of(1) == BALLS


def test_a_game_of_the_generator_has_no_balls() -> None:
    open_days()
    keep_open(now=OPENS)
    close_game(number=1, by=SUE, now=NOW)
    verbs: list[Callable[[], object]] = [
        lambda: enter(5),
        lambda: count_balls(number=1, counted=80, by=SUE),
        lambda: fall_back(number=1, ball=5, by=SUE),
        lambda: report_stoppage(number=1, by=SUE),
    ]
    for verb in verbs:
        with pytest.raises(Conflict) as refused:
            verb()
        assert refused.value.code == "device-rng"
    assert not Incident.objects.exists()


@pytest.mark.clause("act-keno:2.1", "act-keno:12.2")
def test_eighty_balls_are_counted_before_the_draw(closed: None) -> None:
    count_balls(number=1, counted=80, by=SAM, now=NOW)
    enter(*BALLS[:3])
    draw = Draw.objects.get(game=1)
    assert (draw.balls_counted, draw.counted_by) == (80, "staff:sam")
    with pytest.raises(Conflict) as late:
        count_balls(number=1, counted=80, by=SAM, now=NOW)
    assert late.value.code == "draw-begun"
    assert not Incident.objects.exists()


@pytest.mark.clause("act-keno:12.2")
@pytest.mark.parametrize("counted", [79, 0, 81])
def test_a_set_that_is_not_complete_makes_the_draw_void(closed: None, counted: int) -> None:
    game = count_balls(number=1, counted=counted, by=SUE, now=NOW)
    assert game.status == "sealed"
    first, second = Draw.objects.filter(game=1)
    assert (first.balls_counted, first.voided_by, first.numbers) == (counted, "staff:sue", [])
    assert (second.attempt, second.balls_counted) == (2, None)
    incident = Incident.objects.get()
    assert (incident.kind, incident.clause) == ("keno-balls-missing", "act-keno:12.2")
    assert set(Notice.objects.values_list("to", flat=True)) == {"inspector", "players"}
    count_balls(number=1, counted=80, by=SUE, now=NOW)
    assert enter(*BALLS).status == "settled"


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        pytest.param("ball-damaged", "keno-ball-damaged", marks=pytest.mark.clause("act-keno:12.4a")),
        pytest.param("balls-spilled", "keno-balls-spilled", marks=pytest.mark.clause("act-keno:12.4c")),
        pytest.param("malfunction", "keno-malfunction", marks=pytest.mark.clause("act-keno:12.3")),
    ],
)
def test_damaged_or_spilled_balls_void_the_draw_and_it_is_redrawn(closed: None, cause: str, kind: str) -> None:
    enter(*BALLS[:9])
    game = void_draw(number=1, by=SUE, cause=cause, reason="Seen by everybody.", now=NOW)
    assert game.status == "sealed"
    incident = Incident.objects.get()
    assert (incident.kind, incident.what) == (kind, "Seen by everybody.")
    assert Notice.objects.filter(incident=incident).count() == 2
    others = some_numbers(20, seed=2)
    enter(*others)
    first, second = Draw.objects.filter(game=1)
    assert (first.numbers, second.numbers) == (BALLS[:9], others)
    # The tickets of the redraw are the tickets of the draw.


@pytest.mark.clause("act-keno:12.4b")
def test_a_ball_that_falls_back_was_not_drawn_and_may_be_drawn_again(closed: None) -> None:
    enter(*BALLS[:5])
    fall_back(number=1, ball=BALLS[2], by=SUE, now=NOW)
    left = [*BALLS[:2], *BALLS[3:5]]
    assert numbers_of(1) == left
    assert Incident.objects.get().kind == "keno-ball-fell-back"
    assert Act.objects.get(kind="keno.ball-fell-back").data == {"game": 1, "attempt": 1, "number": BALLS[2]}
    with pytest.raises(Conflict) as twice:
        fall_back(number=1, ball=BALLS[2], by=SUE, now=NOW)
    assert (twice.value.code, twice.value.clause) == ("ball-not-drawn", "act-keno:12.4b")
    enter(*BALLS[5:], BALLS[2])
    assert numbers_of(1) == [*left, *BALLS[5:], BALLS[2]]
    with pytest.raises(Conflict):  # complete is complete
        fall_back(number=1, ball=BALLS[2], by=SUE, now=NOW)


@pytest.mark.clause("act-keno:12.4d")
def test_a_stopped_device_is_operated_by_hand(closed: None) -> None:
    enter(*BALLS[:5])
    report_stoppage(number=1, by=SUE, what="The blower failed.")
    incident = Incident.objects.get()
    assert (incident.kind, incident.what, incident.clause) == (
        "keno-device-stopped",
        "The blower failed.",
        "act-keno:12.4d",
    )
    assert enter(*BALLS[5:]).status == "settled"


def test_the_worker_waits_for_the_balls_and_games_queue_up(closed: None) -> None:
    run(NOW, NOW + timedelta(minutes=7), timedelta(seconds=20))
    assert dict(Game.objects.values_list("number", "status"))[1] == "sealed"
    waiting = list(Game.objects.filter(status="sealed").values_list("number", flat=True))
    assert waiting == [1, 2, 3]
    with pytest.raises(Conflict) as order:
        enter_balls(number=2, balls=[1], by=SUE, now=NOW)
    assert order.value.code == "earlier-game-first"
    for game in waiting:
        enter_balls(number=game, balls=some_numbers(20, seed=game), by=SUE, now=NOW + timedelta(minutes=8))
    assert list(Game.objects.filter(status="settled").values_list("number", flat=True)) == waiting


def test_where_the_venue_asks_for_it_a_second_person_confirms(closed: None) -> None:
    KenoSettings.objects.update(balls_confirmed=True)
    assert enter(*BALLS[:2]).status == "sealed"  # waits
    draw = Draw.objects.get(game=1)
    assert (draw.numbers, draw.waiting, draw.waiting_by, draw.began_at) == ([], BALLS[:2], "staff:sue", None)
    enter(*BALLS[:3])  # the same person corrects herself
    assert numbers_of(1) == []
    with pytest.raises(Conflict) as differs:
        enter(*BALLS[:2], by=SAM)
    assert differs.value.code == "balls-differ"
    assert numbers_of(1) == []
    assert enter(*BALLS[:3], by=SAM).status == "drawing"
    draw.refresh_from_db()
    assert (draw.numbers, draw.waiting, draw.waiting_by) == (BALLS[:3], [], None)
    enter(*BALLS[3:], by=SAM)
    assert numbers_of(1) == BALLS[:3]
    assert enter(*BALLS[3:]).status == "settled"
