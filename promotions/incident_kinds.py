"""What can go wrong after a draw. That the integrity of a promotion is compromised is the house's own kind."""

from __future__ import annotations

from house.incident_kinds import PROMOTION_COMPROMISED_2019, PROMOTION_COMPROMISED_2025, incident_kind

COMPROMISED = {"2019": PROMOTION_COMPROMISED_2019, "2025": PROMOTION_COMPROMISED_2025}

NOT_NOTIFIED = {
    "2019": incident_kind(
        "promotion-winner-not-notified-2019",
        "Nobody tried to tell the winner of a promotional prize within two days of the draw (2019 edition)",
        clause="nsw-promo-2019:15.8",
    ),
    "2025": incident_kind(
        "promotion-winner-not-notified-2025",
        "Nobody tried to tell the winner of a promotional prize within two days of the draw (2025 edition)",
        clause="nsw-promo-2025:17.8",
    ),
}
DISPUTE = {
    "2019": incident_kind(
        "promotion-dispute-2019",
        "A person disputes a decision about a promotion (2019 edition)",
        clause="nsw-promo-2019:15.11",
    ),
    "2025": incident_kind(
        "promotion-dispute-2025",
        "A person disputes a decision about a promotion (2025 edition)",
        clause="nsw-promo-2025:17.10",
    ),
}
