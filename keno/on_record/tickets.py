"""A ticket as its entry in the ticket root says it: what it plays, what it costs, what it wins with how many matches.

Pure. Tickets that differ in their numbers only share what the rules say about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple

from keno.on_record.values import Values
from keno.rules.entry import TicketEntry
from keno.rules.exposure import Exposure, exposure
from keno.rules.price import quote
from keno.rules.prorate import MAJOR
from keno.rules.schedules import Schedule
from keno.rules.selection import NUMBERS, Play, Selection
from keno.rules.settle import WayGroup, match
from kernel.export_check import Doubt
from kernel.money import Money
from kernel.refusal import Refusal

_BITS: Final = {number: 1 << number for number in range(1, NUMBERS + 1)}
_KEPT: Final = 65_536  # shapes, and moments


class Alike(NamedTuple):
    """What tickets have in common that pay alike: all but the numbers themselves."""

    sizes: tuple[int, ...]  # of its groups
    plays: tuple[tuple[int, int], ...]  # numbers in a way, and stake
    games: int
    schedule: str
    version: int
    jackpot: bool


class Terms(NamedTuple):
    price_a_game: int  # micro-dollars, without a premium
    charged_games: int
    jackpot_ways: int
    jackpot_stakes: Mapping[int, int]  # by spots: what a charged game stakes in each jackpot


class Paid(NamedTuple):
    """What the ways of a ticket are paid with so many numbers drawn of each of its groups."""

    groups: tuple[WayGroup, ...]
    micros: int  # all of it, where nothing of it is a major or a jackpot
    waits: bool  # something is
    why: str


class Shape:
    """Of tickets alike: their price, and what they are paid for matches. By the rules, of any such numbers: what a way
    pays depends on how many of them match only, so each question is asked of the rules once."""

    def __init__(self, alike: Alike, schedule: Schedule) -> None:
        numbers = iter(range(1, NUMBERS + 1))
        self._groups = tuple(tuple(islice(numbers, size)) for size in alike.sizes)
        plays = tuple(Play(spots, Money(stake)) for spots, stake in alike.plays)
        self.entry = TicketEntry(Selection(groups=self._groups, plays=plays), schedule, alike.jackpot)
        self.spots = alike.plays[0][0] if len(alike.sizes) == len(alike.plays) == 1 else 0
        if self.spots and alike.sizes[0] != self.spots:
            raise Refusal("play-without-ways", "It does not play all of its numbers.", field="plays")
        self.terms = _terms(self.entry, alike.games)
        self._paid: dict[tuple[int, ...], Paid] = {}

    def paid(self, bits: Sequence[int], drawn: int) -> Paid:
        """*bits*: of each group; *drawn*: the numbers of the game."""
        return self._of(tuple([(each & drawn).bit_count() for each in bits]))

    @cached_property
    def by_hits(self) -> list[Paid]:
        """Of one group: by how many of its numbers were drawn."""
        return [self._of((hits,)) for hits in range(len(self._groups[0]) + 1)]

    def _of(self, hits: tuple[int, ...]) -> Paid:
        found = self._paid.get(hits)
        if found is None:
            drawn_alike = {number for group, many in zip(self._groups, hits, strict=True) for number in group[:many]}
            groups = match(self.entry, drawn_alike)
            waits = any(each.jackpot or each.prize >= MAJOR for each in groups)
            micros = sum(each.prize.micros * each.count for each in groups)
            found = self._paid[hits] = Paid(groups, micros, waits, self._why(groups))
        return found

    @cached_property
    def exposure(self) -> Exposure:
        """What one of them adds to what a game could pay."""
        return exposure(self.entry)

    def _why(self, groups: tuple[WayGroup, ...]) -> str:
        if self.spots:
            return f"{groups[0].matches} of {self.spots}"
        return ", ".join(f"{each.count} ways {each.matches} of {each.spots}" for each in groups if each.prize)


@dataclass(slots=True)
class TicketOnRecord:
    serial: str
    leaf: bytes
    first: int
    last: int
    charged_to: int
    price: int
    price_a_game: int
    day: str
    terms: Terms
    shape: Shape
    bits: tuple[int, ...]  # of each of its groups: its numbers
    plays_to: int = 0  # the last game that it plays in: the log says where it stops
    late: frozenset[int] = frozenset()  # games in whose sets it stays, though it cannot win in them
    owed: list[Owed] = field(default_factory=list)
    again: list[Owed] | None = None  # what games that were settled again give on the right numbers (12.1)

    def stands_in(self, game: int) -> bool:
        return game <= self.plays_to or game in self.late

    def paid_for(self, game: int) -> int:
        """What was paid for this game (14.5): nothing for the free ones (3.1a, 3.1b)."""
        return self.price_a_game if self.first <= game <= self.charged_to else 0

    def paid_from(self, game: int) -> int:
        """What was paid for this game and those after it (6.2)."""
        return self.price_a_game * max(0, self.charged_to - game + 1)


class Owed(NamedTuple):
    """Something that a ticket won or gets back."""

    game: int
    kind: str  # prize, bonus, refund
    micros: int
    why: str = ""
    jackpots: tuple[tuple[int, int], ...] = ()  # of it, by spots
    since: tuple[int, str] = (0, "")  # where in the log it became so, and when


PRIZE, BONUS, REFUND = "prize", "bonus", "refund"


class TicketReader:
    """Reads entries; keeps what tickets alike have in common."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self._shapes: dict[Alike, Shape] = {}
        self._premiums: dict[str, set[int]] = {}  # by the moment of the sale

    def read(self, said: Mapping[str, Any], leaf: bytes) -> TicketOnRecord:
        """Raises Doubt where the rules do not allow to sell such a ticket, or not at that price."""
        serial, groups, plays = said["serial"], said["groups"], said["plays"]
        try:
            bits = tuple(sum(_BITS[number] for number in group) for group in groups)
            sizes = tuple(map(len, groups))
            if any(each.bit_count() != size for each, size in zip(bits, sizes, strict=True)):
                raise Doubt(f"ticket {serial} plays one of its numbers twice.")
            if sum(bits).bit_count() != sum(sizes):
                raise Doubt(f"ticket {serial} plays one of its numbers in two groups.")
            played = tuple((play["spots"], Money.parse(play["stake"]).micros) for play in plays)
            games = said["last_game"] - said["first_game"] + 1
            shape = self.shape(Alike(sizes, played, games, said["schedule"], said["schedule_version"], said["jackpot"]))
        except Refusal as refused:
            raise Doubt(f"ticket {serial} cannot have been sold: {refused.detail}") from refused
        except KeyError as missing:
            raise Doubt(f"ticket {serial} cannot be read: {missing}.") from missing
        price, terms = Money.parse(said["price"]).micros, shape.terms
        return TicketOnRecord(
            serial=serial,
            leaf=leaf,
            first=said["first_game"],
            last=said["last_game"],
            charged_to=said["first_game"] + terms.charged_games - 1,
            price=price,
            price_a_game=self.price_a_game(serial, said["sold_at"], terms, price),
            day=said["gaming_day"],
            terms=terms,
            shape=shape,
            bits=bits,
            plays_to=said["last_game"],
        )

    def shape(self, alike: Alike) -> Shape:
        found = self._shapes.get(alike)
        if found is None:
            if len(self._shapes) >= _KEPT:
                self._shapes.clear()
            found = self._shapes[alike] = Shape(alike, self.values.schedule(alike.schedule, alike.version))
        return found

    def price_a_game(self, serial: str, sold_at: str, terms: Terms, price: int) -> int:
        """By 3.1 and 4.7a: stakes and, of jackpot ways, the premium then in force, for every charged game."""
        if price == terms.price_a_game * terms.charged_games and not terms.jackpot_ways:
            return terms.price_a_game
        premiums = self._premiums_at(sold_at) if terms.jackpot_ways else {0}
        for premium in premiums:
            price_a_game = terms.price_a_game + premium * terms.jackpot_ways
            if price_a_game * terms.charged_games == price:
                return price_a_game
        owed = Money(terms.price_a_game * terms.charged_games + max(premiums) * terms.jackpot_ways)
        raise Doubt(f"ticket {serial} was sold for {Money(price).said}; by the rules it costs {owed.said}.")

    def _premiums_at(self, sold_at: str) -> set[int]:
        found = self._premiums.get(sold_at)
        if found is None:
            if len(self._premiums) >= _KEPT:
                self._premiums.clear()
            found = self._premiums[sold_at] = self.values.premiums(sold_at)
        return found


def _terms(entry: TicketEntry, games: int) -> Terms:
    price = quote(entry, games=games).price
    selection = entry.selection
    staked = {
        play.spots: play.stake.micros * ways
        for play, ways in zip(selection.plays, selection.ways, strict=True)
        if entry.in_jackpot(play)
    }
    return Terms(price.price_a_game.micros, price.charged_games, entry.jackpot_ways, staked)
