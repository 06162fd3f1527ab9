"""From a player's telephone to a sold ticket: marked at /play/, shown as a code, scanned at the counter."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from keno.demo import build_demo
from keno.models import Ticket
from kernel.money import Money
from tests.console.browser import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.clause("act-keno:4.4-form", "act-keno:4.1")
def test_a_ticket_marked_on_a_telephone_is_sold_at_the_counter(person: Callable[..., Person], tmp_path: Path) -> None:
    build_demo()
    player = person(width=390, height=844)
    phone = player.go("/play/")
    phone.locator("#play[data-ready]").wait_for()
    for number in (1, 2, 3):
        phone.locator(f'[data-n="{number}"]').click()
    phone.get_by_role("button", name="New group").click()
    for number in (11, 12):
        phone.locator(f'[data-n="{number}"]').click()
    phone.get_by_role("button", name="1 × 2").click()
    phone.get_by_role("button", name="1 × 3").click()
    phone.get_by_label("Games").select_option("2")
    phone.get_by_text("$4.00").first.wait_for()
    assert "2 ways, 2 games." in phone.locator("#priced").inner_text()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.get_by_role("button", name="Show the code").click()
    code = phone.locator("[data-code]").inner_text()
    assert code == "KENO:PLAY:1:1.2.3+11.12:2*1.00+3*1.00:2:STANDARD:-"
    assert phone.locator("#code img").evaluate("each => each.complete && each.naturalWidth > 0")
    seen = tmp_path / "code.png"
    seen.write_bytes(phone.locator("#code img").screenshot())
    if scanner := shutil.which("zbarimg"):  # as the writer's scanner sees it on the telephone's glass
        assert subprocess.check_output([scanner, "--quiet", "--raw", seen], text=True).strip() == code
    assert not Ticket.objects.exists()

    writer = person("writer")
    counter = writer.go("/terminal/keno")
    counter.get_by_label("Float in the drawer").fill("500.00")
    counter.keyboard.press("Enter")
    counter.locator("#terminal[data-ready]").wait_for(state="attached")
    counter.get_by_text("Shift open with $500.00.").wait_for()
    counter.keyboard.type(code)
    counter.keyboard.press("Enter")
    counter.get_by_text("Sell $4.00").wait_for()
    assert not Ticket.objects.exists()
    counter.keyboard.press("Enter")
    counter.locator(".paper.sold").wait_for()
    ticket = Ticket.objects.get()
    assert (ticket.groups, ticket.games, ticket.price) == ([[1, 2, 3], [11, 12]], 2, Money.dollars(4))
    assert [(play.spots, str(play.stake)) for play in ticket.plays.order_by("place")] == [(2, "1.00"), (3, "1.00")]
    assert player.complaints == writer.complaints == []
