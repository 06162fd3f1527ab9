"""Folding, drawing, declaring, what goes wrong at a table, and what cannot have happened."""

from __future__ import annotations

from functools import partial
from typing import Any

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
from tablegames.rules.terms import Limit, Terms
from tablegames.sign import read
from tests.tablegames.hands import ACE_KING, BY_NAME, LUNARS, STUDS, figures, played, settle
from tests.world.refusals import refused_at

SUPER_AND_BET = {"ante": "10.00", "super": "10.00", "bet": "20.00"}


@pytest.mark.clause("nsw-csp:8.6", "nsw-lp:8.6", "nsw-lp:8.4.1", "vu-lp:9.4", "nz-lp:9.4", "act-cp:7.3")
@pytest.mark.parametrize("game", [*LUNARS, *STUDS], ids=lambda game: game.code)
def test_fold_takes_the_ante(game: PokerGame) -> None:
    wagers = {"ante": "10.00"} | ({"super": "10.00"} if game.lunar else {})
    settled = settle(game, wagers, cards={"player": BY_NAME["three-of-a-kind"]})
    number = {"nsw-lp": "8.6", "vu-lp": "9.4", "nz-lp": "9.4", "nsw-csp": "8.6", "act-cp": "7.3"}[game.document]
    assert figures(settled.line("ante")) == ("loses", "0.00", "0.00", f"{game.document}:{number}")
    if game.lunar:  # settled before the fold
        assert str(settled.line("super").pays) == "80.00"


@pytest.mark.clause("nsw-lp:9.1", "nsw-csp:9.8")
@pytest.mark.parametrize("game", [LUNAR_NSW, CARIBBEAN_STUD], ids=lambda game: game.code)
def test_conceding_loses_both(game: PokerGame) -> None:
    settled = played(game, BY_NAME["pair"], ACE_KING, play="concede")
    clause = "nsw-lp:9.1" if game is LUNAR_NSW else "nsw-csp:9.8"
    assert [figures(settled.line(name)) for name in ("ante", "bet")] == [("loses", "0.00", "0.00", clause)] * 2
    refused_at("choice-not-offered", None, "choices.play", lambda: played(CANBERRA_POKER, ACE_KING, "", play="concede"))


@pytest.mark.parametrize("game", LUNARS, ids=lambda game: game.code)
def test_draw_fee_is_the_ante_and_the_houses(game: PokerGame) -> None:
    cards = {"player": "8S 8H 6D 5C 3C", "discarded": "6D 5C 3C", "drawn": "8D QD QC", "dealer": ACE_KING}
    settled = settle(game, SUPER_AND_BET, cards=cards, draw="exchange")
    assert figures(settled.line("draw-fee"))[:3] == ("fee", "0.00", "0.00")
    assert str(settled.line("bet").pays) == "140.00"  # a full house after the exchange
    refused_at(
        "fee-not-the-ante",
        game.clause("fee"),
        "wagers.draw-fee",
        lambda: settle(game, SUPER_AND_BET | {"draw-fee": "5.00"}, cards=cards, draw="exchange"),
    )
    refused_at(
        "fee-not-due",
        None,
        "wagers.draw-fee",
        lambda: settle(
            game, SUPER_AND_BET | {"draw-fee": "10.00"}, cards={"player": BY_NAME["pair"], "dealer": ACE_KING}
        ),
    )


