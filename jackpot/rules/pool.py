"""The purses of a link and what moves between them, exact in micro-dollars.

Every function looks at balances and says which movements follow; the ledger posts them. A movement has one purse it
leaves and one it enters, so money is conserved by construction; ``apply`` is the check that no purse of the link goes
below zero. The house, the wagers coming in and the winners stand outside the link and may take any amount.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jackpot.rules.handpay import INSTALMENTS, PAID_BY, TAX
from jackpot.rules.payouts import Evaluation
from jackpot.rules.policies import PRIZE, Game, RuleSet
from kernel.money import BASIS_POINTS, ZERO, Money
from kernel.refusal import Refusal

Purse = str
"""A level's name is its prize purse; the others are named here."""
RESERVE: Final[Purse] = "reserve"
"""The secondary pool, out of which the next prize pool starts (act-cp:10.5, act-pg:12.7)."""
REIMBURSEMENT: Final[Purse] = "reimbursement"
"""Fills the rest of a guarantee, and pays the house back what it put in."""
HOUSE: Final[Purse] = "house"
WAGERS: Final[Purse] = "wagers"
WINNERS: Final[Purse] = "winners"
OUTSIDE: Final = frozenset({HOUSE, WAGERS, WINNERS})
ADVANCE: Final[Purse] = "advance"
"""What the house put into the pool and is paid back as the reimbursement purse fills."""
DROP: Final[Purse] = "drop"
"""Jackpot wagers taken at the tables."""

_LEVEL: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NO_LEVEL: Final = frozenset({RESERVE, REIMBURSEMENT, *OUTSIDE, ADVANCE, DROP, INSTALMENTS, TAX, *PAID_BY})
_OVERFLOW: Final = "-overflow"
ROUNDS_PER_MINUTE_LIMIT: Final = 60

Balances = Mapping[Purse, Money]


def overflow_of(level: str) -> Purse:
    """Where contributions above a level's ceiling wait for its next pool."""
    return f"{level}{_OVERFLOW}"


@dataclass(frozen=True, slots=True)
class Movement:
    source: Purse
    target: Purse
    amount: Money

    def __post_init__(self) -> None:
        assert self.amount > ZERO
        assert self.source != self.target


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One prize pool of a link. Rates in basis points of the wager."""

    increment_rate: int
    seed: Money
    name: str = PRIZE
    ceiling: Money | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What is approved for a link, and shared by all its tables (nsw-csp:11.6, 11.9)."""

    wager: Money
    levels: tuple[Level, ...]
    reserve_rate: int = 0
    reimbursement_rate: int = 0
    retained_rate: int = 0
    contribution_limit: Money | None = None
    """The most that one message may bring in: more is unreasonable and waits for a person."""
    rounds_per_minute_limit: int | None = None
    """Faster than this nobody deals: a table that brings in more than its boxes can play is unreasonable too."""

    def __post_init__(self) -> None:
        rates = [rate for _, rate in self.rates]
        if min(rates) < 0 or sum(rates) != BASIS_POINTS:
            whole = f"{sum(rates) // 100}.{sum(rates) % 100:02d}%"
            _refuse(f"The rates must be none below zero and 100% together, not {whole}.", "nsw-csp:11.6", "rates")
        if self.wager <= ZERO or not self.wager.whole_cents:
            _refuse("A jackpot wager is an amount of whole cents above zero.", "nsw-csp:11.9.3", "wager")
        if len({level.name for level in self.levels}) != len(self.levels) or not self.levels:
            _refuse("A link has one pool a level, and at least one.", "nsw-csp:11.5", "levels")
        for level in self.levels:
            if not _LEVEL.fullmatch(level.name) or level.name in _NO_LEVEL or level.name.endswith(_OVERFLOW):
                _refuse(
                    f"No level is called {level.name!r}: it is small letters, and no other purse’s.", None, "levels"
                )
            if level.seed < ZERO or not level.seed.whole_cents:
                _refuse("A seed is an amount of whole cents, not below zero.", "nsw-csp:11.9.2", "seed")
            if level.ceiling is not None and (level.ceiling <= level.seed or not level.ceiling.whole_cents):
                _refuse("A ceiling is an amount of whole cents above the seed.", None, "ceiling")
        if self.contribution_limit is not None and self.contribution_limit < self.wager:
            _refuse("The contribution limit must let at least one wager in.", None, "contribution_limit")
        if (
            self.rounds_per_minute_limit is not None
            and not 1 <= self.rounds_per_minute_limit <= ROUNDS_PER_MINUTE_LIMIT
        ):
            _refuse(
                f"At most 1 to {ROUNDS_PER_MINUTE_LIMIT} rounds are played in a minute.",
                None,
                "rounds_per_minute_limit",
            )

    @property
    def rates(self) -> tuple[tuple[Purse, int], ...]:
        """Where each part of a wager goes; the parts are the wager."""
        return (
            *((level.name, level.increment_rate) for level in self.levels),
            (RESERVE, self.reserve_rate),
            (REIMBURSEMENT, self.reimbursement_rate),
            (HOUSE, self.retained_rate),
        )

    def level(self, name: str) -> Level:
        return next(level for level in self.levels if level.name == name)


