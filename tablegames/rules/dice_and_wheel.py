"""Sic-Bo (act-sb) and the Money Wheel (act-mw) of Casino Canberra."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Final

from kernel.refusal import Refusal
from tablegames.rules.layout import LayoutGame, Piece, no_such_wager, numbers
from tablegames.rules.odds import Cell, Odds

Dice = tuple[int, int, int]
_FACES: Final = range(1, 7)


def _dice_cell(what: str, odds: int, letter: str) -> Cell:
    return Cell(what, Odds(odds), f"act-sb:6.1{letter}")


TOTALS: Final[Mapping[int, Cell]] = {
    total: _dice_cell(f"total {total}", odds, "f")
    for totals, odds in (
        ((4, 17), 62), ((5, 16), 31), ((6, 15), 18), ((7, 14), 12), ((8, 13), 8), ((9, 12), 7), ((10, 11), 6),
    )
    for total in totals
}  # fmt: skip
SINGLE: Final[Mapping[int, Cell]] = {
    shown: _dice_cell(f"on {shown} {'die' if shown == 1 else 'dice'}", odds, f"h-{roman}")
    for shown, odds, roman in ((1, 1, "i"), (2, 2, "ii"), (3, 12, "iii"))
}
DICE: Final[Mapping[str, tuple[Cell, ...]]] = {
    "small": (_dice_cell("small", 1, "a"),),
    "big": (_dice_cell("big", 1, "b"),),
    "triple": (_dice_cell("triple", 180, "c"),),
    "double": (_dice_cell("double", 11, "d"),),
    "any-triple": (_dice_cell("any-triple", 31, "e"),),
    "total": tuple(TOTALS[total] for total in sorted(TOTALS)),
    "domino": (_dice_cell("domino", 6, "g"),),
    "single": tuple(SINGLE.values()),
}


def _triple(dice: Dice) -> bool:
    return dice[0] == dice[1] == dice[2]


_PLAIN: Final[Mapping[str, Callable[[Dice], bool]]] = {
    "small": lambda dice: sum(dice) <= 10 and not _triple(dice),
    "big": lambda dice: sum(dice) >= 11 and not _triple(dice),
    "any-triple": _triple,
}


def _if(kind: str, wins: Callable[[Dice], bool]) -> list[Piece[Dice]]:
    (cell,) = DICE[kind]
    return [Piece(kind, lambda dice: cell if wins(dice) else None)]


def _read_dice_wager(wager: str) -> Sequence[Piece[Dice]]:
    """act-sb:4.3."""
    if wager in _PLAIN:
        return _if(wager, _PLAIN[wager])
    kind = wager.partition(":")[0]
    match kind:
        case "triple" | "double":
            (face,) = numbers(wager, count=1, low=1, high=6)
            at_least = 3 if kind == "triple" else 2
            return _if(kind, lambda dice: dice.count(face) >= at_least)
        case "single":
            (face,) = numbers(wager, count=1, low=1, high=6)
            return [Piece(wager, lambda dice: SINGLE.get(dice.count(face)))]
        case "total":
            (total,) = numbers(wager, count=1, low=4, high=17)
            return [Piece(wager, lambda dice: TOTALS[total] if sum(dice) == total else None)]
        case "domino":
            one, other = numbers(wager, count=2, low=1, high=6)
            if one == other:
                raise Refusal(
                    "wager-not-of-this-game",
                    "A domino combination is two different numbers: the same twice is a double.",
                    clause="act-sb:4.3g",
                    field=f"wagers.{wager}",
                )
            return _if(kind, lambda dice: one in dice and other in dice)
    raise no_such_wager(wager, list(DICE))


def _read_dice(text: str) -> Dice:
    thrown = text.split()
    if len(thrown) == 3 and all(each in ("1", "2", "3", "4", "5", "6") for each in thrown):
        one, two, three = map(int, thrown)
        return one, two, three
    raise Refusal("outcome-impossible", "Write the three dice, like 2 5 5.", clause="act-sb:7.1", field="outcome")


def _every_dice_wager() -> list[str]:
    return [
        "small",
        "big",
        "any-triple",
        *(f"{kind}:{face}" for kind in ("triple", "double", "single") for face in _FACES),
        *(f"total:{total}" for total in range(4, 18)),
        *(f"domino:{one}/{other}" for one, other in combinations(_FACES, 2)),
    ]


SIC_BO: Final[LayoutGame[Dice]] = LayoutGame(
    code="sic-bo",
    title="Sic-Bo (Australian Capital Territory)",
    document="act-sb",
    kinds=DICE,
    outcomes=tuple(product(_FACES, _FACES, _FACES)),
    read_outcome=_read_dice,
    read_wager=_read_dice_wager,
    every_wager=_every_dice_wager,
    wins="4.3",
    loses="4.3",
    above_maximum="3.5",
    irregularities={
        "not-flat": "8.1",
        "broken-die": "8.2",
        "exposed": "8.3",
        "tumbler": "8.4",
        "rules-broken": "10.3",
        "invalidated": "10.5",
    },
)

# act-mw:2.1 and 6.1: how many segments, and the odds.
SEGMENTS: Final[Mapping[str, tuple[int, Cell]]] = {
    name: (segments, Cell(name, Odds(odds), f"act-mw:6.1{letter}"))
    for name, segments, odds, letter in (
        ("1", 24, 1, "a"),
        ("3", 12, 3, "b"),
        ("5", 8, 5, "c"),
        ("11", 4, 11, "d"),
        ("23", 2, 23, "e"),
        ("canberra", 1, 47, "f"),
        ("flag", 1, 47, "g"),
    )
}


def _read_wheel_wager(wager: str) -> Sequence[Piece[str]]:
    if wager not in SEGMENTS:
        raise no_such_wager(wager, list(SEGMENTS))
    cell = SEGMENTS[wager][1]
    return [Piece(wager, lambda fell: cell if fell == wager else None)]


def _read_segment(text: str) -> str:
    name = text.removeprefix("$").lower()
    if name not in SEGMENTS:
        raise Refusal(
            "outcome-impossible",
            f"The segments are {', '.join(SEGMENTS)}.",
            clause="act-mw:2.1",
            field="outcome",
        )
    return name


MONEY_WHEEL: Final[LayoutGame[str]] = LayoutGame(
    code="money-wheel",
    title="Money Wheel (Australian Capital Territory)",
    document="act-mw",
    kinds={name: (cell,) for name, (_, cell) in SEGMENTS.items()},
    outcomes=tuple(name for name, (segments, _) in SEGMENTS.items() for _ in range(segments)),
    read_outcome=_read_segment,
    read_wager=_read_wheel_wager,
    every_wager=lambda: list(SEGMENTS),
    wins="7.1",
    loses="7.1",
    above_maximum="3.5",
    irregularities={
        "not-two-revolutions": "8.1",
        "interference": "8.2",
        "on-the-divider": "8.3",
        "rules-broken": "10.3",
        "invalidated": "10.5",
    },
)
