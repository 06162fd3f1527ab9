"""American Roulette read a second time from the text (act-ar:4.3 to 7.3): every wager on every number, and no other.

The layout is a grid of twelve rows; what is adjacent is seen on it, not listed. A wager of n numbers pays 36/n - 1.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.rules import catalogue
from tablegames.rules.roulette import ROULETTE
from tablegames.rules.terms import Limit, Terms
from tests.tablegames.hands import figures, play

NAMES = {1: "straight-up", 2: "split", 3: "street", 4: "corner", 6: "six-line"}
ODDS = {1: 35, 2: 17, 3: 11, 4: 8, 6: 5, 12: 2, 18: 1}
# Around the wheel, as the trade prints it (Appendix A is a picture).
AROUND = [
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29,
    7, 28, 12, 35, 3, 26,
]  # fmt: skip
# 4.9, the pieces as they are named; of the nine of the third two lie on each of its first and last but one.
SERIES = {
    "tier": "5/8 10/11 13/16 23/24 27/30 33/36",
    "orphans": "1 6/9 14/17 17/20 31/34",
    "voisins-de-zero": "0/2/3 0/2/3 4/7 12/15 18/21 19/22 25/26/28/29 25/26/28/29 32/35",
    "zero-game": "0/3 12/15 26 32/35",
}


def place(number: int) -> tuple[int, int]:
    """Row and column on the layout."""
    return (number - 1) // 3, (number - 1) % 3


def is_block(numbers: frozenset[int], rows: int, columns: int) -> bool:
    """Whether these are a rectangle of the grid."""
    if 0 in numbers:
        return False
    places = {place(number) for number in numbers}
    down, across = {row for row, _ in places}, {column for _, column in places}
    return (
        len(places) == rows * columns == len(down) * len(across)
        and max(down) - min(down) == rows - 1
        and max(across) - min(across) == columns - 1
    )


def is_on_the_layout(numbers: frozenset[int]) -> bool:
    """4.3a–e; zero lies across the first row (4.3c, 7.3a)."""
    if len(numbers) == 1:
        return True
    if 0 in numbers:
        return numbers in map(frozenset, ([0, 1], [0, 2], [0, 3], [0, 1, 2], [0, 2, 3], [0, 1, 2, 3]))
    shapes = {2: ((1, 2), (2, 1)), 3: ((1, 3),), 4: ((2, 2),), 6: ((2, 3),)}[len(numbers)]
    return any(is_block(numbers, *shape) for shape in shapes)


def outside() -> dict[str, set[int]]:
    """4.3f–m."""
    all_numbers = range(1, 37)
    red = {n for n in all_numbers if (n % 2 == 1) == (n <= 10 or 19 <= n <= 28)}
    found = {f"column:{c + 1}": {n for n in all_numbers if place(n)[1] == c} for c in range(3)}
    found |= {f"dozen:{d + 1}": {n for n in all_numbers if 12 * d < n <= 12 * d + 12} for d in range(3)}
    return found | {
        "low": set(range(1, 19)),
        "high": set(range(19, 37)),
        "even": {n for n in all_numbers if n % 2 == 0},
        "odd": {n for n in all_numbers if n % 2},
        "red": red,
        "black": set(all_numbers) - red,
    }


def inside() -> dict[str, set[int]]:
    small = [frozenset(some) for size in (1, 2, 3) for some in combinations(range(37), size)]
    blocks = [frozenset({n, n + 1, n + 3, n + 4}) for n in range(1, 33)] + [frozenset({0, 1, 2, 3})]
    blocks += [frozenset(range(n, n + 6)) for n in range(1, 32)]
    return {
        f"{NAMES[len(some)]}:{'/'.join(map(str, sorted(some)))}": set(some)
        for some in [*small, *blocks]
        if is_on_the_layout(some)
    }


@pytest.mark.clause("act-ar:2.1", "act-ar:4.3", "act-ar:6.1", "act-ar:7.1", "act-ar:7.2", "act-ar:7.3")
def test_every_wager_on_every_number() -> None:
    wagers = inside() | outside()
    assert [sum(name.startswith(kind) for name in wagers) for kind in NAMES.values()] == [37, 60, 14, 23, 11]
    stakes = {name: Money.dollars(1) for name in wagers}
    for fell in range(37):
        settled = catalogue.settle("roulette", terms=Terms(), wagers=stakes, outcome=str(fell))
        for line in settled.owed:
            covers = wagers[line.wager]
            won = fell in covers
            assert (line.pays, line.returns) == (
                (Money.dollars(ODDS[len(covers)]), Money.dollars(1)) if won else (Money(0), Money(0))
            ), (line.wager, fell)


def is_accepted(numbers: frozenset[int]) -> bool:
    try:
        ROULETTE.read_wager(f"{NAMES[len(numbers)]}:{'/'.join(map(str, sorted(numbers)))}")
    except Refusal as refusal:
        return refusal.clause != "act-ar:4.3"
    return True


@pytest.mark.clause("act-ar:4.3")
def test_what_is_not_adjacent_is_no_wager() -> None:
    """All pairs and threes, and of fours and sixes a thousand each and those that wrap around the edge."""
    chance = random.Random(37)
    some = [frozenset(each) for size in (2, 3) for each in combinations(range(37), size)]
    some += [frozenset(chance.sample(range(37), size)) for size in (4, 6) for _ in range(1_000)]
    some += [frozenset({n, n + 1, n + 3, n + 4}) for n in range(1, 33)] + [
        frozenset(range(n, n + 6)) for n in range(32)
    ]
    accepted = {numbers for numbers in some if is_accepted(numbers)}
    assert accepted == {numbers for numbers in some if is_on_the_layout(numbers)}


@pytest.mark.clause("act-ar:4.9")
def test_the_race_track_lays_its_pieces() -> None:
    series = {name: [frozenset(map(int, piece.split("/"))) for piece in text.split()] for name, text in SERIES.items()}
    series |= {
        f"neighbours:{n}": [frozenset({AROUND[(AROUND.index(n) + step) % 37]}) for step in range(-2, 3)]
        for n in range(37)
    }
    assert [len(series[name]) for name in SERIES] == [6, 5, 9, 4]  # as many pieces as the text says
    stakes = {name: Money.dollars(len(pieces)) for name, pieces in series.items()}
    for fell in range(37):
        settled = catalogue.settle("roulette", terms=Terms(), wagers=stakes, outcome=str(fell))
        for line in settled.owed:
            won = [piece for piece in series[line.wager] if fell in piece]
            assert line.pays == Money.dollars(sum(ODDS[len(piece)] for piece in won)), (line.wager, fell)
            assert line.returns == Money.dollars(len(won))


@pytest.mark.clause("act-ar:3.5", "act-ar:4.9")
def test_the_race_track_respects_the_maximum_of_each_place() -> None:
    """A place has one maximum, whatever laid it there; what lies above it goes back, win or lose."""
    terms = Terms(
        limits={
            "split": Limit(Money.dollars(5), Money.dollars(50)),
            "street": Limit(Money.dollars(5), Money.dollars(75)),
            "straight-up": Limit(Money.dollars(1), Money.dollars(20)),
        }
    )
    tier = play("roulette", {"tier": "600.00"}, outcome="5", terms=terms).line("tier")
    assert figures(tier) == ("wins", "850.00", "350.00", "act-ar:7.1")  # 50 of 100 at 17 to 1, and 6 times 50 back
    assert "300.00 above what may be wagered goes back (act-ar:3.5)" in tier.why
    lost = play("roulette", {"tier": "600.00"}, outcome="0", terms=terms).line("tier")
    assert figures(lost) == ("loses", "0.00", "300.00", "act-ar:7.1")
    # Two pieces lie on 0/2/3: together they have one street's maximum; its splits have theirs.
    zero = play("roulette", {"voisins-de-zero": "450.00"}, outcome="2", terms=terms).line("voisins-de-zero")
    assert (str(zero.pays), str(zero.returns)) == ("825.00", "100.00")
    around = play("roulette", {"neighbours:17": "125.00"}, outcome="17", terms=terms).line("neighbours:17")
    assert (str(around.pays), str(around.returns)) == ("700.00", "45.00")
    # The chips laid on the place itself count first, in whatever order they are told.
    for wagers in ({"tier": "600.00", "split:8/5": "20.00"}, {"split:8/5": "20.00", "tier": "600.00"}):
        both = play("roulette", wagers, outcome="5", terms=terms)
        assert (str(both.line("split:8/5").pays), str(both.line("tier").pays)) == ("340.00", "510.00")
        assert Money.total(line.returns for line in both.owed) == Money.dollars(20 + 30 + 320)


@pytest.mark.clause("act-ar:3.4", "act-ar:3.5")
def test_above_the_sign_to_the_maximum_and_below_it_all_the_same() -> None:
    terms = Terms(limits={"red": Limit(Money.dollars(5), Money.dollars(100))})
    for placed, won, back in (("150.00", "100.00", "50.00"), ("2.00", "2.00", "0.00")):
        assert str(play("roulette", {"red": placed}, outcome="1", terms=terms).line("red").pays) == won
        assert str(play("roulette", {"red": placed}, outcome="2", terms=terms).line("red").returns) == back
