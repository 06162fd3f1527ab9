"""What goes wrong at a gaming table, by the clause of its game. A checked hand opens what it was settled by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from house import incident_kinds as of_the_house
from house.incident_kinds import IMMEDIATELY, INSPECTOR, PLAYERS, IncidentKind

GAMING_SUPERVISOR: Final = "gaming-supervisor"

SHUFFLER_FAILED = IncidentKind(
    "shuffler-failed", "A shuffling device no longer works as it should", under="nsw-csp:15.2 nsw-lp:13.2"
)
ROUND_INVALIDATED = IncidentKind(
    "round-invalidated",
    "A round was invalidated: commotion, fire, riot, brawl, robbery, an act of God, fraud, or it could not go on",
    under=(
        "act-bj:16.4 act-ar:10.4 act-bac:11.4 act-mb:11.4 act-pg:17.4 act-cp:15.4 act-sb:10.4 act-mw:10.4 "
        "act-pk:18.4 nsw-csp:16.9 nsw-lp:14.4"
    ),
)
RULES_BROKEN = IncidentKind(
    "rules-broken",
    "Somebody broke the rules of a game: his wagers may be void",
    under=(
        "act-bj:16.3 act-ar:10.3 act-bac:11.3 act-mb:11.3 act-pg:17.3 act-cp:15.3 act-sb:10.3 act-mw:10.3 act-pk:18.3"
    ),
)
COLLUSION = IncidentKind(
    "collusion",
    "Players exchanged cards, tiles or what they know of their hands",
    under="act-cp:12.2 act-pg:14.2 vu-lp:11.1 nz-lp:11.1",
)
TABLE_DISPUTE = IncidentKind(
    "table-dispute",
    "A player disputes a result or a payment at a table",
    under=(
        "act-bj:16.6 act-ar:10.6 act-bac:11.6 act-mb:11.6 act-pg:17.6 act-cp:15.6 act-sb:10.6 act-mw:10.6 "
        "act-pk:18.6 nsw-csp:16.17 nsw-lp:14.12"
    ),
    notices=[(GAMING_SUPERVISOR, IMMEDIATELY)],  # who decides in the first instance
)
TABLE_CLOSED_EARLY = IncidentKind(
    "table-closed-early",
    "A table was closed before the close of gaming",
    under=("act-bj:15.2 act-ar:8.2 act-bac:10.2 act-mb:10.2 act-pg:16.2 act-cp:14.2 act-sb:9.2 act-mw:9.2 act-pk:17.2"),
    notices=[(PLAYERS, IMMEDIATELY), (INSPECTOR, IMMEDIATELY)],
)
NOT_COVERED = IncidentKind(
    "not-covered",
    "The rules do not say what is to be done: the house decides",
    under="act-pk:18.6 nsw-lp:12.18 vu-lp:11.18 nz-lp:11.20",
)

# By the irregularity that a hand was settled by.
OPENED_BY: Final[Mapping[str, IncidentKind]] = {
    "missing-or-foreign-card": of_the_house.FOREIGN_OR_MISSING_CARD,
    "shuffler": SHUFFLER_FAILED,
    "device-used": of_the_house.PROHIBITED_DEVICE,
    "collusion": COLLUSION,
    "rules-broken": RULES_BROKEN,
    "invalidated": ROUND_INVALIDATED,
    "fraud": ROUND_INVALIDATED,
}
