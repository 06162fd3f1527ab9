"""The simulation's own book of a link, by hand: where it were wrong, so would be what it is compared with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from jackpot.simulate.link_book import (
    ADVANCE,
    BOOMERANG,
    CARIBBEAN_STUD,
    DOLLAR,
    DROP,
    GEE_JUN,
    HOUSE,
    PRIZE,
    RESERVE,
    WAGERS,
    WINNERS,
    Kind,
    LinkBook,
)


def opened(kind: Kind, prize: int, reserve: int = 0) -> LinkBook:
    return LinkBook(kind, {PRIZE: prize * DOLLAR, RESERVE: reserve * DOLLAR})


def in_dollars(book: LinkBook) -> dict[str, float]:
    return {purse: amount / DOLLAR for purse, amount in book.purses.items() if amount}


def test_a_straight_flush_before_a_royal_with_bonuses() -> None:
    book = opened(CARIBBEAN_STUD, 60_000)
    played = book.start([1, 2, 3, 4])
    assert in_dollars(book) == {PRIZE: 60_007, RESERVE: 1, HOUSE: 2, DROP: 10}
    won = book.finish(played, {1: "royal-flush", 2: "straight-flush", 3: "flush", 4: "nothing"})
    assert [(each.box, each.amount / DOLLAR, each.from_pool / DOLLAR) for each in won] == [
        (3, 100, 0),
        (4, 250, 0),
        (3, 250, 0),
        (2, 6_000.7, 6_000.7),
        (1, 54_006.3, 54_006.3),
    ]
    # The next pool: a dollar from the reserve, the rest from the house.
    assert in_dollars(book) == {PRIZE: 50_000, ADVANCE: 49_999, HOUSE: -598, DROP: 10, WINNERS: 60_607}
    book.void(played)
    assert in_dollars(book) == {PRIZE: 60_000}


def test_all_together_at_most_what_was_shown() -> None:
    book = opened(BOOMERANG, 10_500, reserve=40)
    played = book.start([1, 2, 3])
    assert in_dollars(book)[WAGERS] == 3
    won = book.finish(played, {1: "royal-flush", 2: "straight-flush", 3: "nothing"})
    # $10,500 and $1,050, of $10,500 shown.
    assert [(each.box, each.amount / DOLLAR) for each in won] == [(2, 954.54), (1, 9_545.45)]
    # One wager lost and feeds the pools; two won and are the house's.
    left = 10_500 - 954.54 - 9_545.45
    assert in_dollars(book) == {
        PRIZE: 10_000.6,
        RESERVE: 0.4,
        ADVANCE: round(10_000 - 40 - left, 2),
        HOUSE: 2,
        DROP: 3,
        WINNERS: 10_499.99,
    }


def test_a_pool_that_somebody_else_has_won_meanwhile_keeps_its_seed() -> None:
    book = opened(CARIBBEAN_STUD, 50_000)
    slow, quick = book.start([1, 2]), book.start([1])
    book.finish(quick, {1: "royal-flush"})
    assert book.purses[PRIZE] == 50_000 * DOLLAR
    house = book.purses[ADVANCE]
    book.void(slow)
    assert book.purses[PRIZE] == 50_000 * DOLLAR
    assert book.purses[ADVANCE] - house == 4 * DOLLAR  # 70% and 10% of two wagers of $2.50


def test_what_was_played_before_a_change_counts_by_the_old_terms() -> None:
    book = opened(BOOMERANG, 10_000)
    change = datetime(2026, 11, 1, 12, tzinfo=UTC)
    began_before = book.start([1])
    book.change({PRIZE: 70, RESERVE: 30}, change)
    book.count(100, change - timedelta(seconds=1))
    assert (book.purses[PRIZE] / DOLLAR, book.purses[RESERVE] / DOLLAR) == (10_060, 40)
    book.count(100, change)
    assert (book.purses[PRIZE] / DOLLAR, book.purses[RESERVE] / DOLLAR) == (10_130, 70)
    book.finish(began_before, {1: "nothing"})
    assert (book.purses[PRIZE] / DOLLAR, book.purses[RESERVE] / DOLLAR) == (10_130.6, 70.4)
    book.void(began_before)
    assert (book.purses[PRIZE] / DOLLAR, book.purses[RESERVE] / DOLLAR) == (10_130, 70)


def test_a_denied_major_is_as_if_it_had_not_been() -> None:
    book = opened(GEE_JUN, 12_000, reserve=500)
    played = book.start([5])
    (major,) = book.finish(played, {5: "gee-jun-pair-teen-pair"})
    assert in_dollars(book) == {PRIZE: 10_000, ADVANCE: 9_500, HOUSE: 1, DROP: 1, WINNERS: 12_000}
    book.deny(played, major)
    assert in_dollars(book) == {PRIZE: 12_000, RESERVE: 500, HOUSE: 1, DROP: 1}
