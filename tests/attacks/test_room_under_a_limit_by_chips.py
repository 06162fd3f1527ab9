"""A player who has lost what his limit lets him asks a dealer he knows to declare that a fortune remains of the dollar
he brought: what is taken away makes room.

What stops it: no more remains than the longest odds of any layout make of what was brought, nothing without something
declared before, and a visit ends once. Not stopped: a lie within that; the declaration is in the log, with who took it.
"""

from __future__ import annotations

from typing import Any

import pytest

from house.models import ChipDeclaration, PlayLine
from house.plan_days import ensure_gaming_days
from tests.world.calls import Caller, make_device, problem

pytestmark = pytest.mark.django_db


def test_no_fortune_remains_of_a_dollar() -> None:
    ensure_gaming_days()
    supervisor, table = Caller(make_device("supervisor")[1]), Caller(make_device("table")[1])
    number = supervisor.post("players/", {"name": "Pat Morgan", "card": "C-1"}).json()["number"]
    supervisor.post(f"players/{number}/limits", {"kind": "loss", "period": "day", "amount": "60.00"})

    def declared(kind: str, amount: str) -> Any:
        return table.post("cards/C-1/chips", {"table": "CSP-01", "kind": kind, "amount": amount})

    problem(declared("remaining", "999999.00"), 422, "nothing-declared")
    assert declared("introduced", "1.00").status_code < 300
    lines, declarations = PlayLine.objects.count(), ChipDeclaration.objects.count()
    for much in ("999999.00", "5001.01"):
        refused = problem(declared("remaining", much), 422, "remaining-too-much")
        assert refused["clause"] == "nsw-csp:16.2"
    assert (PlayLine.objects.count(), ChipDeclaration.objects.count()) == (lines, declarations)
    assert declared("remaining", "0.50").status_code < 300
    problem(declared("remaining", "0.50"), 422, "nothing-declared")
    assert supervisor.get(f"players/{number}").json()["limits"][0]["used"] == "0.50"
