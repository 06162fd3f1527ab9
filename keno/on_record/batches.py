"""Tickets read many at a time, in another process where there are many: of those that nothing special happens to, what
they stake, win and add up to in every game that they play in. Pure.

Special are tickets of which the log says something (paper they were paid with, a cancellation), and those whose prize
depends on others: majors, jackpots, bonuses, games that were invalidated. They are walked one by one (``walk.py``).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import compress
from operator import add, ge, itemgetter
from typing import Any, Final, NamedTuple

from keno.on_record.game import GameMoney, require_sold_within
from keno.on_record.marks import Marks
from keno.on_record.paid_plainly import PaidOnce, PaymentReader
from keno.on_record.sales import RECORD_BYTES, SERIAL_BYTES
from keno.on_record.sums import Sums, Won
from keno.on_record.tickets import Alike, Paid, Shape, TicketOnRecord, TicketReader
from keno.on_record.values import SUPERVISED_ABOVE
from keno.rules.exposure import Limits
from keno.rules.selection import NUMBERS
from keno.ticket_lines import TicketLine
from kernel.export_check import Doubt
from kernel.merkle import HASH_SIZE
from kernel.money import Money
from kernel.refusal import Refusal

_bit_of: Final = {str(number): 1 << number for number in range(1, NUMBERS + 1)}.__getitem__
_KEPT: Final = 65_536


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


class Alikes:
    """Tickets from one first game on that were sold alike, and so add the same to every game that they play in: all is
    known of them but their numbers."""

    __slots__ = ("games", "price_a_game", "shape")

    def __init__(self, shape: Shape, *, games: int, price_a_game: int) -> None:
        self.shape, self.games, self.price_a_game = shape, games, price_a_game

    @classmethod
    def of(cls, ticket: TicketOnRecord) -> Alikes:
        return cls(ticket.shape, games=ticket.last - ticket.first + 1, price_a_game=ticket.price_a_game)


@dataclass(slots=True)
class Batch:
    """Tickets from one first game on that follow each other."""

    game: int
    sold: bytes = b""  # of each: serial and price, packed
    leaves: bytes = b""
    special: dict[int, TicketOnRecord] = field(default_factory=dict)  # by place
    play_on: dict[int, int] = field(default_factory=dict)  # of the others, by place: their last game
    won: dict[int, tuple[Won, ...]] = field(default_factory=dict)  # of the others, by place: not paid, or not plainly
    paid: dict[int, int] = field(default_factory=dict)  # of the others, by place: the plain payment of all of it
    sums: dict[int, Sums] = field(default_factory=dict)  # of the others, by game

    def serial(self, at: int) -> bytes:
        return self.sold[RECORD_BYTES * at : RECORD_BYTES * at + SERIAL_BYTES]

    @property
    def count(self) -> int:
        return len(self.sold) // RECORD_BYTES

    def leaf(self, at: int) -> bytes:
        return self.leaves[HASH_SIZE * at : HASH_SIZE * (at + 1)]

    def records(self) -> list[bytes]:
        """Serial and leaf of each."""
        sold, leaves = self.sold, self.leaves
        serials = [sold[at : at + SERIAL_BYTES] for at in range(0, len(sold), RECORD_BYTES)]
        return list(map(add, serials, [leaves[at : at + HASH_SIZE] for at in range(0, len(leaves), HASH_SIZE)]))


class _Terms(NamedTuple):
    """What tickets alike have in common, before it was read."""

    sizes: tuple[int, ...]
    plays: tuple[tuple[int, str], ...]
    games: int
    schedule: str
    version: int
    jackpot: bool
    price: int
    moment: str  # when they were sold, where the price depends on it


class _Form:
    """A form of the line, and what its tickets have to know."""

    __slots__ = ("alikes", "games", "paid", "plays", "price", "said", "spots")

    def __init__(self, said: Mapping[str, Any], price: int, games: Sequence[tuple[int, int]] | None) -> None:
        self.said, self.price = said, price
        self.plays = tuple([(play["spots"], play["stake"]) for play in said["plays"]])
        self.games = games  # that they play in and that are settled: number, drawn; None: one of them is special
        self.alikes: dict[tuple[int, ...], Alikes] = {}  # by the sizes of their groups, where nothing else counts
        self.spots = -1  # of the one way that they have, if it is known what that pays
        self.paid: Sequence[Paid | None] = ()  # for it, by how many of its numbers were drawn; None: nothing


class _Line:
    """The line that is being read."""

    def __init__(self, said: TicketLine) -> None:
        self.said = said
        self.serials = list(map(str.encode, said.serial))
        self.leaves = said.leaves()
        self.batch = Batch(said.first_game, leaves=b"".join(self.leaves))
        self.counted: dict[Alikes, int] = {}
        self.winners: list[tuple[int, Sequence[tuple[int, Paid]]]] = []  # place; in which games what

    def count(self, alike: Alikes, many: int = 1) -> None:
        self.counted[alike] = self.counted.get(alike, 0) + many


class BatchReader:
    """Reads a line of tickets. *outcomes*: of every game that was opened; *marked*: serials that the log speaks of;
    *paid*: those on which something was paid plainly, of which the ones that won nothing are special."""

    def __init__(
        self, tickets: TicketReader, outcomes: Mapping[int, Outcome], *, marked: Marks, paid: Marks,
        payments: PaymentReader,
    ) -> None:  # fmt: skip
        self.tickets, self.outcomes, self.marked, self.paid = tickets, outcomes, marked, paid
        self.either = marked.joined(paid)
        self.payments = payments
        self.never_supervised = tickets.values.lowest(SUPERVISED_ABOVE).micros
        self._sold: dict[_Terms, Alikes | None] = {}  # of other games, too

    def __call__(self, line: bytes) -> Batch:
        said = TicketLine.read(line)
        for wrong in compress(said.serial[1:], map(ge, said.serial, said.serial[1:])):
            raise Doubt(f"ticket {wrong} is out of order.")
        now = _Line(said)
        forms = [self._form(said.first_game, form) for form in said.forms]
        prices = [form.price.to_bytes(8, "big") for form in forms]
        now.batch.sold = b"".join([serial + prices[form] for serial, form in zip(now.serials, said.form, strict=True)])
        self._read(now, forms)
        return self._closed(now)

    def _form(self, game: int, said: Mapping[str, Any]) -> _Form:
        try:
            form = _Form(said, Money.parse(said["price"]).micros, self._games(game, said["last_game"]))
        except Refusal as refused:
            raise Doubt(f"a ticket from game {game} on costs {said['price']}, which is no price.") from refused
        if len(form.plays) == 1 and form.games is not None:
            spots = form.plays[0][0]
            alike = self._alike(form, game, (spots,), "")
            if alike is not None and alike.shape.spots == spots:
                form.spots = spots
                form.paid = [each if each.micros or each.waits else None for each in alike.shape.by_hits]
        return form

    def _games(self, first: int, last: int) -> list[tuple[int, int]] | None:
        found = []
        for game in range(first, last + 1):
            outcome = self.outcomes.get(game)
            if outcome is None:
                break  # not opened yet
            if outcome.put_right or outcome.bonuses:
                return None
            if outcome.settled:
                found.append((game, outcome.drawn))
        return found

    def _alike(self, form: _Form, game: int, sizes: tuple[int, ...], sold_at: str) -> Alikes | None:
        """None: it cannot have been sold so, or what it costs depends on when it was sold."""
        if sizes in form.alikes:
            return form.alikes[sizes]
        said = form.said
        moment = sold_at if said["jackpot"] and self.tickets.values.premium_changes else ""
        terms = _Terms(
            sizes, form.plays, said["last_game"] - game + 1, said["schedule"], said["schedule_version"],
            said["jackpot"], form.price, moment,
        )  # fmt: skip
        if terms not in self._sold:
            if len(self._sold) >= _KEPT:
                self._sold.clear()
            self._sold[terms] = self._priced(terms)
        found = self._sold[terms]
        if found is not None and not moment:
            form.alikes[sizes] = found
        return found

    def _priced(self, terms: _Terms) -> Alikes | None:
        sizes, plays, games, schedule, version, jackpot, price, moment = terms
        if jackpot and self.tickets.values.premium_changes and not moment:
            return None
        try:
            played = tuple((spots, Money.parse(stake).micros) for spots, stake in plays)
            shape = self.tickets.shape(Alike(sizes, played, games, schedule, version, jackpot))
            price_a_game = self.tickets.price_a_game("", moment, shape.terms, price)
        except (Doubt, Refusal):
            return None
        return Alikes(shape, games=games, price_a_game=price_a_game)

    def _read(self, now: _Line, forms: Sequence[_Form]) -> None:
        """The tickets of the line: those of one way form by form, what is left one by one."""
        said, serials = now.said, now.serials
        bits = [0 if "/" in group else _bits(group) for group in said.groups]
        spoken_of = set(self.either.among(serials))
        marked = {place for place in spoken_of if serials[place] in self.marked}
        of_form: list[list[int]] = [[] for _ in forms]
        others: list[int] = []
        spots = [form.spots for form in forms]
        for place, (at, each) in enumerate(zip(said.form, bits, strict=True)):
            if each.bit_count() == spots[at]:
                of_form[at].append(place)
            else:
                others.append(place)
        for form, of_one in zip(forms, of_form, strict=True):
            others += marked.intersection(of_one) if marked else ()
            places = [place for place in of_one if place not in marked] if marked else of_one
            if places:
                others += self._one_way(now, form, places, bits, spoken_of)
        for place in sorted(others):
            form = forms[said.form[place]]
            if form.games is None or place in marked or not self._ways(now, place, form, paid=place in spoken_of):
                self._one(now, place, form)

    @staticmethod
    def _one_way(now: _Line, form: _Form, places: list[int], bits: Sequence[int], spoken_of: Set[int]) -> list[int]:
        """Of one form: the loop that most tickets go through. Those that are special."""
        paid, games, special = form.paid, form.games or (), []
        for place in places:
            own = bits[place]
            won = [(game, each) for game, drawn in games if (each := paid[(own & drawn).bit_count()]) is not None]
            if not won:
                if place in spoken_of:
                    special.append(place)
            elif any(each.waits for _, each in won):
                special.append(place)
            else:
                now.winners.append((place, won))
        alike = form.alikes[(form.spots,)]
        now.count(alike, len(places) - len(special))
        if alike.games > 1:
            last = now.batch.game + alike.games - 1
            now.batch.play_on |= dict.fromkeys(set(places).difference(special), last)
        return special

    @staticmethod
    def _ways(now: _Line, place: int, form: _Form, *, paid: bool) -> bool:
        """One with several groups, if others like it were there. Whether that was all there is to it."""
        bits = [_bits(group) for group in now.said.groups[place].split("/")]
        sizes = [each.bit_count() for each in bits]
        alike = form.alikes.get(tuple(sizes))
        if alike is None or sum(bits).bit_count() != sum(sizes):
            return False
        paid_of, won = alike.shape.paid, []
        for game, drawn in form.games or ():
            each = paid_of(bits, drawn)
            if each.waits:
                return False
            if each.micros:
                won.append((game, each))
        if paid and not won:
            return False
        now.counted[alike] = now.counted.get(alike, 0) + 1
        if alike.games > 1:
            now.batch.play_on[place] = now.batch.game + alike.games - 1
        if won:
            now.winners.append((place, won))
        return True

    def _one(self, now: _Line, place: int, form: _Form) -> None:
        """One that is special, or the first of its kind; slowly, if something about it is strange."""
        said, game = now.said, now.batch.game
        bits = list(map(_bits, said.groups[place].split("/")))
        sizes = tuple([each.bit_count() for each in bits])
        alike = None
        if 0 not in sizes and (len(bits) == 1 or sum(bits).bit_count() == sum(sizes)):  # no number in two groups
            alike = form.alikes.get(sizes) or self._alike(form, game, sizes, said.sold_at[place])
        if alike is None:
            ticket = self.tickets.read(said.entry(place), now.leaves[place])
            alike, bits = Alikes.of(ticket), list(ticket.bits)
        serial = now.serials[place]
        won = None if serial in self.marked else self._won(game, alike, bits)
        if won is None or (not won and serial in self.paid):
            now.batch.special[place] = self.tickets.read(said.entry(place), now.leaves[place])
            return
        now.count(alike)
        if alike.games > 1:
            now.batch.play_on[place] = game + alike.games - 1
        if won:
            now.winners.append((place, won))

    def _won(self, first: int, alike: Alikes, bits: Sequence[int]) -> list[tuple[int, Paid]] | None:
        """What it won in every game; None: something that depends on more than itself."""
        found = []
        for game in range(first, first + alike.games):
            outcome = self.outcomes.get(game)
            if outcome is None:
                break  # not opened yet
            if outcome.put_right:
                return None
            if not outcome.settled:
                continue
            paid, bonuses = alike.shape.paid(bits, outcome.drawn), outcome.bonuses
            if paid.waits or (bonuses and any((each.spots, each.matches) in bonuses for each in paid.groups)):
                return None
            if paid.micros:
                found.append((game, paid))
        return found

    def _closed(self, now: _Line) -> Batch:
        """All of its tickets were read."""
        batch, serials = now.batch, now.serials
        now.winners.sort(key=itemgetter(0))
        paid_once = self.payments.paid_once([serials[place] for place, _ in now.winners])
        fixed: dict[int, int] = {}
        winners: dict[int, int] = {}
        biggest: dict[int, int] = {}
        for (place, won), payment in zip(now.winners, paid_once, strict=True):
            due, since = 0, self._over_at(batch.play_on.get(place, batch.game))
            for game, paid in won:
                due += paid.micros
                since = max(since, self.outcomes[game].since)
                fixed[game] = fixed.get(game, 0) + paid.micros
                winners[game] = winners.get(game, 0) + 1
                biggest[game] = max(biggest.get(game, 0), paid.micros)
            if payment is not None and payment.micros == due and since < payment.place and self._alone(payment):
                batch.paid[place] = payment.record
            else:
                batch.won[place] = tuple([Won(game, paid.micros, paid.why) for game, paid in won])
        for game, micros in fixed.items():
            batch.sums[game] = Sums(fixed=micros, winners=winners[game], biggest=biggest[game])
        for alike, many in now.counted.items():
            self._add_up(batch, alike, many)
        return batch

    def _over_at(self, game: int) -> int:
        """Where in the log it was; behind everything, if it was not: who is paid before goes on with another paper."""
        found = self.outcomes.get(game)
        return found.since if found is not None and (found.settled or found.put_right) else sys.maxsize

    def _alone(self, payment: PaidOnce) -> bool:
        """So little that one person may have paid it: then nothing is left to be said of it."""
        values, micros = self.tickets.values, payment.micros
        return micros <= self.never_supervised or micros <= values.amount(SUPERVISED_ABOVE, before=payment.place).micros

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
            require_sold_within(shape, limits, f"a ticket at {Money(shape.terms.price_a_game).said} a game")
            mine.begin += many


def _bits(numbers: str) -> int:
    """A bit a number; 0: one of them is none, or stands there twice."""
    each = numbers.split(",")
    try:
        found = sum(map(_bit_of, each))
    except KeyError:
        return 0
    return found if found.bit_count() == len(each) else 0
