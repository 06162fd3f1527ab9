"""What five or six cards hold: the best combination, a second one, and what the super wager calls the first five."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from chance.cards import Card
from chance.hands import Category, Hand, rank

ACE_KING: Final = "ace-king"
ODD_CARDS: Final = "odd-cards"
_WHOLE: Final = frozenset(
    {Category.STRAIGHT, Category.FLUSH, Category.FULL_HOUSE, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
)
_RED: Final = frozenset("DH")
_BLACK: Final = frozenset("CS")


def best_hand(cards: Sequence[Card]) -> Hand:
    """The best five of five or six."""
    return max(rank(five) for five in combinations(cards, 5))


def name_of(hand: Hand) -> str:
    """What a bet table calls the hand: below a pair, ace-king or odd cards."""
    if hand.category is Category.HIGH_CARD:
        return ACE_KING if hand.ace_king_or_higher else ODD_CARDS
    return hand.category.slug


@dataclass(frozen=True, slots=True)
class Combination:
    """The cards that make a value, without those beside them: two of a pair, the ace and the king."""

    order: tuple[Category, tuple[int, ...]]
    cards: frozenset[Card]

    @property
    def name(self) -> str:
        """Of the hands without a pair only ace-king is a combination."""
        return self.order[0].slug if self.order[0] else ACE_KING


def _made(category: Category, ranks: Iterable[int], cards: Iterable[Card]) -> Combination:
    return Combination((category, tuple(ranks)), frozenset(cards))


def _of_a_kind(cards: Sequence[Card]) -> Iterable[Combination]:
    by_rank: defaultdict[int, list[Card]] = defaultdict(list)
    for card in cards:
        by_rank[card.rank].append(card)
    for size, category in (
        (2, Category.PAIR),
        (3, Category.THREE_OF_A_KIND),
        (4, Category.FOUR_OF_A_KIND),
    ):
        for held, same in by_rank.items():
            for chosen in combinations(same, size):
                yield _made(category, [held], chosen)
    for high, low in combinations(sorted(by_rank, reverse=True), 2):
        for first, second in product(combinations(by_rank[high], 2), combinations(by_rank[low], 2)):
            yield _made(Category.TWO_PAIRS, [high, low], first + second)
    for pair in product(by_rank[14], by_rank[13]):
        yield _made(Category.HIGH_CARD, [14, 13], pair)


def all_combinations(cards: Sequence[Card]) -> list[Combination]:
    """Everything from ace-king up that these cards hold."""
    found = list(_of_a_kind(cards))
    for five in combinations(cards, 5):
        hand = rank(five)
        if hand.category in _WHOLE:
            found.append(_made(hand.category, hand.ranks, five))
    return found


def two_best(cards: Sequence[Card]) -> tuple[Combination | None, Combination | None]:
    """The best combination, and the best of those with at least one card that is not part of it
    (nsw-lp:9.5.1, vu-lp:10.9, nz-lp:10.9)."""
    found = all_combinations(cards)
    first = max(found, key=lambda each: each.order, default=None)
    if first is None:
        return None, None
    others = (each for each in found if not each.cards <= first.cards)
    return first, max(others, key=lambda each: each.order, default=None)


# The super wager: the first five cards, by their ranks and by which suits occur among them. That is all it takes.

Five = tuple[tuple[int, ...], frozenset[str]]


def five_of(cards: Iterable[Card]) -> Five:
    held = list(cards)
    return tuple(sorted((card.rank for card in held), reverse=True)), frozenset(card.suit for card in held)


def _counts(ranks: tuple[int, ...]) -> list[int]:
    return sorted((ranks.count(each) for each in set(ranks)), reverse=True)


def _in_sequence(ranks: tuple[int, ...]) -> bool:
    return len(set(ranks)) == 5 and (ranks[0] - ranks[4] == 4 or ranks == (14, 5, 4, 3, 2))


def _same_coloured(suits: frozenset[str]) -> bool:
    return suits <= _RED or suits <= _BLACK


SUPER: Final[Mapping[str, Callable[[tuple[int, ...], frozenset[str]], bool]]] = {
    "four-of-a-kind": lambda ranks, suits: _counts(ranks)[0] == 4,
    # A royal or straight flush is one too (vu-lp:5.11, nz-lp:5.11).
    "same-coloured-straight": lambda ranks, suits: _in_sequence(ranks) and _same_coloured(suits),
    # Kings, queens and jacks in any mixture, but not four of a kind (nsw-lp:1.1).
    "five-picture-cards": lambda ranks, suits: set(ranks) <= {11, 12, 13} and _counts(ranks)[0] < 4,
    "full-house": lambda ranks, suits: _counts(ranks) == [3, 2],
    # A royal or straight flush is one too (nsw-lp:10.6).
    "flush": lambda ranks, suits: len(suits) == 1,
    "straight": lambda ranks, suits: _in_sequence(ranks),
    "three-of-a-kind": lambda ranks, suits: _counts(ranks) == [3, 1, 1],
    # No text says what stands beside them: any hand that holds an ace, a king and a queen.
    "ace-king-queen": lambda ranks, suits: {14, 13, 12} <= set(ranks),
    "five-same-coloured": lambda ranks, suits: _same_coloured(suits),
}


def super_combination(five: Five, names: Iterable[str]) -> str | None:
    """The first of these that the five cards are; a pay table names them highest first."""
    return next((name for name in names if SUPER[name](*five)), None)
