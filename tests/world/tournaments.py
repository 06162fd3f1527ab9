"""Conditions of a tournament of any game, and players for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from house.approvals import approve, propose
from house.players.cards import find_card, register_player
from tests.world.people import MANAGER, actor

NOW = datetime(2026, 11, 16, 9, tzinfo=UTC)
CLOSES = NOW + timedelta(hours=2)
TERMS: dict[str, Any] = {
    "name": "Spring cup",
    "game": "Canberra Poker",
    "entry_fee": "50.05",
    "retained": 1_000,
    "prizes": [5_000, 3_000, 2_000],
    "play": "Five rounds; chips count. Bets are without limit, whatever the rules of the game say.",
    "closes_at": CLOSES.isoformat(),
}
HEATS: dict[str, Any] = {"tables": ["LP-01"], "seats_a_table": 3, "heats": 2, "most_entries": 6}
FINAL_SEATS: dict[str, Any] = {"tables": ["FT-1"], "seats_a_table": 3}


def poker_night(closes: datetime, **more: Any) -> dict[str, Any]:
    """Conditions for four players who sit at tables of two seats."""
    return {
        "name": "Poker night",
        "game": "Lunar Poker",
        "play": "Chips.",
        "entry_fee": "50.00",
        "retained": 1000,
        "prizes": [10000],
        "closes_at": closes.isoformat(),
        "seats_a_table": 2,
        "most_entries": 4,
    } | more


def card_of(name: str) -> str:
    """The card of a player of this name, registered at the desk where the house does not know him."""
    card = f"T-{name.upper().replace(' ', '-')}"
    if find_card(card) is None:
        register_player(name=name, card=card, by=MANAGER)
    return card


def approve_conditions(new: Any = TERMS, code: str = "SPRING") -> None:
    asked: dict[str, Any] = {
        "kind": "promotions.tournament",
        "subject": f"tournament:{code}",
        "new": new,
        "why": "A cup.",
    }
    made = propose(**asked, by=actor("staff:sue", "supervisor"))
    approve(proposal_id=made.pk, by=actor("staff:ines", "inspector"))
