"""Tournaments (15): approved conditions, entry fees, at most 10% retained, the whole balance paid as prizes."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from house.approvals import propose
from house.cash.identity import Identity
from house.devices import service_token
from house.models import CashLine, Proposal
from keno.entries import TicketRequest
from keno.invalidate import invalidate_game
from keno.models import Ticket
from keno.tournaments import authorise_prize, enter_tournament, finish_tournament, pay_tournament_prize
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tests.plugins.worlds import kept
from tests.world import keno_counter as at
from tests.world.approvals import decide
from tests.world.calls import Caller, problem
from tests.world.keno_played import Played
from tests.world.money import dollars
from tests.world.people import actor
from tests.world.refusals import refused_as
from tests.world.tournaments import card_of
from tournaments.models import TournamentEntry

pytestmark = pytest.mark.django_db

TWENTY = list(range(1, 21))
TERMS = {
    "name": "Spring cup",
    "entry_fee": "50.05",
    "retained": 1_000,
    "prizes": [5_000, 3_000, 2_000],
    "spots": 3,
    "stake": "0.25",  # no ticket could be sold at that (3.1c)
    "schedule": "standard",
    "first_game": 1,
    "last_game": 3,
}


def _players() -> None:
    for name in ("Anna", "Ben", "Cara", "Dan", "Eve"):
        card_of(name)


counter = kept(_players, Played)


def put(counter: Played, new: Any, code: str = "SPRING") -> Proposal:
    made = propose(kind="keno.tournament", subject=f"tournament:{code}", new=new, why="A cup.", by=counter.supervisor)
    return decide(made, house=counter.manager)


def enter(counter: Played, player: str, *numbers: int, code: str = "SPRING", **more: Any) -> TournamentEntry:
    return enter_tournament(code=code, card=card_of(player), numbers=numbers, by=counter.writer, **more)


refused = partial(refused_as, "code clause", unchanged=at.everything)


@pytest.mark.clause("act-keno:15.2", "act-keno:15.3", "act-keno:15.4")
def test_a_tournament_from_its_approval_to_its_prizes(counter: Played) -> None:
    assert refused(enter, counter, "Anna", 1, 2, 3) == ("tournament-not-approved", "act-keno:15.2")
    put(counter, TERMS)
    anna, ben, cara, dan = (
        enter(counter, "Anna", 1, 2, 3),  # 36 + 36 of every dollar
        enter(counter, "Ben", 1, 2, 80),  # 2 + 2
        enter(counter, "Cara", 3, 4, 79),  # 2 + 2
        enter(counter, "Dan", 70, 71, 72),
    )
    assert at.books()["keno:tournaments"] == dollars("200.20")
    assert Ticket.objects.count() == 0  # no stake of theirs is in a game's money
    finish: dict[str, Any] = {"code": "SPRING", "by": counter.supervisor}
    counter.play(1, TWENTY)
    assert refused(enter, counter, "Eve", 1, 2, 3) == ("tournament-begun", "act-keno:15.2")
    assert refused(finish_tournament, **finish) == ("tournament-playing", "act-keno:15.2")
    counter.play(2, TWENTY)
    invalidate_game(number=3, by=counter.manager, cause="fire", reason="Fire.")
    finish_tournament(**finish)
    ranked = TournamentEntry.objects.order_by("id").values_list("score", "place", "prize")
    # Retained 10% of 200.20; 180.18 by 50/30/20, Ben and Cara sharing second and third.
    assert list(ranked) == [
        (dollars("18.00").micros, 1, dollars("90.09")),
        (dollars("1.00").micros, 2, dollars("45.05")),
        (dollars("1.00").micros, 2, dollars("45.04")),
        (0, 4, ZERO),
    ]
    assert at.books()["keno:tournament-fees"] == dollars("20.02")
    assert at.books()["keno:tournaments"] == dollars("180.18")
    assert refused(finish_tournament, **finish)[0] == "tournament-over"
    for entry in (anna, ben, cara):
        pay_tournament_prize(entry_id=entry.pk, by=counter.writer)
    assert "keno:tournaments" not in at.books()
    assert at.in_balance()
    assert refused(pay_tournament_prize, entry_id=anna.pk, by=counter.writer)[0] == "already-paid"
    assert refused(pay_tournament_prize, entry_id=dan.pk, by=counter.writer) == ("nothing-to-pay", "act-keno:15.4")
    with pytest.raises(DatabaseError), transaction.atomic():
        TournamentEntry.objects.filter(pk=anna.pk).update(paid_at=None, paid_by=None)


@pytest.mark.clause("act-keno:15.4")
def test_places_nobody_takes_are_shared_so_that_the_balance_is_paid(counter: Played) -> None:
    put(counter, {**TERMS, "retained": 333, "last_game": 1})
    enter(counter, "Anna", 1, 2, 3)
    enter(counter, "Ben", 70, 71, 72)
    counter.play(1, TWENTY)
    ranked = finish_tournament(code="SPRING", by=counter.supervisor)
    fees, retained = dollars("100.10"), dollars("3.33")
    assert Money.total(entry.prize for entry in ranked) == fees - retained
    assert [str(entry.prize) for entry in ranked] == ["60.48", "36.29"]  # 96.77 in 5 : 3


@pytest.mark.clause("act-keno:15.2")
def test_conditions_stand_once_somebody_has_entered(counter: Played) -> None:
    put(counter, TERMS)
    put(counter, {**TERMS, "name": "Cup"})
    enter(counter, "Anna", 1, 2, 3)
    with pytest.raises(Refusal) as caught:
        put(counter, {**TERMS, "retained": 0})
    assert caught.value.code == "tournament-entered"


@pytest.mark.clause("act-keno:15.4")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"retained": 1_001}, "retained-too-much"),
        ({"retained": -1}, "retained-too-much"),
        ({"prizes": [5_000, 4_999]}, "prizes-not-whole"),
        ({"prizes": [10_001, -1]}, "prizes-not-whole"),
        ({"prizes": []}, "value-not-readable"),
        ({"entry_fee": "0.00"}, "value-not-readable"),
        ({"last_game": 0}, "window-impossible"),
        ({"spots": 16}, "spots-not-in-schedule"),
        ({"schedule": "special-3"}, "schedule-not-approved"),
        ({"schedule": "special-9"}, "schedule-unknown"),
    ],
)
def test_impossible_conditions_cannot_be_proposed(counter: Played, change: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as caught:
        put(counter, {**TERMS, **change})
    assert caught.value.code == code


def test_entries_that_cannot_be_taken(counter: Played) -> None:
    put(counter, TERMS)
    assert refused(enter, counter, "Anna", 1, 2) == ("tournament-spots", "act-keno:15.3")
    assert refused(enter, counter, "Anna", 1, 1, 2) == ("number-repeated", "act-keno:4.4a")
    unknown: dict[str, Any] = {"code": "SPRING", "numbers": (1, 2, 3), "by": counter.writer}
    assert refused(enter_tournament, **unknown, card="ZZ-404")[0] == "card-unknown"
    assert refused(enter_tournament, **unknown, card="")[0] == "card-needed"
    nobody = actor("device:S-1", "supervisor")
    entry = {"code": "SPRING", "card": card_of("Anna"), "numbers": (1, 2, 3)}
    assert refused(enter_tournament, **entry, by=nobody)[0] == "no-permission"
    assert refused(finish_tournament, code="OTHER", by=counter.supervisor)[0] == "no-such-tournament"
    assert refused(pay_tournament_prize, entry_id=9, by=counter.writer)[0] == "no-such-entry"


IDENTITY = {
    "name": "Anna Marsh",
    "born": "1980-02-29",
    "address": "1 Binara Street",
    "document": "passport",
    "document_number": "N1234567",
}


@pytest.mark.clause("act-keno:15.4")
def test_a_large_prize_goes_by_cheque_to_somebody_known_and_past_two_people(counter: Played) -> None:
    put(counter, {**TERMS, "entry_fee": "20000.00", "last_game": 1})
    assert refused(enter, counter, "Anna", 1, 2, 3)[0] == "identity-needed"  # the fee alone asks for it
    entry = enter(counter, "Anna", 1, 2, 3, identity=Identity.read(IDENTITY))
    counter.play(1, TWENTY)
    finish_tournament(code="SPRING", by=counter.supervisor)
    pay: dict[str, Any] = {
        "entry_id": entry.pk,
        "cheque_number": "000779",
        "identity": Identity.read(IDENTITY),
        "by": counter.writer,
    }
    assert refused(pay_tournament_prize, **pay)[0] == "supervisor-needed"
    assert refused(authorise_prize, entry_id=entry.pk, by=counter.writer)[0] == "no-permission"
    authorise_prize(entry_id=entry.pk, by=counter.supervisor)
    assert refused(authorise_prize, entry_id=entry.pk, by=counter.manager)[0] == "authorised-already"
    both = actor(counter.supervisor.identity, "writer", "supervisor")
    assert refused(pay_tournament_prize, **{**pay, "by": both})[0] == "two-people-needed"
    assert refused(pay_tournament_prize, **{**pay, "cheque_number": " "})[0] == "cheque-number"
    assert refused(pay_tournament_prize, **{**pay, "identity": None})[0] == "identity-needed"
    assert (
        refused(pay_tournament_prize, **{**pay, "identity": Identity.read({**IDENTITY, "address": " "})})[0]
        == "identity-needed"
    )
    paid = pay_tournament_prize(**pay)
    assert (paid.cheque_number, paid.authorised_by) == ("000779", "staff:sue")
    assert CashLine.objects.get(what="tournament-prize").identity == IDENTITY
    assert at.transfers("keno.tournament-prize") == [("keno:tournaments", "keno:bank", "18000.00")]
    with pytest.raises(DatabaseError), transaction.atomic():
        TournamentEntry.objects.filter(pk=entry.pk).update(cheque_number="000780")
    assert at.in_balance()


def test_a_small_prize_is_cash_and_has_no_cheque(counter: Played) -> None:
    put(counter, {**TERMS, "last_game": 1})
    entry = enter(counter, "Anna", 1, 2, 3)
    counter.play(1, TWENTY)
    finish_tournament(code="SPRING", by=counter.supervisor)
    assert refused(pay_tournament_prize, entry_id=entry.pk, cheque_number="1", by=counter.writer)[0] == "cheque-number"
    pay_tournament_prize(entry_id=entry.pk, by=counter.writer)
    assert at.transfers("keno.tournament-prize") == [("keno:tournaments", counter.shift.cash, "45.05")]
    row = dict(zip((made := counter.report("drawers")).columns, made.rows[0], strict=True))
    assert row["Tournaments"] == dollars("5.00")  # 50.05 taken, 45.05 paid
    assert row["Expected"] == at.books()[counter.shift.cash]


def test_tournaments_over_http(counter: Played) -> None:
    put(counter, {**TERMS, "last_game": 1})
    writer, supervisor = (Caller(service_token(role=role).secret) for role in ("writer", "supervisor"))
    made = writer.post("keno/tournaments/SPRING/entries", {"card": card_of("Anna"), "numbers": [1, 2, 3]})
    assert made.status_code == 201, made.content
    counter.play(1, TWENTY)
    ranked = supervisor.post("keno/tournaments/SPRING/finish").json()["results"]
    assert (ranked[0]["place"], ranked[0]["prize"], ranked[0]["score"]) == (1, "45.05", "9.00")
    entry = f"keno/tournament-entries/{ranked[0]['id']}"
    problem(writer.post(f"{entry}/authorise-payment"), 403, "no-permission")
    assert supervisor.post(f"{entry}/authorise-payment").json()["authorised_by"].startswith("staff:supervisor-")
    problem(writer.post(f"{entry}/pay", {"cheque_number": "1"}), 422, "cheque-number")
    assert writer.post(f"{entry}/pay").json()["paid_at"] is not None
    problem(supervisor.post(f"{entry}/authorise-payment"), 409, "already-paid")
    assert writer.get("keno/tournaments/SPRING/entries").json()["results"][0]["player"] == "Anna"
    problem(writer.post("keno/tournaments/SPRING/finish"), 403, "no-permission")


@pytest.mark.clause("act-keno:15.1")
def test_the_tournaments_rules_bind_its_entries_only(counter: Played) -> None:
    """While one runs at a stake and with an entry fee of its own, a ticket is sold, priced and settled as ever."""
    put(counter, {**TERMS, "last_game": 1})
    enter(counter, "Anna", 1, 2, 3)
    before = at.books()["keno:tournaments"]
    cheap = TicketRequest(numbers=[1, 2, 3], stake=dollars("0.25"))  # the cup's stake is no ticket's
    with pytest.raises(Refusal):
        counter.sell(cheap)
    sold = counter.sell(TicketRequest(numbers=[1, 2, 3], stake=dollars("1.00")))
    assert (sold.ticket.price_a_game, at.books()["keno:tournaments"]) == (dollars("1.00"), before)
    counter.play(1, TWENTY)
    (ranked,) = finish_tournament(code="SPRING", by=counter.supervisor)
    assert ranked.place == 1
    assert TournamentEntry.objects.count() == 1  # the ticket takes no place in it
