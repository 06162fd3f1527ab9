"""The must-hit-by jackpot: it falls somewhere between its seed and its ceiling, and nobody knows where beforehand.

There is no hidden point. Each movement of the meter, from J to K, is decided after it is sealed: X is a whole number of
micro-dollars, uniform below ceiling − J; it falls if X < K − J, at J + X + 1, paid down to the cent. So each
micro-dollar that comes in at meter m has the chance 1 / (ceiling − m), however the wagers are gathered: the chance to
survive from J to K is (ceiling − K) / (ceiling − J), and that telescopes. What lies beyond the point starts the next
pool, on top of its seed, and is tried again from the same generator. Pure: whoever checks an export calls this too.

A link may have several levels, each with its own seed, ceiling and share of the wager: each has its own movements, by
the same wagers, and each movement is an occasion of its own. None knows of another.

The movement's wagers lie in the order of the second in which they were received, within a second by a hash that
nobody knows before the second party has answered; the wager that covers the point wins.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from jackpot.rules.policies import Contributes, RuleSet
from jackpot.rules.pool import RESERVE, Balances, Movement, Parameters, fill, overflow_of
from kernel.canonical import canonical
from kernel.merkle import leaf_hash, root_of
from kernel.money import MICROS_PER_CENT, Money
from kernel.refusal import Refusal

PURPOSE: Final = "must-hit-by"
DEVICE: Final = "rng"
WIDEST: Final = Money.dollars(1_000_000_000)
"""Of the range between seed and ceiling: far below what the generator can draw from."""
LATE_SECONDS: Final = 10
"""A wager that is told of later than this after its round goes to the next pool."""
Below = Callable[[int], int]
"""A fair number from 0 up to, not including, the given one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A wager as it is sealed: whose box it was stands here before anybody can know what it wins."""

    wager: str  # round/12/3 or message/C7-000042/3: the round or message, and the box
    table: str
    box: int
    received: int  # the second, since 1970, in which its round's end came in, by the house's clock
    increment: Money  # what it moved the meter by

    def leaf(self) -> bytes:
        said = {
            "box": self.box,
            "increment": self.increment.micros,
            "received": self.received,
            "table": self.table,
            "wager": self.wager,
        }
        return leaf_hash(canonical(said))


def root(wagers: Iterable[Counted]) -> bytes:
    """Over the wagers of a seal, in the order of their names."""
    return root_of([each.leaf() for each in by_name(wagers)])


def by_name(wagers: Iterable[Counted]) -> list[Counted]:
    return sorted(wagers, key=lambda each: each.wager)


def in_order(wagers: Iterable[Counted], *, answer: bytes) -> list[Counted]:
    """The order in which they lie on the meter. Within a second nobody can choose it: it hangs on the answer."""
    return sorted(wagers, key=lambda each: (each.received, hmac.digest(answer, each.wager.encode(), "sha256")))


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between which one pool falls, in micro-dollars."""

    seed: int
    ceiling: int


@dataclass(frozen=True, slots=True)
class Fall:
    point: int  # micro-dollars, J + X + 1
    amount: int  # what is paid: the point, down to the cent
    wager: int  # which of the ordered wagers covers it, from 0
    start: int  # where the next pool begins,
    ceiling: int  # and by what it must be hit


@dataclass(frozen=True, slots=True)
class Decision:
    before: int  # J
    after: int  # where the meter stands once everything beyond the last fall has been tried
    falls: tuple[Fall, ...]
    drawn: tuple[int, ...]  # every X, in order


def decide(*, before: int, increments: Sequence[int], bounds: Callable[[int], Bounds], below: Below) -> Decision:
    """Decide one sealed movement. *bounds* gives those of the pool after so many falls: they change only with one."""
    whole = left = sum(increments)
    meter = before
    falls: list[Fall] = []
    drawn: list[int] = []
    while left:
        x = below(bounds(len(falls)).ceiling - meter)
        drawn.append(x)
        if x >= left:
            break
        point = meter + x + 1
        left -= x + 1
        amount = point - point % MICROS_PER_CENT
        # A part of a cent that is not paid stays and begins the next pool, whose seed it is a part of.
        following = bounds(len(falls) + 1)
        start = max(following.seed, point - amount)
        falls.append(Fall(point, amount, covering(increments, whole - left), start, following.ceiling))
        meter = start
    return Decision(before, meter + left, tuple(falls), tuple(drawn))


def covering(increments: Sequence[int], upto: int) -> int:
    """Which increment (from 0) holds the micro-dollar number *upto* (from 1) of the movement."""
    return next(place for place, so_far in enumerate(accumulate(increments)) if so_far >= upto)


def restart(parameters: Parameters, balances: Balances, *, fall: Fall, level: str) -> tuple[Movement, ...]:
    """What follows a fall: the next pool is filled to where it starts, from what waits for it, then from the reserve,
    then from the house. What lies beyond the point, and what came in since, stands on top of that."""
    kept = Money(fall.point - fall.amount)
    return fill({**balances, level: kept}, level=level, to=Money(fall.start), sources=(overflow_of(level), RESERVE))


def check(rules: RuleSet, parameters: Parameters) -> None:
    """Terms under which a movement can be decided and a wager win."""
    if rules.contributes is not Contributes.EVERY_WAGER:
        raise Refusal("terms-invalid", f"{rules.title}: every wager contributes.", field="rules")
    for level in parameters.levels:
        if level.ceiling is None:
            raise Refusal("ceiling-missing", f"{rules.title}: it needs a ceiling.", field="ceiling")
        if not level.seed:
            raise Refusal("trigger-range", f"{rules.title}: it starts with a cent at least.", field="seed")
        if level.ceiling - level.seed > WIDEST:
            raise Refusal("trigger-range", f"It falls within {WIDEST} above its seed at most.", field="ceiling")
        if parameters.wager.basis_points(level.increment_rate) >= level.ceiling - level.seed:
            raise Refusal("trigger-range", "One wager would take it from its seed to its ceiling.", field="ceiling")


def bounds_of(parameters: Parameters, level: str) -> Bounds:
    found = parameters.level(level)
    assert found.ceiling is not None
    return Bounds(found.seed.micros, found.ceiling.micros)


def levels_changed(before: Parameters, after: Parameters) -> list[str]:
    """Of which levels seed, ceiling or share of the wager become others."""
    return [level.name for level in after.levels if level != before.level(level.name)]


def into_next_pool(movements: Iterable[Movement], *, levels: Collection[str]) -> tuple[Movement, ...]:
    """A contribution that cannot win: what would move a meter waits beside it for its next pool."""
    return tuple(
        Movement(move.source, overflow_of(move.target), move.amount) if move.target in levels else move
        for move in movements
    )
