"""A manager keeps the token of a writer's terminal, and is both of the two who hand over cash, who stand by a large
payment, who claim and approve: his own word and the terminal's are one person's."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from house.models import Proposal
from tests.attacks.counter import code, winner
from tests.attacks.insider import Caller, House
from tests.world.approvals import put_in_force


def kept_by(house: House, manager: Caller) -> Caller:
    """A writer's terminal whose token the manager has rolled, and kept."""
    identity = house.insider("writer").identity
    rolled = manager.post(f"devices/{identity.removeprefix('device:')}/roll", {"overlap": 0}).ok()
    return Caller(house.server, rolled["token"], identity)


def set_up_by(house: House, manager: Caller) -> Caller:
    """One whose one-time code he has read, and typed in himself."""
    identity = house.insider("writer").identity
    office = house.at_console(manager.identity.removeprefix("staff:"))
    page = office.post(f"/devices/{identity.removeprefix('device:')}/provision/").body
    (shown,) = re.findall(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}\b", page)
    token = house.stranger().post("devices/provision", {"code": shown}).ok()["token"]
    return Caller(house.server, token, identity)


HOW = pytest.mark.parametrize("how", [kept_by, set_up_by], ids=["rolled", "set up"])


@HOW
def test_he_hands_no_cash_to_himself(house: House, how: Callable[[House, Caller], Caller]) -> None:
    manager, supervisor = house.insider("manager", holder="manager"), house.insider("supervisor")
    terminal = how(house, manager)
    shift = terminal.post("keno/shifts", {}).ok(201)["id"]
    assert terminal.post(f"keno/shifts/{shift}/fill", {"amount": "5000.00"}).ok()["waits"] is True
    with house.unchanged():
        assert manager.post(f"keno/shifts/{shift}/fill", {"amount": "5000.00"}).refused("same-person")
    manager.post(f"devices/{terminal.identity.removeprefix('device:')}/roll", {"overlap": 0}).ok()
    with house.unchanged():  # whoever had it today
        assert manager.post(f"keno/shifts/{shift}/fill", {"amount": "5000.00"}).refused("same-person")
    supervisor.post(f"keno/shifts/{shift}/fill", {"amount": "5000.00"}).ok()
    assert house.money()[f"keno:shift:{shift}:cash"] == "5000.00"


@HOW
def test_he_stands_by_no_payment_of_his_own(house: House, how: Callable[[House, Caller], Caller]) -> None:
    manager, supervisor = house.insider("manager", holder="manager"), house.insider("supervisor")
    terminal = how(house, manager)
    terminal.post("keno/shifts", {"opening_float": "100.00"}).ok(201)
    sold = winner(house, house.insider("writer"))
    put_in_force("keno.amount", "supervised-above", "50.00")
    manager.post(f"keno/tickets/{sold['serial']}/authorise-payment").ok(201)
    with house.unchanged():
        assert terminal.post(f"keno/tickets/{sold['serial']}/pay", code(sold)).refused("two-people-needed")
    supervisor.post(f"keno/tickets/{sold['serial']}/authorise-payment").ok(201)
    assert terminal.post(f"keno/tickets/{sold['serial']}/pay", code(sold)).ok()["paid"] == "60.00"


def test_he_approves_no_claim_of_his_own(house: House) -> None:
    manager = house.insider("manager")
    terminal = kept_by(house, manager)
    sold = winner(house, house.insider("writer"))
    claimant = {"name": "Pat Simmons", "address": "1 Example Street", "contact": "pat@example.org"}
    claim = {"serial": sold["serial"], "reason": "unreadable", "claimant": claimant, "grounds": "Torn."} | code(sold)
    terminal.post("keno/claims", claim).ok(201)
    with house.unchanged():
        assert manager.post(f"approvals/{Proposal.objects.get().pk}/approve").refused("own-proposal")
