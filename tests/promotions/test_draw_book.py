"""The simulation's own books of promotions and tournaments, by hand."""

from __future__ import annotations

from promotions.simulate.cups import FEE_CENTS, own_prizes
from promotions.simulate.draw_book import DrawBook, OwnPrize

PRIZES = (OwnPrize(200_000, True), OwnPrize(50_000, True), OwnPrize(3_500_000, False))


def entered(people: str, *, one_a_person: bool) -> DrawBook:
    return DrawBook(PRIZES, limit_a_person=4, one_a_person=one_a_person, entries=list(people))


def test_prizes_go_along_the_drawn_order() -> None:
    book = entered("AABC", one_a_person=False)
    assert book.holders([2, 1, 3, 4]) == {1: 2, 2: 1, 3: 3}
    book.one_a_person = True
    assert book.holders([2, 1, 3, 4]) == {1: 2, 2: 3, 3: 4}


def test_whoever_loses_a_prize_is_out_with_all_his_entries() -> None:
    book = entered("AABCD", one_a_person=False)
    order = [3, 4, 2, 1, 5]
    assert book.holders(order) == {1: 3, 2: 4, 3: 2}
    book.lost = [2]  # the second entry of A held the third prize, and his first comes next
    assert book.holders(order) == {1: 3, 2: 4, 3: 5}
    book.lost = [2, 5]
    assert book.holders(order) == {1: 3, 2: 4}  # nobody is left


def test_what_is_owed_is_money_that_was_won_and_not_paid() -> None:
    book = entered("ABC", one_a_person=True)
    assert (book.owing_cents, book.paid_cents) == (0, 0)
    book.is_drawn = True
    book.paid = {2, 3}
    assert (book.owing_cents, book.paid_cents) == (200_000, 50_000)


def test_the_balance_of_the_fees_is_prizes_to_the_cent() -> None:
    # Three fees of $50.05, of $150.15 in all $15.01 is retained: $135.14 by 50, 30 and 20 percent.
    assert own_prizes([30, 20, 10], fees_cents=3 * FEE_CENTS) == [6_757, 4_054, 2_703]
    # The first two share 80 percent of it; what does not divide goes to the better.
    assert own_prizes([30, 30, 10], fees_cents=3 * FEE_CENTS) == [5_406, 5_405, 2_703]
    # Two entries: 50 and 30 of 80.
    assert own_prizes([9, 3], fees_cents=2 * FEE_CENTS) == [5_631, 3_378]
    assert own_prizes([7, 7, 7, 7], fees_cents=4 * FEE_CENTS) == [4_505, 4_505, 4_504, 4_504]
