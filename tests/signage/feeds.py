"""The feed as a display holds it."""

from __future__ import annotations

import json
from typing import Any

from signage.feed import feed
from signage.state import apply


def load() -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(feed())
    return shown


def board_of(document: dict[str, Any]) -> dict[str, Any]:
    """What the events change; statistics are read anew with each settled game."""
    return {part: document[part] for part in ("keno", "jackpots", "promotions")}


def play(board: dict[str, Any], event: dict[str, Any]) -> None:
    apply(board, event["event"], event["data"])
