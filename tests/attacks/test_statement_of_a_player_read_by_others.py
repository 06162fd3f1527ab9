"""What somebody lost, his limits and his breaks are worth knowing to whoever lends him money. A writer, a dealer, a
table's and a display's device ask for his statement, by number.

What stops it: a statement is for who looks after players; others learn neither its words nor whether there is such a
player. An auditor reads it by number, without the name (``tests/console/test_statement_pages.py``).
"""

from __future__ import annotations

import pytest

from house.plan_days import ensure_gaming_days
from tests.world.calls import Caller, make_device, problem
from tests.world.players import registered

pytestmark = pytest.mark.django_db


def test_nobody_else_reads_it() -> None:
    ensure_gaming_days()
    (player,) = registered("C-1")
    desk = Caller(make_device("supervisor")[1])
    assert b"C-1" in desk.get(f"players/{player.number}/statement").content
    for profile in ("writer", "dealer", "table", "signage"):
        other = Caller(make_device(profile)[1])
        for number in (player.number, "NOBODY"):
            answer = other.get(f"players/{number}/statement")
            problem(answer, 403, answer.json()["code"])
            assert answer.json()["code"] in ("no-permission", "not-for-devices", "not-for-this-device"), profile
            assert b"C-1" not in answer.content
