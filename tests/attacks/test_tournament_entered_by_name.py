"""An excluded player enters a tournament by a name, an invented card or another spelling of his own; somebody brings
$12,000 as a fee and is called Anna."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from house.models import Incident
from house.models.cash import CashLine
from tests.attacks.appointed import agreed, change
from tests.attacks.cards import SPELLINGS, register
from tests.attacks.felt import WHO
from tests.attacks.insider import House
from tournaments.models import TournamentEntry

ENTRIES: Final = ("tournaments/NIGHT/entries", "keno/tournaments/CUP/entries")


def approved(house: House, *, fee: str = "50.00") -> None:
    """A tournament of cards and one of Keno, as an inspector has approved them."""
    manager, inspector = house.at_console("manager"), house.insider("inspector")
    terms: dict[str, Any] = {"entry_fee": fee, "retained": 1000, "prizes": [10000]}
    closes = (timezone.now() + timedelta(days=1)).isoformat()
    night = terms | {"name": "Poker night", "game": "Lunar Poker", "play": "Chips.", "closes_at": closes}
    first = house.insider("writer").get("keno/games/current").ok()["number"] + 2
    cup = terms | {"name": "Cup", "spots": 3, "stake": "1.00", "schedule": "standard"}
    cup |= {"first_game": first, "last_game": first + 1}
    agreed(house, change(manager, "promotions.tournament", "tournament:NIGHT", night), by=inspector)
    agreed(house, change(manager, "keno.tournament", "tournament:CUP", cup), by=inspector)


def test_a_card_is_known_and_its_player_may_play(house: House) -> None:
    approved(house)
    supervisor, player = register(house)
    supervisor.post(f"players/{player}/restrictions", {"kind": "exclusion", "reason": "As asked."}).ok(201)
    supervisor.post("players/", {"name": "Anna Marsh", "card": "AM-1"}).ok(201)
    writer = house.insider("writer")
    entry = {"player": "Robin", "numbers": [1, 2, 3]}
    for address in ENTRIES:
        body = entry if address.startswith("keno") else {"player": "Robin"}
        writer.post(address, body | {"player": "Somebody else"}).ok(201)
        with house.unchanged():
            assert writer.post(address, body | {"card": "ZZ-404"}).refused("card-unknown")
            for spelling in SPELLINGS:
                assert writer.post(address, body | {"card": spelling}).refused("player-exclusion")
                assert writer.post(address, body | {"player": spelling}).refused("player-exclusion")
        writer.post(address, body | {"card": "am-1"}).ok(201)
    assert list(TournamentEntry.objects.exclude(card="").values_list("card", flat=True)) == ["AM-1", "AM-1"]
    page = house.at_console("supervisor").post("/promo/tournaments/NIGHT/enter/", {"player": "Robin", "card": "rx-1"})
    assert page.status == 422
    assert "is excluded" in page.body
    assert TournamentEntry.objects.count() == 4


def test_a_large_fee_is_somebodys(house: House) -> None:
    approved(house, fee="12000.00")
    register(house)
    writer = house.insider("writer")
    house.insider("supervisor")
    for address in ENTRIES:
        body = {"player": "Anna", "numbers": [1, 2, 3]} if address.startswith("keno") else {"player": "Anna"}
        if address.startswith("keno"):
            writer.post("keno/shifts", {}).ok(201)
        with house.unchanged():
            assert writer.post(address, body).refused("identity-needed")
            assert writer.post(address, body | {"card": "RX-1"}).refused("identity-needed")
            assert writer.post(address, body | {"identity": WHO | {"document_number": ""}}).refused()
        writer.post(address, body | {"identity": WHO}).ok(201)
    assert not Incident.objects.filter(kind="cash-without-identity").exists()
    assert CashLine.objects.filter(what="tournament-fee", identity__isnull=False).count() == 2
