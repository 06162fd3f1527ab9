"""Draws docs/architecture.svg from the real import graph: ``python docs/draw_architecture.py``. A test draws it again.

Each row is a layer of the import contract in pyproject.toml. A line goes from a room to the rooms it imports; one that
is implied by others (a room that is reached through another) is left out. The figures say how many imports there are.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping, Sequence
from html import escape
from itertools import product
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).resolve().parent.parent
PICTURE: Final = ROOT / "docs" / "architecture.svg"
BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y, MARGIN = 190, 46, 40, 46, 24
WIDTH: Final = 860

# What each room is for, in a line.
FOR: Final[Mapping[str, str]] = {
    "config": "settings, processes, services",
    "verify": "the stranger’s check",
    "console": "the door, home, search, audit",
    "signage": "feeds, boards, the check page",
    "keno": "games, tickets, draws, prizes",
    "promotions": "terms, entries, draws, claims",
    "tablegames": "what a hand should have paid",
    "jackpot": "links, rounds, hits",
    "tournaments": "fees, scores, places, prizes",
    "draws": "promised, asked, waited for",
    "chance": "bytes to fair selections",
    "house": "venue, people, approvals, cash",
    "web": "what calls and pages share",
    "ledger": "money and acts, sealed",
    "witness": "the second party to a draw",
    "kernel": "money, refusal, actor, locks",
}


def layers() -> list[list[str]]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    return [[room.strip() for room in layer.split("|")] for layer in contracts[0]["layers"]]


def imports(rooms: Sequence[str]) -> dict[tuple[str, str], int]:
    """How many imports go from one room into another."""
    graph = grimp.build_graph(*rooms, cache_dir=None)
    found: dict[tuple[str, str], int] = {}
    for module in graph.modules:
        for target in graph.find_modules_directly_imported_by(module):
            pair = (module.split(".")[0], target.split(".")[0])
            if pair[0] != pair[1]:
                found[pair] = found.get(pair, 0) + 1
    return found


def reduced(pairs: Mapping[tuple[str, str], int]) -> list[tuple[str, str]]:
    """Without what is implied: a line from a to c where a reaches c through b."""
    reaches = set(pairs)
    rooms = {room for pair in pairs for room in pair}
    for middle, first, last in product(sorted(rooms), repeat=3):
        if (first, middle) in reaches and (middle, last) in reaches:
            reaches.add((first, last))
    return sorted(
        (first, last)
        for first, last in pairs
        if not any((first, middle) in reaches and (middle, last) in reaches for middle in rooms - {first, last})
    )


def draw() -> str:
    rows = layers()
    rooms = [room for row in rows for room in row]
    pairs = imports(rooms)
    places: dict[str, tuple[int, int]] = {}
    for number, row in enumerate(rows):
        left = (WIDTH - len(row) * BOX_WIDTH - (len(row) - 1) * GAP_X) // 2
        for place, room in enumerate(row):
            places[room] = (left + place * (BOX_WIDTH + GAP_X), MARGIN + number * (BOX_HEIGHT + GAP_Y))
    height = MARGIN * 2 + len(rows) * (BOX_HEIGHT + GAP_Y) - GAP_Y
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        'role="img" aria-label="The rooms of Meterhouse and what each imports">',
        f'<rect width="{WIDTH}" height="{height}" fill="#f7f8fb"/>',
    ]
    parts += [_line(places[first], places[last], pairs[(first, last)]) for first, last in reduced(pairs)]
    parts += [_box(room, places[room]) for room in rooms]
    return "\n".join([*parts, "</svg>", ""])


def _line(first: tuple[int, int], last: tuple[int, int], count: int) -> str:
    """Straight down to the next layer; around the side of what lies between otherwise."""
    down = (last[1] - first[1]) // (BOX_HEIGHT + GAP_Y)
    if down == 1:
        x1, y1 = first[0] + BOX_WIDTH // 2, first[1] + BOX_HEIGHT
        x2, y2 = last[0] + BOX_WIDTH // 2, last[1]
        path, said_x, said_y = f"M{x1} {y1} L{x2} {y2}", (x1 + x2) // 2 + 6, (y1 + y2) // 2 + 4
    else:
        right = min(first[0], last[0]) + BOX_WIDTH // 2 >= WIDTH // 2
        edge = BOX_WIDTH if right else 0
        x1, y1 = first[0] + edge, first[1] + BOX_HEIGHT // 2
        x2, y2 = last[0] + edge, last[1] + BOX_HEIGHT // 2
        out = (max if right else min)(x1, x2) + (30 + 26 * down) * (1 if right else -1)
        path, said_x, said_y = f"M{x1} {y1} C{out} {y1} {out} {y2} {x2} {y2}", (x1 + x2 + 6 * out) // 8, (y1 + y2) // 2
    return (
        f'<path d="{path}" stroke="#2bb8a6" stroke-width="1.5" fill="none"/>'
        f'<text x="{said_x}" y="{said_y}" font-size="11" fill="#5a6580">{count}</text>'
    )


def _box(room: str, place: tuple[int, int]) -> str:
    x, y = place
    middle = x + BOX_WIDTH // 2
    return (
        f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" fill="#141c33"/>'
        f'<text x="{middle}" y="{y + 20}" text-anchor="middle" font-size="15" font-weight="600" fill="#f7f8fb">'
        f"{room}/</text>"
        f'<text x="{middle}" y="{y + 37}" text-anchor="middle" font-size="11" fill="#b9c2d8">{escape(FOR[room])}</text>'
    )


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PICTURE.write_text(draw())
