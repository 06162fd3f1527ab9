"""Pai Gow of Casino Canberra (act-pg): two parts of two tiles against the Bank's.

The pictures of Appendix A are not in the text; the ranking is the trade's: pairs from Gee Jun down in the order of the
single tiles, then Wong (Teen or Day with a nine), Gong (with an eight), High Nine (with a seven), then the point count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from chance.tiles import COPIES, TILES
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.rules import owed
from tablegames.rules.layout import all_void, check_amounts, irregularity, no_such_wager, up_to_maximum
from tablegames.rules.odds import Cell, Odds
from tablegames.rules.owed import Settlement
from tablegames.rules.terms import Terms, only

CODE: Final = "pai-gow"
TITLE: Final = "Pai Gow (Australian Capital Territory)"
WAGER: Final = "hand"
PARTS: Final = ("player_high", "player_low", "bank_high", "bank_low")
POINTS: Final[Mapping[str, int]] = dict(zip(TILES, (12, 2, 8, 4, 10, 6, 4, 11, 10, 7, 6, 9, 8, 7, 5, 3), strict=True))
_RANK: Final = {tile: len(TILES) - place for place, tile in enumerate(TILES)}
# The pair of Gee Jun is the highest of all, though its tile is the lowest.
_PAIR_RANK: Final = _RANK | {"gee-jun": len(TILES) + 1}
WINS: Final = Cell("hand", Odds(1, less=5), "act-pg:11.8")
IRREGULARITIES: Final[Mapping[str, str]] = {
    "misdeal": "15.3",
    "two-tiles-exposed": "15.8",
    "collusion": "14.2",
    "invalidated": "17.5",
}


def points(one: str, other: str) -> int:
    """4.1, 4.2: the last digit; a Gee Jun counts 3 or 6, whichever is better."""
    alone = [(3, 6) if tile == "gee-jun" else (POINTS[tile],) for tile in (one, other)]
    return max((a + b) % 10 for a in alone[0] for b in alone[1])


def value(part: Sequence[str]) -> tuple[int, int, int]:
    """What decides between two parts: pairs, Wongs, Gongs, High Nines, the count; then the higher tile (11.2)."""
    one, other = sorted(part, key=lambda tile: -_RANK[tile])
    if one == other:
        return 4, _PAIR_RANK[one], 0
    if one in ("teen", "day"):
        kind = {9: 3, 8: 2, 7: 1}.get(POINTS[other])
        if kind is not None and other not in ("teen", "day"):
            return kind, _RANK[one], 0
    counted = points(one, other)
    # 11.6: nothing against nothing is the Bank's, whatever the tiles.
    return 0, counted, _RANK[one] if counted else 0


def check_terms(terms: Terms) -> None:
    only(terms, game=TITLE, wagers=(WAGER,))


def settle(
    *, terms: Terms, wagers: Mapping[str, Money], cards: Mapping[str, Sequence[str]], choices: Mapping[str, object]
) -> Settlement:
    """One wager on a hand as it was set, against the Bank's."""
    check_terms(terms)
    check_amounts(wagers)
    for wager in wagers:
        if wager != WAGER:
            raise no_such_wager(wager, (WAGER,))
    fault = irregularity(TITLE, IRREGULARITIES, choices)
    if fault is not None:
        return all_void(CODE, wagers, clause=f"act-pg:{IRREGULARITIES[fault]}", why=fault)
    parts = _read(cards)
    # Equal parts are the Bank's (11.5).
    won = sum(value(parts[f"player_{part}"]) > value(parts[f"bank_{part}"]) for part in ("high", "low"))
    stake = up_to_maximum(terms, WAGER, wagers[WAGER])
    if won == 2:
        line = owed.wins(WAGER, stake, [owed.payment(WINS, stake)], clause="act-pg:11.1", why="Both parts are higher.")
    elif won == 1:
        line = owed.stands_off(WAGER, stake, clause="act-pg:11.3", why="One part is higher, one lower: a push.")
    else:
        line = owed.loses(WAGER, stake, clause="act-pg:11.4", why="Both parts are lower, or equal and the Bank’s.")
    line = owed.with_excess(line, wagers[WAGER] - stake, clause="act-pg:5.7")
    return Settlement(game=CODE, owed=(line,), notes=(f"{won} of 2 parts are higher than the Bank’s.",))


def _read(cards: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    for name in cards:
        if name not in PARTS:
            raise Refusal("tiles-not-wanted", f"The parts are {', '.join(PARTS)}.", field=f"cards.{name}")
    seen: Counter[str] = Counter()
    for name in PARTS:
        part = cards.get(name, ())
        if len(part) != 2:
            raise Refusal("wrong-number-of-tiles", "A part is two tiles.", clause="act-pg:9.1", field=f"cards.{name}")
        for i, tile in enumerate(part):
            if tile not in TILES:
                raise Refusal(
                    "tile-not-in-set",
                    f"{tile!r} is not a tile of the set: the tiles are {', '.join(TILES)}.",
                    clause="act-pg:2.1",
                    field=f"cards.{name}[{i}]",
                )
            seen[tile] += 1
            if seen[tile] > COPIES:
                raise Refusal(
                    "tile-too-often",
                    f"{tile} is there more than twice.",
                    clause="act-pg:2.1",
                    field=f"cards.{name}[{i}]",
                )
    for whose in ("player", "bank"):
        if value(cards[f"{whose}_high"]) < value(cards[f"{whose}_low"]):
            raise Refusal(
                "parts-the-wrong-way",
                "The high part is the higher of the two: change them over.",
                clause="act-pg:9.1",
                field=f"cards.{whose}_high",
            )
    return dict(cards)
