"""Exact figures: dealt out, counted, and as published."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from chance.cards import DECK
from chance.hands import patterns
from tablegames import mathematics as page
from tablegames.rules import baccarat, blackjack, mathematics
from tablegames.rules.catalogue import GAMES
from tablegames.rules.combinations import super_combination
from tablegames.rules.poker_games import LUNAR_NEW_ZEALAND, LUNAR_NSW, LUNAR_VANUATU, POKER_GAMES, PokerGame
from tablegames.rules.roulette import ROULETTE
from tests.tablegames import oracle
from tests.world.hands import FIVE_CARD_HANDS

HANDS = 2_598_960
LUNARS = [LUNAR_NSW, LUNAR_VANUATU, LUNAR_NEW_ZEALAND]


def test_every_hand_is_dealt_out() -> None:
    assert sum(patterns().values()) == HANDS == comb(52, 5)


@pytest.mark.clause("nsw-lp:10.5.3", "nsw-lp:10.6", "vu-lp:5.9", "vu-lp:5.11", "nz-lp:5.9")
@pytest.mark.parametrize("game", LUNARS, ids=lambda game: game.code)
def test_super_wagers_dealt_out_and_counted_agree(game: PokerGame) -> None:
    for table in game.supers.values():
        often = mathematics.enumerated(table.names)
        assert often == mathematics.counted(table.names)
        back = sum(often[cell.what] * (cell.odds.to + 1) for cell in table.cells)
        assert mathematics.super_figures(table).returned == Fraction(back, HANDS)


@pytest.mark.parametrize("game", LUNARS, ids=lambda game: game.code)
def test_super_wagers_against_the_oracle(game: PokerGame) -> None:
    """Each pattern's first hand, named by the documents read a second time, weighed by how often it comes."""
    table = next(iter(game.supers.values()))
    figures = [
        table[name].odds.to for name in ("four-of-a-kind", "flush", "straight", "three-of-a-kind", "ace-king-queen")
    ]
    found: dict[int, int] = {}
    # Every hundredth rank pattern: the rest is the enumeration's own business.
    for (ranks, suits), many in list(patterns().items())[::100]:
        hand = _a_hand(ranks, suits)
        odds = (
            oracle.super_nsw(hand)
            if game is LUNAR_NSW
            else oracle.super_islands(
                hand, **dict(zip(("four", "flush", "straight", "three", "akq"), figures, strict=True))
            )
        )
        name = super_combination((ranks, suits), table.names)
        assert odds == (-1 if name is None else table[name].odds.to), hand
        found[odds] = found.get(odds, 0) + many
    assert len(found) > 5


def _a_hand(ranks: tuple[int, ...], suits: frozenset[str]) -> list[str]:
    """Five different cards of these ranks with exactly these suits."""
    for chosen in product(sorted(suits), repeat=5):
        hand = [f"{'23456789TJQKA'[rank - 2]}{suit}" for rank, suit in zip(ranks, chosen, strict=True)]
        if set(chosen) == suits and len(set(hand)) == 5:
            return hand
    raise AssertionError((ranks, suits))


def test_published_frequencies_of_five_cards() -> None:
    """As every table of Caribbean Stud gives them; the dealer qualifies in 56.3187% of hands."""
    assert mathematics.hand_frequencies() == FIVE_CARD_HANDS
    ace_king_high = (comb(11, 3) - 1) * (4**5 - 4)
    assert ace_king_high == 167_280
    assert mathematics.dealer_qualifies() == Fraction(HANDS - 1_302_540 + 167_280, HANDS)


