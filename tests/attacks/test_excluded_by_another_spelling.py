"""An excluded player has his card typed in lower case, with a space, with another dash: it is the same card, and he
buys no ticket, places no wager and enters no promotion with it."""

from __future__ import annotations

import pytest

from tests.attacks.cards import SPELLINGS, TICKET, path, refused_wager, register
from tests.attacks.insider import House
from tests.world.extent import some


@pytest.mark.parametrize("spelling", some(SPELLINGS, always=SPELLINGS[:2]))  # all of them at once: below
def test_he_plays_nothing(house: House, spelling: str) -> None:
    supervisor, player = register(house)
    supervisor.post(f"players/{player}/restrictions", {"kind": "exclusion", "reason": "As asked."}).ok(201)
    writer, table = house.insider("writer"), house.insider("table")
    writer.post("keno/tickets", TICKET).ok(201)  # the shift is open, and anybody else may buy
    bet = {"table": "CSP-02", "wagers": [{"name": "ante", "amount": "50.00"}]}
    deposit = {"amount": "100.00", "method": "cash"}
    with house.unchanged(but={"jackpot.round-started"}):  # a round, and no wager in it
        assert writer.post("keno/tickets", TICKET | {"player": spelling}).refused("player-exclusion")
        assert table.post(f"cards/{path(spelling)}/wagers", bet).refused("player-exclusion")
        assert writer.post(f"cards/{path(spelling)}/deposits", deposit).refused("player-exclusion")
        round_ = table.post("jackpot/tables/CSP-01/rounds", {"wagers": [{"box": 1, "player": spelling}]})
        assert refused_wager(round_, "player-exclusion")


def test_nor_does_he_enter_a_promotion_whoever_barred_him(house: House) -> None:
    """Both ways round: barred by the house or by the promotions' own list, entered by hand or by a file."""
    from promotions.demo import build_demo

    build_demo()
    supervisor, player = register(house)
    supervisor.post("players/", {"name": "Robin Yu", "card": "ry-2"}).ok(201)
    supervisor.post(f"players/{player}/restrictions", {"kind": "exclusion", "reason": "As asked."}).ok(201)
    manager, writer = house.insider("manager"), house.insider("writer")
    manager.post("promotions/excluded-cards", {"card": " Ry-2", "why": "employee"}).ok(201)
    for card in (*SPELLINGS, "RY-2", "ry-2", "RY\N{EN DASH}2"):
        with house.unchanged():
            assert writer.post("promotions/LUNAR/entries", {"card": card}).refused("not-eligible"), card
    lines = "".join(f"R-{n},{card}\n" for n, card in enumerate((*SPELLINGS, "ry-2")))
    made = manager.post(
        "promotions/LUNAR/imports", {"name": "x.csv", "csv": f"reference,card\n{lines}", "all_or_nothing": False}
    ).ok()
    from promotions.imports import go_on

    assert go_on(made["id"]).entered == 0
