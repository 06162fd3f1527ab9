"""What a table's sign says: the pay tables chosen for it, its limits, its maximum payout. Approved, and kept as data.

    {"super": "1", "instant": "200/600", "maximum_payout": "50000.00", "decks": 8,
     "limits": {"ante": {"minimum": "5.00", "maximum": "500.00"}}}

Only what the game leaves to the operator may be chosen; what is left out is the game's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from house.refusal import Refusal
from ledger.money import ZERO, Money

FIELDS: Final = frozenset({"super", "instant", "maximum_payout", "decks", "limits"})


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
    limits: Mapping[str, Limit] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        return {
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


def _money(value: Any, where: str) -> Money:
    try:
        amount = Money.parse(value)
    except ValueError as wrong:
        raise _refuse(f"{wrong}.", where) from None
    if amount < ZERO:
        raise _refuse("An amount is not below zero.", where)
    return amount


def _word(value: Any, where: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise _refuse("Write its name, in quotes.", where)
    return value


def _limit(data: Any, where: str) -> Limit:
    if not isinstance(data, Mapping) or not set(data) <= {"minimum", "maximum"}:
        raise _refuse("A limit has a minimum and a maximum.", where)
    low = _money(data["minimum"], f"{where}.minimum") if data.get("minimum") is not None else ZERO
    high = _money(data["maximum"], f"{where}.maximum") if data.get("maximum") is not None else None
    if high is not None and (not high or high < low):
        raise _refuse("The maximum is above zero and not below the minimum.", f"{where}.maximum")
    return Limit(low, high)


def read(data: Any) -> Terms:
    """Read terms that a person wrote or ``as_data`` stored."""
    if not isinstance(data, Mapping) or not set(data) <= FIELDS:
        raise _refuse(f"The terms of a table may name: {', '.join(sorted(FIELDS))}.", "")
    limits = {} if data.get("limits") is None else data["limits"]
    if not isinstance(limits, Mapping):
        raise _refuse("Write the limits by wager.", "limits")
    decks = data.get("decks")
    if decks is not None and type(decks) is not int:
        raise _refuse("Write a whole number of decks.", "decks")
    cap = data.get("maximum_payout")
    maximum = None if cap is None else _money(cap, "maximum_payout")
    if maximum is not None and not maximum:
        raise _refuse("A maximum payout is above zero.", "maximum_payout")
    return Terms(
        super=_word(data.get("super"), "super"),
        instant=_word(data.get("instant"), "instant"),
        maximum_payout=maximum,
        decks=decks,
        limits={str(name): _limit(limit, f"limits.{name}") for name, limit in limits.items()},
    )


def only(terms: Terms, *allowed: str, game: str, wagers: Iterable[str]) -> None:
    """Refuse a choice that this game does not leave to the operator."""
    for name in ("super", "instant", "maximum_payout", "decks"):
        if name not in allowed and getattr(terms, name) is not None:
            raise _refuse(f"{game} leaves no choice of {name.replace('_', ' ')}.", name)
    known = set(wagers)
    for name in terms.limits:
        if name not in known:
            raise _refuse(f"{game} has no wager “{name}”.", f"limits.{name}")