def contribute(parameters: Parameters, *, wagers: int) -> tuple[Movement, ...]:
    """What a number of wagers brings in (nsw-csp:11.5, 11.6; act-cp:10.5; act-pg:12.7). Reads no balance: contributions
    are appended without looking at the pool, and ``overflow`` follows when it is rolled up."""
    return split(parameters, parameters.wager * wagers)


def split(parameters: Parameters, amount: Money) -> tuple[Movement, ...]:
    """An amount of whole cents by the rates of a link. Exact: a basis point of a cent is a micro-dollar."""
    if amount < ZERO or not amount.whole_cents:
        raise Refusal("contribution-not-allowed", "A contribution is an amount of whole cents, not below zero.")
    if parameters.contribution_limit is not None and amount > parameters.contribution_limit:
        raise Refusal(
            "contribution-unreasonable",
            f"{amount} at once is more than the {parameters.contribution_limit} that is reasonable for this link: "
            "a supervisor must look at it.",
        )
    return _movements((WAGERS, purse, amount.basis_points(rate)) for purse, rate in parameters.rates)


def keep(parameters: Parameters, *, wagers: int) -> tuple[Movement, ...]:
    """Winning wagers where only losing ones feed the pools: the house, which pays the prizes, keeps them."""
    return _movements([(WAGERS, HOUSE, parameters.wager * wagers)])


def displayed(parameters: Parameters, balances: Balances, *, level: str = PRIZE) -> Money:
    """What the meter shows: rounded down to the cent, never above the ceiling (nsw-csp:2.4.3)."""
    amount = balances.get(level, ZERO).down_to_cents()
    ceiling = parameters.level(level).ceiling
    return amount if ceiling is None else min(amount, ceiling)


def overflow(parameters: Parameters, balances: Balances) -> tuple[Movement, ...]:
    """What stands above a ceiling waits beside the pool and starts the next one."""
    return _movements(
        (level.name, overflow_of(level.name), balances.get(level.name, ZERO) - level.ceiling)
        for level in parameters.levels
        if level.ceiling is not None
    )


def pay(evaluation: Evaluation) -> tuple[Movement, ...]:
    """The payouts of a round, in order: the pool's part, then the house's (act-pg:13.1)."""
    return _movements(
        part
        for payout in evaluation.payouts
        for part in ((payout.level or HOUSE, WINNERS, payout.from_pool), (HOUSE, WINNERS, payout.from_house))
    )


def after_win(
    rules: RuleSet, parameters: Parameters, balances: Balances, evaluation: Evaluation
) -> tuple[Movement, ...]:
    """What follows the payouts: a level of which 100% was won restarts; a displayed amount that may not fall below its
    seed is topped up at once. *balances* are those after the payouts."""
    movements: list[Movement] = []
    for level in parameters.levels:
        held = apply(balances, movements)
        if level.name in evaluation.restarts:
            movements += restart(parameters, held, level=level.name)
        elif rules.topped_up:
            movements += top_up(parameters, held, level=level.name)
    return tuple(movements)


def restart(parameters: Parameters, balances: Balances, *, level: str = PRIZE) -> tuple[Movement, ...]:
    """After 100% was won: what had overflowed comes back first (it is the players'), up to the ceiling again; what is
    then missing to the seed comes from the reserve, then from the house."""
    terms = parameters.level(level)
    waiting = balances.get(overflow_of(level), ZERO)
    if terms.ceiling is not None:
        waiting = min(waiting, terms.ceiling - balances.get(level, ZERO))
    returned = _movements([(overflow_of(level), level, waiting)])
    return (*returned, *top_up(parameters, apply(balances, returned), level=level))


