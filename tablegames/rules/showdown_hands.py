"""Hands of the poker room (act-pk:2, 3 and its appendices): five cards, ranked high or low, in decks of six sizes.

    best(ROOM["omaha"], own, board, deck)          the best high hand that the game lets somebody make
    best(…, low=True)                              the best low one: straights and flushes do not count (3.6)

The joker stands for the card of the deck that makes the better hand (3.7); for one that the hand holds already only
where that makes five of a kind, which there is by nothing else (3.3b).

`chance/hands.py` ranks five cards of the one full deck, by a sum and a lookup, for the links and the tables; its table
has no place for a joker, five of a kind, a shorter deck or a low hand. In the full deck both rank alike (a test).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations
from typing import Final

from chance.cards import SUITS, Card

JOKER: Final = Card(0, "")
ACE: Final = 14
HAND: Final = 5
LOW_EIGHT: Final = 8  # 3.5(d)
LOWEST: Final[Mapping[int, int]] = {52: 2, 48: 3, 44: 4, 40: 5, 36: 6, 32: 7}  # by cards in the deck (2.2)


class Kind(IntEnum):
    """As a full deck ranks them (3.3); in a reduced one a flush beats a full house (3.4)."""

    ROYAL_FLUSH = 10
    FIVE_OF_A_KIND = 9
    STRAIGHT_FLUSH = 8
    FOUR_OF_A_KIND = 7
    FULL_HOUSE = 6
    FLUSH = 5
    STRAIGHT = 4
    THREE_OF_A_KIND = 3
    TWO_PAIRS = 2
    PAIR = 1
    HIGH_CARD = 0

    @property
    def slug(self) -> str:
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True, slots=True)
class Game:
    """*own* cards are dealt to a player and *board* to all; a hand uses *from_own* of the first, or any where None."""

    code: str
    own: int
    board: int
    from_own: int | None = None


ROOM: Final = {
    game.code: game
    for game in (
        Game("five-card-stud", 5, 0),
        Game("seven-card-stud", 7, 0),
        Game("draw", 5, 0),
        Game("hold-em", 2, 5),
        Game("canberra-manila", 2, 5, from_own=2),
        Game("three-card-manila", 3, 5, from_own=2),
        Game("omaha", 4, 5, from_own=2),
        Game("faro", 5, 5, from_own=2),
    )
}
# Where cards run out the last one is dealt to all (appendices A and B, 3.3, 3.4).
COMMUNAL_LAST: Final = frozenset({"five-card-stud", "seven-card-stud"})


@dataclass(frozen=True, slots=True)
class Deck:
    size: int = 52
    ace_low: bool = True  # the ace also ends the lowest straight (3.5a)

    @property
    def lowest(self) -> int:
        return LOWEST[self.size]

    def __contains__(self, card: object) -> bool:
        return isinstance(card, Card) and (card is JOKER or card.rank >= self.lowest)


@dataclass(frozen=True, slots=True, order=True)
class Made:
    """A hand that was made. It compares by its strength: of two high hands the greater wins, of two low ones the
    lesser."""

    strength: tuple[int, ...]
    kind: Kind
    cards: tuple[Card, ...]


def high(cards: Sequence[Card], deck: Deck) -> Made:
    """Five cards, one of which may be the joker."""
    plain = [card for card in cards if card is not JOKER]
    if len(plain) == len(cards):
        return _made(*_high(plain, deck), cards)
    return max((_made(*_high([*plain, card], deck), cards) for card in _stands_for(plain, deck)), key=_strength)


def low(cards: Sequence[Card], deck: Deck) -> Made:
    """The same for a low hand: pairs alone count, and the ace is high (3.1, 3.6)."""
    plain = [card for card in cards if card is not JOKER]
    if len(plain) == len(cards):
        return _made(*_low(plain), cards)
    return min((_made(*_low([*plain, card]), cards) for card in _stands_for(plain, deck)), key=_strength)


def best(game: Game, own: Sequence[Card], board: Sequence[Card], deck: Deck, *, wants_low: bool = False) -> Made:
    """The best hand that the game lets these cards make."""
    hands = choices(game, own, board)
    if wants_low:
        return min((low(five, deck) for five in hands), key=_strength)
    return max((high(five, deck) for five in hands), key=_strength)


def choices(game: Game, own: Sequence[Card], board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    if game.from_own is None:
        yield from combinations((*own, *board), HAND)
        return
    for mine in combinations(own, game.from_own):
        for theirs in combinations(board, HAND - game.from_own):
            yield (*mine, *theirs)


def is_eight_low(made: Made) -> bool:
    """3.5(d): five different cards of eight or less."""
    return made.kind is Kind.HIGH_CARD and made.strength[1] <= LOW_EIGHT


def _made(strength: tuple[int, ...], kind: Kind, cards: Sequence[Card]) -> Made:
    return Made(strength, kind, tuple(cards))


def _strength(made: Made) -> tuple[int, ...]:
    return made.strength


def _stands_for(held: Sequence[Card], deck: Deck) -> Iterator[Card]:
    """Every card that the joker may be."""
    taken = set(held)
    for rank in range(deck.lowest, ACE + 1):
        for suit in SUITS:
            if (card := Card(rank, suit)) not in taken:
                yield card
    if len(held) == HAND - 1 and len({card.rank for card in held}) == 1:
        yield held[0]


def _by_weight(ranks: Iterable[int]) -> tuple[tuple[int, ...], list[int]]:
    """How often each rank is there, the most first; and the ranks in that order."""
    counts = Counter(ranks)
    order = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    return tuple(counts[rank] for rank in order), order


_OF_A_KIND: Final = {
    (5,): Kind.FIVE_OF_A_KIND,
    (4, 1): Kind.FOUR_OF_A_KIND,
    (3, 2): Kind.FULL_HOUSE,
    (3, 1, 1): Kind.THREE_OF_A_KIND,
    (2, 2, 1): Kind.TWO_PAIRS,
    (2, 1, 1, 1): Kind.PAIR,
    (1, 1, 1, 1, 1): Kind.HIGH_CARD,
}
_REDUCED: Final = {Kind.FLUSH: int(Kind.FULL_HOUSE), Kind.FULL_HOUSE: int(Kind.FLUSH)}


def _high(cards: Sequence[Card], deck: Deck) -> tuple[tuple[int, ...], Kind]:
    counts, order = _by_weight(card.rank for card in cards)
    kind = _OF_A_KIND[counts]
    if kind is Kind.HIGH_CARD:
        top = _straight(order, deck)
        flush = len({card.suit for card in cards}) == 1
        if top and flush:
            kind, order = (Kind.ROYAL_FLUSH if top == ACE else Kind.STRAIGHT_FLUSH), [top]
        elif top:
            kind, order = Kind.STRAIGHT, [top]
        elif flush:
            kind = Kind.FLUSH
    place = _REDUCED.get(kind, int(kind)) if deck.size < max(LOWEST) else int(kind)
    return (place, *order), kind


def _straight(ranks: Sequence[int], deck: Deck) -> int:
    """The highest card of a sequence of five ranks, highest first; 0: there is none. A low ace ends the lowest."""
    if ranks[0] - ranks[-1] == HAND - 1:
        return ranks[0]
    last = [ACE, *range(deck.lowest + 3, deck.lowest - 1, -1)]
    return last[1] if deck.ace_low and list(ranks) == last else 0


def _low(cards: Sequence[Card]) -> tuple[tuple[int, ...], Kind]:
    counts, order = _by_weight(card.rank for card in cards)
    kind = _OF_A_KIND[counts]
    return (int(kind), *order), kind
