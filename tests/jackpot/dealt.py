"""The hands that people are dealt in these tests."""

from __future__ import annotations

from jackpot.rules.payouts import Dealt

ROYAL = "AS KS QS JS TS"
ROYAL_HEARTS = "AH KH QH JH TH"
STRAIGHT_FLUSH = "9C 8C 7C 6C 5C"
STRAIGHT_FLUSH_2 = "8D 7D 6D 5D 4D"
FULL_HOUSE = "2S 2H 2D 3S 3H"
FLUSH = "AD JD 9D 3D 5D"
NOTHING = "AC KC 9H 4S 2C"
NOTHING_2 = "KH QD 8S 4H 3C"
GEE_JUN = "gee-jun gee-jun teen teen"
HUNDRED_TILES = "chong look bon tif"
NO_TILES = "day day yun gor"


def cards(box: int, text: str) -> Dealt:
    return Dealt(box=box, cards=text.split())


def tiles(box: int, text: str) -> Dealt:
    return Dealt(box=box, tiles=text.split())
