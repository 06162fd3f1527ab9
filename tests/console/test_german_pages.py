"""Somebody who reads German: his own choice, kept; translated pages are German whole, the others English whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client, override_settings

from house.models import Staff
from keno.models import Game, Ticket
from ledger.models import Act
from tests.console import keno_scene
from tests.console.conftest import build_venue
from tests.plugins.worlds import kept
from tests.world.german import english_on, said_on

pytestmark = pytest.mark.django_db

PAGES = {
    "writer": (
        "/terminal/keno",
        "/keno/tickets/",
        "/keno/shifts/",
        "/keno/schedules/",
        "/terminal/keno/favourites/",
        "/search/?q=x",
    ),
    "supervisor": ("/keno/", "/keno/games/", "/keno/orders/", "/keno/claims/", "/keno/tournaments/", "/rules/"),
    "manager": ("/keno/catalogue/set-bet/", "/keno/settings/", "/keno/unclaimed/", "/keno/exposure/", "/audit/"),
    "inspector": ("/keno/disputes/", "/draws/", "/audit/seals/", "/audit/transfers/"),
}


def _sold() -> list[Ticket]:
    with override_settings(DEMO=True):
        return keno_scene.evening(games=1, tickets=3)


sold = kept(build_venue, _sold)


def in_german(client: Client) -> Client:
    assert client.post("/own/devices/", {"language": "de"}).status_code == 302
    return client


@pytest.mark.parametrize("role", PAGES)
def test_pages_in_german_say_nothing_in_english(
    role: str, sold: list[Ticket], signed_in: Callable[[str], Client]
) -> None:
    client = in_german(signed_in(role))
    game = Game.objects.order_by("number").first()
    assert game is not None
    of_one = (f"/keno/games/{game.number}/", f"/keno/tickets/{sold[0].serial}/") if role == "manager" else ()
    for address in (*PAGES[role], *of_one):
        answer = client.get(address, follow=True)
        assert answer.status_code == 200, address
        page = answer.content.decode()
        assert '<html lang="de"' in page, address
        assert english_on(page) == [], address


def test_the_choice_is_his_own_and_kept(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    acts = Act.objects.count()
    client, other = signed_in("manager"), signed_in("supervisor")
    english = said_on(other.get("/keno/games/").content.decode())
    in_german(client)
    assert Staff.objects.filter(language="de").count() == 1
    assert '<html lang="de"' in client.get("/keno/games/").content.decode()
    assert said_on(other.get("/keno/games/").content.decode()) == english
    assert '<html lang="en-AU"' in client.get("/devices/").content.decode()  # not translated yet: English, and whole
    assert "/said/" not in client.get("/devices/").content.decode()
    home = client.get("/").content.decode()
    assert '<html lang="en-AU"' in home  # made of every room's part
    assert "Needs your attention" in client.get("/waiting/", headers={"hx-request": "true"}).content.decode()
    refused = client.post("/own/devices/", {"language": "xx"}, follow=True)
    assert "Choose one of: English, Deutsch." in refused.content.decode()
    assert Act.objects.count() == acts


def test_a_refusal_in_german(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    client = in_german(signed_in("supervisor"))
    number = Game.objects.get(status="open").number
    answer = client.post(
        f"/keno/games/{number}/void/",
        {"cause": "malfunction", "comment": "No power."},
        follow=True,
        headers={"referer": "http://testserver/keno/"},
    )
    assert f"Spiel {number} ist " in " ".join(answer.content.decode().split())
    assert Game.objects.get(number=number).status == "open"
