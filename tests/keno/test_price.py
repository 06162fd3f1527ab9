"""Stakes, prices, free games and what comes back."""

from __future__ import annotations

from typing import Any

import pytest

from keno.rules.entry import TicketEntry
from keno.rules.price import Price, cancellation, charged_games, quote
from keno.rules.schedules import SPECIAL_1
from keno.rules.selection import Form, Play, Selection, plain, way
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Refusal
from tests.world.refusals import refused_in_full

DOLLAR = Money.dollars(1)


def kings(count: int, *plays: tuple[int, str]) -> Selection:
    """A ticket of *count* groups of one number: C(count, spots) ways a play."""
    return way([(n,) for n in range(1, count + 1)], [Play(spots, Money.parse(stake)) for spots, stake in plays])


def allowed(ways: int) -> list[int]:
    """Stakes up to $5.00 that a ticket of this many ways of one number may have, by trying every cent."""

    def may(cents: int) -> bool:
        try:
            quote(TicketEntry(kings(ways, (1, str(Money.cents(cents))))))
        except Refusal:
            return False
        return True

    return [cents for cents in range(501) if may(cents)]


WHOLE = [100, 200, 300, 400, 500]


@pytest.mark.clause("act-keno:3.1", "act-keno:3.1c-i", "act-keno:3.1c-ii", "act-keno:3.1c-iii", "act-keno:3.1c-steps")
@pytest.mark.parametrize(
    ("ways", "stakes"),
    [
        (1, WHOLE),
        (3, WHOLE),
        (4, [50, 60, 70, 80, 90, *WHOLE]),
        (19, [50, 60, 70, 80, 90, *WHOLE]),
        (20, [20, 30, 40, 50, 60, 70, 80, 90, *WHOLE]),
        (49, [20, 30, 40, 50, 60, 70, 80, 90, *WHOLE]),
        (50, [10, 20, 30, 40, 50, 60, 70, 80, 90, *WHOLE]),
        (80, [10, 20, 30, 40, 50, 60, 70, 80, 90, *WHOLE]),
    ],
)
def test_stakes_of_each_tier(ways: int, stakes: Any) -> None:
    assert allowed(ways) == stakes


@pytest.mark.parametrize(
    ("ways", "stake", "clause"),
    [
        (1, "0.50", "act-keno:3.1"),
        (1, "0.00", "act-keno:3.1"),
        (1, "-1.00", "act-keno:3.1"),
        (3, "1.50", "act-keno:3.1"),
        (4, "0.40", "act-keno:3.1c-i"),
        (19, "0.20", "act-keno:3.1c-i"),
        (20, "0.10", "act-keno:3.1c-ii"),
        (50, "0.05", "act-keno:3.1c-iii"),
        (4, "0.75", "act-keno:3.1c-steps"),
        (50, "1.50", "act-keno:3.1c-steps"),
    ],
)
@pytest.mark.clause("act-keno:3.1", "act-keno:3.1c-i", "act-keno:3.1c-ii", "act-keno:3.1c-iii", "act-keno:3.1c-steps")
def test_the_clause_that_refuses_a_stake(ways: int, stake: str, clause: str) -> None:
    assert refused_in_full(quote, TicketEntry(kings(ways, (1, stake)))) == (
        "stake-not-allowed",
        clause,
        "plays[0].stake",
    )


@pytest.mark.clause("act-keno:3.1c-i")
def test_the_tier_is_that_of_the_whole_ticket() -> None:
    # 3 ways of one and 3 of two: six together, so $0.50 is enough for both.
    assert quote(TicketEntry(kings(3, (1, "0.50"), (2, "0.70")))).price.total == Money.parse("3.60")
    second = TicketEntry(kings(3, (1, "0.50"), (2, "0.40")))
    assert refused_in_full(quote, second) == ("stake-not-allowed", "act-keno:3.1c-i", "plays[1].stake")


@pytest.mark.clause("act-keno:3.1", "act-keno:8.2")
def test_a_plain_or_set_stake_is_just_the_stake() -> None:
    half = Money.cents(50)
    for form in (Form.NUMBERS, Form.QUICK_PICK, Form.MYSTERY):
        assert refused_in_full(quote, TicketEntry(plain([1, 2], half, form=form))) == (
            "stake-not-allowed",
            "act-keno:3.1",
            "stake",
        )
    set_bet = way([(1,), (2,)], [Play(1, half), Play(2, half)], form=Form.SET_BET)
    assert refused_in_full(quote, TicketEntry(set_bet, SPECIAL_1)) == ("stake-not-allowed", "act-keno:3.1", "stake")


@pytest.mark.clause("act-keno:5.1")
@pytest.mark.parametrize("stake", ["0.50", "0.90", "1.50"])
def test_a_jackpot_way_costs_whole_dollars(stake: str) -> None:
    entry = TicketEntry(kings(8, (6, stake)), jackpot=True)  # 28 ways: from $0.20 without the jackpot
    assert refused_in_full(quote, entry) == ("stake-not-allowed", "act-keno:5.1", "plays[0].stake")


@pytest.mark.clause("act-keno:5.1")
def test_the_other_ways_of_a_jackpot_ticket_keep_their_tier() -> None:
    entry = TicketEntry(kings(8, (6, "1.00"), (3, "0.10")), jackpot=True)  # 28 + 56 ways
    assert quote(entry).price.total == Money.parse("33.60")


