"""What happens at the tables, for those who attack it: a hand is dealt, seen, paid."""

from __future__ import annotations

from typing import Any, Final

from tests.attacks.insider import Caller

ROYAL: Final = ["AS", "KS", "QS", "JS", "TS"]
OTHER_ROYAL: Final = ["AH", "KH", "QH", "JH", "TH"]
FULL_HOUSE: Final = ["4S", "4H", "4D", "3H", "3D"]
CAMERA: Final = "CAM-12 21:04"
WHO: Final = {
    "name": "Wu Li",
    "born": "1980-02-29",
    "address": "1 George St",
    "document": "Passport",
    "document_number": "PA1",
}


def start(dealer: Caller, table: str = "CSP-01") -> int:
    number: int = dealer.post(f"jackpot/tables/{table}/rounds", {"wagers": [{"box": 1}]}).ok(201)["round"]
    return number


def deal(dealer: Caller, cards: list[str] | None = None, *, table: str = "CSP-01") -> dict[str, Any]:
    """A round with one wager and a hand that wins: the hit, waiting to be verified."""
    ended = f"jackpot/rounds/{start(dealer, table)}/finish"
    (hit,) = dealer.post(ended, {"hands": [{"box": 1, "cards": cards or ROYAL}]}).ok()["hits"]
    found: dict[str, Any] = hit
    return found


def seen(cards: list[str] | None = None) -> dict[str, Any]:
    return {"cards": cards or ROYAL, "surveillance": CAMERA}


def pump(table: str, *, messages: int, wagers: int, name: str = "m") -> list[dict[str, Any]]:
    from datetime import UTC, datetime

    at = datetime.now(UTC).isoformat()
    return [{"id": f"{name}-{n}", "table": table, "wagers": wagers, "at": at} for n in range(messages)]


# Two pairs, paid at 2 to 1 on the bet: checked at a table
HAND: dict[str, Any] = {
    "game": "caribbean-stud",
    "wagers": {"ante": "1000.00", "bet": "2000.00"},
    "cards": {"player": ["8S", "8H", "5D", "5C", "3C"], "dealer": ["AD", "KC", "9H", "4S", "2D"]},
    "paid": {"ante": "1000.00", "bet": "4000.00"},
    "table": "CSP-01",
    "box": 3,
}
