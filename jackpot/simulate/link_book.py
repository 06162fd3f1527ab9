"""A book of one link, in whole micro-dollars: what came in, what it is split into, what is won of it, what it restarts
with. Written from the texts, without the house's rules and without looking at its purses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final

CENT: Final = 10_000
DOLLAR: Final = 100 * CENT
PRIZE, RESERVE, HOUSE, ADVANCE, WAGERS, WINNERS, DROP, PAID = (
    "prize", "reserve", "house", "advance", "wagers", "winners", "drop", "paid",
)  # fmt: skip
FIXED: Final = {"four-of-a-kind": 500, "full-house": 150, "flush": 100}
DEAD_MAN: Final = {"dead-mans-hand": 50}


def cents(amount: int | Fraction) -> int:
    """Down to the cent."""
    whole = int(amount)
    return whole - whole % CENT


@dataclass(frozen=True, slots=True)
class Kind:
    """How a link plays, in dollars and percent."""

    wager_cents: int
    seed: int
    percent: Mapping[str, int]  # of a wager: into prize, reserve and house
    fixed: Mapping[str, int] = field(default_factory=dict)
    percentages: Mapping[str, int] = field(default_factory=dict)  # hands that win of the pool, in order of payment
    at_least: Mapping[str, int] = field(default_factory=dict)
    bonus: int = 0
    at_once: bool = False  # every wager contributes, when it is taken; otherwise the losing ones, at the round's end
    pro_rated: bool = False  # all together at most what was shown; otherwise one after the other
    shown_at_start: bool = False
    topped_up: bool = False


CARIBBEAN_STUD: Final = Kind(
    wager_cents=250,
    seed=50_000,
    percent={PRIZE: 70, RESERVE: 10, HOUSE: 20},
    fixed=FIXED,
    percentages={"straight-flush": 10, "royal-flush": 100},
    at_least={"straight-flush": 5_000, "royal-flush": 50_000},
    bonus=250,
    at_once=True,
)
BOOMERANG: Final = Kind(
    wager_cents=100,
    seed=10_000,
    percent={PRIZE: 60, RESERVE: 40},
    fixed={**FIXED, **DEAD_MAN},
    percentages={"straight-flush": 10, "royal-flush": 100},
    at_least={"straight-flush": 1_000, "royal-flush": 10_000},
    pro_rated=True,
    shown_at_start=True,
    topped_up=True,
)
GEE_JUN: Final = Kind(
    wager_cents=100,
    seed=10_000,
    percent={PRIZE: 60, RESERVE: 40},
    fixed={"high-6-low-6-low-4-any-7": 100},
    percentages={"gee-jun-pair-teen-pair": 100},
    pro_rated=True,
    topped_up=True,
)
MYSTERY: Final = Kind(wager_cents=100, seed=100, percent={PRIZE: 50, RESERVE: 10, HOUSE: 40}, at_once=False)


@dataclass(slots=True)
class Won:
    """One hit, as the book expects it."""

    box: int
    amount: int
    from_pool: int
    percent: int = 0  # of the pool; 0: the house's alone
    denied: bool = False


@dataclass(slots=True)
class Played:
    """A round as the book knows it."""

    boxes: tuple[int, ...]
    shown: int
    kind: Kind  # as it was when the round began
    fed: int = 0
    kept: int = 0
    won: list[Won] = field(default_factory=list)
    restart: tuple[int, int] = (0, 0)  # from reserve, from the house
    restarted_since: bool = False  # another round has won all of it meanwhile


class LinkBook:
    def __init__(self, kind: Kind, opening: Mapping[str, int]) -> None:
        self.kind = kind
        self.kinds = [(datetime.min.replace(tzinfo=UTC), kind)]
        self.purses: Counter[str] = Counter(opening)
        self.open: list[Played] = []

    @property
    def wager(self) -> int:
        return self.kind.wager_cents * CENT

    @property
    def shown(self) -> int:
        return cents(self.purses[PRIZE])

    def change(self, percent: Mapping[str, int], at: datetime) -> None:
        """Other shares of a wager, from this moment on: what was played before counts by the old ones."""
        self.kind = replace(self.kind, percent=percent)
        self.kinds.append((at, self.kind))

    # Wagers

    def start(self, boxes: Sequence[int]) -> Played:
        played = Played(tuple(boxes), self.shown, self.kind)
        self.purses[DROP] += self.wager * len(boxes)
        if self.kind.at_once:
            played.fed = len(boxes)
            self._split(len(boxes), self.kind)
        else:
            self.purses[WAGERS] += self.wager * len(boxes)
        self.open.append(played)
        return played

    def count(self, wagers: int, at: datetime) -> None:
        """Counted by a controller, by what was in force when they were played."""
        self.purses[DROP] += self.wager * wagers
        self._split(wagers, next(kind for since, kind in reversed(self.kinds) if since <= at))

    def _split(self, wagers: int, kind: Kind) -> None:
        for purse, percent in kind.percent.items():
            self.purses[purse] += self.wager * wagers * percent // 100

    def finish(self, played: Played, hands: Mapping[int, str]) -> list[Won]:
        """What the hands win, in order of payment, and what becomes of the wagers."""
        self.open.remove(played)
        if winning := {box: name for box, name in hands.items() if name in self.kind.percentages}:
            played.won = [*self._fixed(hands), *self._bonus(played, winning), *self._of_pool(played, winning)]
        else:
            played.won = self._fixed(hands)
        for won in played.won:
            self.purses[PRIZE] -= won.from_pool
            self.purses[HOUSE] -= won.amount - won.from_pool
            self.purses[WINNERS] += won.amount
        if any(won.percent == 100 for won in played.won) or (played.won and self.kind.topped_up):
            played.restart = self.top_up()
        if any(won.percent == 100 for won in played.won):
            for other in self.open:
                other.restarted_since = True
        if not self.kind.at_once:
            own = {won.box for won in played.won}
            played.fed, played.kept = len(set(played.boxes) - own), len(own)
            self.purses[WAGERS] -= self.wager * len(played.boxes)
            self._split(played.fed, played.kind)
            self.purses[HOUSE] += self.wager * played.kept
        return played.won

    def _fixed(self, hands: Mapping[int, str]) -> list[Won]:
        named = sorted((box for box, name in hands.items() if name in self.kind.fixed), reverse=True)
        return [Won(box, self.kind.fixed[hands[box]] * DOLLAR, 0) for box in named]

    def _bonus(self, played: Played, winning: Mapping[int, str]) -> list[Won]:
        others = sorted(set(played.boxes) - winning.keys(), reverse=True) if self.kind.bonus else []
        return [Won(box, self.kind.bonus * DOLLAR, 0) for box in others]

    def _of_pool(self, played: Played, winning: Mapping[int, str]) -> list[Won]:
        if self.kind.pro_rated:
            return self._pro_rated(winning, played.shown if self.kind.shown_at_start else self.shown)
        pool, found = self.purses[PRIZE], []
        for name, percent in self.kind.percentages.items():
            for box in (box for box in winning if winning[box] == name):  # one set of cards: one of each
                share = cents(Fraction(cents(pool) * percent, 100))
                amount = max(share, self.kind.at_least[name] * DOLLAR)
                found.append(Won(box, amount, min(share, cents(pool)), percent))
                pool -= found[-1].from_pool
        return found

    def _pro_rated(self, winning: Mapping[int, str], shown: int) -> list[Won]:
        """All together at most what was shown (act-cp:11.2, act-pg:13.3)."""
        alone = {
            name: max(Fraction(shown * percent, 100), Fraction(self.kind.at_least.get(name, 0) * DOLLAR))
            for name, percent in self.kind.percentages.items()
        }
        together = sum(alone[name] for name in winning.values())
        pool, found = self.purses[PRIZE], []
        for name, percent in self.kind.percentages.items():
            for box in (box for box in winning if winning[box] == name):
                amount = cents(alone[name] * min(Fraction(shown), together) / together)
                found.append(Won(box, amount, min(amount, cents(Fraction(shown * percent, 100)), cents(pool)), percent))
                pool -= found[-1].from_pool
        return found

    def top_up(self) -> tuple[int, int]:
        """To its seed, from the reserve and then from the house."""
        missing = max(0, self.kind.seed * DOLLAR - self.purses[PRIZE])
        reserve = min(missing, self.purses[RESERVE])
        self.restart(reserve, missing - reserve)
        return reserve, missing - reserve

    def restart(self, reserve: int, advance: int) -> None:
        self.purses[PRIZE] += reserve + advance
        self.purses[RESERVE] -= reserve
        self.purses[ADVANCE] += advance

    # Back

    def void(self, played: Played) -> None:
        """Nothing of it counts. What somebody else has won of it since is the house's to make good."""
        if played in self.open:
            self.open.remove(played)
        for won in played.won:
            self.deny(played, won)
        self.purses[HOUSE] -= self.wager * played.kept
        taken = {purse: self.wager * played.fed * percent // 100 for purse, percent in played.kind.percent.items()}
        for purse in (PRIZE, RESERVE):
            floor = self.kind.seed * DOLLAR if purse == PRIZE and played.restarted_since else 0
            floor = min(self.purses[purse], floor)
            made_good = max(0, floor - (self.purses[purse] - taken.get(purse, 0)))
            self.purses[purse] += made_good - taken.get(purse, 0)
            self.purses[ADVANCE] += made_good
        self.purses[HOUSE] -= taken.get(HOUSE, 0)
        if not self.kind.at_once and not played.fed + played.kept:
            self.purses[WAGERS] -= self.wager * len(played.boxes)
        self.purses[DROP] -= self.wager * len(played.boxes)

    def deny(self, played: Played, won: Won) -> None:
        if won.denied:
            return
        won.denied = True
        self.purses[PRIZE] += won.from_pool
        self.purses[HOUSE] += won.amount - won.from_pool
        self.purses[WINNERS] -= won.amount
        if won.percent and not any(each.percent and not each.denied for each in played.won):
            reserve, advance = played.restart
            self.restart(-reserve, -advance)
            played.restart = (0, 0)

    def pay(self, won: Won) -> None:
        self.purses[WINNERS] -= won.amount
        self.purses[PAID] += won.amount
