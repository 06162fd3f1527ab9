"""A writer keeps selling at a terminal that was revoked, through a server that has just sold for it and remembers it
(decision 37): its right taken away, its token rolled, the terminal revoked."""

from __future__ import annotations

from house.models import Grant
from keno.permissions import SELL
from tests.attacks.insider import House

TICKET = {"numbers": [4, 8, 15, 16, 23, 42], "stake": "2.00"}


def test_what_the_server_remembers_sells_nothing(house: House) -> None:
    manager, writer, other = house.insider("manager"), house.insider("writer"), house.insider("writer")
    for _ in range(4):  # until every process of it has sold for both
        writer.post("keno/tickets", TICKET).ok(201)
        other.post("keno/tickets", TICKET).ok(201)

    taken = Grant.objects.filter(role="writer", permission=SELL)
    rows = list(taken.values("role_id", "permission_id"))
    taken.delete()
    with house.unchanged():
        for _ in range(3):
            assert writer.post("keno/tickets", TICKET).refused("no-permission")
    Grant.objects.bulk_create([Grant(**row) for row in rows])
    writer.post("keno/tickets", TICKET).ok(201)

    rolled = manager.post(f"devices/{writer.identity.removeprefix('device:')}/roll", {"overlap": 0}).ok()
    with house.unchanged():
        for _ in range(3):
            assert writer.post("keno/tickets", TICKET).refused("token-unknown")
    assert rolled["token"]

    manager.post(f"devices/{other.identity.removeprefix('device:')}/revoke", {"why": "Stolen."}).ok()
    with house.unchanged():
        for _ in range(3):
            assert other.post("keno/tickets", TICKET).refused("token-unknown")
