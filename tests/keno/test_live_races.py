"""The counter under fire, over HTTP against a running server: whatever arrives together, money moves once.

Where an order matters, requests are held up inside their transaction (``live/worst_moments.py``) and let go one after
the other. The same with the lock off shows that the race is real, and that the lock is what prevents it.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from house.devices import service_token
from keno.attempts import cancelled_late
from keno.close import close
from keno.locks import bar_sales
from keno.models import Game, KenoSettings, Payment, Prize, Shift, Ticket, Voucher
from keno.open_games import keep_open, publish_promise
from keno.sealed_set import ticket_set
from tests.world import keno_counter as at
from tests.world.keno_balls import approve_set
from tests.world.money import dollars
from tests.world.served.worst_moments import HOLD, UNLOCKED, gate, someone_waits
from tests.world.server import Server
from tests.world.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

PLAIN = {"numbers": [1, 2, 3], "stake": "2.00"}  # three of three pays $36 for a dollar
DRAWN = list(range(1, 21))
TERMINALS = 8
Answer = tuple[int, dict[str, Any]]


class Terminal:
    """A device, by its token, against the running server."""

    def __init__(self, server: Server, role: str) -> None:
        issued = service_token(role=role)
        self.server, self.token, self.identity = server, issued.secret, issued.device.identity

    def post(self, path: str, body: Any = None, *, key: str | None = None, **headers: str) -> Answer:
        sent = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": key or str(uuid.uuid4())}
        status, content, _ = self.server.send("POST", f"/api/v1/{path}", body or {}, **sent, **headers)
        return status, json.loads(content)

    def sell(self, body: Any = PLAIN, **headers: str) -> Answer:
        return self.post("keno/tickets", body, **headers)

    def in_background(self, path: str, body: Any = None, **headers: str) -> Callable[[], Answer]:
        """Send it now; what is given waits for its answer."""
        answers: list[Answer] = []

        def send() -> None:
            try:
                answers.append(self.post(path, body, **headers))
            finally:
                connection.close()

        thread = threading.Thread(target=send)
        thread.start()

        def wait() -> Answer:
            thread.join()
            return answers[0]

        return wait


class House:
    """A venue with a game on sale by mechanical device, so that a test decides what is drawn."""

    def __init__(self, server: Server) -> None:
        from house.seed import seed
        from keno.accounts import open_accounts

        seed()  # a flush before this test took what migrations had put there
        open_accounts()
        at.open_day()
        settings = KenoSettings.current()
        settings.device = "mechanical"
        settings.save()
        keep_open(now=timezone.now())
        approve_set()
        self.server = server
        self.writers = [Terminal(server, "writer") for _ in range(TERMINALS)]
        self.supervisor = Terminal(server, "supervisor")

    def ok(self, answer: Answer, status: int = 200) -> dict[str, Any]:
        assert answer[0] == status, answer
        return answer[1]

    def close(self, game: int = 1) -> None:
        while not publish_promise():  # as the clock does: the next game opens at once where the witness has seen it
            pass
        assert self.ok(self.supervisor.post(f"keno/games/{game}/close"))["status"] == "sealed"
        self.ok(self.supervisor.post(f"keno/games/{game}/count", {"balls": 80, "set": "A"}))

    def draw(self, game: int = 1) -> None:
        self.ok(self.supervisor.post(f"keno/games/{game}/count", {"balls": 80, "set": "A"}))
        drawn = self.supervisor.post(f"keno/games/{game}/balls", {"numbers": DRAWN})
        assert self.ok(drawn)["status"] == "settled"

    def winning_ticket(self) -> dict[str, Any]:
        """A ticket that has won $72.00 in game 1, sold at the first terminal for $2.00."""
        sold = self.ok(self.writers[0].sell(), 201)
        self.close()
        self.draw()
        assert Prize.objects.get().amount == dollars("72.00")
        return sold

    def cash(self) -> dict[str, str]:
        """What is in each drawer, by terminal; empty ones left out."""
        held = at.books()
        found = {shift.terminal: held.get(shift.cash) for shift in Shift.objects.all()}
        return {terminal: str(amount) for terminal, amount in found.items() if amount is not None}

    def owed(self) -> dict[str, str]:
        """Keno's books but for the drawers (and the jackpots' guarantees), as text."""
        drawers = {shift.cash for shift in Shift.objects.all()}
        books = {code: str(amount) for code, amount in at.books().items() if code not in drawers}
        return {code: amount for code, amount in books.items() if code.startswith("keno:")}


@pytest.fixture
def house(server: Server) -> House:
    return House(server)


def codes(answers: list[Answer]) -> list[str]:
    """The refusals among the answers, by code."""
    return sorted(body["code"] for status, body in answers if status >= 400)


# A sale against the close


def waits_at_the_barrier() -> None:
    someone_waits("locktype = 'advisory' AND mode = 'ExclusiveLock'")


@pytest.mark.clause("act-keno:7.2")
def test_the_close_waits_for_a_sale_under_way_and_counts_it(house: House) -> None:
    with gate("sale") as arrived:
        sale = house.writers[0].in_background("keno/tickets", PLAIN, **{HOLD: "sale"})
        arrived()
        closing = house.supervisor.in_background("keno/games/1/close")
        waits_at_the_barrier()
        assert Game.objects.get(pk=1).status == "open"
    assert house.ok(sale(), 201)["first_game"] == 1
    assert house.ok(closing())["status"] == "sealed"
    house.draw()
    assert Game.objects.get(pk=1).ticket_count == 1
    assert house.cash() == {house.writers[0].identity: "2.00"}
    assert house.owed() == {"keno:stakes": "2.00", "keno:prizes": "72.00", "keno:prizes-owing": "72.00"}
    assert at.in_balance()


def test_with_the_lock_off_a_ticket_is_sold_for_a_game_that_is_over(house: House) -> None:
    """The race is real: the ticket would have won, and is in no draw. This is what the barrier is for."""
    with gate("sale") as arrived:
        sale = house.writers[0].in_background("keno/tickets", PLAIN, **{HOLD: "sale", UNLOCKED: "sale"})
        arrived()
        house.close()
        house.draw()
    assert house.ok(sale(), 201)["first_game"] == 1
    assert Game.objects.get(pk=1).status == "settled"
    assert (Game.objects.get(pk=1).ticket_count, ticket_set(1).count) == (0, 1)
    assert house.owed() == {"keno:stakes-held": "2.00"}  # paid for a game that will never be drawn
    assert not Prize.objects.exists()


@pytest.mark.clause("act-keno:7.2")
def test_a_sale_in_one_statement_that_waits_for_the_close_is_for_the_next_game(house: House) -> None:
    """The server has sold at this terminal, and takes the game for open; the database looks once it has the lock."""
    house.ok(house.writers[0].sell(), 201)
    while not publish_promise():
        pass
    with transaction.atomic():
        bar_sales(1)
        sale = house.writers[0].in_background("keno/tickets", PLAIN)
        someone_waits("locktype = 'advisory' AND mode = 'ShareLock'")
        close(number=1, now=timezone.now())
    sold = house.ok(sale(), 201)
    assert (sold["first_game"], ticket_set(1).count) == (2, 1)
    assert house.cash() == {house.writers[0].identity: "4.00"}
    assert at.in_balance()


def test_sales_at_seven_terminals_while_games_close_and_are_drawn(house: House) -> None:
    def selling(writer: Terminal) -> list[dict[str, Any]]:
        return [house.ok(writer.sell({**PLAIN, "games": 2}), 201) for _ in range(5)]

    def playing() -> list[dict[str, Any]]:
        for game in (1, 2, 3):
            house.close(game)
            house.draw(game)
        return []

    answers = at_once([playing, *(partial(selling, writer) for writer in house.writers[1:])])
    sold = [ticket for some in answers for ticket in some]
    assert len(sold) == Ticket.objects.count() == 35
    played = 0
    for game in (1, 2, 3):
        inside = sum(ticket["first_game"] <= game <= ticket["last_game"] for ticket in sold)
        draw = Game.objects.get(pk=game)
        assert (draw.ticket_count, bytes(draw.ticket_root or b"")) == (inside, ticket_set(game).root)
        played += inside
    # $2.00 a game: earned for the games that were played, held for the others.
    books = at.books()
    cash = [books[shift.cash] for shift in Shift.objects.all()]
    assert list(map(str, cash)) == ["20.00"] * 7
    assert books.get("keno:stakes", dollars("0.00")) == dollars("2.00") * played
    assert books.get("keno:stakes-held", dollars("0.00")) == dollars("2.00") * (2 * 35 - played)
    # Every one wins in every game it plays; $72.00 is no major prize, so nothing is pro-rated.
    assert books.get("keno:prizes", dollars("0.00")) == dollars("72.00") * played
    assert at.in_balance()


# Paying


@pytest.mark.clause("act-keno:10.1")
def test_eight_terminals_pay_one_ticket(house: House) -> None:
    sold = house.winning_ticket()
    pay = {"security_code": sold["security_code"]}
    path = f"keno/tickets/{sold['serial']}/pay"
    answers = at_once([partial(writer.post, path, pay) for writer in house.writers])
    winners = [place for place, (status, _) in enumerate(answers) if status == 200]
    assert len(winners) == 1
    assert answers[winners[0]][1]["paid"] == "72.00"
    assert codes(answers) == ["already-paid"] * 7
    assert Payment.objects.count() == 1
    paid_at = house.writers[winners[0]].identity
    # $2.00 taken at the first terminal, $72.00 given at the one that paid.
    assert house.cash() == (
        {paid_at: "-70.00"} if winners[0] == 0 else {house.writers[0].identity: "2.00", paid_at: "-72.00"}
    )
    assert house.owed() == {"keno:stakes": "2.00", "keno:prizes": "72.00"}
    assert at.in_balance()


def test_one_terminal_that_sends_its_payment_eight_times_pays_once(house: House) -> None:
    sold = house.winning_ticket()
    pay = {"security_code": sold["security_code"]}
    path = f"keno/tickets/{sold['serial']}/pay"
    answers = at_once([partial(house.writers[0].post, path, pay, key="once")] * 8)
    assert answers == [answers[0]] * 8
    assert house.ok(answers[0])["paid"] == "72.00"
    assert house.cash() == {house.writers[0].identity: "-70.00"}
    assert Payment.objects.count() == 1


@pytest.mark.clause("act-keno:4.6")
def test_the_same_winning_ticket_tendered_and_paid(house: House) -> None:
    sold = house.winning_ticket()
    pay = {"security_code": sold["security_code"]}
    line = {"type": "ticket", "reference": sold["serial"], "security_code": sold["security_code"]}
    tender = {"numbers": [4, 5], "stake": "5.00", "tender": [line]}

    def either(place: int) -> Answer:
        if place % 2:
            return house.writers[place].sell(tender)
        return house.writers[place].post(f"keno/tickets/{sold['serial']}/pay", pay)

    answers = at_once([partial(either, place) for place in range(8)])
    done = [(place, answer) for place, answer in enumerate(answers) if answer[0] < 400]
    assert len(done) == 1
    assert codes(answers) == ["already-paid"] * 7
    place, (_, body) = done[0]
    taken = {house.writers[0].identity: 200}
    if place % 2:  # a ticket of $5.00, and $67.00 back
        assert (body["price"], body["change"]) == ("5.00", "67.00")
        given, held, tickets = 6700, {"keno:stakes-held": "5.00"}, 2
    else:
        assert body["paid"] == "72.00"
        given, held, tickets = 7200, {}, 1
    taken[house.writers[place].identity] = taken.get(house.writers[place].identity, 0) - given
    assert house.cash() == {terminal: str(dollars("0.01") * cents) for terminal, cents in taken.items()}
    assert house.owed() == {"keno:stakes": "2.00", "keno:prizes": "72.00"} | held
    assert (Payment.objects.count(), Ticket.objects.count()) == (1, tickets)
    assert at.in_balance()


@pytest.mark.clause("act-keno:4.6")
def test_the_same_voucher_tendered_at_eight_terminals(house: House) -> None:
    change = {**PLAIN, "tender": [{"type": "cash", "amount": "12.00"}], "rest": "keno-voucher"}
    paper = house.ok(house.writers[0].sell(change), 201)["voucher"]
    assert paper["amount"] == "10.00"
    line = {"type": "keno-voucher", "reference": paper["code"], "security_code": paper["security_code"]}
    tender = {"numbers": [4, 5], "stake": "10.00", "tender": [line]}
    answers = at_once([partial(writer.sell, tender) for writer in house.writers])
    assert sorted(status for status, _ in answers) == [201] + [409] * 7
    assert codes(answers) == ["voucher-spent"] * 7
    assert Ticket.objects.count() == 2
    assert Voucher.objects.get().spent_at is not None
    assert house.cash() == {house.writers[0].identity: "12.00"}
    assert house.owed() == {"keno:stakes-held": "12.00"}  # $2.00 in cash, $10.00 from the voucher, nothing twice
    assert at.in_balance()


# A cancellation against the first number


def waits_for_the_row() -> None:
    someone_waits("locktype IN ('transactionid', 'tuple')")


def cancelling_of(sold: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Where a ticket is cancelled, and its code."""
    return f"keno/tickets/{sold['serial']}/cancel", {"security_code": sold["security_code"]}


