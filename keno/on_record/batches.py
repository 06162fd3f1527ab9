"""Tickets read many at a time, in another process where there are many: of those that nothing special happens to, what
they stake, win and add up to in every game that they play in. Pure.

Special are tickets of which the log says something (paper they were paid with, a cancellation), and those whose prize
depends on others: majors, jackpots, bonuses, games that were invalidated. They are walked one by one (``walk.py``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final, NamedTuple

from keno.on_record.game import GameMoney, require_sold_within
from keno.on_record.marks import Marks
from keno.on_record.paid_plainly import PaymentReader
from keno.on_record.sums import Sums, Won
from keno.on_record.tickets import Alike, Shape, TicketOnRecord, TicketReader
from keno.on_record.values import SUPERVISED_ABOVE
from keno.rules.exposure import Limits
from keno.rules.selection import NUMBERS
from kernel.canonical import canonical
from kernel.export_check import NOT_AN_EXPORTS, Doubt, read_attached
from kernel.money import Money
from kernel.refusal import Refusal
from kernel.row_text import read_json, read_json_at

# An entry as it stands in the ticket root: canonical text has one order of keys and no spaces.
_TEXT: Final = rb'[^"\\\x00-\x1f]*'
_WHOLE: Final = rb"(?:0|[1-9]\d{0,17})"
_ENTRY = re.compile(
    rb'\{"first_game":(%(whole)b),"gaming_day":"%(text)b","groups":\[\[([\d,\[\]]+)\]\],"jackpot":(true|false),'
    rb'"kind":"%(text)b","last_game":(%(whole)b),"plays":(\[(?:\{"spots":%(whole)b,"stake":"%(text)b"\},?)+\]),'
    rb'"price":"(%(text)b)","schedule":"(%(text)b)","schedule_version":(%(whole)b),"security_hash":"%(text)b",'
    rb'"serial":"([0-9A-Z]{12})","sold_at":"(%(text)b)","terminal":"%(text)b"\}' % {b"text": _TEXT, b"whole": _WHOLE}
).match
_BITS: Final = {b"%d" % number: 1 << number for number in range(1, NUMBERS + 1)}


class Outcome(NamedTuple):
    """What a ticket has to know of a game."""

    drawn: int  # a bit a number
    since: int  # where in the log it was over
    closed: bool
    settled: bool
    put_right: bool  # invalidated, or settled again
    bonuses: frozenset[tuple[int, int]]  # spots and matches that are paid one
    limits: Limits | None  # to what it may be made to pay

    @classmethod
    def of(cls, money: GameMoney) -> Outcome:
        bonuses = frozenset((bonus.spots, bonus.matches) for _, bonus in money.bonuses)
        return cls(
            sum(1 << number for number in money.drawn), money.since[0], bool(money.closed_at), money.totals is not None,
            money.refunded is not None or money.again is not None, bonuses, money.limits,
        )  # fmt: skip


class Counted(NamedTuple):
    """Tickets that add the same to every game that they play in."""

    shape: Shape
    price_a_game: int
    games: int


class _Texts(NamedTuple):
    """What ``Alike`` says, before it was read."""

    sizes: tuple[int, ...]
    plays: bytes
    games: int
    schedule: bytes
    version: bytes
    jackpot: bytes


class Read(NamedTuple):
    """As much of a ticket as it takes while nothing special happens to it."""

    serial: bytes
    first: int
    bits: Sequence[int]
    price: bytes
    counted: Counted


@dataclass(slots=True)
class Batch:
    """Tickets from one first game on that follow each other."""

    game: int
    serials: list[bytes] = field(default_factory=list)
    leaves: list[bytes] = field(default_factory=list)
    sold: list[bytes] = field(default_factory=list)  # serial and price, packed
    special: dict[int, TicketOnRecord] = field(default_factory=dict)  # by place
    play_on: dict[int, int] = field(default_factory=dict)  # of the others, by place: their last game
    won: dict[int, tuple[Won, ...]] = field(default_factory=dict)  # of the others, by place: not paid, or not plainly
    paid: dict[int, int] = field(default_factory=dict)  # of the others, by place: the row by which all was paid
    sums: dict[int, Sums] = field(default_factory=dict)  # of the others, by game


class BatchReader:
    """Reads a line of tickets. *outcomes*: of every game that was opened; *marked*: serials that the log speaks of;
    *paid*: those on which something was paid plainly, of which the ones that won nothing are special."""

    def __init__(
        self, tickets: TicketReader, outcomes: Mapping[int, Outcome], *, marked: Marks, paid: Marks,
        payments: PaymentReader,
    ) -> None:  # fmt: skip
        self.tickets, self.outcomes, self.marked, self.paid = tickets, outcomes, marked, paid
        self.payments = payments
        self._shapes: dict[_Texts, Shape] = {}  # by the texts of what tickets alike have in common
        self._prices: dict[tuple[Shape, bytes], tuple[bytes, Counted]] = {}

    def __call__(self, line: bytes) -> list[Batch]:
        found: list[Batch] = []
        counted: Counter[Counted] = Counter()
        now, last = Batch(0), (0, b"")
        for entry, said in _entries(line):
            leaf = sha256(b"\x00" + entry).digest()
            read = self._quickly(said) if said is not None else None
            ticket = None
            if read is None:
                ticket = self.tickets.read(read_json(entry), leaf)
                read = self._of(ticket)
            if (read.first, read.serial) <= last:
                raise Doubt(f"ticket {read.serial.decode()} is out of order.")
            last = (read.first, read.serial)
            if now.game != read.first:
                self._add_up(now, counted)
                now = Batch(read.first)
                found.append(now)
            place = len(now.serials)
            now.serials.append(read.serial)
            now.leaves.append(leaf)
            now.sold.append(read.serial + read.price)
            won = None if read.serial in self.marked else self._won(read)
            if won is None or (not won and read.serial in self.paid):
                now.special[place] = ticket if ticket is not None else self.tickets.read(read_json(entry), leaf)
                continue
            counted[read.counted] += 1
            if read.counted.games > 1:
                now.play_on[place] = read.first + read.counted.games - 1
            if won:
                self._note(now, place, read.serial, won)
        self._add_up(now, counted)
        return found

    def _quickly(self, said: Sequence[bytes]) -> Read | None:
        """None: something about it is strange, or new: it is read slowly."""
        first, groups, jackpot, last, plays, price, schedule, version, serial, sold_at = said
        bits, many = [], []
        try:
            for group in groups.split(b"],["):
                numbers = group.split(b",")
                bits.append(sum(map(_BITS.__getitem__, numbers)))
                many.append(len(numbers))
        except KeyError:
            return None
        if sum(bits).bit_count() != sum(many) or [each.bit_count() for each in bits] != many:
            return None
        begins = int(first)
        texts = _Texts(tuple(many), plays, int(last) - begins + 1, schedule, version, jackpot)
        shape = self._shapes.get(texts) or self._shape(texts)
        if shape is None:
            return None
        known = self._prices.get((shape, price)) if not shape.terms.jackpot_ways else None
        if known is None:
            micros = Money.parse(price.decode()).micros
            a_game = self.tickets.price_a_game(serial.decode(), sold_at.decode(), shape.terms, micros)
            known = (micros.to_bytes(8, "big"), Counted(shape, a_game, texts.games))
            self._prices[shape, price] = known
        return Read(serial, begins, bits, *known)

    def _shape(self, texts: _Texts) -> Shape | None:
        """Others like it are found at once. None: it cannot have been sold."""
        sizes, plays, games, schedule, version, jackpot = texts
        played = tuple((play["spots"], Money.parse(play["stake"]).micros) for play in read_json(plays))
        alike = Alike(sizes, played, games, schedule.decode(), int(version), jackpot == b"true")
        try:
            shape = self.tickets.shape(alike)
        except Refusal:
            return None
        if len(self._shapes) >= _KEPT:
            self._shapes.clear()
            self._prices.clear()
        self._shapes[texts] = shape
        return shape

    def _of(self, ticket: TicketOnRecord) -> Read:
        counted = Counted(ticket.shape, ticket.price_a_game, ticket.last - ticket.first + 1)
        return Read(ticket.serial.encode(), ticket.first, ticket.bits, ticket.price.to_bytes(8, "big"), counted)

    def _won(self, read: Read) -> tuple[Won, ...] | None:
        """What it won in every game; None: something that depends on more than itself."""
        found: list[Won] = []
        for game in range(read.first, read.first + read.counted.games):
            outcome = self.outcomes.get(game)
            if outcome is None:
                break  # not opened yet
            if outcome.put_right:
                return None
            if not outcome.settled:
                continue
            paid = read.counted.shape.paid(read.bits, outcome.drawn)
            if paid.waits:
                return None
            if outcome.bonuses and any((each.spots, each.matches) in outcome.bonuses for each in paid.groups):
                return None
            if paid.micros:
                found.append(Won(game, paid.micros, paid.why))
        return tuple(found)

    def _note(self, batch: Batch, place: int, serial: bytes, won: tuple[Won, ...]) -> None:
        """Where it was paid all that it won, at once, plainly and by who may, nothing is left to be said."""
        for each in won:
            mine = batch.sums.setdefault(each.game, Sums())
            mine.fixed += each.micros
            mine.winners += 1
        payments = self.payments.of(serial) if serial in self.paid else []
        if len(payments) == 1 and payments[0].micros == sum(each.micros for each in won):
            [paid] = payments
            known = all(self.outcomes[each.game].since < paid.place for each in won)
            if known and paid.micros <= self.tickets.values.amount(SUPERVISED_ABOVE, before=paid.place).micros:
                batch.paid[place] = paid.row
                return
        batch.won[place] = won

    def _add_up(self, batch: Batch, counted: Counter[Counted]) -> None:
        """What so many tickets alike stake in each of their games, and what was won."""
        for alike, many in counted.items():
            terms = alike.shape.terms
            for game in range(batch.game, batch.game + alike.games):
                outcome = self.outcomes.get(game)
                if outcome is None:
                    break
                mine = batch.sums.setdefault(game, Sums())
                mine.tickets += many
                if outcome.limits is not None:
                    self._expose(mine, alike.shape, many, first=game == batch.game, limits=outcome.limits)
                if game >= batch.game + terms.charged_games:
                    continue
                mine.stakes += many * alike.price_a_game
                for spots, micros in terms.jackpot_stakes.items():
                    mine.staked[spots] = mine.staked.get(spots, 0) + many * micros
                    if outcome.closed:
                        mine.at_close[spots] = mine.at_close.get(spots, 0) + many * micros
        counted.clear()

    @staticmethod
    def _expose(mine: Sums, shape: Shape, many: int, *, first: bool, limits: Limits) -> None:
        one = shape.exposure
        mine.exposed += replace(one, most=one.most * many, minors=one.minors * many, held=one.held * many)
        if first:
            require_sold_within(shape, limits, f"a ticket at ${Money(shape.terms.price_a_game)} a game")
            mine.begin += many


_KEPT: Final = 65_536  # shapes
_BEGIN: Final = b'{"attached":"keno.tickets","tickets":['
_END: Final = b"]}\n"


def _entries(line: bytes) -> Iterator[tuple[bytes, Sequence[bytes] | None]]:
    """Each entry's bytes, and what they say where it can be taken apart at once."""
    if not line.isascii() or not line.startswith(_BEGIN):
        for fields in read_attached(line)["tickets"]:
            yield canonical(fields), None
        return
    text, at, end = line.decode("ascii"), len(_BEGIN), len(line) - len(_END)
    while True:
        said = _ENTRY(line, at)
        begin = at
        if said is not None:
            at = said.end()
            yield said[0], said.groups()
        else:
            fields, at = read_json_at(text, at)
            if canonical(fields) != line[begin:at]:
                raise Doubt(NOT_AN_EXPORTS)
            yield line[begin:at], None
        if at == end and line.endswith(_END):
            return
        if line[at : at + 1] != b",":
            raise Doubt(NOT_AN_EXPORTS)
        at += 1
