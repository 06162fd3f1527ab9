"""The 32 tiles of Pai Gow, two of each name, and the four-tile hands that win at Gee Jun (act-pg:13.2).

High 10 is mooy and low 10 ping, 11 is foo, high 6 chong, low 6 look, low 4 bon, and the sevens are tif and chop-chit
(act-pg Appendix B).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from kernel.refusal import Refusal

# Highest first, as act-pg Appendix B ranks single tiles.
TILES: Final = (
    "teen", "day", "yun", "gor", "mooy", "chong", "bon", "foo",
    "ping", "tif", "look", "chop-gow", "chop-bot", "chop-chit", "chop-ng", "gee-jun",
)  # fmt: skip
COPIES: Final = 2
SET: Final = tuple(tile for tile in TILES for _ in range(COPIES))
HAND_SIZE: Final = 4

GEE_JUN_AND_TEEN: Final = "gee-jun-pair-teen-pair"
TEEN_TENS_ELEVEN: Final = "teen-high-10-low-10-11"
SIXES_FOUR_SEVEN: Final = "high-6-low-6-low-4-any-7"
OTHER: Final = "other"

_WINNING: Final[Mapping[tuple[str, ...], str]] = {
    tuple(sorted(tiles)): name
    for name, tiles in (
        (GEE_JUN_AND_TEEN, ("gee-jun", "gee-jun", "teen", "teen")),
        (TEEN_TENS_ELEVEN, ("teen", "mooy", "ping", "foo")),
        (SIXES_FOUR_SEVEN, ("chong", "look", "bon", "tif")),
        (SIXES_FOUR_SEVEN, ("chong", "look", "bon", "chop-chit")),
    )
}
NAMES: Final = frozenset(_WINNING.values())


def read_hand(
    texts: Sequence[str],
    *,
    void_clause: str | None = None,
    foreign_clause: str | None = None,
    field: str = "tiles",
) -> tuple[str, ...]:
    """Four tiles by name, no name more often than a set has it."""
    if len(texts) != HAND_SIZE:
        raise Refusal(
            "hand-void",
            f"A hand has {HAND_SIZE} tiles, this one has {len(texts)}: dealt wrongly. Leave it out of the round.",
            clause=void_clause,
            field=field,
        )
    for i, text in enumerate(texts):
        if text not in TILES:
            raise Refusal(
                "tile-not-in-set",
                f"{text!r} is not a tile of the set: the tiles are {', '.join(TILES)}.",
                clause=foreign_clause,
                field=f"{field}[{i}]",
            )
    return tuple(texts)


def names(tiles: Iterable[str]) -> tuple[str, ...]:
    """What a pay table may call the four tiles; ``other`` where the gazetted table names nothing."""
    return (_WINNING.get(tuple(sorted(tiles)), OTHER),)


@cache
def frequencies() -> Mapping[tuple[str, ...], int]:
    """How many of the 35,960 hands carry each name: all of them are looked at."""
    return dict(Counter(names(hand) for hand in combinations(SET, HAND_SIZE)))
