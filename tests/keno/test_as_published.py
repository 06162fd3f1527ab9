"""Every Keno call as its page promises it to whoever writes a terminal: the fields by name, in the demo venue."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings

from house import demo as house_demo
from house import gaming_days
from house.devices import service_token
from jackpot import demo as jackpot_demo
from keno import demo as keno_demo
from keno.open_games import keep_open
from tests.plugins.worlds import kept
from tests.world.calls import Caller, ok, problem

pytestmark = pytest.mark.django_db
BALLS = list(range(1, 21))
PLAIN: dict[str, Any] = {"numbers": [1, 2, 3], "stake": "1.00"}
SOLD = {
    "serial",
    "security_code",
    "first_game",
    "last_game",
    "price",
    "plays",
    "schedule",
    "jackpot",
    "status",
    "sold_at",
}
ATTEMPT = {"attempt", "ticket_root", "sealed_at", "checkpoint", "witness", "drawn", "void"}


def _demo() -> None:
    gaming_days.forget()
    with override_settings(DEMO=True):
        house_demo.build_demo()
        jackpot_demo.build_demo()
        keno_demo.build_demo()


demo = kept(_demo)


@pytest.fixture
def writer(demo: None) -> Caller:
    return Caller(service_token(role="writer").secret)


@pytest.fixture
def supervisor(demo: None) -> Caller:
    return Caller(service_token(role="supervisor").secret)


def on_balls(supervisor: Caller) -> None:
    """The game on sale is drawn with balls; the one before it is drawn by generator, and looked at."""
    assert ok(supervisor.post("keno/device", {"device": "mechanical"}))["device"] == "mechanical"
    first = ok(supervisor.get("keno/games/current"))["number"]
    assert ok(supervisor.post(f"keno/games/{first}/close"))["status"] == "sealed"
    drawn = ok(supervisor.post(f"keno/games/{first}/draw"))
    assert (drawn["status"], len(drawn["drawn"]), drawn["attempts"][0].keys() >= ATTEMPT) == ("settled", 20, True)
    assert drawn["attempts"][0]["witness"].keys() >= {"name", "key", "signature"}
    assert drawn.keys() >= {"seed", "ticket_root", "totals"}
    keep_open()


def drawn_with_balls(supervisor: Caller, number: int) -> None:
    game = f"keno/games/{number}"
    ok(supervisor.post(f"{game}/close"))
    problem(supervisor.post(f"{game}/balls", {"number": 1}), 409, "balls-not-counted")
    ok(supervisor.post(f"{game}/count", {"balls": 80, "set": "A"}))
    assert ok(supervisor.post(f"{game}/balls", {"number": BALLS[0]}))["status"] == "drawing"
    settled = ok(supervisor.post(f"{game}/balls", {"numbers": BALLS[1:]}))
    assert (settled["status"], settled["drawn"], settled["attempts"][0]["witness"]) == ("settled", BALLS, None)
    keep_open()


def test_what_is_computed(writer: Caller) -> None:
    quote = ok(writer.post("keno/quote", PLAIN | {"games": 50}))
    assert quote == quote | {"price": "49.00", "games": 50, "charged_games": 49, "ways": 1, "keno_to_go": True}
    assert quote["plays"] == [{"spots": 3, "ways": 1, "stake": "1.00"}]
    asked = {"drawn": BALLS, "tickets": [PLAIN], "jackpots": {"6": "1500.00", "8": "20000.00"}}
    would = ok(writer.post("keno/evaluate", asked))
    assert would["tickets"][0]["prize"] == "36.00"
    assert would["tickets"][0]["ways"][0].keys() >= {"spots", "matches", "count", "prize", "jackpot", "prorated"}
    assert would["majors"].keys() == {"before", "after", "count"}
    for body in ({"schedule": "standard"}, {"spots": 3, "prizes": {"2": "2.00", "3": "36.00"}}):
        assert ok(writer.post("keno/mathematics", body))
    table = ok(writer.post("keno/mathematics", {"spots": 3, "prizes": {"2": "2.00", "3": "36.00"}}))
    assert {"return", "odds", "hit_rate", "variance", "top_prize_odds"} <= (table.get("tables") or [table])[0].keys()


def test_a_ticket_from_sale_to_continuation(writer: Caller, supervisor: Caller) -> None:
    on_balls(supervisor)
    now = ok(writer.get("keno/games/current"))
    assert {"number", "status", "closes_at", "drawn", "device", "commitment", "attempts"} <= now.keys()
    sold = ok(writer.post("keno/tickets", PLAIN | {"games": 3}), 201)
    assert SOLD | {"numbers", "change"} <= sold.keys()
    at, code = f"keno/tickets/{sold['serial']}", {"security_code": sold["security_code"]}
    assert ok(writer.get(at))["won"] is None  # by its serial alone a writer sees no more than is printed
    drawn_with_balls(supervisor, sold["first_game"])
    told = ok(writer.post(f"{at}/look-up", code))
    assert (told["won"], told["paid"], told["owing"], told["status"]) == ("36.00", "0.00", "36.00", "won")
    assert ok(supervisor.get(at))["owing"] == "36.00"
    paid = ok(writer.post(f"{at}/pay", code))
    assert (paid["paid"], paid["games"][0]["game"], paid["games"][0]["prize"]) == ("36.00", sold["first_game"], "36.00")
    assert (paid["still_playing"], paid["continuation"]["serial"]) == (True, sold["serial"])
    new = {"security_code": paid["continuation"]["security_code"]}
    assert writer.post(f"{at}/cancel", {"security_code": "0" * 16}).status_code in (403, 422)
    back = ok(writer.post(f"{at}/cancel", new))
    assert (back["refund"], back["cancelled_games"]) == ("2.00", 2)


def test_a_ticket_with_only_a_refund_has_won_nothing_and_says_what_is_due(writer: Caller, supervisor: Caller) -> None:
    """It does not say that it won $0.00."""
    sold = ok(writer.post("keno/tickets", PLAIN), 201)
    ok(supervisor.post(f"keno/games/{sold['first_game']}/invalidate", {"cause": "fire", "reason": "Smoke."}))
    code = {"security_code": sold["security_code"]}
    told = ok(writer.post(f"keno/tickets/{sold['serial']}/look-up", code))
    assert (told["status"], told["won"], told["refunded"], told["owing"]) == ("refund", "0.00", "1.00", "1.00")
    assert ok(writer.post(f"keno/tickets/{sold['serial']}/pay", code))["paid"] == "1.00"


@pytest.mark.clause("act-keno:5.2")
def test_the_jackpots_of_keno_are_pools_like_any_other(writer: Caller) -> None:
    """From the first moment, before any game has filled them."""
    shown = {"code", "rules", "displayed", "reserve", "increment_rate", "seed", "wager", "status", "tables"}
    for code, guaranteed in (("KENO-6", "1000.00"), ("KENO-8", "12500.00")):
        one = ok(writer.get(f"jackpot/pools/{code}"))
        assert (one["code"], one["displayed"], one.keys() >= shown) == (code, guaranteed, True)
