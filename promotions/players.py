"""What this room asks of whoever knows the players: whose card it is, who may not take part, who wagered how much.

The rooms that take wagers stand beside this one and are not asked. Whoever keeps the record of players is a `Book` and
says so with `keep`; without one, cards are just numbers, and entries are earned by nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol

from ledger.money import Money
from promotions.models import ExcludedCard


class Book(Protocol):
    def identities(self, cards: Collection[str]) -> Mapping[str, str]:
        """``player:…`` for each card that is known: somebody with a second card is still one person."""

    def barred(self, identities: Collection[str]) -> Mapping[str, str]:
        """Who may not take part now, and why: excluded, an employee."""

    def wagered(self, places: Sequence[str], begin: datetime, end: datetime) -> Mapping[str, Money]:
        """By identity: what was wagered in these places from *begin* and before *end*, less what was taken back."""


_books: Final[list[Book]] = []


def keep(book: Book) -> Book:
    _books.append(book)
    return book


def forget(book: Book) -> None:
    if book in _books:
        _books.remove(book)


def identities(cards: Collection[str]) -> dict[str, str]:
    """The identity of each card: its player's where a book knows it, else the card's own."""
    found = {card: f"card:{card}" for card in cards}
    for book in _books:
        found.update(book.identities(cards))
    return found


def barred(identities: Collection[str]) -> dict[str, str]:
    """Who of these may not take part, and why: the promotions' own list of cards, and what the books say."""
    found: dict[str, str] = {}
    for book in _books:
        found.update(book.barred(identities))
    excluded = {row.card: row.get_why_display() for row in ExcludedCard.objects.filter(removed_at=None)}
    for card, identity in _identities_of(excluded).items():
        if identity in identities:
            found[identity] = excluded[card]
    return found


def wagered(places: Sequence[str], begin: datetime, end: datetime) -> dict[str, Money]:
    found: dict[str, Money] = {}
    for book in _books:
        for identity, amount in book.wagered(places, begin, end).items():
            found[identity] = found.get(identity, Money(0)) + amount
    return found


def _identities_of(cards: Collection[str]) -> dict[str, str]:
    return identities(list(cards)) if cards else {}
