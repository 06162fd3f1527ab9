"""What players ask for: tickets of every kind, in the mix of a busy counter. All from one source of chance."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from keno import approved
from keno.entries import TicketRequest
from keno.rules.selection import NUMBERS, Play
from kernel.money import Money

_STAKES: Final = (1, 1, 1, 2, 2, 5, 10)


def random_ticket(chance: Random) -> TicketRequest:
    make = chance.choices(tuple(_KINDS), tuple(_KINDS.values()))[0]
    return make(chance, stake=Money.dollars(chance.choice(_STAKES)), games=_games(chance))


def _quick(chance: Random, *, stake: Money, games: int) -> TicketRequest:
    return TicketRequest(quick_pick=True, spots=chance.randint(1, 15), stake=stake, games=games)


def _mystery(chance: Random, *, stake: Money, games: int) -> TicketRequest:
    return TicketRequest(quick_pick=True, stake=stake, games=games)


def _set_bet(chance: Random, *, stake: Money, games: int) -> TicketRequest:
    codes = [version.code for version in approved.all_in_force(approved.SET_BET)]
    return (
        TicketRequest(set_bet=chance.choice(codes), stake=stake) if codes else _plain(chance, stake=stake, games=games)
    )


def _pairs(chance: Random, *, stake: Money, games: int) -> TicketRequest:
    """Three to five pairs, by two, by four, and all of them."""
    count = chance.randint(3, 5)
    marked = some_numbers(chance, 2 * count)
    groups = [marked[2 * n : 2 * n + 2] for n in range(count)]
    plays = [Play(spots, Money.dollars(1)) for spots in (2, 4, 2 * count)]
    return TicketRequest(groups=groups, plays=plays, games=games)


def _kings(chance: Random, *, stake: Money, games: int) -> TicketRequest:
    kings = [[number] for number in some_numbers(chance, 8)]
    return TicketRequest(groups=kings, plays=[Play(5, Money.cents(50))], games=games)


def _jackpot(chance: Random, *, stake: Money, games: int) -> TicketRequest:
    numbers = some_numbers(chance, chance.choice((6, 8)))
    return TicketRequest(numbers=numbers, stake=stake, games=games, jackpot=True)


def _special(chance: Random, *, stake: Money, games: int) -> TicketRequest:
    if chance.random() < 0.5:
        spots = chance.choice((3, 4, 5, 6))
        return TicketRequest(numbers=some_numbers(chance, spots), stake=stake, games=games, schedule="special-2")
    marked = some_numbers(chance, 9)  # special 1 is for way tickets: three threes, by six
    groups = [marked[:3], marked[3:6], marked[6:]]
    return TicketRequest(groups=groups, plays=[Play(6, stake)], games=games, schedule="special-1")


def _plain(chance: Random, *, stake: Money, games: int) -> TicketRequest:
    return TicketRequest(numbers=some_numbers(chance, chance.randint(1, 15)), stake=stake, games=games)


def some_numbers(chance: Random, count: int) -> list[int]:
    return chance.sample(range(1, NUMBERS + 1), count)


def _games(chance: Random) -> int:
    return chance.choices((1, chance.randint(2, 10), chance.randint(11, 40), 50), (75, 20, 4, 1))[0]


# In a hundred.
_KINDS: Final[dict[Callable[..., TicketRequest], int]] = {
    _plain: 35, _quick: 18, _mystery: 8, _set_bet: 8, _pairs: 10, _kings: 4, _special: 7, _jackpot: 10,
}  # fmt: skip
