"""American Roulette of Casino Canberra, with one zero: 37 compartments (act-ar:2.1), so every wager keeps 1/37.

The order of the wheel is in a picture (Appendix A); the race track's series (4.9) fix it: neighbours on the wheel are
those of the single-zero wheel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from kernel.refusal import Refusal
from tablegames.rules.layout import LayoutGame, Piece, no_such_wager, numbers
from tablegames.rules.odds import Cell, Odds

WHEEL: Final = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
RED: Final = frozenset({1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36})
_ALL: Final = frozenset(range(1, 37))
_COMPARTMENTS: Final = {str(n): n for n in range(37)}  # and no 00


def _cell(kind: str, odds: int, letter: str) -> Cell:
    return Cell(kind, Odds(odds), f"act-ar:6.1{letter}")


CELLS: Final[Mapping[str, Cell]] = {
    cell.what: cell
    for cell in (
        _cell("straight-up", 35, "a"),
        _cell("split", 17, "b"),
        _cell("street", 11, "c"),
        _cell("corner", 8, "d"),
        _cell("six-line", 5, "e"),
        _cell("column", 2, "f"),
        _cell("dozen", 2, "g"),
        _cell("low", 1, "h"),
        _cell("high", 1, "i"),
        _cell("even", 1, "j"),
        _cell("odd", 1, "k"),
        _cell("red", 1, "l"),
        _cell("black", 1, "m"),
    )
}
_EVEN_CHANCES: Final[Mapping[str, frozenset[int]]] = {
    "low": frozenset(range(1, 19)),
    "high": frozenset(range(19, 37)),
    "even": frozenset(range(2, 37, 2)),
    "odd": frozenset(range(1, 37, 2)),
    "red": RED,
    "black": _ALL - RED,
}
_ROWS: Final = [frozenset({n, n + 1, n + 2}) for n in range(1, 35, 3)]
# What is adjacent on the layout (4.3); zero lies beside 1, 2 and 3 (7.3).
_ADJACENT: Final[Mapping[str, frozenset[frozenset[int]]]] = {
    "straight-up": frozenset(frozenset({n}) for n in range(37)),
    "split": frozenset(
        [frozenset({n, n + 1}) for n in range(1, 36) if n % 3]
        + [frozenset({n, n + 3}) for n in range(1, 34)]
        + [frozenset({0, n}) for n in (1, 2, 3)]
    ),
    "street": frozenset([*_ROWS, frozenset({0, 1, 2}), frozenset({0, 2, 3})]),
    "corner": frozenset(
        [frozenset({n, n + 1, n + 3, n + 4}) for n in range(1, 33) if n % 3] + [frozenset({0, 1, 2, 3})]
    ),
    "six-line": frozenset(a | b for a, b in pairwise(_ROWS)),
}
# 4.9. Of the nine pieces of Voisins de Zero two lie on 0/2/3 and two on the corner, as the trade lays them.
RACE_TRACK: Final[Mapping[str, tuple[str, ...]]] = {
    "tier": ("5/8", "10/11", "13/16", "23/24", "27/30", "33/36"),
    "orphans": ("1", "6/9", "14/17", "17/20", "31/34"),
    "voisins-de-zero": ("0/2/3", "0/2/3", "4/7", "12/15", "18/21", "19/22", "25/26/28/29", "25/26/28/29", "32/35"),
    "zero-game": ("0/3", "12/15", "26", "32/35"),
}
_BY_SIZE: Final = {1: "straight-up", 2: "split", 3: "street", 4: "corner"}
KINDS: Final = (*CELLS, *RACE_TRACK, "neighbours")


def _piece(kind: str, covers: frozenset[int], *, weight: int = 1) -> Piece[int]:
    cell = CELLS[kind]
    on = "/".join(str(n) for n in sorted(covers))
    what = f"{kind} {on}" if len(covers) < 7 else kind
    return Piece(what, lambda fell: cell if fell in covers else None, weight, f"{kind}:{on}")


def _race_track(laid: Sequence[str]) -> list[Piece[int]]:
    return [
        _piece(_BY_SIZE[len(on)], on, weight=laid.count(text))
        for text in dict.fromkeys(laid)
        for on in [frozenset(int(each) for each in text.split("/"))]
    ]


def neighbours(number: int) -> list[int]:
    """The number with the two on either side of it on the wheel."""
    place = WHEEL.index(number)
    return [WHEEL[(place + step) % len(WHEEL)] for step in (-2, -1, 0, 1, 2)]


def read_wager(wager: str) -> Sequence[Piece[int]]:
    kind, colon, _ = wager.partition(":")
    if kind in _EVEN_CHANCES and not colon:
        return [_piece(kind, _EVEN_CHANCES[kind])]
    if kind in RACE_TRACK and not colon:
        return _race_track(RACE_TRACK[kind])
    if kind in ("column", "dozen"):
        (which,) = numbers(wager, count=1, low=1, high=3)
        covers = [n for n in _ALL if (n % 3 == which % 3 if kind == "column" else (n - 1) // 12 + 1 == which)]
        return [_piece(kind, frozenset(covers))]
    if kind == "neighbours":
        (middle,) = numbers(wager, count=1, low=0, high=36)
        return [_piece("straight-up", frozenset({n})) for n in neighbours(middle)]
    if kind in _ADJACENT:
        on = numbers(wager, low=0, high=36)
        if len(on) != len(set(on)) or frozenset(on) not in _ADJACENT[kind]:
            raise Refusal(
                "not-adjacent",
                f"{'/'.join(map(str, on))} is no {kind} on the layout.",
                clause="act-ar:4.3",
                field=f"wagers.{wager}",
            )
        return [_piece(kind, frozenset(on))]
    raise no_such_wager(wager, KINDS)


def read_outcome(text: str) -> int:
    if text in _COMPARTMENTS:
        return _COMPARTMENTS[text]
    raise Refusal(
        "outcome-impossible", "The ball rests in a compartment from 0 to 36.", clause="act-ar:2.1", field="outcome"
    )


def every_wager() -> list[str]:
    laid = [f"{kind}:{'/'.join(map(str, sorted(on)))}" for kind, places in _ADJACENT.items() for on in places]
    chosen = [f"{kind}:{which}" for kind in ("column", "dozen") for which in (1, 2, 3)]
    return [*laid, *chosen, *_EVEN_CHANCES, *RACE_TRACK, *(f"neighbours:{n}" for n in range(37))]


ROULETTE: Final[LayoutGame[int]] = LayoutGame(
    code="roulette",
    title="American Roulette (Australian Capital Territory)",
    document="act-ar",
    kinds={kind: (CELLS[kind],) if kind in CELLS else () for kind in KINDS},
    outcomes=tuple(range(37)),
    read_outcome=read_outcome,
    read_wager=read_wager,
    every_wager=every_wager,
    wins="7.1",
    loses="7.1",
    above_maximum="3.5",
    irregularities={
        "spun-with-the-wheel": "9.1",
        "no-spin": "9.2",
        "foreign-object": "9.3",
        "in-no-compartment": "9.4",
        "left-the-wheel": "9.5",
        "rules-broken": "10.3",
        "invalidated": "10.5",
    },
)
