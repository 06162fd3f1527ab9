"""A table of the poker room: approved, with its sign; commission by time; a round that is broken off."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from house.incidents import report_incident
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import Refusal
from ledger.balance import balance
from ledger.models import Transfer
from tablegames import in_force, incident_kinds, notices, seats, tables
from tablegames.approvables import TABLE, NewTable
from tablegames.charge_time import charge_time
from tablegames.models import TimeCharge
from tablegames.rules import poker_room
from tablegames.rules.showdown import Player, Round, decide
from tablegames.rules.terms import Limit, Terms
from tests.world.calls import Caller, make_device
from tests.world.people import SUPERVISOR
from tests.world.refusals import refused_with

NOON = datetime(2026, 11, 17, 1, 0, tzinfo=UTC)
LIMITS = {"table-stake": Limit(Money.dollars(40)), "bet": Limit(Money.dollars(2))}


@pytest.mark.clause("act-pk:1.1")
def test_a_table_of_the_poker_room_is_an_inspectors_to_approve() -> None:
    new = NewTable(game="poker-room", terms=Terms(commission_maximum=Money.dollars(10), limits=LIMITS))
    assert TABLE.authority("gaming-table:PK-9", new) is Authority.INSPECTOR
    assert tables.authority_over("poker-room") is Authority.INSPECTOR


@pytest.mark.clause("act-pk:4.1", "act-pk:14.1")
@pytest.mark.parametrize(
    ("terms", "clause"),
    [
        (Terms(commission_maximum=Money.dollars(10)), "act-pk:4.1"),
        (Terms(commission_maximum=Money.dollars(10), limits={"bet": LIMITS["bet"]}), "act-pk:4.1"),
        (Terms(limits=LIMITS), "act-pk:14.1"),  # no commission at all
        (
            Terms(commission_maximum=Money.dollars(10), time_charge=Money.dollars(6), time_minutes=30, limits=LIMITS),
            "act-pk:14.1",
        ),
        (Terms(time_charge=Money.dollars(6), limits=LIMITS), "act-pk:14.3"),
    ],
)
def test_no_sign_without_stake_bet_and_commission(terms: Terms, clause: str) -> None:
    with pytest.raises(Refusal) as refused:
        poker_room.check_terms(terms)
    assert (refused.value.code, refused.value.clause) == ("terms-invalid", clause)


@pytest.mark.clause("act-pk:4.1")
@pytest.mark.usefixtures("tables")
@pytest.mark.at(NOON)
def test_the_sign_shows_stake_and_bet_and_changes_by_notice() -> None:
    caller = Caller(make_device("supervisor")[1])
    shown = caller.get("tablegames/tables/PK-01/sign").json()["limits"]
    assert {name: limit["minimum"] for name, limit in shown.items()} == {"table-stake": "40.00", "bet": "2.00"}
    higher = {**LIMITS, "bet": Limit(Money.dollars(4))}
    refused_with(
        lambda: notices.announce_limits(table="PK-01", limits=higher, by=SUPERVISOR),
        code="notice-too-short",
        clause="act-pk:4.1",
    )
    notices.announce_limits(table="PK-01", limits=higher, takes_effect_at=NOON + timedelta(minutes=1), by=SUPERVISOR)
    with time_machine.travel(NOON + timedelta(minutes=1), tick=False):
        assert in_force.terms_at(tables.find_table("PK-01")).limits["bet"].minimum == Money.dollars(4)


@pytest.mark.clause("act-pk:14.3")
@pytest.mark.usefixtures("tables")
@pytest.mark.at(NOON)
def test_commission_by_time_is_paid_in_advance_at_the_approved_rate() -> None:
    seat = seats.seat_player(table="PK-02", box=4, by=SUPERVISOR)
    first = charge_time(table="PK-02", seat=seat.pk, periods=2, by=SUPERVISOR)
    assert (first.amount, first.from_at, first.until) == (Money.dollars(12), NOON, NOON + timedelta(hours=1))
    with time_machine.travel(NOON + timedelta(minutes=50), tick=False):  # before it has run out: on its end
        second = charge_time(table="PK-02", seat=seat.pk, periods=1, by=SUPERVISOR)
        assert (second.from_at, second.until) == (first.until, first.until + timedelta(minutes=30))
    with time_machine.travel(NOON + timedelta(hours=3), tick=False):  # long after: from now
        third = charge_time(table="PK-02", seat=seat.pk, periods=1, by=SUPERVISOR)
        assert third.from_at == NOON + timedelta(hours=3)
        seats.leave_table(table="PK-02", seat=seat.pk, by=SUPERVISOR)  # and nothing goes back
    assert balance("tablegames:commission").amount == Money.dollars(24)
    before = (TimeCharge.objects.count(), Transfer.objects.count())
    refused_with(lambda: charge_time(table="PK-02", seat=seat.pk, periods=1, by=SUPERVISOR), code="not-at-table")
    by_pot = seats.seat_player(table="PK-01", box=1, by=SUPERVISOR)
    refused_with(
        lambda: charge_time(table="PK-01", seat=by_pot.pk, periods=1, by=SUPERVISOR),
        code="not-by-time",
        clause="act-pk:14.2",
    )
    assert (TimeCharge.objects.count(), Transfer.objects.count()) == before


def round_of(**more: Any) -> Round:
    players = (
        Player(seat=1, bet=Money.dollars(50), cards=("AS", "AH", "7D", "5C", "3C")),
        Player(seat=2, bet=Money.dollars(50), cards=("KS", "KH", "8D", "6C", "2C")),
        Player(seat=3, bet=Money.dollars(30), folded=True),
    )
    return replace(Round(game="five-card-stud", players=players, buck=1), **more)


@pytest.mark.clause("act-pk:18.5")
def test_wagers_of_an_invalidated_round_go_back() -> None:
    decided = decide(round_of(invalidated=True, commission_maximum=Money.dollars(10)))
    assert decided.uncalled == {1: Money.dollars(50), 2: Money.dollars(50), 3: Money.dollars(30)}
    assert (decided.paid, decided.pots, decided.commission) == ({}, [], Money(0))
    assert "act-pk:18.5" in decided.words[0]
    played = decide(round_of(commission_maximum=Money.dollars(10)))
    assert played.paid == {1: Money.dollars(124)}  # 130 less 5%


@pytest.mark.clause("act-pk:18.3")
def test_the_hand_of_a_person_in_breach_is_folded_and_his_wagers_stay_in() -> None:
    aces, kings, gone = round_of().players
    folded = Player(seat=aces.seat, bet=aces.bet, folded=True)
    decided = decide(round_of(players=(folded, kings, gone)))
    assert decided.paid == {2: Money.dollars(124)}
    assert decided.uncalled == {}


@pytest.mark.clause("act-pk:18.1", "act-pk:18.4")
@pytest.mark.usefixtures("tables")
def test_a_round_that_is_broken_off_is_an_incident() -> None:
    """The listed causes, fraud, and what makes it impractical to go on: one kind, which names them."""
    kind = incident_kinds.ROUND_INVALIDATED
    for cause in ("commotion", "fire", "riot", "brawl", "robbery", "act of God", "fraud", "could not go on"):
        assert cause in kind.label
    made = report_incident(kind=kind, what="Fire alarm.", subject="table:PK-01", rules="act-pk", by=SUPERVISOR)
    assert (made.kind, made.clause) == ("round-invalidated", "act-pk:18.4")
