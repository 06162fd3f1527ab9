"""What the gazetted texts pay, written from the texts alone in whole cents: nothing of jackpot/ is used here.

Answers are lists of (box, kind, amount, from pool, from house) in order of payment, and the pool left, all in cents.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

Line = tuple[int, str, int, int, int]

FIXED = {"four": 500_00, "house": 150_00, "flush": 100_00, "dead": 50_00, "hundred": 100_00}


def poker(cards: list[str]) -> str:
    """The name of five cards, by looking at them the way a dealer does."""
    values = sorted("23456789TJQKA".index(card[0]) for card in cards)
    one_suit = len({card[1] for card in cards}) == 1
    in_sequence = values == list(range(values[0], values[0] + 5)) or values == [0, 1, 2, 3, 12]
    if one_suit and in_sequence:
        return "royal" if values[0] == 8 else "straight"
    repeats = sorted(Counter(values).values())
    if repeats == [1, 4]:
        return "four"
    if repeats == [2, 3]:
        return "house"
    if one_suit:
        return "flush"
    if repeats == [1, 2, 2] and values.count(12) == 2 and values.count(6) == 2:
        return "dead"
    return "nothing"


def pai_gow(tiles: list[str]) -> str:
    held = Counter(tiles)
    if held["gee-jun"] == 2 and held["teen"] == 2:
        return "major"
    if set(tiles) == {"teen", "mooy", "ping", "foo"}:
        return "hundred"
    if {"chong", "look", "bon"} <= set(tiles) and ("tif" in tiles or "chop-chit" in tiles):
        return "hundred"
    return "nothing"


def caribbean_stud(
    pool: int, wagers: list[int], hands: dict[int, list[str]], bonus: int, folded: list[int]
) -> tuple[list[Line], int]:
    del folded  # still paid a jackpot hand (9.3.1)
    won = {box: poker(hands[box]) for box in wagers if box in hands}
    lines: list[Line] = []
    for box in sorted(wagers, reverse=True):
        if won.get(box) in ("four", "house", "flush"):
            lines.append((box, "fixed", FIXED[won[box]], 0, FIXED[won[box]]))
    straights = sorted((box for box in won if won[box] == "straight"), reverse=True)
    royals = sorted((box for box in won if won[box] == "royal"), reverse=True)
    if bonus and (straights or royals):
        lines += [(b, "bonus", bonus, 0, bonus) for b in sorted(wagers, reverse=True) if b not in straights + royals]
    if straights:
        # "the aggregate of the 10% payouts from each subsequent jackpot total"
        left, aggregate = Fraction(pool), Fraction(0)
        for _ in straights:
            aggregate += left / 10
            left -= left / 10
        each = int(aggregate / len(straights))
        for box in straights:
            lines.append((box, "straight", max(each, 5_000_00), each, max(0, 5_000_00 - each)))
        pool -= each * len(straights)
    if royals:
        each = pool // len(royals)
        for box in royals:
            lines.append((box, "royal", max(each, 50_000_00), each, max(0, 50_000_00 - each)))
        pool -= each * len(royals)
    return lines, pool


def boomerang(
    pool: int, shown: int, wagers: list[int], hands: dict[int, list[str]], folded: list[int]
) -> tuple[list[Line], int]:
    won = {box: poker(hands[box]) for box in wagers if box in hands and box not in folded}
    right_to_left = sorted(won, reverse=True)
    lines: list[Line] = [
        (box, "fixed", FIXED[won[box]], 0, FIXED[won[box]]) for box in right_to_left if won[box] in FIXED
    ]
    straights = [box for box in right_to_left if won[box] == "straight"]
    royals = [box for box in right_to_left if won[box] == "royal"]
    straight = max(Fraction(1_000_00), Fraction(shown, 10))
    royal = max(Fraction(10_000_00), Fraction(shown))
    liability = straight * len(straights) + royal * len(royals)
    scale = Fraction(shown) / liability if liability > shown else Fraction(1)
    for boxes, kind, prize, of_pool in (
        (straights, "straight", straight, shown // 10),
        (royals, "royal", royal, shown),
    ):
        for box in boxes:
            amount = int(prize * scale)
            from_pool = min(amount, of_pool, pool)
            lines.append((box, kind, amount, from_pool, amount - from_pool))
            pool -= from_pool
    return lines, pool


def gee_jun(pool: int, wagers: list[int], hands: dict[int, list[str]]) -> tuple[list[Line], int]:
    won = {box: pai_gow(hands[box]) for box in sorted(wagers, reverse=True) if box in hands}
    lines: list[Line] = [(box, "fixed", 100_00, 0, 100_00) for box in won if won[box] == "hundred"]
    majors = [box for box in won if won[box] == "major"]
    for box in majors:
        lines.append((box, "major", pool // len(majors), pool // len(majors), 0))
    return lines, pool - (pool // len(majors)) * len(majors) if majors else pool
