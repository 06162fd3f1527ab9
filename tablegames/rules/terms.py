"""What a table's sign says: the pay tables chosen for it, its limits, its maximum payout. Approved, and kept as data.

    {"super": "1", "instant": "200/600", "maximum_payout": "50000.00", "decks": 8,
     "limits": {"ante": {"minimum": "5.00", "maximum": "500.00"}}}

Only what the game leaves to the operator may be chosen; what is left out is the game's own. Read by ``sign.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from kernel.money import ZERO, Money
from kernel.refusal import Refusal

CHOICES: Final = (
    "super",
    "instant",
    "maximum_payout",
    "decks",
    "commission",
    "differential",
    "commission_maximum",
    "time_charge",
    "time_minutes",
)


@dataclass(frozen=True, slots=True)
class Limit:
    minimum: Money = ZERO
    maximum: Money | None = None
    multiple: Money | None = None
    """What a wager is a multiple of, where the sign says so."""

    def as_data(self) -> dict[str, str | None]:
        steps = {} if self.multiple is None else {"multiple": str(self.multiple)}
        return steps | {
            "minimum": str(self.minimum),
            "maximum": None if self.maximum is None else str(self.maximum),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    super: str | None = None
    instant: str | None = None
    maximum_payout: Money | None = None
    decks: int | None = None
    commission: int | None = None
    """In basis points of what is won, where less than the rule's is charged (act-pg:11.12)."""
    differential: Money | None = None
    """The most by which wagers on the two hands may differ at the table (act-bac:3.6)."""
    commission_maximum: Money | None = None
    """Poker room: the most that is taken from the pots of a round (act-pk:14.2)."""
    time_charge: Money | None = None
    """Poker room: the most that is charged in advance for *time_minutes*, where commission goes by time (14.3)."""
    time_minutes: int | None = None
    limits: Mapping[str, Limit] = field(default_factory=dict)

    def as_data(self) -> dict[str, object]:
        of_some = {
            "commission": self.commission,
            "differential": None if self.differential is None else str(self.differential),
            "commission_maximum": None if self.commission_maximum is None else str(self.commission_maximum),
            "time_charge": None if self.time_charge is None else str(self.time_charge),
            "time_minutes": self.time_minutes,
        }
        return {name: value for name, value in of_some.items() if value is not None} | {
            "super": self.super,
            "instant": self.instant,
            "maximum_payout": None if self.maximum_payout is None else str(self.maximum_payout),
            "decks": self.decks,
            "limits": limits_as_data(self.limits),
        }


def limits_as_data(limits: Mapping[str, Limit]) -> dict[str, dict[str, str | None]]:
    return {name: limit.as_data() for name, limit in limits.items()}


def _refuse(says: str, where: str) -> Refusal:
    return Refusal("terms-invalid", says, field=f"terms.{where}" if where else "terms")


def only(terms: Terms, *allowed: str, game: str, wagers: Iterable[str]) -> None:
    """Refuse a choice that this game does not leave to the operator."""
    for name in CHOICES:
        if name not in allowed and getattr(terms, name) is not None:
            raise _refuse(f"{game} leaves no choice of {name.replace('_', ' ')}.", name)
    known = set(wagers)
    for name in terms.limits:
        if name not in known:
            raise _refuse(f"{game} has no wager “{name}”.", f"limits.{name}")
