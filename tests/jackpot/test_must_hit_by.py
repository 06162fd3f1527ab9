"""What decides a must-hit-by link, beside an oracle that counts micro-dollars one by one: its law, exactly."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.rules import must_hit_by as rules
from jackpot.rules.must_hit_by import Bounds, Counted, Decision, decide
from jackpot.rules.pool import HOUSE, RESERVE, Level, Movement, Parameters, apply, overflow_of
from kernel.merkle import check_inclusion, inclusion_proof, nodes_of
from kernel.money import ZERO, Money

CENT = 10_000
Falls = tuple[int, ...]
"""After how many micro-dollars of the whole movement each fall came."""


def told(*numbers: int) -> Callable[[int], int]:
    """A generator that gives these, and is asked for no more."""
    left = list(numbers)

    def below(bound: int) -> int:
        assert 0 <= left[0] < bound
        return left.pop(0)

    return below


# The law


def unit_by_unit(units: int, *, start: int, bounds: Bounds) -> dict[Falls, Fraction]:
    """The oracle: every micro-dollar that comes in at meter m wins with the chance 1 / (ceiling − m), and then the
    meter begins at the seed again. Knows nothing of seals, X or batches."""
    paths: dict[tuple[int, Falls], Fraction] = {(start, ()): Fraction(1)}
    for unit in range(1, units + 1):
        following: dict[tuple[int, Falls], Fraction] = {}
        for (meter, falls), chance in paths.items():
            wins = Fraction(1, bounds.ceiling - meter)
            for where, part in (((bounds.seed, (*falls, unit)), wins), ((meter + 1, falls), 1 - wins)):
                if part:
                    following[where] = following.get(where, Fraction(0)) + chance * part
        paths = following
    law: dict[Falls, Fraction] = {}
    for (_, falls), chance in paths.items():
        law[falls] = law.get(falls, Fraction(0)) + chance
    return law


def by_seals(batches: list[list[int]], *, start: int, bounds: Bounds) -> dict[Falls, Fraction]:
    """The law of what is live: every number that the generator could give is followed."""
    paths: dict[tuple[int, int, Falls], Fraction] = {(start, 0, ()): Fraction(1)}
    for batch in batches:
        following: dict[tuple[int, int, Falls], Fraction] = {}
        for (meter, before, falls), chance in paths.items():
            for decision, part in every_way(meter, batch, bounds):
                where = (decision.after, before + sum(batch), (*falls, *places(decision, before)))
                following[where] = following.get(where, Fraction(0)) + chance * part
        paths = following
    law: dict[Falls, Fraction] = {}
    for (_, _, falls), chance in paths.items():
        law[falls] = law.get(falls, Fraction(0)) + chance
    return law


class _Asked(Exception):
    def __init__(self, bound: int) -> None:
        self.bound = bound


def every_way(meter: int, batch: list[int], bounds: Bounds) -> Iterator[tuple[Decision, Fraction]]:
    todo: list[tuple[list[int], Fraction]] = [([], Fraction(1))]
    while todo:
        numbers, chance = todo.pop()
        left = list(numbers)

        def below(bound: int, left: list[int] = left) -> int:
            if not left:
                raise _Asked(bound)
            return left.pop(0)

        try:
            yield decide(before=meter, increments=batch, bounds=lambda _: bounds, below=below), chance
        except _Asked as asked:
            todo += [([*numbers, x], chance / asked.bound) for x in range(asked.bound)]


def places(decision: Decision, before: int) -> Iterator[int]:
    meter, at = decision.before, before
    for fall in decision.falls:
        at += fall.point - meter
        meter = fall.start
        yield at


def batchings(units: int) -> Iterator[list[list[int]]]:
    """Every way to cut a movement of so many micro-dollars into wagers, and those into seals."""
    for cuts in range(1 << (units - 1)):
        ends = [0, *(at for at in range(1, units) if cuts >> (at - 1) & 1), units]
        parts = [upto - start for start, upto in pairwise(ends)]
        yield [[part] for part in parts]
        yield [parts]


@pytest.mark.parametrize(("above", "width"), [(0, 1), (0, 2), (0, 4), (2, 4), (3, 5)])
def test_the_law_is_the_same_under_any_batching(above: int, width: int) -> None:
    bounds = Bounds(CENT, CENT + width)
    oracle = unit_by_unit(5, start=CENT + above, bounds=bounds)
    assert sum(oracle.values()) == 1
    for batches in batchings(5):
        assert by_seals(batches, start=CENT + above, bounds=bounds) == oracle


@given(width=st.integers(1, 10**12), moves=st.lists(st.integers(0, 10**9), max_size=20))
def test_survival_telescopes(width: int, moves: list[int]) -> None:
    """P(no fall from J to K) = (ceiling − K) / (ceiling − J), seal after seal."""
    survived, meter = Fraction(1), 0
    for moved in moves:
        if meter + moved >= width:
            break
        survived *= Fraction(width - meter - moved, width - meter)
        meter += moved
    assert survived == Fraction(width - meter, width)


# Every decision


amounts = st.lists(st.integers(1, 3_000_000), min_size=1, max_size=30)


@given(
    increments=amounts,
    seed=st.integers(1, 500),
    width=st.integers(1, 400),
    above=st.integers(0, 10**9),
    seed_of_numbers=st.integers(0, 1 << 64),
)
def test_nothing_is_lost_and_the_wager_that_covers_the_point_wins(
    increments: list[int], seed: int, width: int, above: int, seed_of_numbers: int
) -> None:
    bounds = Bounds(seed * CENT, (seed + width) * CENT)
    before = bounds.seed + above % (width * CENT)
    numbers = _numbers(seed_of_numbers)
    found = decide(before=before, increments=increments, bounds=lambda _: bounds, below=lambda n: next(numbers) % n)
    # Counted by hand: the meter at every fall, and whose micro-dollar it was.
    meter, come = before, 0
    for fall in found.falls:
        come += fall.point - meter
        assert bounds.seed < fall.point <= bounds.ceiling
        assert fall.amount == Money(fall.point).down_to_cents().micros > 0
        assert sum(increments[: fall.wager]) < come <= sum(increments[: fall.wager + 1])
        assert fall.start == bounds.seed
        meter = fall.start
    assert found.after == meter + sum(increments) - come < bounds.ceiling
    paid, kept = sum(f.amount for f in found.falls), sum(f.point - f.amount for f in found.falls)
    put_in = sum(fall.start for fall in found.falls) - kept
    assert before + sum(increments) + put_in == found.after + paid
    if before + sum(increments) >= bounds.ceiling:
        assert found.falls


def _numbers(seed: int) -> Iterator[int]:
    state = seed
    while True:
        state = int.from_bytes(hmac.digest(b"tests", str(state).encode(), "sha256"))
        yield state


def test_at_the_ceiling_it_falls_surely_and_not_above_it() -> None:
    bounds = Bounds(50_000_000, 60_000_000)
    last = decide(before=59_500_000, increments=[500_000], bounds=lambda _: bounds, below=told(499_999))
    assert [(fall.point, fall.amount) for fall in last.falls] == [(60_000_000, 60_000_000)]
    assert last.after == 50_000_000
    first = decide(before=50_000_000, increments=[500_000], bounds=lambda _: bounds, below=told(500_000))
    assert (first.falls, first.after, first.drawn) == ((), 50_500_000, (500_000,))


def test_paid_down_to_the_cent_and_what_lies_beyond_is_tried_again() -> None:
    bounds = Bounds(50_000_000, 60_000_000)
    found = decide(
        before=51_000_000, increments=[500_000] * 4, bounds=lambda _: bounds, below=told(612_344, 100_000, 9_999_999)
    )
    first, second = found.falls
    assert (first.point, first.amount, first.wager, first.start) == (51_612_345, 51_610_000, 1, 50_000_000)
    assert (second.point, second.amount, second.wager) == (50_100_001, 50_100_000, 1)  # the rest of the same wager
    assert found.after == 50_000_000 + 2_000_000 - 612_345 - 100_001


def test_other_bounds_begin_with_the_pool_after_the_win() -> None:
    asked: list[int] = []

    def bounds(falls: int) -> Bounds:
        asked.append(falls)
        return Bounds(1_000_000, 9_000_000) if falls else Bounds(50_000_000, 60_000_000)

    found = decide(before=50_000_000, increments=[500_000, 500_000], bounds=bounds, below=told(99_999, 7_999_999))
    assert [fall.start for fall in found.falls] == [1_000_000]
    assert found.after == 1_900_000
    assert asked == [0, 1, 1]


# What is sealed, and in which order it lies


def wager(box: int, *, received: int = 100, round_: int = 7) -> Counted:
    return Counted(wager=f"round/{round_}/{box}", table="MYS-01", box=box, received=received, increment=Money(500_000))


def test_wagers_lie_by_the_second_and_then_as_nobody_can_choose() -> None:
    wagers = [wager(box, received=100 + box % 2) for box in range(1, 8)]
    orders = {tuple(each.box for each in rules.in_order(wagers, answer=bytes([n] * 384))) for n in range(60)}
    assert all(sorted(order[:3]) == [2, 4, 6] and sorted(order[3:]) == [1, 3, 5, 7] for order in orders)
    assert len(orders) > 30
    assert rules.in_order(wagers[::-1], answer=b"x") == rules.in_order(wagers, answer=b"x")


def test_the_root_is_over_every_part_of_every_wager() -> None:
    wagers = [wager(box) for box in range(1, 6)]
    sealed = rules.root(wagers)
    assert rules.root(wagers[::-1]) == sealed
    changed = [
        Counted(wager="round/7/9", table="MYS-01", box=3, received=100, increment=Money(500_000)),
        Counted(wager="round/7/3", table="MYS-02", box=3, received=100, increment=Money(500_000)),
        Counted(wager="round/7/3", table="MYS-01", box=4, received=100, increment=Money(500_000)),
        Counted(wager="round/7/3", table="MYS-01", box=3, received=99, increment=Money(500_000)),
        Counted(wager="round/7/3", table="MYS-01", box=3, received=100, increment=Money(500_001)),
    ]
    assert len({sealed, *(rules.root([each, *wagers[:2], *wagers[3:]]) for each in changed)}) == 6
    leaves = [each.leaf() for each in rules.by_name(wagers)]
    path = inclusion_proof(2, 5, nodes_of(leaves))
    assert check_inclusion(leaf=wagers[2].leaf(), index=2, size=5, proof=path, root=sealed)


def test_the_next_pool_is_filled_from_what_waits_then_the_reserve_then_the_house() -> None:
    parameters = Parameters(
        wager=Money.dollars(1),
        levels=(Level(increment_rate=5000, seed=Money.dollars(50), ceiling=Money.dollars(60)),),
        reserve_rate=1000,
        retained_rate=4000,
    )
    fall = rules.Fall(point=51_612_345, amount=51_610_000, wager=0, start=50_000_000, ceiling=60_000_000)
    balances = {"prize": Money(52_002_345), overflow_of("prize"): Money.dollars(20), RESERVE: Money.dollars(10)}
    moves = rules.restart(parameters, balances, fall=fall, level="prize")
    assert moves == (
        Movement(overflow_of("prize"), "prize", Money.dollars(20)),
        Movement(RESERVE, "prize", Money.dollars(10)),
        Movement(HOUSE, "prize", Money(19_997_655)),
    )
    after = apply({**balances, "prize": balances["prize"] - Money(fall.amount), HOUSE: ZERO}, moves)
    assert after["prize"] == Money(50_000_000 + 52_002_345 - fall.point)
