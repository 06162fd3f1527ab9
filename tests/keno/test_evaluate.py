"""`POST keno/evaluate` against the oracle, on random games of every kind, as a terminal sees it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from house.devices import service_token
from tests.keno import oracle
from tests.keno.random_games import Ticket, random_game, special_3_figures
from tests.world import keno_counter as at
from tests.world.calls import Caller
from tests.world.extent import seeds

pytestmark = pytest.mark.django_db
GAMES_A_SEED = 250


def text(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def cents(amount: str) -> int:
    return int(amount.replace(".", ""))


def written(ticket: Ticket) -> dict[str, Any]:
    """As a terminal sends it: a plain ticket where it is one."""
    terms = {"schedule": ticket["schedule"], "jackpot": ticket["jackpot"]}
    groups, plays = ticket["groups"], ticket["plays"]
    if len(groups) == 1:
        return {"numbers": list(groups[0]), "stake": text(plays[0][1]), **terms}
    sent = [{"spots": spots, "stake": text(stake)} for spots, stake in plays]
    return {"groups": [list(group) for group in groups], "plays": sent, **terms}


@pytest.mark.clause(
    "act-keno:8.1", "act-keno:8.2", "act-keno:8.3", "act-keno:8.4", "act-keno:9.1", "act-keno:9.2", "act-keno:9.3",
    "act-keno:9.4", "act-keno:9.5", "act-keno:9.6", "act-keno:9.7",
)  # fmt: skip
@pytest.mark.parametrize("seed", seeds(4, always=1))
def test_evaluate_agrees_with_the_oracle(seed: int) -> None:
    at.approve_value("special-3", "special-3", {"tables": special_3_figures(), "band": ["0.10", "0.90"]})
    board = Caller(service_token(role="signage").secret)
    chance = Random(20261116 + seed)
    lowered = flat = shared = 0
    for _ in range(GAMES_A_SEED):
        drawn, tickets, jackpots = random_game(chance, most=4)
        expected = oracle.settle(drawn, tickets, jackpots)
        answer = board.post(
            "keno/evaluate",
            {
                "drawn": drawn,
                "tickets": [written(ticket) for ticket in tickets],
                "jackpots": {str(spots): text(amount) for spots, amount in jackpots.items()},
            },
        )
        assert answer.status_code == 200, answer.content
        game = answer.json()
        for ticket, told, right in zip(tickets, game["tickets"], expected["tickets"], strict=True):
            ways = {
                (one["spots"], one["matches"]): [one["count"], cents(one["prize"]), one["jackpot"], one["prorated"]]
                for one in told["ways"]
            }
            assert ways == right["ways"], ticket
            assert cents(told["prize"]) == right["prize"], ticket
        majors = game["majors"]
        assert {"before": cents(majors["before"]), "after": cents(majors["after"]), "count": majors["count"]} == (
            expected["majors"]
        )
        lowered += majors["before"] != majors["after"]
        flat += majors["count"] > 250
        winners = [one for told in game["tickets"] for one in told["ways"] if one["jackpot"]]
        shared += sum(one["count"] for one in winners if one["spots"] == 6) > 1
    assert min(lowered, flat, shared) >= 2, (lowered, flat, shared)
