"""A real game of Keno, from its tickets to the player's browser: nothing here is made up by the test."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from PIL import Image

from chance import draw_proof, proof
from keno import particulars
from keno.models import Draw, Game, Ticket
from keno.particulars import new_serial
from keno.receipts.data import receipt_of
from signage import proofs
from signage.proofs import game_proof
from tests.plugins.worlds import kept
from tests.signage.feeds import load
from tests.world.browser import Screen
from tests.world.keno_games import cancel_from, open_first_game, put_ticket, run, some_numbers

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)


def play_one_game() -> tuple[int, list[Ticket]]:
    game = open_first_game()
    tickets = [
        put_ticket(first_game=game.number, groups=[some_numbers(6, seed)], plays=[(6, 100)], serial=new_serial())
        for seed in range(5)
    ]
    run(game.closes_at, game.closes_at + timedelta(seconds=20))
    return game.number, tickets


def play_three_games() -> tuple[Ticket, Ticket]:
    """One ticket in all three, one in the second only; the third game is under way, and so not settled."""
    game = open_first_game()
    long = put_ticket(first_game=1, groups=[some_numbers(6)], plays=[(6, 100)], games=4, serial=new_serial())
    short = put_ticket(first_game=2, groups=[some_numbers(3)], plays=[(3, 100)], serial=new_serial())
    for _ in range(2):
        run(game.closes_at, game.closes_at + timedelta(seconds=20))
        game = Game.objects.get(status="open")
    return long, short


def verdict(page: Page, kind: str) -> str:
    page.locator(f"#result[data-verdict={kind}]").wait_for()
    return str(page.locator(".verdict").inner_text())


@pytest.mark.long
def test_a_serial_alone_shows_the_ticket_in_each_of_its_games(screen: Callable[..., Screen], client: Client) -> None:
    long, short = play_three_games()
    somebody = screen("/verify/")
    page = somebody.page
    page.get_by_label("Serial").fill(f"{long.serial[:4]}-{long.serial[4:]}".lower())
    page.get_by_role("button", name="Check it").click()
    assert f"Ticket {long.serial} plays in games 1 to 4; 2 are settled." in verdict(page, "good")
    games = page.locator(".games > li").evaluate_all(
        "items => items.map((item) => [item.dataset.game, item.className])"
    )
    assert games == [["2", "is-good"], ["1", "is-good"]]
    page.locator("[data-game='2'] > details > summary").click()
    entry = page.locator("[data-game='2'] [data-step=entry]").inner_text()
    assert "This ticket took part in this draw as entry" in entry
    assert "With its security code your browser also checks what is printed on it." in entry
    somebody.picture("signage-verify-serial", full=True)
    page.goto(f"{page.url.partition('#')[0]}#serial={short.serial}")
    page.reload()
    assert f"Game 2 and ticket {short.serial}" in verdict(page, "good")
    # What a serial opens: nothing that is printed on the ticket, and no code.
    told = client.post("/verify/ticket.json", {"serial": long.serial}, content_type="application/json").json()
    assert told.keys() == {"serial", "first_game", "plays_to", "played", "games"}
    assert [one.keys() for one in told["games"]] == [{"game", "ticket_root", "entry"}] * 2
    for one in told["games"]:
        assert one["entry"].keys() == {"version", "leaf", "index", "ticket_count", "path"}
        assert proof.holds(draw_proof.check_entry(one["entry"], game_proof(one["game"])["proof"]))
    assert particulars.code_of(long) not in json.dumps(told)


@pytest.mark.long
def test_the_receipts_own_code_is_read(screen: Callable[..., Screen]) -> None:
    """What the QR code holds, scanned into the field, as an address, or read from a picture by the browser."""
    long, short = play_three_games()
    one = receipt_of(short, duplicate=False).code
    many = receipt_of(long, duplicate=False).code
    page = screen("/verify/").page
    for text, said in [
        (one, f"Game 2 and ticket {short.serial}"),
        (many, f"Ticket {long.serial} plays in games 1 to 4; 2 are settled."),
        (f"https://x/verify/?game=2#serial={short.serial}&code={particulars.code_of(short)}", "Game 2 and ticket"),
    ]:
        page.get_by_label("Serial").fill(text)
        page.get_by_role("button", name="Check it").click()
        page.locator(".verdict", has_text=said).wait_for()
        assert "Everything is right" in verdict(page, "good")
        assert "exactly as written" in str(page.locator("[data-step=entry]").first.text_content())
        boards = page.locator(".board-of-game").evaluate_all(
            "all => all.map((one) => one.querySelectorAll('.mine').length)"
        )
        assert boards == ([6, 6, 6] if text == many else [3])  # above all, and of each game
    page.get_by_label("Security code").fill("0" * 16)
    page.get_by_role("button", name="Check it").click()
    assert "There is no ticket with this serial and security code." in verdict(page, "attention")


@pytest.mark.long
def test_a_picture_of_the_receipt_is_read_where_the_browser_can(screen: Callable[..., Screen]) -> None:
    _, short = play_three_games()
    page = screen("/verify/").page
    assert not page.locator("#scan").is_visible()  # this browser cannot
    code = receipt_of(short, duplicate=False).code
    seen = json.dumps([{"rawValue": "x"}, {"rawValue": code}])
    page.add_init_script(f"window.BarcodeDetector = class {{ async detect() {{ return {seen}; }} }};")
    page.reload()
    picture = io.BytesIO()
    Image.new("RGB", (8, 8)).save(picture, "PNG")
    page.locator("#scan input").set_input_files(
        files={"name": "r.png", "mimeType": "image/png", "buffer": picture.getvalue()}
    )
    assert f"Game 2 and ticket {short.serial}" in verdict(page, "good")


def test_a_forged_place_in_the_root_is_shown_as_forged(
    screen: Callable[..., Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house left the ticket out and shows the way of another one; or of the right one in one game of two."""
    long, short = play_three_games()
    honest = proofs.memberships

    def forged(**asked: Any) -> Any:
        told: Any = honest(**asked)
        told["games"][0]["entry"]["leaf"] = "ab" * 32
        return told

    monkeypatch.setattr(proofs, "memberships", forged)
    page = screen(f"/verify/#serial={short.serial}").page
    assert "This does not hold" in verdict(page, "stopped")
    assert page.locator(".steps > li.is-stopped").evaluate_all("items => items.map((i) => i.dataset.step)") == ["entry"]
    page = screen(f"/verify/#serial={long.serial}").page
    assert "Game 2 fails" in verdict(page, "stopped")
    assert [page.locator(f"[data-game='{n}']").get_attribute("class") for n in (2, 1)] == ["is-stopped", "is-good"]


