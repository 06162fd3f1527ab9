"""Whatever is sent to Keno's counter in full swing: never a 500, and always what the schema says.

The house here is furnished, so that requests get past "there is no such ticket": tickets in play, won, paid and
cancelled, vouchers, an order, a claim, a tournament, a drawn game. Addresses name what exists half of the time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import given
from hypothesis import strategies as st

from house.api.checks import routes
from house.devices import service_token
from house.permissions import AS_INSPECTOR
from keno.claims import make_claim
from keno.models import ClaimReason, TenderType
from keno.orders import take_order
from keno.pay import pay_ticket
from keno.shifts import open_shift
from keno.tender import Handed
from keno.tournaments import enter_tournament
from tests.plugins.worlds import kept
from tests.world import keno_counter as at
from tests.world.calls import Caller, problem
from tests.world.fuzzing import CHECKS, application_in_a_transaction, cases_of, labels_where, operations, tries
from tests.world.keno_balls import approve_set
from tests.world.keno_counter import plain
from tests.world.keno_played import Played
from tests.world.money import dollars
from tests.world.people import actor, grant_everything
from tests.world.tournaments import card_of

pytestmark = pytest.mark.django_db

# These change nothing, or are done once by the state of the game they are about.
WITHOUT_KEY = {
    "keno-quote", "keno-evaluate", "keno-mathematics", "keno-device", "keno-game-close", "keno-game-dice",
    "keno-game-draw", "keno-game-correct", "keno-game-confirm",
    "keno-game-count", "keno-game-balls", "keno-game-fall-back", "keno-game-stoppage", "keno-game-void",
    "keno-game-invalidate", "keno-game-resettle", "keno-game-entry-proof", "keno-ticket-look-up",
    "keno-favourites", "keno-favourites-look-up", "keno-favourite-forget", "keno-payment-tick-off",
    "keno-overpayment-ask",
}  # fmt: skip

LABELS = labels_where(lambda label: "/keno/" in label)


class Furnished(Played):
    """A counter after some business; `here` names what can be addressed, by the parameter that names it."""

    def __init__(self) -> None:
        super().__init__()
        at.approve_value("set-bet", "LUCKY", {"name": "Lucky", "groups": [[3, 13], [23]], "plays": [2]})
        conditions = {
            "name": "Cup", "entry_fee": "50.00", "retained": 1_000, "prizes": [10_000], "spots": 3, "stake": "1.00",
            "schedule": "standard", "first_game": 2, "last_game": 3,
        }  # fmt: skip
        at.approve_value("tournament", "CUP", conditions)
        winner, paid, waiting, stopped = (self.sell(plain(1, 2, 3, games=5)) for _ in range(4))
        entry = enter_tournament(code="CUP", card=card_of("Anna"), numbers=[1, 2, 3], by=self.writer)
        self.play(1, list(range(1, 21)))
        pay_ticket(serial=paid.ticket.serial, security_code=paid.security_code, by=self.writer)
        claim = make_claim(
            serial=waiting.ticket.serial,
            reason=ClaimReason.LOST,
            claimant={"name": "Anna", "address": "Canberra", "contact": "anna@example.org"},
            grounds="She knows every number.",
            by=self.supervisor,
        )
        at.cancel(stopped, self.writer)
        change = [Handed(type=TenderType.CASH, amount=dollars("9.00"))]
        voucher = self.sell(tender=change, rest="keno-voucher").voucher
        assert voucher is not None
        order = take_order(request=plain(4, 5), note="", by=self.writer)
        self.here: dict[str, list[Any]] = {
            "serial": [winner.ticket.serial, paid.ticket.serial, waiting.ticket.serial, stopped.ticket.serial],
            "number": [1, 2, 3],
            "id": [claim.pk, entry.pk, order.pk, self.shift.pk],
            "code": [voucher.voucher.code, "CUP", "LUCKY"],
            "name": ["games", "liability", "shifts"],
        }


def _somebody() -> str:
    """Somebody who may do everything, with a shift of his own."""
    grant_everything("manager")
    issued = service_token(role="manager")
    open_shift(by=actor(issued.device.identity, "manager"), opening_float=dollars("1000.00"))
    return issued.secret


furnished = kept(Furnished)
token = kept(Furnished, _somebody)


@pytest.fixture
def application(db: None) -> Iterator[WSGIHandler]:
    with application_in_a_transaction() as application:
        yield application


KENO = [route for route in routes() if "/keno/" in route.path]


def test_every_call_of_keno_is_tried() -> None:
    assert {label for label in operations() if "/keno/" in label} == set(LABELS)
    assert len(LABELS) == len(KENO) >= 55


def test_whatever_moves_money_needs_a_key_and_without_one_nothing_happens(furnished: Furnished, token: str) -> None:
    before = at.everything()
    acting = [route for route in KENO if route.method == "POST"]
    assert {route.name for route in acting if not route.call.needs_key} == WITHOUT_KEY
    caller = Caller(token)
    for route in acting:
        if route.name not in WITHOUT_KEY and route.call.permission != AS_INSPECTOR:  # which no token of the house has
            path = re.sub(r"<\w+:(\w+)>", lambda found: str(furnished.here[found[1]][0]), route.path)
            body = getattr(route.call.takes, "example", {})
            problem(caller.post(path.removeprefix("api/v1/"), body, key=""), 400, "idempotency-key-missing")
    assert at.everything() == before


def test_games_are_run_without_a_key(furnished: Furnished) -> None:
    """Each step is done once by the state of its game; a key that is sent is honoured (test_games_api)."""
    supervisor = Caller(service_token(role="supervisor").secret)

    def post(step: str, body: dict[str, Any]) -> Any:
        path = f"/api/v1/keno/games/2/{step}"
        headers = supervisor.headers  # no key among them
        return supervisor.client.post(path, json.dumps(body), content_type="application/json", headers=headers).json()

    assert post("close", {})["status"] == "sealed"
    approve_set()
    assert post("count", {"balls": 80, "set": "A"})["status"] == "sealed"
    assert post("balls", {"numbers": list(range(1, 21))})["status"] == "settled"
    assert post("close", {})["code"] == "game-settled"


@pytest.mark.parametrize("label", LABELS)
def test_never_a_500_at_a_counter_in_full_swing(
    label: str, furnished: Furnished, token: str, application: WSGIHandler, exhaustive: bool
) -> None:
    @tries(2, exhaustive=exhaustive)
    @given(case=cases_of(operations()[label], application), data=st.data())
    def try_it(case: Any, data: st.DataObject) -> None:
        for name in case.path_parameters or {}:
            if name in furnished.here and data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(st.sampled_from(furnished.here[name]))
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKS)

    try_it()
