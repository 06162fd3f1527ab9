"""Tickets read many at a time, in another process where there are many: of those that nothing special happens to, what
they stake, win and add up to in every game that they play in. Pure.

Special are tickets of which the log says something (paper they were paid with, a cancellation), and those whose prize
depends on others: majors, jackpots, bonuses, games that were invalidated. They are walked one by one (``walk.py``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import groupby, pairwise
from operator import itemgetter, lt
from typing import Final, NamedTuple, TypeAlias
from zlib import crc32

from keno.on_record.game import GameMoney, require_sold_within
from keno.on_record.marks import MARKS_BYTES, Marks
from keno.on_record.paid_plainly import PaidPlainly, PaymentReader
from keno.on_record.sales import RECORD_BYTES, SERIAL_BYTES
from keno.on_record.sums import Sums, Won
from keno.on_record.tickets import Alike, Paid, Shape, TicketOnRecord, TicketReader
from keno.on_record.values import SUPERVISED_ABOVE
from keno.rules.exposure import Limits
from keno.rules.selection import NUMBERS
from kernel.canonical import canonical
from kernel.export_check import NOT_AN_EXPORTS, Doubt, read_attached
from kernel.merkle import HASH_SIZE
from kernel.money import Money
from kernel.refusal import Refusal
from kernel.row_text import read_json

# An entry as it stands in the ticket root: canonical text has one order of keys and no spaces. What stands between its
# numbers and its serial is the same of many tickets of a game, and is taken apart once.
_TEXTS: Final = {b"text": rb'[^"\\\x00-\x1f]*', b"whole": rb"(?:0|[1-9]\d{0,17})"}
_TERMS: Final = (
    rb'"jackpot":(true|false),"kind":"%(text)b","last_game":(%(whole)b),'
    rb'"plays":(\[(?:\{"spots":%(whole)b,"stake":"%(text)b"\},?)+\]),"price":"(%(text)b)","schedule":"(%(text)b)",'
    rb'"schedule_version":(%(whole)b)' % _TEXTS
)
_taken_apart = re.compile(_TERMS).fullmatch
_entries_of = re.compile(
    rb'(\{"first_game":(%(whole)b),"gaming_day":"%(text)b","groups":\[\[([\d,\[\]]+)\]\],(%(terms)b),'
    rb'"security_hash":"%(text)b","serial":"([0-9A-Z]{12})","sold_at":"(%(text)b)","terminal":"%(text)b"\})'
    % {**_TEXTS, b"terms": re.sub(rb"\((?!\?)", b"(?:", _TERMS.replace(rb"\(", b""))}
).findall
_bit_of: Final = {b"%d" % number: 1 << number for number in range(1, NUMBERS + 1)}.__getitem__


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


class _Texts(NamedTuple):
    """What tickets alike have in common, before it was read."""

    sizes: tuple[int, ...]
    plays: bytes
    games: int
    schedule: bytes
    version: bytes
    jackpot: bytes
    price: bytes
    moment: bytes


class Alikes:
    """Tickets from one first game on that were sold alike, and so add the same to every game that they play in: all is
    known of them but their numbers."""

    __slots__ = ("games", "moment", "paid", "price", "price_a_game", "shape")

    def __init__(self, shape: Shape, *, games: int, price: int, price_a_game: int, moment: bytes = b"") -> None:
        self.shape, self.games, self.price_a_game = shape, games, price_a_game
        self.moment = moment  # when they were sold, where the price depends on it
        self.price = price.to_bytes(8, "big")
        self.paid: dict[int, Paid] = {}  # of one group: by how many of its numbers were drawn

    @classmethod
    def of(cls, ticket: TicketOnRecord) -> Alikes:
        games = ticket.last - ticket.first + 1
        return cls(ticket.shape, games=games, price=ticket.price, price_a_game=ticket.price_a_game)

    def pays(self, hits: int, bits: int, drawn: int) -> Paid:
        paid = self.paid[hits] = self.shape.paid((bits,), drawn)
        return paid


@dataclass(slots=True)
class Batch:
    """Tickets from one first game on that follow each other."""

    game: int
    sold: bytes = b""  # of each: serial and price, packed
    leaves: bytes = b""
    special: dict[int, TicketOnRecord] = field(default_factory=dict)  # by place
    play_on: dict[int, int] = field(default_factory=dict)  # of the others, by place: their last game
    won: dict[int, tuple[Won, ...]] = field(default_factory=dict)  # of the others, by place: not paid, or not plainly
    paid: dict[int, int] = field(default_factory=dict)  # of the others, by place: the row by which all was paid
    sums: dict[int, Sums] = field(default_factory=dict)  # of the others, by game

    def serial(self, place: int) -> bytes:
        return self.sold[RECORD_BYTES * place : RECORD_BYTES * place + SERIAL_BYTES]

    @property
    def count(self) -> int:
        return len(self.sold) // RECORD_BYTES

    def leaf(self, place: int) -> bytes:
        return self.leaves[HASH_SIZE * place : HASH_SIZE * (place + 1)]


class _Current:
    """The batch that is being read."""

    def __init__(self, game: int) -> None:
        self.batch = Batch(game)
        self.alike: dict[tuple[bytes, tuple[int, ...]], Alikes] = {}  # by their terms, and the sizes of their groups
        self.counted: dict[Alikes, int] = {}
        self.winners: list[tuple[int, bytes, tuple[Won, ...]]] = []  # place, serial, what it won
        self.sold: list[bytes] = []
        self.leaves: list[bytes] = []


# What an entry says, each a text: all of it, its first game, its groups, its terms, its serial, when it was sold.
Said: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, bytes]


class BatchReader:
    """Reads a line of tickets. *outcomes*: of every game that was opened; *marked*: serials that the log speaks of;
    *paid*: those on which something was paid plainly, of which the ones that won nothing are special."""

    def __init__(
        self, tickets: TicketReader, outcomes: Mapping[int, Outcome], *, marked: Marks, paid: Marks,
        payments: PaymentReader,
    ) -> None:  # fmt: skip
        self.tickets, self.outcomes, self.marked, self.paid = tickets, outcomes, marked, paid
        self.payments = payments
        self._sold: dict[_Texts, Alikes] = {}  # of other games, too

    def __call__(self, line: bytes) -> list[Batch]:
        said: list[Said] = _entries_of(line) if line.isascii() else []
        if not said or _BEGIN + b",".join([each[0] for each in said]) + _END != line:
            return self._one_by_one(line)
        order = [(int(each[1]), each[4]) for each in said]
        if not all(map(lt, order, order[1:])):
            wrong = next(later for earlier, later in pairwise(order) if earlier >= later)
            raise Doubt(f"ticket {wrong[1].decode()} is out of order.")
        return [self._of_game(int(first), list(tickets)) for first, tickets in groupby(said, key=itemgetter(1))]

    def _of_game(self, game: int, said: Sequence[Said]) -> Batch:
        """Tickets of one first game, in the order of their serials: the loop that all of them go through."""
        now = _Current(game)
        outcome = self.outcomes.get(game)
        plain = outcome is not None and outcome.settled and not outcome.put_right and not outcome.bonuses
        drawn = outcome.drawn if outcome is not None else 0
        known, counted, marked, paid_on = now.alike, now.counted, self.marked.bits, self.paid.bits
        now.leaves = [sha256(b"\x00" + each[0]).digest() for each in said]
        for place, (_, _, groups, terms, serial, sold_at) in enumerate(said):
            numbers = groups.split(b",")
            alike = known.get((terms, (len(numbers),)))
            bits = _bits(numbers)
            if alike is None or bits is None or (alike.moment and alike.moment != sold_at):
                self._read(now, place, said[place])
                continue
            now.sold.append(serial + alike.price)
            mark = crc32(serial)
            if alike.games > 1 or not plain or marked[mark % MARKS_BYTES] >> (mark >> 29) & 1:
                self._take(now, place, said[place], alike, (bits,))
                continue
            hits = (bits & drawn).bit_count()
            paid = alike.paid.get(hits) or alike.pays(hits, bits, drawn)
            if paid.waits or (not paid.micros and paid_on[mark % MARKS_BYTES] >> (mark >> 29) & 1):
                self._take(now, place, said[place], alike, (bits,))
                continue
            counted[alike] = counted.get(alike, 0) + 1
            if paid.micros:
                now.winners.append((place, serial, (Won(game, paid.micros, paid.why),)))
        return self._closed(now)

    def _read(self, now: _Current, place: int, said: Said) -> None:
        """One with several groups, or the first of those like it; slowly, if something about it is strange."""
        entry, _, groups, terms, serial, sold_at = said
        texts = [group.split(b",") for group in groups.split(b"],[")]
        bits = list(map(_bits, texts))
        alike = None
        if None not in bits:
            sizes = tuple(map(len, texts))
            several: list[int] = bits  # type: ignore[assignment]
            if len(bits) == 1 or sum(several).bit_count() == sum(sizes):  # no number in two groups
                alike = now.alike.get((terms, sizes))
                if alike is None or (alike.moment and alike.moment != sold_at):
                    alike = self._alike(now, terms, sizes, sold_at)
        if alike is None:
            ticket = self.tickets.read(read_json(entry), now.leaves[place])
            alike, several = Alikes.of(ticket), list(ticket.bits)
        now.sold.append(serial + alike.price)
        self._take(now, place, said, alike, several)

    def _alike(self, now: _Current, terms: bytes, sizes: tuple[int, ...], sold_at: bytes) -> Alikes | None:
        """Others like it are found at once; of jackpot tickets, those sold in the same second. None: it cannot have
        been sold."""
        said = _taken_apart(terms)
        if said is None:
            return None
        jackpot, last, plays, price, schedule, version = said.groups()
        moment = sold_at if jackpot == b"true" else b""  # the premium is the one that was in force then
        texts = _Texts(sizes, plays, int(last) - now.batch.game + 1, schedule, version, jackpot, price, moment)
        found = self._sold.get(texts) or self._priced(texts)
        if found is not None:
            if len(self._sold) >= _KEPT:
                self._sold.clear()
            self._sold[texts] = found
            now.alike[terms, sizes] = found
        return found

    def _priced(self, texts: _Texts) -> Alikes | None:
        sizes, plays, games, schedule, version, jackpot, price, moment = texts
        played = tuple((play["spots"], Money.parse(play["stake"]).micros) for play in read_json(plays))
        try:
            shape = self.tickets.shape(Alike(sizes, played, games, schedule.decode(), int(version), jackpot == b"true"))
            micros = Money.parse(price.decode()).micros
            a_game = self.tickets.price_a_game("", moment.decode(), shape.terms, micros)
        except (Doubt, Refusal):
            return None
        return Alikes(shape, games=games, price=micros, price_a_game=a_game, moment=moment)

    def _take(self, now: _Current, place: int, said: Said, alike: Alikes, bits: Sequence[int]) -> None:
        """Counted, if nothing special happened to it."""
        serial = said[4]
        won = None if serial in self.marked else self._won(now.batch.game, alike, bits)
        if won is None or (not won and serial in self.paid):
            now.batch.special[place] = self.tickets.read(read_json(said[0]), now.leaves[place])
            return
        now.counted[alike] = now.counted.get(alike, 0) + 1
        if alike.games > 1:
            now.batch.play_on[place] = now.batch.game + alike.games - 1
        if won:
            now.winners.append((place, serial, won))

    def _one_by_one(self, line: bytes) -> list[Batch]:
        """A line with something on it that is seldom there: an escaped letter, or what an export does not write."""
        found: list[_Current] = []
        now, last = _Current(0), (0, b"")
        value = read_attached(line)
        if value.keys() != {"attached", "tickets"}:
            raise Doubt(NOT_AN_EXPORTS)
        for fields in value["tickets"]:
            entry = canonical(fields)
            ticket = self.tickets.read(fields, sha256(b"\x00" + entry).digest())
            serial = ticket.serial.encode()
            if (ticket.first, serial) <= last:
                raise Doubt(f"ticket {ticket.serial} is out of order.")
            if ticket.first != last[0]:
                now = _Current(ticket.first)
                found.append(now)
            last = (ticket.first, serial)
            alike = Alikes.of(ticket)
            now.leaves.append(ticket.leaf)
            now.sold.append(serial + alike.price)
            self._take(now, len(now.sold) - 1, (entry, b"", b"", b"", serial, b""), alike, ticket.bits)
        return [self._closed(each) for each in found]

    def _won(self, first: int, alike: Alikes, bits: Sequence[int]) -> tuple[Won, ...] | None:
        """What it won in every game; None: something that depends on more than itself."""
        found: tuple[Won, ...] = ()
        for game in range(first, first + alike.games):
            outcome = self.outcomes.get(game)
            if outcome is None:
                break  # not opened yet
            drawn, _, _, settled, put_right, bonuses, _ = outcome
            if put_right:
                return None
            if not settled:
                continue
            paid = alike.shape.paid(bits, drawn)
            if paid.waits or (bonuses and any((each.spots, each.matches) in bonuses for each in paid.groups)):
                return None
            if paid.micros:
                found += (Won(game, paid.micros, paid.why),)
        return found

    def _closed(self, now: _Current) -> Batch:
        """All of its tickets on the line were read."""
        batch = now.batch
        batch.sold, batch.leaves = b"".join(now.sold), b"".join(now.leaves)
        payments = self.payments.of_all([serial for _, serial, _ in now.winners if serial in self.paid])
        for place, serial, won in now.winners:
            for each in won:
                mine = batch.sums.setdefault(each.game, Sums())
                mine.fixed += each.micros
                mine.winners += 1
            row = self._paid_by(won, payments.get(serial, ()))
            if row is None:
                batch.won[place] = won
            else:
                batch.paid[place] = row
        for alike, many in now.counted.items():
            self._add_up(batch, alike, many)
        return batch

    def _paid_by(self, won: tuple[Won, ...], payments: Sequence[PaidPlainly]) -> int | None:
        """The row by which it was paid all that it won, at once, plainly and by who may: then nothing is left to be
        said."""
        if len(payments) != 1 or payments[0].micros != sum(each.micros for each in won):
            return None
        [paid] = payments
        if not all(self.outcomes[each.game].since < paid.place for each in won):
            return None
        return paid.row if paid.micros <= self._supervised_above(paid.place) else None

    def _supervised_above(self, place: int) -> int:
        return self.tickets.values.amount(SUPERVISED_ABOVE, before=place).micros

    def _add_up(self, batch: Batch, alike: Alikes, many: int) -> None:
        """What so many tickets alike stake in each of their games."""
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

    @staticmethod
    def _expose(mine: Sums, shape: Shape, many: int, *, first: bool, limits: Limits) -> None:
        one = shape.exposure
        mine.exposed += replace(one, most=one.most * many, minors=one.minors * many, held=one.held * many)
        if first:
            require_sold_within(shape, limits, f"a ticket at ${Money(shape.terms.price_a_game)} a game")
            mine.begin += many


_KEPT: Final = 65_536
_BEGIN: Final = b'{"attached":"keno.tickets","tickets":['
_END: Final = b"]}\n"


def _bits(numbers: Sequence[bytes]) -> int | None:
    """A bit a number; None: one of them is none, or stands there twice."""
    try:
        found = sum(map(_bit_of, numbers))
    except KeyError:
        return None
    return found if found.bit_count() == len(numbers) else None