def test_published_house_edges() -> None:
    assert ROULETTE.outcomes == tuple(range(37))  # one zero: 1/37 and not 2/38
    assert {ROULETTE.edge(wager) for wager in ROULETTE.every_wager()} == {Fraction(1, 37)}
    assert baccarat.results() == {
        "player": Fraction(2_230_518_282_592_256, 4_998_398_275_503_360),
        "banker": Fraction(2_292_252_566_437_888, 4_998_398_275_503_360),
        "tie": Fraction(475_627_426_473_216, 4_998_398_275_503_360),
    }
    shown = {figures.wager: page.percent(figures.edge) for figures in GAMES["baccarat"].figures()}
    assert shown == {"player": "1.2351%", "banker": "1.0579%", "tie": "14.3596%"}
    assert page.percent(blackjack.edges(6)["super-sevens"]) == "11.4000%"
    assert blackjack.edges(8)["insurance"] == Fraction(31, 415)
    wheel = {figures.edge for figures in GAMES["money-wheel"].figures()}
    assert wheel == {Fraction(1, 13)}


SIC_BO_EDGES = {
    "small": "1/36", "big": "1/36", "any-triple": "1/9", "triple:4": "35/216", "double:2": "1/9", "single:6": "1/27",
    "domino:1/6": "1/36", "total:4": "1/8", "total:16": "1/9", "total:6": "13/108", "total:14": "7/72",
    "total:8": "1/8", "total:12": "2/27", "total:10": "1/8",
}  # fmt: skip


def test_house_edges_of_sic_bo_thrown_by_hand() -> None:
    """All 216 throws, with the payout of each wager written out here again."""

    def back(wager: str, dice: tuple[int, ...]) -> int:
        kind, _, on = wager.partition(":")
        triple = len(set(dice)) == 1
        faces = [int(face) for face in on.split("/")] if on else []
        match kind:
            case "small":
                return 2 * (4 <= sum(dice) <= 10 and not triple)
            case "big":
                return 2 * (11 <= sum(dice) <= 17 and not triple)
            case "any-triple":
                return 32 * triple
            case "triple":
                return 181 * (triple and dice[0] == faces[0])
            case "double":
                return 12 * (dice.count(faces[0]) >= 2)
            case "single":
                return {0: 0, 1: 2, 2: 3, 3: 13}[dice.count(faces[0])]
            case "domino":
                return 7 * (set(faces) <= set(dice))
        odds = {4: 62, 5: 31, 6: 18, 7: 12, 8: 8, 9: 7, 10: 6}
        return (odds[min(faces[0], 21 - faces[0])] + 1) * (sum(dice) == faces[0])

    figures = {each.wager: each.edge for each in GAMES["sic-bo"].figures()}
    for wager, edge in figures.items():
        thrown = sum(back(wager, dice) for dice in product(range(1, 7), repeat=3))
        assert edge == 1 - Fraction(thrown, 216), wager
    assert {wager: str(figures[wager]) for wager in SIC_BO_EDGES} == SIC_BO_EDGES


def test_super_sevens_dealt_out() -> None:
    """Five decks, every order of two first cards by suit, the third by what is left: the same fractions."""
    decks, size = 5, 260
    often = dict.fromkeys(("one-seven", "two-sevens", "two-sevens-suited", "three-sevens", "three-sevens-suited"), 0)
    for first, second in product("CDHS", "CDHSx"):  # x: no seven
        ways = decks * (size - 4 * decks if second == "x" else decks - (first == second))
        if second == "x":
            often["one-seven"] += ways * (size - 2)
            continue
        suited = first == second
        all_three = (decks - 2) if suited else 0
        sevens_left = 4 * decks - 2
        often["three-sevens-suited"] += ways * all_three
        often["three-sevens"] += ways * (sevens_left - all_three)
        often["two-sevens-suited" if suited else "two-sevens"] += ways * (size - 2 - sevens_left)
    orders = size * (size - 1) * (size - 2)
    assert {name: Fraction(many, orders) for name, many in often.items()} == blackjack.sevens_frequencies(5)


def test_the_page_is_what_the_command_prints() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.page()


def test_every_poker_game_is_on_one_deck() -> None:
    assert len(DECK) == 52
    assert set(POKER_GAMES) <= set(GAMES)