@pytest.mark.clause("act-keno:3.1a", "act-keno:3.1b")
@pytest.mark.parametrize(
    ("games", "charged"), [(1, 1), (2, 2), (49, 49), (50, 49), (99, 98), (100, 98), (101, 99), (5_000, 4_998)]
)
def test_charged_games(games: int, charged: int) -> None:
    assert charged_games(games) == charged
    price = quote(TicketEntry(plain([5], DOLLAR)), games=games).price
    assert (price.games, price.charged_games, price.total) == (games, charged, Money.dollars(charged))
    assert price.keno_to_go == (games >= 50)


@pytest.mark.clause("act-keno:3.1")
def test_what_the_quote_says() -> None:
    answer = quote(
        TicketEntry(way([(1, 2, 3), (4, 5, 6), (7, 8), (9,)], [Play(6, DOLLAR), Play(3, Money.cents(50))])), games=50
    )
    assert answer.ways == 6
    assert [(play.spots, play.ways, str(play.stake)) for play in answer.plays] == [(6, 3, "1.00"), (3, 3, "0.50")]
    assert str(answer.price.price_a_game) == "4.50"
    assert str(answer.price.total) == "220.50"


@pytest.mark.clause("act-keno:3.1")
def test_at_most_9999_dollars_a_ticket() -> None:
    assert str(quote(TicketEntry(plain([5], Money.dollars(9_999)))).price.total) == "9999.00"
    assert str(quote(TicketEntry(plain([5], DOLLAR)), games=10_001).price.total) == "9999.00"
    too_much = ("price-over-limit", "act-keno:3.1")
    assert refused_in_full(quote, TicketEntry(plain([5], Money.dollars(10_000)))) == (*too_much, "stake")
    assert refused_in_full(quote, TicketEntry(plain([5], DOLLAR)), games=10_002) == (*too_much, "games")
    assert refused_in_full(quote, TicketEntry(plain([5], DOLLAR)), games=10**40) == (*too_much, "games")
    # 125,970 ways at $0.10 are $12,597.00 a game.
    assert refused_in_full(quote, TicketEntry(kings(20, (8, "0.10")))) == (*too_much, "plays[0].stake")


@pytest.mark.parametrize("games", [0, -1])
def test_no_games(games: int) -> None:
    assert refused_in_full(quote, TicketEntry(plain([5], DOLLAR)), games=games) == (
        "games-missing",
        "act-keno:3.1",
        "games",
    )


@pytest.mark.clause("act-keno:4.7a")
def test_the_premium_is_paid_for_each_jackpot_way_of_each_charged_game() -> None:
    entry = TicketEntry(kings(8, (6, "1.00"), (7, "1.00")), jackpot=True)  # 28 jackpot ways, 8 others
    premium = Money.cents(25)
    assert str(quote(entry, premium=premium).price.total) == "43.00"
    assert str(quote(entry, games=100, premium=premium).price.total) == "4214.00"
    without = TicketEntry(kings(8, (6, "1.00"), (7, "1.00")))
    assert str(quote(without, premium=premium).price.total) == "36.00"
    dear = TicketEntry(plain(range(1, 7), Money.dollars(9_999)), jackpot=True)
    assert refused_in_full(quote, dear, premium=premium) == ("price-over-limit", "act-keno:3.1", "stake")


@pytest.mark.clause("act-keno:14.5", "act-keno:3.1a", "act-keno:3.1b")
@pytest.mark.parametrize(("games", "free"), [(1, []), (49, []), (50, [50]), (99, [99]), (100, [99, 100])])
def test_the_last_games_are_the_free_ones(games: int, free: list[Any]) -> None:
    price = Price(games, Money.parse("4.50"))
    paid = {position: price.paid_for(position) for position in range(1, games + 1)}
    assert [position for position, amount in paid.items() if amount == ZERO] == free
    assert Money.total(paid.values()) == price.total
    for nowhere in (0, games + 1):
        with pytest.raises(ValueError, match="has no game"):
            price.paid_for(nowhere)


@pytest.mark.clause("act-keno:6.1", "act-keno:6.2")
def test_cancelling_gives_back_what_was_paid_for_unplayed_games() -> None:
    price = Price(10, Money.parse("2.50"))
    whole = cancellation(price, first_unplayed=1)
    assert (whole.games, str(whole.refund)) == (10, "25.00")
    rest = cancellation(price, first_unplayed=8)
    assert (rest.first, rest.last, rest.games, str(rest.refund)) == (8, 10, 3, "7.50")
    with pytest.raises(Conflict) as caught:
        cancellation(price, first_unplayed=11)
    assert (caught.value.code, caught.value.clause) == ("nothing-to-cancel", "act-keno:6.1")


@pytest.mark.clause("act-keno:6.3")
@pytest.mark.parametrize("games", [50, 100])
def test_a_keno_to_go_ticket_is_cancelled_whole_or_not_at_all(games: int) -> None:
    price = Price(games, Money.parse("2.00"))
    assert cancellation(price, first_unplayed=1).refund == price.total
    assert cancellation(price, first_unplayed=1).games == games
    with pytest.raises(Conflict) as caught:
        cancellation(price, first_unplayed=2)
    assert (caught.value.code, caught.value.clause) == ("keno-to-go-begun", "act-keno:6.3")
