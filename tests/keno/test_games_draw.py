"""A draw between two parties: promised, sealed, asked, recorded number by number, continued by whoever picks it up."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from chance import two_party
from chance.select import RecordDiffers
from draws.commit import master_of
from draws.masters import MasterLost
from house.models import Incident
from keno.attempts import numbers_of as promised_numbers
from keno.attempts import promise_of, said_of
from keno.close import close, close_game
from keno.draw import ask_witness, draw_game, draw_numbers, record_numbers
from keno.models import Draw, Game, KenoSettings
from keno.sealed_set import ticket_set
from keno.tick import tick
from kernel.merkle import EMPTY_ROOT, root_of
from kernel.refusal import Conflict
from ledger.acts import OccasionSealed, QuestionAsked
from ledger.models import Act, Question
from tests.world.extent import some
from tests.world.keno_games import OPENS, SUE, cancel_from, numbers_of, open_first_game, put_ticket, raw, run
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db
NOW = OPENS + timedelta(minutes=3)
SECOND = timedelta(seconds=1)


def sealed_game() -> Draw:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    return Draw.objects.get(game=1)


def asked_game() -> tuple[Draw, list[int]]:
    """A game whose witness has answered, and the numbers that must come."""
    sealed_game()
    said = ask_witness(number=1, now=NOW)
    assert said is not None
    draw = Draw.objects.get(game=1)
    return draw, promised_numbers(draw, said)


def test_the_numbers_are_the_ones_that_master_tickets_and_witness_give() -> None:
    open_first_game()
    put_ticket(first_game=1, groups=[[5, 6, 7]], plays=[(3, 100)])
    promise = promise_of(1)
    close_game(number=1, by=SUE, now=NOW)
    game = draw_game(number=1, by=SUE, now=NOW)
    draw, promise = Draw.objects.get(game=1), promise_of(1)
    assert (game.status, draw.asked) == ("settled", 1)
    master, said = raw(promise.master), said_of(draw)
    assert two_party.keeps(raw(promise.commitment), master, promise.promise)
    assert said is not None
    assert said.is_witnessed
    assert (said.question.root, said.question.count) == (raw(game.ticket_root), 1)
    assert draw.numbers == two_party.numbers(master, said, pool=80, count=20)
    settled = Act.objects.get(kind="keno.settled")
    assert settled.data["seed"] == master.hex() == Act.objects.get(kind="draw.revealed").data["master"]
    assert settled.data["numbers"] == draw.numbers


def test_a_game_goes_through_seal_and_question_before_its_first_number() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    draw_game(number=1, by=SUE, now=NOW)
    kinds = list(Act.objects.filter(subject__in=["keno-game:1", "draw:keno/1", "draw:keno/1/1", "promise:keno/1"])
                 .order_by("id").values_list("kind", flat=True))  # fmt: skip
    assert kinds == [
        "draw.promised", "keno.opened", "keno.closed", "draw.sealed", "keno.sealed", "keno.locked", "witness.asked",
        "witness.answered", *["keno.ball"] * 20, "keno.drawn", "draw.revealed", "keno.settled",
    ]  # fmt: skip


def test_the_master_is_nowhere_in_clear_until_the_game_is_settled() -> None:
    sealed_game()
    promise = promise_of(1)
    master = master_of(promise)
    assert master not in raw(promise.encrypted_master)
    draw_numbers(number=1, upto=20, now=NOW)
    promise.refresh_from_db()
    assert (promise.master, len(numbers_of(1))) == (None, 20)
    assert not [act for act in Act.objects.all() if master.hex() in str(act.data)]


def test_masters_are_new_after_every_restart() -> None:
    """A casino once restarted its Keno with the same seed each night. Here the same game, made twice from nothing."""

    class Restart(Exception):
        pass

    promised = set()
    for _ in range(5):
        try:
            with transaction.atomic():
                open_first_game()
                promised.add(raw(promise_of(1).commitment))
                raise Restart
        except Restart:
            pass
    assert len(promised) == 5


@pytest.mark.clause("act-keno:12.3")
@pytest.mark.parametrize("recorded", some(range(20), always={0, 1, 10, 19}))
def test_a_draw_that_stops_anywhere_goes_on_with_the_same_numbers(recorded: int) -> None:
    draw, expected = asked_game()
    if recorded:
        record_numbers(number=1, upto=recorded, now=NOW)
    draw.refresh_from_db()
    assert draw.numbers == expected[:recorded]
    record_numbers(number=1, upto=recorded, now=NOW) if recorded else None  # the same again adds nothing
    draw_numbers(number=1, upto=20, now=NOW)
    draw.refresh_from_db()
    assert draw.numbers == expected
    assert Question.objects.count() == 1


def test_a_worker_that_fails_while_recording_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = sealed_game()
    draw_numbers(number=1, upto=4, now=NOW)
    before = Draw.objects.get(game=1).numbers
    acts = Act.objects.count()
    from ledger import log

    written = log.write
    calls = []

    def break_at_third(**act: Any) -> None:
        calls.append(act)
        if len(calls) == 3:
            raise RuntimeError("power cut")
        written(**act)

    with monkeypatch.context() as broken:
        broken.setattr(log, "write", break_at_third)
        with pytest.raises(RuntimeError):
            record_numbers(number=1, upto=10, now=NOW)
    draw.refresh_from_db()
    assert (draw.numbers, Act.objects.count()) == (before, acts)
    record_numbers(number=1, upto=20, now=NOW)
    assert Draw.objects.get(game=1).numbers[:4] == before


def test_numbers_on_record_that_the_master_does_not_give_stop_the_draw() -> None:
    draw, expected = asked_game()
    record_numbers(number=1, upto=2, now=NOW)
    foreign = next(n for n in range(1, 81) if n not in expected)
    Draw.objects.filter(pk=draw.pk).update(numbers=[*expected[:2], foreign])
    with pytest.raises(RecordDiffers):
        record_numbers(number=1, upto=20, now=NOW)
    assert len(Draw.objects.get(game=1).numbers) == 3


@pytest.mark.clause("act-keno:6.1")
def test_the_tickets_are_sealed_after_the_close_and_the_root_stays() -> None:
    """In serial order; a ticket cancelled before is not in it, one of several games is in each of them."""
    open_first_game()
    b = put_ticket(first_game=1, groups=[[1]], plays=[(1, 100)], serial="B00000000000")
    a = put_ticket(first_game=1, groups=[[2]], plays=[(1, 100)], serial="A00000000000", games=5)
    c = put_ticket(first_game=1, groups=[[3]], plays=[(1, 100)], serial="C00000000000", games=2)
    cancelled = put_ticket(first_game=1, groups=[[4]], plays=[(1, 100)])
    cancel_from(cancelled, 1)
    later = put_ticket(first_game=2, groups=[[5]], plays=[(1, 100)], serial="D00000000000")
    closed = close(number=1, now=NOW)
    assert (closed.status, closed.ticket_root, closed.ticket_count) == ("closed", None, None)
    tick(NOW)
    game = Game.objects.get(pk=1)
    assert (game.status, raw(game.ticket_root)) == ("sealed", root_of([raw(a.leaf), raw(b.leaf), raw(c.leaf)]))
    act = OccasionSealed.read(Act.objects.get(kind=OccasionSealed.kind).data)
    assert (act.purpose, act.occasion, act.root, act.count) == ("keno", "1", raw(game.ticket_root), 3)
    draw_numbers(number=1, upto=1, now=NOW)
    cancel_from(c, 2)
    assert ticket_set(1).root == raw(game.ticket_root)
    assert (ticket_set(2).root, ticket_set(2).count) == (root_of([raw(a.leaf), raw(later.leaf)]), 2)
    assert ticket_set(6).root == EMPTY_ROOT
    with pytest.raises(DatabaseError), transaction.atomic():
        Game.objects.filter(pk=1).update(ticket_root=bytes(32))


def test_a_master_that_does_not_open_stops_the_draw_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    sealed_game()
    with monkeypatch.context() as other:
        other.setenv("METERHOUSE_KEY_DRAW_MASTERS", "another installation")
        with pytest.raises(MasterLost):
            draw_numbers(number=1, upto=1, now=NOW)
        assert Game.objects.get(pk=1).status == "sealed"
        run(NOW + 10 * SECOND, NOW + 12 * SECOND)
        assert [each.kind for each in Incident.objects.all()] == ["keno-master-lost"]
    draw_game(number=1, by=SUE, now=NOW)
    assert Game.objects.get(pk=1).status == "settled"


def test_the_first_number_waits_for_the_games_before() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    close_game(number=2, by=SUE, now=NOW)
    with pytest.raises(Conflict) as refused:
        draw_numbers(number=2, upto=1, now=NOW)
    assert refused.value.code == "earlier-game-first"
    second = Draw.objects.get(game=2)
    assert (second.asked, second.began_at, Game.objects.get(pk=2).asked_at) == (None, None, None)
    assert not Act.objects.filter(kind=QuestionAsked.kind).exists()


def test_no_game_opens_whose_promise_the_witness_has_not_seen(second_party: AtHand) -> None:
    open_first_game()
    second_party.unseen = True
    close_game(number=1, by=SUE, now=NOW)
    assert dict(Game.objects.values_list("number", "status")) == {1: "sealed", 2: "scheduled"}
    tick(NOW + SECOND)
    assert Game.objects.get(pk=2).status == "scheduled"
    second_party.unseen = False
    tick(NOW + 2 * SECOND)
    assert Game.objects.get(pk=2).status == "open"


def test_a_game_waits_for_the_witness_and_sales_of_the_next_go_on(second_party: AtHand) -> None:
    second_party.away = True
    KenoSettings.objects.create(draw_after=timedelta(0), pace=timedelta(0))
    sealed_game()
    run(NOW, NOW + 8 * SECOND)
    game, draw = Game.objects.get(pk=1), Draw.objects.get(game=1)
    assert (game.status, draw.asked, draw.numbers, draw.waits_since is not None) == ("sealed", 1, [], True)
    assert Game.objects.get(pk=2).status == "open"
    assert [each.kind for each in Incident.objects.all()] == ["keno-witness-away"]
    assert Act.objects.filter(kind="keno.waits").count() == 1
    with pytest.raises(Conflict) as refused:
        draw_game(number=1, by=SUE, now=NOW + 9 * SECOND)
    assert refused.value.code == "witness-away"
    second_party.away = False
    from draws import second_party as turned_to

    turned_to.ask(promise_of(1), occasion="1", attempt=1, by=SUE)  # as the ledger's tick does, unchanged
    run(NOW + 10 * SECOND, NOW + 11 * SECOND)
    assert Game.objects.get(pk=1).status == "settled"
    assert Draw.objects.get(game=1).waits_since is None
    assert Question.objects.count() == 1


def test_a_mechanical_game_is_promised_and_sealed_and_asks_nobody() -> None:
    KenoSettings.objects.create(device="mechanical")
    sealed_game()
    run(NOW, NOW + 8 * SECOND)
    draw = Draw.objects.get(game=1)
    assert (Game.objects.get(pk=1).status, draw.asked, said_of(draw)) == ("sealed", None, None)
    assert promise_of(1).device == "mechanical"
    assert not Question.objects.exists()
