"""Hands that are dealt in a simulation, by the name that they have in the rules. Rare ones come often.

No card lies in two of them, so any of them can be dealt in one round; what cannot win is dealt from what is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from jackpot.rules.payouts import Dealt

NOTHING: Final = "nothing"
CARDS: Final[Mapping[str, str]] = {
    "royal-flush": "AS KS QS JS TS",
    "straight-flush": "9C 8C 7C 6C 5C",
    "four-of-a-kind": "4S 4H 4D 4C KH",
    "full-house": "2S 2H 2D 3S 3H",
    "flush": "KD JD 9D 6D 5D",
    "dead-mans-hand": "AH AC 8H 8S 7D",
    NOTHING: "KC QC TH 6S 3C",
}
TILES: Final[Mapping[str, str]] = {
    "gee-jun-pair-teen-pair": "gee-jun gee-jun teen teen",
    "high-6-low-6-low-4-any-7": "chong look bon tif",
    NOTHING: "day yun gor chop-gow",
}
_WEIGHTS: Final = {
    "royal-flush": 1, "straight-flush": 3, "four-of-a-kind": 3, "full-house": 5, "flush": 6, "dead-mans-hand": 4,
    "gee-jun-pair-teen-pair": 2, "high-6-low-6-low-4-any-7": 4, NOTHING: 250,
}  # fmt: skip


def deal(game: Mapping[str, str], boxes: Sequence[int], chance: Random, *, never: Sequence[str] = ()) -> dict[int, str]:
    """By box: the name of what lies there. Where nothing of interest lies its cards are not named."""
    names = [name for name in game if name not in never]
    dealt: dict[int, str] = {}
    for box in boxes:
        left = [name for name in names if name == NOTHING or name not in dealt.values()]
        dealt[box] = chance.choices(left, [_WEIGHTS[name] for name in left])[0]
    return dealt


def laid(game: Mapping[str, str], dealt: Mapping[int, str]) -> list[Dealt]:
    """As the table sends it. A losing hand is named once: there is one set of cards."""
    sent, losing_named = [], False
    for box, name in dealt.items():
        if name == NOTHING and losing_named:
            continue
        losing_named |= name == NOTHING
        pieces = game[name].split()
        sent.append(Dealt(box=box, cards=pieces) if game is CARDS else Dealt(box=box, tiles=pieces))
    return sent
