"""Exact frequency and return of every bet whose outcome nobody's skill decides, as fractions.

The super wagers and instant payouts are counted twice: by dealing out all 2,598,960 hands (``chance.hands.patterns``)
and by combinatorics (``counted``). What depends on how the hand is played (ante and bet, the hand of Blackjack, the
setting of Pai Gow) has no one figure and is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final

from chance.hands import Category, frequencies, patterns
from tablegames.rules import baccarat, blackjack
from tablegames.rules.combinations import super_combination
from tablegames.rules.layout import LayoutGame
from tablegames.rules.odds import Cell, PayTable
from tablegames.rules.poker_games import PokerGame

HANDS: Final = comb(52, 5)


@dataclass(frozen=True, slots=True)
class Row:
    cell: Cell
    frequency: Fraction

    @property
    def returns(self) -> Fraction:
        """Of each dollar wagered, the stake that comes back with the win included."""
        return self.frequency * (self.cell.odds.exact + 1)


@dataclass(frozen=True, slots=True)
class Figures:
    """A bet by its pay table."""

    wager: str
    table: str
    rows: tuple[Row, ...]
    stands_off: Fraction = Fraction(0)

    @property
    def hit_rate(self) -> Fraction:
        return sum((row.frequency for row in self.rows), Fraction(0))

    @property
    def returned(self) -> Fraction:
        return sum((row.returns for row in self.rows), self.stands_off)

    @property
    def edge(self) -> Fraction:
        return 1 - self.returned


@cache
def enumerated(names: tuple[str, ...]) -> Mapping[str, int]:
    """How many of all hands are each of these super combinations, looked at in this order."""
    found: Counter[str] = Counter()
    for five, many in patterns().items():
        name = super_combination(five, names)
        if name is not None:
            found[name] += many
    return {name: found[name] for name in names}


def counted(names: tuple[str, ...]) -> Mapping[str, int]:
    """The same without dealing a hand. Each line takes away what a line above it has already been paid for."""
    pictures = "five-picture-cards" in names  # New South Wales; elsewhere same coloured straights in their place
    same_coloured_straights = 10 * 2 * 2**5
    straight_flushes = 10 * 4
    # An ace, a king and a queen: all hands without one of the ranks that are missing, in and out.
    holds_akq = _holding(52, 4)
    akq_straight, akq_flush = 4**5, 4 * (comb(10, 2) - 1)
    akq = holds_akq - akq_straight - akq_flush - 3 * 4 * 4 * 4
    akq_coloured = 2 * _holding(26, 2) - 2 * 2**5 - akq_flush
    coloured = 2 * comb(26, 5) - 4 * comb(13, 5) - (same_coloured_straights - straight_flushes) - akq_coloured
    found = {
        "four-of-a-kind": 13 * 48,
        "same-coloured-straight": same_coloured_straights,
        "five-picture-cards": comb(12, 5) - 3 * 8,
        "full-house": 13 * 4 * 12 * 6 - (3 * 4 * 2 * 6 if pictures else 0),
        "flush": 4 * comb(13, 5) - (0 if pictures else straight_flushes),
        "straight": 10 * 4**5 - (straight_flushes if pictures else same_coloured_straights),
        "three-of-a-kind": 13 * 4 * comb(12, 2) * 4 * 4 - (3 * 4 * 4 * 4 if pictures else 0),
        "ace-king-queen": akq,
        "five-same-coloured": coloured - (2 * comb(6, 5) if pictures else 0),
    }
    return {name: found[name] for name in names}


def _holding(cards: int, of_a_rank: int) -> int:
    """Hands of five with all of three given ranks, by inclusion and exclusion."""
    return sum((-1) ** n * comb(3, n) * comb(cards - n * of_a_rank, 5) for n in range(4))


def super_figures(table: PayTable) -> Figures:
    often = enumerated(table.names)
    return Figures("super", table.name, tuple(Row(cell, Fraction(often[cell.what], HANDS)) for cell in table.cells))


def instant_figures(table: PayTable) -> Figures:
    """What the instant payout alone is worth of an ante: the rest of the ante's value depends on the play."""
    often = frequencies()
    return Figures(
        "ante: instant payout", table.name, tuple(Row(cell, Fraction(often[cell.what,], HANDS)) for cell in table.cells)
    )


def dealer_qualifies() -> Fraction:
    """How often the dealer has ace-king or higher."""
    below = sum(
        many
        for (ranks, suits), many in patterns().items()
        if len(set(ranks)) == 5
        and len(suits) > 1
        and ranks[0] - ranks[4] != 4
        and ranks != (14, 5, 4, 3, 2)
        and ranks[:2] != (14, 13)
    )
    return 1 - Fraction(below, HANDS)


def hand_frequencies() -> Mapping[str, int]:
    """Of five cards, by category: what the bets of all five games are paid on."""
    often: Counter[str] = Counter()
    for names, many in frequencies().items():
        often[names[-1]] += many
    return {category.slug: often[category.slug] for category in reversed(Category)}


def poker_figures(game: PokerGame) -> list[Figures]:
    return [super_figures(table) for table in game.supers.values()] + [
        instant_figures(table) for table in game.instant.values()
    ]


def layout_figures(game: LayoutGame[object], *, wagers: Sequence[str] | None = None) -> list[Figures]:
    """Every wager, or one of each kind."""
    return [_layout(game, wager) for wager in (game.every_wager() if wagers is None else wagers)]


def _layout(game: LayoutGame[object], wager: str) -> Figures:
    pieces = game.read_wager(wager)
    whole, size = sum(piece.weight for piece in pieces), len(game.outcomes)
    often: Counter[Cell] = Counter()
    for outcome in game.outcomes:
        for piece in pieces:
            cell = piece.pays(outcome)
            if cell is not None:
                often[cell] += piece.weight
    rows = tuple(Row(cell, Fraction(many, whole * size)) for cell, many in often.items())
    return Figures(wager, "", rows)


def baccarat_figures(game: baccarat.BaccaratGame) -> list[Figures]:
    often = baccarat.results(game.decks)
    ties = often[baccarat.TIE]
    return [
        Figures(name, "", (Row(cell, often[name]),), Fraction(0) if name == baccarat.TIE else ties)
        for name, cell in game.cells.items()
    ]


def blackjack_figures(decks: int) -> list[Figures]:
    rows = tuple(Row(blackjack.CELLS[name], often) for name, often in blackjack.sevens_frequencies(decks).items())
    tens = Fraction(16 * decks, 52 * decks - 1)
    return [
        Figures(blackjack.SEVENS, f"{decks} decks", rows),
        Figures(blackjack.INSURANCE, f"{decks} decks", (Row(blackjack.CELLS["insurance"], tens),)),
    ]
