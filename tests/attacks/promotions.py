"""Insiders at a promotion whose draw is due, by the calls that people of the house and the inspector make.

In one process with the second party at hand (tests/world/second_party.py): its answers are real signatures. What the
witness itself does when it is lied to is attacked beside this: `test_another_root_for_the_same_attempt.py` and others.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from draws.record import KINDS, DrawsOnRecord
from house.models import Staff
from ledger.models import Act
from promotions.locks import database_time
from promotions.models import Promotion
from tests.world import promotion_draws as world
from tests.world.calls import AtConsole, Caller, make_device
from tests.world.rows import rows_of

ROLES = ("supervisor", "manager", "inspector", "auditor")


class Insiders:
    """Somebody of every role, each with his own token; two managers."""

    def __init__(self) -> None:
        self.identities: dict[str, str] = {}
        self.people: dict[str, Staff] = {}
        for name in (*ROLES, "other_manager"):
            device, token = make_device(name.removeprefix("other_"))
            self.identities[name] = device.identity
            setattr(self, name, Caller(token))
            if device.holder is not None:
                self.people[name] = device.holder

    def at_console(self, name: str) -> AtConsole:
        """The same person, signed in with both steps."""
        return AtConsole(self.people[name])

    supervisor: Caller
    manager: Caller
    other_manager: Caller
    inspector: Caller
    auditor: Caller


def due(people: str = "ABCDEFGH", **terms: Any) -> Promotion:
    """Entered, closed, sealed, and its time has come."""
    world.sealed(people, **terms)
    now = database_time()
    Promotion.objects.update(starts_at=now - timedelta(days=8), closes_at=now - timedelta(hours=1), draw_at=now)
    return Promotion.objects.get()


def everything() -> dict[str, list[dict[str, Any]]]:
    """What must not have moved: the room, its draws and the log. Refusals leave no act here."""
    return {
        **rows_of("promotions", "draws"),
        "log": [{"id": id_, "kind": kind} for id_, kind in Act.objects.order_by("id").values_list("id", "kind")],
    }


def on_record() -> DrawsOnRecord:
    """What a stranger reads from the log. Raises Doubt where it is not in order."""
    record = DrawsOnRecord("promotion")
    for act in Act.objects.filter(kind__in=KINDS).order_by("id"):
        record.act(act.kind, act.data)
    return record


def refused_answer(answer: Any, *codes: str) -> None:
    """Refused with one of these codes, and no fault of ours."""
    assert 400 <= answer.status_code < 500, answer.content
    assert answer.json()["code"] in codes, answer.json()
