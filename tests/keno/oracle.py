"""What one game pays, worked out the slow way: every way listed, every share a Fraction.

Written from the gazetted text and READING.md, not from `keno.rules`, and imports nothing from it. Amounts are cents.
The tables stand as printed, a line a number of matches, a column a number of spots.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

STANDARD_PRINTED = [
    """
    spots  1   2   3   4    5
    0      0   0   0   0    1
    1      3   0   0   0    0
    2      -  13   2   1    0
    3      -   -  36   5    1
    4      -   -   - 113   10
    5      -   -   -   -  530
    """,
    """
    spots   6     7      8      9     10
    0       0     1      1      2      3
    3       1     1      0      0      0
    4       4     3      1      2      1
    5      50    10      5      4      3
    6    1000   155     50     15     12
    7       -  5000    555    150     50
    8       -     -  12500   3000    500
    9       -     -      -  20000   7500
    10      -     -      -      -  25000
    """,
    """
    spots   11     12     13     14     15
    0        4      6      8     10     12
    1        1      1      1      1      2
    4        0      0      0      0      0
    5        2      1      1      1      0
    6        5      5      3      2      2
    7       32     15      7      5      5
    8      200     75     40     15     15
    9     1500    600    250    150     50
    10   10000   4000   2000    500    350
    11   30000  12000   9000   5500   1600
    12       -  35000  20000  15000   8000
    13       -      -  40000  25000  15000
    14       -      -      -  45000  30000
    15       -      -      -      -  50000
    """,
]
SPECIAL_1_PRINTED = [
    """
    spots   6      8
    0       1      1
    3       1      0
    4       6      2
    5      50      9
    6    1200     60
    7       -   1000
    8       -  12500
    """
]
SPECIAL_2_PRINTED = [
    """
    spots   3    4     5     6
    3      56    -     -     -
    4       -  252     -     -
    5       -    -  1200     -
    6       -    -     -  6000
    """
]
# Ours, to be approved under 8.4: figures in steps of ten cents.
SPECIAL_3_PROPOSED = [
    """
    spots    2     7
    0        0   1.5
    1      0.5     0
    2     10.7     0
    4        -   2.5
    5        -  15.3
    6        -   200
    7        -  7000
    """
]


def printed(tables: list[str]) -> dict[int, dict[int, Fraction]]:
    """{spots: {matches: dollars}}, zeros left out."""
    prizes: dict[int, dict[int, Fraction]] = {}
    for table in tables:
        head, *rows = [line.split() for line in table.strip().splitlines()]
        for matches, *figures in rows:
            for spots, figure in zip(head[1:], figures, strict=True):
                column = prizes.setdefault(int(spots), {})
                if figure not in ("-", "0"):
                    column[int(matches)] = Fraction(figure)
    return prizes


STANDARD = printed(STANDARD_PRINTED)
SCHEDULES = {
    "standard": STANDARD,
    "special-1": {**STANDARD, **printed(SPECIAL_1_PRINTED)},
    "special-2": printed(SPECIAL_2_PRINTED),
    "special-3": printed(SPECIAL_3_PROPOSED),
}
GUARANTEE = {6: 1_000_00, 8: 12_500_00}
MAJOR, LIMIT, CAP = 200_00, 50_000_00, 50_000_00


def ways_of(groups: Sequence[Sequence[int]], spots: int) -> Iterator[set[int]]:
    """Every way, as the set of its numbers, in a fixed order."""
    for taken in range(1, len(groups) + 1):
        for chosen in combinations(groups, taken):
            if sum(map(len, chosen)) == spots:
                yield {number for group in chosen for number in group}


def prorated(amounts: list[int]) -> tuple[list[int], list[int]]:
    """Shares of major prizes in ticket order: (before the loose cents, after them)."""
    if sum(amounts) <= LIMIT:
        return amounts, amounts
    if MAJOR * len(amounts) > LIMIT:
        flat = [MAJOR] * len(amounts)
        return flat, flat
    held: set[int] = set()
    while True:
        rest = [i for i in range(len(amounts)) if i not in held]
        factor = Fraction(LIMIT - MAJOR * len(held), sum(amounts[i] for i in rest))
        fallen = {i for i in rest if amounts[i] * factor < MAJOR}
        if not fallen:
            break
        held |= fallen
    shares = [MAJOR if i in held else int(amount * factor) for i, amount in enumerate(amounts)]
    final = list(shares)
    for i in rest[: LIMIT - sum(shares)]:
        final[i] += 1
    assert sum(final) == LIMIT
    return shares, final


def shared(pool: int, stakes: list[int]) -> tuple[list[int], list[int]]:
    """A jackpot by stake, in ticket order: (before the loose cents, after them)."""
    shares = [int(Fraction(pool * stake, sum(stakes))) for stake in stakes]
    final = list(shares)
    for i in range(pool - sum(shares)):
        final[i] += 1
    return shares, final


def settle(drawn: Iterable[int], tickets: Sequence[Mapping[str, Any]], jackpots: Mapping[int, int]) -> dict[str, Any]:
    """*tickets*: [{"groups", "plays": [(spots, cents)], "schedule", "jackpot"}]; *jackpots*: {spots: cents}.

    Answers {"tickets": [{"prize", "ways": {(spots, matches): [count, prize, jackpot, prorated]}}], "majors": {...}}.
    """
    drawn = set(drawn)
    ways = []  # one dict a way, in ticket order
    for t, ticket in enumerate(tickets):
        for spots, stake in ticket["plays"]:
            for numbers in ways_of(ticket["groups"], spots):
                matches = len(numbers & drawn)
                jackpot = ticket["jackpot"] and matches == spots and spots in GUARANTEE
                prize = 0
                if not jackpot:
                    dollars = SCHEDULES[ticket["schedule"]][spots].get(matches, 0)
                    # 9.1 excepts jackpot tickets; each way is a ticket of its own (9.7): so 6- and 8-number ways.
                    capped = not (ticket["jackpot"] and spots in GUARANTEE)
                    prize = min(int(dollars * stake), CAP) if capped else int(dollars * stake)
                    assert prize == dollars * stake or (capped and prize == CAP)  # whole cents
                ways.append(
                    {"t": t, "spots": spots, "matches": matches, "stake": stake, "jackpot": jackpot, "won": prize}
                )
    for way in ways:
        way["share"] = way["final"] = way["won"]
    majors = [way for way in ways if way["won"] >= MAJOR]
    for way, share, final in zip(majors, *prorated([way["won"] for way in majors]), strict=True):
        way["share"], way["final"] = share, final
    for spots, guarantee in GUARANTEE.items():
        winners = [way for way in ways if way["jackpot"] and way["spots"] == spots]
        if winners:
            pool = max(guarantee, jackpots.get(spots, 0))
            for way, share, final in zip(winners, *shared(pool, [way["stake"] for way in winners]), strict=True):
                way["share"], way["final"] = share, final
    answers = []
    for t in range(len(tickets)):
        groups: dict[tuple[int, int], list[Any]] = {}
        own = [way for way in ways if way["t"] == t]
        for way in own:
            lowered = not way["jackpot"] and way["share"] < way["won"]
            group = groups.setdefault((way["spots"], way["matches"]), [0, way["share"], way["jackpot"], lowered])
            assert group[1:] == [way["share"], way["jackpot"], lowered]
            group[0] += 1
        answers.append({"prize": sum(way["final"] for way in own), "ways": groups})
    return {
        "tickets": answers,
        "majors": {
            "before": sum(way["won"] for way in majors),
            "after": sum(way["final"] for way in majors),
            "count": len(majors),
        },
    }
