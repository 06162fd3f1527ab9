"""Whatever is sent to Keno's counter in full swing: never a 500, and always what the schema says.

The house here is furnished, so that requests get past "there is no such ticket": tickets in play, won, paid and
cancelled, vouchers, an order, a claim, a tournament, a drawn game. Addresses name what exists half of the time.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode

from house.api.checks import routes
from house.api.schema import document
from house.devices import service_token
from house.models import Grant, Permission
from keno.cancel import cancel_ticket
from keno.claims import make_claim
from keno.models import ClaimReason, TenderType
from keno.orders import take_order
from keno.pay import pay_ticket
from keno.shifts import open_shift
from keno.tender import Handed
from keno.tournaments import enter_tournament
from tests.api.calls import Caller, problem
from tests.api.test_schemathesis import CHECKS
from tests.keno import counter as at
from tests.keno.counter import dollars, plain
from tests.keno.test_reports import Played

pytestmark = pytest.mark.django_db

# These change nothing, or are done once by the state of the game they are about.
WITHOUT_KEY = {
    "keno-quote", "keno-evaluate", "keno-mathematics", "keno-device", "keno-game-close", "keno-game-draw",
    "keno-game-count", "keno-game-balls", "keno-game-fall-back", "keno-game-stoppage", "keno-game-void",
    "keno-game-invalidate", "keno-game-entry-proof",
}  # fmt: skip

schema = schemathesis.openapi.from_dict(document())
operations = {
    each.ok().label: each.ok()  # type: ignore[union-attr]
    for each in schema.get_all_operations()
    if "/keno/" in each.ok().label  # type: ignore[union-attr]
}


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
        entry = enter_tournament(code="CUP", player="Anna", numbers=[1, 2, 3], by=self.writer)
        self.play(1, list(range(1, 21)))
        pay_ticket(serial=paid.ticket.serial, security_code=paid.security_code, by=self.writer)
        claim = make_claim(
            serial=waiting.ticket.serial,
            reason=ClaimReason.LOST,
            claimant={"name": "Anna", "address": "Canberra", "contact": "anna@example.org"},
            grounds="She knows every number.",
            by=self.writer,
        )
        cancel_ticket(serial=stopped.ticket.serial, by=self.writer)
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


@pytest.fixture
def furnished(db):
    return Furnished()


@pytest.fixture
def token(furnished):
    """Somebody who may do everything, with a shift of his own."""
    for permission in Permission.objects.exclude(grants__role="manager"):
        Grant.objects.create(role_id="manager", permission=permission)
    issued = service_token(role="manager")
    open_shift(by=at.actor(issued.device.identity, "manager"), opening_float=dollars("1000.00"))
    return issued.secret


@pytest.fixture
def application(db):
    """The connection stays: it holds the transaction that undoes everything, as in Django's own test client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield get_wsgi_application()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


KENO = [route for route in routes() if "/keno/" in route.path]


def test_every_call_of_keno_is_tried():
    assert len(operations) == len(KENO) >= 55


def test_whatever_moves_money_needs_a_key_and_without_one_nothing_happens(furnished, token):
    before = at.everything()
    acting = [route for route in KENO if route.method == "POST"]
    assert {route.name for route in acting if not route.call.needs_key} == WITHOUT_KEY
    caller = Caller(token)
    for route in acting:
        if route.name not in WITHOUT_KEY:
            path = re.sub(r"<\w+:(\w+)>", lambda found: str(furnished.here[found[1]][0]), route.path)
            body = getattr(route.call.takes, "example", {})
            problem(caller.post(path.removeprefix("api/v1/"), body, key=""), 400, "idempotency-key-missing")
    assert at.everything() == before


def test_games_are_run_without_a_key(furnished):
    """Each step is done once by the state of its game; a key that is sent is honoured (test_games_api)."""
    supervisor = Caller(service_token(role="supervisor").secret)

    def post(step, body):
        path = f"/api/v1/keno/games/2/{step}"
        headers = supervisor.headers  # no key among them
        return supervisor.client.post(path, json.dumps(body), content_type="application/json", headers=headers).json()

    assert post("close", {})["status"] == "closed"
    assert post("balls", {"numbers": list(range(1, 21))})["status"] == "settled"
    assert post("close", {})["code"] == "game-settled"


@pytest.mark.parametrize("label", operations)
def test_never_a_500_at_a_counter_in_full_swing(label, furnished, token, application):
    operation = operations[label]
    operation.app = operation.schema.app = application
    cases = st.one_of(
        *(operation.as_strategy(generation_mode=mode) for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE))
    )

    @settings(
        max_examples=10,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, data=st.data())
    def try_it(case, data):
        for name in case.path_parameters or {}:
            if name in furnished.here and data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(st.sampled_from(furnished.here[name]))
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKS)

    try_it()
