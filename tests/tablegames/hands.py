"""How these tests enter a hand."""

from __future__ import annotations

from typing import Any

from kernel.money import Money
from tablegames.rules import catalogue, poker
from tablegames.rules.owed import Owed, Settlement
from tablegames.rules.poker_games import (
    CANBERRA_POKER,
    CARIBBEAN_STUD,
    LUNAR_NEW_ZEALAND,
    LUNAR_NSW,
    LUNAR_VANUATU,
    PokerGame,
)
from tablegames.rules.terms import Terms

STUDS = (CARIBBEAN_STUD, CANBERRA_POKER)
LUNARS = (LUNAR_NSW, LUNAR_VANUATU, LUNAR_NEW_ZEALAND)
SIGN = {
    "nsw-lp": Terms(),
    "vu-lp": Terms(super="standard", instant="300/1000"),
    "nz-lp": Terms(super="2", instant="300/1000"),
    "nsw-csp": Terms(),
    "act-cp": Terms(),
}
# Dealers' hands that lie beside most players' hands.
NOTHING = "QD JC 9H 4S 2D"
ACE_KING = "AD KC 9H 4S 2D"

BY_NAME = {
    "royal-flush": "AS KS QS JS TS",
    "straight-flush": "9S 8S 7S 6S 5S",
    "four-of-a-kind": "8S 8H 8D 8C 3C",
    "full-house": "8S 8H 8D 3S 3C",
    "flush": "QS TS 8S 5S 3S",
    "straight": "8S 7H 6D 5C 4C",
    "three-of-a-kind": "8S 8H 8D 5C 3C",
    "two-pairs": "8S 8H 5D 5C 3C",
    "pair": "8S 8H 6D 5C 3C",
    "ace-king": "AS KH QD 7C 3C",
    "odd-cards": "QS TH 8D 5C 3C",
}


def money(amounts: dict[str, str]) -> dict[str, Money]:
    return {name: Money.parse(amount) for name, amount in amounts.items()}


def settle(
    game: PokerGame, wagers: dict[str, str], terms: Terms | None = None, *, cards: dict[str, str], **choices: Any
) -> Settlement:
    return poker.settle(
        game,
        terms=SIGN[game.document] if terms is None else terms,
        wagers=money(wagers),
        cards={name: text.split() for name, text in cards.items()},
        choices=choices,
    )


def played(game: PokerGame, player: str, dealer: str, terms: Terms | None = None, **choices: Any) -> Settlement:
    """An ante of 10 and a bet of 20; where a super wager is a must, 10 of it."""
    wagers = {"ante": "10.00", "bet": "20.00"} | ({"super": "10.00"} if game.super_is_a_must else {})
    return settle(game, wagers, terms, cards={"player": player, "dealer": dealer}, **choices)


def figures(line: Owed) -> tuple[str, str, str, str]:
    return str(line.result), str(line.pays), str(line.returns), line.clause


def play(
    game: str,
    wagers: dict[str, str],
    *,
    cards: dict[str, str] | None = None,
    outcome: str | None = None,
    terms: Terms | None = None,
    **choices: Any,
) -> Settlement:
    return catalogue.settle(
        game,
        terms=terms or Terms(),
        wagers=money(wagers),
        cards=None if cards is None else {name: text.split() for name, text in cards.items()},
        outcome=outcome,
        choices=choices,
    )


def pays(settled: Settlement) -> list[str]:
    return [str(line.pays) for line in settled.owed]
