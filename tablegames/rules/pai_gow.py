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
COMMISSION_PERCENT: Final = 5
WINS: Final = Cell("hand", Odds(1, less=COMMISSION_PERCENT), "act-pg:11.8")
HOUSE_HAND: Final = "house_hand"  # a hand that the House wagers on under 7.9: no commission
HOUSE_WINS: Final = Cell("house-hand", Odds(1), "act-pg:11.9")
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
    return 0, points(one, other), _RANK[one]


def is_higher(player: Sequence[str], bank: Sequence[str], *, low: bool) -> bool:
    """Equal count and equal high tile is the Bank's (11.5); so is nothing against nothing, in the Low Part (11.6)."""
    if low and value(player)[:2] == value(bank)[:2] == (0, 0):
        return False
    return value(player) > value(bank)


def bank_commission(profit: Money) -> Money:
    """11.10, 11.11: of what a player made as the Bank, or beside it, in a round: 5%, and nothing of a loss."""
    return Money(max(profit.micros, 0) * COMMISSION_PERCENT // 100).down_to_cents()


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
    fault = irregularity(TITLE, IRREGULARITIES, choices, allowed=("play", HOUSE_HAND))
    if fault is not None:
        return all_void(CODE, wagers, clause=f"act-pg:{IRREGULARITIES[fault]}", why=fault)
    if choices.get("play") is not None:
        return _conceded(wagers[WAGER], choices)
    parts = _read(cards)
    won = sum(is_higher(parts[f"player_{part}"], parts[f"bank_{part}"], low=part == "low") for part in ("high", "low"))
    stake = up_to_maximum(terms, WAGER, wagers[WAGER])
    if won == 2:
        paid = [owed.payment(HOUSE_WINS if choices.get(HOUSE_HAND) else WINS, stake)]
        line = owed.wins(WAGER, stake, paid, clause="act-pg:11.1", why="Both parts are higher.")
    elif won == 1:
        line = owed.stands_off(WAGER, stake, clause="act-pg:11.3", why="One part is higher, one lower: a push.")
    else:
        line = owed.loses(WAGER, stake, clause="act-pg:11.4", why="Both parts are lower, or equal and the Bank’s.")
    line = owed.with_excess(line, wagers[WAGER] - stake, clause="act-pg:5.7")
    return Settlement(game=CODE, owed=(line,), notes=(f"{won} of 2 parts are higher than the Bank’s.",))


def _conceded(stake: Money, choices: Mapping[str, object]) -> Settlement:
    """11.7: the player has the wager taken, and shows nothing."""
    if choices["play"] != "concede":
        raise Refusal("choice-not-known", "A hand is shown, or conceded.", clause="act-pg:11.7", field="choices.play")
    line = owed.loses(WAGER, stake, clause="act-pg:11.7", why="Conceded without showing the hand.")
    return Settlement(game=CODE, owed=(line,), notes=("Conceded.",))


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
