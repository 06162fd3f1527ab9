"""Every ticket, in the order of first games and serials, through every game that it plays in. Pure.

Games are worked off one after the other, while their tickets are read: those that begin with a game come from the
export, those that began earlier are carried along. So memory holds only tickets that play on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from keno.on_record.answers import Answers
from keno.on_record.batches import Batch
from keno.on_record.game import GameMoney, Tally
from keno.on_record.games import GamesOnRecord
from keno.on_record.payments import Payments
from keno.on_record.pools import Pools
from keno.on_record.sales import SERIAL_BYTES, Sales, SoldFor
from keno.on_record.sums import Sums, Won
from keno.on_record.tenders import Tenders
from keno.on_record.tickets import PRIZE, Owed, TicketOnRecord
from keno.on_record.void_wins import VoidWins
from keno.rules.schedules import GUARANTEES
from kernel.export_check import Doubt
from kernel.money import Money


class Walk:
    def __init__(
        self, *, games: GamesOnRecord, pools: Pools, sales: Sales, tenders: Tenders,
        payments: Payments, void_wins: VoidWins, answers: Answers,
    ) -> None:  # fmt: skip
        self.games, self.pools, self.sales = games, pools, sales
        self.tenders, self.payments, self.answers = tenders, payments, answers
        self.void_wins = void_wins
        self.carried: list[TicketOnRecord] = []
        self.waiting: list[TicketOnRecord] = []  # those of the game at hand that were carried, last serial first
        self.later: list[TicketOnRecord] = []  # over with the game at hand, but what they won is not known before
        self.game = 0
        self.tally: Tally | None = None
        self.again: Tally | None = None  # of a game that was settled again (12.1)
        self.sold: SoldFor | None = None
        self.at_close: dict[int, int] = {}  # staked for jackpot ways when the game closed
        self.read_upto: tuple[int, bytes] = (0, b"")
        self.play_on: list[tuple[bytes, int]] = []  # serial and leaf of those that play on, with their last game
        self.among: list[bytes] = []  # serial and leaf of those in the game at hand that began earlier, by serial
        self.won_later: dict[int, list[tuple[str, Sequence[Won]]]] = {}  # by the last game of who plays on
        self.sums: dict[int, Sums] = {}  # by game, of those that nothing special happens to
        self.tickets = self.rooted = self.entries = 0
        self.days: dict[int, str] = {}

    def attached(self, batch: Batch) -> None:
        """Tickets from one first game on, in the order of their serials."""
        if (batch.game, batch.serial(0)) <= self.read_upto:
            raise Doubt(f"ticket {batch.serial(0).decode()} is out of order.")
        self.read_upto = (batch.game, batch.serial(batch.count - 1))
        self._go_to(batch.game)
        assert self.sold is not None
        sold = self.sold.take(batch.sold)
        self.tickets += sum(sold)
        if not all(sold):  # younger than the last seal of the log: nothing of it is counted in any game
            batch.special = {at: each for at, each in batch.special.items() if sold[at]}
            batch.won = {at: won for at, won in batch.won.items() if sold[at]}
            batch.paid = {at: row for at, row in batch.paid.items() if sold[at]}
            batch.play_on = {}
        for game, sums in batch.sums.items():
            self.sums.setdefault(game, Sums()).add(sums)
        for serial, ticket in [(batch.serial(at), each) for at, each in batch.special.items()]:
            self._stop(ticket)
            self._take_waiting(before=serial)
            self._take(ticket)
        self._leaves(batch)
        self.payments.plain.take(batch.paid.values())
        for place, won in batch.won.items():
            upto, named = batch.play_on.get(place), batch.serial(place).decode()
            if upto is None:
                self._over_plain(named, won, batch.game)
            else:
                self.won_later.setdefault(upto, []).append((named, won))

    def _stop(self, ticket: TicketOnRecord) -> None:
        stopped, late = self.tenders.stop_of(ticket.serial)
        if stopped is not None:
            ticket.plays_to, ticket.late = stopped - 1, late

    def _take_waiting(self, *, before: bytes | None = None) -> None:
        while self.waiting and (before is None or self.waiting[-1].serial.encode() < before):
            self._take(self.waiting.pop())

    def _leaves(self, batch: Batch) -> None:
        """Into the game's tree, those of earlier tickets among them by their serials."""
        last, game = self.read_upto[1], batch.game
        gone = {at for at, ticket in batch.special.items() if not ticket.stands_in(game)}
        among = self.among[: bisect_left(self.among, last)]
        leaves = batch.leaves
        if among or gone:
            self.among = self.among[len(among) :]
            own = batch.records() if not gone else [each for at, each in enumerate(batch.records()) if at not in gone]
            leaves = b"".join([each[SERIAL_BYTES:] for each in sorted(own + among)])
        self._grow(leaves)
        self.play_on += [(batch.serial(place) + batch.leaf(place), upto) for place, upto in batch.play_on.items()]

    def _grow(self, leaves: bytes) -> None:
        if self.tally is not None and leaves:
            self.tally.grow(leaves)
            self.answers.grow(leaves)

    def _go_to(self, game: int) -> None:
        """Work off every game before this one."""
        if game == self.game:
            return
        self._finish()
        for number in range(self.game + 1, min(game, self.games.last + 1)):
            if number in self.games.money:
                self._begin(number)
                self._finish()
        self._begin(game)

    def _begin(self, number: int) -> None:
        money = self.games.money.get(number)
        self.game = number
        self.tally = Tally(money) if money is not None and (money.over or money.root) else None
        self.again = Tally(money.again) if money is not None and money.again is not None else None
        self.sold = SoldFor(number, self.sales, sealed=money is not None and money.root is not None)
        self.waiting = sorted(self.carried, key=lambda ticket: ticket.serial, reverse=True)
        self.carried, self.later, self.at_close = [], [], {}
        self.play_on = [(record, upto) for record, upto in self.play_on if upto >= number]
        special = [each.serial.encode() + each.leaf for each in self.waiting if each.stands_in(number)]
        self.among = sorted([*special, *(record for record, _ in self.play_on)])
        self.answers.begin()

    def _take(self, ticket: TicketOnRecord) -> None:
        number, tally = self.game, self.tally
        money = self.games.money.get(number)
        staked = ticket.terms.jackpot_stakes
        closed_at = money.closed_at if money is not None and number <= ticket.charged_to else 0
        if staked and closed_at and self.tenders.playing_at(ticket, number, index=closed_at):
            for spots, stake in staked.items():
                self.at_close[spots] = self.at_close.get(spots, 0) + stake
        if tally is not None and ticket.stands_in(number):
            tally.take(ticket)
            if self.again is not None:
                self.again.take(ticket)
            self.answers.take(ticket, number)
        if number < _until(ticket):
            self.carried.append(ticket)
        elif tally is not None and (ticket.serial in tally.waiting or tally.game.bonuses or self.again is not None):
            self.later.append(ticket)
        else:
            self._over(ticket)

    def _finish(self) -> None:
        """All tickets of the game at hand were read."""
        if self.sold is not None:
            self.sold.end()
        self._take_waiting()
        self._grow(b"".join([each[SERIAL_BYTES:] for each in self.among]))
        self.among = []
        tally, number = self.tally, self.game
        sums = self.sums.pop(number, None)
        if tally is not None:
            money = tally.game
            if sums is not None:
                tally.add(sums)
                for spots, stake in sums.at_close.items():
                    self.at_close[spots] = self.at_close.get(spots, 0) + stake
            self._same_root(tally, money)
            self._same_staked(money)
            contributed = {spots: self.pools.contributed_by(number, spots) for spots in GUARANTEES}
            tally.end(won=self.pools.won_in(number), contributed=contributed)
            if self.again is not None:
                won, covered = self.pools.won_again_in(number)
                self.again.end(won=won, contributed=contributed, covered=covered)
            self.pools.forget(number)
            self.answers.game(tally, self.again)
        for ticket in self.later:
            self._over(ticket)
        for serial, winnings in self.won_later.pop(number, ()):
            self._over_plain(serial, winnings, number)
        self.tally, self.again, self.sold, self.later = None, None, None, []

    def _same_root(self, tally: Tally, money: GameMoney) -> None:
        if money.root is None:
            return  # invalidated before it was sealed
        if not tally.same_root():
            raise money.doubt(f"the {tally.count} tickets attached are not the {money.count} sealed after its close.")
        self.rooted += 1
        self.entries += tally.count

    def _same_staked(self, money: GameMoney) -> None:
        said = {spots: amount.micros for spots, amount in money.staked.items()}
        if money.closed_at and said != self.at_close:
            spots = min(spots for spots in GUARANTEES if said.get(spots) != self.at_close.get(spots))
            raise money.doubt(
                f"{Money(said.get(spots, 0)).said} is said to have been staked for the {spots}-number jackpot; its "
                f"tickets make {Money(self.at_close.get(spots, 0)).said}."
            )

    def _over(self, ticket: TicketOnRecord) -> None:
        """Nothing more becomes of it: what it cost, what was given back, what it was owed and what it was paid."""
        never_cash = self.tenders.check(ticket)
        self.void_wins.check(ticket, self.days)
        payments, left = self.payments.check(ticket, self.days)
        if ticket.plays_to == ticket.last:
            self.payments.went_on(ticket.serial, payments, self._over_at(ticket.last))
        else:  # what it was to play in changed
            self.payments.papers.pop(ticket.serial, None)
        self.tenders.check_payments(ticket.serial, payments, never_cash)
        self.answers.ticket(ticket, payments, left)

    def _over_at(self, game: int) -> tuple[int, str] | None:
        money = self.games.money.get(game)
        return money.since if money is not None and money.over else None

    def _over_plain(self, serial: str, won: Sequence[Won], last: int) -> None:
        """The same of one that nothing special happened to. *last*: its last game."""
        owed = [Owed(each.game, PRIZE, each.micros, each.why, (), self.games.money[each.game].since) for each in won]
        payments = self.payments.check_plain(serial, owed, self.days)
        self.payments.went_on(serial, payments, self._over_at(last))
        self.tenders.check_payments(serial, payments, 0)

    def end(self) -> None:
        """The last ticket was read: games without a ticket of their own, and what plays on."""
        self._go_to(max(self.game, self.games.last) + 1)
        self._finish()
        for ticket in self.carried:
            self._over(ticket)
        for last, winners in self.won_later.items():
            for serial, won in winners:
                self._over_plain(serial, won, last)
        for game in (*self.sales.left(), self.games.last + 1, self.games.last + 2):
            SoldFor(game, self.sales, sealed=False).end()


def _until(ticket: TicketOnRecord) -> int:
    """The last game that has to do with it: where it was stopped, that one, too."""
    stopped = ticket.plays_to + 1 if ticket.plays_to < ticket.last else 0
    return max(ticket.plays_to, stopped, *ticket.late, 0)
