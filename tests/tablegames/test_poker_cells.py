"""Every cell of every poker pay table, its clause, and what the documents say hand by hand."""

from __future__ import annotations

import pytest

from kernel.money import Money
from tablegames.rules.poker_games import (
    CANBERRA_POKER,
    CARIBBEAN_STUD,
    LUNAR_NEW_ZEALAND,
    LUNAR_NSW,
    LUNAR_VANUATU,
    PokerGame,
)
from tablegames.rules.terms import Terms
from tests.tablegames.hands import ACE_KING, BY_NAME, LUNARS, NOTHING, SIGN, STUDS, figures, played, settle

LUNAR_BET = {
    "royal-flush": 100, "straight-flush": 50, "four-of-a-kind": 20, "full-house": 7, "flush": 5, "straight": 4,
    "three-of-a-kind": 3, "two-pairs": 2, "pair": 1, "ace-king": 1,
}  # fmt: skip
STUD_BET = LUNAR_BET | {"royal-flush": 250}
BET_CLAUSE = {
    "nsw-lp": "nsw-lp:10.1",
    "vu-lp": "vu-lp:5.5",
    "nz-lp": "nz-lp:5.5",
    "nsw-csp": "nsw-csp:10.1",
    "act-cp": "act-cp:8.1",
}


@pytest.mark.clause("nsw-csp:10.1", "act-cp:8.1", "nsw-csp:9.1-9.5", "act-cp:9.2-9.6")
@pytest.mark.parametrize("hand", STUD_BET)
@pytest.mark.parametrize("game", STUDS, ids=lambda game: game.code)
def test_stud_bet_odds(game: PokerGame, hand: str) -> None:
    dealer = "AD KC 9H 4S 2D" if hand != "ace-king" else "AD KC JH 4S 2D"
    settled = played(game, BY_NAME[hand], dealer)
    wins = "nsw-csp:9.5.1.1" if game is CARIBBEAN_STUD else "act-cp:9.4"
    assert figures(settled.line("ante")) == ("wins", "10.00", "10.00", wins)
    assert figures(settled.line("bet")) == ("wins", f"{20 * STUD_BET[hand]}.00", "20.00", wins)
    (paid,) = settled.line("bet").payments
    assert (paid.what, str(paid.odds), paid.clause) == (hand, f"{STUD_BET[hand]} to 1", BET_CLAUSE[game.document])


@pytest.mark.clause("nsw-lp:10.1", "vu-lp:5.5", "nz-lp:5.5")
@pytest.mark.parametrize("hand", LUNAR_BET)
@pytest.mark.parametrize("game", LUNARS, ids=lambda game: game.code)
def test_lunar_bet_odds(game: PokerGame, hand: str) -> None:
    dealer = "AD KC 9H 4S 2D" if hand != "ace-king" else "AD KC JH 4S 2D"
    settled = played(game, BY_NAME[hand], dealer, declared=False)
    first = settled.line("bet").payments[0]
    assert (first.what, str(first.odds), first.clause) == (hand, f"{LUNAR_BET[hand]} to 1", BET_CLAUSE[game.document])
    assert first.amount == Money.dollars(20 * LUNAR_BET[hand])


@pytest.mark.clause("nsw-lp:10.2", "nsw-lp:9.3")
@pytest.mark.parametrize("hand", [*LUNAR_BET, "odd-cards"])
def test_ante_of_new_south_wales_when_the_dealer_does_not_qualify(hand: str) -> None:
    """1 to 1, from a straight up 4 to 1, and the instant odds for a straight or royal flush."""
    dealer = "QC JC 9H 4S 2D" if hand == "ace-king" else NOTHING
    line = played(LUNAR_NSW, BY_NAME[hand], dealer, declared=False).line("ante")
    high = {"straight": 4, "flush": 4, "full-house": 4, "four-of-a-kind": 4, "straight-flush": 250, "royal-flush": 1000}
    odds = high.get(hand, 1)
    clause = "nsw-lp:10.3" if odds > 4 else "nsw-lp:10.2"
    assert (str(line.pays), str(line.returns), line.payments[0].clause) == (f"{10 * odds}.00", "10.00", clause)


