"""The poker room against an oracle from the text: every game with every deck, any bets; and what else may happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance import hands
from chance.cards import DECK, Card, read_card
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.rules.showdown import Decided, Player, Round, Win, decide
from tablegames.rules.showdown_hands import JOKER, LOWEST, ROOM, Deck, Made, best, high, low
from tests.tablegames import poker_room_oracle as oracle

BOARD = ("KD", "9H", "7C", "4S", "2D")
IN_SEQUENCE = {"straight", "straight-flush", "royal"}


def conserved(entered: Round, decided: Decided) -> None:
    """Every cent put in is paid, goes back or is commission."""
    out = Money.total([*decided.paid.values(), *decided.uncalled.values(), decided.commission])
    assert out == Money.total(player.bet for player in entered.players)


def read(names: list[str]) -> list[Card]:
    return [JOKER if name == "JK" else read_card(name) for name in names]


def same(made: Made, key: oracle.Key, order: list[str]) -> None:
    """A hand is what the oracle says: a run by its highest card, others by each rank once."""
    place, counted = key
    ranks = counted[:1] if order[place] in IN_SEQUENCE else list(dict.fromkeys(counted))
    assert made.strength == (place, *ranks)


@pytest.mark.clause(
    "act-pk:2.2",
    "act-pk:2.3",
    "act-pk:3.1",
    "act-pk:3.2",
    "act-pk:3.6",
    "act-pk:3.7",
    "act-pk:A2.1",
    "act-pk:B2.1",
    "act-pk:C2.1",
    "act-pk:D2.1",
    "act-pk:E2.1",
    "act-pk:F2.1",
    "act-pk:G2.1",
    "act-pk:H2.1",
)
@pytest.mark.parametrize("code", list(oracle.OWN))
def test_the_best_high_and_low_hand_of_every_game_and_deck(code: str) -> None:
    chance = Random(f"poker room {code}")
    for size in LOWEST:
        for joker in (False, True):
            deck = Deck(size, ace_low=chance.random() < 0.5)
            cards = chance.sample(oracle.deck_of(size), oracle.OWN[code] + 5 * (code in oracle.COMMUNAL))
            if joker:
                cards[chance.randrange(len(cards))] = "JK"
            own, board = cards[: oracle.OWN[code]], cards[oracle.OWN[code] :]
            order = oracle.FULL if size == 52 else oracle.REDUCED
            high = best(ROOM[code], read(own), read(board), deck)
            same(high, oracle.best_high(code, own, board, size, deck.ace_low), order)
            low = best(ROOM[code], read(own), read(board), deck, wants_low=True)
            same(low, oracle.best_low(code, own, board, size), oracle.FULL)


def every_kind_of_hand(size: int) -> Iterator[tuple[list[str], int]]:
    """Five cards for every five ranks that a deck has, of one suit or of several; and how many hands are like them."""
    ranks = oracle.RANKS[13 - size // 4 :]
    for five in combinations_with_replacement(ranks, 5):
        held = Counter(five)
        if max(held.values()) > 4:
            continue
        ways = prod(comb(4, often) for often in held.values())
        if len(held) == 5:
            yield [rank + "S" for rank in five], 4
            ways -= 4
        suits = "SHDCS" if len(held) == 5 else "SHDC"
        yield (
            [rank + suits[(n - five.index(rank)) if held[rank] > 1 else n % len(suits)] for n, rank in enumerate(five)],
            ways,
        )


@pytest.mark.clause("act-pk:3.1", "act-pk:3.3", "act-pk:3.4", "act-pk:3.5a", "act-pk:3.6", "act-pk:3.7")
@pytest.mark.parametrize("size", LOWEST)
def test_every_hand_of_every_deck(size: int) -> None:
    """Suits have no rank (3.1), so that these are all hands there are: their number is that of the deck's."""
    order = oracle.FULL if size == 52 else oracle.REDUCED
    dealt = list(every_kind_of_hand(size))
    assert sum(ways for _, ways in dealt) == comb(size, 5)
    for five, _ in dealt:
        for ace_low in (True, False):
            same(high(read(five), Deck(size, ace_low)), oracle.high(five, size, ace_low), order)
        same(low(read(five), Deck(size)), oracle.low(five), oracle.FULL)


