"""The terms of a link: what is approved, as data, and read back into the types the rules speak.

    {"rules": {…}, "wager": "2.50", "bonus": "250.00",
     "levels": [{"name": "prize", "increment_rate": 7000, "seed": "50000.00", "ceiling": null}],
     "reserve_rate": 1000, "reimbursement_rate": 0, "retained_rate": 2000, "contribution_limit": null}

Rates are basis points of the wager and are the whole of it together (nsw-csp:11.6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from house.refusal import NotFound, Refusal
from jackpot.models import Pool, Terms
from jackpot.rules import mathematics, mystery
from jackpot.rules.policies import Game, RuleSet, as_data, from_data
from jackpot.rules.pool import Level, Parameters
from ledger.money import ZERO, Money

FIELDS: Final = frozenset(
    {
        "rules",
        "wager",
        "bonus",
        "levels",
        "reserve_rate",
        "reimbursement_rate",
        "retained_rate",
        "contribution_limit",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkTerms:
    rules: RuleSet
    parameters: Parameters
    bonus: Money = ZERO

    @property
    def levels(self) -> tuple[str, ...]:
        return tuple(level.name for level in self.parameters.levels)


def write(terms: LinkTerms) -> dict[str, Any]:
    parameters = terms.parameters
    return {
        "rules": as_data(terms.rules),
        "wager": str(parameters.wager),
        "bonus": str(terms.bonus),
        "levels": [
            {
                "name": level.name,
                "increment_rate": level.increment_rate,
                "seed": str(level.seed),
                "ceiling": None if level.ceiling is None else str(level.ceiling),
            }
            for level in parameters.levels
        ],
        "reserve_rate": parameters.reserve_rate,
        "reimbursement_rate": parameters.reimbursement_rate,
        "retained_rate": parameters.retained_rate,
        "contribution_limit": (None if parameters.contribution_limit is None else str(parameters.contribution_limit)),
    }


def read(data: Any) -> LinkTerms:
    """Read terms that a person wrote or ``write`` stored. What cannot be read is refused in words."""
    if not isinstance(data, Mapping) or set(data) != FIELDS:
        raise Refusal("terms-invalid", f"The terms of a link name each of: {', '.join(sorted(FIELDS))}.", field="new")
    rules = from_data(_mapping(data["rules"], "rules"))
    levels = data["levels"]
    if not isinstance(levels, list):
        raise Refusal("terms-invalid", "The levels are a list.", field="levels")
    parameters = Parameters(
        wager=_money(data["wager"], "wager"),
        levels=tuple(_level(_mapping(level, "levels")) for level in levels),
        reserve_rate=_rate(data["reserve_rate"], "reserve_rate"),
        reimbursement_rate=_rate(data["reimbursement_rate"], "reimbursement_rate"),
        retained_rate=_rate(data["retained_rate"], "retained_rate"),
        contribution_limit=_optional_money(data["contribution_limit"], "contribution_limit"),
    )
    bonus = _money(data["bonus"], "bonus")
    if bonus < ZERO:
        raise Refusal("terms-invalid", "A bonus is not below zero.", field="bonus")
    if bonus and not rules.pays_bonus:
        raise Refusal("terms-invalid", f"{rules.title} pays no bonus.", field="bonus")
    return LinkTerms(rules=rules, parameters=parameters, bonus=bonus)


def check(terms: LinkTerms) -> None:
    """Terms that may be approved: the link can keep what it promises (decision 13)."""
    if set(terms.levels) != set(terms.rules.levels):
        raise Refusal(
            "level-missing", f"{terms.rules.title}: give the terms of {', '.join(terms.rules.levels)}.", field="levels"
        )
    if terms.rules.game is Game.MYSTERY:
        mystery.check(terms.rules, terms.parameters)
    mathematics.check(terms.rules, terms.parameters)


def in_force(pool: Pool, *, at: datetime | None = None) -> Terms:
    """The version in force now, or at an earlier moment. Before its first there was only the first."""
    versions = Terms.objects.filter(pool=pool)
    found = versions.order_by("-version").first()
    if found is not None and at is not None and found.effective_at > at:
        found = versions.filter(effective_at__lte=at).order_by("-version").first() or versions.get(version=1)
    if found is None:
        raise NotFound("no-such-link", f"{pool.code} is not a link of tables.")
    return found


_known: dict[tuple[int, datetime], LinkTerms] = {}


def of(version: Terms) -> LinkTerms:
    """The terms of a stored version, read once a process: a version never changes."""
    key = version.pk, version.effective_at
    if key not in _known:
        _known[key] = read(version.data)
    return _known[key]


def _level(data: Mapping[str, Any]) -> Level:
    if set(data) != {"name", "increment_rate", "seed", "ceiling"} or not isinstance(data["name"], str):
        raise Refusal("terms-invalid", "A level has a name, an increment rate, a seed and a ceiling.", field="levels")
    return Level(
        name=data["name"],
        increment_rate=_rate(data["increment_rate"], "increment_rate"),
        seed=_money(data["seed"], "seed"),
        ceiling=_optional_money(data["ceiling"], "ceiling"),
    )


def _mapping(value: Any, field: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Refusal("terms-invalid", f"Write {field} as an object.", field=field)
    return value


def _money(value: Any, field: str) -> Money:
    try:
        return Money.parse(value)
    except ValueError as wrong:
        raise Refusal("terms-invalid", f"{field}: {wrong}.", field=field) from None


def _optional_money(value: Any, field: str) -> Money | None:
    return None if value is None else _money(value, field)


def _rate(value: Any, field: str) -> int:
    if type(value) is not int:
        raise Refusal("terms-invalid", f"Write {field} as whole basis points: 7000 for 70%.", field=field)
    return value
