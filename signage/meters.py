"""What the jackpots' meters show now, by code, in dollars and cents."""

from __future__ import annotations

from jackpot import queries


def displayed() -> dict[str, str]:
    return {code: str(amount) for code, amount in queries.displayed().items()}
