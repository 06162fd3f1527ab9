"""The poker room (act-pk) by examples: hands, pots, odd dollars, commission. Against an oracle: its own file."""

from __future__ import annotations

import random
from typing import Any

import pytest

from chance.cards import SUITS, Card
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.rules.showdown import Decided, Player, Round, Win, decide
from tablegames.rules.showdown_hands import JOKER, ROOM, Deck, Kind, best, high, low


def card(name: str) -> Card:
    return JOKER if name == "JK" else Card("23456789TJQKA".index(name[0]) + 2, name[1])


def hand(text: str) -> list[Card]:
    return [card(name) for name in text.split()]


@pytest.mark.clause("act-pk:3.3", "act-pk:3.7")
def test_a_joker_is_the_card_that_makes_the_best_hand() -> None:
    assert high(hand("AS AH AD AC JK"), Deck()).kind is Kind.FIVE_OF_A_KIND
    assert high(hand("KS QS JS TS JK"), Deck()).kind is Kind.ROYAL_FLUSH
    assert (
        high(hand("KS QS JS TS JK"), Deck())
        > high(hand("AS AH AD AC JK"), Deck())
        > high(hand("9H 8H 7H 6H JK"), Deck())
    )


@pytest.mark.clause("act-pk:3.5a")
def test_the_ace_ends_the_lowest_straight_of_its_deck() -> None:
    assert high(hand("8S 7H 6D 5C AS"), Deck(40)).kind is Kind.STRAIGHT
    assert high(hand("8S 7H 6D 5C AS"), Deck(40)) < high(hand("9S 8H 7D 6C 5S"), Deck(40))
    assert high(hand("8S 7H 6D 5C AS"), Deck(40, ace_low=False)).kind is Kind.HIGH_CARD
    assert high(hand("5S 4H 3D 2C AS"), Deck()).kind is Kind.STRAIGHT
    assert high(hand("8S 7H 6D 5C AS"), Deck()).kind is Kind.HIGH_CARD


@pytest.mark.clause("act-pk:3.6")
def test_a_low_hand_knows_no_straight_no_flush_and_a_high_ace() -> None:
    deck = Deck()
    assert low(hand("6S 5S 4S 3S 2S"), deck) < low(hand("7S 5H 4D 3C 2S"), deck) < low(hand("AS 4H 3D 2C 5S"), deck)
    assert low(hand("AS KH QD JC 9S"), deck) < low(hand("2S 2H 3D 4C 5S"), deck)
    assert low(hand("7S 5H 4D 3C JK"), deck).strength == low(hand("7S 5H 4D 3C 2D"), deck).strength


@pytest.mark.parametrize(
    ("game", "own", "board", "kind"),
    [
        ("hold-em", "2S 7D", "AH KH QH JH TH", Kind.ROYAL_FLUSH),
        ("canberra-manila", "2S 7D", "AH KH QH JH TH", Kind.HIGH_CARD),
        ("omaha", "AS AH AD AC", "2S 3D 4H 9C KD", Kind.PAIR),
        ("three-card-manila", "AS AH AD", "AC 3D 4H 9C KD", Kind.THREE_OF_A_KIND),
        ("faro", "KH QH 2C 3D 4S", "AH JH TH 5D 6C", Kind.ROYAL_FLUSH),
        ("seven-card-stud", "AS AH AD KC KD 2S 3H", "", Kind.FULL_HOUSE),
        ("draw", "AS AH AD KC KD", "", Kind.FULL_HOUSE),
    ],
)
def test_which_cards_make_a_hand(game: str, own: str, board: str, kind: Kind) -> None:
    assert best(ROOM[game], hand(own), hand(board), Deck()).kind is kind


# --- pots -------------------------------------------------------------------------------------------------------------
BOARD = ("2C", "7D", "9H", "JS", "KC")
FREE = Money.dollars(0)
ACES, KINGS, QUEENS, NOTHING = ("AS", "AH"), ("KS", "KH"), ("QS", "QH"), ("3S", "4H")


def played(*players: tuple[int, str, tuple[str, ...]], folded: tuple[int, ...] = (), **more: Any) -> Decided:
    seats = [Player(seat, Money.parse(bet), cards, seat in folded) for seat, bet, cards in players]
    asked: dict[str, Any] = {"game": "hold-em", "players": seats, "buck": 1, "board": BOARD}
    return decide(Round(**asked | more))


def paid(decided: Decided) -> dict[int, str]:
    return {seat: str(amount) for seat, amount in sorted(decided.paid.items())}


@pytest.mark.clause("act-pk:13.2", "act-pk:14.2")
def test_who_tapped_out_shares_only_the_pots_that_he_reached() -> None:
    decided = played((1, "20.00", KINGS), (2, "50.00", ACES), (3, "50.00", QUEENS), (4, "10.00", ()), folded=(4,))
    assert [(str(pot.amount), pot.seats) for pot in decided.pots] == [("70.00", [1, 2, 3]), ("60.00", [2, 3])]
    assert str(decided.commission) == "6.00"  # 5% of 130.00, from the main pot
    assert paid(decided) == {1: "64.00", 2: "60.00"}
    assert decided.uncalled == {}


