"""Thousands of random games of the pure rules, against the oracle that lists every way."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from keno.rules.entry import TicketEntry
from keno.rules.price import quote
from keno.rules.schedules import Schedule, schedule_named, special_3
from keno.rules.selection import Play, way
from keno.rules.settle import settle_game
from kernel.money import MICROS_PER_CENT, Money
from tests.keno import oracle
from tests.keno.random_games import random_game, special_3_figures
from tests.world.extent import seeds

GAMES_A_SEED = 250
SPECIAL_3: Schedule = special_3(
    {
        int(spots): {int(matches): Money.parse(figure) for matches, figure in column.items()}
        for spots, column in special_3_figures().items()
    }
)


def entered(ticket: dict[str, Any]) -> TicketEntry:
    plays = [Play(spots, Money.cents(cents)) for spots, cents in ticket["plays"]]
    schedule = schedule_named(ticket["schedule"], approved_special_3=SPECIAL_3)
    return TicketEntry(way(ticket["groups"], plays), schedule, ticket["jackpot"])


def in_cents(amount: Money) -> int:
    assert amount.whole_cents
    return amount.micros // MICROS_PER_CENT


@pytest.mark.clause(
    "act-keno:8.1", "act-keno:8.2", "act-keno:8.3", "act-keno:9.1", "act-keno:9.2", "act-keno:9.3", "act-keno:9.4",
    "act-keno:9.5", "act-keno:9.6", "act-keno:9.7", "act-keno:10.1",
)  # fmt: skip
@pytest.mark.parametrize("seed", seeds(10, always=3))
def test_games_pay_what_the_oracle_says(seed: int) -> None:
    chance = Random(seed)
    scaled = flat = shared = 0
    schedules = set()
    for _ in range(GAMES_A_SEED):
        drawn, tickets, jackpots = random_game(chance)
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
        flat += game.majors.count > 250
        shared += any(won.ways > 1 for won in game.jackpots.values())
        schedules |= {ticket["schedule"] for ticket in tickets}
    # The games are worth running: pro-rating, more majors than $200 each allows, shared jackpots, all four schedules.
    assert scaled >= 20
    assert flat >= 2
    assert shared >= 5
    assert schedules == set(oracle.SCHEDULES)
