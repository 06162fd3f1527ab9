"""Baccarat, Blackjack and Pai Gow of the ACT schedule: every result, the tableau, and what cannot have happened."""

from __future__ import annotations

import random
from functools import partial

import pytest

from tablegames.rules import baccarat, pai_gow
from tablegames.rules.terms import Terms
from tests.tablegames.hands import figures, pays, play
from tests.world.refusals import refused_at

# Baccarat


@pytest.mark.parametrize("game", ["baccarat", "mini-baccarat"])
@pytest.mark.parametrize(
    ("player", "banker", "expected"),
    [
        ("9C KD", "3C 4S", ["10.00", "0.00", "0.00"]),
        ("2C 4D", "3C 4S", ["0.00", "9.50", "0.00"]),
        ("3D 4D", "3C 4S", ["0.00", "0.00", "80.00"]),
    ],
)
def test_baccarat_pays(game: str, player: str, banker: str, expected: list[str]) -> None:
    wagers = dict.fromkeys(("player", "banker", "tie"), "10.00")
    settled = play(game, wagers, cards={"player": player, "banker": banker})
    assert pays(settled) == expected
    document = "act-bac" if game == "baccarat" else "act-mb"
    assert all(line.clause.startswith(f"{document}:8.") for line in settled.owed)
    if expected[2] != "0.00":  # neither wins nor loses
        assert [str(settled.line(name).result) for name in ("player", "banker")] == ["stands-off", "stands-off"]


def tableau(player: list[int], banker: list[int]) -> tuple[bool, bool]:
    """7.2, 7.3, written out from the printed table: whether Player draws, and Banker (after Player's third card)."""
    rows = {
        0: "DDDDDDDDDDD", 1: "DDDDDDDDDDD", 2: "DDDDDDDDDDD", 3: "DDDDDDDDDSD", 4: "DSSDDDDDDSS", 5: "DSSSSDDDDSS",
        6: "SSSSSSSDDSS", 7: "SSSSSSSSSSS",
    }  # fmt: skip
    mine, theirs = sum(player[:2]) % 10, sum(banker[:2]) % 10
    if mine >= 8 or theirs >= 8:
        return False, False
    draws = mine <= 5
    column = 1 + player[2] if draws else 0
    return draws, rows[theirs][column] == "D"


@pytest.mark.parametrize("game", [baccarat.BACCARAT, baccarat.MINI_BACCARAT], ids=lambda game: game.code)
def test_baccarat_hands_dealt_by_the_tableau(game: baccarat.BaccaratGame) -> None:
    chance = random.Random(game.code)
    shoe = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"] * 8

    def count(card: str) -> int:
        return "A23456789".index(card[0]) + 1 if card[0] in "A23456789" else 0

    for _ in range(500):
        dealt = chance.sample(shoe, 6)
        player, banker, more = dealt[:2], dealt[2:4], dealt[4:]
        third = [count(card) for card in [*player, more[0]]]
        draws, banks = tableau(third, [count(card) for card in banker])
        if draws:
            player = [*player, more.pop(0)]
        if banks:
            banker = [*banker, more.pop(0)]
        mine, theirs = (sum(map(count, hand)) % 10 for hand in (player, banker))
        cards = {"player": " ".join(player), "banker": " ".join(banker)}
        settled = play(game.code, {"player": "1.00", "banker": "1.00", "tie": "1.00"}, cards=cards)
        expected = ["1.00", "0.00", "0.00"] if mine > theirs else ["0.00", "0.95", "0.00"]
        assert pays(settled) == (["0.00", "0.00", "8.00"] if mine == theirs else expected), cards
        # A third card where there should be none, or none where there should be one, is refused.
        wrong = {"player": cards["player"], "banker": " ".join(banker[:2] if banks else [*banker, more[-1]])}
        with pytest.raises(Exception, match="third card"):
            play(game.code, {"tie": "1.00"}, cards=wrong)


def test_baccarat_refusals() -> None:
    call = partial(play, "baccarat", {"tie": "1.00"})
    refused_at(
        "third-card-wrong", "act-bac:7.2", "cards.player", partial(call, cards={"player": "2C 3D", "banker": "3C 4S"})
    )
    refused_at("third-card-wrong", "act-bac:6.4", "cards.player", partial(
        call, cards={"player": "2C 3D 4C", "banker": "4C 4S"}))  # fmt: skip
    refused_at(
        "third-card-wrong", "act-bac:6.2", "cards.banker", partial(call, cards={"player": "2C 4D", "banker": "3C"})
    )
    refused_at("card-not-in-deck", "act-bac:2.1", "cards.player[0]", partial(
        call, cards={"player": "1C 4D", "banker": "3C 4S"}))  # fmt: skip
    refused_at("cards-not-wanted", None, "cards.dealer", partial(call, cards={"dealer": "3C 4S"}))
    refused_at("wager-not-of-this-game", None, "wagers.pair", partial(play, "baccarat", {"pair": "1.00"}, cards={}))
    assert figures(play("baccarat", {"tie": "1.00"}, irregularity="misdeal").line("tie"))[3] == "act-bac:9.5"


