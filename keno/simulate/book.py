"""The simulation's own book of Keno: every paper as it was printed, every way by itself, every draw as it was seen.

It asks nothing of the house but what is told to everybody: the paper, the numbers drawn, and what a jackpot showed.
Ways are laid out one by one here; the house counts them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from django.db.models import Sum

from house.simulate import Figure
from keno.models import Draw, Overpayment, Payment, Prize, PrizeKind, Ticket
from keno.rules.schedules import SPECIAL_1, SPECIAL_2, STANDARD
from keno.sell import Sold
from kernel.money import MICROS_PER_DOLLAR, ZERO, Money

TABLES: Final = {
    schedule.code: {table.spots: [each.micros for each in table.prizes] for table in schedule.prize_tables}
    for schedule in (STANDARD, SPECIAL_1, SPECIAL_2)
}
JACKPOTS: Final = (6, 8)
MOST_A_WAY: Final = 50_000 * MICROS_PER_DOLLAR  # 9.1
MAJOR: Final = 200 * MICROS_PER_DOLLAR
MAJORS_TOGETHER: Final = 50_000 * MICROS_PER_DOLLAR  # 9.2


@dataclass(slots=True)
class PrintedTicket:
    """What the terminal printed."""

    serial: str
    groups: tuple[tuple[int, ...], ...]
    plays: tuple[tuple[int, int], ...]  # spots, micro-dollars a way
    schedule: str
    jackpot: bool
    first: int
    last: int
    charged_to: int
    premium: int

    def ways(self, spots: int) -> list[frozenset[int]]:
        """Every combination of whole groups that makes so many numbers."""
        found = []
        for count in range(1, len(self.groups) + 1):
            for some in combinations(self.groups, count):
                if sum(map(len, some)) == spots:
                    found.append(frozenset(number for group in some for number in group))
        return found

    @property
    def price_a_game(self) -> int:
        return self.premium + sum(stake * len(self.ways(spots)) for spots, stake in self.plays)

    def paid_for(self, games: Iterable[int]) -> int:
        return self.price_a_game * sum(game <= self.charged_to for game in games)


class Book:
    def __init__(self) -> None:
        self.papers: dict[str, PrintedTicket] = {}
        self.price = 0
        self.taken_back = 0  # for games that were cancelled
        self.owed: dict[str, Counter[int]] = defaultdict(Counter)  # of prizes, by ticket and game
        self.refunds: Counter[str] = Counter()  # by ticket
        self.unpaid: Counter[str] = Counter()  # both of them
        self.paid = 0
        self.asked_back = 0  # paid too much at the counter, and not back yet
        self.by_machine: dict[int, tuple[int, ...]] = {}
        self.bonus: Mapping[str, Any] | None = None
        self.bonus_left = 0
        self.bonuses: Counter[tuple[str, int]] = Counter()  # by ticket and game

    # At the counter

    def sold(self, sold: Sold) -> None:
        ticket = sold.ticket
        plays = sold.composed.entry.selection.plays
        paper = PrintedTicket(
            serial=ticket.serial,
            groups=tuple(tuple(group) for group in ticket.groups),
            plays=tuple((play.spots, play.stake.micros) for play in plays),
            schedule=ticket.schedule,
            jackpot=ticket.jackpot,
            first=ticket.first_game,
            last=ticket.last_game,
            charged_to=ticket.charged_to,
            premium=ticket.premium.micros,
        )
        self.papers[paper.serial] = paper
        self.price += paper.paid_for(range(paper.first, paper.last + 1))

    def stopped(self, serial: str, *, before: int, refunded: bool) -> None:
        """It plays no game from this one on. *refunded*: what was paid for them waits like a prize."""
        if (paper := self.papers.get(serial)) is None:
            return
        back = paper.paid_for(range(before, paper.last + 1))
        paper.last = before - 1
        if refunded:
            self._refund(serial, back)
        else:
            self.taken_back += back

    def void_win(self, serial: str, game: int) -> None:
        """14.3: what it won is owed no more, its stake is."""
        if (paper := self.papers.get(serial)) is None:
            return
        self.unpaid[serial] -= self.owed[serial].pop(game, 0)
        self.bonus_left += self.bonuses.pop((serial, game), 0)
        self._refund(serial, paper.paid_for([game]))

    def paid_out(self, serial: str) -> None:
        """Everything on it."""
        if serial in self.papers:
            self.paid += self.unpaid.pop(serial, 0)

    def _refund(self, serial: str, amount: int) -> None:
        self.refunds[serial] += amount
        self.unpaid[serial] += amount

    # Games

    def offers(self, bonus: Mapping[str, Any], *, spent: Money) -> None:
        """An extra prize for every play with so many matches of so many numbers, while there is money for it (4.7e)."""
        self.bonus, self.bonus_left = bonus, (Money.parse(bonus["budget"]) - spent).micros

    def invalidated(self, game: int) -> None:
        for paper in self._in(game):
            self._refund(paper.serial, paper.paid_for([game]))

    def drawn(self, game: int, numbers: Collection[int]) -> None:
        """What each paper wins, way by way, in the order of their serials."""
        drawn = frozenset(numbers)
        won: Counter[str] = Counter()
        majors = 0
        for paper in self._in(game):
            for spots, stake in paper.plays:
                enters = paper.jackpot and spots in JACKPOTS
                matches = Counter(len(way & drawn) for way in paper.ways(spots))
                for matched, ways in matches.items():
                    if enters and matched == spots:
                        won[paper.serial] += _jackpot_share(paper.serial, game)
                        continue
                    prize = TABLES[paper.schedule][spots][matched] * stake // MICROS_PER_DOLLAR
                    prize = prize if enters else min(prize, MOST_A_WAY)
                    majors += prize * ways if prize >= MAJOR else 0
                    won[paper.serial] += prize * ways
                won[paper.serial] += self._bonus(paper.serial, game, spots, matches)
        if majors > MAJORS_TOGETHER:
            won = _as_settled(game, won)
        for serial, amount in won.items():
            if amount:
                self.owed[serial][game] += amount
                self.unpaid[serial] += amount

    def _in(self, game: int) -> list[PrintedTicket]:
        return sorted((p for p in self.papers.values() if p.first <= game <= p.last), key=lambda paper: paper.serial)

    def _bonus(self, serial: str, game: int, spots: int, matches: Counter[int]) -> int:
        bonus = self.bonus
        if bonus is None or not bonus["first_game"] <= game <= bonus["last_game"] or spots != bonus["spots"]:
            return 0
        prize = Money.parse(bonus["prize"]).micros
        if not matches[bonus["matches"]] or prize > self.bonus_left:
            return 0
        self.bonus_left -= prize
        self.bonuses[serial, game] += prize
        return prize

    # Beside the house

    def figures(self) -> list[Figure]:
        sold = Ticket.objects.filter(serial__in=self.papers)
        prizes = Prize.objects.filter(ticket__serial__in=self.papers, void=None, replaced=None)
        won = prizes.exclude(kind=PrizeKind.REFUND)
        as_machine = sum(
            tuple(Draw.objects.get(game=game, voided_at=None).numbers) == numbers
            for game, numbers in self.by_machine.items()
        )
        own_by_game: Counter[int] = Counter()
        for games in self.owed.values():
            own_by_game.update(games)
        by_game = dict(won.values_list("game").annotate(total=Sum("amount")).values_list("game", "total"))
        differing = [
            Figure(f"Game {game}: prizes", Money(own_by_game[game]), by_game.get(game, ZERO))
            for game in sorted(own_by_game | by_game.keys())
            if Money(own_by_game[game]) != by_game.get(game, ZERO)
        ]
        return [
            Figure("Tickets sold", len(self.papers), sold.count()),
            Figure("Their price", Money(self.price), _sum(sold, "price")),
            Figure("Prizes won", Money(own_by_game.total()), _sum(won, "amount")),
            *differing,
            Figure("Refunds due", Money(self.refunds.total()), _sum(prizes.filter(kind=PrizeKind.REFUND), "amount")),
            Figure("Paid on tickets", Money(self.paid), _sum(_payments(self.papers), "amount")),
            Figure("Still to be paid", Money(self.unpaid.total()), _sum(prizes.filter(payment=None), "amount")),
            Figure("Handed out too much, not back", Money(self.asked_back), _not_back(self.papers)),
            Figure("Mechanical draws, ball for ball", len(self.by_machine), as_machine),
        ]


def _not_back(serials: Iterable[str]) -> Money:
    rows = Overpayment.objects.filter(game=None, payment__ticket__serial__in=list(serials))
    return Money.total(each.left for each in rows)


def _payments(serials: Iterable[str]) -> object:
    return Payment.objects.filter(ticket__serial__in=list(serials))


def _sum(rows: object, field: str) -> Money:
    found: Money | None = rows.aggregate(total=Sum(field))["total"]  # type: ignore[attr-defined]
    return found or ZERO


def _jackpot_share(serial: str, game: int) -> int:
    """A jackpot is shared by stake among whoever hit it: what it showed is the pools' to say, and checked there."""
    shares = Prize.objects.filter(ticket__serial=serial, game=game, replaced=None).values_list("jackpot", flat=True)
    return Money.total(shares).micros


def _as_settled(game: int, won: Counter[str]) -> Counter[str]:
    """Majors of more than $50,000 together are pro-rated (9.2), once in a lifetime: the verifier works that out."""
    settled: Counter[str] = Counter()
    for prize in Prize.objects.filter(game=game, replaced=None, ticket__serial__in=won).select_related("ticket"):
        settled[prize.ticket.serial] += prize.amount.micros
    return settled
