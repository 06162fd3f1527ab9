"""Roulette, dice and wheel of the ACT schedule: every cell, every rule of settlement, and what cannot have happened."""

from __future__ import annotations

from functools import partial

import pytest

from kernel.money import Money
from tablegames.rules.catalogue import GAMES
from tablegames.rules.dice_and_wheel import MONEY_WHEEL
from tablegames.rules.roulette import RED, ROULETTE, WHEEL, neighbours
from tablegames.rules.terms import Limit, Terms
from tests.tablegames.hands import figures, pays, play
from tests.world.refusals import refused_at


def test_every_figure_carries_a_clause_of_its_document() -> None:
    assert len(GAMES) == 12
    cells = [(game, table, cell) for game in GAMES.values() for table in game.pay_tables for cell in table.cells]
    for game, table, cell in cells:
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
        assert figures(line) == ("wins", f"{2 * odds}.00", "2.00", "act-ar:7.1"), line.wager
        assert line.payments[0].clause == f"act-ar:6.1{letter}"
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
    refused_at("pieces-not-equal", None, "wagers.tier", partial(play, "roulette", {"tier": "1.00"}, outcome="2"))


@pytest.mark.parametrize(
    ("wager", "code", "clause"),
    [
        ("split:3/4", "not-adjacent", "act-ar:4.3"),
        ("split:17/17", "not-adjacent", "act-ar:4.3"),
        ("corner:3/4/6/7", "not-adjacent", "act-ar:4.3"),
        ("street:2/3/4", "not-adjacent", "act-ar:4.3"),
        ("six-line:2/3/4/5/6/7", "not-adjacent", "act-ar:4.3"),
        ("straight-up:37", "wager-not-of-this-game", None),
        ("straight-up:", "wager-not-of-this-game", None),
        ("column:4", "wager-not-of-this-game", None),
        ("red:1", "wager-not-of-this-game", None),
        ("green", "wager-not-of-this-game", None),
    ],
)
def test_wagers_that_are_not_on_the_layout(wager: str, code: str, clause: str | None) -> None:
    refused_at(code, clause, f"wagers.{wager}", partial(play, "roulette", {wager: "1.00"}, outcome="1"))


@pytest.mark.clause("act-ar:2.1", "act-sb:2.1", "act-sb:7.1", "act-mw:2.1")
@pytest.mark.parametrize(
    ("game", "outcome", "clause"),
    [
        ("roulette", "37", "act-ar:2.1"),
        ("roulette", "", "act-ar:2.1"),
        ("roulette", "00", "act-ar:2.1"),  # this wheel has one zero
        ("sic-bo", "1 2", "act-sb:7.1"),
        ("sic-bo", "1 2 7", "act-sb:7.1"),
        ("money-wheel", "2", "act-mw:2.1"),
    ],
)
def test_outcomes_that_cannot_be(game: str, outcome: str, clause: str) -> None:
    wager = {"roulette": "red", "sic-bo": "big", "money-wheel": "1"}[game]
    refused_at("outcome-impossible", clause, "outcome", partial(play, game, {wager: "1.00"}, outcome=outcome))


def test_limits_voids_and_what_must_be_entered() -> None:
    terms = Terms(limits={"straight-up": Limit(Money.dollars(1), Money.dollars(10))})
    line = play("roulette", {"straight-up:5": "15.00"}, outcome="5", terms=terms).line("straight-up:5")
    assert (str(line.pays), str(line.returns)) == ("350.00", "15.00")
    assert "act-ar:3.5" in line.why
    void = play("roulette", {"red": "5.00"}, irregularity="left-the-wheel")
    assert figures(void.line("red")) == ("void", "0.00", "5.00", "act-ar:9.5")
    refused_at("irregularity-not-known", None, "choices.irregularity", partial(
        play, "roulette", {"red": "5.00"}, irregularity="rain"))  # fmt: skip
    refused_at("choice-not-known", None, "choices.force", partial(play, "roulette", {"red": "5.00"}, force=True))
    refused_at("not-entered-so", None, "cards", partial(play, "roulette", {"red": "5.00"}, cards={}))
    refused_at("wagers-missing", None, "wagers", partial(play, "roulette", {}, outcome="5"))
    refused_at("no-such-game", None, "game", partial(play, "whist", {"red": "5.00"}))
    refused_at("choice-not-offered", None, "choices.invalid", partial(
        play, "roulette", {"red": "5.00"}, outcome="5", invalid="before"))  # fmt: skip


# Sic-Bo and the wheel


@pytest.mark.clause("act-sb:4.3", "act-sb:6.1", "act-sb:7.1", "act-sb:7.2")
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


@pytest.mark.clause("act-sb:4.3")
def test_sic_bo_loses() -> None:
    wagers = dict.fromkeys(["small", "big", "triple:2", "double:1", "total:4", "domino:1/3", "single:5"], "1.00")
    assert {str(line.result) for line in play("sic-bo", wagers, outcome="3 3 3").owed} == {"loses"}
    refused_at("wager-not-of-this-game", "act-sb:4.3g", "wagers.domino:2/2", partial(
        play, "sic-bo", {"domino:2/2": "1.00"}, outcome="2 2 1"))  # fmt: skip
    refused_at("wager-not-of-this-game", None, "wagers.total:18", partial(
        play, "sic-bo", {"total:18": "1.00"}, outcome="6 6 6"))  # fmt: skip
    assert figures(play("sic-bo", {"big": "1.00"}, irregularity="not-flat").line("big"))[3] == "act-sb:8.1"


@pytest.mark.clause("act-mw:2.1", "act-mw:4.4", "act-mw:6.1", "act-mw:7.1", "act-mw:7.2")
def test_money_wheel() -> None:
    odds = {"1": 1, "3": 3, "5": 5, "11": 11, "23": 23, "canberra": 47, "flag": 47}
    segments = {"1": 24, "3": 12, "5": 8, "11": 4, "23": 2, "canberra": 1, "flag": 1}
    assert {name: MONEY_WHEEL.outcomes.count(name) for name in odds} == segments
    refused_at("wager-not-of-this-game", None, "wagers.2", partial(play, "money-wheel", {"2": "1.00"}, outcome="1"))
    for segment, to in odds.items():
        settled = play("money-wheel", dict.fromkeys(odds, "2.00"), outcome=segment)
        assert [str(line.pays) for line in settled.owed] == [
            f"{2 * to}.00" if line.wager == segment else "0.00" for line in settled.owed
        ]


# Invalid wagers


@pytest.mark.clause("nsw-csp:14.20", "nsw-csp:14.20.1", "nsw-csp:14.20.2", "nsw-csp:14.20.3", "nsw-csp:16.1")
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
