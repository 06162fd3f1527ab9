"""Pai Gow of Casino Canberra (act-pg): two parts of two tiles against the Bank's.

The pictures of Appendix A are not in the text; the ranking is the trade's: pairs from Gee Jun down in the order of the
single tiles, then Wong (Teen or Day with a nine), Gong (with an eight), High Nine (with a seven), then the point count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from chance.tiles import COPIES, TILES
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.rules import owed
from tablegames.rules.layout import all_void, check_amounts, irregularity, no_such_wager, up_to_maximum
from tablegames.rules.odds import Cell, Odds
from tablegames.rules.owed import Owed, Settlement
from tablegames.rules.terms import Terms, only

CODE: Final = "pai-gow"
TITLE: Final = "Pai Gow (Australian Capital Territory)"
WAGER: Final = "hand"
POINTS: Final[Mapping[str, int]] = dict(zip(TILES, (12, 2, 8, 4, 10, 6, 4, 11, 10, 7, 6, 9, 8, 7, 5, 3), strict=True))
_RANK: Final = {tile: len(TILES) - place for place, tile in enumerate(TILES)}
# The pair of Gee Jun is the highest of all, though its tile is the lowest.
_PAIR_RANK: Final = _RANK | {"gee-jun": len(TILES) + 1}
COMMISSION: Final = 500  # basis points
WINS: Final = Cell("hand", Odds(1, less=COMMISSION // 100), "act-pg:11.8")
HOUSE_HAND: Final = "house_hand"  # a hand that the House wagers on under 7.9: no commission
HOUSE_WINS: Final = Cell("house-hand", Odds(1), "act-pg:11.9")
IRREGULARITIES: Final[Mapping[str, str]] = {
    "misdeal": "15.3",
    "two-tiles-exposed": "15.8",
    "collusion": "14.2",
    "rules-broken": "17.3",
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


def commission_of(terms: Terms) -> int:
    """In basis points: 5%, or the less that was approved for the table (11.12)."""
    return COMMISSION if terms.commission is None else terms.commission


def winning_cell(terms: Terms) -> Cell:
    if terms.commission is None:
        return WINS
    return Cell(WINS.what, Odds(1, less=Fraction(terms.commission, 100)), "act-pg:11.12")


def check_terms(terms: Terms) -> None:
    only(terms, "commission", game=TITLE, wagers=(WAGER,))
    if terms.commission is not None and not 0 <= terms.commission < COMMISSION:
        raise Refusal(
            "terms-invalid",
            "A reduced commission is less than 5%, in basis points: 0 to 499.",
            clause="act-pg:11.12",
            field="terms.commission",
        )


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
    parts = read_tiles(cards, ("player", "bank"))
    won = parts_won(parts, "player")
    stake = up_to_maximum(terms, WAGER, wagers[WAGER])
    line = settled_line(WAGER, stake, won, HOUSE_WINS if choices.get(HOUSE_HAND) else winning_cell(terms))
    line = owed.with_excess(line, wagers[WAGER] - stake, clause="act-pg:5.7")
    return Settlement(game=CODE, owed=(line,), notes=(f"{won} of 2 parts are higher than the Bank’s.",))


def parts_won(parts: Mapping[str, Sequence[str]], whose: str) -> int:
    """How many of a hand's two parts are higher than the Bank's."""
    return sum(
        is_higher(parts[f"{whose}_{part}"], parts[f"bank_{part}"], low=part == "low") for part in ("high", "low")
    )


def settled_line(wager: str, stake: Money, won: int, pays: Cell) -> Owed:
    if won == 2:
        return owed.wins(wager, stake, [owed.payment(pays, stake)], clause="act-pg:11.1", why="Both parts are higher.")
    if won == 1:
        return owed.stands_off(wager, stake, clause="act-pg:11.3", why="One part is higher, one lower: a push.")
    return owed.loses(wager, stake, clause="act-pg:11.4", why="Both parts are lower, or equal and the Bank’s.")


def _conceded(stake: Money, choices: Mapping[str, object]) -> Settlement:
    """11.7: the player has the wager taken, and shows nothing."""
    if choices["play"] != "concede":
        raise Refusal("choice-not-known", "A hand is shown, or conceded.", clause="act-pg:11.7", field="choices.play")
    line = owed.loses(WAGER, stake, clause="act-pg:11.7", why="Conceded without showing the hand.")
    return Settlement(game=CODE, owed=(line,), notes=("Conceded.",))


def read_tiles(cards: Mapping[str, Sequence[str]], hands: Sequence[str]) -> dict[str, Sequence[str]]:
    """The two parts of each hand, of one set of tiles."""
    parts = [f"{whose}_{part}" for whose in hands for part in ("high", "low")]
    for name in cards:
        if name not in parts:
            raise Refusal("tiles-not-wanted", f"The parts are {', '.join(parts)}.", field=f"cards.{name}")
    seen: Counter[str] = Counter()
    for name in parts:
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
    for whose in hands:
        if value(cards[f"{whose}_high"]) < value(cards[f"{whose}_low"]):
            raise Refusal(
                "parts-the-wrong-way",
                "The high part is the higher of the two: change them over.",
                clause="act-pg:9.1",
                field=f"cards.{whose}_high",
            )
    return dict(cards)
