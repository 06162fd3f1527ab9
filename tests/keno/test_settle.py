"""One game: matches, caps, majors, jackpots."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.rules.entry import TicketEntry
from keno.rules.prorate import MAJOR, MAJORS_TOTAL_LIMIT, prorate, settle_majors, share_jackpot
from keno.rules.schedules import SPECIAL_1, SPECIAL_2, special_3
from keno.rules.selection import Play, Selection, plain, way
from keno.rules.settle import check_draw, match, settle_game
from kernel.money import Money
from tests.world.refusals import refused_in_full

DRAWN = list(range(1, 21))
DOLLAR = Money.dollars(1)


def one_of_each(*amounts: str) -> list[tuple[Money, int]]:
    return [(Money.parse(amount), 1) for amount in amounts]


def amounts(settled: Iterable[Any]) -> list[str]:
    return [str(one.amount + one.loose) for one in settled]


@pytest.mark.clause("act-keno:7.1")
@pytest.mark.parametrize(
    ("drawn", "field"),
    [
        (DRAWN[:19], "drawn"),
        ([*DRAWN, 21], "drawn"),
        ([*DRAWN[:19], 1], "drawn[19]"),
        ([0, *DRAWN[1:]], "drawn[0]"),
        ([*DRAWN[:19], 81], "drawn[19]"),
        ([], "drawn"),
    ],
)
def test_an_impossible_draw(drawn: Any, field: str) -> None:
    assert refused_in_full(check_draw, drawn) == ("draw-impossible", "act-keno:7.1", field)


@pytest.mark.clause("act-keno:10.1", "act-keno:8.1")
def test_matching_no_number_can_win() -> None:
    game = settle_game(drawn=DRAWN, entries=[TicketEntry(plain(range(21, 36), Money.dollars(2)))])
    (ticket,) = game.tickets
    assert str(ticket.prize) == "24.00"
    assert [(group.matches, group.count) for group in ticket.ways] == [(0, 1)]


@pytest.mark.clause("act-keno:9.7", "act-keno:8.1")
def test_each_way_is_a_ticket_of_its_own() -> None:
    # {1,2,3}{4,5,6}{7,8}{9} with 1-6 drawn: ways of 6 match 6, 3 and 3; ways of 3 match 3, 3 and 0.
    groups = [(1, 2, 3), (4, 5, 6), (57, 58), (59,)]
    entry = TicketEntry(way(groups, [Play(6, DOLLAR), Play(3, Money.cents(50))]))
    (ticket,) = settle_game(drawn=DRAWN, entries=[entry]).tickets
    assert [(g.play, g.spots, g.matches, g.count, str(g.prize)) for g in ticket.ways] == [
        (0, 6, 6, 1, "1000.00"),
        (0, 6, 3, 2, "1.00"),
        (1, 3, 3, 2, "18.00"),
        (1, 3, 0, 1, "0.00"),
    ]
    assert str(ticket.prize) == "1038.00"


@pytest.mark.clause("act-keno:8.2", "act-keno:8.3", "act-keno:8.4")
def test_the_schedule_of_the_ticket_decides() -> None:
    pairs = way([(1, 2), (3, 4), (5, 6), (77, 78)], [Play(6, DOLLAR)])
    one = special_3({6: {4: Money.cents(50), 6: Money.dollars(10)}})
    # One way matches 6, three match 4.
    prizes = [
        settle_game(drawn=DRAWN, entries=[TicketEntry(pairs, s)]).tickets[0].prize for s in (SPECIAL_1, SPECIAL_2, one)
    ]
    assert [str(prize) for prize in prizes] == ["1218.00", "6000.00", "11.50"]


@pytest.mark.clause("act-keno:9.1")
def test_a_way_pays_50000_at_most() -> None:
    entry = TicketEntry(plain(DRAWN[:9], DOLLAR))
    table = entry.prize_table(entry.selection.plays[0])
    assert str(table.prize(9, Money.dollars(2))) == "40000.00"
    assert str(table.prize(9, Money.dollars(3))) == "50000.00"
    (ticket,) = settle_game(drawn=DRAWN, entries=[TicketEntry(plain(DRAWN[:9], Money.dollars(9_999)))]).tickets
    assert str(ticket.prize) == "50000.00"
    assert not ticket.ways[0].prorated


@pytest.mark.clause("act-keno:9.1", "act-keno:9.6", "act-keno:9.7")
def test_the_jackpot_ways_of_a_jackpot_ticket_are_not_capped() -> None:
    """7 of 8 at $100 beside a capped way: 55,500 and 50,000, pro-rated together, the loose cent to the first."""
    short = TicketEntry(plain([*DRAWN[:7], 80], Money.dollars(100)), jackpot=True)
    capped = TicketEntry(plain(DRAWN[:9], Money.dollars(3)))
    game = settle_game(drawn=DRAWN, entries=[short, capped])
    assert [str(each.prize) for each in game.tickets] == ["26303.32", "23696.68"]
    assert str(game.majors.before) == "105500.00"
    # The same numbers without the jackpot are capped; so are the other ways of a jackpot ticket.
    fixed = settle_game(drawn=DRAWN, entries=[replace(short, jackpot=False), capped])
    assert [str(each.prize) for each in fixed.tickets] == ["25000.00", "25000.00"]
    both = Selection(
        groups=(tuple(DRAWN[:7]), (80,), (DRAWN[7], DRAWN[8])),
        plays=(Play(8, Money.dollars(100)), Play(9, Money.dollars(100))),
    )
    ways = {(way.spots, way.matches): way.prize for way in match(TicketEntry(both, jackpot=True), frozenset(DRAWN))}
    assert str(ways[8, 7]) == "55500.00"
    assert str(ways[9, 9]) == "50000.00"


@pytest.mark.clause("act-keno:9.2", "act-keno:9.3", "act-keno:9.4")
def test_the_worked_example_of_the_reading() -> None:
    proration, settled = settle_majors(one_of_each("50000.00", "12500.00", "200.00"))
    assert amounts(settled) == ["39840.00", "9960.00", "200.00"]
    assert [one.prorated for one in settled] == [True, True, False]
    assert (str(proration.before), str(proration.after), proration.count) == ("62700.00", "50000.00", 3)


@pytest.mark.clause("act-keno:9.2")
def test_majors_of_50000_together_are_paid_in_full() -> None:
    proration, settled = settle_majors(one_of_each("49800.00", "200.00"))
    assert amounts(settled) == ["49800.00", "200.00"]
    assert proration.factor is None
    assert str(prorate({}).before) == "0.00"


@pytest.mark.clause("act-keno:9.2", "act-keno:9.4")
def test_loose_cents_go_in_ticket_order() -> None:
    # Three equal shares of $50,000: $16,666.66 and two cents left.
    _, settled = settle_majors(one_of_each("20000.00", "20000.00", "20000.00"))
    assert amounts(settled) == ["16666.67", "16666.67", "16666.66"]
    assert {str(one.amount) for one in settled} == {"16666.66"}


@pytest.mark.clause("act-keno:9.3")
def test_a_held_prize_takes_no_loose_cent() -> None:
    # Held: $200.00, first in line. Seven others share $49,800 evenly: $7,114.28 and four cents left.
    _, settled = settle_majors(one_of_each("200.00", *["10000.00"] * 7))
    assert amounts(settled) == ["200.00", *["7114.29"] * 4, *["7114.28"] * 3]


@pytest.mark.clause("act-keno:9.3")
def test_holding_one_prize_can_pull_another_down() -> None:
    groups = [(Money.dollars(300), 100), (Money.dollars(305), 100), (Money.dollars(320), 48)]
    # Scaled once, 50,000 : 75,860, only the $300 fall below $200 ($197.73; the $305 stand at $201.02). With those held,
    # 30,000 : 45,860 takes the $305 to $199.52. So 200 are held, and 48 share $10,000: $208.33 and sixteen cents left.
    proration, settled = settle_majors(groups)
    assert [str(one.amount) for one in settled] == ["200.00", "200.00", "208.33"]
    assert [str(one.loose) for one in settled] == ["0.00", "0.00", "0.16"]
    assert proration.after == MAJORS_TOTAL_LIMIT


@pytest.mark.clause("act-keno:9.3")
def test_exactly_250_majors_are_200_each() -> None:
    proration, settled = settle_majors([(Money.dollars(300), 249), (Money.dollars(50_000), 1)])
    assert [str(one.amount + one.loose) for one in settled] == ["200.00", "200.00"]
    assert proration.after == MAJORS_TOTAL_LIMIT


@pytest.mark.clause("act-keno:9.3")
def test_over_250_majors_are_200_each() -> None:
    # Ten kings all drawn, played by five: 252 ways of $530.
    entry = TicketEntry(way([(n,) for n in DRAWN[:10]], [Play(5, DOLLAR)]))
    game = settle_game(drawn=DRAWN, entries=[entry])
    assert str(game.tickets[0].prize) == "50400.00"
    assert (game.majors.count, str(game.majors.before), str(game.majors.after)) == (252, "133560.00", "50400.00")
    assert game.tickets[0].ways[0].prorated


@pytest.mark.clause("act-keno:9.2", "act-keno:9.7")
def test_huge_way_tickets_are_settled_without_listing_them() -> None:
    # Eighty kings played by fifteen: C(20,k) C(60,15-k) ways match k. Eight matches pay $15, nine $50, ten $350 and up.
    entry = TicketEntry(way([(n,) for n in range(1, 81)], [Play(15, DOLLAR)]))
    game = settle_game(drawn=DRAWN, entries=[entry])
    ways = {k: comb(20, k) * comb(60, 15 - k) for k in range(16)}
    majors = sum(ways[k] for k in range(10, 16))
    minors = 12 * ways[0] + 2 * ways[1] + 2 * ways[6] + 5 * ways[7] + 15 * ways[8] + 50 * ways[9]
    assert game.majors.count == majors
    assert game.tickets[0].prize == Money.dollars(minors + 200 * majors)


@pytest.mark.clause("act-keno:9.5")
def test_a_jackpot_is_shared_by_stake() -> None:
    six = [TicketEntry(plain(DRAWN[:6], Money.dollars(stake)), jackpot=True) for stake in (1, 2, 5)]
    game = settle_game(drawn=DRAWN, entries=six, jackpots={6: Money.parse("1500.01")})
    # 1500.01 in eighths: 187.50, 375.00, 937.50 (down to the cent) and one cent, to the first.
    assert [str(ticket.prize) for ticket in game.tickets] == ["187.51", "375.00", "937.50"]
    assert [str(ticket.ways[0].prize) for ticket in game.tickets] == ["187.50", "375.00", "937.50"]
    assert (str(game.jackpots[6].amount), game.jackpots[6].ways) == ("1500.01", 3)
    assert game.majors.count == 0
    assert all(ticket.ways[0].jackpot and not ticket.ways[0].prorated for ticket in game.tickets)


@pytest.mark.clause("act-keno:9.1", "act-keno:9.2")
def test_a_jackpot_is_neither_capped_nor_pro_rated() -> None:
    entries = [TicketEntry(plain(DRAWN[:8], DOLLAR), jackpot=True), TicketEntry(plain(DRAWN[:15], Money.dollars(3)))]
    game = settle_game(drawn=DRAWN, entries=entries, jackpots={8: Money.parse("81234.56")})
    assert [str(ticket.prize) for ticket in game.tickets] == ["81234.56", "50000.00"]
    assert game.majors.factor is None


@pytest.mark.clause("act-keno:9.6", "act-keno:9.2")
def test_a_jackpot_entry_short_of_a_full_match_is_pro_rated() -> None:
    seven_of_eight = TicketEntry(plain([*DRAWN[:7], 80], Money.dollars(20)), jackpot=True)  # $11,100
    game = settle_game(drawn=DRAWN, entries=[seven_of_eight, TicketEntry(plain(DRAWN[:15], DOLLAR))])
    assert not game.jackpots
    # 11,100 and 50,000 to $50,000.
    assert [str(ticket.prize) for ticket in game.tickets] == ["9083.47", "40916.53"]
    assert str(game.majors.before) == "61100.00"


@pytest.mark.clause("act-keno:5.2")
def test_the_displayed_jackpot_is_never_below_its_guarantee() -> None:
    entries = [TicketEntry(plain(DRAWN[:6], DOLLAR), jackpot=True), TicketEntry(plain(DRAWN[:8], DOLLAR), jackpot=True)]
    game = settle_game(drawn=DRAWN, entries=entries, jackpots={6: Money.parse("999.99")})
    assert [str(ticket.prize) for ticket in game.tickets] == ["1000.00", "12500.00"]


@pytest.mark.clause("act-keno:4.7a")
def test_without_the_jackpot_the_starred_prize_is_a_fixed_one() -> None:
    entries = [TicketEntry(plain(DRAWN[:6], Money.dollars(2))), TicketEntry(plain(DRAWN[:6], DOLLAR), jackpot=True)]
    game = settle_game(drawn=DRAWN, entries=entries, jackpots={6: Money.parse("4321.00")})
    assert [str(ticket.prize) for ticket in game.tickets] == ["2000.00", "4321.00"]


def test_matching_alone_needs_no_other_ticket() -> None:
    groups = match(TicketEntry(plain([*DRAWN[:5], 80], DOLLAR), jackpot=True), frozenset(DRAWN))
    assert [(group.matches, str(group.prize), group.jackpot) for group in groups] == [(5, "50.00", False)]
    (full,) = match(TicketEntry(plain(DRAWN[:6], DOLLAR), jackpot=True), frozenset(DRAWN))
    assert (full.jackpot, str(full.prize)) == (True, "0.00")


def test_a_game_without_tickets_pays_nothing() -> None:
    game = settle_game(drawn=DRAWN, entries=[])
    assert (game.tickets, game.majors.count, dict(game.jackpots)) == ((), 0, {})


majors_in_ticket_order = st.lists(
    st.tuples(st.integers(200_00, 50_000_00).map(Money.cents), st.integers(1, 90)), min_size=1, max_size=12
)


@pytest.mark.clause("act-keno:9.2", "act-keno:9.3", "act-keno:9.4")
@given(groups=majors_in_ticket_order)
def test_pro_rating_keeps_its_promises(groups: Any) -> None:
    proration, settled = settle_majors(groups)
    count = sum(ways for _, ways in groups)
    before = Money.total(prize * ways for prize, ways in groups)
    total = Money.total(one.amount * ways + one.loose for one, (_, ways) in zip(settled, groups, strict=True))
    # The total is exact.
    assert total == proration.after == min(before, max(MAJORS_TOTAL_LIMIT, MAJOR * count))
    best: dict[Money, Money] = {}
    for one, (prize, ways) in zip(settled, groups, strict=True):
        # Nobody falls below $200, nobody gets more than he won, not with the loose cent either.
        assert one.amount >= MAJOR
        assert one.loose <= Money.cents(ways)
        assert one.amount + (Money.cents(1) if one.loose else Money(0)) <= prize
        assert one.prorated == (one.amount < prize)
        assert best.setdefault(prize, one.amount) == one.amount
    # Who won more gets no less.
    ordered = [best[prize] for prize in sorted(best)]
    assert ordered == sorted(ordered)
    # Loose cents go to the first in line: once a share misses out, nobody after it gets one.
    waiting = [
        (one.loose, Money.cents(ways)) for one, (prize, ways) in zip(settled, groups, strict=True)
        if proration.share(prize).takes_a_cent
    ]  # fmt: skip
    short = [i for i, (loose, full) in enumerate(waiting) if loose < full]
    assert not short or not any(loose for loose, _ in waiting[short[0] + 1 :])


@pytest.mark.clause("act-keno:9.2")
@given(groups=majors_in_ticket_order, data=st.data())
def test_shares_do_not_depend_on_how_ways_are_grouped(groups: Any, data: st.DataObject) -> None:
    """A database may feed the same majors way by way, or counted by amount: everyone gets the same."""
    small = [(prize, data.draw(st.integers(1, 4))) for prize, _ in groups]
    together, settled = settle_majors(small)
    apart, one_by_one = settle_majors([(prize, 1) for prize, ways in small for _ in range(ways)])
    assert together == apart
    rest = iter(one_by_one)
    for one, (_, ways) in zip(settled, small, strict=True):
        mine = [next(rest) for _ in range(ways)]
        assert {single.amount for single in mine} == {one.amount}
        assert Money.total(single.loose for single in mine) == one.loose


@pytest.mark.clause("act-keno:9.5")
@given(
    amount=st.integers(1_000_00, 10_000_000_00).map(Money.cents),
    groups=st.lists(st.tuples(st.integers(1, 500).map(Money.dollars), st.integers(1, 5000)), min_size=1, max_size=8),
)
def test_a_shared_jackpot_is_paid_to_the_cent(amount: Money, groups: Any) -> None:
    shares = share_jackpot(amount, groups)
    assert Money.total(one.amount * ways + one.loose for one, (_, ways) in zip(shares, groups, strict=True)) == amount
    staked = sum(stake.micros * ways for stake, ways in groups)
    for one, (stake, _) in zip(shares, groups, strict=True):
        assert 0 <= amount.micros * stake.micros - one.amount.micros * staked < 10_000 * staked
