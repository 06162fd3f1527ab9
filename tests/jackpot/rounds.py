"""Hands and rounds the payout tests share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jackpot.rules.payouts import Dealt, Evaluation

ROYAL_S, ROYAL_H, ROYAL_D, ROYAL_C = ([f"{rank}{suit}" for rank in "AKQJT"] for suit in "SHDC")
STRAIGHT_S, STRAIGHT_H, STRAIGHT_D, STRAIGHT_C = ([f"{rank}{suit}" for rank in "98765"] for suit in "SHDC")
WHEEL_H = ["AH", "2H", "3H", "4H", "5H"]
FOUR = ["2S", "2H", "2D", "2C", "3S"]
HOUSE = ["4S", "4H", "4D", "3H", "3D"]
FLUSH = ["2S", "4S", "6S", "8S", "QS"]
DEAD = ["AS", "AC", "8S", "8C", "KD"]
STRAIGHT = ["5S", "6H", "7H", "8H", "9D"]
SPECIAL = [
    ROYAL_S, ROYAL_H, ROYAL_D, ROYAL_C, STRAIGHT_S, STRAIGHT_H, STRAIGHT_D, STRAIGHT_C, WHEEL_H,
    FOUR, HOUSE, FLUSH, DEAD, STRAIGHT,
]  # fmt: skip
GEE_JUN_TEEN = ["gee-jun", "gee-jun", "teen", "teen"]


def dealt(hands: Mapping[int, Sequence[str]]) -> list[Dealt]:
    return [Dealt(box=box, cards=cards) for box, cards in hands.items()]


def laid(hands: Mapping[int, Sequence[str]]) -> list[Dealt]:
    return [Dealt(box=box, tiles=four) for box, four in hands.items()]


def lines(evaluation: Evaluation) -> list[tuple[int, str, str, str, str]]:
    return [(p.box, p.kind.value, str(p.amount), str(p.from_pool), str(p.from_house)) for p in evaluation.payouts]
