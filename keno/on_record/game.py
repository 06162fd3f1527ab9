"""One game settled again, ticket by ticket in the order of their serials: its root, stakes, prizes, shares, bonuses,
refunds. Pure.

Memory stays flat: of a ticket nothing is kept but what it is owed, and of a game only the ways whose prizes depend on
one another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from keno.on_record.sums import Sums
from keno.on_record.tickets import BONUS, PRIZE, REFUND, Owed, Shape, TicketOnRecord
from keno.rules.bonuses import Bonus, Fund
from keno.rules.exposure import Exposure, Limits, require_within
from keno.rules.jackpots import CONTRIBUTION
from keno.rules.prorate import MAJOR, settle_majors, share_jackpot
from keno.rules.schedules import GUARANTEES
from keno.rules.settle import WayGroup
from kernel.export_check import Doubt
from kernel.merkle import HASH_SIZE, Tree
from kernel.money import BASIS_POINTS, Money
from kernel.refusal import Refusal

_LEAVES_AT_ONCE: Final = 65_536
_MAJOR: Final = MAJOR.micros


@dataclass(slots=True)
class GameMoney:
    """What the log says of a game that is over, and what was booked for it, until its tickets are read."""

    number: int
    closed_at: int = 0  # where in the log
    since: tuple[int, str] = (0, "")  # where in the log it was over, and when
    root: bytes | None = None  # None: it was never sealed
    count: int = 0
    day: str = ""
    drawn: tuple[int, ...] = ()
    totals: Mapping[str, Any] | None = None  # None: it was not settled
    refunded: int | None = None  # None: it was not invalidated
    staked: Mapping[int, Money] = field(default_factory=dict)  # for jackpot ways, as the close says
    bonuses: list[tuple[str, Bonus]] = field(default_factory=list)
    booked: dict[str, int] = field(default_factory=dict)  # by kind of transfer; of bonuses by their code
    fund: int = 0  # what the unclaimed prizes held before it was settled
    spent: dict[str, int] = field(default_factory=dict)  # by bonus: what it had cost by then
    device: str = ""
    attempt: int = 0
    again: GameMoney | None = None  # as it was settled again on the right numbers (12.1)
    is_again: bool = False
    opened_at: str = ""
    limits: Limits | None = None  # to what it may be made to pay; None: the house had set none

    @property
    def over(self) -> bool:
        return self.totals is not None or self.refunded is not None

    def doubt(self, what: str) -> Doubt:
        return Doubt(f"game {self.number}: {what}")


@dataclass(slots=True)
class _Way:
    """Ways of one play whose prize depends on others'."""

    ticket: TicketOnRecord
    micros: int  # of one way, before majors are settled; its stake where it is a jackpot
    count: int


def require_sold_within(shape: Shape, limits: Limits, name: str) -> None:
    """A ticket beyond the limits of the game that it began with was not to be sold."""
    try:
        require_within(shape.exposure, limits)
    except Refusal as refused:
        raise Doubt(f"{name} was sold beyond the limits of its game: {refused.detail}") from refused


