"""One level of a mystery jackpot is lowered to just above its meter, so that it falls now, to a friend's table.

Stopped by: terms that change a level wait for that level's own win, whatever falls meanwhile; one level a proposal; and
an export in which the bounds of a level that is played for move is wrong.
Not stopped: a change with its own win, which is the next pool's.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from house.approvals import approve
from house.gaming_days import forget
from house.plan_days import ensure_gaming_days
from jackpot import promises, terms
from jackpot.decide import BY, decide_movements
from jackpot.meters_on_record import MetersOnRecord
from jackpot.models import Hit
from kernel.export_check import Doubt
from kernel.refusal import Refusal
from ledger.models import Act
from tests.world.money import dollars
from tests.world.mystery_link import changed_levels, open_levels_link, played, proposed_levels
from tests.world.people import MANAGER
from tests.world.told import tell

_DAYS = timedelta(days=2)
Rows = list[tuple[str, dict[str, Any]]]


def test_a_levels_figures_change_with_its_own_win_and_one_at_a_time(db: None) -> None:
    """A ceiling just above the meter would be a fall to come: it waits for the level's own."""
    forget()
    ensure_gaming_days()
    levels = open_levels_link()
    both = changed_levels(mini={"ceiling": "1.50"}, major={"ceiling": "30.00"})
    with pytest.raises(Refusal) as refused:
        proposed_levels(both)
    assert refused.value.code == "one-level-at-a-time"
    lower = changed_levels(major={"ceiling": "21.00"})
    with pytest.raises(Refusal):
        proposed_levels(lower, condition="")
    waiting = proposed_levels(lower)
    approve(proposal_id=waiting.pk, by=MANAGER)
    while not Hit.objects.filter(link=levels, level="mini").exists():
        played("LEV-01", boxes=2)
        decide_movements(timezone.now())
    waiting.refresh_from_db()
    with_its_own = Hit.objects.filter(link=levels, level="major").exists()  # by chance, one time in ten
    expected = ("effective", 2) if with_its_own else ("approved", 1)
    assert (waiting.status, terms.in_force(levels).version) == expected
    for _ in range(80):
        if Hit.objects.filter(link=levels, level="major").exists():
            break
        played("LEV-01", boxes=7)
        decide_movements(timezone.now())
    waiting.refresh_from_db()
    assert waiting.status == "effective"
    fallen = Hit.objects.filter(link=levels, level="major").order_by("sequence")[0]
    assert fallen.amount >= dollars("20.00")
    assert [act.data["level"] for act in Act.objects.filter(kind="jackpot.meter-bounded", data__version=2)] == ["major"]
    promises.reveal_days(timezone.now() + _DAYS, by=BY)
    rows = [
        (row.kind, copy.deepcopy(row.data))
        for row in Act.objects.filter(kind__in=MetersOnRecord.kinds).order_by("tx", "id")
    ]
    assert "3 must-hit-by" not in checked(rows)[0]
    for forge, words in FORGED:
        draft = copy.deepcopy(rows)
        forge(draft)
        with pytest.raises(Doubt, match=words):
            checked(draft)


def checked(rows: Rows) -> list[str]:
    check = MetersOnRecord()
    for index, (kind, data) in enumerate(rows):
        tell(check, kind, data, index=index, subject="jackpot:LEV")
    return check.end()


def _rows(rows: Rows, kind: str) -> list[dict[str, Any]]:
    return [data for each, data in rows if each == f"jackpot.{kind}"]


def _ceiling_of_another_level(rows: Rows) -> None:
    """The new terms lower the mini's ceiling as well, and nobody says so."""
    _rows(rows, "terms-set")[-1]["terms"]["levels"][0]["ceiling"] = "1.20"


def _moved_another_level(rows: Rows) -> None:
    _say_another(_rows(rows, "movement-sealed")[0])


def _fell_on_another_level(rows: Rows) -> None:
    _say_another(next(each for each in _rows(rows, "movement-decided") if each["falls"]))


def _say_another(movement: dict[str, Any]) -> None:
    """Chance decides which level comes first."""
    movement["level"] = "minor" if movement["level"] != "minor" else "major"


def _bounded_otherwise(rows: Rows) -> None:
    _rows(rows, "meter-bounded")[-1]["ceiling"] = "20.50"


FORGED: list[tuple[Callable[[Rows], None], str]] = [
    (_ceiling_of_another_level, "while it was played for"),
    (_moved_another_level, "decided out of order|decide it otherwise|stood at"),
    (_fell_on_another_level, "out of order"),
    (_bounded_otherwise, "bounds are not those"),
]