@pytest.mark.clause("act-pk:2.3", "act-pk:3.3", "act-pk:3.7")
@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.long)])
def test_every_hand_with_the_joker_of_the_smallest_deck(every: int) -> None:
    """Up to the names of the suits: the first card is of spades, a new suit is the next of them."""
    deck = oracle.deck_of(32)
    for four in list(combinations(deck, 4))[::every]:
        seen = list(dict.fromkeys(card[1] for card in four))
        if seen != list("CDHS")[: len(seen)]:
            continue
        five = [*four, "JK"]
        right = max(oracle.high(full, 32, True) for full in oracle.stands_for(five, deck))
        same(high(read(five), Deck(32)), right, oracle.REDUCED)


UNIT = 50


@pytest.mark.clause("act-pk:3.5b", "act-pk:3.5c", "act-pk:12.1", "act-pk:14.2a")
@given(
    bets=st.lists(st.integers(1, 90), min_size=2, max_size=6),
    folded=st.sets(st.integers(0, 5)),
    buck=st.integers(0, 5),
    win=st.sampled_from(list(Win)),
    maximum=st.sampled_from([0, 300, 100_000]),
    ranks=st.lists(st.sampled_from("AKQT8653"), min_size=12, max_size=12),
)
def test_money_is_conserved_and_the_oracle_pays_the_same(
    bets: list[int], folded: set[int], buck: int, win: Win, maximum: int, ranks: list[str]
) -> None:
    """Any bets in half dollars: who folded, who has the buck and what wins as it comes; ties are many."""
    folded &= set(range(len(bets) - 2))
    free = {rank: [rank + suit for suit in "CDHS" if rank + suit not in BOARD] for rank in "AKQT8653"}
    seats = [3 * n + 2 for n in range(len(bets))]
    hands: dict[int, list[str]] = {}
    for n, seat in enumerate(seats):
        wanted = ranks[2 * n : 2 * n + 2]
        hands[seat] = [next(free[r].pop() for r in (rank, *"AKQT8653") if free[r]) for rank in wanted]
    put = {seat: bet * UNIT for seat, bet in zip(seats, bets, strict=True)}
    entered = Round(
        game="hold-em",
        board=BOARD,
        players=[
            Player(seat, Money.cents(put[seat]), tuple(hands[seat]), folded=n in folded) for n, seat in enumerate(seats)
        ],
        buck=seats[buck % len(seats)],
        win=win,
        commission_maximum=Money.cents(maximum),
    )
    found = decide(entered)
    conserved(entered, found)
    contesting = {seat for n, seat in enumerate(seats) if n not in folded}
    highs = {seat: oracle.best_high("hold-em", hands[seat], BOARD, 52, True) for seat in contesting}
    lows = {seat: oracle.best_low("hold-em", hands[seat], BOARD, 52) for seat in contesting}
    if win is Win.HIGH_LOW_8:
        lows = {seat: key for seat, key in lows.items() if key[0] == 0 and key[1][0] <= 8}
    judged = [(win is not Win.LOW and highs[seat], win is not Win.HIGH and lows.get(seat)) for seat in contesting]
    equal = not folded and all(each == judged[0] for each in judged)
    back, pots = oracle.money(put, contesting, UNIT)
    due = 0 if equal else oracle.commission(sum(amount for _, amount in pots), maximum)
    paid = oracle.settle(
        pots, highs if win is not Win.LOW else None, lows if win is not Win.HIGH else None, due, entered.buck
    )
    assert {seat: amount for seat, amount in paid.items() if amount} == {
        seat: amount.micros // 10_000 for seat, amount in found.paid.items()
    }
    assert back == {seat: amount.micros // 10_000 for seat, amount in found.uncalled.items()}
    assert [(tuple(pot.seats), pot.amount.micros // 10_000) for pot in found.pots] == pots


@pytest.mark.parametrize("game", list(oracle.OWN))
def test_every_game_and_deck_pays_what_the_oracle_says(game: str) -> None:
    """Three players at random, with the joker in the deck: hands, pots and shares at once."""
    chance = Random(f"showdown {game}")
    for size in (52, 48, 44, 40, 36, 32):
        cards = chance.sample([*oracle.deck_of(size), "JK"], 3 * oracle.OWN[game] + 5)
        own = oracle.OWN[game]
        hands = {seat: cards[own * n : own * (n + 1)] for n, seat in enumerate((1, 4, 7))}
        board = cards[3 * own :] if game in oracle.COMMUNAL else []
        put = {seat: 100 * chance.randrange(1, 40) for seat in hands}
        entered = Round(
            game=game,
            deck=size,
            joker=True,
            board=board,
            players=[Player(seat, Money.cents(put[seat]), tuple(hands[seat])) for seat in hands],
            buck=4,
            win=Win.HIGH,
            commission_maximum=Money.dollars(3),
        )
        found = decide(entered)
        conserved(entered, found)
        highs = {seat: oracle.best_high(game, hands[seat], board, size, True) for seat in hands}
        _, pots = oracle.money(put, set(hands), 100)
        equal = len({(place, *ranks) for place, ranks in highs.values()}) == 1
        due = 0 if equal else oracle.commission(sum(amount for _, amount in pots), 300)
        paid = oracle.settle(pots, highs, None, due, 4)
        assert {seat: Money.cents(amount) for seat, amount in paid.items() if amount} == found.paid


def player(seat: int, cards: str, dollars: str, *, folded: bool = False) -> Player:
    return Player(seat, Money.parse(dollars), tuple(cards.split()), folded)


def paid(*players: Player, **more: Any) -> dict[int, str]:
    asked: dict[str, Any] = {"game": "hold-em", "board": BOARD, "buck": players[0].seat, **more}
    return {seat: str(amount) for seat, amount in decide(Round(players=players, **asked)).paid.items()}


@pytest.mark.clause("act-pk:16.8", "act-pk:18.6")
def test_where_no_hand_is_right_the_last_to_fold_wins() -> None:
    wrong = (player(1, "AS", "10.00"), player(2, "KS", "10.00"))
    one, two = player(3, "", "4.00", folded=True), player(4, "", "2.00", folded=True)
    assert paid(*wrong, one) == {3: "23.00"}
    assert paid(*wrong, one, two, last_folded=4) == {4: "25.00"}
    for players, more, clause in (
        ((*wrong, one, two), {}, "act-pk:16.8"),
        ((*wrong, one, two), {"last_folded": 1}, "act-pk:16.8"),
        (wrong, {}, "act-pk:18.6"),
    ):
        with pytest.raises(Refusal) as no:
            paid(*players, **more)
        assert (no.value.code, no.value.clause) == ("nobody-holds-a-hand", clause)


@pytest.mark.clause("act-pk:A3.3", "act-pk:B3.4")
def test_where_the_deck_runs_out_the_last_card_of_a_stud_is_communal() -> None:
    for game, more in (("five-card-stud", ("", "")), ("seven-card-stud", (" 4H 3H", " 2C 2H"))):
        players = [player(1, "AS AH 7D 5C" + more[0], "5.00"), player(2, "KS QS JS TS" + more[1], "5.00")]
        assert paid(*players, game=game, board=("9S",)) == {2: "10.00"}


@pytest.mark.clause("act-pk:G2.7")
def test_what_was_thrown_away_at_draw_poker_may_be_dealt_again() -> None:
    hands = (player(1, "AS AH 9D 5C 4H", "5.00"), player(2, "KS KH 8D 6C 3H", "5.00"))
    gone = player(3, "AS 2C 2D 7S 7H", "2.00", folded=True)
    assert paid(*hands, gone, game="draw", board=()) == {1: "12.00"}
    for game, folded in (("five-card-stud", "AS 2C 2D 7S 7H"), ("draw", "2C 2C")):
        with pytest.raises(Refusal) as no:
            paid(*hands, player(3, folded, "2.00", folded=True), game=game, board=())
        assert no.value.code == "card-twice"


@pytest.mark.clause("act-pk:14.2a")
def test_the_commission_is_of_all_pots_together_and_from_the_main_pot_first() -> None:
    """The main pot of $3.00 is all taken, and $8.00 more from the next."""
    three = (player(1, "KS KH", "1.00"), player(2, "9S 9D", "110.00"), player(3, "AS AH", "110.00"))
    assert paid(*three) == {2: "210.00"}


@pytest.mark.clause("act-pk:9.3a", "act-pk:14.2b")
def test_the_one_who_is_left_wins_what_was_called() -> None:
    assert paid(player(1, "", "30.00"), player(2, "", "10.00", folded=True), board=BOARD[:3]) == {1: "19.00"}


@pytest.mark.clause("act-pk:2.2", "act-pk:2.3", "act-pk:4.2a", "act-pk:8.3", "act-pk:9.2", "act-pk:15.2")
@pytest.mark.parametrize(
    ("players", "more", "code", "clause"),
    [
        ([player(1, "AS AH", "5.00"), player(1, "KS KH", "5.00")], {}, "seats-wrong", "act-pk:15.2"),
        ([player(1, "AS AH", "5.00"), player(2, "KS KH", "5.00")], {"buck": 24}, "buck-wrong", "act-pk:8.3"),
        ([player(1, "AS AH", "5.00"), player(2, "KS KH", "0.00")], {}, "nothing-put-in", "act-pk:9.2"),
        ([player(1, "AS AH", "5.00"), player(2, "KD KH", "5.00")], {}, "card-twice", "act-pk:2.2"),
        ([player(1, "AS AH", "5.00"), player(2, "1D KH", "5.00")], {}, "card-not-in-deck", "act-pk:2.2"),
        ([player(1, "AS AH", "5.00"), player(2, "JK KH", "5.00")], {}, "card-not-in-deck", "act-pk:2.3"),
        ([player(1, "AS AH", "5.00"), player(2, "KS KH", "5.00")], {"deck": 0}, "no-such-deck", "act-pk:2.2"),
        ([player(1, "AS AH", "5.00"), player(2, "KS KH", "5.00")], {"game": "razz"}, "no-such-game", "act-pk:4.2a"),
    ],
)
def test_what_cannot_have_happened_is_refused(
    players: list[Player], more: dict[str, Any], code: str, clause: str
) -> None:
    with pytest.raises(Refusal) as no:
        paid(*players, **more)
    assert (no.value.code, no.value.clause) == (code, clause)


@pytest.mark.clause("act-pk:14.2d")
def test_no_commission_from_antes_and_blinds_alone() -> None:
    two = (player(1, "AS AH", "50.00"), player(2, "KS KH", "50.00"))
    assert paid(*two, only_blinds=True) == {2: "100.00"}
    assert paid(*two) == {2: "95.00"}


def test_in_the_full_deck_the_room_ranks_as_the_links_and_tables_do() -> None:
    """Two ways to rank five cards (`tablegames/rules/showdown_hands.py` says why), and one order."""
    chance = Random("one order")
    suited = [card for card in DECK if card.suit == DECK[0].suit]
    dealt = [chance.sample(deck, 5) for deck in (DECK, suited) for _ in range(2_000)]
    room = [high(five, Deck()).strength for five in dealt]
    links = [hands.rank(five) for five in dealt]
    in_order = sorted(range(len(dealt)), key=room.__getitem__)
    for lesser, greater in pairwise(in_order):
        assert (room[lesser] == room[greater]) == (links[lesser] == links[greater])
        assert links[lesser] <= links[greater]
