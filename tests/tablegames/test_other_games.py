"""The other games of the ACT schedule: every cell, every rule of settlement, and what cannot have happened."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from ledger.money import Money
from tablegames.rules import baccarat, pai_gow
from tablegames.rules.catalogue import GAMES, every_cell, settle
from tablegames.rules.owed import Settlement
from tablegames.rules.roulette import RED, ROULETTE, WHEEL, neighbours
from tablegames.rules.terms import Limit, Terms
from tests.tablegames.hands import figures, money, refused


def play(
    game: str,
    wagers: dict[str, str],
    *,
    cards: dict[str, str] | None = None,
    outcome: str | None = None,
    terms: Terms | None = None,
    **choices: Any,
) -> Settlement:
    return settle(
        game,
        terms=terms or Terms(),
        wagers=money(wagers),
        cards=None if cards is None else {name: text.split() for name, text in cards.items()},
        outcome=outcome,
        choices=choices,
    )


def pays(settled: Settlement) -> list[str]:
    return [str(line.pays) for line in settled.owed]


def test_every_figure_carries_a_clause_of_its_document() -> None:
    assert len(GAMES) == 12
    for game, table, cell in every_cell():
        assert cell.clause.startswith(f"{game.document}:"), (game.code, table.name, cell)
        assert cell.odds.to > 0


# Roulette

ROULETTE_ODDS = {
    "straight-up:17": (35, "a"), "split:17/20": (17, "b"), "street:16/17/18": (11, "c"), "corner:16/17/19/20": (8, "d"),
    "six-line:16/17/18/19/20/21": (5, "e"), "column:2": (2, "f"), "dozen:2": (2, "g"), "low": (1, "h"), "odd": (1, "k"),
    "black": (1, "m"),
}  # fmt: skip


def test_roulette_pays_every_kind_that_holds_the_number() -> None:
    settled = play("roulette", dict.fromkeys(ROULETTE_ODDS, "2.00"), outcome="17")
    for line in settled.owed:
        odds, letter = ROULETTE_ODDS[line.wager]
        assert figures(line) == ("wins", f"{2 * odds}.00", "2.00", "act-ro:7.1"), line.wager
        assert line.payments[0].clause == f"act-ro:6.1{letter}"
    lost = play("roulette", {"high": "2.00", "even": "2.00", "red": "2.00", "straight-up:18": "1.00"}, outcome="17")
    assert {str(line.result) for line in lost.owed} == {"loses"}
    won = play("roulette", {"high": "2.00", "even": "2.00", "red": "2.00"}, outcome="18")
    assert pays(won) == ["0.00", "2.00", "2.00"]
    assert pays(play("roulette", {"high": "2.00"}, outcome="36")) == ["2.00"]


def test_roulette_zero_wins_only_where_zero_is() -> None:
    on_zero = ["straight-up:0", "split:0/2", "street:0/1/2", "street:0/2/3", "corner:0/1/2/3"]
    others = ["low", "high", "even", "odd", "red", "black", "column:1", "dozen:1", "street:1/2/3"]
    settled = play("roulette", dict.fromkeys(on_zero + others, "1.00"), outcome="0")
    assert pays(settled) == ["35.00", "17.00", "11.00", "11.00", "8.00"] + ["0.00"] * 9


def test_the_wheel_is_the_one_the_race_track_describes() -> None:
    """Each series of 4.9 is a run of neighbours, and together they cover the wheel once."""
    assert sorted(WHEEL) == list(range(37))
    assert len(RED) == 18
    assert all((WHEEL[i] in RED) != (WHEEL[i + 1] in RED) for i in range(1, 36))  # red and black take turns
    covers = {
        kind: {n for n in range(37) if any(piece.pays(n) for piece in ROULETTE.read_wager(kind))}
        for kind in ("tier", "orphans", "voisins-de-zero")
    }
    assert sorted(n for each in covers.values() for n in each) == list(range(37))
    twice = [WHEEL[i % 37] for i in range(74)]
    for kind, runs in (("tier", 1), ("orphans", 2), ("voisins-de-zero", 1)):
        starts = sum(1 for i in range(37) if twice[i] not in covers[kind] and twice[i + 1] in covers[kind])
        assert starts == runs
    assert neighbours(0) == [3, 26, 0, 32, 15]


def test_race_track_is_laid_in_equal_pieces() -> None:
    settled = play("roulette", {"voisins-de-zero": "9.00", "neighbours:17": "5.00", "tier": "6.00"}, outcome="2")
    voisins, around, tier = settled.owed
    assert (str(voisins.pays), str(voisins.returns)) == ("22.00", "2.00")  # two pieces on 0/2/3 at 11 to 1
    assert (str(around.pays), str(around.returns)) == ("35.00", "1.00")  # 2 is two places from 17
    assert (str(tier.pays), str(tier.returns)) == ("0.00", "0.00")
    refused("pieces-not-equal", None, "wagers.tier", partial(play, "roulette", {"tier": "1.00"}, outcome="2"))


@pytest.mark.parametrize(
    ("wager", "code", "clause"),
    [
        ("split:3/4", "not-adjacent", "act-ro:4.3"),
        ("split:17/17", "not-adjacent", "act-ro:4.3"),
        ("corner:3/4/6/7", "not-adjacent", "act-ro:4.3"),
        ("street:2/3/4", "not-adjacent", "act-ro:4.3"),
        ("six-line:2/3/4/5/6/7", "not-adjacent", "act-ro:4.3"),
        ("straight-up:37", "wager-not-of-this-game", None),
        ("straight-up:", "wager-not-of-this-game", None),
        ("column:4", "wager-not-of-this-game", None),
        ("red:1", "wager-not-of-this-game", None),
        ("green", "wager-not-of-this-game", None),
    ],
)
def test_wagers_that_are_not_on_the_layout(wager: str, code: str, clause: str | None) -> None:
    refused(code, clause, f"wagers.{wager}", partial(play, "roulette", {wager: "1.00"}, outcome="1"))


@pytest.mark.parametrize(
    ("game", "outcome", "clause"),
    [
        ("roulette", "37", "act-ro:2.1"),
        ("roulette", "", "act-ro:2.1"),
        ("roulette", "00", "act-ro:2.1"),  # this wheel has one zero
        ("sic-bo", "1 2", "act-sb:7.1"),
        ("sic-bo", "1 2 7", "act-sb:7.1"),
        ("money-wheel", "2", "act-mw:2.1"),
    ],
)
def test_outcomes_that_cannot_be(game: str, outcome: str, clause: str) -> None:
    wager = {"roulette": "red", "sic-bo": "big", "money-wheel": "1"}[game]
    refused("outcome-impossible", clause, "outcome", partial(play, game, {wager: "1.00"}, outcome=outcome))


def test_limits_voids_and_what_must_be_entered() -> None:
    terms = Terms(limits={"straight-up": Limit(Money.dollars(1), Money.dollars(10))})
    line = play("roulette", {"straight-up:5": "15.00"}, outcome="5", terms=terms).line("straight-up:5")
    assert (str(line.pays), str(line.returns)) == ("350.00", "15.00")
    assert "act-ro:3.5" in line.why
    void = play("roulette", {"red": "5.00"}, irregularity="left-the-wheel")
    assert figures(void.line("red")) == ("void", "0.00", "5.00", "act-ro:9.5")
    refused("irregularity-not-known", None, "choices.irregularity", partial(
        play, "roulette", {"red": "5.00"}, irregularity="rain"))  # fmt: skip
    refused("choice-not-known", None, "choices.force", partial(play, "roulette", {"red": "5.00"}, force=True))
    refused("not-entered-so", None, "cards", partial(play, "roulette", {"red": "5.00"}, cards={}))
    refused("wagers-missing", None, "wagers", partial(play, "roulette", {}, outcome="5"))
    refused("no-such-game", None, "game", partial(play, "whist", {"red": "5.00"}))
    refused("choice-not-offered", None, "choices.invalid", partial(
        play, "roulette", {"red": "5.00"}, outcome="5", invalid="before"))  # fmt: skip


# Sic-Bo and the wheel


@pytest.mark.parametrize(
    ("dice", "wager", "odds", "clause"),
    [
        ("1 2 3", "small", 1, "a"), ("6 6 5", "big", 1, "b"), ("4 4 4", "triple:4", 180, "c"),
        ("4 4 4", "double:4", 11, "d"), ("4 1 4", "double:4", 11, "d"), ("2 2 2", "any-triple", 31, "e"),
        ("1 1 2", "total:4", 62, "f"),
        ("6 6 5", "total:17", 62, "f"), ("1 2 2", "total:5", 31, "f"), ("6 6 4", "total:16", 31, "f"),
        ("1 2 3", "total:6", 18, "f"), ("6 5 4", "total:15", 18, "f"), ("1 2 4", "total:7", 12, "f"),
        ("6 5 3", "total:14", 12, "f"), ("1 2 5", "total:8", 8, "f"), ("6 5 2", "total:13", 8, "f"),
        ("1 2 6", "total:9", 7, "f"), ("6 5 1", "total:12", 7, "f"), ("1 3 6", "total:10", 6, "f"),
        ("1 4 6", "total:11", 6, "f"), ("1 4 6", "domino:6/1", 6, "g"), ("1 4 6", "single:4", 1, "h-i"),
        ("4 4 6", "single:4", 2, "h-ii"), ("4 4 4", "single:4", 12, "h-iii"),
    ],
)  # fmt: skip
def test_sic_bo(dice: str, wager: str, odds: int, clause: str) -> None:
    line = play("sic-bo", {wager: "3.00"}, outcome=dice).line(wager)
    assert figures(line) == ("wins", f"{3 * odds}.00", "3.00", "act-sb:4.3")
    assert line.payments[0].clause == f"act-sb:6.1{clause}"


def test_sic_bo_loses() -> None:
    wagers = dict.fromkeys(["small", "big", "triple:2", "double:1", "total:4", "domino:1/3", "single:5"], "1.00")
    assert {str(line.result) for line in play("sic-bo", wagers, outcome="3 3 3").owed} == {"loses"}
    refused("wager-not-of-this-game", "act-sb:4.3g", "wagers.domino:2/2", partial(
        play, "sic-bo", {"domino:2/2": "1.00"}, outcome="2 2 1"))  # fmt: skip
    refused("wager-not-of-this-game", None, "wagers.total:18", partial(
        play, "sic-bo", {"total:18": "1.00"}, outcome="6 6 6"))  # fmt: skip
    assert figures(play("sic-bo", {"big": "1.00"}, irregularity="not-flat").line("big"))[3] == "act-sb:8.1"


def test_money_wheel() -> None:
    odds = {"1": 1, "3": 3, "5": 5, "11": 11, "23": 23, "canberra": 47, "flag": 47}
    for segment, to in odds.items():
        settled = play("money-wheel", dict.fromkeys(odds, "2.00"), outcome=segment)
        assert [str(line.pays) for line in settled.owed] == [
            f"{2 * to}.00" if line.wager == segment else "0.00" for line in settled.owed
        ]


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
    document = "act-ba" if game == "baccarat" else "act-mb"
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
    refused(
        "third-card-wrong", "act-ba:7.2", "cards.player", partial(call, cards={"player": "2C 3D", "banker": "3C 4S"})
    )
    refused("third-card-wrong", "act-ba:6.4", "cards.player", partial(
        call, cards={"player": "2C 3D 4C", "banker": "4C 4S"}))  # fmt: skip
    refused("third-card-wrong", "act-ba:6.2", "cards.banker", partial(call, cards={"player": "2C 4D", "banker": "3C"}))
    refused("card-not-in-deck", "act-ba:2.1", "cards.player[0]", partial(
        call, cards={"player": "1C 4D", "banker": "3C 4S"}))  # fmt: skip
    refused("cards-not-wanted", None, "cards.dealer", partial(call, cards={"dealer": "3C 4S"}))
    refused("wager-not-of-this-game", None, "wagers.pair", partial(play, "baccarat", {"pair": "1.00"}, cards={}))
    assert figures(play("baccarat", {"tie": "1.00"}, irregularity="misdeal").line("tie"))[3] == "act-ba:9.5"


# Blackjack


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


def test_blackjack_splits_doubles_insurance_and_even_money() -> None:
    split = play(
        "blackjack",
        {"hand-1": "10.00", "hand-2": "10.00", "double-2": "10.00"},
        cards={"hand-1": "AS KD", "hand-2": "8S 3D TH", "dealer": "TC 9D"},
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


def test_super_sevens_of_a_split_pair() -> None:
    """17.10: the first two cards and the third received."""
    wagers = {"hand-1": "10.00", "hand-2": "10.00", "super-sevens": "1.00"}
    cards = {"hand-1": "7S 7H 5D", "hand-2": "7D TD", "super-sevens": "7S 7D 7H", "dealer": "TC 8D"}
    assert str(play("blackjack", wagers, cards=cards).line("super-sevens").pays) == "500.00"


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
    refused(
        code,
        clause,
        field,
        lambda: play("blackjack", {"hand": "10.00"} | wagers, cards={"hand": "TS 9D", "dealer": "TC 8D"} | cards),
    )


def test_blackjack_refusals_of_its_shoe_and_sevens() -> None:
    sevens = {"super-sevens": "1.00"}
    refused("hand-missing", "act-bj:17.5", "wagers.hand", partial(play, "blackjack", sevens, cards={}))
    six = {"hand": "2S 2S 2S 2S 2S 2S", "dealer": "TC 8D"}
    terms = Terms(decks=5)
    refused("card-too-often", "act-bj:2.1", "cards.hand[5]", partial(
        play, "blackjack", {"hand": "1.00"}, cards=six, terms=terms))  # fmt: skip
    refused("even-money-not-offered", "act-bj:8.1b", "choices.even_money", partial(
        play, "blackjack", {"hand": "1.00"}, cards={"hand": "AS KD", "dealer": "9C 8D"}, even_money=True))  # fmt: skip


# Pai Gow


def hands(player: str, bank: str) -> dict[str, str]:
    """ "high high / low low" of each."""
    mine, theirs = ([part.strip() for part in text.split("/")] for text in (player, bank))
    return {"player_high": mine[0], "player_low": mine[1], "bank_high": theirs[0], "bank_low": theirs[1]}


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


def test_pai_gow_values() -> None:
    assert pai_gow.points("teen", "yun") == 0  # twelve and eight
    assert pai_gow.points("gee-jun", "chop-gow") == 5  # as six: fifteen; as three: twelve
    assert pai_gow.points("gee-jun", "look") == 9  # as three
    order = ["gee-jun gee-jun", "teen teen", "chop-ng chop-ng", "teen chop-gow", "day chop-gow", "teen yun",
             "day chop-bot", "teen tif", "day chop-chit", "yun ping"]  # fmt: skip
    values = [pai_gow.value(part.split()) for part in order]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


def test_pai_gow_refusals() -> None:
    call = partial(play, "pai-gow", {"hand": "100.00"})
    fine = hands("teen teen / day chop-gow", "day yun / gor bon")
    refused("tile-too-often", "act-pg:2.1", "cards.bank_low[0]", partial(call, cards=fine | {"bank_low": "teen bon"}))
    refused("tile-not-in-set", "act-pg:2.1", "cards.bank_low[1]", partial(call, cards=fine | {"bank_low": "gor x"}))
    refused("wrong-number-of-tiles", "act-pg:9.1", "cards.bank_low", partial(call, cards=fine | {"bank_low": "gor"}))
    refused("tiles-not-wanted", None, "cards.high", partial(call, cards=fine | {"high": "gor gor"}))
    refused("parts-the-wrong-way", "act-pg:9.1", "cards.player_high", partial(
        call, cards=hands("day chop-gow / teen teen", "day yun / gor bon")))  # fmt: skip
    assert figures(play("pai-gow", {"hand": "9.00"}, irregularity="misdeal").line("hand"))[3] == "act-pg:15.3"


# Invalid wagers


@pytest.mark.clause("nsw-csp:14.20", "nsw-csp:16.1")
@pytest.mark.parametrize(
    ("found", "player", "expected"),
    [
        ("before", "8S 8H 5D 5C 3C", [("void", "0.00", "10.00", "14.20.1"), ("void", "0.00", "20.00", "14.20.1")]),
        ("during", "8S 8H 5D 5C 3C", [("void", "0.00", "10.00", "14.20.2"), ("void", "0.00", "20.00", "14.20.2")]),
        ("during", "QS TH 8D 5C 3C", [("loses", "0.00", "0.00", "9.5.1.2"), ("loses", "0.00", "0.00", "9.5.1.2")]),
        ("after", "8S 8H 5D 5C 3C", [("wins", "10.00", "10.00", "9.5.1.1"), ("wins", "40.00", "20.00", "9.5.1.1")]),
    ],
)
def test_invalid_wagers_in_their_three_cases(found: str, player: str, expected: list[tuple[str, ...]]) -> None:
    wagers = {"ante": "10.00", "bet": "20.00"}
    settled = play("caribbean-stud", wagers, cards={"player": player, "dealer": "AD KC 9H 4S 2D"}, invalid=found)
    assert [figures(line) for line in settled.owed] == [(*each[:3], f"nsw-csp:{each[3]}") for each in expected]
