"""Random games for the oracle: tickets that can be sold, of every kind, and crowds that strain the rules of majors."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.keno import oracle

Ticket = dict[str, Any]


def random_game(chance: Random, *, most: int = 7) -> tuple[list[int], list[Ticket], dict[int, int]]:
    """(drawn, tickets, jackpots in cents). One in twenty is a crowd on the same numbers."""
    drawn = chance.sample(range(1, 81), 20)
    if chance.random() < 0.05:
        tickets = chance.choice([many_ways, many_tickets, jackpot_winners])(chance, drawn)
    else:
        tickets = [random_ticket(chance, drawn, special_3=True) for _ in range(chance.randint(1, most))]
    chance.shuffle(tickets)
    return drawn, tickets, {6: chance.randint(1_000_00, 9_000_00), 8: chance.randint(12_500_00, 99_000_00)}


def random_ticket(chance: Random, drawn: list[int], *, special_3: bool = False) -> Ticket:
    """A ticket that can be sold. Half of them lean on the numbers drawn, or there would be no majors to pro-rate."""
    lean = chance.choice([0.0, 0.0, 0.8, 1.0])
    pool = sorted(range(1, 81), key=lambda n: (not (n in drawn and chance.random() < lean), chance.random()))
    if chance.random() < 0.5:
        groups = [tuple(pool[: chance.randint(1, 15)])]
    elif chance.random() < 0.15:
        groups = [(number,) for number in pool[: chance.randint(6, 11)]]
    else:
        sizes = [chance.randint(1, 4) for _ in range(chance.randint(2, 7))]
        groups = [tuple(pool[sum(sizes[:i]) : sum(sizes[: i + 1])]) for i in range(len(sizes))]
    possible = {spots: len(list(oracle.ways_of(groups, spots))) for spots in range(1, 16)}
    schedules = ["standard", "standard", "standard", "special-1", "special-2", *(["special-3"] if special_3 else [])]
    schedule = chance.choice(schedules)
    offered = [spots for spots in possible if possible[spots] and spots in oracle.SCHEDULES[schedule]]
    if not offered or (schedule == "special-1" and len(groups) == 1):
        schedule, offered = "standard", [spots for spots in possible if possible[spots]]
    chosen = chance.sample(offered, chance.randint(1, min(3, len(offered))))
    ways = sum(possible[spots] for spots in chosen)
    if schedule == "special-1" and ways < 2:
        schedule = "standard"
    jackpot = schedule == "standard" and bool({6, 8} & set(chosen)) and chance.random() < 0.6
    least = next(cents for most, cents in ((3, 100), (19, 50), (49, 20), (10**9, 10)) if ways <= most)
    stakes = [cents for cents in (10, 20, 30, 50, 70, 90) if cents >= least] + [100, 100, 200, 300, 700]
    whole = [100, 200, 500, *([100_00] if ways <= 9 else [])]  # at $100 a jackpot way is past what others are capped at
    plays = [
        (spots, chance.choice(whole) if jackpot and spots in (6, 8) else chance.choice(stakes)) for spots in chosen
    ]
    return {"groups": groups, "plays": plays, "schedule": schedule, "jackpot": jackpot}


def many_ways(chance: Random, drawn: list[int]) -> list[Ticket]:
    """Ten or eleven numbers, all drawn, each a group: 210 or 330 majors of four on one ticket, and some company."""
    groups = [(number,) for number in chance.sample(drawn, chance.choice([10, 11]))]
    king = {"groups": groups, "plays": [(4, chance.choice([200, 300]))], "schedule": "standard", "jackpot": False}
    return [king, *(random_ticket(chance, drawn) for _ in range(chance.randint(0, 3)))]


def many_tickets(chance: Random, drawn: list[int]) -> list[Ticket]:
    """Two to three hundred players on five of the numbers drawn: $530.00 a dollar."""
    return [
        {
            "groups": [tuple(chance.sample(drawn, 5))],
            "plays": [(5, chance.choice([100, 100, 200, 900]))],
            "schedule": "standard",
            "jackpot": False,
        }
        for _ in range(chance.randint(200, 300))
    ]


def jackpot_winners(chance: Random, drawn: list[int]) -> list[Ticket]:
    """Several winners of both jackpots at different stakes, some by several ways."""
    return [
        {
            "groups": [tuple(chance.sample(drawn, spots))] if chance.random() < 0.6 else _pairs(chance, drawn),
            "plays": [(spots, chance.choice([100, 200, 300, 700]))],
            "schedule": "standard",
            "jackpot": True,
        }
        for spots in (chance.choice([6, 8]) for _ in range(chance.randint(2, 9)))
    ]


def _pairs(chance: Random, drawn: list[int]) -> list[tuple[int, ...]]:
    marked = chance.sample(drawn, 10)
    return [tuple(marked[at : at + 2]) for at in range(0, 10, 2)]


def special_3_figures() -> dict[str, dict[str, str]]:
    """The oracle's special 3 as it is proposed for approval."""
    return {
        str(spots): {str(matches): f"{figure.numerator / figure.denominator:.2f}" for matches, figure in column.items()}
        for spots, column in oracle.SCHEDULES["special-3"].items()
    }
