"""Picked numbers: every set equally likely, shown by running through all that the source can say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from keno.rules.entry import TicketEntry
from keno.rules.quickpick import pick_groups, pick_mystery, pick_numbers
from keno.rules.schedules import SPECIAL_2
from keno.rules.selection import Form, plain
from kernel.money import Money
from tests.world.refusals import refused_in_full


def saying(*answers: int) -> Callable[[int], int]:
    """A source that gives these answers, and checks that each was possible."""
    left = list(answers)

    def below(bound: int) -> int:
        answer = left.pop(0)
        assert 0 <= answer < bound
        return answer

    return below


@pytest.mark.clause("act-keno:4.7b")
def test_every_pair_comes_up_equally_often() -> None:
    pairs = Counter(pick_numbers(2, saying(a, b)) for a, b in product(range(80), range(79)))
    assert len(pairs) == 80 * 79 // 2
    assert set(pairs.values()) == {2}
    assert all(1 <= low < high <= 80 for low, high in pairs)


@pytest.mark.clause("act-keno:4.7b")
def test_a_quick_pick_makes_a_ticket() -> None:
    numbers = pick_numbers(15, saying(*[79 - place for place in range(15)]))
    assert len(set(numbers)) == 15
    assert TicketEntry(plain(numbers, Money.dollars(1), form=Form.QUICK_PICK)).selection.total_ways == 1


@pytest.mark.clause("act-keno:4.7b")
@pytest.mark.parametrize("spots", [0, 16, -1])
def test_a_quick_pick_of_too_many(spots: int) -> None:
    assert refused_in_full(pick_numbers, spots, saying()) == ("spots-not-offered", "act-keno:8.1", "quick_pick.spots")


@pytest.mark.clause("act-keno:4.7c")
def test_a_mystery_takes_every_amount_equally() -> None:
    assert [len(pick_mystery(saying(i, *[0] * 15))) for i in range(15)] == list(range(1, 16))
    assert [len(pick_mystery(saying(i, *[0] * 15), schedule=SPECIAL_2)) for i in range(4)] == [3, 4, 5, 6]
    assert [len(pick_mystery(saying(i, *[0] * 15), jackpot=True)) for i in range(2)] == [6, 8]


@pytest.mark.clause("act-keno:4.7a", "act-keno:4.7c")
def test_no_mystery_jackpot_off_the_standard_schedule() -> None:
    answer = refused_in_full(pick_mystery, saying(), schedule=SPECIAL_2, jackpot=True)
    assert answer == ("jackpot-needs-standard", "act-keno:4.7a", "jackpot")


@pytest.mark.clause("act-keno:4.7h")
def test_set_bets_picked_afresh_have_no_number_twice() -> None:
    groups = pick_groups([4] * 20, saying(*[0] * 80))
    assert [len(group) for group in groups] == [4] * 20
    assert sorted(number for group in groups for number in group) == list(range(1, 81))
    singles = Counter(pick_groups([1, 1], saying(a, b)) for a, b in product(range(80), range(79)))
    assert len(singles) == 80 * 79
    assert set(singles.values()) == {1}


@pytest.mark.clause("act-keno:4.7h")
@pytest.mark.parametrize("sizes", [[], [0, 1], [41, 40]])
def test_impossible_set_bets(sizes: list[Any]) -> None:
    assert refused_in_full(pick_groups, sizes, saying()) == ("groups-impossible", "act-keno:4.7h", "set_bet")
