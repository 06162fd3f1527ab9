"""Links of the house that end in a simulated month: each is retired into the next, which its table follows.

The book: what a wager brings each purse, all of it carried on; a message that was played before the end comes after it.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Final

from house.approvals import approve, propose
from house.simulate import Figure, Part
from jackpot import pools, terms
from jackpot.contribute import Message, contribute_bulk
from jackpot.models import Link, Table
from jackpot.rules.catalogue import MINOR_MAJOR
from jackpot.rules.pool import RESERVE, Level, Parameters
from jackpot.simulate.staff import People
from jackpot.tables import join_table, move_table
from jackpot.terms import LinkTerms
from kernel.money import Money

TABLE: Final = "OLD-01"
SEEDS: Final = {"minor": 500, "major": 5_000}  # dollars
SHARES: Final = {"minor": 20, "major": 40, RESERVE: 10}  # cents of a wager of a dollar; the house keeps the rest
CENT: Final = 10_000  # micro-dollars
TERMS: Final = LinkTerms(
    rules=MINOR_MAJOR,
    parameters=Parameters(
        wager=Money.dollars(1),
        levels=tuple(
            Level(name=name, increment_rate=SHARES[name] * 100, seed=Money.dollars(seed))
            for name, seed in SEEDS.items()
        ),
        reserve_rate=SHARES[RESERVE] * 100,
        retained_rate=3_000,
    ),
)


class Retirements:
    def __init__(self, part: Part, people: People) -> None:
        self.people, self.clock, self.done, self.expect = people, part.clock, part.done, part.expect
        self.run, self.opened, self.sent = f"{part.clock.now:%y%m%d%H%M%S}", 0, 0
        self.ended: list[str] = []
        self.purses = dict.fromkeys((*SEEDS, RESERVE), 0)
        self.link = self._open()
        if not Table.objects.filter(code=TABLE).exists():
            join_table(code=TABLE, link=self.link, by=people.supervisor)
        else:  # of a simulation before this one
            move_table(table=TABLE, link=self.link, by=people.supervisor)

    def _open(self) -> str:
        self.opened += 1
        code = f"S{self.run}-{self.opened}"
        new = {"title": "An old jackpot", "terms": terms.write(TERMS)}
        made = propose(
            kind="jackpot.link", subject=f"jackpot:{code}", new=new, why="The next one.", by=self.people.supervisor
        )
        approve(proposal_id=made.pk, by=self.people.manager)
        for name, seed in SEEDS.items():
            self.purses[name] += seed * 100 * CENT
        return code

    def message(self, chance: Random) -> bool:
        self._send(chance.randint(1, 30))
        return True

    def _send(self, wagers: int, *, ago: timedelta = timedelta()) -> None:
        self.sent += 1
        sent = Message(f"old-{self.run}-{self.sent}", TABLE, wagers, self.clock.now - ago)
        answer = contribute_bulk(messages=[sent], by=self.people.controllers)
        self.expect("A message of the table whose link ends", 1, answer.counted)
        for purse, share in SHARES.items():
            self.purses[purse] += wagers * share * CENT

    def retire(self, chance: Random) -> bool:
        """Into the next one; then what was played before the end comes in, and goes on to where the money went."""
        old, self.link = self.link, self._open()
        made = propose(
            kind="jackpot.retirement",
            subject=f"jackpot:{old}",
            new={"into": self.link},
            why="Nobody plays it.",
            by=self.people.supervisor,
        )
        approve(proposal_id=made.pk, by=self.people.manager)
        self.ended.append(old)
        self._send(chance.randint(1, 9), ago=timedelta(milliseconds=1))
        self.done["late message of a link that has ended"] += 1
        move_table(table=TABLE, link=self.link, by=self.people.supervisor)
        return True

    def figures(self) -> list[Figure]:
        held = pools.read_pools(self.link, levels=tuple(SEEDS)).balances
        left = [pools.read_pools(code, levels=tuple(SEEDS)).balances.values() for code in self.ended]
        retired = Link.objects.filter(code__in=self.ended, retired_into__isnull=False).count()
        return [
            *(Figure(f"The last old link: {purse}", Money(own), held[purse]) for purse, own in self.purses.items()),
            Figure("Left in links that ended", Money(0), Money.total(each for purses in left for each in purses)),
            Figure("Links that ended", len(self.ended), retired),
        ]
