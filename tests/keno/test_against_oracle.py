"""Thousands of random games, against the oracle that lists every way."""

from __future__ import annotations

from random import Random

import pytest

from keno.rules.entry import Entry
from keno.rules.price import quote
from keno.rules.schedules import schedule_named
from keno.rules.selection import Play, way
from keno.rules.settle import settle_game
from ledger.money import MICROS_PER_CENT, Money
from tests.keno import oracle

GAMES_A_SEED = 250


def a_ticket(chance: Random, drawn: list[int]) -> dict:
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
    schedule = chance.choice(["standard", "standard", "standard", "special-1", "special-2"])
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
    plays = [
        (spots, chance.choice([100, 200, 500]) if jackpot and spots in (6, 8) else chance.choice(stakes))
        for spots in chosen
    ]
    return {"groups": groups, "plays": plays, "schedule": schedule, "jackpot": jackpot}


def entered(ticket: dict) -> Entry:
    plays = [Play(spots, Money.cents(cents)) for spots, cents in ticket["plays"]]
    return Entry(way(ticket["groups"], plays), schedule_named(ticket["schedule"]), ticket["jackpot"])


def in_cents(amount: Money) -> int:
    assert amount.whole_cents
    return amount.micros // MICROS_PER_CENT


@pytest.mark.clause(
    "act-keno:8.1", "act-keno:8.2", "act-keno:8.3", "act-keno:9.1", "act-keno:9.2", "act-keno:9.3", "act-keno:9.4",
    "act-keno:9.5", "act-keno:9.6", "act-keno:9.7", "act-keno:10.1",
)  # fmt: skip
@pytest.mark.parametrize("seed", range(10))
def test_games_pay_what_the_oracle_says(seed):
    chance = Random(seed)
    scaled = jackpots_won = 0
    for _ in range(GAMES_A_SEED):
        drawn = chance.sample(range(1, 81), 20)
        tickets = [a_ticket(chance, drawn) for _ in range(chance.randint(1, 7))]
        jackpots = {6: chance.randint(1_000_00, 9_000_00), 8: chance.randint(12_500_00, 99_000_00)}
        expected = oracle.settle(drawn, tickets, jackpots)

        entries = [entered(ticket) for ticket in tickets]
        game = settle_game(
            drawn=drawn, entries=entries, jackpots={spots: Money.cents(cents) for spots, cents in jackpots.items()}
        )

        for ticket, entry, result, answer in zip(tickets, entries, game.tickets, expected["tickets"], strict=True):
            assert quote(entry).ways == sum(group[0] for group in answer["ways"].values())
            ways = {
                (group.spots, group.matches): [group.count, in_cents(group.prize), group.jackpot, group.prorated]
                for group in result.ways
            }
            assert ways == answer["ways"], ticket
            assert in_cents(result.prize) == answer["prize"], ticket
        majors = {"before": game.majors.before, "after": game.majors.after}
        assert {name: in_cents(amount) for name, amount in majors.items()} | {"count": game.majors.count} == (
            expected["majors"]
        )
        scaled += game.majors.factor is not None
        jackpots_won += len(game.jackpots)
    # The games are worth running: pro-rating and shared jackpots are among them.
    assert scaled >= 20
    assert jackpots_won >= 5
