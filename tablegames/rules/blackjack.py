"""Blackjack of Casino Canberra with Super Sevens (act-bj): five to eight decks, the dealer stands on every 17.

A hand that was not split is ``hand``; split ones are ``hand-1`` to ``hand-4``, each with its own wager and cards, and
``double`` or ``double-1`` beside it where it was doubled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from chance.cards import Card
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.rules import owed
from tablegames.rules.baccarat import read_shoe
from tablegames.rules.layout import all_void, check_amounts, irregularity, no_such_wager, up_to_maximum
from tablegames.rules.odds import Cell, Odds
from tablegames.rules.owed import Owed, Settlement
from tablegames.rules.terms import Terms, only

CODE: Final = "blackjack"
TITLE: Final = "Blackjack with Super Sevens (Australian Capital Territory)"
DECKS: Final = range(5, 9)
INSURANCE: Final = "insurance"
SEVENS: Final = "super-sevens"
DEALER: Final = "dealer"
ACE: Final = 14
# What the player who decides for a box did, and this one, who wagers on it too, did not (10.2b, 11.2).
BOX_DOUBLED: Final = "box_doubled"
BOX_SPLIT: Final = "box_split"
BY_THE_BOX: Final = (BOX_DOUBLED, BOX_SPLIT)
HANDS: Final = ("hand", "hand-1", "hand-2", "hand-3", "hand-4")
DOUBLES: Final = tuple(hand.replace("hand", "double") for hand in HANDS)
WAGERS: Final = (*HANDS, *DOUBLES, INSURANCE, SEVENS)
CELLS: Final[Mapping[str, Cell]] = {
    cell.what: cell
    for cell in (
        Cell("blackjack", Odds(3, 2), "act-bj:13.2a"),
        Cell("hand", Odds(1), "act-bj:13.2b"),
        Cell("even-money", Odds(1), "act-bj:8.1b"),
        Cell("insurance", Odds(2), "act-bj:7.4"),
        Cell("one-seven", Odds(3), "act-bj:17.11"),
        Cell("two-sevens", Odds(50), "act-bj:17.11"),
        Cell("two-sevens-suited", Odds(100), "act-bj:17.11"),
        Cell("three-sevens", Odds(500), "act-bj:17.11"),
        Cell("three-sevens-suited", Odds(5000), "act-bj:17.11"),
    )
}
IRREGULARITIES: Final[Mapping[str, str]] = {"card-placement": "14.5", "rules-broken": "16.3", "invalidated": "16.5"}


def total(cards: Sequence[Card]) -> tuple[int, bool]:
    """The best count, and whether an ace counts eleven in it (2.5)."""
    hard = sum(1 if card.rank == 14 else min(card.rank, 10) for card in cards)
    soft = any(card.rank == 14 for card in cards) and hard <= 11
    return hard + 10 * soft, soft


def is_blackjack(cards: Sequence[Card]) -> bool:
    return len(cards) == 2 and total(cards)[0] == 21


def check_terms(terms: Terms) -> None:
    only(terms, "decks", game=TITLE, wagers=("hand", INSURANCE, SEVENS))
    if terms.decks is not None and terms.decks not in DECKS:
        raise Refusal(
            "terms-invalid", "Blackjack is played with five to eight decks.", clause="act-bj:2.1", field="terms.decks"
        )
    sevens = terms.limits.get(SEVENS)
    if sevens is not None and sevens.maximum != sevens.minimum:
        raise Refusal(
            "terms-invalid",
            "The Super Sevens wager is one amount: its minimum and its maximum.",
            clause="act-bj:17.4",
            field=f"terms.limits.{SEVENS}",
        )


def _check_sevens(terms: Terms, wagers: Mapping[str, Money]) -> None:
    """17.4: of the amount that was approved, where the sign has one."""
    approved = terms.limits.get(SEVENS)
    if approved is not None and wagers.get(SEVENS, approved.minimum) != approved.minimum:
        raise Refusal(
            "sevens-not-approved",
            f"The Super Sevens wager at this table is {approved.minimum}.",
            clause="act-bj:17.4",
            field=f"wagers.{SEVENS}",
        )


def settle(
    *, terms: Terms, wagers: Mapping[str, Money], cards: Mapping[str, Sequence[str]], choices: Mapping[str, object]
) -> Settlement:
    check_terms(terms)
    check_amounts(wagers)
    _check_sevens(terms, wagers)
    for wager in wagers:
        if wager not in WAGERS:
            raise no_such_wager(wager, WAGERS)
    fault = irregularity(TITLE, IRREGULARITIES, choices, allowed=("even_money", *BY_THE_BOX))
    if fault is not None:
        return all_void(CODE, wagers, clause=f"act-bj:{IRREGULARITIES[fault]}", why=fault)
    if set(wagers) == {SEVENS}:
        return all_void(CODE, wagers, clause="act-bj:17.5", why="no-wager-on-a-hand-beside-it")
    hands = [hand for hand in HANDS if hand in wagers]
    _check_hands(wagers, hands)
    split = "hand" not in hands
    parted = split or bool(choices.get(BOX_SPLIT))
    read = _read_cards(cards, hands, decks=terms.decks or max(DECKS), with_sevens=parted and SEVENS in wagers)
    if split:
        _check_split(hands, read)
    for hand in hands:
        doubled = _double(hand) in wagers or bool(choices.get(BOX_DOUBLED))
        _check_player(hand, read[hand], doubled=doubled, split=parted)
    if SEVENS in read:
        _check_first_three(read[SEVENS], [read[hand] for hand in hands], own=split)
    settled = [_hand(hand, wagers, read, choices, terms) for hand in hands]
    paid_early = bool(choices.get("even_money"))
    decided = all(_decided(read[hand], read[DEALER], natural=_is_natural(hand, read, choices)) for hand in hands)
    _check_dealer(read[DEALER], decided=decided or paid_early, insured=INSURANCE in wagers)
    lines = [line for both in settled for line in both]
    if INSURANCE in wagers:
        lines.append(_insurance(wagers, read[DEALER], hands))
    if SEVENS in wagers:
        lines.append(_sevens(wagers[SEVENS], read[SEVENS if parted else "hand"]))
    order = list(wagers)
    return Settlement(
        game=CODE,
        owed=tuple(sorted(lines, key=lambda line: order.index(line.wager))),
        notes=tuple(f"{name.capitalize()}: {total(dealt)[0]}." for name, dealt in read.items() if name != SEVENS),
    )


def _double(hand: str) -> str:
    return hand.replace("hand", "double")


def _read_cards(
    cards: Mapping[str, Sequence[str]], hands: Sequence[str], *, decks: int, with_sevens: bool
) -> dict[str, list[Card]]:
    """What lay on the table. The first three cards of a split hand lie in its hands already: they are named once more,
    and are no other cards of the shoe (17.10)."""
    on_table = {name: names for name, names in cards.items() if not (with_sevens and name == SEVENS)}
    read = read_shoe(on_table, names=[DEALER, *hands], decks=decks, clause="act-bj:2.1")
    if with_sevens:
        named = {SEVENS: cards.get(SEVENS, ())}
        read |= read_shoe(named, names=[SEVENS], decks=decks, clause="act-bj:2.1")
    return read


def _check_first_three(three: Sequence[Card], hands: Sequence[Sequence[Card]], *, own: bool) -> None:
    """The first two were parted to begin hands; the third came to the first of them, or was parted in turn. Of a box
    that another split (not *own*) this player has one hand, and it begins with one of the two."""
    first, begun = hands[0], Counter(hand[0] for hand in hands)
    if len(three) != 3:
        fits = not three  # none named is refused where it is settled
    elif own:
        fits = Counter(three[:2]) <= begun and Counter(three) <= begun + Counter(first[1:2])
    else:
        fits = first[0] in three[:2] and _alike(*three[:2]) and (three[2] == first[1] or _alike(three[2], first[0]))
    if not fits:
        raise Refusal(
            "not-the-first-three",
            "Name the two cards that were split, and the third received: they lie in the hands.",
            clause="act-bj:17.10",
            field=f"cards.{SEVENS}",
        )


def _alike(one: Card, other: Card) -> bool:
    """Of equal value, as cards that are split."""
    return one.rank == other.rank or (max(one.rank, other.rank) < ACE and min(one.rank, other.rank) >= 10)


def _check_hands(wagers: Mapping[str, Money], hands: Sequence[str]) -> None:
    if not hands:
        raise Refusal("hand-missing", "There is no wager on a hand.", clause="act-bj:4.1", field="wagers.hand")
    if "hand" in hands and len(hands) > 1:
        raise Refusal("hand-and-split", "A hand was split or it was not.", clause="act-bj:10.3", field="wagers.hand")
    for wager in wagers:
        if wager in DOUBLES and wager.replace("double", "hand") not in hands:
            raise Refusal("double-without-a-hand", "There is no such hand to double.", field=f"wagers.{wager}")
        if wager in DOUBLES and wagers[wager] != wagers[wager.replace("double", "hand")]:
            raise Refusal(
                "double-not-equal",
                "A double equals the wager on its hand.",
                clause="act-bj:11",
                field=f"wagers.{wager}",
            )
        if wager in hands and wagers[wager] != wagers[hands[0]]:
            raise Refusal(
                "split-not-equal", "Split hands carry equal wagers.", clause="act-bj:10", field=f"wagers.{wager}"
            )


def _check_split(hands: Sequence[str], read: Mapping[str, Sequence[Card]]) -> None:
    """Two to four hands of cards of equal value; aces are split once (the definition of a split, 10.3)."""
    first = [read[hand][0] for hand in hands if read[hand]]
    if len(hands) < 2:
        raise Refusal("split-of-one", "To split makes two hands.", clause="act-bj:10.3", field=f"wagers.{hands[0]}")
    if any(card.rank == ACE for card in first) and len(hands) > 2:
        raise Refusal("aces-split-again", "Aces are split only once.", clause="act-bj:10.3", field=f"wagers.{hands[2]}")
    if not all(_alike(card, first[0]) for card in first):
        raise Refusal(
            "split-unlike", "Only cards of equal value are split.", clause="act-bj:10.1", field=f"cards.{hands[1]}"
        )


def _is_natural(hand: str, read: Mapping[str, Sequence[Card]], choices: Mapping[str, object]) -> bool:
    """After a split an ace with a ten is twenty-one, not a blackjack (10.7); on a box that another split, too."""
    return hand == "hand" and not choices.get(BOX_SPLIT) and is_blackjack(read[hand])


def _check_player(hand: str, cards: Sequence[Card], *, doubled: bool, split: bool) -> None:
    field = f"cards.{hand}"
    if len(cards) < 2:
        raise Refusal("wrong-number-of-cards", "A hand has at least two cards.", clause="act-bj:6.2", field=field)
    if split and cards[0].rank == 14 and len(cards) != 2:
        raise Refusal("card-too-many", "To split aces one card is dealt each.", clause="act-bj:10.5", field=field)
    if doubled and len(cards) != 3:
        raise Refusal("double-one-card", "A doubled hand gets one card more.", clause="act-bj:11.2", field=field)
    for seen in range(2, len(cards)):
        if total(cards[:seen])[0] >= 21:
            raise Refusal("card-too-many", "No card is drawn to 21 or more.", clause="act-bj:9.2a", field=field)
    stands, soft = total(cards)
    if stands < 12 and not soft and not doubled:
        raise Refusal("card-too-few", "Below 12 a card must be drawn.", clause="act-bj:9.2b", field=field)


def _check_dealer(cards: Sequence[Card], *, decided: bool, insured: bool) -> None:
    field = f"cards.{DEALER}"
    if not cards:
        raise Refusal("wrong-number-of-cards", "The dealer has at least one card.", clause="act-bj:6.2", field=field)
    if insured and len(cards) < 2:
        raise Refusal(
            "card-too-few", "Insurance is settled by the dealer’s second card.", clause="act-bj:7.5", field=field
        )
    for seen in range(2, len(cards)):
        if total(cards[:seen])[0] >= 17:
            raise Refusal("card-too-many", "The dealer stands on 17 and higher.", clause="act-bj:12.1a", field=field)
    if total(cards)[0] < 17 and not decided:
        raise Refusal("card-too-few", "The dealer draws to 16.", clause="act-bj:12.1a", field=field)


def _decided(cards: Sequence[Card], dealer: Sequence[Card], *, natural: bool) -> bool:
    """Whether more cards to the dealer change nothing for this hand (12.1b): it is over 21; or it is a blackjack, and
    the dealer's first card makes none (8.1a), or the second shows whether it does."""
    if total(cards)[0] > 21 or not natural:
        return total(cards)[0] > 21
    can_match = bool(dealer) and (dealer[0].rank == ACE or min(dealer[0].rank, 10) == 10)
    return not can_match or len(dealer) >= 2


