"""A final after heats: who is in it follows from the heats and the conditions, and its ranking has the prizes."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from house import gaming_days
from house.models import GamingDay
from kernel.refusal import Busy
from ledger.balance import balance
from ledger.models import Act
from promotions import accounts
from promotions.tournaments import (
    ANY_GAME,
    assign_seats,
    close_heats,
    draw_seats,
    enter_tournament,
    finish_tournament,
    propose_calling_off,
    score_tournament,
)
from tests.world.people import someone
from tests.world.promotion_draws import refused, supervisor
from tests.world.promotions import manager
from tests.world.second_party import AtHand
from tests.world.tournaments import CLOSES, FINAL_SEATS, HEATS, NOW, TERMS, approve_conditions, card_of
from tournaments.acts import SeatTaken
from tournaments.models import Tournament, TournamentEntry
from tournaments.rules.final import ALL, BY_LOT, PLAY_OFF, FinalTerms, Result, qualifiers, tied
from tournaments.steps import TournamentStatus, tournament_steps

LATER = CLOSES + timedelta(seconds=1)
NAMES = ("Anna", "Ben", "Cara", "Dan", "Eve", "Finn")
ASKED: dict[str, Any] = {"code": "SPRING", "now": LATER}


def final(**more: Any) -> FinalTerms:
    given: dict[str, Any] = {"of_each_heat": 1, "best_of_rest": 1, "ties": BY_LOT}
    return FinalTerms(**{"seating": None, "carries_over": False} | given | more)


def test_ties_are_open_exactly_where_the_order_of_equals_matters() -> None:
    """Against every order of all entries: whoever is in under some and out under others is to be decided."""
    chance = random.Random(19)
    for _ in range(60):
        results = [Result(entry, chance.randint(1, 2), chance.randint(0, 2)) for entry in range(1, 6)]
        terms = final(of_each_heat=chance.randint(0, 2), best_of_rest=chance.randint(0, 2))
        orders = [dict(zip(range(1, 6), order, strict=True)) for order in permutations(range(5))]
        outcomes = [set(qualifiers(results, terms, order)) for order in orders]
        always, ever = set.intersection(*outcomes), set.union(*outcomes)
        assert tied(results, terms) == sorted(ever - always), (results, terms)
        assert all(tied(results, terms, order) == [] for order in orders)
    results = [Result(1, 1, 9), Result(2, 1, 9), Result(3, 2, 9), Result(4, 2, 8)]
    assert (qualifiers(results, final(ties=ALL)), tied(results, final(ties=ALL))) == ([1, 2, 3, 4], [])
    assert tied(results, final()) == []  # one of the two by his heat, the other as the best of all others


def _seated(ties: str, **more: Any) -> list[int]:
    """Anna, Ben and Cara in the first heat, the others in the second."""
    into = {"of_each_heat": 1, "best_of_rest": 1, "ties": ties} | more
    approve_conditions(TERMS | HEATS | {"seats_assigned": True, "final": into})
    entries = [enter_tournament(code="SPRING", card=card_of(name), by=supervisor(), now=NOW).pk for name in NAMES]
    assert refused(score_tournament, **ASKED, scores=dict.fromkeys(entries, 1), by=supervisor())[0] == "not-seated"
    seats = [SeatTaken(entry, 1 + at // 3, "LP-01", 1 + at % 3) for at, entry in enumerate(entries)]
    assign_seats(**ASKED, seats=seats, by=supervisor())
    return entries


def _scored(entries: list[int], *scores: int) -> None:
    for each in (supervisor(), manager()):
        score_tournament(**ASKED, scores=dict(zip(entries, scores, strict=True)), by=each)


def _into() -> list[str]:
    return list(TournamentEntry.objects.filter(in_final=True).order_by("pk").values_list("player", flat=True))


@pytest.fixture
def _open_house(db: None) -> None:
    GamingDay.objects.create(date=NOW.date(), opens_at=NOW - timedelta(hours=5), closes_at=NOW + timedelta(hours=12))
    gaming_days.forget()
    for name in NAMES:
        card_of(name)


@pytest.mark.clause("act-cp:16.4", "act-cp:16.2")
@pytest.mark.usefixtures("_open_house")
def test_a_final_after_a_play_off_and_its_ranking_has_the_prizes(client: Client) -> None:
    entries = _seated(PLAY_OFF, **FINAL_SEATS)
    sue, mona = supervisor(), manager()
    assert refused(close_heats, **ASKED, by=sue)[0] == "scores-not-confirmed"
    _scored(entries, 90, 40, 10, 40, 50, 40)  # Ben, Dan and Finn tie for the last place
    tournament = Tournament.objects.get()
    assert refused(finish_tournament, **ASKED, by=mona)[0] == "not-scored"
    assert refused(close_heats, **ASKED, by=sue) == ("play-off-first", "act-cp:16.2")
    steps = tournament_steps(ANY_GAME, TournamentStatus.CONFIRMED, tournament, sue)
    assert (steps.score, steps.confirm, steps.qualify, steps.finish) == (True, False, False, False)
    ben, dan, finn = entries[1], entries[3], entries[5]
    assert refused(score_tournament, **ASKED, scores={ben: 1}, by=sue)[0] == "scores-incomplete"
    assert refused(score_tournament, **ASKED, scores={ben: 7, dan: 7, finn: 2}, by=sue)[0] == "play-off-undecided"
    score_tournament(**ASKED, scores={ben: 2, dan: 7, finn: 2}, by=sue)
    assert refused(close_heats, **ASKED, by=sue)[0] == "play-off-first"  # one person wrote it down
    assert tournament_steps(ANY_GAME, TournamentStatus.CONFIRMED, tournament, mona).confirm
    assert refused(score_tournament, **ASKED, scores={ben: 9, dan: 7, finn: 2}, by=mona)[0] == "scores-differ"
    score_tournament(**ASKED, scores={ben: 2, dan: 7, finn: 2}, by=mona)
    assert tournament_steps(ANY_GAME, TournamentStatus.CONFIRMED, tournament, sue).qualify
    assert refused(close_heats, **ASKED, by=someone("writer", "wes"))[0] == "no-permission"
    close_heats(**ASKED, by=sue)
    assert _into() == ["Anna", "Dan", "Eve"]
    assert refused(close_heats, **ASKED, by=sue)[0] == "heats-closed"
    (act,) = Act.objects.filter(kind="tournament.qualified")
    anna, eve = entries[0], entries[4]
    assert act.data == {"entries": [anna, dan, eve], "tied": [ben, dan, finn]}
    board = client.get(reverse("signage:tournament", args=["SPRING"])).content.decode()
    assert ("The final is being played" in board, board.count("Out")) == (True, 3)
    assert refused(score_tournament, **ASKED, scores={anna: 0, dan: 30, eve: 30}, by=sue)[0] == "not-seated"
    seats = [SeatTaken(each, 1, "FT-1", 1 + at) for at, each in enumerate((anna, dan, eve))]
    assert (
        refused(assign_seats, **ASKED, seats=[*seats[:2], SeatTaken(ben, 1, "FT-1", 3)], by=sue)[0]
        == "seats-incomplete"
    )
    assert refused(draw_seats, **ASKED, by=sue)[0] == "seats-otherwise"
    assign_seats(**ASKED, seats=seats, by=sue)
    # Anna was the best of the heats, and is the last of the final; Dan and Eve share the first two prizes.
    for each in (sue, mona):
        assert refused(finish_tournament, **ASKED, by=mona)[0] in ("not-scored", "scores-not-confirmed")
        score_tournament(**ASKED, scores={anna: 0, dan: 30, eve: 30}, by=each)
    assert refused(propose_calling_off, code="SPRING", why="My friend lost.", by=mona)[0] == "scores-stand"
    finish_tournament(**ASKED, by=mona)
    # A tenth of 300.30; 270.27 by 50/30/20.
    ranked = TournamentEntry.objects.filter(place__isnull=False).order_by("place", "pk")
    assert [(each.player, each.place, str(each.prize)) for each in ranked] == [
        ("Dan", 1, "108.11"),
        ("Eve", 1, "108.11"),
        ("Anna", 3, "54.05"),
    ]
    assert str(balance(accounts.TOURNAMENTS).amount) == "270.27"


@pytest.mark.usefixtures("_open_house")
def test_all_who_tie_are_in_where_the_conditions_say_so_and_scores_carry_over_only_then() -> None:
    entries = _seated(ALL, carries_over=True)
    _scored(entries, 90, 40, 10, 40, 50, 40)
    close_heats(**ASKED, by=supervisor())
    assert _into() == ["Anna", "Ben", "Dan", "Eve", "Finn"]
    assert refused(assign_seats, **ASKED, seats=[], by=supervisor())[0] == "no-seats"
    # What stands in the heats stands in the database, too.
    for change in ({"score": 99}, {"in_final": True}, {"tie_score": 1}, {"heat": 2}):
        with pytest.raises(DatabaseError), transaction.atomic():
            TournamentEntry.objects.filter(player="Cara").update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        TournamentEntry.objects.filter(player="Cara").update(final_score=1)
    finalists = [entry for entry in entries if entry != entries[2]]
    _scored(finalists, 0, 45, 10, 20, 51)
    finish_tournament(**ASKED, by=manager())
    ranked = TournamentEntry.objects.filter(place__isnull=False).order_by("place")
    assert [each.player for each in ranked] == ["Finn", "Anna", "Ben", "Eve", "Dan"]  # 91, 90, 85, 70, 50
    (act,) = Act.objects.filter(kind="tournament.finished")
    assert [place["score"] for place in act.data["places"]] == [91, 90, 85, 70, 50]


@pytest.mark.usefixtures("_open_house")
def test_a_lot_between_house_and_witness_decides_once(second_party: AtHand) -> None:
    terms = {"of_each_heat": 1, "best_of_rest": 1, "ties": BY_LOT} | FINAL_SEATS
    approve_conditions(TERMS | HEATS | {"final": terms})
    entries = [enter_tournament(code="SPRING", card=card_of(name), by=supervisor(), now=NOW).pk for name in NAMES]
    promised = Act.objects.filter(kind="draw.promised").order_by("pk").values_list("data__name", flat=True)
    assert list(promised) == ["any-SPRING", "any-SPRING/ties", "any-SPRING/final"]
    draw_seats(**ASKED, by=supervisor())
    _scored(entries, 7, 7, 7, 7, 7, 7)
    second_party.away = True
    with pytest.raises(Busy):
        close_heats(**ASKED, by=supervisor())
    assert _into() == []
    second_party.away = False
    close_heats(**ASKED, by=manager())
    rows = TournamentEntry.objects.order_by("-tie_score")
    assert [each.tie_score for each in rows] == [6, 5, 4, 3, 2, 1]
    heats = [next(each.pk for each in rows if each.heat == heat) for heat in (1, 2)]
    rest = next(each.pk for each in rows if each.pk not in heats)
    assert {each.pk for each in rows if each.in_final} == {*heats, rest}
    seated = draw_seats(**ASKED, by=supervisor())
    assert {(each.final_table, each.final_seat) for each in seated} == {("FT-1", 1), ("FT-1", 2), ("FT-1", 3)}
    assert refused(draw_seats, **ASKED, by=supervisor())[0] == "seated-already"
    assert Act.objects.filter(kind="draw.sealed").count() == 3


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"heats": 1}, "final-unclear"),
        ({"final": {"ties": ALL}}, "final-unclear"),
        ({"final": {"ties": BY_LOT, "of_each_heat": 1, "tables": ["FT-1"]}}, "final-unclear"),
        ({"final": {"ties": BY_LOT, "of_each_heat": 2} | FINAL_SEATS}, "final-seats-too-few"),
        ({"final": {"ties": ALL, "of_each_heat": 1} | FINAL_SEATS}, "final-seats-too-few"),
        ({"entries_a_player": 2}, "final-entered-twice"),
        ({"final": {"ties": "the manager", "of_each_heat": 1}}, "value-not-readable"),
    ],
    ids=str,
)
def test_conditions_of_a_final_that_cannot_be_played_are_refused(change: dict[str, Any], code: str) -> None:
    terms = TERMS | HEATS | {"final": {"of_each_heat": 1, "ties": BY_LOT}} | change
    terms["most_entries"] = 6 if terms["heats"] == 2 else 3
    assert refused(approve_conditions, new=terms)[0] == code