@pytest.mark.clause("act-keno:6.1")
def test_a_cancellation_under_way_is_through_before_the_first_number(house: House) -> None:
    sold = house.ok(house.writers[0].sell(), 201)
    house.close()
    with gate("cancel") as arrived:
        cancelling = house.writers[0].in_background(*cancelling_of(sold), **{HOLD: "cancel"})
        arrived()
        drawing = house.supervisor.in_background("keno/games/1/balls", {"number": 1})
        waits_for_the_row()
    assert house.ok(cancelling()) == {"refund": "2.00", "cash": "2.00", "cancelled_games": 1, "voucher": None}
    assert house.ok(drawing())["drawn"] == [1]
    game = Game.objects.get(pk=1)  # it stays in the sealed set, and plays no more
    assert (game.ticket_count, bytes(game.ticket_root or b""), cancelled_late(1)[0]) == (1, ticket_set(1).root, 1)
    assert house.cash() == {}
    assert house.owed() == {}
    assert at.in_balance()


@pytest.mark.clause("act-keno:6.1")
def test_a_cancellation_that_meets_the_first_number_is_too_late(house: House) -> None:
    sold = house.ok(house.writers[0].sell(), 201)
    house.close()
    with gate("first-number") as arrived:
        drawing = house.supervisor.in_background("keno/games/1/balls", {"number": 1}, **{HOLD: "first-number"})
        arrived()
        cancelling = house.writers[0].in_background(*cancelling_of(sold))
        waits_for_the_row()
    assert house.ok(drawing())["drawn"] == [1]
    refusal = house.ok(cancelling(), 409)
    assert (refusal["code"], refusal["clause"]) == ("nothing-to-cancel", "act-keno:6.1")
    assert Game.objects.get(pk=1).ticket_count == 1
    assert house.owed() == {"keno:stakes-held": "2.00"}
    assert at.in_balance()