def _hand(
    hand: str,
    wagers: Mapping[str, Money],
    read: Mapping[str, Sequence[Card]],
    choices: Mapping[str, object],
    terms: Terms,
) -> list[Owed]:
    cards, dealer = read[hand], read[DEALER]
    natural, theirs = _is_natural(hand, read, choices), is_blackjack(dealer)
    mine, bank = total(cards)[0], total(dealer)[0]
    even = choices.get("even_money", False)
    if even and (not natural or not dealer or dealer[0].rank != 14):
        raise Refusal(
            "even-money-not-offered",
            "Even money is for a blackjack against a dealer’s ace.",
            clause="act-bj:8.1b",
            field="choices.even_money",
        )
    found = []
    for wager in (hand, _double(hand)):
        if wager not in wagers:
            continue
        placed = wagers[wager]
        stake = up_to_maximum(terms, "hand", placed)
        if even:
            paid = [owed.payment(CELLS["even-money"], stake)]
            line = owed.wins(wager, stake, paid, clause="act-bj:8.1b", why="Even money against the dealer’s ace.")
        elif mine > 21:
            line = owed.loses(wager, stake, clause="act-bj:13.1d", why=f"{mine} is over 21.")
        elif natural and theirs:
            line = owed.stands_off(wager, stake, clause="act-bj:13.1g", why="Both have blackjack.")
        elif natural:
            paid = [owed.payment(CELLS["blackjack"], stake)]
            line = owed.wins(wager, stake, paid, clause="act-bj:13.1c", why="Blackjack.")
        elif theirs:
            line = owed.loses(wager, stake, clause="act-bj:13.1f", why="The dealer has blackjack.")
        elif bank > 21 or mine > bank:
            number = "13.1a" if bank > 21 else "13.1b"
            paid = [owed.payment(CELLS["hand"], stake)]
            line = owed.wins(wager, stake, paid, clause=f"act-bj:{number}", why=f"{mine} against {bank}.")
        elif mine == bank:
            line = owed.stands_off(wager, stake, clause="act-bj:13.1g", why=f"{mine} against {bank}.")
        else:
            line = owed.loses(wager, stake, clause="act-bj:13.1e", why=f"{mine} against {bank}.")
        found.append(owed.with_excess(line, placed - stake, clause="act-bj:3.5"))
    return found


