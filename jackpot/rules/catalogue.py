"""The rule sets. Three are gazetted; two more show that another jackpot is a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from chance.tiles import GEE_JUN_AND_TEEN, SIXES_FOUR_SEVEN, TEEN_TENS_ELEVEN
from jackpot.rules.policies import (
    MYSTERY_NAME,
    Contributes,
    Folded,
    Game,
    Kind,
    MeasuredOn,
    Prize,
    RuleSet,
    Sharing,
)
from kernel.money import BASIS_POINTS, Money
from kernel.refusal import Refusal

ALL: Final = BASIS_POINTS
TENTH: Final = BASIS_POINTS // 10


def _fixed(hand: str, dollars: int, clause: str | None = None) -> Prize:
    return Prize(hand=hand, kind=Kind.FIXED, fixed=Money.dollars(dollars), clause=clause)


def _poker_fixed(clause: str | None) -> tuple[Prize, ...]:
    return (
        _fixed("four-of-a-kind", 500, clause),
        _fixed("full-house", 150, clause),
        _fixed("flush", 100, clause),
    )


CARIBBEAN_STUD: Final = RuleSet(
    code="caribbean-stud",
    title="Caribbean Stud progressive jackpot",
    game=Game.CARDS,
    contributes=Contributes.EVERY_WAGER,
    measured_on=MeasuredOn.POOL_WHEN_LOCKED,
    sharing=Sharing.SUCCESSIVE,
    folded=Folded.ELIGIBLE,
    pays_bonus=True,
    topped_up=False,
    prizes=(
        *_poker_fixed("nsw-csp:12.1.3-5"),
        Prize(
            hand="straight-flush",
            kind=Kind.STRAIGHT,
            percent=TENTH,
            at_least=Money.dollars(5_000),
            clause="nsw-csp:12.1.2",
        ),
        Prize(
            hand="royal-flush",
            kind=Kind.ROYAL,
            percent=ALL,
            at_least=Money.dollars(50_000),
            clause="nsw-csp:12.1.1",
        ),
    ),
    void_hand_clause="nsw-csp:14.8",
    foreign_piece_clause="nsw-csp:14.9",
    one_wager_clause="nsw-csp:5.9",
    bonus_clause="nsw-csp:11.10.2",
    ante_clause="nsw-csp:11.1",
    one_hand_clause="nsw-csp:5.8",
    denomination_clause="nsw-csp:5.4",
    other_player_clause="nsw-csp:11.1.1",
)

BOOMERANG: Final = RuleSet(
    code="boomerang",
    title="Boomerang jackpot of Canberra Poker",
    game=Game.CARDS,
    contributes=Contributes.LOSING_WAGERS,
    measured_on=MeasuredOn.DISPLAYED_AT_START,
    sharing=Sharing.PRO_RATED,
    folded=Folded.LOSES,
    pays_bonus=False,
    topped_up=True,
    prizes=(
        *_poker_fixed("act-cp:11.1-fixed"),
        _fixed("dead-mans-hand", 50, "act-cp:11.1-fixed"),
        Prize(
            hand="straight-flush",
            kind=Kind.STRAIGHT,
            percent=TENTH,
            at_least=Money.dollars(1_000),
            clause="act-cp:11.1-straight",
        ),
        Prize(
            hand="royal-flush",
            kind=Kind.ROYAL,
            percent=ALL,
            at_least=Money.dollars(10_000),
            clause="act-cp:11.1-royal",
        ),
    ),
    void_hand_clause="act-cp:13.4",
    foreign_piece_clause="act-cp:2.1",
    one_wager_clause="act-cp:4.3",
    ante_clause="act-cp:10.1",
    denomination_clause="act-cp:10.2",
    declared_clause="act-cp:10.3",
)

GEE_JUN: Final = RuleSet(
    code="gee-jun",
    title="Gee Jun jackpot of Pai Gow",
    game=Game.TILES,
    contributes=Contributes.LOSING_WAGERS,
    measured_on=MeasuredOn.DISPLAYED_AT_WIN,
    sharing=Sharing.PRO_RATED,
    folded=Folded.NOT_IN_GAME,
    pays_bonus=False,
    topped_up=True,
    prizes=(
        _fixed(TEEN_TENS_ELEVEN, 100, "act-pg:13.2-fixed"),
        _fixed(SIXES_FOUR_SEVEN, 100, "act-pg:13.2-fixed"),
        Prize(hand=GEE_JUN_AND_TEEN, kind=Kind.MAJOR, percent=ALL, clause="act-pg:13.2-major"),
    ),
    void_hand_clause="act-pg:15.2",
    foreign_piece_clause="act-pg:2.1",
    one_wager_clause="act-pg:12.2",
    denomination_clause="act-pg:12.3",
    box_players_clause="act-pg:12.4-6",
    house_clause="act-pg:12.1",
)

MUST_HIT_BY: Final = RuleSet(
    code="must-hit-by",
    title="Mystery jackpot that must be hit by its ceiling",
    game=Game.MYSTERY,
    contributes=Contributes.EVERY_WAGER,
    measured_on=MeasuredOn.TRIGGER_POINT,
    sharing=Sharing.SUCCESSIVE,
    folded=Folded.ELIGIBLE,
    pays_bonus=False,
    topped_up=False,
    prizes=(Prize(hand=MYSTERY_NAME, kind=Kind.MYSTERY, percent=ALL),),
)

MUST_HIT_BY_LEVELS: Final = replace(
    MUST_HIT_BY,
    code="must-hit-by-levels",
    title="Mystery jackpot in three levels, each to be hit by its own ceiling",
    prizes=tuple(
        Prize(hand=f"{MYSTERY_NAME}-{level}", kind=Kind.MYSTERY, percent=ALL, level=level)
        for level in ("mini", "minor", "major")
    ),
)

MINOR_MAJOR: Final = RuleSet(
    code="minor-major",
    title="Poker jackpot in two pools: the straight flush wins the minor, the royal flush the major",
    game=Game.CARDS,
    contributes=Contributes.EVERY_WAGER,
    measured_on=MeasuredOn.POOL_WHEN_LOCKED,
    sharing=Sharing.SUCCESSIVE,
    folded=Folded.ELIGIBLE,
    pays_bonus=False,
    topped_up=False,
    prizes=(
        *_poker_fixed(None),
        Prize(hand="straight-flush", kind=Kind.MINOR, percent=ALL, level="minor"),
        Prize(hand="royal-flush", kind=Kind.MAJOR, percent=ALL, level="major"),
    ),
)

RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {rules.code: rules for rules in (CARIBBEAN_STUD, BOOMERANG, GEE_JUN, MUST_HIT_BY, MUST_HIT_BY_LEVELS, MINOR_MAJOR)}
)


def rule_set(code: str) -> RuleSet:
    """The rule set of that code."""
    rules = RULE_SETS.get(code)
    if rules is None:
        raise Refusal(
            "rules-unknown",
            f"There are no jackpot rules called {code!r}: choose one of {', '.join(RULE_SETS)}.",
            field="rules",
        )
    return rules
