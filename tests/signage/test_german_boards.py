"""The boards in German on a real screen: what their scripts say is German too, and the browser refuses nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.signage import acts
from tests.world.browser import Screen

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_board_says_it_in_german(screen: Callable[..., Screen]) -> None:
    acts.play_game(48212)
    board = screen("/signage/keno?lang=de", width=1920, height=1080)
    board.until("() => document.querySelector('#status').textContent.startsWith('Endgültiges Ergebnis')")
    said = board.page.inner_text("body")
    for english in ("Final result", "heads", "tails", "Last games", "No game", "winning"):
        assert english not in said
    assert "oben" in said
    assert board.complaints == []


def test_the_check_page_refuses_in_german(screen: Callable[..., Screen]) -> None:
    page = screen("/verify/?lang=de").page
    page.get_by_role("button", name="Prüfen", exact=True).click()
    page.get_by_role("heading", name="Welcher Schein, oder welches Spiel?").wait_for()