@pytest.mark.clause("nsw-lp:9.3", "vu-lp:5.5", "vu-lp:10.2-4", "nz-lp:10.2-4", "nsw-csp:9.1-9.5", "act-cp:9.2-9.6")
@pytest.mark.parametrize("game", [*LUNARS, *STUDS], ids=lambda game: game.code)
def test_dealer_does_not_qualify(game: PokerGame) -> None:
    settled = played(game, BY_NAME["pair"], NOTHING)
    clauses = {
        "nsw-lp": ("nsw-lp:9.3", "nsw-lp:9.3.4"),
        "vu-lp": ("vu-lp:10.2", "vu-lp:10.2"),
        "nz-lp": ("nz-lp:10.2", "nz-lp:10.2"),
        "nsw-csp": ("nsw-csp:9.4.1", "nsw-csp:9.2"),
        "act-cp": ("act-cp:9.3", "act-cp:9.3"),
    }[game.document]
    assert figures(settled.line("ante")) == ("wins", "10.00", "10.00", clauses[0])
    assert figures(settled.line("bet")) == ("stands-off", "0.00", "20.00", clauses[1])


@pytest.mark.clause("nsw-lp:9.4", "nsw-csp:9.1-9.5", "act-cp:9.2-9.6")
@pytest.mark.parametrize("game", [*LUNARS, *STUDS], ids=lambda game: game.code)
def test_lower_loses_and_equal_stands_off(game: PokerGame) -> None:
    lower = played(game, BY_NAME["odd-cards"], "AD KC 9H 4S 2D")
    assert [(str(lower.line(name).result), str(lower.line(name).total)) for name in ("ante", "bet")] == [
        ("loses", "0.00"),
        ("loses", "0.00"),
    ]
    equal = played(game, "AS KH 9D 4C 2C", "AD KC 9H 4S 2D")
    assert [(str(equal.line(name).result), str(equal.line(name).total)) for name in ("ante", "bet")] == [
        ("stands-off", "10.00"),
        ("stands-off", "20.00"),
    ]


@pytest.mark.clause("nsw-lp:9.5.1", "vu-lp:10.9", "nz-lp:10.9")
@pytest.mark.parametrize("game", LUNARS, ids=lambda game: game.code)
@pytest.mark.parametrize(
    ("player", "sixth", "odds"),
    [
        ("AS KH KD 5C 3C", None, [1, 1]),  # the pair, and the ace with a king
        ("AS AH KD 5C 3C", None, [1, 1]),
        ("KS KH KD KC AS", None, [20, 1]),  # four kings, and the ace with one of them
        ("8S 8H 8D 3S 3C", None, [7]),  # every card is in the full house
        ("AS AH KD KC 3C", None, [2]),  # ace and king are both in the two pairs
        ("AS AH 9D 9C 3C", "3D", [2, 2]),  # aces with nines, aces with threes
        ("3S 4D 5H 6C 7C", "4C", [4, 4]),  # the other four makes another straight
        ("3S 4D 5H 6C 7C", "8C", [4, 4]),
        ("KD JD 9D 7D 5D", "2D", [5, 5]),
        ("QS TS 8S 5S 3S", "QD", [5, 1]),
        ("AS AH AD KC KD", "KS", [7, 7]),
        ("8S 8H 8D 8C 3C", "3D", [20, 7]),
        ("5S 4D 3H 2C AC", "KD", [4, 1]),
        ("8S 8H 6D 5C 3C", "2D", [1]),
    ],
)
def test_second_combination(game: PokerGame, player: str, sixth: str | None, odds: list[int]) -> None:
    wagers = {"ante": "10.00", "bet": "20.00"} | ({"super": "10.00"} if game.super_is_a_must else {})
    cards = {"player": player, "dealer": "AC KH 9S 4H 2H" if "KH" not in player else "AC QH QC 4H 2H"}
    cards = cards | ({"sixth": sixth} if sixth else {})
    if "KC" in player or "AC" in player:
        cards["dealer"] = "TC TH 9S 4H 2H" if "8" not in player else "JC JH 9S 4H 2H"
    if odds[0] == 1:
        cards["dealer"] = "7S 7H 9S 4H 2H" if "8" in player or "K" in player else cards["dealer"]
    settled = settle(game, wagers, cards=cards, draw="sixth-card" if sixth else "none").line("bet")
    assert [payment.odds.to for payment in settled.payments] == odds
    assert settled.pays == Money.dollars(20 * sum(odds))
    if len(odds) == 2:
        assert settled.payments[1].clause == game.clause("second")