class Tally:
    """Takes the tickets of a game's sealed set in their order, then says what does not fit."""

    def __init__(self, game: GameMoney) -> None:
        self.game = game
        self.bits = sum(1 << number for number in game.drawn)
        self.tree, self.leaves, self.count = Tree(), bytearray(), 0
        self.tickets = self.stakes = self.fixed = self.winners = self.biggest = self.refunds = 0
        self.staked: dict[int, int] = {}  # for jackpot ways of those that play
        self.majors: list[_Way] = []
        self.jackpots: dict[int, list[_Way]] = {}
        self.waiting: dict[str, tuple[TicketOnRecord, int]] = {}  # tickets with such ways: what they won so far
        self.shares: dict[str, dict[int, int]] = {}  # of it, shares of jackpots, by spots
        self.bonus_wins: dict[str, list[tuple[TicketOnRecord, int]]] = {code: [] for code, _ in game.bonuses}
        self.bonus_paid: dict[str, int] = {}
        self.exposed, self.begin = Exposure(), 0  # what its tickets could be paid, and how many began with it

    def grow(self, leaves: bytes) -> None:
        """Tickets of its set, in their order, packed."""
        self.leaves += leaves
        self.count += len(leaves) // HASH_SIZE
        if len(self.leaves) >= _LEAVES_AT_ONCE * HASH_SIZE:
            self._grow()

    def add(self, sums: Sums) -> None:
        """Tickets that win by themselves, added up."""
        self.tickets += sums.tickets
        self.stakes += sums.stakes
        for spots, stake in sums.staked.items():
            self.staked[spots] = self.staked.get(spots, 0) + stake
        self.fixed += sums.fixed
        self.winners += sums.winners
        self.biggest = max(self.biggest, sums.biggest)
        self.exposed += sums.exposed
        self.begin += sums.begin

    def take(self, ticket: TicketOnRecord) -> None:
        """One whose prize may depend on others'."""
        number, limits = self.game.number, self.game.limits
        if limits is not None and number == ticket.first:
            require_sold_within(ticket.shape, limits, f"ticket {ticket.serial}")
        if number > ticket.plays_to:
            return  # cancelled before the witness was asked: it stays in the set, and cannot win
        self.tickets += 1
        if limits is not None:
            self.exposed += ticket.shape.exposure
            self.begin += number == ticket.first
        charged = number <= ticket.charged_to
        if charged:
            self.stakes += ticket.price_a_game
            for spots, stake in ticket.terms.jackpot_stakes.items():
                self.staked[spots] = self.staked.get(spots, 0) + stake
        if self.game.totals is not None:
            self._match(ticket)
        elif self.game.refunded is not None and charged:
            self.refunds += ticket.price_a_game
            ticket.owed.append(Owed(number, REFUND, ticket.price_a_game, "it was invalidated", since=self.game.since))

    def _match(self, ticket: TicketOnRecord) -> None:
        paid = ticket.shape.paid(ticket.bits, self.bits)
        if paid.waits:
            self._match_ways(ticket, paid.groups)
        elif paid.micros:
            self.fixed += paid.micros
            self.winners += 1
            self.biggest = max(self.biggest, paid.micros)
            self._owe(ticket, paid.micros, paid.why)
        for code, bonus in self.game.bonuses:
            for place in range(len(ticket.shape.entry.selection.plays)):
                ways = [
                    each
                    for each in paid.groups
                    if each.play == place and (each.spots, each.matches) == (bonus.spots, bonus.matches)
                ]
                if ways:
                    micros = bonus.of_play(stake=ways[0].stake, ways=ways[0].count).micros
                    self.bonus_wins[code].append((ticket, micros))

    def _owed_by(self, ticket: TicketOnRecord) -> list[Owed]:
        if not self.game.is_again:
            return ticket.owed
        ticket.again = [] if ticket.again is None else ticket.again
        return ticket.again

    def _owe(self, ticket: TicketOnRecord, micros: int, why: str, jackpots: tuple[tuple[int, int], ...] = ()) -> None:
        self._owed_by(ticket).append(Owed(self.game.number, PRIZE, micros, why, jackpots, self.game.since))

    def _owe_bonus(self, ticket: TicketOnRecord, micros: int, why: str) -> None:
        """Bonuses of one game are one prize."""
        owed = self._owed_by(ticket)
        last = owed[-1] if owed else None
        if last is not None and (last.game, last.kind) == (self.game.number, BONUS):
            micros, why = last.micros + micros, f"{last.why}, {why}"
            owed.pop()
        owed.append(Owed(self.game.number, BONUS, micros, why, (), self.game.since))

    def _match_ways(self, ticket: TicketOnRecord, groups: tuple[WayGroup, ...]) -> None:
        """Some of which are majors or jackpots."""
        small = 0
        for group in groups:
            if group.jackpot:
                self.jackpots.setdefault(group.spots, []).append(_Way(ticket, group.stake.micros, group.count))
            elif group.prize.micros >= _MAJOR:
                self.majors.append(_Way(ticket, group.prize.micros, group.count))
            else:
                small += group.prize.micros * group.count
        self.waiting[ticket.serial] = (ticket, small)
        self.fixed += small

    def _award_bonuses(self) -> None:
        """In ticket order and in full: the first that budget and fund do not cover ends a bonus (4.7e)."""
        fund = self.game.fund
        for code, bonus in self.game.bonuses:
            left = bonus.budget.micros - self.game.spent.get(code, 0)
            if bonus.fund is Fund.UNCLAIMED:
                left = min(left, fund)
            paid = 0
            for ticket, micros in self.bonus_wins[code]:
                if paid + micros > left:
                    break
                paid += micros
                if micros:
                    self._owe_bonus(ticket, micros, f"bonus {code}")
            if paid:
                self.bonus_paid[code] = paid
            fund -= paid if bonus.fund is Fund.UNCLAIMED else 0

    def _grow(self) -> None:
        self.tree.extend(bytes(self.leaves))
        self.leaves.clear()

    def same_root(self) -> bool:
        self._grow()
        return (self.tree.root(), self.count) == (self.game.root, self.game.count)

    def end(self, *, won: Mapping[int, int], contributed: Mapping[int, int], covered: int = 0) -> None:
        """All tickets were taken. *won*: what each jackpot paid in this game, by spots; *contributed*: what it gave
        them; *covered*: what of the jackpots the house paid. What it won is noted with each ticket. Raises Doubt."""
        game = self.game
        self._within_limit()
        if game.totals is None:
            self._end_invalidated(contributed)
            return
        fixed, majors, jackpots = self._settle_shares(won)
        self._award_bonuses()
        prizes = fixed + majors["paid"] + sum(each["amount"] for each in jackpots.values())
        found: dict[str, Any] = {
            "tickets": self.tickets,
            "stakes": str(Money(self.stakes)),
            "prizes": str(Money(prizes)),
            "winners": self.winners,
            "biggest": str(Money(self.biggest)),
            "majors": majors["said"],
            "jackpots": {
                str(spots): {"amount": str(Money(each["amount"])), "ways": each["ways"]}
                for spots, each in jackpots.items()
            },
        }
        if self.bonus_paid:
            found["bonuses"] = str(Money(sum(self.bonus_paid.values())))
        self._compare(found)
        self._same_money(fixed + majors["paid"] + covered)
        self._same_contributions(contributed)

    def _within_limit(self) -> None:
        """Whatever played to its close was counted when the last of its tickets was sold, and had room then."""
        limits, payable = self.game.limits, self.exposed.payable
        if limits is not None and self.begin and payable > limits.game_limit:
            raise self.game.doubt(
                f"its tickets could have won {payable.said}; the house had limited a game to "
                f"{limits.game_limit.said}, and sold on."
            )

    def _settle_shares(self, won: Mapping[int, int]) -> tuple[int, dict[str, Any], dict[int, dict[str, int]]]:
        """Majors pro-rated (9.2-9.4), jackpots shared (9.5): what each ticket gets of them."""
        proration, settled = settle_majors([(Money(way.micros), way.count) for way in self.majors])
        paid = 0
        for way, one in zip(self.majors, settled, strict=True):
            micros = one.amount.micros * way.count + one.loose.micros
            self._gets(way, micros)
            paid += micros
        said = {"before": str(proration.before), "after": str(proration.after), "count": proration.count}
        jackpots: dict[int, dict[str, int]] = {}
        for spots in GUARANTEES:
            ways = self.jackpots.get(spots)
            if not ways:
                continue
            if spots not in won:
                raise self.game.doubt(f"its tickets won the {spots}-number jackpot, and it was not paid out.")
            shares = share_jackpot(Money(won[spots]), [(Money(way.micros), way.count) for way in ways])
            for way, one in zip(ways, shares, strict=True):
                micros = one.amount.micros * way.count + one.loose.micros
                self._gets(way, micros)
                of_ticket = self.shares.setdefault(way.ticket.serial, {})
                of_ticket[spots] = of_ticket.get(spots, 0) + micros
            jackpots[spots] = {"amount": won[spots], "ways": sum(way.count for way in ways)}
        if extra := sorted(won.keys() - jackpots.keys()):
            raise self.game.doubt(f"the {extra[0]}-number jackpot was paid out, and no ticket won it.")
        for ticket, micros in self.waiting.values():
            if micros:
                self.winners += 1
                self.biggest = max(self.biggest, micros)
                why = ticket.shape.paid(ticket.bits, self.bits).why if ticket.shape.spots else "its ways"
                shared = tuple(self.shares.get(ticket.serial, {}).items())
                self._owe(ticket, micros, why, shared)
        return self.fixed, {"paid": paid, "said": said}, jackpots

    def _gets(self, way: _Way, micros: int) -> None:
        ticket, so_far = self.waiting[way.ticket.serial]
        self.waiting[way.ticket.serial] = (ticket, so_far + micros)

    def _compare(self, found: Mapping[str, Any]) -> None:
        totals = {"biggest": found["biggest"], **(self.game.totals or {})}  # games settled before do not say it
        for name in sorted(found.keys() | totals.keys()):
            if found.get(name) != totals.get(name):
                raise self.game.doubt(
                    f"its settlement says {name} {_said(totals.get(name))}; the tickets make {_said(found.get(name))}."
                )

    def _same_money(self, fixed: int) -> None:
        bonuses = {f"bonus {code}": micros for code, micros in self.bonus_paid.items()}
        self._same_booked({"keno.stakes": self.stakes, "keno.prizes": fixed, **bonuses})

    def _same_booked(self, expected: Mapping[str, int]) -> None:
        booked = self.game.booked
        for name in sorted(expected.keys() | booked.keys()):
            if expected.get(name, 0) != booked.get(name, 0):
                raise self.game.doubt(
                    f"{Money(booked.get(name, 0)).said} was booked as {name}; its tickets make "
                    f"{Money(expected.get(name, 0)).said}."
                )

    def _same_contributions(self, contributed: Mapping[int, int]) -> None:
        for spots in GUARANTEES:
            share = self.staked.get(spots, 0) * CONTRIBUTION // BASIS_POINTS
            if contributed.get(spots, 0) != share:
                raise self.game.doubt(
                    f"{Money(contributed.get(spots, 0)).said} went into the {spots}-number jackpot; 25% of what was "
                    f"staked for it is {Money(share).said}."
                )

    def _end_invalidated(self, contributed: Mapping[int, int]) -> None:
        game = self.game
        if game.refunded is None:
            return
        if game.refunded != self.refunds:
            raise game.doubt(
                f"it was invalidated, and says that it gave {Money(game.refunded).said} back; its tickets had paid "
                f"{Money(self.refunds).said}."
            )
        self._same_booked({"keno.refunds": self.refunds})
        if any(contributed.values()):
            raise game.doubt("it was invalidated, and its contributions stayed in a jackpot.")


def _said(value: object) -> str:
    return "nothing" if value is None else str(value)