def top_up(parameters: Parameters, balances: Balances, *, level: str = PRIZE) -> tuple[Movement, ...]:
    """Bring a prize pool up to its seed: from the reserve, then from the house."""
    return fill(balances, level=level, to=parameters.level(level).seed, sources=(RESERVE,))


def fill(balances: Balances, *, level: str, to: Money, sources: Sequence[Purse]) -> tuple[Movement, ...]:
    """What is missing in a prize pool, from each source as far as it goes, the last of it from the house."""
    missing = max(ZERO, to - balances.get(level, ZERO))
    parts = []
    for source in sources:
        part = min(missing, max(ZERO, balances.get(source, ZERO)))
        parts.append((source, level, part))
        missing -= part
    return _movements([*parts, (HOUSE, level, missing)])


def settle(
    rules: RuleSet, parameters: Parameters, balances: Balances, *, advance: Money
) -> tuple[tuple[Movement, ...], tuple[Movement, ...], tuple[Movement, ...]]:
    """What a link does by itself between wagers: what stands above a ceiling goes aside; a jackpot that is kept at its
    seed is topped up; the house is paid back, as the reimbursement pool fills."""
    # What a must-hit-by jackpot has above its ceiling falls, and what lies beyond is tried again.
    aside = () if rules.game is Game.MYSTERY else overflow(parameters, balances)
    balances = apply(balances, aside)
    up = tuple(
        move
        for level in parameters.levels
        if rules.topped_up
        for move in top_up(parameters, balances, level=level.name)
    )
    return aside, up, pay_back(apply(balances, up), advance=advance + advanced(up))


def booked_between(source: Purse, target: Purse) -> tuple[Purse, Purse]:
    """The purses of the ledger that a movement is booked between. What the house puts into a purse is an advance, to be
    paid back; what it keeps of wagers or pays to winners is its own."""
    if source == HOUSE and target != WINNERS:
        source = ADVANCE
    if target == HOUSE and source != WAGERS:
        target = ADVANCE
    return source, target


def take_back(movements: Iterable[Movement]) -> tuple[Movement, ...]:
    """The same, the other way."""
    return tuple(Movement(move.target, move.source, move.amount) for move in movements)


def make_good(balances: Balances, taken: Iterable[Movement], *, seeds: Balances) -> tuple[Movement, ...]:
    """What the house puts in before *taken* leaves its purses: what came in may have been won by somebody else
    meanwhile. No purse falls below zero by it, and no pool that has restarted since (it is in *seeds*) below the seed
    it began with."""
    after: dict[Purse, Money] = dict(balances)
    for move in taken:
        for purse, amount in ((move.source, -move.amount), (move.target, move.amount)):
            if purse in after:
                after[purse] += amount
    floors = {purse: min(held, seeds.get(purse, ZERO)) for purse, held in balances.items()}
    return _movements((HOUSE, purse, floors[purse] - left) for purse, left in after.items())


def advanced(movements: Iterable[Movement]) -> Money:
    """What the house put into pools: it is paid back as the reimbursement pool fills. Its part of a payout is not."""
    return Money.total(move.amount for move in movements if move.source == HOUSE and move.target != WINNERS)


def pay_back(balances: Balances, *, advance: Money) -> tuple[Movement, ...]:
    """Pay the house back what it advanced, as far as the reimbursement pool holds it."""
    return _movements([(REIMBURSEMENT, HOUSE, min(advance, balances.get(REIMBURSEMENT, ZERO)))])


def apply(balances: Balances, movements: Iterable[Movement]) -> dict[Purse, Money]:
    """The balances after the movements. No purse of the link may end below zero."""
    after = dict(balances)
    for move in movements:
        after[move.source] = after.get(move.source, ZERO) - move.amount
        after[move.target] = after.get(move.target, ZERO) + move.amount
    short = sorted(purse for purse, amount in after.items() if amount < ZERO and purse not in OUTSIDE)
    if short:
        raise Refusal("purse-short", f"There is not enough in {', '.join(short)} for this.")
    return after


def _movements(parts: Iterable[tuple[Purse, Purse, Money]]) -> tuple[Movement, ...]:
    """The parts that move anything."""
    return tuple(Movement(source, target, amount) for source, target, amount in parts if amount > ZERO)


def _refuse(detail: str, clause: str | None, field: str) -> None:
    raise Refusal("parameters-invalid", detail, clause=clause, field=field)
