"""Cancelling around the asking of the witness (6.1): what counts, what is too late, and what is honoured after all."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from keno.acts import TicketCancelled
from keno.attempts import cancelled_late
from keno.cancel import cancel_ticket
from keno.close import close_game
from keno.draw import ask_witness, draw_game
from keno.jackpots import purses_of
from keno.models import CancellationRequest, Draw, Game, LateCancellation, Prize, Ticket
from keno.open_games import keep_open
from keno.refunds import void_wagers
from keno.sealed_set import ticket_set
from keno.sell import Sold, sell_ticket
from keno.shifts import open_shift
from keno.stop_draw import invalidate_or_propose, void_or_propose
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict
from ledger.models import Act
from tests.world import keno_counter as at
from tests.world.keno_balls import enter_balls
from tests.world.keno_games import SUE, decide, some_numbers
from tests.world.money import dollars
from tests.world.people import actor
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db


class Desk:
    """A writer at an open game, through the real verbs."""

    def __init__(self) -> None:
        at.open_day()
        game = keep_open()
        assert game is not None
        self.game = game.number
        self.writer: Actor = actor("device:W-1", "writer")
        open_shift(by=self.writer, opening_float=dollars("500.00"))

    def sell(self, *numbers: int, **more: Any) -> Sold:
        return sell_ticket(request=at.plain(*numbers, **more), by=self.writer)

    def cancel(self, sold: Sold) -> Any:
        return cancel_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=self.writer)

    def seal(self) -> Game:
        return close_game(number=self.game, by=SUE)

    def draw(self) -> Game:
        return draw_game(number=self.game, by=SUE)


@pytest.fixture
def desk(db: None) -> Desk:
    return Desk()


@pytest.mark.clause("act-keno:6.1", "act-keno:5.3")
def test_between_seal_and_asking_a_ticket_is_refunded_and_stays_in_the_root(desk: Desk) -> None:
    gone = desk.sell(1, 2, 3, 4, 5, 6, stake="4.00", jackpot=True)
    desk.sell(7, 8, 9)
    sealed = desk.seal()
    fed = purses_of(6)
    assert desk.cancel(gone).refund == Money.dollars(4)
    assert [(row.game_id, row.ticket_id) for row in LateCancellation.objects.all()] == [(desk.game, gone.ticket.pk)]
    act = TicketCancelled.read(Act.objects.get(kind="keno.cancelled").data, subject="keno-ticket:x")
    assert (act.from_, act.to, act.late) == (desk.game, desk.game, (desk.game,))
    settled = desk.draw()
    assert (settled.ticket_root, settled.ticket_count) == (sealed.ticket_root, 2)
    assert ticket_set(desk.game).root == bytes(settled.ticket_root or b"")
    assert settled.totals is not None
    assert (settled.totals["tickets"], settled.totals["stakes"]) == (1, "1.00")
    assert fed.prize - purses_of(6).prize == Money.parse("0.60")  # it never contributed
    assert not Prize.objects.filter(ticket=gone.ticket).exists()
    assert at.in_balance()


def test_of_a_ticket_for_several_games_every_sealed_set_keeps_it(desk: Desk) -> None:
    sold = desk.sell(1, 2, 3, games=4)
    desk.seal()
    close_game(number=desk.game + 1, by=SUE)
    roots = {game: bytes(Game.objects.get(pk=game).ticket_root or b"") for game in (desk.game, desk.game + 1)}
    assert desk.cancel(sold).games == 4
    assert {game: ticket_set(game).root for game in roots} == roots
    assert sorted(LateCancellation.objects.values_list("game", flat=True)) == sorted(roots)
    assert ticket_set(desk.game + 2).count == 0
    draw_game(number=desk.game + 1, by=SUE)
    assert at.in_balance()


def test_wagers_voided_by_the_house_leave_the_root_alone_too(desk: Desk) -> None:
    sold = desk.sell(1, 2, 3)
    root = desk.seal().ticket_root
    void_wagers(
        serial=sold.ticket.serial, why="Played by a person who is not allowed to.", by=actor("staff:m", "manager")
    )
    assert cancelled_late(desk.game) == (1, Money.dollars(1))
    assert ticket_set(desk.game).root == bytes(root or b"")
    assert Act.objects.get(kind="keno.wagers-voided").data["late"] == [desk.game]


@pytest.mark.clause("act-keno:6.1")
def test_after_the_asking_it_is_refused_recorded_and_refused_for_good(desk: Desk) -> None:
    sold = desk.sell(1, 2, 3)
    desk.seal()
    ask_witness(number=desk.game, now=timezone.now())
    with pytest.raises(Conflict) as refused:
        desk.cancel(sold)
    assert (refused.value.code, refused.value.clause) == ("draw-begun", "act-keno:6.1")
    assert Ticket.objects.get().cancelled_from is None
    refused.value.take_note()  # as whoever answers the caller does
    request = CancellationRequest.objects.get()
    assert (request.outcome, request.by) == ("", "device:W-1")
    with pytest.raises(Conflict):
        void_wagers(serial=sold.ticket.serial, why="Breach.", by=actor("staff:m", "manager"))
    desk.draw()
    request.refresh_from_db()
    assert request.outcome == "refused"
    assert Act.objects.filter(kind="keno.cancellation-refused").count() == 1
    assert at.in_balance()


def test_games_that_are_not_being_drawn_are_taken_back_all_the_same(desk: Desk) -> None:
    sold = desk.sell(1, 2, 3, games=3)
    desk.seal()
    ask_witness(number=desk.game, now=timezone.now())
    taken = desk.cancel(sold)
    assert (taken.games, taken.refund) == (2, Money.dollars(2))
    assert Ticket.objects.get().plays_to == desk.game
    assert not LateCancellation.objects.exists()
    desk.draw()
    assert at.in_balance()


def requested(desk: Desk, sold: Sold) -> CancellationRequest:
    with pytest.raises(Conflict) as refused:
        desk.cancel(sold)
    refused.value.take_note()
    return CancellationRequest.objects.get(ticket=sold.ticket)


def test_a_request_is_honoured_where_the_game_is_invalidated(desk: Desk) -> None:
    sold = desk.sell(1, 2, 3)
    desk.seal()
    ask_witness(number=desk.game, now=timezone.now())
    request = requested(desk, sold)
    decide(invalidate_or_propose(number=desk.game, by=SUE, cause="fire", reason="Fire."))
    request.refresh_from_db()
    assert request.outcome == "honoured"
    assert [(row.kind, row.amount) for row in Prize.objects.all()] == [("refund", Money.dollars(1))]
    assert at.in_balance()


def test_a_request_is_honoured_where_balls_replace_an_attempt_that_nobody_answered(
    desk: Desk, second_party: AtHand
) -> None:
    sold, other = desk.sell(1, 2, 3), desk.sell(4, 5, 6)
    root = desk.seal().ticket_root
    second_party.away = True
    assert ask_witness(number=desk.game, now=timezone.now()) is None
    request = requested(desk, sold)
    device = {"cause": "malfunction", "reason": "Away.", "device": "mechanical"}
    decide(void_or_propose(number=desk.game, by=SUE, **device))  # type: ignore[arg-type]
    request.refresh_from_db()
    assert request.outcome == "honoured"
    enter_balls(number=desk.game, balls=some_numbers(20), by=SUE)
    game = Game.objects.get(pk=desk.game)
    assert game.totals is not None
    assert (game.status, game.ticket_root, game.totals["tickets"]) == ("settled", root, 1)
    assert ticket_set(desk.game).root == bytes(root or b"")
    assert [(row.ticket_id, row.amount) for row in Prize.objects.filter(kind="refund")] == [
        (sold.ticket.pk, Money.dollars(1))
    ]
    assert Draw.objects.filter(game=desk.game, would_be=[]).count() == 2
    assert other.ticket.serial not in Act.objects.filter(kind="keno.cancelled").values_list("subject", flat=True)
    assert at.in_balance()
