"""A supervisor at the screen: the hand is entered, the difference recorded, the money taken back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tablegames.accounts import open_accounts
from tablegames.demo import build_demo
from tablegames.models import PaymentError
from tests.console.browser import Person
from tests.world.browser import WANTED

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.long
def test_a_hand_paid_too_much_is_put_right(person: Callable[..., Person]) -> None:
    open_accounts()
    build_demo()
    somebody = person("supervisor", width=1280, height=1000)
    page = somebody.go("/tables/settle/")
    page.get_by_label("Table", exact=True).select_option("LP-02")
    page.get_by_role("textbox", name="Wagers").fill("ante 10\nsuper 5\nbet 20")
    page.get_by_role("textbox", name="Cards").fill("player AS KH KD 5C 3C\ndealer AD KC 9H 4S 2D\nsixth 3D")
    page.get_by_role("combobox", name="Draw").select_option("sixth-card")
    page.get_by_role("textbox", name="What was paid").fill("ante 0\nsuper 0\nbet 60")
    page.get_by_role("button", name="See what is owed").click()
    page.get_by_text("Paid as owed.").wait_for()  # two pairs, and the ace with a king
    page.get_by_role("textbox", name="What was paid").fill("ante 0\nsuper 0\nbet 80")
    page.get_by_role("button", name="See what is owed").click()
    page.get_by_text("too much").first.wait_for()
    somebody.picture("tables-settle-1280-light", full=True)
    page.get_by_role("button", name="Record what was paid").click()
    page.get_by_role("heading", name="$20.00 too much").wait_for()
    page.get_by_role("button", name="Record what was tried").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("What was tried").select_option("identify")
    dialog.get_by_label("How", exact=True).fill("By the player card.")
    dialog.get_by_role("button", name="Record it").click()
    page.get_by_text("What was tried is on record.").wait_for()
    somebody.picture("tables-error-1280-light")
    page.get_by_role("button", name="Take back").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("How", exact=True).fill("In chips.")
    dialog.get_by_role("button", name="Book it").click()
    page.get_by_text("Rectified").first.wait_for()
    assert PaymentError.objects.get().status == "rectified"
    if WANTED:
        somebody.go("/tables/errors/")
        somebody.picture("tables-errors-1280-light")
