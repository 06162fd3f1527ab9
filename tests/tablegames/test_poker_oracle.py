"""Random hands against the documents read a second time (oracle.py)."""

from __future__ import annotations

import random
from itertools import product

import pytest

from kernel.money import Money
from tablegames.rules.combinations import two_best
from tablegames.rules.poker_games import LUNAR_NEW_ZEALAND, LUNAR_NSW, LUNAR_VANUATU, PokerGame
from tablegames.rules.terms import Terms
from tests.tablegames import oracle
from tests.tablegames.hands import STUDS, settle

RANKS, SUITS = "23456789TJQKA", "CDHS"
ISLAND_SUPER = {
    ("vu-lp", "standard"): (200, 50, 25, 8, 6),
    ("vu-lp", "three-7"): (200, 50, 25, 7, 6),
    ("vu-lp", "ace-king-queen-5"): (200, 50, 25, 8, 5),
    ("vu-lp", "three-7-ace-king-queen-5"): (200, 50, 25, 7, 5),
    ("nz-lp", "1"): (200, 50, 25, 8, 6),
    ("nz-lp", "2"): (250, 60, 30, 8, 6),
    ("nz-lp", "3"): (250, 60, 30, 8, 5),
    ("nz-lp", "4"): (250, 60, 30, 7, 5),
    ("nz-lp", "5"): (200, 50, 25, 8, 5),
    ("nz-lp", "6"): (200, 50, 25, 7, 6),
    ("nz-lp", "7"): (200, 50, 25, 7, 5),
}


def rich_deck(chance: random.Random) -> list[str]:
    """A shuffled deck; often one whose top holds few ranks or suits, so that high hands are not rare."""
    deck = [rank + suit for rank, suit in product(RANKS, SUITS)]
    chance.shuffle(deck)
    kind = chance.randrange(4)
    if kind == 1:
        few = chance.sample(RANKS, 3)
        deck.sort(key=lambda card: (card[0] not in few) + chance.random())
    elif kind == 2:
        low = chance.randrange(9)
        suit = chance.choice(SUITS)
        deck.sort(key=lambda card: (card[0] not in RANKS[low : low + 6]) + (card[1] != suit) * 0.7 + chance.random())
    elif kind == 3:
        suit = chance.choice(SUITS)
        deck.sort(key=lambda card: (card[1] != suit) * 0.8 + chance.random())
    return deck


