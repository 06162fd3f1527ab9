"""A supervisor at a disputed pot taps the cards in, on a telephone, and reads who gets what."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.console.browser import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.clause("act-pk:14.2b")
def test_cards_are_tapped_in(person: Callable[..., Person]) -> None:
    supervisor = person("supervisor", width=390, height=844)
    page = supervisor.go("/tables/poker/")
    page.get_by_label("Game").select_option("hold-em")
    players = page.get_by_label("Players")

    def tap(*cards: str) -> None:
        for card in cards:
            page.locator(f'[data-card="{card}"]').click()

    for line, cards in (("1 20", ("AH", "KC")), ("\n2 25", ("QS", "QH"))):
        players.press_sequentially(line)
        tap(*cards)
    assert players.input_value() == "1 20 AH KC\n2 25 QS QH"
    page.get_by_label("Communal cards").focus()
    tap("AS", "KD", "9H", "4C", "3D", "2D", "3D")  # one too many, and taken back
    assert page.get_by_label("Communal cards").input_value() == "AS KD 9H 4C 2D"
    assert page.locator('.card-pad [aria-pressed="true"]').count() == 9
    page.get_by_label("Seat of the buck").fill("1")
    supervisor.picture("poker-pot-390-light")
    page.get_by_role("button", name="See who gets what").click()
    page.get_by_text("Seat 1 shows two pairs: A♠ A♥ K♦ K♣ 9♥").wait_for()
    page.get_by_text("$5.00 of seat 2 was called by nobody and goes back").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
