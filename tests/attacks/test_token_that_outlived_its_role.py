"""A supervisor is made a writer again and goes on verifying with the token of his supervisor's device."""

from __future__ import annotations

from tests.attacks.appointed import VERIFIED, royal, with_roles
from tests.attacks.insider import House


def test_the_token_ends_with_the_role(house: House) -> None:
    table, kept = house.insider("table"), house.insider("supervisor", holder="supervisor")
    *_, hit = royal(house, table)
    kept.get("me").ok()
    with_roles(house, "supervisor", "writer")
    with house.unchanged():
        assert kept.post(f"jackpot/hits/{hit}/verify", VERIFIED).refused("holder-may-not-act")
        assert kept.get("devices/").refused("holder-may-not-act")
    with_roles(house, "supervisor", "supervisor", "writer")
    kept.post(f"jackpot/hits/{hit}/verify", VERIFIED).ok()
