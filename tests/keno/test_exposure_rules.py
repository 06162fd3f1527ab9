"""What a game could pay at most, against every draw of a small board, settled by the oracle that lists every way."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from keno.rules import exposure as rules
from keno.rules.entry import TicketEntry
from keno.rules.exposure import Exposure, exposure
from keno.rules.schedules import STANDARD, schedule_named
from keno.rules.selection import Play, plain, way
from kernel.money import MICROS_PER_CENT, Money
from tests.keno import oracle

Ticket = dict[str, Any]


def entered(ticket: Ticket) -> TicketEntry:
    plays = [Play(spots, Money.cents(cents)) for spots, cents in ticket["plays"]]
    return TicketEntry(way(ticket["groups"], plays), schedule_named(ticket["schedule"]), ticket["jackpot"])


def fixed(drawn: tuple[int, ...], tickets: list[Ticket]) -> int:
    """What this draw pays, in cents, without jackpots: each that was won pays its one cent here."""
    answer = oracle.settle(drawn, tickets, {})
    won = {
        spots for ticket in answer["tickets"] for (spots, _), (_, _, jackpot, _) in ticket["ways"].items() if jackpot
    }
    paid: int = sum(ticket["prize"] for ticket in answer["tickets"])
    return paid - sum(oracle.GUARANTEE[spots] for spots in won)


def tried(tickets: list[Ticket], *, numbers: int, drawn: int) -> Money:
    """The largest over every draw of the board."""
    return Money.cents(max(fixed(draw, tickets) for draw in combinations(range(1, numbers + 1), drawn)))


def computed(tickets: list[Ticket], *, numbers: int, drawn: int) -> Money:
    return sum((exposure(entered(one), numbers=numbers, drawn=drawn) for one in tickets), Exposure()).payable


@st.composite
def tickets(draw: st.DrawFn, *, numbers: int) -> Ticket:
    """A ticket of a small board; high stakes, so that there are majors to hold and to cut."""
    marked = draw(st.permutations(range(1, numbers + 1)))[: draw(st.integers(1, numbers))]
    groups, rest = [], list(marked)
    while rest:
        size = draw(st.integers(1, min(4, len(rest))))
        groups.append(tuple(rest[:size]))
        rest = rest[size:]
    possible = [spots for spots in range(1, 9) if any(True for _ in oracle.ways_of(groups, spots))]
    spots = draw(st.lists(st.sampled_from(possible), min_size=1, max_size=2, unique=True))
    stakes = st.sampled_from([100, 300, 2_000, 100_00, 3_000_00])
    jackpot = bool({6, 8} & set(spots)) and draw(st.booleans())
    return {
        "groups": groups,
        "plays": [(each, draw(stakes)) for each in spots],
        "schedule": "standard",
        "jackpot": jackpot,
    }


BOARDS = st.tuples(st.integers(6, 9), st.integers(2, 5))


@given(data=st.data(), board=BOARDS)
def test_of_one_ticket_the_figure_is_exact(data: st.DataObject, board: tuple[int, int]) -> None:
    numbers, drawn = board
    ticket = data.draw(tickets(numbers=numbers))
    assert computed([ticket], numbers=numbers, drawn=drawn) == tried([ticket], numbers=numbers, drawn=drawn)


@given(data=st.data(), board=BOARDS)
def test_no_draw_pays_several_tickets_more(data: st.DataObject, board: tuple[int, int]) -> None:
    numbers, drawn = board
    several = data.draw(st.lists(tickets(numbers=numbers), min_size=2, max_size=3))
    assert computed(several, numbers=numbers, drawn=drawn) >= tried(several, numbers=numbers, drawn=drawn)


@given(data=st.data(), board=BOARDS)
def test_a_ticket_with_too_many_patterns_gets_a_bound(data: st.DataObject, board: tuple[int, int]) -> None:
    numbers, drawn = board
    entry = entered(data.draw(tickets(numbers=numbers)))
    exact = exposure(entry, numbers=numbers, drawn=drawn)
    plays = tuple(
        (play.spots, rules._prizes(entry.prize_table(play), play.stake, entry.in_jackpot(play)))
        for play in entry.selection.plays
    )
    bound = rules._bound(exact.way, plays, entry.selection.ways)
    assume(bound != exact)
    assert not bound.exact
    assert (bound.most >= exact.most, bound.minors >= exact.minors, bound.held >= exact.held) == (True, True, True)


@pytest.mark.clause("act-keno:9.2", "act-keno:9.3")
def test_the_floors_of_200_dollars_are_counted() -> None:
    """The ticket that made fifteen millions payable: nineteen numbers, every eight of them, ten cents a way."""
    entry = TicketEntry(way([(n,) for n in range(1, 20)], [Play(8, Money.cents(10))]))
    assert entry.selection.ways == (75_582,)
    assert exposure(entry).payable == Money.dollars(200) * 75_582 == Money.dollars(15_116_400)


def test_several_hundred_majors_by_trying_every_draw() -> None:
    ticket = {
        "groups": [(n,) for n in range(1, 12)],
        "plays": [(5, 100)],
        "schedule": "standard",
        "jackpot": False,
    }
    assert exposure(entered(ticket), numbers=13, drawn=11).payable == tried([ticket], numbers=13, drawn=11)
    assert exposure(entered(ticket), numbers=13, drawn=11).payable == Money.dollars(200 * 462)


@pytest.mark.clause("act-keno:9.1")
def test_a_plain_ticket_risks_its_best_prize_and_no_more_than_50_000() -> None:
    for table in STANDARD.prize_tables:
        for stake in (1, 5, 40):
            entry = TicketEntry(plain(range(1, table.spots + 1), Money.dollars(stake)))
            best = max(table.prizes).micros // MICROS_PER_CENT * stake
            assert exposure(entry).payable == exposure(entry).way == min(Money.cents(best), Money.dollars(50_000))


@pytest.mark.clause("act-keno:9.1", "act-keno:9.6")
def test_a_jackpot_way_risks_what_it_wins_short_of_the_jackpot() -> None:
    """7 of 8 at $100.00 is $55,500 and no cap of its own; the majors of the game are cut to $50,000."""
    entry = TicketEntry(plain(range(1, 9), Money.dollars(100)), jackpot=True)
    assert exposure(entry).payable == Money.dollars(50_000)
    assert exposure(TicketEntry(plain(range(1, 7), Money.dollars(1)), jackpot=True)).payable == Money.dollars(50)


def test_many_small_tickets_share_one_cut() -> None:
    """Two hundred tickets that could each win $25,000: the game pays $50,000 for their majors, and $50 small each."""
    one = exposure(TicketEntry(plain(range(1, 11), Money.dollars(1))))
    assert sum([one] * 200, Exposure()).payable == Money.dollars(50_000 + 200 * 50)
    assert sum([one] * 1_000, Exposure()).payable == Money.dollars(200 * 1_000)
