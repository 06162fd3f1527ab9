"""From a drawn order to winners and alternates."""

from __future__ import annotations

from itertools import count, islice
from typing import Any

import pytest

from chance import two_party
from chance.select import picks
from promotions.rules.draw import Drawn, Loss, Outcome, walk, winners
from tests.promotions.published_draws import MASTER, answer, proof_of
from tests.world import promotion_oracle as oracle


def order(people: str) -> list[Drawn]:
    return [Drawn(place, 100 + place, person) for place, person in enumerate(people, start=1)]


def told(people: str, **how: Any) -> str:
    """The outcome as a word for each place: W1 won prize 1, A alternate, - passed over, L1 lost prize 1."""
    mark = {Outcome.WINNER: "W", Outcome.ALTERNATE: "A", Outcome.PASSED_OVER: "-", Outcome.LOST: "L"}
    walked = walk(order(people), **{"prizes": 1, "alternates": 0, "one_prize_a_person": True} | how)
    return " ".join(f"{mark[each.outcome]}{each.prize or ''}" for each in walked)


def test_prizes_in_their_order_then_alternates() -> None:
    assert told("abcdefg", prizes=3, alternates=2) == "W1 W2 W3 A A"  # f and g are never drawn


def test_one_prize_a_person_passes_over_the_rest_of_his_entries() -> None:
    assert told("aabac", prizes=2, alternates=1) == "W1 - W2 - A"
    assert told("aabac", prizes=2, alternates=1, one_prize_a_person=False) == "W1 W2 A"


def test_alternates_are_different_people_where_one_may_win_once() -> None:
    assert told("abbcd", prizes=1, alternates=2) == "W1 A - A"
    assert told("abbcd", prizes=1, alternates=2, one_prize_a_person=False) == "W1 A A"


def test_an_absent_winners_prize_goes_to_the_next_in_the_drawn_order() -> None:
    assert told("abcd", prizes=2, alternates=1, losses=[Loss(1, True)]) == "L1 W2 W1"
    # More losses than alternates: the order goes on.
    assert told("abcde", prizes=2, alternates=1, losses=[Loss(1, True), Loss(3, True)]) == "L1 W2 L1 W1"
    # The one recorded first takes the first alternate.
    assert told("abcd", prizes=2, alternates=2, losses=[Loss(2, True), Loss(1, True)]) == "L1 L2 W2 W1"


def test_whoever_lost_a_prize_is_out_with_all_his_entries() -> None:
    assert told("abab", prizes=1, alternates=1, losses=[Loss(1, True), Loss(2, True)], one_prize_a_person=False) == (
        "L1 L1 - -"
    )
    # He had been drawn as an alternate, too.
    assert told("aabc", prizes=1, alternates=1, losses=[Loss(1, True)], one_prize_a_person=False) == "L1 - W1"


def test_a_prize_that_is_not_drawn_again_stays_lost() -> None:
    assert told("abcd", prizes=2, alternates=1, losses=[Loss(1, False)]) == "L1 W2 A"


def test_more_prizes_than_people() -> None:
    walked = walk(order("aab"), prizes=3, alternates=1, one_prize_a_person=True)
    assert {prize: each.person for prize, each in winners(walked).items()} == {1: "a", 2: "b"}
    assert told("", prizes=1) == ""


@pytest.mark.parametrize("losses", [[Loss(2, True)], [Loss(9, True)], [Loss(1, True), Loss(1, True)]], ids=str)
def test_only_a_prize_that_is_held_is_lost(losses: list[Loss]) -> None:
    with pytest.raises(ValueError, match="holds no prize"):
        walk(order("abc"), prizes=1, alternates=1, one_prize_a_person=True, losses=losses)


def test_no_prizes_is_no_draw() -> None:
    with pytest.raises(ValueError, match="at least one prize"):
        walk(order("abc"), prizes=0, alternates=0, one_prize_a_person=True)


def test_the_order_is_read_no_further_than_needed() -> None:
    endless = (Drawn(place, place, str(place)) for place in count(1))
    assert len(walk(endless, prizes=5, alternates=5, one_prize_a_person=True, losses=[Loss(3, True)])) == 10


def test_a_million_entries_cost_no_more_than_the_winners() -> None:
    """The sparse shuffle: ten thousand winners of a million, each once, without a list of a million."""
    said = answer(b"r" * 32, 10**6)
    drawn = [pick.number for pick in islice(picks(two_party.source(MASTER, said), 10**6), 10_000)]
    assert len(set(drawn)) == 10_000
    assert oracle.order(proof_of(said, 50), 50) == drawn[:50]


def test_what_is_barred_wins_nothing_and_is_passed_over() -> None:
    walked = walk(order("abcd"), prizes=2, alternates=1, one_prize_a_person=False, barred=[101, 103])
    assert [(each.outcome, each.prize) for each in walked] == [
        (Outcome.PASSED_OVER, None), (Outcome.WINNER, 1), (Outcome.PASSED_OVER, None), (Outcome.WINNER, 2),
    ]  # fmt: skip
