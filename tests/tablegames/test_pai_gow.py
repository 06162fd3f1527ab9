"""Pai Gow's settlement by the text (act-pg:11), against a second reading of every two parts there are."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import pytest

from chance.tiles import TILES
from kernel.money import Money
from tablegames.rules.owed import Owed
from tablegames.rules.pai_gow import bank_commission, is_higher, settle
from tablegames.rules.terms import Terms

# The second reading: highest first, as the rule lists the tiles and what they count.
COUNTS = dict(zip(TILES, (2, 2, 8, 4, 0, 6, 4, 1, 0, 7, 6, 9, 8, 7, 5, 3), strict=True))
PARTS = list(combinations_with_replacement(TILES, 2))


def count(part: tuple[str, ...]) -> int:
    jun = part.count("gee-jun")
    total = sum(COUNTS[tile] for tile in part)
    return max((total + 3 * changed) % 10 for changed in range(jun + 1))


def named(part: tuple[str, ...]) -> tuple[int, int]:
    """Pairs above Wongs, Gongs and High Nines, each by its tile; (0, 0) is a plain count."""
    first, second = sorted(part, key=TILES.index)
    if first == second:
        return 4, 99 if first == "gee-jun" else 50 - TILES.index(first)
    if first in ("teen", "day") and second not in ("teen", "day") and COUNTS[second] in (9, 8, 7):
        return {9: 3, 8: 2, 7: 1}[COUNTS[second]], 50 - TILES.index(first)
    return 0, 0


def beats(player: tuple[str, ...], bank: tuple[str, ...], *, low: bool) -> bool:
    if named(player) != named(bank) or named(player) != (0, 0):
        return named(player) > named(bank)
    mine, theirs = count(player), count(bank)
    if mine != theirs:
        return mine > theirs
    if low and mine == 0:
        return False
    return min(map(TILES.index, player)) < min(map(TILES.index, bank))


@pytest.mark.clause("act-pg:11.2", "act-pg:11.5", "act-pg:11.6")
@pytest.mark.parametrize("low", [True, False])
def test_every_two_parts_are_decided_as_a_second_reading_decides_them(low: bool) -> None:
    for player in PARTS:
        for bank in PARTS:
            assert is_higher(player, bank, low=low) == beats(player, bank, low=low), (player, bank)


@pytest.mark.clause("act-pg:11.2", "act-pg:11.6")
def test_nothing_against_nothing_is_decided_by_tile_in_the_high_part_only() -> None:
    zeros = [part for part in PARTS if named(part) == (0, 0) and count(part) == 0]
    higher, lower = sorted(zeros, key=lambda part: min(map(TILES.index, part)))[:: len(zeros) - 1]
    assert is_higher(higher, lower, low=False)
    assert not is_higher(higher, lower, low=True)


def line(choices: dict[str, Any], **parts: tuple[str, str]) -> Owed:
    return settle(terms=Terms(), wagers={"hand": Money.dollars(100)}, cards=parts, choices=choices).owed[0]


WON: dict[str, Any] = {
    "player_high": ("teen", "teen"),
    "player_low": ("day", "day"),
    "bank_high": ("chop-bot", "chop-ng"),
    "bank_low": ("chong", "bon"),
}


@pytest.mark.clause("act-pg:11.8", "act-pg:11.9", "act-pg:11.7")
def test_a_win_is_less_commission_but_for_the_houses_own_hand() -> None:
    assert (str(line({}, **WON).pays), line({}, **WON).payments[0].clause) == ("95.00", "act-pg:11.8")
    house = line({"house_hand": True}, **WON)
    assert (str(house.pays), house.payments[0].clause) == ("100.00", "act-pg:11.9")
    conceded = line({"play": "concede"})
    assert (str(conceded.result), conceded.clause) == ("loses", "act-pg:11.7")


@pytest.mark.clause("act-pg:11.10", "act-pg:11.11")
def test_who_holds_the_bank_pays_commission_on_what_he_made() -> None:
    assert str(bank_commission(Money.parse("130.50"))) == "6.52"
    assert str(bank_commission(Money.parse("-20.00"))) == "0.00"
