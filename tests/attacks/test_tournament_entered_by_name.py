"""An excluded player enters a tournament under another name, by an invented card, another spelling of his own or a
second card; somebody brings $12,000 as a fee and is called Anna; a supervisor says that a fee he took went back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from house.models.cash import CashLine
from ledger.balance import balance
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


def body(address: str, **more: Any) -> dict[str, Any]:
    return more | ({"numbers": [1, 2, 3]} if address.startswith("keno") else {})


def test_nobody_enters_without_a_card_of_his_that_may_play(house: House) -> None:
    approved(house)
    supervisor, player = register(house)
    supervisor.post(f"players/{player}/restrictions", {"kind": "exclusion", "reason": "As asked."}).ok(201)
    anna = supervisor.post("players/", {"name": "Anna Marsh", "card": "AM-1"}).ok(201)["number"]
    writer = house.insider("writer")
    for address in ENTRIES:
        with house.unchanged():
            assert writer.post(address, body(address)).refused()
            assert writer.post(address, body(address, player="Somebody else")).refused()
            assert writer.post(address, body(address, card="ZZ-404")).refused("card-unknown")
            for spelling in SPELLINGS:
                assert writer.post(address, body(address, card=spelling)).refused("player-exclusion")
        writer.post(address, body(address, card="am-1")).ok(201)
    supervisor.post(f"players/{anna}/cards", {"card": "AM-2"}).ok(201)
    for address in ENTRIES:
        with house.unchanged():
            assert writer.post(address, body(address, card="AM-1")).refused("card-not-valid")
            assert writer.post(address, body(address, card="am-2")).refused("already-entered")
    assert list(TournamentEntry.objects.values_list("card", "player")) == [("AM-1", "Anna Marsh")] * 2
    page = house.at_console("supervisor").post("/promo/tournaments/NIGHT/enter/", {"card": "rx-1"})
    assert page.status == 422
    assert "is excluded" in page.body
    assert TournamentEntry.objects.count() == 2


def test_a_large_fee_is_somebodys(house: House) -> None:
    approved(house, fee="12000.00")
    register(house)
    writer = house.insider("writer")
    house.insider("supervisor")
    writer.post("keno/shifts", {}).ok(201)
    for address in ENTRIES:
        asked = body(address, card="RX-1")
        with house.unchanged():
            assert writer.post(address, asked).refused("identity-needed")
            assert writer.post(address, asked | {"identity": WHO | {"document_number": ""}}).refused()
        writer.post(address, asked | {"identity": WHO}).ok(201)
    assert CashLine.objects.filter(what="tournament-fee", identity__isnull=False).count() == 2


def test_nobody_gives_a_fee_back_on_his_own_word(house: House) -> None:
    approved(house)
    register(house)
    supervisor, writer, manager = (house.insider(role) for role in ("supervisor", "writer", "manager"))
    taken = supervisor.post("tournaments/NIGHT/entries", {"card": "RX-1"}).ok(201)["id"]
    why = {"why": "He went home."}
    with house.unchanged():
        assert supervisor.post(f"tournament-entries/{taken}/refund").refused("supervisor-needed")
        assert writer.post(f"tournament-entries/{taken}/authorise-refund", why).refused("no-permission")
    supervisor.post(f"tournament-entries/{taken}/authorise-refund", why).ok()
    with house.unchanged():
        assert supervisor.post(f"tournament-entries/{taken}/refund").refused("two-people-needed")
    manager.post(f"tournament-entries/{taken}/refund").ok()
    assert str(balance("promotions:tournaments").amount) == "0.00"
    with house.unchanged():
        assert manager.post(f"tournament-entries/{taken}/refund").refused("already-refunded")
