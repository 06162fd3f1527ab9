"""Many workers, killed workers, lost connections, sales against the close: each game once, with the same numbers."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from keno import locks
from keno.attempts import numbers_of as promised_numbers
from keno.attempts import seal_tickets
from keno.close import close, close_game
from keno.draw import ask_witness, draw_game, draw_numbers
from keno.models import Draw, Game, Prize, Ticket
from keno.open_games import keep_open
from keno.sealed_set import ticket_set
from keno.settle import settle
from keno.shifts import open_shift
from keno.tick import tick
from ledger import log
from ledger.ask import ask_waiting
from ledger.models import Act, Question, Transfer
from ledger.proofs import position_of
from ledger.seal import seal_now
from tests.world import keno_counter as at
from tests.world.dying import dying
from tests.world.keno_games import OPENS, SECOND, SUE, numbers_of, open_days, put_ticket
from tests.world.money import dollars
from tests.world.people import actor
from tests.world.threads import in_threads
from tests.world.witness import RunningWitness

pytestmark = pytest.mark.django_db(transaction=True)
NOW = OPENS + timedelta(minutes=3)
PATIENCE = 30.0


@pytest.fixture(autouse=True)
def house(witness: RunningWitness) -> None:
    from house.seed import seed
    from keno.accounts import open_accounts

    seed()  # a flush before this test took what migrations had put there
    open_accounts()


def acts_of(game: int) -> list[str]:
    return list(Act.objects.filter(subject=f"keno-game:{game}").order_by("id").values_list("kind", flat=True))


ONCE = [
    "keno.opened", "keno.closed", "keno.sealed", "keno.locked", *["keno.ball"] * 20, "keno.drawn", "keno.settled",
]  # fmt: skip


@pytest.mark.clause("act-keno:7.2")
def test_two_beats_and_three_workers_play_each_game_once() -> None:
    open_days()
    in_threads(6, lambda: tick(OPENS))
    put_ticket(first_game=1, groups=[[1, 2], [3, 4], [5]], plays=[(2, 100), (5, 100)], games=2)
    for game in (1, 2):
        closes = OPENS + timedelta(minutes=3) * game
        for second in (0, *range(4, 26)):  # a tick that finds others at work may have to ask a second later
            now = closes + second * SECOND
            in_threads(6, lambda now=now: tick(now))  # type: ignore[misc]
    assert dict(Game.objects.values_list("number", "status")) == {1: "settled", 2: "settled", 3: "open", 4: "scheduled"}
    assert acts_of(1) == acts_of(2) == ONCE
    assert Draw.objects.filter(game__in=[1, 2]).count() == 2
    assert Transfer.objects.filter(kind="keno.stakes").count() == 2


@pytest.mark.clause("act-keno:6.1")
def test_the_head_that_the_witness_signs_contains_the_lock_and_what_was_cancelled_before_it() -> None:
    """Also where the set of tickets was under a head already: what was cancelled since would not be in that one."""
    open_days()
    keep_open(now=OPENS)
    put_ticket(first_game=1, groups=[[1, 2]], plays=[(2, 100)])
    close_game(number=1, by=SUE, now=NOW)
    seal_tickets(number=1, by=SUE, now=NOW)
    seal_now()
    assert ask_witness(number=1, now=NOW) is not None
    locked = position_of(Act.objects.get(kind="keno.locked").id)
    assert locked is not None
    assert locked < Question.objects.get().size


@pytest.fixture
def killed() -> Iterator[Callable[[str], int]]:
    """Send a worker a job that it does not survive; the answer is the signal that killed it."""
    with dying("tests.keno.dying_worker", None) as send:  # it seals, too
        yield lambda job: send(f"{job} {NOW.isoformat()}")


@pytest.mark.clause("act-keno:12.3")
def test_workers_killed_before_between_and_after_each_number_finish_with_the_same_numbers(
    killed: Callable[[str], int],
    witness: RunningWitness,
    exhaustive: bool,
) -> None:
    """At every number, or at the first, one in the middle and the last."""
    open_days()
    keep_open(now=OPENS)
    put_ticket(first_game=1, groups=[[1, 2], [3, 4], [5]], plays=[(2, 100), (5, 100)])
    put_ticket(first_game=1, groups=[list(range(1, 16))], plays=[(15, 100)])
    close_game(number=1, by=SUE, now=NOW)
    for when in ("lock", "locked", "asked"):  # between every two steps of the asking
        assert killed(f"1 ask {when}") == signal.SIGKILL
        assert numbers_of(1) == []
    assert ask_witness(number=1, now=NOW) is None  # logged, and never sent
    ask_waiting()  # as the ledger's tick does
    said = ask_witness(number=1, now=NOW)
    assert said is not None
    promised = promised_numbers(Draw.objects.get(game=1), said)
    assert witness.memory.state.number == 1
    recorded = 0
    for number in range(1, 21) if exhaustive else (1, 11, 20):
        for when in ("before", "inside", "after"):
            recorded = number if when == "after" else recorded
            assert killed(f"1 {number} {when}") == signal.SIGKILL
            assert numbers_of(1) == promised[:recorded]
    for when in ("before", "inside"):
        assert killed(f"1 settle {when}") == signal.SIGKILL
        assert Game.objects.get(pk=1).status == "drawn"
        assert not Prize.objects.exists()
    assert killed("1 settle after") == signal.SIGKILL
    won = list(Prize.objects.order_by("ticket").values("ticket", "amount"))
    settle(number=1, now=NOW)
    assert list(Prize.objects.order_by("ticket").values("ticket", "amount")) == won
    assert acts_of(1) == ONCE
    balls = Act.objects.filter(kind="keno.ball").order_by("id").values_list("data", flat=True)
    assert [ball["number"] for ball in balls] == promised


def test_the_database_goes_away_in_the_middle_of_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    open_days()
    keep_open(now=OPENS)
    close_game(number=1, by=SUE, now=NOW)
    draw_numbers(number=1, upto=7, now=NOW)
    before = numbers_of(1)
    written = log.write

    def cut_off(**act: Any) -> None:
        written(**act)
        if act["data"].get("place") == 9:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with monkeypatch.context() as broken:
        broken.setattr(log, "write", cut_off)
        with pytest.raises(OperationalError):
            draw_numbers(number=1, upto=20, now=NOW)
    connection.close()
    assert numbers_of(1) == before
    tick(NOW + 20 * SECOND)
    assert Game.objects.get(pk=1).status == "settled"
    assert numbers_of(1)[:7] == before
    assert acts_of(1) == ONCE


class Race:
    """A sale that has found its game and not yet committed, while a supervisor closes and draws it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        at.open_day()
        game = keep_open(now=timezone.now())
        assert game is not None
        self.game = game.number
        self.writer = actor("device:W-1", "writer")
        open_shift(by=self.writer, opening_float=dollars("100.00"))
        self.found, self.go_on = threading.Event(), threading.Event()
        self.errors: list[BaseException] = []
        from keno import sell, tender

        taken = tender.take

        def slowly(**asked: Any) -> Any:
            self.found.set()
            assert self.go_on.wait(PATIENCE)
            return taken(**asked)

        monkeypatch.setattr(sell, "take", slowly)

    def start(self, do: Callable[[], Any]) -> threading.Thread:
        def guarded() -> None:
            try:
                do()
            except BaseException as error:
                self.errors.append(error)
            finally:
                connection.close()

        thread = threading.Thread(target=guarded)
        thread.start()
        return thread

    def sell(self) -> threading.Thread:
        from keno.sell import sell_ticket

        thread = self.start(lambda: sell_ticket(request=at.plain(1, 2, 3), by=self.writer))
        assert self.found.wait(PATIENCE)
        return thread

    def close_and_begin(self) -> None:
        now = timezone.now()
        close(number=self.game, now=now)
        seal_tickets(number=self.game, by=SUE, now=now)
        draw_numbers(number=self.game, upto=1, now=now)