@pytest.mark.clause("nsw-lp:10.3", "vu-lp:5.6", "nz-lp:5.6", "nsw-lp:8.3", "vu-lp:9.2", "nz-lp:9.2")
@pytest.mark.clause("nsw-lp:12.16.1", "nsw-lp:12.16.2", "vu-lp:11.15", "vu-lp:11.16")
@pytest.mark.clause("nz-lp:11.15", "nz-lp:11.16", "nz-lp:11.17", "nz-lp:11.18")
@pytest.mark.parametrize("game", LUNARS, ids=lambda game: game.code)
def test_instant_payout_not_declared_before_a_draw_is_lost_unless_the_house_elects(game: PokerGame) -> None:
    flush = {"player": BY_NAME["straight-flush"], "sixth": "2C"}
    late = settle(game, {"ante": "10.00", "super": "10.00"}, cards=flush, draw="sixth-card", declared=False)
    assert [str(line.result) for line in late.owed] == ["loses", "loses", "fee"]
    assert late.line("super").clause == ("nsw-lp:8.3" if game is LUNAR_NSW else f"{game.document}:9.2")
    elected = settle(
        game, {"ante": "10.00", "super": "10.00"}, cards=flush, draw="sixth-card", declared=False, elected=True
    )
    ante, super_wager, fee = elected.owed
    instant = 2500 if game is LUNAR_NSW else 3000
    clause = {"nsw-lp": "12.16.1", "vu-lp": "11.15", "nz-lp": "11.15"}[game.document]
    assert figures(ante) == ("wins", f"{instant}.00", "10.00", f"{game.document}:{clause}")
    # Only the islands let the house elect to pay an undeclared super wager too (vu-lp:11.16, nz-lp:11.17).
    assert str(super_wager.pays) == ("0.00" if game is LUNAR_NSW else "1500.00")
    assert figures(fee)[:3] == ("void", "0.00", "10.00")  # the draw was undone


@pytest.mark.clause("nsw-lp:10.4", "vu-lp:5.8", "nz-lp:5.8")
def test_instant_payout_declared_ends_the_round() -> None:
    for game, clause in ((LUNAR_NSW, "nsw-lp:10.4"), (LUNAR_VANUATU, "vu-lp:5.8"), (LUNAR_NEW_ZEALAND, "nz-lp:5.8")):
        refused_at(
            "round-is-over",
            clause,
            "choices.declared",
            partial(played, game, BY_NAME["royal-flush"], ACE_KING),
        )


@pytest.mark.clause("nsw-lp:9.5.2.1", "nsw-lp:9.4.4")
def test_instant_payout_found_at_the_comparison_is_paid_beside_the_bet() -> None:
    """nsw-lp:9.5.2.1: bet on without a word, the royal flush wins the bet, and the ante at the instant odds."""
    settled = played(LUNAR_NSW, BY_NAME["royal-flush"], ACE_KING, declared=False)
    assert [(line.wager, str(line.pays)) for line in settled.owed] == [
        ("ante", "10000.00"),
        ("bet", "2000.00"),
        ("super", "0.00"),
    ]


@pytest.mark.clause("nsw-csp:6.2", "nsw-csp:6.3", "act-cp:3.4", "act-cp:3.5")
def test_wager_above_the_sign_is_paid_or_taken_to_the_maximum() -> None:
    """nsw-csp:6.3, act-cp:3.5, nsw-lp:6.3; the islands' texts have no such rule, so there it is refused."""
    limits = {"ante": Limit(Money.dollars(5), Money.dollars(10))}
    for game in (CARIBBEAN_STUD, CANBERRA_POKER):
        wagers = {"ante": "15.00", "bet": "20.00"}
        won = settle(game, wagers, Terms(limits=limits), cards={"player": BY_NAME["pair"], "dealer": ACE_KING})
        assert (str(won.line("ante").pays), str(won.line("ante").returns)) == ("10.00", "15.00")
        assert game.clause("maximum") in won.line("ante").why
        lost = settle(game, wagers, Terms(limits=limits), cards={"player": BY_NAME["odd-cards"], "dealer": ACE_KING})
        assert str(lost.line("ante").returns) == "5.00"
        both = {"ante": "15.00", "bet": "30.00"}  # twice what was placed: 20 of it is in play
        bet = settle(game, both, Terms(limits=limits), cards={"player": BY_NAME["pair"], "dealer": ACE_KING}).line(
            "bet"
        )
        assert (str(bet.pays), str(bet.returns)) == ("20.00", "30.00")
        below = settle(game, {"ante": "2.00"}, Terms(limits=limits), cards={"player": BY_NAME["pair"]})
        assert str(below.line("ante").result) == "loses"  # below the minimum it is valid (6.2, 3.4)
    terms = Terms(super="standard", instant="200/600", limits=limits)
    refused_at(
        "wager-above-maximum",
        None,
        "wagers.ante",
        lambda: settle(LUNAR_VANUATU, {"ante": "15.00"}, terms, cards={"player": BY_NAME["pair"]}),
    )


