"""Who is in and with how much: once a person, within his limits, rebuys and refunds by the conditions, seats."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from draws import ask
from draws.commit import find_commitment
from house import gaming_days
from house.models import GamingDay, Player, PlayerCard, PlayLine
from house.players.cards import issue_card
from house.players.limits import set_limit
from house.players.restrict import restrict
from kernel.money import Money
from kernel.refusal import Busy
from ledger.balance import balance
from ledger.models import Act
from promotions import accounts
from promotions.tournaments import (
    assign_seats,
    authorise_refund,
    draw_seats,
    enter_tournament,
    finish_tournament,
    pay_tournament_prize,
    rebuy,
    refund_entry,
    score_tournament,
)
from tests.world.people import MANAGER, someone
from tests.world.promotion_draws import refused, supervisor
from tests.world.promotions import manager
from tests.world.second_party import AtHand
from tests.world.tournaments import CLOSES, NOW, TERMS, approve_conditions, card_of
from tournaments.acts import SeatTaken
from tournaments.models import Tournament, TournamentEntry

pytestmark = pytest.mark.django_db

BEFORE = NOW - timedelta(hours=1)
LATER = CLOSES + timedelta(seconds=1)
UNTIL = CLOSES + timedelta(hours=1)
REBUYS = {"most": 2, "price": "25.01", "until": UNTIL.isoformat()}


@pytest.fixture(autouse=True)
def _open_house() -> None:
    GamingDay.objects.create(date=NOW.date(), opens_at=NOW - timedelta(hours=5), closes_at=NOW + timedelta(hours=12))
    gaming_days.forget()
    for name in ("Anna", "Ben", "Cara"):
        card_of(name)


def enter(name: str, **more: Any) -> TournamentEntry:
    asked: dict[str, Any] = {"code": "SPRING", "card": card_of(name), "by": supervisor(), "now": NOW}
    return enter_tournament(**asked | more)


def given_back(entry_id: int) -> None:
    authorise_refund(entry_id=entry_id, why="Called away.", by=supervisor(), now=NOW)
    refund_entry(entry_id=entry_id, by=manager(), now=NOW)


def scored(scores: dict[int, int]) -> None:
    for each in (supervisor(), manager()):
        score_tournament(code="SPRING", scores=scores, by=each, now=UNTIL + timedelta(seconds=1))


def held() -> str:
    return str(balance(accounts.TOURNAMENTS).amount)


def player(name: str) -> Player:
    return PlayerCard.objects.get(number=card_of(name)).player


def test_a_person_is_in_once_unless_the_conditions_say_more() -> None:
    approve_conditions(TERMS | {"entries_a_player": 2})
    approve_conditions(TERMS, code="ONCE")
    enter("Anna", code="ONCE")
    issue_card(player_number=player("Anna").number, card="NEW-1", by=MANAGER)
    assert refused(enter, name="Ben", card=" new-1 ", code="ONCE") == ("already-entered", "act-cp:16.2")
    enter("Ben", card="NEW-1")
    enter("Ben", card="new-1")
    assert refused(enter, name="Ben", card="NEW-1")[0] == "already-entered"


@pytest.mark.clause("nsw-csp:16.3")
def test_a_fee_counts_as_lost_until_a_prize_or_a_refund_comes_of_it() -> None:
    approve_conditions(TERMS | {"prizes": [10_000], "rebuys": REBUYS})
    anna = player("Anna")
    with time_machine.travel(BEFORE, tick=False):
        set_limit(player_number=anna.number, kind="loss", period="day", amount=Money.parse("75.00"), by=MANAGER)
    entry = enter("Anna")
    assert refused(rebuy, entry_id=entry.pk, by=supervisor(), now=NOW) == ("loss-limit", "nsw-csp:16.3")
    ben = enter("Ben")
    given_back(entry.pk)
    entry = enter("Anna")
    scored({entry.pk: 2, ben.pk: 1})
    finish_tournament(code="SPRING", by=manager(), now=UNTIL)
    pay_tournament_prize(entry_id=entry.pk, by=supervisor(), now=UNTIL)
    lines = PlayLine.objects.filter(player=anna, place="tournament").order_by("id")
    assert [(line.kind, str(Money(line.loss))) for line in lines] == [
        ("wager", "50.05"),
        ("refund", "-50.05"),
        ("wager", "50.05"),
        ("winnings", "-90.09"),
    ]


@pytest.mark.clause("nsw-csp:16.19", "nsw-csp:16.4")
@pytest.mark.parametrize(("kind", "code"), [("break", "player-on-break"), ("employee", "player-employee")])
def test_who_may_not_play_does_not_enter(kind: str, code: str) -> None:
    approve_conditions(TERMS)
    until = NOW + timedelta(days=400) if kind == "break" else None
    with time_machine.travel(BEFORE, tick=False):
        restrict(player_number=player("Anna").number, kind=kind, reason="As asked.", until=until, by=MANAGER)
    assert refused(enter, name="Anna")[0] == code
    assert not TournamentEntry.objects.exists()


@pytest.mark.clause("nsw-csp:16.19")
def test_no_prize_to_somebody_who_broke_the_employee_policy_when_he_entered() -> None:
    approve_conditions(TERMS)
    anna, ben = enter("Anna"), enter("Ben")
    scored({anna.pk: 2, ben.pk: 1})
    finish_tournament(code="SPRING", by=manager(), now=UNTIL)
    said: dict[str, Any] = {"kind": "employee", "reason": "Hired in May.", "by": MANAGER}
    with time_machine.travel(LATER, tick=False):
        restrict(player_number=player("Anna").number, breach_since=BEFORE, **said)
        restrict(player_number=player("Ben").number, **said)  # hired after he had entered
    pay: dict[str, Any] = {"by": supervisor(), "now": UNTIL}
    owed = held()
    assert refused(pay_tournament_prize, entry_id=anna.pk, **pay) == ("employee-policy", "nsw-csp:16.19")
    assert held() == owed
    pay_tournament_prize(entry_id=ben.pk, **pay)


@pytest.mark.clause("act-cp:16.2", "act-cp:16.4")
def test_rebuys_as_often_as_long_and_at_the_price_of_the_conditions() -> None:
    approve_conditions(TERMS | {"rebuys": REBUYS})
    approve_conditions(TERMS, code="PLAIN")
    plain = enter("Anna", code="PLAIN")
    assert refused(rebuy, entry_id=plain.pk, by=supervisor(), now=NOW) == ("no-more-rebuys", "act-cp:16.2")
    anna, ben = enter("Anna"), enter("Ben")
    late = {"by": supervisor(), "now": UNTIL + timedelta(seconds=1)}
    assert refused(rebuy, entry_id=anna.pk, **late) == ("rebuys-over", "act-cp:16.2")
    for number in (1, 2):
        assert rebuy(entry_id=anna.pk, by=supervisor(), now=UNTIL).number == number
    assert refused(rebuy, entry_id=anna.pk, by=supervisor(), now=NOW) == ("no-more-rebuys", "act-cp:16.2")
    assert held() == "200.17"  # three fees, two rebuys
    scored({anna.pk: 1, ben.pk: 2})
    assert refused(rebuy, entry_id=ben.pk, by=supervisor(), now=NOW)[0] == "rebuys-over"
    finish_tournament(code="SPRING", by=manager(), now=UNTIL)
    # A tenth of 150.12 rounded down; 135.11 in 5 : 3.
    tournament = Tournament.objects.get(code="SPRING")
    assert (str(tournament.fees), str(tournament.retained)) == ("150.12", "15.01")
    assert {entry.player: str(entry.prize) for entry in tournament.entries.all()} == {"Ben": "84.44", "Anna": "50.67"}
    assert [act.data["price"] for act in Act.objects.filter(kind="tournament.rebought")] == ["25.01", "25.01"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rebuys": {**REBUYS, "until": NOW.isoformat()}}, "rebuys-too-early"),
        ({"rebuys": {**REBUYS, "price": "0.00"}}, "value-not-readable"),
        ({"rebuys": {**REBUYS, "most": 0}}, "value-not-readable"),
        ({"tables": ["LP-01"]}, "seats-unclear"),
        ({"tables": ["LP-01", "LP-01"], "seats_a_table": 2, "most_entries": 2}, "seats-unclear"),
        ({"tables": ["LP-01"], "seats_a_table": 2}, "seats-too-few"),
        ({"tables": ["LP-01"], "seats_a_table": 2, "most_entries": 3}, "seats-too-few"),
        ({"heats": 2}, "seats-unclear"),
        ({"entries_a_player": 0}, "value-not-readable"),
    ],
    ids=str,
)
def test_conditions_that_do_not_fit_together_are_refused(change: dict[str, Any], code: str) -> None:
    assert refused(approve_conditions, new=TERMS | change)[0] == code


def test_an_entry_goes_back_whole_before_the_play_and_its_place_is_free() -> None:
    approve_conditions(TERMS | {"rebuys": REBUYS, "most_entries": 2})
    anna, _ = enter("Anna"), enter("Ben")
    rebuy(entry_id=anna.pk, by=supervisor(), now=NOW)
    assert refused(enter, name="Cara")[0] == "tournament-full"
    asked: dict[str, Any] = {"entry_id": anna.pk, "by": manager(), "now": NOW}
    said = asked | {"why": "Called away."}
    assert refused(refund_entry, **asked)[0] == "supervisor-needed"
    assert refused(authorise_refund, **said | {"why": " "})[0] == "reason-missing"
    assert refused(authorise_refund, **said | {"now": LATER})[0] == "tournament-begun"
    assert refused(authorise_refund, **said | {"entry_id": 0})[0] == "no-such-entry"
    authorise_refund(**said)
    assert refused(refund_entry, **asked)[0] == "two-people-needed"
    assert refused(refund_entry, **asked | {"by": supervisor(), "now": LATER})[0] == "tournament-begun"
    refund_entry(**asked | {"by": supervisor()})
    assert held() == "50.05"
    assert refused(refund_entry, **asked)[0] == "already-refunded"
    assert refused(rebuy, entry_id=anna.pk, by=supervisor(), now=NOW)[0] == "rebuys-over"
    enter("Cara")
    assert held() == "100.10"


SEATS = {"tables": ["LP-01", "LP-02"], "seats_a_table": 1, "heats": 2, "most_entries": 4}


def test_everybody_sits_once_where_the_conditions_have_seats() -> None:
    approve_conditions(TERMS | SEATS | {"seats_assigned": True})
    anna, ben, cara = (enter(name).pk for name in ("Anna", "Ben", "Cara"))
    seats = [SeatTaken(anna, 2, "LP-01", 1), SeatTaken(ben, 1, "LP-02", 1), SeatTaken(cara, 1, "LP-01", 1)]
    asked: dict[str, Any] = {"code": "SPRING", "seats": seats, "by": supervisor(), "now": LATER}
    assert refused(assign_seats, **asked | {"now": NOW})[0] == "tournament-open"
    assert refused(draw_seats, code="SPRING", by=supervisor(), now=LATER)[0] == "seats-otherwise"
    assert refused(assign_seats, **asked | {"seats": seats[:2]})[0] == "seats-incomplete"
    twice = [*seats[:2], SeatTaken(cara, 2, "LP-01", 1)]
    assert refused(assign_seats, **asked | {"seats": twice})[0] == "seat-taken-twice"
    nowhere = [*seats[:2], SeatTaken(cara, 3, "LP-01", 1)]
    assert refused(assign_seats, **asked | {"seats": nowhere})[0] == "no-such-seat"
    assign_seats(**asked)
    assert refused(assign_seats, **asked)[0] == "seated-already"
    (act,) = Act.objects.filter(kind="tournament.seated")
    assert [(seat["entry"], seat["heat"], seat["table"]) for seat in act.data["seats"]] == [
        (cara, 1, "LP-01"),
        (ben, 1, "LP-02"),
        (anna, 2, "LP-01"),
    ]


def test_seats_are_drawn_between_two_parties_and_nobody_names_one(second_party: AtHand) -> None:
    approve_conditions(TERMS | SEATS)
    entries = [enter(name).pk for name in ("Anna", "Ben", "Cara")]
    promised = Act.objects.get(kind="draw.promised")
    assert (promised.data["purpose"], promised.data["name"]) == ("tournament", "any-SPRING")
    asked: dict[str, Any] = {"code": "SPRING", "by": supervisor(), "now": LATER}
    named = asked | {"seats": [SeatTaken(entries[0], 1, "LP-01", 1)]}
    assert refused(assign_seats, **named)[0] == "seats-otherwise"
    assert refused(draw_seats, **asked | {"now": NOW})[0] == "tournament-open"
    assert refused(draw_seats, **asked | {"by": someone("writer", "wes")})[0] == "no-permission"
    second_party.away = True
    with pytest.raises(Busy):
        draw_seats(**asked)
    assert not TournamentEntry.objects.filter(seat__isnull=False).exists()
    second_party.away = False
    seated = draw_seats(**asked)
    assert refused(draw_seats, **asked)[0] == "seated-already"
    # Heats and tables fill evenly: two in the first heat, one in the second.
    assert [(each.heat, each.table, each.seat) for each in seated] == [
        (1, "LP-01", 1),
        (1, "LP-02", 1),
        (2, "LP-01", 1),
    ]
    promise = find_commitment(purpose="tournament", name="any-SPRING")
    said = ask.said_to(promise, occasion="any-SPRING", attempt=1)
    assert said is not None
    order = ask.numbers(promise, said, pool=3, count=3)
    assert [each.pk for each in seated] == [entries[order.index(place)] for place in (1, 2, 3)]
    assert Act.objects.filter(kind="draw.sealed").count() == 1  # asked again after the break about the same list
