"""Conditions of a tournament at the tables: approved, kept whole, and shown to whoever asks what holds in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from house.approvals import approve, propose
from house.models import Proposal
from promotions.tournament_conditions import conditions_in_force
from tests.console.pages import text
from tests.world.demo import demo_actor
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


FORM: dict[str, Any] = {
    "code": "CUP", "name": "Heats and a final", "game": "Lunar Poker", "entry_fee": "50", "retained": "10",
    "prizes": "66.67, 33.33", "closes_at": "2099-01-01T12:00:00", "most_entries": "6", "play": "Chips.",
    "why": "Winter.", "tables": "LP-01", "seats_a_table": "3", "heats": "2",
}  # fmt: skip
INTO = {"of_each_heat": "1", "best_of_rest": "1", "ties": "play-off", "final_tables": "FT-1 FT-2",
        "final_seats_a_table": "2", "carries_over": "on"}  # fmt: skip


@pytest.mark.clause("act-cp:16.2")
def test_a_final_is_proposed_on_the_form_and_approved(signed_in: Callable[[str], Client]) -> None:
    supervisor = signed_in("supervisor")
    supervisor.post("/promo/tournaments/propose/", FORM | INTO)
    (made,) = Proposal.objects.all()
    page = text(supervisor.get(f"/approvals/{made.pk}/"))
    for said in ("Ties play-off", "Tables FT-1 and FT-2", "66.67% and 33.33%"):
        assert said in page
    assert "Heats and a final" not in text(supervisor.get("/promo/tournaments/"))
    approve(proposal_id=made.pk, by=demo_actor("inspector"))
    found = conditions_in_force("CUP")
    assert found is not None
    assert (found.terms["prizes"], found.terms["heats"], found.terms["final"]) == (
        [6667, 3333],
        2,
        {
            "of_each_heat": 1, "best_of_rest": 1, "ties": "play-off", "tables": ["FT-1", "FT-2"], "seats_a_table": 2,
            "carries_over": True,
        },
    )  # fmt: skip
    shown = text(supervisor.get("/promo/tournaments/CUP/"))
    assert "1 of each heat and the best 1 of all others; a play-off decides a tie; at FT-1, FT-2" in shown
    assert "scores of the heats count, too" in shown


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"of_each_heat": "", "best_of_rest": ""}, "A final follows two heats or more: say how many are in"),
        ({"heats": ""}, "A final follows two heats or more: say how many are in"),
        ({"final_seats_a_table": ""}, "name each table once"),
        ({"final_tables": "FT-1"}, "Everybody who may be in the final has a seat"),
        ({"ties": "all"}, "Everybody who may be in the final has a seat"),
        ({"entries_a_player": "2"}, "he cannot sit in it twice"),
        ({"ties": "the manager"}, "Select a valid choice"),
        ({"prizes": "inf"}, "Write percentages"),
        ({"prizes": "1e3 -900"}, "Write percentages"),
        ({"prizes": "66.667 33.333"}, "Write percentages"),
    ],
    ids=str,
)
def test_a_final_that_is_half_said_is_refused_on_the_form(
    signed_in: Callable[[str], Client], change: dict[str, str], says: str
) -> None:
    given = FORM | INTO | change
    if "heats" in change:
        given["most_entries"] = "3"
    answer = signed_in("supervisor").post("/promo/tournaments/propose/", given)
    assert (answer.status_code, Proposal.objects.count()) == (422, 0)
    assert says in text(answer)