def _insurance(wagers: Mapping[str, Money], dealer: Sequence[Card], hands: Sequence[str]) -> Owed:
    if dealer[0].rank != 14:
        raise Refusal(
            "insurance-not-offered",
            "Insurance is offered when the dealer’s first card is an ace.",
            clause="act-bj:7.1",
            field=f"wagers.{INSURANCE}",
        )
    stake = wagers[INSURANCE]
    if 2 * stake > wagers[hands[0]]:
        raise Refusal(
            "insurance-too-much",
            "Insurance is at most half the wager.",
            clause="act-bj:7.1",
            field=f"wagers.{INSURANCE}",
        )
    if is_blackjack(dealer):
        paid = [owed.payment(CELLS["insurance"], stake)]
        return owed.wins(INSURANCE, stake, paid, clause="act-bj:7.5b", why="The dealer has blackjack.")
    return owed.loses(INSURANCE, stake, clause="act-bj:7.5a", why="The dealer’s second card is no ten.")


def sevens(cards: Sequence[Card]) -> str | None:
    """The highest of 17.11 that the first three cards are (17.7)."""
    run = []
    for card in cards[:3]:
        if card.rank != 7:
            break
        run.append(card)
    if not run:
        return None
    suited = len({card.suit for card in run}) == 1
    return ("one-seven", "two-sevens", "three-sevens")[len(run) - 1] + ("-suited" if suited and len(run) > 1 else "")


