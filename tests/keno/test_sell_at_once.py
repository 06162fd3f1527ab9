"""The usual sale in one statement (decision 37): what it sells is what is sold step by step, and nothing is honoured
that a process only remembers. What stops the very next sale: test_next_sale.py."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.door import Door
from house.devices import revoke_device
from house.models import Device
from house.permissions import MANAGE_DEVICES
from keno import sell_at_once, shifts
from keno.models import Play, Shift, Tender, Ticket
from kernel.actors import Actor
from kernel.locks import Lock
from ledger.models import Transfer
from tests.world import keno_counter as at
from tests.world.calls import Caller, make_device, ok, problem
from web import at_once
from web.models import RequestKey

pytestmark = pytest.mark.django_db

MANAGER = Actor(identity="staff:manager", name="The manager", permissions=frozenset({MANAGE_DEVICES}))
PLAIN = {"numbers": [4, 8, 15, 16, 23, 42], "stake": "2.00"}
TICKETS: list[dict[str, Any]] = [
    PLAIN,
    {**PLAIN, "games": 3, "tender": [{"type": "cash", "amount": "10.00"}]},
    {**PLAIN, "tender": [{"type": "cash"}], "rest": "keno-voucher"},
    {"numbers": [1, 2, 3, 4, 5], "stake": "2.00", "schedule": "special-2"},
    {"groups": [[1, 2, 3], [7, 8, 9]], "plays": [{"spots": 3, "stake": "1.00"}, {"spots": 6, "stake": "1.00"}]},
    {"quick_pick": {"spots": 8}, "stake": "1.00", "jackpot": True},
]
# Whose turn, and what is drawn anew for every ticket: all else must be the same.
OWN = {
    "id",
    "serial",
    "leaf",
    "sold_at",
    "created_at",
    "at",
    "tx",
    "ticket_id",
    "reference",
    "groups",
    "numbers",
    "key",
}


class Terminal:
    """A writer's, remembered by this process: it has sold a ticket."""

    def __init__(self) -> None:
        at.open_day()
        at.open_game(7)
        self.device, self.token = make_device("writer")
        Device.objects.filter(pk=self.device.pk).update(opens_own_shift=True)
        self.caller = Caller(self.token)
        self.done: list[bool] = []
        ok(self.sell(), 201)

    def sell(self, body: dict[str, Any] = PLAIN, **more: Any) -> Any:
        return self.caller.post("keno/tickets", body, **more)


@pytest.fixture
def terminal(db: None, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    real, terminal = sell_at_once.UsualSale.sell, Terminal()

    def sell(self: sell_at_once.UsualSale, **asked: Any) -> bool:
        terminal.done.append(real(self, **asked))
        return terminal.done[-1]

    monkeypatch.setattr(sell_at_once.UsualSale, "sell", sell)
    return terminal


def written(serial: str, key: str) -> list[dict[str, Any]]:
    """Every row of a sale, but for what is each ticket's own."""
    ticket = Ticket.objects.get(serial=serial)
    rows: list[Any] = [ticket, *Play.objects.filter(ticket=ticket), *Tender.objects.filter(ticket=ticket)]
    rows += [*Transfer.objects.filter(reference=serial), RequestKey.objects.get(key=key)]
    found = [{f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields} for row in rows]
    kept = found[-1].pop("answer")
    del found[-1]["body_hash"]
    assert "not given again" in kept
    return [{name: value for name, value in row.items() if name not in OWN} for row in found]


@pytest.mark.clause("act-keno:4.2", "act-keno:4.3", "act-keno:10.3")
def test_it_is_the_sale_step_by_step(terminal: Terminal) -> None:
    for i, body in enumerate(TICKETS):
        terminal.done.clear()
        quick = terminal.sell(body, key=f"quick-{i}")
        assert terminal.done == [True], body
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shifts, "_held_last", {})
            slow = terminal.sell(body, key=f"slow-{i}")
        assert terminal.done == [True], "this one goes step by step"
        one, other = ok(quick, 201), ok(slow, 201)
        assert one.keys() == other.keys()
        assert written(one["serial"], f"quick-{i}") == written(other["serial"], f"slow-{i}")
        headers = [{**answer.headers, "X-Request-ID": "", "Content-Length": ""} for answer in (quick, slow)]
        assert headers[0] == headers[1]
        # Of the answer, too, and the code on the paper is the one that pays.
        looked = terminal.caller.post(
            f"keno/tickets/{one['serial']}/look-up", {"security_code": one["security_code"]}, key=f"look-{i}"
        )
        assert ok(looked)["price"] == one["price"]
    assert at.in_balance()
    held, sold = at.books()["keno:stakes-held"], Ticket.objects.values_list("price", flat=True)
    assert held.micros == sum(price.micros for price in sold)


def test_it_is_one_statement(terminal: Terminal) -> None:
    ok(terminal.sell(), 201)  # what is asked once a second has been asked
    with CaptureQueriesContext(connection) as asked:
        ok(terminal.sell(), 201)
    assert len([one for one in asked if "keno_sell_at_once" in one["sql"]]) == 1
    others = [one["sql"] for one in asked if "SAVEPOINT" not in one["sql"] and "keno_sell_at_once" not in one["sql"]]
    assert not [sql for sql in others if "keno_" in sql or "web_" in sql or "house_devicetoken" in sql], others


