"""/verify/ opens with what the ticket won, for whoever holds its paper; on a telephone, from the receipt's QR code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from house.models import Incident
from keno import particulars
from keno.close import close_game
from keno.hold import hold_prize
from keno.models import KenoSettings, Prize, Ticket, WrongCode
from keno.open_games import keep_open
from keno.particulars import new_serial
from keno.permissions import HOLD
from keno.receipts.data import receipt_of
from kernel.actors import Actor
from kernel.money import Money
from ledger.announce import announce_keys
from ledger.seal import seal_now
from tests.plugins.worlds import kept
from tests.signage.test_verify_paper import address
from tests.signage.test_whole import verdict
from tests.world.browser import Screen
from tests.world.keno_balls import enter_balls
from tests.world.keno_games import OPENS, RIGHTS, SUE, open_days, put_ticket
from tests.world.owner import unguarded

BALLS = tuple(range(3, 63, 3))
FOUR_OF_SIX, NOTHING, TWO_GAMES, WAYS = range(4)


def play_with_balls() -> list[Ticket]:
    """Game 1 is drawn and settled, game 2 is open."""
    KenoSettings.objects.create(device="mechanical")
    open_days()
    keep_open(now=OPENS)
    sold = [
        put_ticket(first_game=1, groups=[[1, 2, 3, 6, 9, 12]], plays=[(6, 100)], serial=new_serial()),
        put_ticket(first_game=1, groups=[[1, 2, 4, 5, 7, 8]], plays=[(6, 100)], serial=new_serial()),
        put_ticket(first_game=1, groups=[[3, 6, 1, 2]], plays=[(4, 100)], games=2, serial=new_serial()),
        put_ticket(first_game=1, groups=[[3, 6], [9, 1], [12, 2]], plays=[(4, 100)], serial=new_serial()),
    ]
    close_game(number=1, by=SUE, now=OPENS)
    enter_balls(number=1, balls=BALLS, by=SUE, now=OPENS)
    keep_open(now=OPENS)
    return sold


played = kept(play_with_balls)


def ask(client: Client, ticket: Ticket, **more: Any) -> Any:
    body = {"serial": ticket.serial, "security_code": particulars.code_of(ticket), **more}
    return client.post("/verify/won.json", body, content_type="application/json")


@pytest.mark.django_db
@pytest.mark.clause("act-keno:10.3")
def test_who_holds_the_paper_is_told_what_it_won(client: Client, played: list[Ticket]) -> None:
    told = ask(client, played[FOUR_OF_SIX]).json()
    prize = told["won"]
    assert (told["status"], told["owing"], told["paid"], told["held"]) == ("won", prize, "0.00", False)
    assert told["games"] == [
        {
            "game": 1,
            "status": "settled",
            "drawn": list(BALLS),
            "prize": prize,
            "bonus": "0.00",
            "refund": "0.00",
            "void": False,
            "ways": [{"spots": 6, "matches": 4, "count": 1}],
        }
    ]
    assert told["groups"] == [[1, 2, 3, 6, 9, 12]]
    assert told["schedule"] == {
        "code": "standard",
        "clause": "act-keno:8.1",
        "tables": {"6": ["0.00", "0.00", "0.00", "1.00", "4.00", "50.00", "1000.00"]},
        "jackpot_spots": [6, 8],
    }
    totals = client.get("/verify/games/1.json").json()["totals"]
    assert totals == {"majors": {"before": "0.00", "after": "0.00", "count": 0}, "jackpots": {}}
    lost = ask(client, played[NOTHING]).json()
    assert (lost["status"], lost["won"], lost["games"][0]["ways"]) == ("lost", "0.00", [])
    going = ask(client, played[TWO_GAMES]).json()
    assert (going["played"], going["still_playing"], going["plays_to"]) == (1, True, 2)
    ways = ask(client, played[WAYS]).json()["games"][0]["ways"]
    assert {(way["spots"], way["matches"]) for way in ways} == {(4, 3), (4, 2)}


@pytest.mark.django_db
def test_a_prize_on_hold_is_told_without_the_reason(client: Client, played: list[Ticket]) -> None:
    hold_prize(
        serial=played[FOUR_OF_SIX].serial,
        why="Looks like the manager’s brother.",
        by=Actor("staff:sue", "Sue", RIGHTS | {HOLD}),
    )
    answer = ask(client, played[FOUR_OF_SIX])
    assert answer.json()["held"]
    assert "brother" not in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "status", "code", "counted"),
    [
        ({"security_code": "0" * 16}, 404, "no-such-ticket", 1),
        ({"serial": "0" * 12}, 404, "no-such-ticket", 0),
        ({"security_code": None}, 400, "malformed", 0),
        ({"security_code": ""}, 400, "malformed", 0),
    ],
)
def test_without_the_code_nothing_is_told(
    client: Client, played: list[Ticket], change: dict[str, Any], status: int, code: str, counted: int
) -> None:
    answer = ask(client, played[FOUR_OF_SIX], **change)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert "won" not in answer.json()
    assert WrongCode.objects.count() == counted
    body = {"serial": played[FOUR_OF_SIX].serial}
    alone = client.post("/verify/won.json", body, content_type="application/json")
    assert (alone.status_code, alone.json()["code"]) == (400, "malformed")
    assert not Incident.objects.exists()


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_telephone_opens_with_it(screen: Callable[..., Screen]) -> None:
    announce_keys()
    sold = play_with_balls()
    seal_now()
    for dark in (False, True):
        telephone = screen(
            address(receipt_of(sold[FOUR_OF_SIX], duplicate=False).code), width=390, height=844, dark=dark
        )
        page = telephone.page
        assert "Everything is right" in verdict(page, "good")
        heading = page.locator(".won h2")
        assert heading.inner_text().replace("\xa0", " ") == "You matched 4 of 6: $4.00 to collect"
        assert page.locator(".numbers .mine.drawn").all_inner_texts() == ["3", "6", "9", "12"]
        assert page.locator(".numbers .mine:not(.drawn)").all_inner_texts() == ["1", "2"]
        assert page.locator(".numbers .drawn").count() == len(BALLS)
        box: Any = heading.bounding_box()
        assert box["y"] < 120  # before anything else
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert not page.locator("[data-step=entry]").is_visible()
        telephone.picture(f"signage-verify-telephone-{'dark' if dark else 'light'}", full=True)
    page.locator(".proofs > summary").click()
    assert "sealed before the first ball" in page.locator("[data-step=entry]").inner_text()
    assert "Your numbers win $4.00 by the rules, and that is what" in page.locator("[data-step=prize]").inner_text()
    assert "and so is the prize: from the pay table" in page.locator(".won").inner_text()
    # A prize of a thousand more is not what the numbers win.
    with unguarded("keno_prize"):
        Prize.objects.filter(ticket=sold[FOUR_OF_SIX]).update(amount=Money.dollars(1_004))
    forged = screen(address(receipt_of(sold[FOUR_OF_SIX], duplicate=False).code), width=390, height=844)
    said = verdict(forged.page, "stopped")
    assert said.startswith("The prize is not what your numbers win")
    assert "Your numbers win $4.00 by the rules; the house says $1,004.00. One of the two is false." in said
    forged.picture("signage-verify-forged-prize", full=True)
    # The serial alone shows no more than that it took part.
    page = screen(f"/verify/?game=1#serial={sold[FOUR_OF_SIX].serial}", width=390, height=844).page
    verdict(page, "good")
    assert page.locator(".won").count() == 0
