"""A supervisor's nephew is seventeen: the desk wrote down his birth as his document shows it, and he is kept out. The
supervisor writes another year down, lifts what keeps him out, or registers him a second time under his name.

What stops it: another date than on record takes another person than who wrote it down, a device counts as who holds
it; what keeps somebody out is lifted by two others than who put it there (`test_excluded_player_let_back_by_one.py`).
Not stopped: two of the desk together.
"""

from __future__ import annotations

import pytest

from house.models import Player, Restriction
from house.plan_days import ensure_gaming_days
from tests.attacks.promotions import Insiders
from tests.world.calls import problem

pytestmark = pytest.mark.django_db


def test_nobody_alone_makes_him_older() -> None:
    ensure_gaming_days()
    insiders = Insiders()
    supervisor, at_console = insiders.supervisor, insiders.at_console("supervisor")
    number = supervisor.post("players/", {"name": "Nick Young", "card": "C-1"}).json()["number"]
    assert supervisor.post(f"players/{number}/birth", {"born": "2011-05-05"}).status_code < 300
    (kept,) = Restriction.objects.all()
    wagers = {"table": "CSP-01", "wagers": [{"name": "ante", "amount": "5.00"}]}
    problem(supervisor.post("cards/C-1/wagers", wagers), 422, "player-exclusion")
    for who in (supervisor, at_console):
        problem(who.post(f"players/{number}/birth", {"born": "2001-05-05"}), 403, "same-person")
        problem(who.post(f"restrictions/{kept.pk}/lift"), 403, "same-person")
    assert str(Player.objects.get(number=number).born) == "2011-05-05"
    problem(supervisor.post("cards/C-1/wagers", wagers), 422, "player-exclusion")
