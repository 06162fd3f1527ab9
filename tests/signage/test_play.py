"""``/play/`` over HTTP: for everybody, priced as a quote is, and nothing of it is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from keno import entry_code
from keno.entries import compose
from tests.world import keno_counter as at
from tests.world.keno_counter import ENTRY_FORM as APPROVED
from tests.world.rows import rows_of

pytestmark = pytest.mark.django_db

WAY = {
    "groups": [[1, 2, 3], [4, 5, 6], [7, 8], [9]],
    "plays": [{"spots": 6, "stake": "0.50"}, {"spots": 3, "stake": "1.00"}],
    "games": 50,
}


@pytest.fixture
def forms() -> None:
    for code in ("STANDARD", "WAY"):
        at.approve_value("entry-form", code, APPROVED)


def price(body: Any) -> tuple[int, dict[str, Any]]:
    sent = body if isinstance(body, str) else json.dumps(body)
    answer = Client().post("/play/price.json", sent, content_type="application/json")
    return answer.status_code, answer.json()


@pytest.mark.clause("act-keno:4.4-form")
def test_an_entry_is_priced_and_nothing_is_stored(forms: None) -> None:
    before = rows_of("keno", "ledger", "house", "web")
    status, told = price(WAY)
    assert (status, told["price"], told["ways"], told["charged_games"]) == (200, "220.50", 6, 49)
    assert [(play["spots"], play["ways"], play["returned"]) for play in told["plays"]] == [
        (6, 3, "52.8%"),  # without the jackpots, which get a quarter of what jackpot ways stake
        (3, 3, "77.7%"),
    ]
    assert told["picture"].startswith("data:image/svg+xml")
    assert str(compose(entry_code.read(told["code"])).quote.price.total) == "220.50"  # the code says the same entry
    assert rows_of("keno", "ledger", "house", "web") == before


@pytest.mark.clause("act-keno:4.4-form")
def test_the_page_has_the_odds_the_return_the_help_line_and_the_approval(forms: None) -> None:
    page = Client().get("/play/")
    text = page.content.decode()
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
    assert not page.cookies
    odds = ("<td>1 in 4.00</td>", "1 in 8,911,711", "75.0%")  # any prize of one number, the top prize of ten
    for said in (str(APPROVED["help_line"]), *odds, "approved under GCI/26/4"):
        assert said in text
    assert Client().get("/play/forms/standard.pdf").content.startswith(b"%PDF")
    assert Client().get("/play/forms/other.pdf").status_code == 404


@pytest.mark.clause("act-keno:4.4-form")
def test_without_an_approval_there_is_no_form() -> None:
    assert "No entry form is approved" in Client().get("/play/").content.decode()
    assert Client().get("/play/forms/way.pdf").status_code == 409
    assert price({"numbers": [1, 2, 3], "stake": "1.00"})[1]["code"] == "entry-form-not-approved"
    at.approve_value("entry-form", "STANDARD", APPROVED)
    assert price({"numbers": [1, 2, 3], "stake": "1.00"})[0] == 200
    assert price(WAY)[1]["code"] == "entry-form-not-approved"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"numbers": [1, 1], "stake": "1.00"}, 422, "number-repeated"),
        ({"numbers": [1, 2, 3], "stake": "0.75"}, 422, "stake-not-allowed"),
        ({"numbers": [1, 2, 3]}, 400, "stake-missing"),
        ({"quick_pick": {}, "stake": "1.00"}, 400, "malformed"),
        ({"set_bet": "KINGS", "stake": "1.00"}, 400, "malformed"),
        ({"numbers": [1], "stake": "1.00", "player": "C-1"}, 400, "malformed"),
        ("[", 400, "malformed"),
        ("[" * 5_000, 400, "malformed"),
    ],
)
def test_what_cannot_be_sold_is_refused_in_the_same_words(forms: None, body: Any, status: int, code: str) -> None:
    found, told = price(body)
    assert (found, told["code"]) == (status, code)
