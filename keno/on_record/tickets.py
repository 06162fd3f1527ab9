"""A ticket as its entry in the ticket root says it: what it plays, what it costs, what it wins with how many matches.

Pure. Most tickets are one way of some numbers: of these all that a settlement needs is a set of bits and a row of
prizes, and tickets alike share that row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, NamedTuple

from keno.on_record.values import Values
from keno.rules.entry import TicketEntry
from keno.rules.price import quote
from keno.rules.selection import NUMBERS, Play, Selection
from keno.rules.settle import match
from kernel.canonical import canonical
from kernel.export_check import Doubt
from kernel.money import Money
from kernel.refusal import Refusal

_BITS: Final = {number: 1 << number for number in range(1, NUMBERS + 1)}


class Terms(NamedTuple):
    """What tickets alike have in common."""

    price_a_game: int  # micro-dollars, without a premium
    charged_games: int
    jackpot_ways: int
    jackpot_stakes: Mapping[int, int]  # by spots: what a charged game stakes in each jackpot
    prizes: tuple[int, ...]  # of one way, by matches; empty: several ways
    jackpot: bool  # of one way: whether a full match is a jackpot


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
    spots: int
    stake: int
    bits: int  # of one way: its numbers
    entry: TicketEntry | None  # of several ways
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
        self._plain = lru_cache(maxsize=65_536)(self._plain_terms)

    def read(self, said: Mapping[str, Any]) -> TicketOnRecord:
        """Raises Doubt where the rules do not allow to sell such a ticket, or not at that price."""
        text = canonical(said)
        serial, groups, plays = said["serial"], said["groups"], said["plays"]
        schedule, version, jackpot = said["schedule"], said["schedule_version"], said["jackpot"]
        games = said["last_game"] - said["first_game"] + 1
        bits, entry = 0, None
        try:
            if len(groups) == 1 and len(plays) == 1:
                stake = Money.parse(plays[0]["stake"]).micros
                spots = plays[0]["spots"]
                for number in groups[0]:
                    bits |= _BITS[number]
                if bits.bit_count() != spots or len(groups[0]) != spots:
                    raise Doubt(f"ticket {serial} does not play all of its numbers, or one of them twice.")
                terms = self._plain((spots, stake, games, schedule, version, jackpot))
            else:
                spots = stake = 0
                entry, terms = self._ways(said, games)
        except Refusal as refused:
            raise Doubt(f"ticket {serial} cannot have been sold: {refused.detail}") from refused
        except KeyError as missing:
            raise Doubt(f"ticket {serial} cannot be read: {missing}.") from missing
        price = Money.parse(said["price"]).micros
        return TicketOnRecord(
            serial=serial,
            leaf=sha256(b"\x00" + text).digest(),
            first=said["first_game"],
            last=said["last_game"],
            charged_to=said["first_game"] + terms.charged_games - 1,
            price=price,
            price_a_game=self._price_a_game(said, terms, price),
            day=said["gaming_day"],
            terms=terms,
            spots=spots,
            stake=stake,
            bits=bits,
            entry=entry,
            plays_to=said["last_game"],
        )

    def _price_a_game(self, said: Mapping[str, Any], terms: Terms, price: int) -> int:
        """By 3.1 and 4.7a: stakes and, of jackpot ways, the premium then in force, for every charged game."""
        if price == terms.price_a_game * terms.charged_games and not terms.jackpot_ways:
            return terms.price_a_game
        premiums = self.values.premiums(said["sold_at"]) if terms.jackpot_ways else {0}
        for premium in premiums:
            a_game = terms.price_a_game + premium * terms.jackpot_ways
            if a_game * terms.charged_games == price:
                return a_game
        owed = Money(terms.price_a_game * terms.charged_games + max(premiums) * terms.jackpot_ways)
        raise Doubt(f"ticket {said['serial']} was sold for ${Money(price)}; by the rules it costs ${owed}.")

    def _plain_terms(self, alike: tuple[int, int, int, str, int, bool]) -> Terms:
        """By the rules, for a way of any such numbers: what they pay depends on how many match only."""
        spots, stake, games, schedule, version, jackpot = alike
        numbers = tuple(range(1, spots + 1))
        selection = Selection(groups=(numbers,), plays=(Play(spots, Money(stake)),))
        entry = TicketEntry(selection, self.values.schedule(schedule, version), jackpot)
        prizes = [match(entry, frozenset(numbers[:matches]))[0] for matches in range(spots + 1)]
        return _terms(entry, games, tuple(each.prize.micros for each in prizes), jackpot=prizes[-1].jackpot)

    def _ways(self, said: Mapping[str, Any], games: int) -> tuple[TicketEntry, Terms]:
        plays = tuple(Play(play["spots"], Money.parse(play["stake"])) for play in said["plays"])
        selection = Selection(groups=tuple(map(tuple, said["groups"])), plays=plays)
        schedule = self.values.schedule(said["schedule"], said["schedule_version"])
        entry = TicketEntry(selection, schedule, said["jackpot"])
        return entry, _terms(entry, games, ())


def _terms(entry: TicketEntry, games: int, prizes: tuple[int, ...], *, jackpot: bool = False) -> Terms:
    price = quote(entry, games=games).price
    selection = entry.selection
    staked = {
        play.spots: play.stake.micros * ways
        for play, ways in zip(selection.plays, selection.ways, strict=True)
        if entry.in_jackpot(play)
    }
    return Terms(price.price_a_game.micros, price.charged_games, entry.jackpot_ways, staked, prizes, jackpot)
