"""Baccarat and Mini-Baccarat read a second time from the text (2.4 to 8.4): every hand there is, by its counts.

Not a line of tablegames/rules/baccarat.py is used but the door that everybody uses.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.rules import catalogue
from tablegames.rules.terms import Limit, Terms
from tests.tablegames.hands import figures, play
from tests.world.refusals import refused_at

# 7.3 as printed: a row for each total of the Banker's two cards; no card, then third cards 0 to 9.
TABLEAU = [
    "D D D D D D D D D D D",
    "D D D D D D D D D D D",
    "D D D D D D D D D D D",
    "D D D D D D D D D S D",
    "D S S D D D D D D S S",
    "D S S S S D D D D S S",
    "S S S S S S S D D S S",
    "S S S S S S S S S S S",
]
DOLLAR = {name: Money.dollars(1) for name in ("player", "banker", "tie")}
# Two cards of each total, and one card of each count, told apart by suit so that no shoe runs short.
TWO = [f"T{{}} {rank}{{}}" for rank in "KA23456789"]
ONE = dict(enumerate("JA23456789"))
MARKED = ("2.4", "2.6", "4.6", "6.2", "6.4", "7.1", "7.2", "7.3", "8.1", "8.2", "8.3", "8.4")


def legal(player: int, banker: int, third: int | None, fourth: int | None) -> bool:
    """Whether the third cards are those that the text has drawn."""
    if player >= 8 or banker >= 8:  # 6.4: a natural ends it
        return third is None and fourth is None
    if (player <= 5) != (third is not None):  # 7.2
        return False
    draws = TABLEAU[banker].split()[0 if third is None else third + 1] == "D"
    return draws == (fourth is not None)


def owed(player: int, banker: int) -> list[str]:
    """8.1 to 8.4 on a dollar each: what Player, Banker and Tie come to, the stake included."""
    if player == banker:
        return ["1.00", "1.00", "9.00"]
    return ["2.00", "0.00", "0.00"] if player > banker else ["0.00", "1.95", "0.00"]


def dealt(total: int, third: int | None, suits: str) -> list[str]:
    two = TWO[total].format(*suits[:2]).split()
    return two if third is None else [*two, ONE[third] + suits[2]]


@pytest.mark.parametrize(
    ("game", "document"),
    [
        pytest.param(code, document, marks=pytest.mark.clause(*(f"{document}:{number}" for number in MARKED)))
        for code, document in (("baccarat", "act-bac"), ("mini-baccarat", "act-mb"))
    ],
)
def test_every_hand_is_settled_or_refused_as_the_text_has_it(game: str, document: str) -> None:
    nothing: list[int | None] = [None]
    settled = 0
    for player, banker in product(range(10), repeat=2):
        for third, fourth in product(nothing + list(range(10)), repeat=2):
            cards = {"player": dealt(player, third, "SHD"), "banker": dealt(banker, fourth, "CDS")}
            case: dict[str, Any] = {"terms": Terms(), "wagers": DOLLAR, "cards": cards}
            if not legal(player, banker, third, fourth):
                with pytest.raises(Refusal) as refusal:
                    catalogue.settle(game, **case)
                assert refusal.value.clause in {f"{document}:{number}" for number in ("6.4", "7.2", "7.3")}, cards
                continue
            settled += 1
            mine, theirs = (player + (third or 0)) % 10, (banker + (fourth or 0)) % 10
            found = [str(line.total) for line in catalogue.settle(game, **case).owed]
            assert found == owed(mine, theirs), cards
    # 36 naturals; 4 where both stand and 120 where only the Banker draws; the rest by the Player's third card.
    assert settled == 36 + 4 + 120 + 3234


@pytest.mark.parametrize("document", ["act-bac", "act-mb"])
@pytest.mark.parametrize(
    ("ranks", "count"),
    [("A", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("7", 7), ("8", 8), ("9", 9), ("TJQK", 0)],
)
def test_what_a_card_counts(document: str, ranks: str, count: int) -> None:
    """2.4: beside a nine, so that a tens digit would show (2.6)."""
    game = {"act-bac": "baccarat", "act-mb": "mini-baccarat"}[document]
    for rank in ranks:
        total = (9 + count) % 10
        # Eight and nine of the Banker's are naturals: no third card disturbs the comparison.
        for banker, mine in (("9C KD", 9), ("8C KD", 8)):
            settled = play(game, {"player": "1.00"}, cards={"player": f"9S {rank}H", "banker": banker})
            says = "wins" if total > mine else "stands-off" if total == mine else "loses"
            assert str(settled.line("player").result) == says, rank


@pytest.mark.clause("act-bac:2.1", "act-mb:2.1")
@pytest.mark.parametrize("game", ["baccarat", "mini-baccarat"])
def test_eight_decks_have_a_card_eight_times(game: str) -> None:
    """No hand has nine cards: the shoe is asked by a hand of as many as it may have, and one too many of them."""
    document = catalogue.find(game).document
    many = {"player": "9S " * 9, "banker": "9C KD"}
    refused_at("card-too-often", f"{document}:2.1", "cards.player[8]", lambda: play(game, {"tie": "1.00"}, cards=many))
    fine = {"player": "9S 9S", "banker": "9S 9S"}
    assert str(play(game, {"tie": "1.00"}, cards=fine).line("tie").result) == "wins"
    foreign = {"player": "9S 1S", "banker": "9C KD"}
    refused_at(
        "card-not-in-deck", f"{document}:2.1", "cards.player[1]", lambda: play(game, {"tie": "1.00"}, cards=foreign)
    )


@pytest.mark.clause("act-bac:3.5", "act-mb:3.5", "act-bac:3.4", "act-mb:3.4", "act-bac:4.6", "act-mb:4.6")
@pytest.mark.parametrize("game", ["baccarat", "mini-baccarat"])
def test_above_the_sign_to_the_maximum_and_below_it_all_the_same(game: str) -> None:
    document = catalogue.find(game).document
    terms = Terms(limits={"banker": Limit(Money.dollars(10), Money.dollars(100))})
    cards = {"player": "2C 4D", "banker": "3C 4S"}
    above = play(game, {"banker": "150.00"}, cards=cards, terms=terms).line("banker")
    assert figures(above) == ("wins", "95.00", "150.00", f"{document}:8.1a")
    assert f"{document}:3.5" in above.why
    lost = play(game, {"banker": "150.00"}, cards={"player": "3C 4S", "banker": "2C 4D"}, terms=terms).line("banker")
    assert str(lost.returns) == "50.00"
    below = play(game, {"banker": "5.00"}, cards=cards, terms=terms).line("banker")
    assert figures(below) == ("wins", "4.75", "5.00", f"{document}:8.1a")
    refused_at("wager-not-of-this-game", None, "wagers.pair", lambda: play(game, {"pair": "1.00"}, cards=cards))
