"""What can go wrong with a promotion and its draw, by the edition it is run under."""

from __future__ import annotations

from typing import Final

from house.incident_kinds import HOURS_48, IMMEDIATELY, INSPECTOR, IncidentKind

PERSON: Final = "person"  # who disputes it: told of the right to complain to an inspector

COMPROMISED = {
    "2019": IncidentKind(
        "promotion-compromised-2019",
        "The integrity of a promotion or its draw is compromised (2019 edition)",
        clause="nsw-promo-2019:15.12",
        notices=[(INSPECTOR, IMMEDIATELY)],
    ),
    "2025": IncidentKind(
        "promotion-compromised-2025",
        "The integrity of a promotion or its draw is compromised (2025 edition)",
        clause="nsw-promo-2025:17.11",
        notices=[(INSPECTOR, HOURS_48)],
    ),
}

NOT_NOTIFIED = {
    "2019": IncidentKind(
        "promotion-winner-not-notified-2019",
        "Nobody tried to tell the winner of a promotional prize within two days of the draw (2019 edition)",
        clause="nsw-promo-2019:15.8",
    ),
    "2025": IncidentKind(
        "promotion-winner-not-notified-2025",
        "Nobody tried to tell the winner of a promotional prize within two days of the draw (2025 edition)",
        clause="nsw-promo-2025:17.8",
    ),
}
DISPUTE = {
    "2019": IncidentKind(
        "promotion-dispute-2019",
        "A person disputes a decision about a promotion (2019 edition)",
        clause="nsw-promo-2019:15.11",
        notices=[(PERSON, IMMEDIATELY)],
    ),
    "2025": IncidentKind(
        "promotion-dispute-2025",
        "A person disputes a decision about a promotion (2025 edition)",
        clause="nsw-promo-2025:17.10",
        notices=[(PERSON, IMMEDIATELY)],
    ),
}

DRAW_WAITS = IncidentKind("promotion-draw-waits", "The draw of a promotion waits for the witness")

ALL: Final = (DRAW_WAITS, *COMPROMISED.values(), *NOT_NOTIFIED.values(), *DISPUTE.values())