def someone_waits_for_an_advisory_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        return bool(cursor.fetchone()[0])


def test_the_close_waits_for_the_sales_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    race = Race(monkeypatch)
    sale = race.sell()
    closing = race.start(race.close_and_begin)
    deadline = time.monotonic() + PATIENCE
    while not someone_waits_for_an_advisory_lock():  # the close has arrived at the barrier
        assert time.monotonic() < deadline
        assert closing.is_alive(), race.errors
    assert Game.objects.get(pk=race.game).status == "open"
    race.go_on.set()
    sale.join()
    closing.join()
    assert race.errors == []
    ticket = Ticket.objects.get()
    assert ticket.first_game == race.game
    assert Game.objects.get(pk=race.game).ticket_count == 1  # sold for the game, and in its sealed set


def test_without_the_lock_a_ticket_is_sold_for_a_game_whose_set_is_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The race is real: this is what the barrier is for."""
    monkeypatch.setattr(
        locks,
        "hold_open_for_sale",
        lambda number, **_: locks.OnSale(number) if Game.objects.filter(number=number, status="open") else None,
    )
    race = Race(monkeypatch)
    sale = race.sell()
    race.close_and_begin()
    race.go_on.set()
    sale.join()
    assert race.errors == []
    ticket = Ticket.objects.get()
    assert ticket.first_game == race.game
    game = Game.objects.get(pk=race.game)
    assert (game.ticket_count, ticket_set(race.game).count) == (0, 1)  # paid for, and in no draw


def test_a_sale_that_waited_for_the_close_plays_the_next_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other way round: the close holds the barrier first."""
    race = Race(monkeypatch)
    race.go_on.set()
    closed, sell_now = threading.Event(), threading.Event()
    from keno import close as closing_room
    from keno import open_games

    real = open_games.open_next

    def slowly(**asked: Any) -> Any:
        closed.set()
        assert sell_now.wait(PATIENCE)
        return real(**asked)

    monkeypatch.setattr(closing_room, "open_next", slowly)
    closing = race.start(lambda: close(number=race.game, now=timezone.now()))
    assert closed.wait(PATIENCE)
    from keno.sell import sell_ticket

    sale = race.start(lambda: sell_ticket(request=at.plain(1, 2, 3), by=race.writer))
    deadline = time.monotonic() + PATIENCE
    while not someone_waits_for_an_advisory_lock():
        assert time.monotonic() < deadline
        assert sale.is_alive(), race.errors
    sell_now.set()
    closing.join()
    sale.join()
    assert race.errors == []
    assert Ticket.objects.get().first_game == race.game + 1
    draw_game(number=race.game, by=SUE, now=timezone.now())
    assert Game.objects.get(pk=race.game).ticket_count == 0