def nsw(**changed: Any) -> Any:
    """A hand of New South Wales that is fine, and one thing about it changed."""
    wagers = SUPER_AND_BET | changed.pop("wagers", {})
    cards = {"player": BY_NAME["pair"], "dealer": ACE_KING} | changed.pop("cards", {})
    without = changed.pop("without", ())
    return lambda: settle(
        changed.pop("game", LUNAR_NSW),
        {name: amount for name, amount in wagers.items() if name not in without},
        changed.pop("terms", None),
        cards={name: text for name, text in cards.items() if name not in without},
        **changed,
    )


@pytest.mark.clause("nsw-lp:5.2.5", "nsw-csp:14.8")
@pytest.mark.parametrize(
    ("code", "clause", "field", "changed"),
    [
        ("card-twice", "nsw-lp:3.1", "cards.dealer[0]", {"cards": {"dealer": "8S KC 9H 4S 2D"}}),
        ("card-twice", "nsw-lp:3.1", "cards.player[1]", {"cards": {"player": "8S 8S 6D 5C 3C"}}),
        ("card-twice", "nsw-lp:3.1", "cards.player[5]", {"cards": {"sixth": "8H"}, "draw": "sixth-card"}),
        ("card-not-in-deck", "nsw-lp:3.1", "cards.player[4]", {"cards": {"player": "8S 8H 6D 5C 1C"}}),
        ("wrong-number-of-cards", "nsw-lp:7.2", "cards.player", {"cards": {"player": "8S 8H 6D 5C"}}),
        ("wrong-number-of-cards", "nsw-lp:7.2", "cards.dealer", {"without": ["dealer"]}),
        ("wrong-number-of-cards", "nsw-lp:8.8.2", "cards.sixth", {"draw": "sixth-card"}),
        ("exchange-not-allowed", "nsw-lp:8.8.1", "cards.discarded", {"draw": "exchange", "cards": {"discarded": "8S"}}),
        (
            "card-not-held",
            "nsw-lp:8.8.1",
            "cards.discarded[1]",
            {"draw": "exchange", "cards": {"discarded": "8S TD", "drawn": "2C 2H"}},
        ),
        (
            "wrong-number-of-cards",
            "nsw-lp:8.8.1",
            "cards.drawn",
            {"draw": "exchange", "cards": {"discarded": "8S 8H", "drawn": "2C"}},
        ),
        ("cards-not-wanted", None, "cards.sixth", {"cards": {"sixth": "2C"}}),
        ("ante-missing", "nsw-lp:5.2.1", "wagers.ante", {"without": ["ante"]}),
        ("super-missing", "nsw-lp:5.2.2", "wagers.super", {"without": ["super"]}),
        ("super-too-small", "nsw-lp:5.2.5", "wagers.super", {"wagers": {"super": "9.99"}}),
        ("super-too-small", "nsw-lp:5.2.5", "wagers.super:dealer", {"wagers": {"super:dealer": "5.00"}}),
        ("wager-not-of-this-game", None, "wagers.super:box-10", {"wagers": {"super:box-10": "10.00"}}),
        ("wager-not-of-this-game", None, "wagers.jackpot", {"wagers": {"jackpot": "1.00"}}),
        ("wager-not-allowed", None, "wagers.ante", {"wagers": {"ante": "0.00"}}),
        ("bet-missing", "nsw-lp:8.4.2", "wagers.bet", {"without": ["bet"], "play": "bet"}),
        ("bet-with-a-fold", "nsw-lp:8.4.2", "wagers.bet", {"play": "fold"}),
        ("choice-not-known", None, "choices.plays", {"plays": "bet"}),
        ("choice-not-known", None, "choices.play", {"play": "raise"}),
        ("choice-not-known", None, "choices.declared", {"declared": 1}),
        ("choice-not-offered", None, "choices.force", {"force": True}),
        ("irregularity-not-known", None, "choices.irregularity", {"irregularity": "rain"}),
        ("nothing-to-elect", "nsw-lp:12.16.1", "choices.elected", {"elected": True}),
        ("terms-invalid", None, "terms.maximum_payout", {"terms": Terms(maximum_payout=Money.dollars(5))}),
        ("terms-invalid", None, "terms.limits.bet", {"terms": Terms(limits={"bet": Limit()})}),
        ("pay-table-not-chosen", "nsw-lp:10.5.3", "terms.super", {"terms": Terms(super="9")}),
    ],
)
def test_what_cannot_have_happened(code: str, clause: str | None, field: str, changed: dict[str, Any]) -> None:
    refused_at(code, clause, field, nsw(**changed))