# Blackjack


@pytest.mark.clause("act-bj:13.1", "act-bj:13.2", "act-bj:2.5")
@pytest.mark.parametrize(
    ("hand", "dealer", "result", "pays_", "clause"),
    [
        ("AS KD", "9C 8D", "wins", "15.00", "act-bj:13.1c"),
        ("AS KD", "9C", "wins", "15.00", "act-bj:13.1c"),  # paid at once, the dealer need not draw
        ("AS KD", "AC KC", "stands-off", "0.00", "act-bj:13.1g"),
        ("TS 9D", "TC 8D", "wins", "10.00", "act-bj:13.1b"),
        ("TS 9D", "TC 6D TD", "wins", "10.00", "act-bj:13.1a"),
        ("TS 9D", "TC 9C", "stands-off", "0.00", "act-bj:13.1g"),
        ("TS 8D", "TC 9C", "loses", "0.00", "act-bj:13.1e"),
        ("TS 6D TH", "TC", "loses", "0.00", "act-bj:13.1d"),
        ("TS 5D 6H", "AC KC", "loses", "0.00", "act-bj:13.1f"),
        ("TS 5D 6H", "TC 6D 5S", "stands-off", "0.00", "act-bj:13.1g"),
        ("AS 6D", "AC 6C", "stands-off", "0.00", "act-bj:13.1g"),  # the dealer stands on a soft seventeen
    ],
)
def test_blackjack(hand: str, dealer: str, result: str, pays_: str, clause: str) -> None:
    line = play("blackjack", {"hand": "10.00"}, cards={"hand": hand, "dealer": dealer}).line("hand")
    assert figures(line) == (result, pays_, "0.00" if result == "loses" else "10.00", clause)


@pytest.mark.clause("act-bj:7.4", "act-bj:10.6", "act-bj:10.7", "act-bj:11.3")
def test_blackjack_splits_doubles_insurance_and_even_money() -> None:
    split = play(
        "blackjack",
        {"hand-1": "10.00", "hand-2": "10.00", "double-2": "10.00"},
        cards={"hand-1": "KS AD", "hand-2": "TS 2D 9H", "dealer": "TC 9D"},
    )
    assert pays(split) == ["10.00", "10.00", "10.00"]  # twenty-one after a split is no blackjack (10.7)
    insured = play("blackjack", {"hand": "10.00", "insurance": "5.00"}, cards={"hand": "TS 9D", "dealer": "AC KC"})
    assert [figures(line) for line in insured.owed] == [
        ("loses", "0.00", "0.00", "act-bj:13.1f"),
        ("wins", "10.00", "5.00", "act-bj:7.5b"),
    ]
    lost = play("blackjack", {"hand": "10.00", "insurance": "5.00"}, cards={"hand": "TS 9D", "dealer": "AC 7C"})
    assert figures(lost.line("insurance")) == ("loses", "0.00", "0.00", "act-bj:7.5a")
    even = play("blackjack", {"hand": "10.00"}, cards={"hand": "AS KD", "dealer": "AC KC"}, even_money=True)
    assert figures(even.line("hand")) == ("wins", "10.00", "10.00", "act-bj:8.1b")


@pytest.mark.clause("act-bj:17.6", "act-bj:17.7", "act-bj:17.11")
@pytest.mark.parametrize(
    ("hand", "pays_", "clause"),
    [
        ("7S 9D TH", "3.00", "a"),
        ("7S 7D TH", "50.00", "b"),
        ("7S 7S TH", "100.00", "b"),
        ("7S 7D 7S", "500.00", "c"),
        ("7S 7S 7S", "5000.00", "c"),
        ("9S 7S 2D", "0.00", "d"),
    ],
)
def test_super_sevens(hand: str, pays_: str, clause: str) -> None:
    wagers = {"hand": "10.00", "super-sevens": "1.00"}
    line = play("blackjack", wagers, cards={"hand": hand, "dealer": "TC 8D"}).line("super-sevens")
    assert (str(line.pays), line.clause) == (pays_, f"act-bj:17.6{clause}")
    assert not line.payments or line.payments[0].clause == "act-bj:17.11"


