"""What a game could pay, its alarm and its chart; every setting of Keno with its page and its way to another."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client, override_settings

from house.models import Proposal
from keno import approved
from keno.models import Game, KenoSettings
from keno.pages.settings import AMOUNTS
from kernel.money import Money
from tests.console import keno_scene
from tests.console.conftest import build_venue
from tests.plugins.worlds import kept
from tests.world.approvals import decide
from tests.world.demo import demo_actor
from tests.world.keno_counter import approve_value

pytestmark = pytest.mark.django_db


def _sold() -> int:
    with override_settings(DEMO=True):
        keno_scene.evening(games=1, tickets=3)
    return Game.objects.get(status="open").number


on_sale = kept(build_venue, _sold)


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode())).replace("\u202f", " ")


def test_control_says_what_each_game_could_pay(on_sale: int, signed_in: Callable[[str], Client]) -> None:
    client = signed_in("supervisor")
    assert "Could pay at most" in text(client.get("/keno/"))
    assert 'role="alert"' not in client.get("/keno/live/").content.decode()
    approve_value(approved.AMOUNT, approved.EXPOSURE_ALARM, "0.00")
    assert f"Game {on_sale} could pay out" in text(client.get("/keno/live/"))


def test_the_chart_sets_it_against_turnover(on_sale: int, signed_in: Callable[[str], Client]) -> None:
    page = signed_in("supervisor").get("/keno/exposure/")
    shown = {row.game.number: row for row in page.context["rows"]}
    assert shown[on_sale].limit == approved.AMOUNTS[approved.MOST_A_GAME]
    played = next(row for number, row in shown.items() if number != on_sale)
    assert played.turnover == played.game.sealed_stakes
    assert f"<title>{played.game.number}: Turnover" in page.content.decode()
    assert signed_in("writer").get("/keno/exposure/").status_code == 403


def test_every_amount_is_on_the_page_and_can_be_proposed(on_sale: int, signed_in: Callable[[str], Client]) -> None:
    assert set(AMOUNTS) == set(approved.AMOUNTS)
    client = signed_in("supervisor")
    page = text(client.get("/keno/settings/"))
    assert all(title in page for title, _ in AMOUNTS.values())
    client.post("/keno/settings/amounts/most-a-ticket/propose/", {"new": "250000.00", "why": "Smaller house."})
    proposal = Proposal.objects.latest("pk")
    assert (proposal.subject, proposal.new) == ("amount:most-a-ticket", "250000.00")
    assert approved.amount(approved.MOST_A_TICKET) == approved.AMOUNTS[approved.MOST_A_TICKET]
    decide(proposal, house=demo_actor("manager"))
    assert approved.amount(approved.MOST_A_TICKET) == Money.dollars(250_000)
    assert client.get("/keno/settings/amounts/no-such/propose/").status_code == 404


def test_how_games_are_run_is_proposed_here(on_sale: int, signed_in: Callable[[str], Client]) -> None:
    client = signed_in("supervisor")
    said = {"interval_seconds": "240", "draw_after_seconds": "10", "pace_milliseconds": "900", "balls_confirmed": "yes"}
    client.post("/keno/settings/games/propose/", {**said, "why": "Slower."})
    decide(Proposal.objects.latest("pk"), house=demo_actor("manager"))
    now = KenoSettings.current()
    assert (now.interval.seconds, now.draw_after.seconds, now.pace.microseconds, now.balls_confirmed) == (
        240,
        10,
        900_000,
        True,
    )
    assert "240 s" in text(client.get("/keno/settings/"))
    refused = client.post("/keno/settings/games/propose/", {**said, "interval_seconds": "20", "why": "Too fast."})
    assert "A draw is over before the next game closes" in text(refused)
    assert KenoSettings.current().interval.seconds == 240