def test_sales_from_many_terminals_while_games_close(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every ticket is in the sealed set of every game it was sold for, whatever the moment."""
    at.open_day()
    keep_open(now=timezone.now())
    from keno.sell import sell_ticket

    writers = [actor(f"device:W-{n}", "writer") for n in range(4)]
    for writer in writers:
        open_shift(by=writer, opening_float=dollars("100.00"))
    left = iter([*writers, None])
    lock = threading.Lock()
    errors: list[BaseException] = []

    def one() -> None:
        with lock:
            writer = next(left)
        try:
            if writer is None:
                for game in (1, 2, 3):
                    close_game(number=game, by=SUE, now=timezone.now())
                    draw_game(number=game, by=SUE, now=timezone.now())
            else:
                for _ in range(8):
                    sell_ticket(request=at.plain(1, 2, 3, games=2), by=writer)
        except BaseException as error:
            errors.append(error)

    in_threads(5, one)
    assert errors == []
    assert Ticket.objects.count() == 32
    for game in (1, 2, 3):
        played = Ticket.objects.filter(first_game__lte=game, last_game__gte=game).count()
        assert Game.objects.get(pk=game).ticket_count == played
        totals = Game.objects.get(pk=game).totals
        assert totals is not None
        assert totals["tickets"] == played
    assert at.in_balance()
