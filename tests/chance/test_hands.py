"""Hands from cards and tiles: every one of them, against the known counts and an independent reading."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest

from chance import cards, hands, tiles
from kernel.refusal import Refusal
from tests.world import hand_oracle as oracle
from tests.world.hands import FIVE_CARD_HANDS

ORACLE = {
    "royal": "royal-flush",
    "straight": "straight-flush",
    "four": "four-of-a-kind",
    "house": "full-house",
    "flush": "flush",
    "dead": "dead-mans-hand",
}


def hand(text: str) -> hands.Hand:
    return hands.rank(cards.read_hand(text.split()))


@pytest.mark.clause("nsw-csp:13.1", "nsw-csp:11.7")
def test_every_hand_of_the_deck_is_ranked() -> None:
    codes = [hands.code(card) for card in cards.DECK]
    strengths = Counter(hands.strength_of_codes(*five) for five in combinations(codes, 5))
    found: Counter[str] = Counter()
    dead = 0
    for strength, count in strengths.items():
        found[hands.category_of(strength).slug] += count
        dead += count * hands.Hand(strength).dead_mans
    assert found == FIVE_CARD_HANDS
    assert found.total() == 2_598_960
    assert dead == 6 * 6 * 44
    assert len(strengths) == 7_462  # the known number of hands that differ at showdown


def test_frequencies_counted_by_ranks_equal_the_enumeration() -> None:
    found: Counter[str] = Counter()
    for names, ways in hands.frequencies().items():
        found[names[-1]] += ways
    assert found == FIVE_CARD_HANDS
    assert hands.frequencies()["dead-mans-hand", "two-pairs"] == 1_584


def test_hands_equal_an_independent_reading_of_the_cards() -> None:
    dice = random.Random(1)
    deck = [str(card) for card in cards.DECK]
    for _ in range(20_000):
        five = dice.sample(deck, 5)
        expected = oracle.poker(five)
        name = hands.rank(cards.read_hand(five)).names[0]
        assert name == ORACLE[expected] if expected in ORACLE else name not in ORACLE.values()


@pytest.mark.clause("nsw-csp:13.1")
@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("AS KS QS JS TS", "KH QH JH TH 9H"),
        ("6D 5D 4D 3D 2D", "AC 2C 3C 4C 5C"),
        ("AC 2C 3C 4C 5C", "AS AH AD AC KS"),
        ("2S 2H 2D 2C 3S", "AS AH AD KS KH"),
        ("2S 2H 2D 3S 3H", "AS KS QS JS 9S"),
        ("3S 3H 3D 2S 2H", "2S 2H 2D AS AH"),
        ("2S 3S 4S 5S 7S", "AS KD QS JS TS"),
        ("AS KD QS JS TS", "5S 4D 3S 2S AS"),
        ("5S 4D 3S 2S AS", "AS AH AD KS QS"),
        ("KS KH 3S 3H 2D", "QS QH JS JH AD"),
        ("KS KH 4S 4H 2D", "KD KC 3S 3H AD"),
        ("KS KH 4S 4H 3D", "KD KC 4D 4C 2D"),
        ("AS KD QS JS 9S", "AS KD QS JS 8S"),
        ("2S 2H 4S 5S 6D", "AS KD QS JS 9S"),
    ],
)
def test_showdown(higher: str, lower: str) -> None:
    assert hand(higher) > hand(lower)


def test_suits_have_the_same_rank() -> None:
    assert hand("AS KS QS JS 9D") == hand("AD KD QD JD 9S")
    assert hand("AS KS QS JS TS") == hand("AC KC QC JC TC")


@pytest.mark.clause("nsw-csp:9.1-9.5", "act-cp:9.2-9.6")
@pytest.mark.parametrize(
    ("text", "qualifies"),
    [
        ("AS KD 2S 3S 4S", True),
        ("AS QD JS TS 9S", False),
        ("KS QD JS TS 8S", False),
        ("2S 2D 3S 4S 5S", True),
        ("AS 2D 3S 4S 5S", True),
    ],
)
def test_ace_king_or_higher(text: str, qualifies: bool) -> None:
    assert hand(text).ace_king_or_higher is qualifies


@pytest.mark.clause("act-cp:11.1-fixed")
@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("AS AC 8S 8C KD", True),
        ("8H AD 2C 8D AH", True),
        ("AS AC 8S 8C 8D", False),
        ("AS AC AD 8S 8C", False),
        ("AS AC 9S 9C 8D", False),
        ("KS KC 8S 8C AD", False),
    ],
)
def test_dead_mans_hand_is_two_pairs_only(text: str, dead: bool) -> None:
    assert hand(text).dead_mans is dead


@pytest.mark.parametrize("text", ["as", "1S", "10S", "AX", "A", "", "ASS", " AS", "SA", "JK", "T♠"])
def test_a_card_is_read_strictly(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        cards.read_hand(["KS", text, "QS", "JS", "TS"], foreign_clause="nsw-csp:14.9", field="hands[2].cards")
    assert (refused.value.code, refused.value.clause, refused.value.field) == (
        "card-not-in-deck",
        "nsw-csp:14.9",
        "hands[2].cards[1]",
    )


@pytest.mark.clause("act-pg:13.2-major", "act-pg:13.2-fixed")
def test_every_hand_of_tiles() -> None:
    numbered = list(enumerate(tiles.SET))
    found = Counter(oracle.pai_gow([tile for _, tile in four]) for four in combinations(numbered, 4))
    assert found.total() == comb(32, 4) == 35_960
    assert found == {"major": 1, "hundred": 16 + 32, "nothing": 35_960 - 49}
    assert tiles.frequencies() == {
        (tiles.GEE_JUN_AND_TEEN,): 1,
        (tiles.TEEN_TENS_ELEVEN,): 16,
        (tiles.SIXES_FOUR_SEVEN,): 32,
        (tiles.OTHER,): 35_911,
    }


@pytest.mark.parametrize(
    ("four", "name"),
    [
        ("gee-jun teen gee-jun teen", tiles.GEE_JUN_AND_TEEN),
        ("foo ping mooy teen", tiles.TEEN_TENS_ELEVEN),
        ("chong look bon tif", tiles.SIXES_FOUR_SEVEN),
        ("chop-chit bon look chong", tiles.SIXES_FOUR_SEVEN),
        ("teen mooy mooy foo", tiles.OTHER),
        ("day mooy ping foo", tiles.OTHER),
        ("chong look gor tif", tiles.OTHER),
        ("chong look tif chop-chit", tiles.OTHER),
        ("gee-jun gee-jun day day", tiles.OTHER),
        ("gee-jun gee-jun teen day", tiles.OTHER),
    ],
)
def test_tile_hands_by_name(four: str, name: str) -> None:
    assert tiles.names(tiles.read_hand(four.split())) == (name,)
