"""Every impossible ticket is refused, with its clause and its field."""

from __future__ import annotations

from typing import Any

import pytest

from keno.rules.entry import TicketEntry
from keno.rules.schedules import SPECIAL_1, SPECIAL_2, schedule_named, special_3
from keno.rules.selection import Form, Play, plain, way
from kernel.money import Money
from tests.world.refusals import refused_in_full

DOLLAR = Money.dollars(1)
EXAMPLE = [(1, 2, 3), (4, 5, 6), (7, 8), (9,)]


def plays(*spots: int) -> list[Play]:
    return [Play(n, DOLLAR) for n in spots]


@pytest.mark.clause("act-keno:4.7g", "act-keno:4.4b")
def test_the_worked_example_of_the_reading() -> None:
    assert way(EXAMPLE, plays(6)).ways == (3,)
    assert way(EXAMPLE, plays(3)).ways == (3,)
    both = way(EXAMPLE, plays(6, 3))
    assert both.ways == (3, 3)
    assert both.total_ways == 6


@pytest.mark.clause("act-keno:4.7f", "act-keno:4.4a")
def test_a_plain_ticket_is_one_group_and_one_play_of_it() -> None:
    ticket = plain([80, 1, 40], DOLLAR)
    assert ticket == way([(1, 40, 80)], plays(3))
    assert ticket.groups == ((1, 40, 80),)
    assert ticket.total_ways == 1


def test_a_group_no_play_uses_is_allowed() -> None:
    assert way([range(1, 31), (31, 32)], plays(2)).ways == (1,)


@pytest.mark.clause("act-keno:4.4a", "act-keno:4.4b", "act-keno:4.7f", "act-keno:4.7g", "act-keno:8.1")
@pytest.mark.parametrize(
    ("groups", "spots", "refusal"),
    [
        ([], [1], ("groups-missing", "act-keno:4.4b", "groups")),
        ([()], [1], ("group-empty", "act-keno:4.4b", "groups[0]")),
        ([(1,), ()], [1], ("group-empty", "act-keno:4.4b", "groups[1]")),
        ([(1, 2), (3, 0)], [2], ("number-out-of-range", "act-keno:4.4b", "groups[1][1]")),
        ([(1, 81)], [2], ("number-out-of-range", "act-keno:4.4b", "groups[0][1]")),
        ([(-1,)], [1], ("number-out-of-range", "act-keno:4.4b", "groups[0][0]")),
        ([(1, 2, 1)], [3], ("number-repeated", "act-keno:4.4b", "groups[0][2]")),
        ([(1, 2), (2, 3)], [2], ("number-repeated", "act-keno:4.4b", "groups[1][0]")),
        ([(1, 2)], [], ("plays-missing", "act-keno:4.7g", "plays")),
        ([(1, 2)], [0], ("spots-not-offered", "act-keno:8.1", "plays[0].spots")),
        ([(1, 2)], [2, -3], ("spots-not-offered", "act-keno:8.1", "plays[1].spots")),
        ([range(1, 17)], [16], ("spots-not-offered", "act-keno:8.1", "plays[0].spots")),
        ([(1,), (2,)], [10**30], ("spots-not-offered", "act-keno:8.1", "plays[0].spots")),
        (EXAMPLE, [6, 3, 6], ("play-repeated", "act-keno:4.7g", "plays[2].spots")),
        ([(1, 2), (3, 4)], [2, 3], ("play-without-ways", "act-keno:4.7g", "plays[1].spots")),
        ([(1, 2)], [1], ("play-without-ways", "act-keno:4.7g", "plays[0].spots")),
    ],
)
def test_an_impossible_way_ticket(
    groups: Any,
    spots: list[Any],
    refusal: tuple[str, str, str],
) -> None:
    assert refused_in_full(way, groups, plays(*spots)) == refusal


@pytest.mark.parametrize(
    ("numbers", "refusal"),
    [
        ([], ("group-empty", "act-keno:4.4a", "numbers")),
        ([1, 2, 90], ("number-out-of-range", "act-keno:4.4a", "numbers[2]")),
        ([7, 7], ("number-repeated", "act-keno:4.4a", "numbers[1]")),
        (list(range(1, 17)), ("spots-not-offered", "act-keno:8.1", "numbers")),
    ],
)
@pytest.mark.clause("act-keno:4.4a", "act-keno:8.1")
def test_an_impossible_plain_ticket(numbers: Any, refusal: tuple[str, str, str]) -> None:
    assert refused_in_full(plain, numbers, DOLLAR) == refusal


