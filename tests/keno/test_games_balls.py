"""The mechanical device: counted, drawn ball by ball, confirmed, and everything that goes wrong with it (2.1, 12)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from house.approvals import approve, propose
from house.models import Incident, Notice
from keno import balls as machine
from keno.balls import confirm_balls, correct_ball, count_balls, fall_back, report_stoppage
from keno.close import close_game
from keno.draw import draw_game
from keno.models import Draw, Game, KenoSettings, Prize
from keno.open_games import keep_open
from keno.void import void_draw
from kernel.actors import Actor
from kernel.money import ZERO
from kernel.refusal import Conflict, Forbidden, Refusal
from ledger.models import Act
from tests.world.approvals import INSPECTOR
from tests.world.keno_balls import approve_set, enter_balls
from tests.world.keno_games import NOBODY, OPENS, SAM, SUE, numbers_of, open_days, put_ticket, run, some_numbers
from tests.world.people import MANAGER

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


def count(counted: int = 80, by: Actor = SUE, **more: Any) -> Game:
    approve_set()
    of: dict[str, Any] = {"number": 1, "counted": counted, "ball_set": "A", "by": by, "now": NOW}
    return count_balls(**of | more)


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
    assert kinds == [
        "keno.opened",
        "keno.closed",
        "keno.sealed",
        "keno.balls-counted",
        *["keno.ball"] * 20,
        "keno.drawn",
        "keno.settled",
    ]
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
        count,
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
    count(by=SAM)
    enter(*BALLS[:3])
    draw = Draw.objects.get(game=1)
    assert (draw.balls_counted, draw.counted_by, draw.ball_set) == (80, "staff:sam", "A")
    said = Act.objects.get(kind="keno.balls-counted")
    assert (said.actor, said.data) == ("staff:sam", {"game": 1, "attempt": 1, "ball_set": "A", "balls": 80})
    with pytest.raises(Conflict) as late:
        count(by=SAM)
    assert late.value.code == "draw-begun"
    assert not Incident.objects.exists()


@pytest.mark.clause("act-keno:12.2")
@pytest.mark.parametrize("counted", [79, 0, 81])
def test_a_set_that_is_not_complete_makes_the_draw_void(closed: None, counted: int) -> None:
    game = count(counted)
    assert game.status == "sealed"
    first, second = Draw.objects.filter(game=1)
    assert (first.balls_counted, first.voided_by, first.numbers) == (counted, "staff:sue", [])
    assert (second.attempt, second.balls_counted) == (2, None)
    incident = Incident.objects.get()
    assert (incident.kind, incident.clause) == ("keno-balls-missing", "act-keno:12.2")
    assert set(Notice.objects.values_list("to", flat=True)) == {"inspector", "players"}
    with pytest.raises(Conflict) as again:  # the count of the void attempt is not this one's
        machine.enter_balls(number=1, balls=BALLS, by=SUE, now=NOW)
    assert again.value.code == "balls-not-counted"
    count()
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
    if cause == "ball-damaged":  # the affected set is replaced
        with pytest.raises(Conflict) as refused:
            enter(*others)
        assert (refused.value.code, refused.value.clause) == ("ball-set-damaged", "act-keno:12.4a")
        assert Draw.objects.get(game=1, voided_at=None).balls_counted is None
        approve_set("B")
        count(ball_set="B")
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


@pytest.mark.clause("act-keno:2.1", "act-keno:12.2")
def test_nobody_counted_nothing_is_drawn(closed: None) -> None:
    for balls in (BALLS[:1], BALLS):
        with pytest.raises(Conflict) as refused:
            machine.enter_balls(number=1, balls=balls, by=SUE, now=NOW)
        assert (refused.value.code, refused.value.clause) == ("balls-not-counted", "act-keno:2.1")
    draw = Draw.objects.get(game=1)
    assert (draw.numbers, draw.balls_counted, draw.began_at) == ([], None, None)
    with pytest.raises(IntegrityError, match="keno_draw_counted_first"), transaction.atomic():
        Draw.objects.filter(game=1).update(began_at=NOW, stakes=ZERO)


@pytest.mark.clause("act-keno:12.4a", "act-keno:2.1")
def test_only_a_set_that_an_inspector_approved_is_counted(closed: None) -> None:
    approve_set()
    for named, code in (("", "ball-set-missing"), ("B", "ball-set-not-approved")):
        with pytest.raises(Refusal) as refused:
            count(ball_set=named)
        assert refused.value.code == code
    made = propose(
        kind="keno.ball-set", subject="ball-set:B", new={"name": "Set B", "reference": "GCI 7"}, why="New.", by=MANAGER
    )
    with pytest.raises(Refusal):
        count(ball_set="B")
    approve(proposal_id=made.pk, by=INSPECTOR)
    count(ball_set="b")
    assert Draw.objects.get(game=1).ball_set == "B"
    void_draw(number=1, by=SUE, cause="ball-damaged", reason="A ball is cracked.", now=NOW)
    count(ball_set="A")
    assert enter(*BALLS).status == "settled"
    assert list(Draw.objects.filter(game=1).order_by("attempt").values_list("ball_set", flat=True)) == ["B", "A"]


@pytest.mark.clause("act-keno:12.1", "act-keno:12.1-record")
def test_a_mistyped_ball_is_corrected_to_the_one_that_came_out(closed: None) -> None:
    wrong = next(ball for ball in range(1, 81) if ball not in BALLS)
    enter(*BALLS[:4], wrong, *BALLS[5:9])
    correct_ball(number=1, place=5, ball=BALLS[4], by=SAM, now=NOW)
    assert numbers_of(1) == BALLS[:9]
    assert Act.objects.get(kind="keno.ball-corrected").data == {
        "game": 1, "attempt": 1, "place": 5, "old": wrong, "new": BALLS[4],
    }  # fmt: skip
    assert not Incident.objects.exists()  # nothing fell back, nothing is void
    for place, ball, code in (
        (10, 5, "nothing-to-correct"), (1, BALLS[0], "nothing-changes"), (1, BALLS[1], "ball-drawn-already"),
        (1, 81, "no-such-ball"),
    ):  # fmt: skip
        with pytest.raises(Refusal) as refused:
            correct_ball(number=1, place=place, ball=ball, by=SUE, now=NOW)
        assert refused.value.code == code
    assert enter(*BALLS[9:]).status == "settled"
    assert numbers_of(1) == BALLS
    with pytest.raises(Conflict):  # the game stands on it
        correct_ball(number=1, place=5, ball=wrong, by=SUE, now=NOW)


@pytest.mark.clause("act-keno:12.1-record")
def test_where_the_venue_wants_it_a_second_person_reads_them_back_before_they_count(closed: None) -> None:
    KenoSettings.objects.update(balls_confirmed=True)
    wrong = next(ball for ball in range(1, 81) if ball not in BALLS)
    enter(*BALLS[:10])
    with pytest.raises(Conflict) as early:
        confirm_balls(number=1, by=SAM, now=NOW)
    assert early.value.code == "balls-missing"
    assert enter(*BALLS[10:19], wrong).status == "drawing"
    assert not Prize.objects.exists()
    with pytest.raises(Forbidden) as same:
        confirm_balls(number=1, by=SUE, now=NOW)
    assert same.value.code == "needs-second-person"
    with pytest.raises(Conflict) as differs:
        confirm_balls(number=1, numbers=BALLS, by=SAM, now=NOW)
    assert differs.value.code == "balls-differ"
    assert Draw.objects.get(game=1).finished_at is None
    correct_ball(number=1, place=20, ball=BALLS[19], by=SUE, now=NOW)
    assert confirm_balls(number=1, numbers=sorted(BALLS), by=SAM, now=NOW).status == "settled"
    draw = Draw.objects.get(game=1)
    assert (draw.numbers, draw.entered_by, draw.read_back_by) == (BALLS, ["staff:sue"], "staff:sam")
    assert Act.objects.get(kind="keno.balls-read-back").actor == "staff:sam"
    assert Prize.objects.count() == 1


def test_who_corrected_a_ball_does_not_read_it_back(closed: None) -> None:
    KenoSettings.objects.update(balls_confirmed=True)
    enter(*BALLS[:19], next(ball for ball in range(1, 81) if ball not in BALLS))
    correct_ball(number=1, place=20, ball=BALLS[19], by=SAM, now=NOW)
    for one in (SUE, SAM):
        with pytest.raises(Forbidden):
            confirm_balls(number=1, by=one, now=NOW)
    third = Actor("staff:tom", "Tom", SUE.permissions)
    assert confirm_balls(number=1, by=third, now=NOW).status == "settled"
