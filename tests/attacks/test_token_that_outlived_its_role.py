"""A supervisor is made a writer again and goes on verifying with the token of his supervisor's device."""

from __future__ import annotations

from tests.attacks.appointed import with_roles
from tests.attacks.felt import deal, seen
from tests.attacks.insider import House


def test_the_token_ends_with_the_role(house: House) -> None:
    table, kept = house.insider("table"), house.insider("supervisor", holder="supervisor")
    hit = deal(table)["id"]
    kept.get("me").ok()
    with_roles(house, "supervisor", "writer")
    with house.unchanged():
        assert kept.post(f"jackpot/hits/{hit}/verify", seen()).refused("holder-may-not-act")
        assert kept.get("devices/").refused("holder-may-not-act")
    with_roles(house, "supervisor", "supervisor", "writer")
    kept.post(f"jackpot/hits/{hit}/verify", seen()).ok()