@pytest.mark.clause("act-keno:4.7b", "act-keno:4.7h")
def test_a_refusal_names_the_field_the_request_had() -> None:
    seven_quick = plain(range(1, 8), DOLLAR, form=Form.QUICK_PICK)
    assert refused_in_full(TicketEntry, seven_quick, SPECIAL_2) == (
        "spots-not-in-schedule",
        "act-keno:8.3",
        "quick_pick.spots",
    )
    set_bet = way([(1, 2), (3, 4, 5, 6, 7)], plays(7), form=Form.SET_BET)
    assert refused_in_full(TicketEntry, set_bet, SPECIAL_2) == ("spots-not-in-schedule", "act-keno:8.3", "set_bet")
    mystery = plain(range(1, 8), DOLLAR, form=Form.MYSTERY)
    assert refused_in_full(TicketEntry, mystery, SPECIAL_2) == ("spots-not-in-schedule", "act-keno:8.3", "quick_pick")


@pytest.mark.clause("act-keno:8.3", "act-keno:4.7d")
@pytest.mark.parametrize("spots", [1, 2, 7, 15])
def test_special_2_has_3_to_6_numbers(spots: int) -> None:
    ticket = way([(n,) for n in range(1, 17)], plays(4, spots))
    assert refused_in_full(TicketEntry, ticket, SPECIAL_2) == (
        "spots-not-in-schedule",
        "act-keno:8.3",
        "plays[1].spots",
    )


@pytest.mark.clause("act-keno:8.2", "act-keno:4.7d")
def test_special_1_is_for_way_tickets_of_two_ways() -> None:
    assert refused_in_full(TicketEntry, plain(range(1, 7), DOLLAR), SPECIAL_1) == (
        "special-1-needs-ways",
        "act-keno:8.2",
        "schedule",
    )
    one = way([(1, 2, 3), (4, 5, 6)], plays(6))
    assert refused_in_full(TicketEntry, one, SPECIAL_1) == ("special-1-needs-ways", "act-keno:8.2", "schedule")
    assert TicketEntry(way([(1, 2, 3), (4, 5, 6)], plays(3)), SPECIAL_1).selection.total_ways == 2


@pytest.mark.clause("act-keno:4.7a", "act-keno:8.2")
def test_the_jackpot_needs_6_or_8_numbers_on_the_standard_schedule() -> None:
    six, seven = plain(range(1, 7), DOLLAR), plain(range(1, 8), DOLLAR)
    assert TicketEntry(six, jackpot=True).jackpot_ways == 1
    assert refused_in_full(TicketEntry, seven, jackpot=True) == ("jackpot-needs-6-or-8", "act-keno:4.7a", "jackpot")
    assert refused_in_full(TicketEntry, six, SPECIAL_2, jackpot=True) == (
        "jackpot-needs-standard",
        "act-keno:4.7a",
        "jackpot",
    )
    assert refused_in_full(TicketEntry, way(EXAMPLE, plays(6)), SPECIAL_1, jackpot=True) == (
        "jackpot-not-with-special-1",
        "act-keno:8.2",
        "jackpot",
    )


@pytest.mark.clause("act-keno:4.7a")
def test_a_jackpot_ticket_enters_all_its_6_and_8_number_ways() -> None:
    # Groups of 2: C(5,3) ways of 6, C(5,4) of 8, C(5,2) of 4.
    pairs = [(n, n + 1) for n in range(1, 11, 2)]
    assert TicketEntry(way(pairs, plays(6, 8, 4)), jackpot=True).jackpot_ways == 10 + 5
    assert TicketEntry(way(pairs, plays(6, 8, 4))).jackpot_ways == 0


@pytest.mark.clause("act-keno:8.4", "act-keno:4.7d")
def test_special_3_exists_once_approved() -> None:
    assert refused_in_full(schedule_named, "special-3") == ("schedule-not-approved", "act-keno:8.4", "schedule")
    approved = special_3({4: {4: Money.dollars(250)}})
    assert schedule_named("special-3", approved_special_3=approved) is approved
    assert refused_in_full(schedule_named, "special-4")[0] == "schedule-unknown"


@pytest.mark.clause("act-keno:8.4")
@pytest.mark.parametrize(
    ("columns", "field"),
    [
        ({}, "tables"),
        ({4: {}}, "tables.4"),
        ({4: {4: Money(0)}}, "tables.4"),
        ({4: {5: DOLLAR}}, "tables.4.5"),
        ({4: {-1: DOLLAR}}, "tables.4.-1"),
        ({4: {4: -DOLLAR}}, "tables.4.4"),
        ({4: {4: Money.cents(25)}}, "tables.4.4"),
        ({4: {4: Money.dollars(50_001)}}, "tables.4.4"),
    ],
)
def test_a_special_3_that_cannot_be_a_schedule(columns: dict[Any, Any], field: str) -> None:
    assert refused_in_full(special_3, columns) == ("schedule-impossible", "act-keno:8.4", field)


def test_a_special_3_for_16_numbers() -> None:
    assert refused_in_full(special_3, {16: {16: DOLLAR}}) == ("spots-not-offered", "act-keno:8.1", "tables.16")
