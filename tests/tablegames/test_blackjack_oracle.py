"""Blackjack read a second time from the text (act-bj:2.5 to 13.2, 17): rounds dealt out of a shoe, as tables play them.

Whoever decides splits up to four hands, doubles, insures, takes even money and wagers on Super Sevens by chance; there
are other boxes or not, which says whether the dealer goes on. What is owed is worked out here, cent by cent; and a
round that was dealt by the text is refused as soon as one card of it is not. No line of the rules is used but the door.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.rules import catalogue
from tablegames.rules.terms import Terms

STAKE = 1_000  # cents
ROUNDS = 2_500


def worth(card: str) -> int:
    return {"A": 11, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def count(cards: list[str]) -> tuple[int, bool]:
    """2.5: the total, and whether it is soft."""
    total, aces = sum(map(worth, cards)), sum(card[0] == "A" for card in cards)
    while total > 21 and aces:
        total, aces = total - 10, aces - 1
    return total, aces > 0


def is_blackjack(cards: list[str]) -> bool:
    return len(cards) == 2 and sorted(map(worth, cards)) == [10, 11]


@dataclass
class Box:
    """One box, as its player played it."""

    hands: list[list[str]]
    doubled: list[bool] = field(default_factory=lambda: [False])
    split: bool = False
    three: list[str] = field(default_factory=list)  # the first three cards received
    insured: bool = False
    even_money: bool = False
    sevens: bool = False


def play_box(box: Box, draw: Random, shoe: list[str]) -> None:
    """9 to 11: hand after hand."""
    at = 0
    while at < len(box.hands):
        hand = box.hands[at]
        if len(hand) == 1:
            hand.append(shoe.pop())
            box.three.append(hand[-1])
        parted_aces = box.split and hand[0][0] == "A"
        alike = len(hand) == 2 and worth(hand[0]) == worth(hand[1])
        most = 2 if hand[0][0] == "A" else 4
        if alike and len(box.hands) < most and draw.random() < 0.8:  # 10.3
            box.split = True
            box.hands[at : at + 1] = [[hand[0]], [hand[1]]]
            box.doubled[at : at + 1] = [False, False]
            continue
        if not parted_aces:  # 10.5
            draw_cards(box, at, draw, shoe)
        at += 1


def draw_cards(box: Box, at: int, draw: Random, shoe: list[str]) -> None:
    hand = box.hands[at]
    if count(hand)[0] < 21 and draw.random() < 0.25:
        box.doubled[at] = True
        hand.append(shoe.pop())
        box.three.append(hand[-1])
        return
    stand = draw.randint(12, 20)
    while count(hand)[0] < 21 and (count(hand)[0] < stand or (count(hand)[0] < 12 and not count(hand)[1])):
        hand.append(shoe.pop())
        box.three.append(hand[-1])


def play_round(chance: Random, decks: int) -> tuple[Box, list[str]]:
    shoe = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"] * decks
    chance.shuffle(shoe)
    first = [shoe.pop(), shoe.pop()]
    if chance.random() < 0.4:  # pairs are rare, sevens rarer
        rank = chance.choice("77A8T")
        for each in first:
            shoe.append(each)
        first = [rank + chance.choice("CDHS"), rank + chance.choice("CDHS")]
        for each in first:
            shoe.remove(each)
        chance.shuffle(shoe)
    dealer = [shoe.pop()]
    box = Box([list(first)], three=list(first), sevens=chance.random() < 0.5)
    if dealer[0][0] == "A":
        box.even_money = is_blackjack(first) and chance.random() < 0.5
        box.insured = chance.random() < 0.5
    if not is_blackjack(first):
        play_box(box, chance, shoe)
    others = chance.random() < 0.5
    deal_dealer(box, dealer, shoe, others=others)
    return box, dealer


def deal_dealer(box: Box, dealer: list[str], shoe: list[str], *, others: bool) -> None:
    """12.1: to 17, unless more cards change nothing on any box."""
    natural = is_blackjack(box.hands[0]) and not box.split
    open_ = [hand for hand in box.hands if count(hand)[0] <= 21]
    matters = bool(open_) and not box.even_money and not (natural and worth(dealer[0]) < 10)
    if others or matters or box.insured:
        dealer.append(shoe.pop())
    while (others or (matters and not natural)) and count(dealer)[0] < 17:
        dealer.append(shoe.pop())


def due(box: Box, dealer: list[str]) -> dict[str, tuple[int, int]]:
    """By wager, in cents: what is paid on it, and what of it goes back (7.4, 8.1, 13, 17.11)."""
    found: dict[str, tuple[int, int]] = {}
    for n, hand in enumerate(box.hands):
        name = f"-{n + 1}" if box.split else ""
        natural = is_blackjack(hand) and not box.split
        mine, bank = count(hand)[0], count(dealer)[0]
        if box.even_money:
            line = STAKE, STAKE
        elif mine > 21:
            line = 0, 0
        elif natural or is_blackjack(dealer):
            line = (0, STAKE) if natural and is_blackjack(dealer) else (STAKE * 3 // 2, STAKE) if natural else (0, 0)
        elif bank > 21 or mine > bank:
            line = STAKE, STAKE
        else:
            line = (0, STAKE) if mine == bank else (0, 0)
        found[f"hand{name}"] = line
        if box.doubled[n]:
            found[f"double{name}"] = line
    if box.insured:
        half = STAKE // 2
        found["insurance"] = (2 * half, half) if is_blackjack(dealer) else (0, 0)
    if box.sevens:
        run = 0
        while run < min(3, len(box.three)) and box.three[run][0] == "7":
            run += 1
        suited = len({card[1] for card in box.three[:run]}) == 1
        odds = {0: 0, 1: 3, 2: 100 if suited else 50, 3: 5_000 if suited else 500}[run]
        found["super-sevens"] = (100 * odds, 100) if odds else (0, 0)
    return found


def entered(box: Box, dealer: list[str]) -> tuple[dict[str, Money], dict[str, list[str]], dict[str, object]]:
    wagers: dict[str, Money] = {}
    cards: dict[str, list[str]] = {"dealer": dealer}
    for n, hand in enumerate(box.hands):
        name = f"-{n + 1}" if box.split else ""
        wagers[f"hand{name}"] = Money.cents(STAKE)
        cards[f"hand{name}"] = hand
        if box.doubled[n]:
            wagers[f"double{name}"] = Money.cents(STAKE)
    if box.insured:
        wagers["insurance"] = Money.cents(STAKE // 2)
    if box.sevens:
        wagers["super-sevens"] = Money.dollars(1)
        if box.split:
            cards["super-sevens"] = box.three[:3]
    return wagers, cards, {"even_money": True} if box.even_money else {}


def settled(
    wagers: dict[str, Money], cards: dict[str, list[str]], choices: dict[str, object], decks: int
) -> dict[str, tuple[int, int]]:
    found = catalogue.settle("blackjack", terms=Terms(decks=decks), wagers=wagers, cards=cards, choices=choices)
    return {line.wager: (line.pays.micros // 10_000, line.returns.micros // 10_000) for line in found.owed}


@pytest.mark.clause("act-bj:2.5", "act-bj:7.4", "act-bj:8.1", "act-bj:10.3", "act-bj:10.5", "act-bj:10.7")
@pytest.mark.clause(
    "act-bj:11.3", "act-bj:12.1", "act-bj:13.1", "act-bj:13.2", "act-bj:17.7", "act-bj:17.10", "act-bj:17.11"
)
def test_rounds_as_tables_play_them() -> None:
    chance, seen = Random("blackjack by the text"), Counter[str]()
    for _ in range(ROUNDS):
        decks = chance.randint(5, 8)
        box, dealer = play_round(chance, decks)
        assert settled(*entered(box, dealer), decks) == due(box, dealer), (box, dealer)
        seen.update({
            f"{len(box.hands)} hands": True, "doubled after a split": box.split and any(box.doubled),
            "even money": box.even_money, "insurance won": box.insured and is_blackjack(dealer),
            "lone card of the dealer": len(dealer) == 1,
            "natural stopped at two": is_blackjack(box.hands[0]) and count(dealer)[0] < 17 and len(dealer) == 2,
            "three sevens parted": box.sevens and box.split and all(card[0] == "7" for card in box.three[:3]),
            "both blackjack": is_blackjack(box.hands[0]) and is_blackjack(dealer) and not box.split,
        })  # fmt: skip
    wanted = {"1 hands", "2 hands", "3 hands", "4 hands", "doubled after a split", "even money", "insurance won"}
    assert {what for what, often in seen.items() if often} >= wanted | {
        "lone card of the dealer", "natural stopped at two", "three sevens parted", "both blackjack",
    }  # fmt: skip


@pytest.mark.clause("act-bj:9.2", "act-bj:10.5", "act-bj:11.2", "act-bj:12.1", "act-bj:7.5")
def test_one_card_more_or_less_than_the_text_deals_is_refused() -> None:
    """A card to whoever stands by rule, a card too few of who must draw."""
    chance, tried = Random("one card"), Counter[str]()
    for _ in range(600):
        box, dealer = play_round(chance, 8)
        box.sevens = False
        wrong: list[tuple[str, list[list[str]], list[str], str]] = []
        if len(dealer) > 1 and count(dealer)[0] >= 17:
            wrong.append(("dealer draws to 17", box.hands, [*dealer, "2C"], "act-bj:12.1a"))
        if len(dealer) > 2 and any(count(hand)[0] <= 21 and not is_blackjack(hand) for hand in box.hands):
            wrong.append(("dealer stops at 16", box.hands, dealer[:-1], "act-bj:12.1a"))
        for n, hand in enumerate(box.hands):
            other = box.hands[:n], box.hands[n + 1 :]
            if count(hand)[0] >= 21 and not box.doubled[n] and not (box.split and hand[0][0] == "A"):
                wrong.append(("draws to 21", [*other[0], [*hand, "2C"], *other[1]], dealer, "act-bj:9.2a"))
            if box.doubled[n]:
                wrong.append(("two cards to a double", [*other[0], [*hand, "2C"], *other[1]], dealer, "act-bj:11.2"))
            if box.split and hand[0][0] == "A":
                wrong.append(("two cards to an ace", [*other[0], [*hand, "2C"], *other[1]], dealer, "act-bj:10.5"))
        if box.insured and not box.even_money:
            wrong.append(("insured, no second card", box.hands, dealer[:1], "act-bj:7.5"))
        for what, hands, bank, clause in wrong:
            changed = Box(hands, box.doubled, box.split, box.three, box.insured, box.even_money)
            with pytest.raises(Refusal) as no:
                settled(*entered(changed, bank), 8)
            assert no.value.clause == clause, (what, hands, bank)
            tried[what] += 1
    assert len(tried) == 6
