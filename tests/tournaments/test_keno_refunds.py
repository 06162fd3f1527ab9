"""Fees of a Keno tournament that go back: by two people, before it begins or where no game of it was valid."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from house.approvals import approve
from house.devices import service_token
from keno import agreement
from keno.invalidate import invalidate_game
from keno.tournaments import (
    authorise_refund,
    enter_tournament,
    finish_tournament,
    propose_calling_off,
    refund_entry,
)
from kernel.money import ZERO
from tests.plugins.worlds import kept
from tests.tournaments.test_keno import TERMS, TWENTY, put
from tests.world import keno_counter as at
from tests.world.calls import Caller, problem
from tests.world.keno_played import Played
from tests.world.money import dollars
from tests.world.people import actor
from tests.world.refusals import refused_as
from tests.world.tournaments import card_of
from tournaments.models import Tournament, TournamentEntry

pytestmark = [pytest.mark.django_db, pytest.mark.clause("act-keno:15.4")]
FEES = "keno:tournaments"


def _in_spring() -> Played:
    for name in ("Anna", "Ben", "Cara"):
        card_of(name)
    played = Played()
    put(played, {**TERMS, "last_game": 1})
    return played


counter = kept(_in_spring)


def enter(counter: Played, player: str, *numbers: int) -> TournamentEntry:
    return enter_tournament(code="SPRING", card=card_of(player), numbers=numbers, by=counter.writer)


def entries() -> list[Any]:
    return list(TournamentEntry.objects.order_by("pk").values()) + list(Tournament.objects.values())


refused = partial(refused_as, "code clause", unchanged=lambda: (at.everything(), entries()))


def test_one_says_so_and_another_hands_it_over_and_the_entry_is_out(counter: Played) -> None:
    anna, ben = enter(counter, "Anna", 1, 2, 3), enter(counter, "Ben", 70, 71, 72)
    both = actor(counter.supervisor.identity, "writer", "supervisor")
    assert refused(refund_entry, entry_id=anna.pk, by=counter.writer)[0] == "supervisor-needed"
    said: dict[str, Any] = {"entry_id": anna.pk, "why": "She is ill."}
    assert refused(authorise_refund, **said, by=counter.writer)[0] == "no-permission"
    assert refused(authorise_refund, **{**said, "why": " "}, by=counter.supervisor)[0] == "reason-missing"
    authorise_refund(**said, by=counter.supervisor)
    assert refused(authorise_refund, **said, by=counter.supervisor)[0] == "authorised-already"
    for alone in (both, counter.writer):  # nobody knows who stands before the terminal
        assert refused(refund_entry, entry_id=anna.pk, by=alone)[0] == "two-people-needed"
    authorise_refund(**said, by=counter.manager)
    assert refused(authorise_refund, **said, by=counter.manager)[0] == "authorised-already"
    with pytest.raises(DatabaseError), transaction.atomic():
        TournamentEntry.objects.filter(pk=anna.pk).update(refunded_at=anna.entered_at, refunded_by="staff:sue")
    before = at.books()[counter.shift.cash]
    refund_entry(entry_id=anna.pk, by=counter.writer)
    assert at.books()[counter.shift.cash] == before - dollars("50.05")
    assert at.books()[FEES] == dollars("50.05")
    assert refused(refund_entry, entry_id=anna.pk, by=counter.writer)[0] == "already-refunded"
    counter.play(1, TWENTY)  # Anna would have won
    (ranked,) = finish_tournament(code="SPRING", by=counter.supervisor)
    assert (ranked.pk, ranked.place, str(ranked.prize)) == (ben.pk, 1, "45.05")
    assert at.in_balance()
    assert agreement.differences() == []


def test_once_it_has_begun_no_fee_goes_back(counter: Played) -> None:
    anna, ben = enter(counter, "Anna", 1, 2, 3), enter(counter, "Ben", 70, 71, 72)
    authorise_refund(entry_id=ben.pk, why="He left.", by=counter.supervisor)
    counter.play(1, TWENTY)
    begun = ("tournament-begun", "act-keno:15.2")
    assert refused(authorise_refund, entry_id=anna.pk, why="Lost.", by=counter.supervisor) == begun
    assert refused(refund_entry, entry_id=ben.pk, by=counter.writer) == begun  # what was said and not done is over
    assert refused(propose_calling_off, code="SPRING", why="Lost.", by=counter.supervisor) == begun
    assert len(finish_tournament(code="SPRING", by=counter.supervisor)) == 2
    assert refused(refund_entry, entry_id=ben.pk, by=counter.writer)[0] == "tournament-over"


@pytest.mark.clause("act-keno:14.5")
def test_where_no_game_was_valid_every_fee_is_owed_back_whole(counter: Played) -> None:
    anna, ben = enter(counter, "Anna", 1, 2, 3), enter(counter, "Ben", 70, 71, 72)
    invalidate_game(number=1, by=counter.manager, cause="fire", reason="Fire.")
    made = propose_calling_off(code="SPRING", why="The only game was invalidated.", by=counter.supervisor)
    assert refused(approve, proposal_id=made.pk, by=counter.supervisor)[0] == "own-proposal"
    approve(proposal_id=made.pk, by=counter.manager)
    assert at.books()[FEES] == dollars("100.10")  # it is owed until somebody comes for it
    assert refused(finish_tournament, code="SPRING", by=counter.supervisor)[0] == "tournament-over"
    assert refused(enter, counter, "Cara", 4, 5, 6)[0] == "tournament-over"
    for each in (counter.supervisor, counter.manager):
        both = actor(each.identity, "writer", "supervisor")
        assert refused(refund_entry, entry_id=ben.pk, by=both)[0] == "two-people-needed"
    for entry in (anna, ben):
        refund_entry(entry_id=entry.pk, by=counter.writer)
    assert at.books().get(FEES, ZERO) == ZERO
    assert at.in_balance()
    assert agreement.differences() == []


def test_where_every_fee_went_back_there_is_nobody_to_rank(counter: Played) -> None:
    anna = enter(counter, "Anna", 1, 2, 3)
    for each in (counter.supervisor, counter.manager):
        authorise_refund(entry_id=anna.pk, why="Alone.", by=each)
    refund_entry(entry_id=anna.pk, by=counter.writer)
    counter.play(1, TWENTY)
    assert refused(finish_tournament, code="SPRING", by=counter.supervisor)[0] == "nobody-entered"


def test_over_http(counter: Played) -> None:
    writer, supervisor = (Caller(service_token(role=role).secret) for role in ("writer", "supervisor"))
    made = [
        writer.post("keno/tournaments/SPRING/entries", {"card": card_of(n), "numbers": [1, 2, 3]}).json() for n in "AB"
    ]
    first, second = (f"keno/tournament-entries/{each['id']}" for each in made)
    problem(writer.post(f"{first}/refund"), 409, "supervisor-needed")
    problem(writer.post(f"{first}/authorise-refund", {"why": "Ill."}), 403, "no-permission")
    assert supervisor.post(f"{first}/authorise-refund", {"why": "Ill."}).json()["refund_authorised_by"]
    problem(writer.post(f"{first}/refund"), 409, "two-people-needed")
    manager = Caller(service_token(role="manager").secret)
    assert manager.post(f"{first}/authorise-refund", {"why": "Ill."}).json()["refund_seconded_by"]
    assert writer.post(f"{first}/refund").json()["refunded_at"]
    made = supervisor.post("keno/tournaments/SPRING/call-off", {"why": "Too few."}).json()
    assert (made["cancelled_at"], made["code"]) == (None, "SPRING")
    problem(supervisor.post(f"approvals/{made['proposal']}/approve"), 403, "own-proposal")
    manager.post(f"approvals/{made['proposal']}/approve")
    assert writer.post(f"{second}/refund").json()["refunded_at"]
