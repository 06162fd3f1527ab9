"""Checks of settled hands in a simulated month: most are right, some are paid wrongly, and each error has its end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Final

from house.simulate import Clock, Figure, Part
from house.staff import find
from kernel.actors import Actor
from kernel.money import Money
from ledger.balance import balance
from tablegames import accounts, payment_errors
from tablegames.demo import build_demo
from tablegames.models import Check, PaymentError
from tablegames.settle import Entered, record_check

TABLE: Final = "CSP-01"
GAME: Final = "caribbean-stud"
DEALER: Final = "AD KC 9H 4S 2D"  # an ace and a king: he plays
ACCOUNTS: Final = (accounts.FLOAT, accounts.CAGE, accounts.OVERPAID, accounts.UNDERPAID, accounts.ERRORS)


@dataclass(frozen=True, slots=True)
class Hand:
    cards: str
    bet_pays: int  # to one; the ante pays even money


HANDS: Final = (Hand("8S 8H 5D 5C 3C", 2), Hand("7S 7H 7D QC 3C", 3), Hand("QS TS 8S 6S 3S", 5))
ERRORS: Final = (0, 0, 0, 5, -5, 20, -10)  # dollars too much, or too little, on one wager


class Checks(Part):
    name = "Table checks"

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.supervisor: Actor
        self.manager: Actor
        self.dollars: Counter[str] = Counter()  # by account, since the beginning
        self.errors = self.errors_before = 0
        self.before: dict[str, Money] = {}

    def begin(self) -> None:
        build_demo()
        self.supervisor, self.manager = find("supervisor").as_actor(), find("manager").as_actor()
        self.before = {code: balance(code).amount for code in ACCOUNTS}
        self.errors_before = PaymentError.objects.count()

    def moment(self, chance: Random) -> None:
        if chance.random() < 0.15:
            self.do("hand checked", self._check, chance)

    def _check(self, chance: Random) -> bool:
        hand, ante = chance.choice(HANDS), chance.choice((10, 15, 20))
        wagers = {"ante": ante, "bet": 2 * ante}
        wrong = {wager: chance.choice(ERRORS) for wager in wagers}
        pays = {"ante": ante + wrong["ante"], "bet": 2 * ante * hand.bet_pays + wrong["bet"]}
        made = record_check(
            entered=Entered(
                game=GAME,
                wagers={wager: Money.dollars(amount) for wager, amount in wagers.items()},
                cards={"player": hand.cards.split(), "dealer": DEALER.split()},
            ),
            paid={wager: Money.dollars(amount) for wager, amount in pays.items()},
            table=TABLE,
            by=self.supervisor,
        )
        self.expect(f"Check {made.pk}", Money.dollars(sum(wrong.values())), made.difference)
        self.errors += sum(amount != 0 for amount in wrong.values())
        self._see_to_errors(made)
        return True

    def _see_to_errors(self, made: Check) -> None:
        """What was short is paid by another person; what was too much is asked back in vain, and given up."""
        for error in PaymentError.objects.filter(check_of=made).order_by("id"):
            dollars = error.amount.micros // Money.dollars(1).micros
            if error.direction == "under":
                payment_errors.rectify(error_id=error.pk, amount=error.amount, how="In chips.", by=self.manager)
                self.dollars[accounts.FLOAT] += dollars
                self.dollars[accounts.CAGE] -= dollars
                self.done["underpayment made good"] += 1
                continue
            payment_errors.decide_intent(
                error_id=error.pk, intent="unintentional", enquiries="Cameras.", by=self.supervisor
            )
            payment_errors.take_step(
                error_id=error.pk, kind="contact", how="Called.", succeeded=False, by=self.supervisor
            )
            payment_errors.close_error(error_id=error.pk, outcome="attempted", what="Not found.", by=self.manager)
            self.dollars[accounts.FLOAT] -= dollars
            self.dollars[accounts.ERRORS] += dollars
            self.done["overpayment given up"] += 1

    def figures(self) -> list[Figure]:
        moved = [
            Figure(code, Money.dollars(self.dollars[code]), balance(code).amount - before)
            for code, before in self.before.items()
        ]
        found = PaymentError.objects.count() - self.errors_before
        return [*super().figures(), *moved, Figure("Errors found", self.errors, found)]
