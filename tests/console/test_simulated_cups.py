"""Tournaments of a simulated month, by themselves: finals after heats agree with a book that tries every order."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from house.simulate import Clock
from promotions.simulate.cups import Cups
from promotions.simulate.finals import HeatBook
from tests.world.second_party import AtHand
from tournaments.models import Tournament, TournamentEntry
from tournaments.rules.final import qualifiers


def played(*numbers: int, all_alike: bool = False) -> Cups:
    """The tournaments with these numbers; the even ones have a final. *all_alike*: everybody scores the same."""
    coming = AllAlike if all_alike else AlwaysComing
    clock = Clock(timezone.now())
    cups = Cups(clock)
    with clock.running():
        cups.begin()
        for number in numbers:
            cups.number = number - 1
            clock.advance(cups.next_at)
            for _ in range(16):
                cups.moment(coming(number))
            clock.advance(cups.closes + timedelta(hours=1))
            cups.moment(coming(number))
    return cups


class AlwaysComing(Random):
    """Everybody comes, somebody buys in again, and nothing is called off."""

    def random(self) -> float:
        return 0.25

    def getrandbits(self, k: int, /) -> int:
        """What chooses goes on by chance."""
        return super().getrandbits(k)


class AllAlike(AlwaysComing):
    def choice(self, seq: Any) -> Any:
        return 20 if all(isinstance(each, int) for each in seq) else super().choice(seq)


def differing(cups: Cups) -> list[str]:
    return [figure.what for figure in cups.figures() if not figure.agrees]


@pytest.mark.usefixtures("venue")
@pytest.mark.parametrize("all_alike", [False, True], ids=["by chance", "all alike"])
def test_finals_agree_with_the_book_whatever_decides_ties(all_alike: bool) -> None:
    cups = played(2, 4, 6, all_alike=all_alike)
    assert differing(cups) == []
    finals = Tournament.objects.filter(terms__final__isnull=False, finished_at__isnull=False)
    assert {each.terms["final"]["ties"] for each in finals} == {"all", "play-off", "lot"}
    decided = cups.done["cup play-off"], cups.done["cup lot"]
    assert (cups.done["cup final"], max(decided) <= 1) == (3, True)
    if all_alike:  # by chance equals may have sat where their order does not matter: seats are drawn
        assert decided == (1, 1)
        assert TournamentEntry.objects.filter(tournament__in=finals, in_final=False, prize__isnull=True).exists()


@pytest.mark.usefixtures("venue")
def test_a_friend_in_the_final_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house puts in whoever entered last: the book says so."""
    right = qualifiers

    def wrong(results: Any, *rest: Any, **more: Any) -> list[int]:
        into, out = right(results, *rest, **more), [each.entry for each in results]
        return into if len(into) == len(out) else sorted({*into[1:], max(set(out) - set(into))})

    monkeypatch.setattr("tournaments.qualify.qualifiers", wrong)
    assert any(what.startswith("The final of") for what in differing(played(2)))


@pytest.mark.usefixtures("venue")
def test_while_the_witness_is_away_the_lot_waits_and_is_then_drawn(second_party: AtHand) -> None:
    second_party.away = True
    cups = played(2)
    assert (cups.refused["witness-away"], cups.done["cup final"], differing(cups)) == (1, 0, [])
    second_party.away = False
    with cups.clock.running():
        cups.moment(Random(1))
    assert (cups.done["cup final"], differing(cups)) == (1, [])


def test_the_book_by_hand() -> None:
    """The best of each of two heats, and the best of those left."""
    heats = {1: 1, 2: 1, 3: 2, 4: 2}
    for ties, scores, is_open, into in (
        ("lot", {1: 9, 2: 8, 3: 7, 4: 6}, [], [1, 2, 3]),
        (
            "lot",
            {1: 9, 2: 9, 3: 9, 4: 8},
            [],
            [1, 2, 3],
        ),  # one of the two by his heat, the other as the best of all left
        ("lot", {1: 9, 2: 5, 3: 7, 4: 5}, [2, 4], [1, 3, 4]),
        ("all", {1: 9, 2: 5, 3: 7, 4: 5}, [], [1, 2, 3, 4]),
        ("all", {1: 9, 2: 9, 3: 9, 4: 8}, [], [1, 2, 3, 4]),
    ):
        book = HeatBook(ties, carries_over=False, heat_of=heats, scores=scores)
        assert (book.open_ties(), book.into({2: 1, 4: 2})) == (is_open, into)
    assert HeatBook("all", True, scores={1: 9, 2: 5}).points({1: 1, 2: 6}) == {1: 10, 2: 11}
