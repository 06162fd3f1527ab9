"""What stops a sale stops the very next one: no process remembers who may sell, where, and at what price (decision 35).

Each test sells once first, so that whatever could be remembered is.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from house.devices import revoke_device, roll_token
from house.models import Device, DeviceToken, Grant
from house.permissions import MANAGE_DEVICES
from keno import approved
from keno.close import close
from keno.models import Shift
from keno.permissions import SELL
from kernel.actors import Actor
from tests.world import keno_counter as at
from tests.world.calls import Caller, make_device, ok, problem

if TYPE_CHECKING:
    from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db

PLAIN = {"numbers": [4, 8, 15, 16, 23, 42], "stake": "2.00"}
MANAGER = Actor(identity="staff:manager", name="The manager", permissions=frozenset({MANAGE_DEVICES}))


class Terminal:
    """A writer's, which has sold a ticket."""

    def __init__(self) -> None:
        at.open_day()
        at.open_game(7)
        self.device, token = make_device("writer")
        self.caller = Caller(token)
        Device.objects.filter(pk=self.device.pk).update(opens_own_shift=True)
        ok(self.sell(), 201)

    def sell(self, **more: Any) -> Any:
        return self.caller.post("keno/tickets", {**PLAIN, **more})

    def refuses(self, status: int, code: str, **more: Any) -> None:
        before = at.everything()
        problem(self.sell(**more), status, code)
        assert at.everything() == before


@pytest.fixture
def terminal(db: None) -> Terminal:
    return Terminal()


def test_a_revoked_device(terminal: Terminal) -> None:
    revoke_device(code=terminal.device.code, why="Stolen.", by=MANAGER)
    terminal.refuses(401, "token-unknown")


def test_a_rolled_token(terminal: Terminal) -> None:
    rolled = roll_token(code=terminal.device.code, by=MANAGER)
    terminal.refuses(401, "token-unknown")
    terminal.caller = Caller(rolled.secret)
    ok(terminal.sell(), 201)


def test_an_expired_token(terminal: Terminal) -> None:
    a_moment_ago = timezone.now() - timedelta(microseconds=1)
    DeviceToken.objects.filter(device=terminal.device).update(expires_at=a_moment_ago)
    terminal.refuses(401, "token-unknown")


def test_a_right_that_its_role_lost(terminal: Terminal) -> None:
    Grant.objects.filter(role="writer", permission=SELL).delete()
    terminal.refuses(403, "no-permission")


def test_a_closed_shift(terminal: Terminal) -> None:
    Device.objects.filter(pk=terminal.device.pk).update(opens_own_shift=False)
    shift = Shift.objects.get()
    ok(terminal.caller.post(f"keno/shifts/{shift.pk}/close", {"counted_cash": "2.00"}))
    terminal.refuses(409, "no-shift-open")


def test_another_price(terminal: Terminal) -> None:
    assert ok(terminal.sell(jackpot=True), 201)["price"] == "2.00"
    at.approve_value(approved.AMOUNT, approved.PREMIUM, "0.50")
    assert ok(terminal.sell(jackpot=True), 201)["price"] == "2.50"


def test_a_closed_game(terminal: Terminal, second_party: AtHand) -> None:
    second_party.goes_away()  # the next one is not open yet
    close(number=7, now=timezone.now())
    terminal.refuses(409, "no-game-open")