def net(game: PokerGame, wagers: dict[str, str], terms: Terms, cards: dict[str, str], **choices: object) -> list[int]:
    """What each wager brought the player, in dollars."""
    answer = settle(game, wagers, terms, cards=cards, **choices)
    return [(line.total - line.stake).micros // 1_000_000 for line in answer.owed]


def draw(chance: random.Random, deck: list[str]) -> tuple[list[str], list[str], dict[str, str], dict[str, str]]:
    """The first five, the hand after a draw, and what a supervisor would enter of it."""
    first = [deck.pop() for _ in range(5)]
    kind = chance.choice(["none", "exchange", "sixth-card", "sixth-card"])
    cards, choices = {"player": " ".join(first)}, {"draw": kind}
    if kind == "sixth-card":
        sixth = deck.pop()
        return first, [*first, sixth], cards | {"sixth": sixth}, choices
    if kind == "exchange":
        gone = chance.sample(first, chance.randint(2, 5))
        drawn = [deck.pop() for _ in gone]
        final = [card for card in first if card not in gone] + drawn
        return first, final, cards | {"discarded": " ".join(gone), "drawn": " ".join(drawn)}, choices
    return first, first, cards, choices


@pytest.mark.clause("nsw-lp:9.3", "nsw-lp:9.4", "nsw-lp:9.5.1", "nsw-lp:10.1", "nsw-lp:10.2", "nsw-lp:10.5.3")
@pytest.mark.clause("nsw-lp:5.2.3-4", "nsw-lp:8.3", "nsw-lp:9.3.3", "nsw-lp:9.3.4", "nsw-lp:9.4.3.1-3", "nsw-lp:9.4.4")
@pytest.mark.clause("nsw-lp:9.4.5", "nsw-lp:9.5.1.1-3", "nsw-lp:9.5.2", "nsw-lp:9.5.2.1", "nsw-lp:9.6")
def test_lunar_poker_of_new_south_wales() -> None:
    chance = random.Random(2019)
    won, unsaid = 0, 0  # super wagers on the own hand: paid, and lost for want of a word
    for _ in range(1500):
        deck = rich_deck(chance)
        first, final, cards, choices = draw(chance, deck)
        dealer = [deck.pop() for _ in range(5)]
        other = [deck.pop() for _ in range(5)]
        ante = chance.randint(1, 50)
        wagers = {"ante": ante, "super": ante + 3, "super:dealer": ante, "super:box-2": ante + 1, "bet": 2 * ante}
        # With the instant payout declared the round would be over (10.4): such a hand goes on in silence here.
        declared = oracle.best(first)[2] not in ("royal", "straight flush") and chance.random() < 0.8
        found = net(
            LUNAR_NSW,
            {name: f"{amount}.00" for name, amount in wagers.items()},
            Terms(),
            cards | {"dealer": " ".join(dealer), "box-2": " ".join(other)},
            declared=declared,
            **choices,
        )
        drew = choices["draw"] != "none"
        ante_wins, bet_wins = oracle.lunar_nsw(ante, first, final, dealer, drew=drew)
        # Not declared, the super wager on the own hand is lost (8.3); those on others' hands are not his to declare.
        mine = oracle.super_nsw(first) if declared else -1
        won, unsaid = won + (mine > 0), unsaid + (not declared and oracle.super_nsw(first) > 0)
        expected = [
            ante_wins,
            (ante + 3) * mine,
            ante * oracle.super_nsw(dealer),
            (ante + 1) * oracle.super_nsw(other),
            bet_wins,
        ]
        assert found == expected + [-ante] * drew, (cards, dealer)
    assert won > 100
    assert unsaid > 25


@pytest.mark.clause("vu-lp:5.5", "vu-lp:5.6", "vu-lp:5.9", "vu-lp:5.11", "vu-lp:5.12", "vu-lp:10.2-4", "vu-lp:10.9")
@pytest.mark.clause("nz-lp:5.6", "nz-lp:5.9", "nz-lp:5.12", "nz-lp:10.2-4", "nz-lp:10.9", "nz-lp:5.5", "nz-lp:5.11")
@pytest.mark.clause("vu-lp:10.6", "vu-lp:10.7", "vu-lp:10.8", "nz-lp:10.6", "nz-lp:10.7", "nz-lp:10.8")
@pytest.mark.parametrize("game", [LUNAR_VANUATU, LUNAR_NEW_ZEALAND], ids=lambda game: game.code)
def test_lunar_poker_of_the_islands(game: PokerGame) -> None:
    chance = random.Random(game.code)
    for _ in range(1500):
        deck = rich_deck(chance)
        first, final, cards, choices = draw(chance, deck)
        dealer = [deck.pop() for _ in range(5)]
        if chance.random() < 0.3:  # odd cards, so that there is something to force
            while oracle.best(dealer)[0]:
                chance.shuffle(deck)
                dealer = deck[:5]
        deck = [card for card in deck if card not in dealer]
        replacement = chance.choice([card for card in deck if card not in final])
        forced = oracle.best(dealer)[0] == 0 and chance.random() < 0.8
        ante, cap = chance.randint(1, 50), chance.choice([None, 60, 300])
        odds = chance.choice(list(game.instant))
        name = chance.choice(list(game.supers))
        drew = choices["draw"] != "none"
        terms = Terms(super=name, instant=odds, maximum_payout=None if cap is None else Money.dollars(cap))
        declared = oracle.best(first)[2] not in ("royal", "straight flush")
        found = net(
            game,
            {"ante": f"{ante}.00", "super": "7.00", "bet": f"{2 * ante}.00"},
            terms,
            cards | {"dealer": " ".join(dealer)} | ({"replacement": replacement} if forced else {}),
            declared=declared,
            force=forced,
            **choices,
        )
        straight, royal = map(int, odds.split("/"))
        ante_wins, bet_wins = oracle.lunar_islands(
            ante,
            first,
            final,
            dealer,
            drew=drew,
            forced_by=replacement if forced else None,
            odds=(straight, royal),
            cap=cap,
        )
        four, flush, run, three, akq = ISLAND_SUPER[game.document, name]
        won = 7 * oracle.super_islands(first, four=four, flush=flush, straight=run, three=three, akq=akq)
        super_wins = -7 if not declared else won if cap is None else min(won, cap)
        assert found == [ante_wins, super_wins, bet_wins] + [-ante] * drew + [-ante] * forced, (cards, dealer)


@pytest.mark.clause("nsw-csp:9.1-9.5", "nsw-csp:10.1", "nsw-csp:10.2", "act-cp:8.1", "act-cp:9.2-9.6")
@pytest.mark.parametrize("game", STUDS, ids=lambda game: game.code)
def test_caribbean_stud_and_canberra_poker(game: PokerGame) -> None:
    chance = random.Random(game.code)
    for _ in range(2000):
        deck = rich_deck(chance)
        player, dealer = deck[:5], deck[5:10]
        ante, cap = chance.randint(1, 50), chance.choice([None, 60, 500])
        found = net(
            game,
            {"ante": f"{ante}.00", "bet": f"{2 * ante}.00"},
            Terms(maximum_payout=None if cap is None else Money.dollars(cap)),
            {"player": " ".join(player), "dealer": " ".join(dealer)},
        )
        assert found == list(oracle.stud(ante, 2 * ante, player, dealer, cap=cap)), (player, dealer)


def test_two_best_combinations_of_six_cards() -> None:
    from chance.cards import read_card

    chance = random.Random(6)
    for _ in range(2000):
        six = rich_deck(chance)[:6]
        first, second = two_best([read_card(card) for card in six])
        best = oracle.best(six)[2]
        if best == "odd":
            assert first is None
            continue
        assert first is not None
        odds = {"royal-flush": 100, "straight-flush": 50, "four-of-a-kind": 20, "full-house": 7, "flush": 5,
                "straight": 4, "three-of-a-kind": 3, "two-pairs": 2, "pair": 1, "ace-king": 1}  # fmt: skip
        assert odds[first.name] == oracle.BET[best]
        assert odds[first.name] + (odds[second.name] if second else 0) == oracle.bet_pays(six), six