@pytest.mark.clause("act-pk:14.2")
def test_an_uncalled_bet_goes_back_and_is_in_no_pot() -> None:
    decided = played((1, "10.00", ACES), (2, "35.00", KINGS))
    assert decided.uncalled == {2: Money.parse("25.00")}
    assert [str(pot.amount) for pot in decided.pots] == ["20.00"]
    assert (str(decided.commission), paid(decided)) == ("1.00", {2: "19.00"})


@pytest.mark.clause("act-pk:12.2")
@pytest.mark.parametrize(("buck", "first"), [(1, 2), (2, 2), (3, 4), (4, 4), (5, 2)])
def test_the_odd_dollar_goes_to_the_winner_nearest_the_buck(buck: int, first: int) -> None:
    decided = played(
        (2, "7.00", ACES),
        (4, "7.00", ("AD", "AC")),
        (5, "7.00", NOTHING),
        buck=buck,
        commission_maximum=FREE,
    )
    assert paid(decided) == {first: "11.00", 6 - first: "10.00"}


@pytest.mark.clause("act-pk:14.2", "act-pk:14.2a", "act-pk:14.2c", "act-pk:14.2d")
def test_when_no_commission_is_taken() -> None:
    assert played((1, "9.50", ACES), (2, "9.50", KINGS)).commission == Money.dollars(0)  # 19.00
    assert str(played((1, "10.00", ACES), (2, "10.00", KINGS)).commission) == "1.00"
    assert played((1, "10.00", ACES), (2, "10.00", KINGS), only_blinds=True).commission == Money.dollars(0)
    equal = ((1, "50.00", ACES), (2, "50.00", ("AD", "AC")))
    assert played(*equal).commission == Money.dollars(0)
    assert str(played(*equal, (3, "50.00", NOTHING), folded=(3,)).commission) == "7.00"
    most = Money.dollars(10)
    assert played((1, "500.00", ACES), (2, "500.00", KINGS), commission_maximum=most).commission == most


@pytest.mark.clause("act-pk:16.8")
def test_a_wrong_number_of_cards_is_folded_and_its_money_stays_in() -> None:
    for wrong in (("AS",), ("AS", "AH", "AD")):
        decided = played((1, "10.00", wrong), (2, "10.00", NOTHING), (3, "10.00", QUEENS))
        assert [shown.seat for shown in decided.hands] == [2, 3]
        assert paid(decided) == {3: "29.00"}
        assert any("act-pk:16.8" in said for said in decided.words)


def test_alone_in_the_game_wins_without_showing() -> None:
    decided = played((1, "10.00", ()), (2, "10.00", ()), (3, "30.00", ()), folded=(1, 2), board=())
    assert (decided.uncalled, paid(decided)) == ({3: Money.dollars(20)}, {3: "29.00"})


@pytest.mark.clause("act-pk:3.5d")
def test_high_and_low_halve_a_pot_and_eight_or_better_asks_for_a_low() -> None:
    board = ("2C", "3D", "8H", "KS", "KC")  # eight, and no higher
    hands = ((1, "10.00", ("KD", "KH")), (2, "10.00", ("4S", "5H")), (3, "11.00", ("QS", "QH")), (4, "0.50", ()))
    decided = played(*hands, folded=(4,), board=board, win=Win.HIGH_LOW_8, commission_maximum=FREE)
    assert paid(decided) == {1: "15.50", 2: "15.00"}  # 30.50: the odd dollar, and cents, to the high
    nine = (*board[:2], "9H", *board[3:])
    none = played(*hands, folded=(4,), board=nine, win=Win.HIGH_LOW_8, commission_maximum=FREE)
    assert paid(none) == {1: "30.50"}  # nobody has five cards of eight or less
    lowest = played(*hands, folded=(4,), board=board, win=Win.LOW, commission_maximum=FREE)
    assert paid(lowest) == {2: "30.50"}


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_lost_and_nothing_made(seed: int) -> None:
    chance = random.Random(seed)
    cards = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in SUITS]
    chance.shuffle(cards)
    board, rest = tuple(cards[:5]), cards[5:]
    seats = chance.sample(range(1, 10), chance.randint(2, 7))
    bets = ["5.00", "5.00", "20.00", "20.00", "35.50", "60.00"]
    players = [(seat, chance.choice(bets), tuple(rest[2 * n : 2 * n + 2])) for n, seat in enumerate(seats)]
    folded = tuple(chance.sample(seats, chance.randint(0, len(seats) - 1)))
    win = chance.choice(list(Win))
    decided = played(*players, folded=folded, board=board, win=win, buck=chance.choice(seats))
    put_in = Money.total(Money.parse(bet) for _, bet, _ in players)
    out = Money.total([*decided.paid.values(), *decided.uncalled.values(), decided.commission])
    assert out == put_in
    assert not set(decided.paid) & set(folded)
    for pot in decided.pots:
        assert set(pot.won) <= set(pot.seats)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "snap"}, "no-such-game"),
        ({"deck": 50}, "no-such-deck"),
        ({"deck": 32}, "card-not-in-deck"),
        ({"board": ("JK", "7D", "9H", "JS", "KC")}, "card-not-in-deck"),
        ({"board": ("AS", "7D", "9H", "JS", "KC")}, "card-twice"),
        ({"board": BOARD[:4]}, "board-wrong"),
        ({"buck": 0}, "buck-wrong"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        played((1, "10.00", ACES), (2, "10.00", KINGS), **change)
    assert refused.value.code == code