three_games = kept(play_three_games)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"serial": "0" * 12}, 404, "no-such-ticket"),
        ({"serial": "LONG", "game": 9}, 404, "no-such-game"),
        ({"serial": "LONG", "game": 3}, 409, "not-sealed"),
        ({"serial": "SHORT", "game": 1}, 422, "not-in-game"),
        ({"serial": "LONG", "security_code": "0" * 16}, 400, "malformed"),
        ({"game": 1}, 400, "malformed"),
        ({"serial": 7}, 400, "malformed"),
    ],
)
def test_a_serial_that_proves_nothing_is_refused_with_a_sentence(
    client: Client, three_games: tuple[Ticket, Ticket], asked: dict[str, Any], status: int, code: str
) -> None:
    long, short = three_games
    known = {"LONG": long.serial, "SHORT": short.serial}
    sent = {name: known.get(value, value) if isinstance(value, str) else value for name, value in asked.items()}
    answer = client.post("/verify/ticket.json", sent, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["detail"].endswith(".")


def test_a_ticket_that_has_not_played_and_one_that_was_cancelled(screen: Callable[..., Screen]) -> None:
    open_first_game()
    waiting = put_ticket(first_game=1, groups=[[5]], plays=[(1, 100)], games=2, serial=new_serial())
    gone = put_ticket(first_game=1, groups=[[5]], plays=[(1, 100)], serial=new_serial())
    cancel_from(gone, 1)
    page = screen(f"/verify/#serial={waiting.serial}").page
    assert "has not played yet" in verdict(page, "attention")
    assert "games 1 to 2" in verdict(page, "attention")
    page = screen(f"/verify/#serial={gone.serial}").page
    assert "was cancelled" in verdict(page, "attention")


def test_the_board_and_the_check_of_a_real_game(screen: Callable[..., Screen], client: Client) -> None:
    number, tickets = play_one_game()
    draw = Draw.objects.get(game_id=number)
    shown = next(game for game in load()["keno"]["games"] if game["number"] == number)
    assert (shown["status"], shown["drawn"]) == ("settled", draw.numbers)
    told = game_proof(number)
    steps = draw_proof.check(told["proof"], published_commitment=told["promised"]["commitment"])
    assert proof.holds(steps)
    for ticket in tickets:
        page = screen(f"/verify/?game={number}#serial={ticket.serial}&code={particulars.code_of(ticket)}").page
        page.locator("#result[data-verdict=good]").wait_for()
        assert "Your ticket took part in this draw" in str(page.locator("[data-step=entry]").text_content())
    asked = {"game": number, "serial": tickets[0].serial, "security_code": particulars.code_of(tickets[1])}
    refused = client.post("/verify/ticket.json", asked, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (404, "no-such-ticket")


def test_serials_that_cannot_be(client: Client) -> None:
    number, _ = play_one_game()
    for serial in ("\x00", "\ud800", "9" * 500):
        asked = {"game": number, "serial": serial, "security_code": serial}
        answer = client.post("/verify/ticket.json", asked, content_type="application/json")
        assert answer.status_code == 400, serial
