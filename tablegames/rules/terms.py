"""What a table's sign says: the pay tables chosen for it, its limits, its maximum payout. Approved, and kept as data.

    {"super": "1", "instant": "200/600", "maximum_payout": "50000.00", "decks": 8,
     "limits": {"ante": {"minimum": "5.00", "maximum": "500.00"}}}

Only what the game leaves to the operator may be chosen; what is left out is the game's own. Read by ``sign.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kernel.money import ZERO, Money
from kernel.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Limit:
    minimum: Money = ZERO
    maximum: Money | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    super: str | None = None
    instant: str | None = None
    maximum_payout: Money | None = None
    decks: int | None = None
    commission: int | None = None
    """In basis points of what is won, where less than the rule's is charged (act-pg:11.12)."""
    limits: Mapping[str, Limit] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        reduced = {} if self.commission is None else {"commission": self.commission}
        return reduced | {
            "super": self.super,
            "instant": self.instant,
            "maximum_payout": None if self.maximum_payout is None else str(self.maximum_payout),
            "decks": self.decks,
            "limits": {
                name: {
                    "minimum": str(limit.minimum),
                    "maximum": None if limit.maximum is None else str(limit.maximum),
                }
                for name, limit in self.limits.items()
            },
        }


def _refuse(says: str, where: str) -> Refusal:
    return Refusal("terms-invalid", says, field=f"terms.{where}" if where else "terms")


def only(terms: Terms, *allowed: str, game: str, wagers: Iterable[str]) -> None:
    """Refuse a choice that this game does not leave to the operator."""
    for name in ("super", "instant", "maximum_payout", "decks", "commission"):
        if name not in allowed and getattr(terms, name) is not None:
            raise _refuse(f"{game} leaves no choice of {name.replace('_', ' ')}.", name)
    known = set(wagers)
    for name in terms.limits:
        if name not in known:
            raise _refuse(f"{game} has no wager “{name}”.", f"limits.{name}")