@pytest.mark.clause("nsw-lp:10.3", "nsw-lp:10.6.1")
@pytest.mark.parametrize(("hand", "odds"), [("royal-flush", 1000), ("straight-flush", 250)])
def test_instant_payout_of_new_south_wales(hand: str, odds: int) -> None:
    """The ante at once, whatever the dealer has; the super wager as a flush; and the round is over (10.4, 10.6)."""
    settled = settle(LUNAR_NSW, {"ante": "10.00", "super": "15.00"}, cards={"player": BY_NAME[hand]})
    assert figures(settled.line("ante")) == ("wins", f"{10 * odds}.00", "10.00", "nsw-lp:10.3")
    assert figures(settled.line("super")) == ("wins", f"{15 * 60}.00", "15.00", "nsw-lp:10.5.3")


THIRTEEN = [
    (200, 600), (300, 600), (200, 800), (300, 800), (200, 1000), (300, 1000), (200, 1200), (300, 1200), (400, 1200),
    (200, 1500), (300, 1500), (400, 1500), (500, 1500),
]  # fmt: skip


@pytest.mark.clause("vu-lp:5.6", "nz-lp:5.6", "vu-lp:5.11", "nz-lp:5.11")
@pytest.mark.parametrize("pair", THIRTEEN, ids=lambda pair: f"{pair[0]}/{pair[1]}")
@pytest.mark.parametrize("game", [LUNAR_VANUATU, LUNAR_NEW_ZEALAND], ids=lambda game: game.code)
def test_instant_payout_of_the_islands(game: PokerGame, pair: tuple[int, int]) -> None:
    terms = Terms(super=next(iter(game.supers)), instant=f"{pair[0]}/{pair[1]}")
    for hand, odds in (("straight-flush", pair[0]), ("royal-flush", pair[1])):
        settled = settle(game, {"ante": "10.00", "super": "5.00"}, terms, cards={"player": BY_NAME[hand]})
        assert figures(settled.line("ante")) == ("wins", f"{10 * odds}.00", "10.00", f"{game.document}:5.6")
        # The same hand is a same coloured straight for the super wager (5.11).
        assert str(settled.line("super").pays) == "750.00"


@pytest.mark.clause("vu-lp:5.6", "nz-lp:5.6")
def test_there_are_thirteen_pairs_and_no_other() -> None:
    for game in (LUNAR_VANUATU, LUNAR_NEW_ZEALAND):
        assert list(game.instant) == [f"{straight}/{royal}" for straight, royal in THIRTEEN]


SUPER_HANDS = {
    "four-of-a-kind": "KS KH KD KC JC",
    "same-coloured-straight": "8S 7C 6S 5S 4C",
    "five-picture-cards": "KS KH KD QS QC",
    "full-house": "8S 8H 8D 3S 3C",
    "flush": "QS TS 8S 5S 3S",
    "straight": "8S 7H 6D 5C 4C",
    "three-of-a-kind": "8S 8H 8D 5C 3C",
    "ace-king-queen": "AS KH QD 7C 7D",
    "five-same-coloured": "JS 9C 8S 5C 3C",
}
NSW_SUPER = {"four-of-a-kind": 200, "five-picture-cards": 150, "full-house": 100, "flush": 60, "straight": 25,
             "three-of-a-kind": 8, "ace-king-queen": 5, "five-same-coloured": 2}  # fmt: skip
ROWS = ("four-of-a-kind", "same-coloured-straight", "full-house", "flush", "straight", "three-of-a-kind",
        "ace-king-queen", "five-same-coloured")  # fmt: skip
