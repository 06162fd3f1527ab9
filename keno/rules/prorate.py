"""When the major prizes of a game pass $50,000 together, and how loose cents are handed out (9.2–9.5).

Identical ways are never listed one by one: everything here works on groups, an amount and how many ways have it. A
settlement in the database asks for `prorate` with its majors counted by amount, replaces each amount by its share, and
gives the loose cents to the first ways that take them, in ticket order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from kernel.money import MICROS_PER_CENT, Money

MAJOR: Final = Money.dollars(200)  # Terms used in Keno; 9.3
MAJORS_TOTAL_LIMIT: Final = Money.dollars(50_000)  # 9.2


@dataclass(frozen=True, slots=True)
class Share:
    """What one way gets, before loose cents."""

    amount: Money
    # Less than it would have won (9.4).
    prorated: bool = False
    # One of the ways that the loose cents go to.
    takes_a_cent: bool = False


@dataclass(frozen=True, slots=True)
class Proration:
    """The one factor of a game. None: the majors are within $50,000 and paid in full."""

    count: int
    before: Money
    after: Money
    factor: Fraction | None
    loose_cents: int

    def share(self, prize: Money) -> Share:
        """What becomes of a way prize in this game.

        A share that would fall below $200 is held there (9.3). A held prize is not a share, so it takes no loose cent:
        $200.00 could become more than it won.
        """
        if self.factor is None or prize < MAJOR:
            return Share(prize)
        if prize.micros * self.factor < MAJOR.micros:
            return Share(MAJOR, prorated=prize > MAJOR)
        return Share(prize.times(self.factor), prorated=True, takes_a_cent=True)


def prorate(prizes: Mapping[Money, int]) -> Proration:
    """Scale the majors of one game to exactly $50,000, none below $200 (9.2, 9.3, 9.4).

    *prizes*: how many ways won each amount, jackpot prizes not among them (9.2). Amounts under $200 are no majors and
    are left out. Smallest first: holding a prize at $200 leaves less for the others, so the factor only falls, and once
    the smallest one left does not fall below $200 no other does. With 250 majors or more everyone is held.
    """
    majors = sorted((prize, ways) for prize, ways in prizes.items() if prize >= MAJOR and ways)
    count = sum(ways for _, ways in majors)
    before = Money.total(prize * ways for prize, ways in majors)
    if before <= MAJORS_TOTAL_LIMIT:
        return Proration(count, before, before, None, 0)
    if MAJOR * count >= MAJORS_TOTAL_LIMIT:
        return Proration(count, before, MAJOR * count, Fraction(0), 0)
    to_share, shared = MAJORS_TOTAL_LIMIT.micros, before.micros
    while majors[0][0].micros * to_share < MAJOR.micros * shared:
        prize, ways = majors.pop(0)
        to_share -= MAJOR.micros * ways
        shared -= prize.micros * ways
    factor = Fraction(to_share, shared)
    paid = sum(prize.times(factor).micros * ways for prize, ways in majors)
    loose, uneven = divmod(to_share - paid, MICROS_PER_CENT)
    assert not uneven
    assert 0 <= loose < sum(ways for _, ways in majors)
    return Proration(count, before, MAJORS_TOTAL_LIMIT, factor, loose)


def hand_out(loose_cents: int, ways: Iterable[int]) -> Iterator[Money]:
    """Loose cents, one a way, to groups of ways in ticket order (serial, play, way): what each group gets in all.

    Within one play the order of ways does not matter to the ticket: its ways get one cent each while there are any, so
    the play gets the same sum in whatever order its groups stand.
    """
    for count in ways:
        cents = min(loose_cents, count)
        loose_cents -= cents
        yield Money.cents(cents)


@dataclass(frozen=True, slots=True)
class Settled:
    """One group of identical ways: what each gets, and the loose cents that fell to the group."""

    amount: Money
    prorated: bool
    loose: Money


def settle_majors(groups: Sequence[tuple[Money, int]]) -> tuple[Proration, list[Settled]]:
    """The final amounts of (prize of one way, ways) groups, given in ticket order; answered in the same order."""
    by_amount: dict[Money, int] = {}
    for prize, ways in groups:
        by_amount[prize] = by_amount.get(prize, 0) + ways
    proration = prorate(by_amount)
    shares = [proration.share(prize) for prize, _ in groups]
    takers = (ways if share.takes_a_cent else 0 for share, (_, ways) in zip(shares, groups, strict=True))
    loose = hand_out(proration.loose_cents, takers)
    return proration, [Settled(share.amount, share.prorated, cents) for share, cents in zip(shares, loose, strict=True)]


def share_jackpot(amount: Money, groups: Sequence[tuple[Money, int]]) -> list[Settled]:
    """Share the displayed amount by stake (9.5) among (stake of one way, ways) groups, given in ticket order.

    Rounded down to the cent, the loose cents in ticket order as for the majors, so that all of it is paid.
    """
    staked = sum(stake.micros * ways for stake, ways in groups)
    shares = [amount.times(Fraction(stake.micros, staked)) for stake, _ in groups]
    counts = [ways for _, ways in groups]
    left = amount - Money.total(share * ways for share, ways in zip(shares, counts, strict=True))
    loose = hand_out(left.micros // MICROS_PER_CENT, counts)
    return [Settled(share, False, cents) for share, cents in zip(shares, loose, strict=True)]
