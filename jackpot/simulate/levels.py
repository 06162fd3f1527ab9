"""A must-hit-by link of three levels in a simulated month: every wager moves each level by its own share.

What falls nobody can foresee: it is published, and the book goes on from there, level by level.
"""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Final

from house.approvals import approve, propose
from house.simulate import Figure, Part
from jackpot import pools, terms
from jackpot.finish_round import finish_round
from jackpot.hits import pay_hit, verify_hit
from jackpot.models import Hit, Link, MeterSeal, Round, RoundStatus, Table
from jackpot.rules.catalogue import MUST_HIT_BY_LEVELS
from jackpot.rules.pool import RESERVE, Level, Parameters
from jackpot.simulate.link_book import ADVANCE, DOLLAR, DROP, HOUSE, WAGERS, WINNERS, cents
from jackpot.simulate.staff import WINNER, People
from jackpot.start_round import Offer, start_round
from jackpot.tables import join_table
from jackpot.terms import LinkTerms
from jackpot.void_round import void_round
from kernel.money import Money
from ledger.balance import balance

LINK: Final = "LEVS"
TABLE: Final = "LEVS-01"
BOUNDS: Final = {"mini": (5, 10), "minor": (50, 100), "major": (100, 200)}  # seed and ceiling, in dollars
SHARES: Final = {"mini": 10, "minor": 20, "major": 15, RESERVE: 15, HOUSE: 40}  # percent of a wager of a dollar
PURSES: Final = (*SHARES, ADVANCE, DROP, WAGERS, WINNERS)
TERMS: Final = LinkTerms(
    rules=MUST_HIT_BY_LEVELS,
    parameters=Parameters(
        wager=Money.dollars(1),
        levels=tuple(
            Level(
                name=name, increment_rate=SHARES[name] * 100, seed=Money.dollars(seed), ceiling=Money.dollars(ceiling)
            )
            for name, (seed, ceiling) in BOUNDS.items()
        ),
        reserve_rate=SHARES[RESERVE] * 100,
        retained_rate=SHARES[HOUSE] * 100,
    ),
)


class Levels:
    def __init__(self, part: Part, people: People) -> None:
        self.people, self.clock, self.done, self.expect = people, part.clock, part.done, part.expect
        if not Link.objects.filter(code=LINK).exists():
            self._open()
        for left in Round.objects.filter(status=RoundStatus.OPEN, table__code=TABLE):
            void_round(round_id=left.pk, by=people.supervisor)
        self.purses = {purse: _held(purse) for purse in PURSES}
        self.decided = MeterSeal.objects.filter(link__code=LINK).count()
        self.fallen, self.fallen_before = 0, Hit.objects.filter(link__code=LINK).count()
        self.waiting: list[Hit] = []

    def _open(self) -> None:
        """No gazetted rule governs it: proposed by one, approved by another."""
        new = {"title": "Mystery jackpot in three levels", "terms": terms.write(TERMS)}
        made = propose(
            kind="jackpot.link", subject=f"jackpot:{LINK}", new=new, why="More to win.", by=self.people.supervisor
        )
        approve(proposal_id=made.pk, by=self.people.manager)
        if not Table.objects.filter(code=TABLE).exists():
            join_table(code=TABLE, link=LINK, by=self.people.supervisor)

    def round(self, chance: Random) -> bool:
        boxes = sorted(chance.sample(range(1, 8), chance.randint(1, 7)))
        started = start_round(table=TABLE, wagers=[Offer(box=box) for box in boxes], by=self.people.dealer)
        finish_round(round_id=started.pk, hands=[], by=self.people.dealer)
        self.purses[DROP] += len(boxes) * DOLLAR
        for purse, percent in SHARES.items():
            self.purses[purse] += len(boxes) * percent * DOLLAR // 100
        return True

    def look(self) -> None:
        """What was decided since."""
        seals = MeterSeal.objects.filter(link__code=LINK, decided_at__isnull=False, number__gt=self.decided)
        for seal in seals.order_by("number"):
            self.decided = seal.number
            for fell in seal.falls or ():
                self._fell(seal.of_level, int(Decimal(fell["point"]) * DOLLAR), Hit.objects.get(pk=fell["hit"]))

    def _fell(self, level: str, point: int, hit: Hit) -> None:
        """Between its own bounds, paid down to the cent; filled again from the reserve, then from the house."""
        seed, ceiling = BOUNDS[level]
        self.expect(f"{level}: {Money(point)}", True, seed * DOLLAR < point <= ceiling * DOLLAR)
        self.expect(f"{level} of hit {hit.pk}", (level, Money(cents(point))), (hit.level, hit.amount))
        missing = max(0, seed * DOLLAR - (point - cents(point)))
        reserve = min(missing, self.purses[RESERVE])
        self.purses[level] += missing - cents(point)
        self.purses[RESERVE] -= reserve
        self.purses[ADVANCE] += missing - reserve
        self.purses[WINNERS] += cents(point)
        self.fallen += 1
        self.waiting.append(hit)
        self.done[f"{level} fell"] += 1

    def see_to_hits(self, chance: Random) -> bool:
        for hit in self.waiting:
            verify_hit(hit_id=hit.pk, surveillance=f"CAM-9 {self.clock.now:%H:%M}", by=self.people.supervisor)
            pay_hit(hit_id=hit.pk, identity=WINNER, payment_reference=f"L{hit.pk:07d}", by=self.people.manager)
            self.purses[WINNERS] -= hit.amount.micros
        seen_to, self.waiting = bool(self.waiting), []
        return seen_to

    def figures(self) -> list[Figure]:
        hits = Hit.objects.filter(link__code=LINK).count() - self.fallen_before
        return [
            *(Figure(f"{LINK}: {purse}", Money(own), Money(_held(purse))) for purse, own in self.purses.items()),
            Figure(f"{LINK}: falls", self.fallen, hits),
        ]


def _held(purse: str) -> int:
    return balance(pools.account(LINK, purse)).amount.micros
