"""A game of the house's own: like Caribbean Stud, under another name and citing no clause: its figures are free."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from jackpot.rules.catalogue import CARIBBEAN_STUD
from jackpot.rules.policies import RuleSet

_NO_CLAUSES: dict[str, Any] = {each.name: None for each in fields(RuleSet) if each.name.endswith("_clause")}
HOUSE_STUD = replace(
    CARIBBEAN_STUD,
    code="house-stud",
    title="House Stud",
    prizes=tuple(replace(prize, clause=None) for prize in CARIBBEAN_STUD.prizes),
    **_NO_CLAUSES,
)
