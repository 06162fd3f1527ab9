"""The terms of a link as one value: rules, parameters, bonus. How they are kept as data, and whose word they need.

Pure: the stranger's check reads them from an export by the same function.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jackpot.rules import gazetted
from jackpot.rules.policies import RuleSet, as_data, from_data
from jackpot.rules.pool import Level, Parameters
from kernel.authority import Authority
from kernel.money import ZERO, Money


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
        "rounds_per_minute_limit": parameters.rounds_per_minute_limit,
    }


def read_written(data: Mapping[str, Any]) -> LinkTerms:
    """Terms that ``write`` wrote. What a person wrote is read by ``jackpot.terms``, which says what is wrong with it.
    Raises KeyError, TypeError, ValueError or a Refusal."""
    return LinkTerms(
        rules=from_data(data["rules"]),
        bonus=Money.parse(data["bonus"]),
        parameters=Parameters(
            wager=Money.parse(data["wager"]),
            levels=tuple(
                Level(
                    name=level["name"],
                    increment_rate=level["increment_rate"],
                    seed=Money.parse(level["seed"]),
                    ceiling=_money(level["ceiling"]),
                )
                for level in data["levels"]
            ),
            reserve_rate=data["reserve_rate"],
            reimbursement_rate=data["reimbursement_rate"],
            retained_rate=data["retained_rate"],
            contribution_limit=_money(data["contribution_limit"]),
            rounds_per_minute_limit=data.get("rounds_per_minute_limit"),
        ),
    )


def _money(text: str | None) -> Money | None:
    return None if text is None else Money.parse(text)


def authority(terms: LinkTerms) -> Authority:
    """Whose approval the rule asks for that these terms cite: the commission's (nsw-csp:11.5, 11.6) or an inspector's
    (act-cp:10.2, 10.5, act-pg:12.3, 12.7). A game that cites none is the house's own."""
    cited = {clause.partition("-")[0] for clause in gazetted.cited(terms.rules)}
    if "nsw" in cited:
        return Authority.COMMISSION
    return Authority.INSPECTOR if "act" in cited else Authority.HOUSE