def _sevens(stake: Money, cards: Sequence[Card]) -> Owed:
    if not cards:
        raise Refusal(
            "wrong-number-of-cards",
            "Of a split hand, enter the first two cards and the third received.",
            clause="act-bj:17.10",
            field=f"cards.{SEVENS}",
        )
    found = sevens(cards)
    if found is None:
        return owed.loses(SEVENS, stake, clause="act-bj:17.6d", why="The first card is not a seven.")
    letter = {"one": "a", "two": "b", "three": "c"}[found.partition("-")[0]]
    paid = [owed.payment(CELLS[found], stake)]
    return owed.wins(SEVENS, stake, paid, clause=f"act-bj:17.6{letter}", why=found.replace("-", " ").capitalize() + ".")


def sevens_frequencies(decks: int) -> dict[str, Fraction]:
    """How often the first three cards are each of them, a third always being drawn to two sevens."""
    size, all_sevens, of_suit = 52 * decks, 4 * decks, decks
    one = Fraction(all_sevens, size)
    second = Fraction(all_sevens - 1, size - 1)
    second_suited = Fraction(of_suit - 1, size - 1)
    third = Fraction(all_sevens - 2, size - 2)
    third_suited = Fraction(of_suit - 2, size - 2)
    return {
        "one-seven": one * (1 - second),
        "two-sevens": one * (second - second_suited) * (1 - third),
        "two-sevens-suited": one * second_suited * (1 - third),
        "three-sevens": one * second * third - one * second_suited * third_suited,
        "three-sevens-suited": one * second_suited * third_suited,
    }


def edges(decks: int) -> dict[str, Fraction]:
    """What the house keeps of the side bets. The hand itself depends on how it is played, and has no one figure."""
    back = sum((often * (CELLS[name].odds.exact + 1) for name, often in sevens_frequencies(decks).items()), Fraction(0))
    tens = Fraction(16 * decks, 52 * decks - 1)
    return {SEVENS: 1 - back, INSURANCE: 1 - 3 * tens}