ISLAND_SUPERS = {
    ("vu-lp", "standard"): (200, 150, 100, 50, 25, 8, 6, 2),
    ("vu-lp", "three-7"): (200, 150, 100, 50, 25, 7, 6, 2),
    ("vu-lp", "ace-king-queen-5"): (200, 150, 100, 50, 25, 8, 5, 2),
    ("vu-lp", "three-7-ace-king-queen-5"): (200, 150, 100, 50, 25, 7, 5, 2),
    ("nz-lp", "1"): (200, 150, 100, 50, 25, 8, 6, 2),
    ("nz-lp", "2"): (250, 150, 100, 60, 30, 8, 6, 2),
    ("nz-lp", "3"): (250, 150, 100, 60, 30, 8, 5, 2),
    ("nz-lp", "4"): (250, 150, 100, 60, 30, 7, 5, 2),
    ("nz-lp", "5"): (200, 150, 100, 50, 25, 8, 5, 2),
    ("nz-lp", "6"): (200, 150, 100, 50, 25, 7, 6, 2),
    ("nz-lp", "7"): (200, 150, 100, 50, 25, 7, 5, 2),
}


@pytest.mark.clause("nsw-lp:10.5.3", "nsw-lp:10.6")
def test_super_wager_of_new_south_wales() -> None:
    for hand, odds in NSW_SUPER.items():
        line = settle(LUNAR_NSW, {"ante": "10.00", "super": "10.00"}, cards={"player": SUPER_HANDS[hand]}).line("super")
        assert figures(line) == ("wins", f"{10 * odds}.00", "10.00", "nsw-lp:10.5.3"), hand
    # A same coloured straight is a straight here, and five picture cards are nothing on the islands.
    straight = {"player": SUPER_HANDS["same-coloured-straight"]}
    line = settle(LUNAR_NSW, {"ante": "10.00", "super": "10.00"}, cards=straight).line("super")
    assert str(line.pays) == "250.00"
    line = settle(LUNAR_VANUATU, {"ante": "10.00", "super": "10.00"}, cards={"player": "KS KH QD QC JC"}).line("super")
    assert str(line.result) == "loses"


@pytest.mark.clause("vu-lp:5.9", "nz-lp:5.9", "vu-lp:5.11")
@pytest.mark.parametrize(("document", "name"), ISLAND_SUPERS)
def test_super_wager_of_the_islands(document: str, name: str) -> None:
    game = LUNAR_VANUATU if document == "vu-lp" else LUNAR_NEW_ZEALAND
    assert set(game.supers) == {each for of, each in ISLAND_SUPERS if of == document}
    terms = Terms(super=name, instant="200/600")
    for hand, odds in zip(ROWS, ISLAND_SUPERS[document, name], strict=True):
        wagers = {"ante": "10.00", "super": "4.00"}
        line = settle(game, wagers, terms, cards={"player": SUPER_HANDS[hand]}).line("super")
        assert figures(line) == ("wins", f"{4 * odds}.00", "4.00", f"{document}:5.9"), hand
        assert line.payments[0].what == hand


@pytest.mark.clause("nsw-lp:5.2.3-4", "nsw-lp:5.2.5", "nsw-lp:9.6", "nsw-lp:10.5.3")
def test_super_wagers_on_the_dealer_and_on_others() -> None:
    """5.2.3, 5.2.4: each on the first five cards of the hand it lies on, also of a player who folds."""
    settled = settle(
        LUNAR_NSW,
        {"ante": "10.00", "super": "10.00", "super:dealer": "20.00", "super:box-3": "30.00"},
        cards={"player": BY_NAME["odd-cards"], "dealer": SUPER_HANDS["four-of-a-kind"], "box-3": "2S 4C 5S 7C 9S"},
    )
    assert [figures(line) for line in settled.owed] == [
        ("loses", "0.00", "0.00", "nsw-lp:8.6"),
        ("loses", "0.00", "0.00", "nsw-lp:10.5.3"),
        ("wins", "4000.00", "20.00", "nsw-lp:10.5.3"),
        ("wins", "60.00", "30.00", "nsw-lp:10.5.3"),
    ]


