"""Five cards, ranked from the cards: nobody types "royal flush" (nsw-csp:13.1, act-cp:2.6).

Every card is one integer: a base-5 digit for its rank, so that the sum of five says how often each rank occurs, and a
bit for its suit, so that what five have in common says whether they are a flush. One addition and one lookup rank a
hand; all 2,598,960 are ranked in seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Final

from chance.cards import DECK, SUITS, Card

DEAD_MANS_HAND: Final = "dead-mans-hand"


class Category(IntEnum):
    """nsw-csp:13.1.1 to 13.1.10, lowest first so that a higher hand is a higher number."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIRS = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def slug(self) -> str:
        return self.name.lower().replace("_", "-")


NAMES: Final = frozenset(category.slug for category in Category) | {DEAD_MANS_HAND}
"""What a pay table may name."""

_SUIT_SHIFT: Final = 40  # above every sum of five rank digits: 5 × 5¹² < 2⁴⁰
_SUIT_MASK: Final = 0b1111 << _SUIT_SHIFT
_RANK_MASK: Final = (1 << _SUIT_SHIFT) - 1
_DIGIT: Final[Mapping[int, int]] = {rank: 5 ** (rank - 2) for rank in range(2, 15)}
_CATEGORY_SHIFT: Final = 20  # five ranks of four bits below it
_WHEEL: Final = (14, 5, 4, 3, 2)
_OF_A_KIND: Final = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIRS,
    (2, 1, 1, 1): Category.PAIR,
}


def code(card: Card) -> int:
    return _DIGIT[card.rank] | 1 << (_SUIT_SHIFT + SUITS.index(card.suit))


_CODES: Final = {card: code(card) for card in DECK}


def _pack(category: Category, ranks: Iterable[int]) -> int:
    strength = int(category)
    for rank in ranks:
        strength = strength << 4 | rank
    return strength


def _strength(ranks: tuple[int, ...], *, flush: bool) -> int:
    """The strength of five ranks, highest first; only five different ranks can be a flush."""
    counts = Counter(ranks)
    # A hand takes its rank from what it holds most of, then from the higher card (nsw-csp:13.2).
    by_weight = sorted(ranks, key=lambda rank: (-counts[rank], -rank))
    if len(counts) < len(ranks):
        return _pack(_OF_A_KIND[tuple(sorted(counts.values(), reverse=True))], by_weight)
    straight = ranks[0] - ranks[4] == 4 or ranks == _WHEEL
    if straight:
        by_weight = [5, 4, 3, 2, 1] if ranks == _WHEEL else by_weight  # the ace counted low (nsw-csp:13.1.6)
        if flush:
            return _pack(Category.ROYAL_FLUSH if by_weight[0] == 14 else Category.STRAIGHT_FLUSH, by_weight)
        return _pack(Category.STRAIGHT, by_weight)
    return _pack(Category.FLUSH if flush else Category.HIGH_CARD, by_weight)


def _sum(ranks: Iterable[int]) -> int:
    return sum(_DIGIT[rank] for rank in ranks)


_HIGH_TO_LOW: Final = range(14, 1, -1)
_FLUSHES: Final = {_sum(ranks): _strength(ranks, flush=True) for ranks in combinations(_HIGH_TO_LOW, 5)}
_OTHERS: Final = {
    _sum(ranks): _strength(ranks, flush=False)
    for ranks in combinations_with_replacement(_HIGH_TO_LOW, 5)
    if ranks[0] != ranks[4]  # a deck has four of a rank
}


def strength_of_codes(a: int, b: int, c: int, d: int, e: int) -> int:
    """The strength of five card codes: higher wins, equal is a stand-off. The fast path, for enumeration."""
    table = _FLUSHES if a & b & c & d & e & _SUIT_MASK else _OTHERS
    return table[(a + b + c + d + e) & _RANK_MASK]


def category_of(strength: int) -> Category:
    return Category(strength >> _CATEGORY_SHIFT)


@dataclass(frozen=True, slots=True, order=True)
class Hand:
    """A ranked hand. Hands compare as they do at showdown: equal means a stand-off (nsw-csp:9.5.1.3)."""

    strength: int

    @property
    def category(self) -> Category:
        return category_of(self.strength)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The five ranks in the order in which they decide; an ace counted low is 1."""
        return tuple(self.strength >> shift & 15 for shift in (16, 12, 8, 4, 0))

    @property
    def ace_king_or_higher(self) -> bool:
        """Whether a dealer plays with it (nsw-csp:9.1, act-cp:9.2)."""
        return self.category > Category.HIGH_CARD or self.ranks[:2] == (14, 13)

    @property
    def dead_mans(self) -> bool:
        """Two pairs, aces and eights, with another rank beside them: never a full house (act-cp:2.6h)."""
        return self.category is Category.TWO_PAIRS and self.ranks[:4] == (14, 14, 8, 8)

    @property
    def names(self) -> tuple[str, ...]:
        """What a pay table may call it, the most particular first."""
        return (DEAD_MANS_HAND, self.category.slug) if self.dead_mans else (self.category.slug,)


def rank(cards: Iterable[Card]) -> Hand:
    """Rank five different cards."""
    return Hand(strength_of_codes(*(_CODES[card] for card in cards)))


@cache
def frequencies() -> Mapping[tuple[str, ...], int]:
    """How many of the 2,598,960 hands carry each tuple of names. Counted by ranks, weighed by suits."""
    found: Counter[tuple[str, ...]] = Counter()
    for ranks in combinations_with_replacement(_HIGH_TO_LOW, 5):
        counts = Counter(ranks)
        if max(counts.values()) > len(SUITS):
            continue
        ways = prod(comb(len(SUITS), n) for n in counts.values())
        if len(counts) == len(ranks):
            found[Hand(_FLUSHES[_sum(ranks)]).names] += len(SUITS)
            ways -= len(SUITS)
        found[Hand(_OTHERS[_sum(ranks)]).names] += ways
    return dict(found)


@cache
def patterns() -> Mapping[tuple[tuple[int, ...], frozenset[str]], int]:
    """How many of the 2,598,960 hands have these ranks, highest first, and these suits among them: all are dealt out.

    Ranks and suits decide every side bet on five cards, so one enumeration serves them all. A card adds one to the
    digit of its rank and one to the digit of its suit: the sum of five says both.
    """
    cards = [_DIGIT[card.rank] + (1 << _SUIT_SHIFT + 3 * SUITS.index(card.suit)) for card in DECK]
    after = [cards[n + 1 :] for n in range(len(cards))]
    sums: Counter[int] = Counter()
    for a, b, c, d in combinations(range(len(cards)), 4):
        four = cards[a] + cards[b] + cards[c] + cards[d]
        sums.update([four + e for e in after[d]])
    ranks = {_sum(each): each for each in combinations_with_replacement(_HIGH_TO_LOW, 5) if each[0] != each[4]}
    suits = {seen: frozenset(suit for n, suit in enumerate(SUITS) if seen >> 3 * n & 7) for seen in range(1 << 12)}
    found: Counter[tuple[tuple[int, ...], frozenset[str]]] = Counter()
    for seen, many in sums.items():
        found[ranks[seen & _RANK_MASK], suits[seen >> _SUIT_SHIFT]] += many
    return dict(found)
