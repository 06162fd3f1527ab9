"""/verify/ with a receipt's code in a real browser: signature, ticket, promise, history; and when one does not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from keno.models import Game, Ticket
from keno.receipts.data import receipt_of
from kernel.paper import Paper
from ledger.announce import announce_keys
from ledger.cosign import cosign_now
from ledger.keys import signing
from ledger.seal import seal_now
from tests.signage.test_whole import play_one_game, verdict
from tests.world.browser import Screen
from tests.world.keno_games import run
from tests.world.rewritten import seal_anew
from tests.world.witness import RunningWitness

pytestmark = pytest.mark.django_db(transaction=True)
PAPER_STEPS = ["paper signature", "paper leaf", "paper commitment", "paper head"]


def address(code: str) -> str:
    return "/verify/" + code.partition("/verify/")[2]


@pytest.fixture
def ticket(witness: RunningWitness) -> Ticket:
    """A ticket of a settled game; the log is sealed and cosigned."""
    announce_keys()
    _, tickets = play_one_game()
    seal_now()
    assert cosign_now()
    return tickets[0]


@pytest.mark.clause("act-keno:4.2")
def test_a_receipt_is_checked_whole(ticket: Ticket, screen: Callable[..., Screen]) -> None:
    code = receipt_of(ticket, duplicate=False).code
    somebody = screen(address(code))
    page = somebody.page
    assert f"Game {ticket.first_game} and ticket {ticket.serial}" in verdict(page, "good")
    steps = page.locator(".steps > li").evaluate_all("items => items.map((item) => item.dataset.step)")
    assert steps[-4:] == PAPER_STEPS
    assert "entry" in steps
    assert page.locator(".won h2").inner_text().startswith("You matched ")
    page.locator(".proofs > summary").click()
    assert "The house has signed this receipt." in page.locator("[data-step='paper signature']").inner_text()
    somebody.picture("signage-verify-paper", full=True)
    # The log goes on, and still continues the head on the paper.
    game = Game.objects.get(status="open")
    run(game.closes_at, game.closes_at + timedelta(seconds=20))
    seal_now()
    assert cosign_now()
    page.reload()
    assert "Everything is right" in verdict(page, "good")
    # Another serial is typed: the paper was of the first.
    page.get_by_label("Serial").fill("0000-0000-0000")
    page.get_by_role("button", name="Check it").click()
    assert "There is no ticket with this serial" in verdict(page, "attention")


def test_a_rewritten_history_is_told_in_one_sentence(ticket: Ticket, screen: Callable[..., Screen]) -> None:
    code = receipt_of(ticket, duplicate=False).code
    seal_anew("UPDATE ledger_act SET actor = 'staff:nobody' WHERE id = (SELECT min(id) + 3 FROM ledger_act)")
    somebody = screen(address(code))
    said = verdict(somebody.page, "stopped")
    assert said.startswith("Your receipt and the house’s record do not agree")
    assert "History was rewritten: the log of the house does not continue the one that is on your receipt." in said
    somebody.picture("signage-verify-rewritten", full=True)


def test_a_forged_and_an_exchanged_one(ticket: Ticket, screen: Callable[..., Screen]) -> None:
    receipt = receipt_of(ticket, duplicate=False)
    paper, _ = Paper.read(receipt.code)
    key = signing("receipt")
    page = screen("/verify/").page
    for text, said in (
        (paper.signed(lambda _: bytes(64)), "the receipt is forged"),
        (replace(paper, leaf=bytes(32)).signed(lambda text: key.sign(b"", text)), "not the one that was signed"),
        (replace(paper, commitment=bytes(32)).signed(lambda text: key.sign(b"", text)), "it was exchanged"),
    ):
        page.get_by_label("Serial").fill(receipt.code.replace(receipt.paper, text))
        page.get_by_role("button", name="Check it").click()
        page.locator(".verdict", has_text=said).wait_for()
        assert "Your receipt and the house’s record do not agree" in verdict(page, "stopped")
        assert page.locator("#result > :first-child.verdict").count() == 1
        assert page.locator(".won").count() == 0


def test_what_the_house_says_of_a_paper(ticket: Ticket, client: Client) -> None:
    code = receipt_of(ticket, duplicate=False).code

    def said(**asked: object) -> tuple[int, dict[str, object]]:
        answer = client.post("/verify/paper.json", asked, content_type="application/json")
        return answer.status_code, answer.json()

    status, told = said(serial=ticket.serial, paper=code)
    assert status == 200
    assert (told["signed"], told["known"], told["leaf"]) == (True, True, bytes(ticket.leaf).hex())
    assert told["first_game"] == ticket.first_game
    status, told = said(serial="0" * 12, paper=code)
    assert (status, told["signed"], told["known"], told["leaf"], told["commitment"]) == (200, True, False, None, None)
    for wrong in ({}, {"serial": ticket.serial}, {"serial": ticket.serial, "paper": "mh1.AAAA"}, {"paper": None}):
        assert said(**wrong)[0] == 400
