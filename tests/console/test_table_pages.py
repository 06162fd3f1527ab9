"""A supervisor checks a hand, records what was paid, and follows the over- or underpayment to its end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from kernel.money import Money
from tablegames.demo import build_demo
from tablegames.models import Check, ErrorStep, PaymentError
from tests.console.pages import text
from tests.world.players import registered

HAND = {
    "table": "CSP-01",
    "wagers": "ante 10\nbet 20",
    "cards": "player 8S 8H 5D 5C 3C\ndealer AD KC 9H 4S 2D",
    "paid": "ante 10\nbet 60",
    "player": "P-7",
}


@pytest.fixture
def supervisor(signed_in: Callable[[str], Client]) -> Client:
    build_demo()
    registered("P-7")
    return signed_in("supervisor")


def test_what_is_owed_is_shown_and_nothing_is_kept(supervisor: Client) -> None:
    page = supervisor.get("/tables/settle/?table=CSP-01")
    assert "Caribbean Stud Poker" in text(page)
    answer = supervisor.post("/tables/settle/", HAND | {"do": "look"})
    assert answer.status_code == 200
    assert "$40<small>.00</small>" in text(answer)
    assert "too much" in text(answer)
    assert "nsw-csp:10.1" in text(answer)
    assert not Check.objects.exists()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"cards": "player 8S 8S 5D 5C 3C\ndealer AD KC 9H 4S 2D"}, "8S is there twice"),
        ({"wagers": "ante ten"}, "is not an amount"),
        ({"wagers": "10"}, "write the wager, then the amount"),
        ({"wagers": "ante 10\nante 20"}, "ante is there twice"),
        ({"paid": "ante 10"}, "Say what was paid on bet"),
        ({"paid": "", "do": "record"}, "before it is recorded"),
        ({"draw": "sixth-card"}, "does not offer this"),
        ({"table": "XX-01"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_is_said_in_words(supervisor: Client, change: dict[str, str], says: str) -> None:
    answer = supervisor.post("/tables/settle/", HAND | {"do": "record"} | change)
    assert answer.status_code == 422
    assert says in text(answer).replace("&#x27;", "’")
    assert not Check.objects.exists()


def test_what_else_can_be_said_of_a_hand(supervisor: Client) -> None:
    """The choices reach the rules: an invalid wager wins nothing, a forced dealer draws another card."""
    answer = supervisor.post("/tables/settle/", HAND | {"invalid": "during", "paid": "", "do": "look"})
    assert "nsw-csp:14.20.2" in text(answer)
    forced = {
        "table": "LP-02",
        "wagers": "ante 10\nbet 20",
        "cards": "player AS AH KD 5C 3C\ndealer QD JH 9H 4S 2D\nreplacement 7C",
        "also": ["force"],
        "do": "look",
    }
    assert "vu-lp:10.4" in text(supervisor.post("/tables/settle/", forced))


def test_games_of_one_outcome(supervisor: Client) -> None:
    body = {"table": "AR-01", "wagers": "straight-up:17 1\nred 5", "outcome": "17", "do": "look"}
    assert "$35<small>.00</small>" in text(supervisor.post("/tables/settle/", body))


def test_from_the_check_to_the_end(supervisor: Client, signed_in: Callable[[str], Client]) -> None:
    answer = supervisor.post("/tables/settle/", HAND | {"do": "record"}, follow=True)
    error = PaymentError.objects.get()
    assert answer.redirect_chain[-1][0] == f"/tables/errors/{error.pk}/"
    assert "$20<small>.00</small>" in text(answer)
    assert f"No. {error.pk}" in text(supervisor.get("/tables/errors/"))
    assert supervisor.get(f"/tables/checks/{error.check_of_id}/").status_code == 200
    assert b"payment-error" not in supervisor.get("/tables/errors/?format=csv").getvalue()[:40]  # a table, not a page
    path = f"/tables/errors/{error.pk}"
    supervisor.post(f"{path}/intent/", {"intent": "unintentional", "enquiries": "Footage seen."})
    supervisor.post(f"{path}/step/", {"kind": "identify", "how": "By the card.", "succeeded": "yes"})
    assert ErrorStep.objects.get().succeeded
    refused = supervisor.post(f"{path}/rectify/", {"amount": "21", "how": "In chips."})
    assert refused.status_code == 422
    assert "outstanding" in text(refused)
    manager = signed_in("manager")
    blocked = manager.post(f"{path}/close/", {"outcome": "attempted", "what": "Gone."})
    assert "ask for the return" in text(blocked)
    supervisor.post(f"{path}/rectify/", {"amount": "20", "how": "In chips."})
    error.refresh_from_db()
    assert (error.status, str(error.rectified)) == ("rectified", "20.00")
    that_day = f"?first={error.day}&last={error.day}"
    shown = supervisor.get(f"/tables/reports/payment-errors/{that_day}")
    (row,) = shown.context["rows"]
    assert [cell["money"] for cell in row if cell["money"] is not None] == [error.amount, error.rectified, Money(0)]
    assert supervisor.get(f"/tables/reports/payment-errors/{that_day}&format=csv").content.startswith(b"No.,")
    pdf = supervisor.get(f"/tables/reports/payment-errors/{that_day}&format=pdf")
    assert pdf.content.startswith(b"%PDF")
    assert f"tables-payment-errors-{error.day}-{error.day}.pdf" in pdf.headers["Content-Disposition"]
    assert "written like 2026-11-16" in text(supervisor.get("/tables/reports/payment-errors/?first=x&last=y"))
    assert supervisor.get("/tables/reports/month-end/?first=1999-01-01&last=1999-01-31").status_code == 400
    assert supervisor.get(f"/tables/reports/weather/{that_day}").status_code == 404


def test_who_may(supervisor: Client, signed_in: Callable[[str], Client]) -> None:
    supervisor.post("/tables/settle/", HAND | {"do": "record"})
    error = PaymentError.objects.get()
    inspector = signed_in("inspector")
    assert inspector.get(f"/tables/errors/{error.pk}/").status_code == 200
    assert inspector.get("/tables/settle/").status_code == 403
    for act in ("intent", "step", "rectify", "close"):
        assert inspector.post(f"/tables/errors/{error.pk}/{act}/", {}).status_code == 403
    assert supervisor.post(f"/tables/errors/{error.pk}/close/", {}).status_code == 403
    assert supervisor.get("/tables/errors/999999/").status_code == 404