def test_with_the_lock_off_a_ticket_is_in_the_sealed_set_and_cancelled(house: House) -> None:
    """The race is real: the player has his money back, and his ticket is in the root of the draw."""
    sold = house.ok(house.writers[0].sell(), 201)
    house.close()
    with gate("cancel") as arrived:
        cancelling = house.writers[0].in_background(*cancelling_of(sold), **{HOLD: "cancel", UNLOCKED: "cancel"})
        arrived()
        assert house.ok(house.supervisor.post("keno/games/1/balls", {"number": 1}))["drawn"] == [1]
    assert house.ok(cancelling())["refund"] == "2.00"
    assert (Game.objects.get(pk=1).ticket_count, ticket_set(1).count) == (1, 0)  # the root proves nothing any more
    assert house.owed() == {}


@pytest.mark.clause("act-keno:6.1", "act-keno:6.2")
def test_eight_cancellations_and_the_first_number_at_once(house: House) -> None:
    sold = [house.ok(writer.sell(), 201) for writer in house.writers]
    house.close()
    *answers, drawn = at_once(
        [
            *(partial(writer.post, *cancelling_of(one)) for writer, one in zip(house.writers, sold, strict=True)),
            partial(house.supervisor.post, "keno/games/1/balls", {"number": 1}),
        ]
    )
    assert house.ok(drawn)["drawn"] == [1]
    kept = [one["serial"] for one, (status, _) in zip(sold, answers, strict=True) if status != 200]
    assert codes(answers) == ["nothing-to-cancel"] * len(kept)
    assert [body["refund"] for status, body in answers if status == 200] == ["2.00"] * (8 - len(kept))
    assert set(Ticket.objects.exclude(status="cancelled").values_list("serial", flat=True)) == set(kept)
    game = Game.objects.get(pk=1)
    assert (game.ticket_count, bytes(game.ticket_root or b"")) == (8, ticket_set(1).root)
    assert cancelled_late(1)[0] == 8 - len(kept)
    assert sorted(house.cash().values()) == ["2.00"] * len(kept)
    assert at.books().get("keno:stakes-held", dollars("0.00")) == dollars("2.00") * len(kept)
    assert at.in_balance()