def test_the_same_key_is_answered_the_same_and_another_body_refused(terminal: Terminal) -> None:
    first = ok(terminal.sell(key="lost"), 201)
    before = at.everything()
    again = terminal.sell(key="lost")
    assert ok(again, 201) == first
    assert again["Idempotency-Replayed"] == "true"
    problem(terminal.sell({**PLAIN, "games": 2}, key="lost"), 409, "idempotency-key-reused")
    assert terminal.done == [True, False, False]
    assert at.everything() == before
    outcome = ok(terminal.caller.get("requests/lost"))
    assert outcome["answer"] == first


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"numbers": [4, 4]}, "number-repeated"),
        ({"tender": [{"type": "cash", "amount": "1.00"}]}, "tender-short"),
        ({"tender": [{"type": "cash", "reference": "X"}]}, "reference-misplaced"),
        ({"tender": [{"type": "cash", "amount": "2.00"}, {"type": "voucher", "reference": "X-1"}]}, None),
        ({"player": "NOBODY"}, None),
        ({"stake": "0.01"}, None),
        ({"misspelt": 1}, "unknown-field"),
    ],
)
def test_what_is_refused_is_refused_step_by_step(terminal: Terminal, more: dict[str, Any], code: str | None) -> None:
    before = at.everything()
    said = terminal.sell({**PLAIN, **more})
    assert said.status_code in (400, 404, 409, 422), said.content
    assert code is None or said.json()["code"] == code
    assert True not in terminal.done
    assert at.everything() == before


def test_what_is_remembered_of_a_shift_is_looked_at(terminal: Terminal) -> None:
    """A shift that was closed and opened again is another: the cash is in its drawer."""
    ok(terminal.sell(), 201)
    shift = Shift.objects.get()
    ok(terminal.caller.post(f"keno/shifts/{shift.pk}/close", {"counted_cash": "4.00"}))
    ok(terminal.sell(), 201)
    assert terminal.done == [True, False]
    ok(terminal.sell(), 201)
    assert terminal.done == [True, False, True]
    assert str(at.books()[Shift.objects.get(closed_at=None).cash]) == "4.00"


def test_a_right_taken_away_is_not_remembered(terminal: Terminal) -> None:
    """Of the next sale the other file tells; here, that it was the database that saw it."""
    revoke_device(code=terminal.device.code, why="Stolen.", by=MANAGER)
    before = at.everything()
    problem(terminal.sell(), 401, "token-unknown")
    assert terminal.done == [False]
    assert at.everything() == before


def environ_of(terminal: Terminal, body: bytes, **more: str) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/api/v1/keno/tickets",
        "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "HTTP_HOST": "localhost",
        "HTTP_AUTHORIZATION": f"Bearer {terminal.token}",
        "HTTP_IDEMPOTENCY_KEY": "at-the-door",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        **more,
    }


def test_at_the_door_it_is_answered_before_django_has_it(terminal: Terminal) -> None:
    went_on: list[dict[str, Any]] = []
    said: list[Any] = []

    def django(environ: dict[str, Any], start: Any) -> list[bytes]:
        went_on.append(environ)
        return [environ["wsgi.input"].read()]

    door, body = Door(django), json.dumps(PLAIN).encode()

    def asked(sent: bytes = body, **more: str) -> bytes:
        return b"".join(door(environ_of(terminal, sent, **more), lambda *answer: said.append(answer)))

    answered = json.loads(asked())
    usual = terminal.sell()
    status, headers = said[0]
    assert (status, went_on, terminal.done) == ("201 Created", [], [True, True])
    assert answered.keys() == usual.json().keys()
    named = {**dict(headers), "X-Request-ID": "", "Content-Length": ""}
    assert named == {**usual.headers, "X-Request-ID": "", "Content-Length": ""}
    # What is not done goes on as it came, and is not tried again.
    assert asked(b"{}", HTTP_IDEMPOTENCY_KEY="other") == b"{}"
    assert at_once.TRIED in went_on[0]
    assert asked(HTTP_HOST="elsewhere.example") == body
    assert asked(REQUEST_METHOD="GET") == body
    assert asked(QUERY_STRING="a=1") == body
    assert len(said) == 1
    assert settings.ALLOWED_HOSTS


def test_a_sale_that_waits_for_the_close_finds_the_game_closed(terminal: Terminal) -> None:
    """The lock before the look: the function takes the game's lock, and only then asks whether it is open."""
    body = sell_at_once._SELL  # the statement is one call, so that each step within has a snapshot of its own
    assert body.count("keno_sell_at_once(") == 1
    with connection.cursor() as cursor:
        cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'keno_sell_at_once'")
        (source,) = cursor.fetchone()
    assert source.index("sales_lock") < source.index("g.status = 'open'") < source.index("INSERT INTO keno_ticket")
    assert int(Lock.GAME_EXPOSURE) < int(Lock.GAME_SALES)