@pytest.mark.clause("act-bj:17.10")
def test_super_sevens_of_a_split_pair() -> None:
    """17.10: the first two cards and the third received."""
    wagers = {"hand-1": "10.00", "hand-2": "10.00", "super-sevens": "1.00"}
    cards = {"hand-1": "7S 7H 5D", "hand-2": "7D TD", "super-sevens": "7S 7D 7H", "dealer": "TC 8D"}
    assert str(play("blackjack", wagers, cards=cards).line("super-sevens").pays) == "500.00"
    # They are the cards of the hands, in a shoe that has each five times, and not three others.
    suited = {"hand-1": "7S 7S 5D", "hand-2": "7S TD", "super-sevens": "7S 7S 7S", "dealer": "7S 7S 9D"}
    found = play("blackjack", wagers, cards=suited, terms=Terms(decks=5)).line("super-sevens")
    assert str(found.pays) == "5000.00"
    for wrong in ("7S 7D 7D", "7S 7D TD", "7S 7H 7D", "7S 7S 7S", "7S 7D"):
        other = cards | {"super-sevens": wrong}
        refused_at("not-the-first-three", "act-bj:17.10", "cards.super-sevens", partial(
            play, "blackjack", wagers, cards=other))  # fmt: skip
    refused_at("wrong-number-of-cards", "act-bj:17.10", "cards.super-sevens", partial(
        play, "blackjack", wagers, cards=cards | {"super-sevens": ""}))  # fmt: skip
    # On a box that another split there is one hand, and it begins with one of the two.
    box = {"hand": "7S 7H 5D", "dealer": "TC 8D"}
    for three, won in (("7S 7D 7H", "500.00"), ("7D 7S 7C", "500.00"), ("7S 7D 8H", None), ("7D 7C 7H", None)):
        asked = partial(
            play,
            "blackjack",
            {"hand": "10.00", "super-sevens": "1.00"},
            cards=box | {"super-sevens": three},
            box_split=True,
        )
        if won is None:
            refused_at("not-the-first-three", "act-bj:17.10", "cards.super-sevens", asked)
        else:
            assert str(asked().line("super-sevens").pays) == won
    # Parted twice, the third is the first of a hand of its own.
    more = wagers | {"hand-3": "10.00"}
    again = cards | {"hand-1": "7S 5D", "hand-3": "7H TS"}
    assert str(play("blackjack", more, cards=again).line("super-sevens").pays) == "500.00"


@pytest.mark.clause("act-bj:17.5")
def test_super_sevens_without_a_hand_are_void() -> None:
    line = play("blackjack", {"super-sevens": "1.00"}, cards={}).line("super-sevens")
    assert (str(line.result), str(line.pays), str(line.returns), line.clause) == (
        "void", "0.00", "1.00", "act-bj:17.5",
    )  # fmt: skip


@pytest.mark.clause("act-bj:6.2", "act-bj:7.1", "act-bj:9.2", "act-bj:11.2", "act-bj:12.1")
@pytest.mark.parametrize(
    ("code", "clause", "field", "wagers", "cards"),
    [
        ("card-too-many", "act-bj:9.2a", "cards.hand", {}, {"hand": "TS 5D 6H 2C"}),
        ("card-too-few", "act-bj:9.2b", "cards.hand", {}, {"hand": "5S 6D"}),
        ("card-too-many", "act-bj:12.1a", "cards.dealer", {}, {"dealer": "TC 7D 2S"}),
        ("card-too-few", "act-bj:12.1a", "cards.dealer", {}, {"dealer": "TC 6D"}),
        ("double-one-card", "act-bj:11.2", "cards.hand", {"double": "10.00"}, {}),
        ("double-not-equal", "act-bj:11", "wagers.double", {"double": "5.00"}, {}),
        ("double-without-a-hand", None, "wagers.double-2", {"double-2": "10.00"}, {}),
        ("hand-and-split", "act-bj:10.3", "wagers.hand", {"hand-1": "10.00"}, {}),
        ("insurance-not-offered", "act-bj:7.1", "wagers.insurance", {"insurance": "5.00"}, {}),
        ("insurance-too-much", "act-bj:7.1", "wagers.insurance", {"insurance": "5.01"}, {"dealer": "AC 8D"}),
        ("wrong-number-of-cards", "act-bj:6.2", "cards.hand", {}, {"hand": "TS"}),
    ],
)
def test_blackjack_refusals(
    code: str, clause: str | None, field: str, wagers: dict[str, str], cards: dict[str, str]
) -> None:
    refused_at(
        code,
        clause,
        field,
        lambda: play("blackjack", {"hand": "10.00"} | wagers, cards={"hand": "TS 9D", "dealer": "TC 8D"} | cards),
    )


