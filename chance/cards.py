"""One deck of 52 cards, read strictly: rank, then suit, ``AS KD TH 2C`` (nsw-csp:3.1, act-cp:2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kernel.refusal import Refusal

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"
HAND_SIZE: Final = 5


@dataclass(frozen=True, slots=True)
class Card:
    rank: int
    """2 to 14; the ace is 14, and low only inside a straight (nsw-csp:3.3)."""
    suit: str
    """One of ``CDHS``; all suits rank the same."""

    def __str__(self) -> str:
        return f"{RANKS[self.rank - 2]}{self.suit}"


DECK: Final = tuple(Card(rank, suit) for suit in SUITS for rank in range(2, 15))
_BY_NAME: Final = {str(card): card for card in DECK}


def read_card(text: str, *, clause: str | None = None, field: str | None = None) -> Card:
    """The card of that name; anything else is not part of the deck (nsw-csp:14.9)."""
    card = _BY_NAME.get(text)
    if card is None:
        raise Refusal(
            "card-not-in-deck",
            f"{text!r} is not a card of the deck: write rank then suit, like AS, KD, TH (ten), 2C.",
            clause=clause,
            field=field,
        )
    return card


def read_hand(
    texts: Sequence[str],
    *,
    void_clause: str | None = None,
    foreign_clause: str | None = None,
    field: str = "cards",
) -> tuple[Card, ...]:
    """Five different cards. Too few or too many make the hand void (nsw-csp:14.8, act-cp:13.4)."""
    if len(texts) != HAND_SIZE:
        raise Refusal(
            "hand-void",
            f"A hand has {HAND_SIZE} cards, this one has {len(texts)}: it is void. Leave it out of the round.",
            clause=void_clause,
            field=field,
        )
    return tuple(read_card(text, clause=foreign_clause, field=f"{field}[{i}]") for i, text in enumerate(texts))