@pytest.mark.clause("vu-lp:5.12", "nz-lp:5.12", "nsw-csp:10.2", "act-cp:8.1")
def test_maximum_payout() -> None:
    """On every wager of the islands, each payment for itself; on bets only at the two studs."""
    cap = Money.dollars(300)
    for game in (LUNAR_VANUATU, LUNAR_NEW_ZEALAND):
        terms = Terms(super=SIGN[game.document].super, instant="300/1000", maximum_payout=cap)
        over = settle(game, {"ante": "10.00", "super": "10.00"}, terms, cards={"player": BY_NAME["royal-flush"]})
        assert [(str(line.pays), line.payments[0].capped_by) for line in over.owed] == [
            ("300.00", f"{game.document}:5.12"),
            ("300.00", f"{game.document}:5.12"),
        ]
        four = played(game, "KS KH KD KC AS", "TC TH 9S 4H 2H", terms).line("bet")
        assert [(str(paid.amount), paid.capped_by) for paid in four.payments] == [
            ("300.00", f"{game.document}:5.12"),
            ("20.00", None),
        ]
    for game, clause in ((CARIBBEAN_STUD, "nsw-csp:10.2"), (CANBERRA_POKER, "act-cp:8.2")):
        settled = played(game, BY_NAME["royal-flush"], ACE_KING, Terms(maximum_payout=cap))
        assert str(settled.line("ante").pays) == "10.00"
        (paid,) = settled.line("bet").payments
        assert (str(paid.amount), paid.capped_by) == ("300.00", clause)


@pytest.mark.clause("vu-lp:10.2-4", "nz-lp:10.2-4")
@pytest.mark.parametrize("game", [LUNAR_VANUATU, LUNAR_NEW_ZEALAND], ids=lambda game: game.code)
@pytest.mark.parametrize(
    ("replacement", "ante", "bet"),
    [
        ("7C", ("stands-off", "0.00", "10.00", "10.4"), ("stands-off", "0.00", "20.00", "10.4")),
        ("9D", ("stands-off", "0.00", "10.00", "10.8"), ("wins", "40.00", "20.00", "10.8")),  # a pair, and it loses
        ("JC", ("stands-off", "0.00", "10.00", "10.8"), ("wins", "40.00", "20.00", "10.8")),
    ],
)
def test_force_the_dealer(game: PokerGame, replacement: str, ante: tuple[str, ...], bet: tuple[str, ...]) -> None:
    """The queen goes, another card comes, once; the fee is the house's and the ante is not paid (10.3, 10.4)."""
    settled = settle(
        game,
        {"ante": "10.00", "bet": "20.00"},
        cards={"player": "AS AH KD 5C 3C", "dealer": "QD JH 9H 4S 2D", "replacement": replacement},
        force=True,
    )
    assert figures(settled.line("ante")) == (*ante[:3], f"{game.document}:{ante[3]}")
    assert figures(settled.line("bet")) == (*bet[:3], f"{game.document}:{bet[3]}")
    assert figures(settled.line("force-fee")) == ("fee", "0.00", "0.00", f"{game.document}:10.3")


@pytest.mark.clause("nsw-csp:14.11-12", "nsw-lp:12.12", "nsw-lp:12.12.1-2")
@pytest.mark.parametrize(
    ("bet", "pays", "returns"),
    [("12.00", "24.00", "12.00"), ("20.00", "40.00", "20.00"), ("35.00", "40.00", "35.00")],
)
@pytest.mark.parametrize("game", [CARIBBEAN_STUD, LUNAR_NSW], ids=lambda game: game.code)
def test_bet_that_is_not_twice_the_ante(game: PokerGame, bet: str, pays: str, returns: str) -> None:
    """Found at settlement: paid on what was wagered, and on no more than twice the ante; the rest goes back."""
    wagers = {"ante": "10.00", "bet": bet} | ({"super": "10.00"} if game.super_is_a_must else {})
    line = settle(game, wagers, cards={"player": BY_NAME["two-pairs"], "dealer": ACE_KING}).line("bet")
    assert (str(line.stake), str(line.pays), str(line.returns)) == (bet, pays, returns)
    lost = settle(game, wagers, cards={"player": BY_NAME["odd-cards"], "dealer": ACE_KING}).line("bet")
    assert str(lost.returns) == ("15.00" if bet == "35.00" else "0.00")


@pytest.mark.clause("nsw-csp:14.11-12")
def test_bet_corrected_before_the_dealers_cards_are_seen() -> None:
    """14.11.2: rather than correct it the player folds: the ante is taken, what was bet goes back."""
    settled = settle(CARIBBEAN_STUD, {"ante": "10.00", "bet": "15.00"}, cards={"player": BY_NAME["pair"]}, play="fold")
    assert figures(settled.line("ante")) == ("loses", "0.00", "0.00", "nsw-csp:8.6")
    assert figures(settled.line("bet")) == ("stands-off", "0.00", "15.00", "nsw-csp:14.11.2")
