"""A card is written with Cyrillic or Greek letters that look Latin, so that people read `RX-1` and the house does not:
it is nobody's card, and can be nobody's."""

from __future__ import annotations

import pytest

from tests.attacks.cards import TICKET, refused_wager, register
from tests.attacks.insider import House

LOOKALIKES = (
    "R\N{CYRILLIC CAPITAL LETTER HA}-1",
    "\N{CYRILLIC CAPITAL LETTER ER}X-1",
    "R\N{GREEK CAPITAL LETTER CHI}-1",
    "RX-\N{ARABIC-INDIC DIGIT ONE}",
    "RX-l\N{COMBINING ACUTE ACCENT}",
)


@pytest.mark.parametrize("card", LOOKALIKES)
def test_it_is_no_card(house: House, card: str) -> None:
    supervisor, player = register(house)
    writer, table = house.insider("writer"), house.insider("table")
    writer.post("keno/tickets", TICKET).ok(201)
    with house.unchanged(but={"jackpot.round-started"}):  # a round, and no wager in it
        assert supervisor.post("players/", {"name": "Robin Xu", "card": card}).refused("card-not-readable")
        assert supervisor.post(f"players/{player}/cards", {"card": card}).refused("card-not-readable")
        assert writer.post("keno/tickets", TICKET | {"player": card}).refused("card-unknown")
        round_ = table.post("jackpot/tables/CSP-01/rounds", {"wagers": [{"box": 1, "player": card}]})
        assert refused_wager(round_, "card-unknown")