@pytest.mark.clause("act-bj:2.1", "act-bj:2.3")
def test_blackjack_refusals_of_its_shoe() -> None:
    insured = {"insurance": "1.00", "super-sevens": "1.00"}
    refused_at("hand-missing", "act-bj:4.1", "wagers.hand", partial(play, "blackjack", insured, cards={}))
    six = {"hand": "2S 2S 2S 2S 2S 2S", "dealer": "TC 8D"}
    terms = Terms(decks=5)
    refused_at("card-too-often", "act-bj:2.1", "cards.hand[5]", partial(
        play, "blackjack", {"hand": "1.00"}, cards=six, terms=terms))  # fmt: skip
    refused_at("even-money-not-offered", "act-bj:8.1b", "choices.even_money", partial(
        play, "blackjack", {"hand": "1.00"}, cards={"hand": "AS KD", "dealer": "9C 8D"}, even_money=True))  # fmt: skip


# Pai Gow


def hands(player: str, bank: str) -> dict[str, str]:
    """ "high high / low low" of each."""
    mine, theirs = ([part.strip() for part in text.split("/")] for text in (player, bank))
    return {"player_high": mine[0], "player_low": mine[1], "bank_high": theirs[0], "bank_low": theirs[1]}


@pytest.mark.clause("act-pg:11.1", "act-pg:11.3", "act-pg:11.4")
@pytest.mark.parametrize(
    ("player", "bank", "result", "pays_", "clause"),
    [
        ("teen teen / day chop-gow", "day yun / gor bon", "wins", "95.00", "act-pg:11.1"),
        ("gee-jun gee-jun / day yun", "teen teen / day chop-bot", "stands-off", "0.00", "act-pg:11.3"),
        ("gor foo / mooy ping", "teen yun / bon foo", "loses", "0.00", "act-pg:11.4"),
        # The same count: the higher tile decides, and what is wholly equal is the Bank's (11.2, 11.5).
        ("teen tif / gor look", "day chop-chit / bon chong", "stands-off", "0.00", "act-pg:11.3"),
        ("yun foo / mooy gee-jun", "yun foo / mooy gee-jun", "loses", "0.00", "act-pg:11.4"),
        # Nothing against nothing in the low part is the Bank's (11.6).
        ("teen chop-gow / gor chong", "day chop-gow / bon look", "stands-off", "0.00", "act-pg:11.3"),
    ],
)
def test_pai_gow(player: str, bank: str, result: str, pays_: str, clause: str) -> None:
    line = play("pai-gow", {"hand": "100.00"}, cards=hands(player, bank)).line("hand")
    assert figures(line) == (result, pays_, "0.00" if result == "loses" else "100.00", clause)
    if result == "wins":
        assert (str(line.payments[0].odds), line.payments[0].clause) == ("1 to 1 less 5%", "act-pg:11.8")


@pytest.mark.clause("act-pg:3.1", "act-pg:3.2", "act-pg:4.1", "act-pg:4.2")
def test_pai_gow_values() -> None:
    assert pai_gow.points("teen", "yun") == 0  # twelve and eight
    assert pai_gow.points("gee-jun", "chop-gow") == 5  # as six: fifteen; as three: twelve
    assert pai_gow.points("gee-jun", "look") == 9  # as three
    order = ["gee-jun gee-jun", "teen teen", "chop-ng chop-ng", "teen chop-gow", "day chop-gow", "teen yun",
             "day chop-bot", "teen tif", "day chop-chit", "yun ping"]  # fmt: skip
    values = [pai_gow.value(part.split()) for part in order]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


@pytest.mark.clause("act-pg:2.1", "act-pg:9.1")
def test_pai_gow_refusals() -> None:
    call = partial(play, "pai-gow", {"hand": "100.00"})
    fine = hands("teen teen / day chop-gow", "day yun / gor bon")
    refused_at(
        "tile-too-often", "act-pg:2.1", "cards.bank_low[0]", partial(call, cards=fine | {"bank_low": "teen bon"})
    )
    refused_at("tile-not-in-set", "act-pg:2.1", "cards.bank_low[1]", partial(call, cards=fine | {"bank_low": "gor x"}))
    refused_at("wrong-number-of-tiles", "act-pg:9.1", "cards.bank_low", partial(call, cards=fine | {"bank_low": "gor"}))
    refused_at("tiles-not-wanted", None, "cards.high", partial(call, cards=fine | {"high": "gor gor"}))
    refused_at("parts-the-wrong-way", "act-pg:9.1", "cards.player_high", partial(
        call, cards=hands("day chop-gow / teen teen", "day yun / gor bon")))  # fmt: skip
    assert figures(play("pai-gow", {"hand": "9.00"}, irregularity="misdeal").line("hand"))[3] == "act-pg:15.3"
