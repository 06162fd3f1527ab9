"""The must-hit-by jackpot: where its trigger lies, who reaches it, and how anybody checks it afterwards."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.rules import mystery
from jackpot.rules.catalogue import CARIBBEAN_STUD, MUST_HIT_BY
from kernel.money import ZERO, Money
from kernel.refusal import Refusal

FLOOR, CEILING = Money.dollars(500), Money.dollars(1000)


def fair(seed: bytes) -> Callable[[int], int]:
    """Any callable of a seed will do here: what is fair is for ``chance/`` to show."""
    return lambda bound: int.from_bytes(sha256(b"trigger" + seed).digest()) % bound


def committed_to(seed: bytes) -> Callable[[bytes], bool]:
    published = sha256(seed).digest()
    return lambda shown: sha256(shown).digest() == published


@pytest.mark.parametrize(("drawn", "point"), [(0, "500.01"), (49_999, "1000.00"), (12_345, "623.46")])
def test_every_cent_above_the_floor_up_to_the_ceiling(drawn: int, point: str) -> None:
    bounds: list[int] = []

    def below(bound: int) -> int:
        bounds.append(bound)
        return drawn

    assert str(mystery.trigger_point(floor=FLOOR, ceiling=CEILING, below=below)) == point
    assert bounds == [50_000]


@pytest.mark.parametrize(("floor", "ceiling"), [(FLOOR, FLOOR), (CEILING, FLOOR), (Money(1), CEILING), (-FLOOR, FLOOR)])
def test_a_range_that_holds_no_point(floor: Money, ceiling: Money) -> None:
    with pytest.raises(Refusal, match="ceiling above its floor"):
        mystery.trigger_point(floor=floor, ceiling=ceiling, below=lambda bound: 0)


def test_the_revealed_seed_proves_the_point_and_no_other_does() -> None:
    seed = bytes(range(32))
    trigger = mystery.trigger_point(floor=FLOOR, ceiling=CEILING, below=fair(seed))

    def proves(seed: bytes, trigger: Money, ceiling: Money = CEILING) -> bool:
        return mystery.proves(
            seed=seed,
            trigger=trigger,
            floor=FLOOR,
            ceiling=ceiling,
            committed=committed_to(bytes(range(32))),
            fair=fair,
        )

    assert proves(seed, trigger)
    assert not proves(seed, trigger + Money.cents(1))
    assert not proves(seed, trigger, CEILING + Money.cents(1))
    other = bytes(32)
    assert not proves(other, mystery.trigger_point(floor=FLOOR, ceiling=CEILING, below=fair(other)))


@given(
    start=st.integers(0, 10_000), increment=st.integers(1, 700), wagers=st.integers(0, 60), above=st.integers(1, 9_000)
)
def test_the_wager_that_reaches_the_point(start: int, increment: int, wagers: int, above: int) -> None:
    """Against counting the wagers one by one."""
    trigger = start + above
    meter, expected = start, None
    for number in range(1, wagers + 1):
        meter += increment
        if meter >= trigger:
            expected = number
            break
    found = mystery.reached_by(meter=Money(start), increment=Money(increment), wagers=wagers, trigger=Money(trigger))
    assert found == expected


def test_nothing_coming_in_reaches_nothing() -> None:
    assert mystery.reached_by(meter=FLOOR, increment=ZERO, wagers=10, trigger=CEILING) is None
    # A pool that restarted beyond its new point falls to the next wager.
    assert mystery.reached_by(meter=CEILING, increment=Money(1), wagers=1, trigger=FLOOR) == 1


def test_the_winner_gets_the_point_and_the_rest_starts_the_next_pool() -> None:
    trigger = Money.parse("623.46")
    fallen = mystery.fall(MUST_HIT_BY, meter=trigger + Money(17_500), trigger=trigger, box=4)
    assert [(p.box, p.kind.value, p.amount, p.from_pool, p.from_house) for p in fallen.payouts] == [
        (4, "mystery", trigger, trigger, ZERO)
    ]
    assert fallen.pool_after == Money(17_500)
    assert fallen.restarts == ("prize",)
    with pytest.raises(Refusal, match="not reached"):
        mystery.fall(MUST_HIT_BY, meter=trigger - Money(1), trigger=trigger, box=4)
    with pytest.raises(Refusal, match="a hand wins it"):
        mystery.fall(CARIBBEAN_STUD, meter=trigger, trigger=trigger, box=4)
