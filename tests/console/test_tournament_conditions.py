"""Conditions of a tournament at the tables: approved, kept whole, and shown to whoever asks what holds in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from house.approvals import propose
from tests.console.pages import text
from tests.world.people import actor
from tests.world.tournaments import TERMS, approve_conditions

pytestmark = pytest.mark.django_db


@pytest.mark.clause("act-bj:18.3", "act-ar:11.3", "act-bac:12.3", "act-mb:12.3", "act-pg:18.3", "act-cp:16.3")
@pytest.mark.clause("act-sb:11.3", "act-mw:11.3", "act-pk:19.3")
def test_approved_conditions_prevail_and_are_shown_whole(signed_in: Callable[[str], Client]) -> None:
    """What they say against the rules of the game holds in the tournament: its page says it word for word, and not what
    nobody has approved yet."""
    approve_conditions()
    other = TERMS | {"play": "Ten rounds."}
    sue = actor("staff:sue", "manager")
    propose(kind="promotions.tournament", subject="tournament:SPRING", new=other, why="Longer.", by=sue)
    for role in ("supervisor", "manager", "auditor"):
        shown = text(signed_in(role).get("/promo/tournaments/SPRING/"))
        assert "Bets are without limit, whatever the rules of the game say." in shown
        assert "Ten rounds." not in shown