def test_what_cannot_have_happened_elsewhere() -> None:
    refused_at(
        "bet-not-twice-the-ante",
        "vu-lp:5.2",
        "wagers.bet",
        nsw(game=LUNAR_VANUATU, wagers={"bet": "21.00"}),
    )
    refused_at("bet-not-twice-the-ante", "act-cp:7.2", "wagers.bet", nsw(
        game=CANBERRA_POKER, wagers={"bet": "19.00"}, without=["super"]))  # fmt: skip
    refused_at(
        "wager-not-allowed",
        "nz-lp:5.1",
        "wagers.super:dealer",
        nsw(game=LUNAR_NEW_ZEALAND, wagers={"super:dealer": "10.00"}),
    )
    refused_at(
        "dealer-qualifies",
        "nz-lp:10.3",
        "choices.force",
        nsw(game=LUNAR_NEW_ZEALAND, cards={"replacement": "JD"}, force=True),
    )
    refused_at("pay-table-not-chosen", "nz-lp:5.9", "terms.super", nsw(game=LUNAR_NEW_ZEALAND, terms=Terms()))
    refused_at(
        "pay-table-not-chosen",
        "vu-lp:5.6",
        "terms.instant",
        nsw(game=LUNAR_VANUATU, terms=Terms(super="standard", instant="250/1000")),
    )
    refused_at(
        "choice-not-offered", None, "choices.draw", nsw(game=CARIBBEAN_STUD, without=["super"], draw="sixth-card")
    )


def test_terms_are_read_strictly_and_written_back() -> None:
    data = {
        "super": "2",
        "instant": "200/600",
        "maximum_payout": "50000.00",
        "decks": None,
        "limits": {"ante": {"minimum": "5.00", "maximum": "500.00"}, "super": {"minimum": "1.00", "maximum": None}},
    }
    assert read(data).as_data() == data
    assert read({}) == Terms()
    for wrong, field in (
        ([], "terms"),
        ({"supper": "1"}, "terms"),
        ({"super": 1}, "terms.super"),
        ({"decks": "8"}, "terms.decks"),
        ({"maximum_payout": 5}, "terms.maximum_payout"),
        ({"maximum_payout": "0.00"}, "terms.maximum_payout"),
        ({"limits": []}, "terms.limits"),
        ({"limits": {"ante": 5}}, "terms.limits.ante"),
        ({"limits": {"ante": {"minimum": "-5.00"}}}, "terms.limits.ante.minimum"),
        ({"limits": {"ante": {"minimum": "5.00", "maximum": "4.00"}}}, "terms.limits.ante.maximum"),
    ):
        refused_at("terms-invalid", None, field, partial(read, wrong))
