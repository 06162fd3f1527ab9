"""Rounds that cannot have been dealt, and calls that make no sense: refused with code, clause and field."""

from __future__ import annotations

import pytest

from jackpot.rules.catalogue import BOOMERANG, CARIBBEAN_STUD, GEE_JUN, rule_set
from jackpot.rules.payouts import Dealt, evaluate
from kernel.money import Money
from kernel.refusal import Refusal
from tests.jackpot.rounds import FLUSH, GEE_JUN_TEEN, ROYAL_H, ROYAL_S, STRAIGHT_H, dealt
from tests.world.money import dollars


@pytest.mark.clause("nsw-csp:14.8", "nsw-csp:14.9")
@pytest.mark.parametrize(
    ("hands", "code", "clause", "field"),
    [
        ({1: ROYAL_S[:4]}, "hand-void", "nsw-csp:14.8", "hands[0].cards"),
        ({2: STRAIGHT_H, 1: [*ROYAL_S, "9S"]}, "hand-void", "nsw-csp:14.8", "hands[1].cards"),
        ({1: []}, "hand-void", "nsw-csp:14.8", "hands[0].cards"),
        ({1: ["AS", "AS", "KS", "QS", "JS"]}, "dealt-too-often", "nsw-csp:14.9", "hands[0].cards[1]"),
        ({2: ROYAL_S, 1: [*FLUSH[:4], "AS"]}, "dealt-too-often", "nsw-csp:14.9", "hands[1].cards[4]"),
        ({1: ["AS", "KS", "QS", "JS", "10S"]}, "card-not-in-deck", "nsw-csp:14.9", "hands[0].cards[4]"),
        ({0: ROYAL_S}, "hand-not-on-a-box", None, "hands[0].box"),
    ],
)
def test_a_round_that_cannot_have_been_dealt_is_refused(
    hands: dict[int, list[str]], code: str, clause: str | None, field: str
) -> None:
    with pytest.raises(Refusal) as refused:
        evaluate(CARIBBEAN_STUD, meter=dollars("60000"), wagers=[1], hands=dealt(hands))
    assert (refused.value.code, refused.value.clause, refused.value.field) == (code, clause, field)
    assert refused.value.status == 422


@pytest.mark.parametrize(
    ("rules", "hand", "code"),
    [
        (GEE_JUN, Dealt(box=1, cards=ROYAL_S), "wrong-game"),
        (GEE_JUN, Dealt(box=1, tiles=GEE_JUN_TEEN, cards=ROYAL_S), "wrong-game"),
        (BOOMERANG, Dealt(box=1, tiles=GEE_JUN_TEEN), "wrong-game"),
        (BOOMERANG, Dealt(box=1), "wrong-game"),
        (GEE_JUN, Dealt(box=1, tiles=["teen", "teen", "gee-jun"]), "hand-void"),
        (GEE_JUN, Dealt(box=1, tiles=["teen", "teen", "teen", "gee-jun"]), "dealt-too-often"),
        (GEE_JUN, Dealt(box=1, tiles=["teen", "teen", "gee-jun", "geejun"]), "tile-not-in-set"),
    ],
)
def test_hands_of_another_game_are_refused(rules: object, hand: Dealt, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        evaluate(rules, meter=dollars("10000"), wagers=[1], hands=[hand], sets=9)  # type: ignore[arg-type]
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"wagers": [1, 2, 1]}, "second-wager-on-box", "wagers[2]"),
        ({"wagers": [0]}, "no-such-box", "wagers[0]"),
        ({"meter": Money(-1)}, "meter-negative", "meter"),
        ({"displayed": Money(-1)}, "meter-negative", "displayed"),
        ({"bonus": Money(-10_000)}, "bonus-not-allowed", "bonus"),
        ({"bonus": Money(1)}, "bonus-not-allowed", "bonus"),
        ({"hands": dealt({1: ROYAL_S}) + dealt({1: ROYAL_H})}, "hand-not-on-a-box", "hands[1].box"),
    ],
)
def test_what_else_is_refused(change: dict[str, object], code: str, field: str) -> None:
    arguments = {"meter": dollars("60000"), "wagers": [1]} | change
    with pytest.raises(Refusal) as refused:
        evaluate(CARIBBEAN_STUD, **arguments)  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.field) == (code, field)


@pytest.mark.clause("act-pg:12.2")
def test_one_gee_jun_wager_a_box_and_no_folding() -> None:
    with pytest.raises(Refusal) as refused:
        evaluate(GEE_JUN, meter=dollars("10000"), wagers=[2, 2])
    assert refused.value.clause == "act-pg:12.2"
    with pytest.raises(Refusal, match="no folding"):
        evaluate(GEE_JUN, meter=dollars("10000"), wagers=[2], folded=[2])


def test_unknown_rules_are_refused() -> None:
    assert rule_set("boomerang") is BOOMERANG
    with pytest.raises(Refusal, match="caribbean-stud") as refused:
        rule_set("let-it-ride")
    assert refused.value.field == "rules"
