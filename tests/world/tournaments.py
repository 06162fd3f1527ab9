"""Conditions of a tournament of any game."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

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
