"""Terms of the promotions of a simulated month: one with a winner who must be there, one with a car, one by post."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

SUBMITTED_BEFORE: Final = timedelta(hours=24, minutes=5)
RUNS_FOR: Final = timedelta(hours=6)
DRAWN_AFTER: Final = timedelta(minutes=20)
LIMIT_A_PERSON: Final = 4


def _money(name: str, value: str, **more: object) -> dict[str, object]:
    kind = {"kind": "money", "conditions": "none", "payment": ["transfer", "cheque"]}
    return {"name": name, "value": value, **kind, **more}


CAR: Final = {
    "name": "A car",
    "kind": "vehicle",
    "value": "35000.00",
    "conditions": "none",
    "payment": ["handed-over"],
    "details": {"make": "Kestrel", "model": "Wren", "accessories": "none", "on_road_costs": True},
}
DINNER: Final = {
    "name": "Dinner for two",
    "kind": "voucher",
    "value": "80.00",
    "conditions": "none",
    "payment": ["issued"],
    "details": {"redeemable_at": "Any restaurant of the casino", "expires": "none"},
}


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of promotion."""

    title: str
    edition: str
    prizes: tuple[Mapping[str, Any], ...]
    present: bool = False
    one_a_person: bool = False

    @property
    def is_overseen(self) -> bool:
        return any(float(prize["value"]) > 10_000 for prize in self.prizes)


SORTS: Final = (
    Sort(
        "Called on the stage",
        "2025",
        (_money("First", "2000.00", alternates=2), _money("Second", "500.00"), DINNER),
        present=True,
        one_a_person=True,
    ),
    Sort("A car to win", "2019", (CAR, _money("Second", "1000.00"))),
    Sort(
        "Told by telephone", "2019", (_money("First", "750.25"), _money("Second", "250.00"), _money("Third", "100.00"))
    ),
)


def terms_of(sort: Sort, *, starts: datetime) -> dict[str, object]:
    closes = starts + RUNS_FOR
    draw = closes + DRAWN_AFTER
    return {
        "manner": "One draw from all entries by random number generator.",
        "starts_at": starts.isoformat(),
        "entries_close_at": closes.isoformat(),
        "draw_at": draw.isoformat(),
        "awarded_at": draw.isoformat(),
        "awarded_where": "Main stage",
        "eligibility": "Members aged 18 and over. Employees and their households cannot take part.",
        "minimum_age": 18,
        "households_excluded": True,
        "minimum_wager": "none",
        "nature": "Money, and what is named.",
        "reservations": "none",
        "place": "The casino",
        "claim": "At the cage, with the player card and identification.",
        "must_be_present": sort.present,
        **({"call_seconds": 60} if sort.present else {}),
        "claim_within_days": 28,
        "unclaimed": "redraw",
        "notification": ["face-to-face"] if sort.present else ["telephone", "email"],
        "publication": "On this page and on the boards.",
        "limit_per_person": LIMIT_A_PERSON,
        "one_prize_a_person": sort.one_a_person,
        "prizes": [dict(prize) for prize in sort.prizes],
    }
