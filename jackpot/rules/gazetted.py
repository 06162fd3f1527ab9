"""What the gazette fixes nobody changes: a link under a gazetted rule has that rule's figures, and its proposal names
only what the rule leaves open. Other figures are another game: it has a name of its own and cites no clause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Final

from jackpot.rules.catalogue import BOOMERANG, CARIBBEAN_STUD, GEE_JUN
from jackpot.rules.policies import RuleSet
from jackpot.rules.pool import Parameters
from kernel.money import ZERO
from kernel.refusal import Refusal

GAZETTED: Final[Mapping[str, RuleSet]] = {rules.code: rules for rules in (CARIBBEAN_STUD, BOOMERANG, GEE_JUN)}
# Wagers that do not win go to the pool or the reserve, all of them: only NSW lets the house keep a part (nsw-csp:11.6).
NOTHING_TO_KEEP: Final = {BOOMERANG.code: "act-cp:10.5", GEE_JUN.code: "act-pg:12.7"}


def cited(rules: RuleSet) -> list[str]:
    """Every clause that a rule set names."""
    named = [getattr(rules, each.name) for each in fields(rules) if each.name.endswith("_clause")]
    return [clause for clause in (*named, *(prize.clause for prize in rules.prizes)) if clause]


def check(rules: RuleSet, parameters: Parameters) -> None:
    fixed = GAZETTED.get(rules.code)
    if fixed is None:
        if clauses := cited(rules):
            raise Refusal(
                "cites-a-clause",
                f"{rules.title} is not a gazetted game: it cites no clause, and here {clauses[0]}.",
                field="rules",
            )
        return
    if replace(rules, title=fixed.title) != fixed:
        changed = next((new for new, old in zip(rules.prizes, fixed.prizes, strict=False) if new != old), None)
        raise Refusal(
            "gazetted-figures",
            f"{fixed.title}: prizes, order and conditions are the gazette’s. Another game needs another code.",
            clause=changed.clause if changed is not None else fixed.prizes[0].clause,
            field="rules",
        )
    guarantee = max((prize.at_least for prize in fixed.pool_prizes), default=ZERO)
    if any(level.seed < guarantee for level in parameters.levels):
        raise Refusal("seed-below-guarantee", f"It begins at {guarantee} or more: so much is guaranteed.", field="seed")
    if rules.code in NOTHING_TO_KEEP and (parameters.retained_rate or parameters.reimbursement_rate):
        raise Refusal(
            "nothing-to-keep",
            "Increment and reserve are 100% together: wagers that do not win go to the pool or the reserve, all.",
            clause=NOTHING_TO_KEEP[rules.code],
            field="rates",
        )
