"""What the five games against the dealer have in common, each by its own numbers: the deck, the order of hands, the
ante, the bet, the draw. A rule of one that is another's under another number is one test."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from kernel.money import Money
from tablegames.rules.poker_games import CANBERRA_POKER, CARIBBEAN_STUD, LUNAR_NSW, POKER_GAMES, PokerGame
from tablegames.rules.terms import Limit, Terms
from tests.tablegames.hands import ACE_KING, BY_NAME, figures, played, settle
from tests.world.refusals import refused_at

DOCUMENTS = {game.document: game for game in POKER_GAMES.values()}


def each(**numbers: str) -> pytest.MarkDecorator:
    """A case for each game, marked with its clauses: ``each(nsw_csp="3.1", vu_lp="7.3 7.4")``."""
    cases = []
    for name, text in numbers.items():
        document = name.replace("_", "-")
        marks = pytest.mark.clause(*(f"{document}:{number}" for number in text.split()))
        cases.append(pytest.param(DOCUMENTS[document], id=document, marks=marks))
    return pytest.mark.parametrize("game", cases)


def wagers_of(game: PokerGame, **changed: str | None) -> dict[str, str]:
    made: dict[str, str | None] = {"ante": "10.00", "bet": "20.00"}
    made |= {"super": "10.00"} if game.super_is_a_must else {}
    return {name: amount for name, amount in (made | changed).items() if amount is not None}


@each(nsw_csp="3.1", nsw_lp="3.1", vu_lp="7.3", nz_lp="7.3", act_cp="2.1")
def test_one_deck_has_each_card_once(game: PokerGame) -> None:
    clause = game.clause("cards")
    for code, field, player, dealer in (
        ("card-twice", "cards.player[4]", "8S 8H 6D 5C 8S", ACE_KING),
        ("card-twice", "cards.dealer[0]", "8S 8H 6D 5C 3C", "8S KC 9H 4S 2D"),
        ("card-not-in-deck", "cards.player[4]", "8S 8H 6D 5C 1C", ACE_KING),
        ("card-not-in-deck", "cards.dealer[4]", "8S 8H 6D 5C 3C", "AD KC 9H 4S *"),  # a joker
    ):
        refused_at(code, clause, field, partial(played, game, player, dealer))


HIGHER = [
    ("AS KH 9D 4C 3C", "AD KC 9H 5S 2D"),  # odd cards: the first that differs
    ("AS KH QD JC 9C", "2S 2H 3D 4C 5H"),  # a pair is above ace-king
    ("2S 2H AD KC QC", "3S 3H 4D 5C 6C"),
    ("3S 3H KD 5C 4C", "3D 3C AD 6C 2C"),  # equal pairs: the next card
    ("AS AH KD QC JC", "2S 2H 3D 3C 4C"),  # two pairs
    ("KS KH QD QC AC", "AS AH 2D 2C 3C"),
    ("AS AH 2D 2C KC", "AD AC 3D 3C 4C"),  # then the lower pair
    ("AS AH 3D 3C 4C", "AD AC 3S 3H 5C"),  # then the fifth card
    ("AS AH KD KC QC", "2S 2H 2D 3C 4C"),  # three of a kind
    ("2S 2H 2D AC KC", "3S 3H 3D 4C 5C"),
    ("AS AH AD KC QC", "5S 4H 3D 2C AC"),  # a straight, the ace low
    ("5S 4H 3D 2C AC", "6S 5H 4D 3C 2H"),  # and then it is the lowest
    ("KS QH JD TC 9C", "AS KH QD JC TH"),  # or high, and the highest
    ("AS KH QD JC TH", "7S 5S 4S 3S 2S"),  # a flush
    ("AS KS QS JS 8S", "AH KH QH JH 9H"),
    ("AS KS QS JS 9S", "2H 2D 2C 3H 3D"),  # a full house
    ("2H 2D 2C AH AD", "3S 3H 3D 4S 4H"),  # ranked by its three
    ("AS AH AD KC KD", "2S 2H 2D 2C 3C"),  # four of a kind
    ("KS KH KD KC QC", "5H 4H 3H 2H AH"),  # a straight flush, the ace low
    ("5H 4H 3H 2H AH", "6S 5S 4S 3S 2S"),
    ("KS QS JS TS 9S", "AH KH QH JH TH"),  # a royal flush
]
EQUAL = [
    ("AS KH 9D 4C 2C", "AD KC 9H 4S 2D"),
    ("5S 4H 3D 2C AC", "5H 4D 3C 2H AD"),
    ("AS KS QS JS 9S", "AH KH QH JH 9H"),  # no suit is above another
]


@each(
    nsw_csp="3.3 13.1 13.1.1-10 13.2 13.2.1-2",
    nsw_lp="11.1 11.2 11.2.1-10 11.3 11.3.1-2",
    vu_lp="4.1 4.2 4.3 4.4",
    nz_lp="4.1 4.2 4.3 4.4",
    act_cp="2.5 2.6 2.7 2.8",
)
def test_the_order_of_hands(game: PokerGame) -> None:
    silent: dict[str, Any] = {"declared": False} if game.lunar else {}

    def result(player: str, dealer: str) -> str:
        return str(played(game, player, dealer, **silent).line("bet").result)

    for lower, higher in HIGHER:
        assert (result(higher, lower), result(lower, higher)) == ("wins", "loses"), (lower, higher)
    for one, other in EQUAL:
        assert result(one, other) == result(other, one) == "stands-off", one


@each(nsw_csp="5.3.1", nsw_lp="5.2.1 5.2.2", vu_lp="5.1", nz_lp="5.1", act_cp="4.1")
def test_no_hand_without_an_ante(game: PokerGame) -> None:
    cards = {"player": BY_NAME["pair"], "dealer": ACE_KING}
    call = partial(settle, game, wagers_of(game, ante=None), cards=cards)
    refused_at("ante-missing", game.clause("ante-missing"), "wagers.ante", call)
    # A super wager beside it: a must in New South Wales, elsewhere as one likes, in the studs none at all.
    if game.super_is_a_must:
        call = partial(settle, game, wagers_of(game, super=None), cards=cards)
        refused_at("super-missing", "nsw-lp:5.2.2", "wagers.super", call)
    elif game.lunar:
        assert [line.wager for line in settle(game, wagers_of(game), cards=cards).owed] == ["ante", "bet"]
        assert str(settle(game, wagers_of(game, super="1.00"), cards=cards).line("super").result) == "loses"
    else:
        call = partial(settle, game, wagers_of(game, super="10.00"), cards=cards)
        refused_at("wager-not-of-this-game", None, "wagers.super", call)


@each(nsw_csp="5.5 5.6 8.7", nsw_lp="5.3 8.4.2 8.7", vu_lp="5.2 9.5", nz_lp="5.2 9.5", act_cp="7.2")
def test_who_plays_on_bets_twice_the_ante(game: PokerGame) -> None:
    cards = {"player": BY_NAME["pair"], "dealer": ACE_KING}
    call = partial(settle, game, wagers_of(game, bet=None), cards=cards, play="bet")
    refused_at("bet-missing", game.clause("bet-missing"), "wagers.bet", call)
    assert str(settle(game, wagers_of(game), cards=cards).line("bet").pays) == "20.00"
    for bet, counts in (("19.99", "19.99"), ("20.01", "20.00"), ("40.00", "20.00")):
        call = partial(settle, game, wagers_of(game, bet=bet), cards=cards)
        if game in (CARIBBEAN_STUD, LUNAR_NSW):  # found at settlement it is paid up to twice the ante
            line = call().line("bet")
            assert (str(line.pays), str(line.returns)) == (counts, bet)
        else:
            refused_at("bet-not-twice-the-ante", game.clause("bet-amount"), "wagers.bet", call)


@each(nsw_lp="8.4.3 8.4.4 8.4.5 8.8.1 8.8.2", vu_lp="8.5 8.6 9.9", nz_lp="8.5 8.6 9.9")
def test_a_draw_is_two_to_five_cards_or_a_sixth_for_the_antes_amount(game: PokerGame) -> None:
    held = ["8S", "8H", "6D", "5C", "3C"]
    new = ["QD", "QC", "JC", "TC", "7D"]
    for many in range(1, 6):
        cards = {"player": " ".join(held), "discarded": " ".join(held[-many:]), "drawn": " ".join(new[:many])}
        call = partial(settle, game, wagers_of(game), cards=cards | {"dealer": ACE_KING}, draw="exchange")
        if many == 1:
            refused_at("exchange-not-allowed", game.clause("exchange"), "cards.discarded", call)
            continue
        settled = call()
        assert figures(settled.line("draw-fee")) == ("fee", "0.00", "0.00", game.clause("fee"))
        pairs = 2 if many < 4 else 1  # eights and queens, or the queens alone
        assert str(settled.line("bet").payments[0].amount) == f"{20 * pairs}.00"
    sixth = {"player": " ".join(held), "sixth": "8D", "dealer": ACE_KING}
    bought = settle(game, wagers_of(game), cards=sixth, draw="sixth-card")
    assert str(bought.line("bet").payments[0].amount) == "60.00"  # three of a kind of six cards
    call = partial(settle, game, wagers_of(game) | {"draw-fee": "9.99"}, cards=sixth, draw="sixth-card")
    refused_at("fee-not-the-ante", game.clause("fee"), "wagers.draw-fee", call)
    # After the draw he may still fold: the ante and the fee are gone.
    folded = settle(game, wagers_of(game, bet=None), cards=sixth, draw="sixth-card", play="fold")
    assert [str(folded.line(name).total) for name in ("ante", "draw-fee")] == ["0.00", "0.00"]


@pytest.mark.clause("nsw-lp:8.4.5", "nsw-lp:6.3")
def test_a_fee_as_much_as_an_ante_above_the_sign_is_taken_to_the_maximum() -> None:
    limits = Terms(limits={"ante": Limit(Money.dollars(5), Money.dollars(10))})
    cards = {"player": BY_NAME["pair"], "sixth": "2C", "dealer": ACE_KING}
    wagers = {"ante": "15.00", "super": "15.00", "bet": "30.00"}
    for fee, back in (("15.00", "5.00"), ("10.00", "0.00"), (None, "0.00")):
        given = wagers | ({"draw-fee": fee} if fee else {})
        line = settle(LUNAR_NSW, given, limits, cards=cards, draw="sixth-card").line("draw-fee")
        assert figures(line) == ("fee", "0.00", back, "nsw-lp:8.4.5")
    for fee in ("12.00", "15.01"):
        given = wagers | {"draw-fee": fee}
        call = partial(settle, LUNAR_NSW, given, limits, cards=cards, draw="sixth-card")
        refused_at("fee-not-the-ante", "nsw-lp:8.4.5", "wagers.draw-fee", call)


@each(nsw_lp="4.1.4 12.17", vu_lp="11.17", nz_lp="11.19")
def test_with_too_few_cards_the_discards_are_dealt_again(game: PokerGame) -> None:
    cards = {"player": BY_NAME["pair"], "discarded": "6D 5C", "drawn": "5C QC", "dealer": ACE_KING}
    call = partial(settle, game, wagers_of(game), cards=cards, draw="exchange")
    refused_at("card-twice", game.clause("cards"), "cards.discarded[1]", call)
    assert str(call(reshuffled=True).line("bet").pays) == "20.00"


@pytest.mark.clause("nsw-lp:12.15")
def test_an_interim_settlement_stands_where_the_hand_cannot_be_put_together_again() -> None:
    """The super wager was settled before the cards were lost; ante, bet and fee go back, and wagers on other hands are
    settled like any other."""
    wagers = {"ante": "10.00", "super": "10.00", "draw-fee": "10.00"}
    lost: dict[str, Any] = {"irregularity": "not-reconstructed"}

    def lines(made: dict[str, str], cards: dict[str, str], **more: Any) -> dict[str, tuple[str, str, str, str]]:
        return {line.wager: figures(line) for line in settle(LUNAR_NSW, made, cards=cards, **lost, **more).owed}

    void = ("void", "0.00", "10.00", "nsw-lp:12.15")
    assert lines(wagers, {}) == dict.fromkeys(wagers, void)  # nothing had been settled
    taken = lines(wagers, {}, interim="taken")
    assert taken == dict.fromkeys(wagers, void) | {"super": ("loses", "0.00", "0.00", "nsw-lp:8.3")}
    paid = lines(wagers, {"player": BY_NAME["three-of-a-kind"]}, interim="paid")
    assert paid == dict.fromkeys(wagers, void) | {"super": ("wins", "80.00", "10.00", "nsw-lp:10.5.3")}
    others = wagers | {"super:dealer": "10.00", "super:box-2": "10.00"}
    found = lines(others, {"dealer": BY_NAME["full-house"], "box-2": "AS KH QD 7C 2D"}, interim="taken")
    assert [found[name][:2] for name in ("super:dealer", "super:box-2")] == [("wins", "1000.00"), ("wins", "50.00")]
    call = partial(settle, LUNAR_NSW, others, cards={"box-2": BY_NAME["odd-cards"]}, **lost)
    refused_at("wrong-number-of-cards", "nsw-lp:7.2", "cards.dealer", call)
    call = partial(settle, LUNAR_NSW, wagers, cards={}, irregularity="misdeal", interim="paid")
    refused_at("choice-not-offered", None, "choices.interim", call)
    call = partial(settle, CANBERRA_POKER, {"ante": "10.00"}, cards={}, irregularity="invalidated", interim="paid")
    refused_at("choice-not-offered", None, "choices.interim", call)
