"""Against a real server: controllers that replay and reorder, and the race of linked tables."""

from __future__ import annotations

import json
import random
import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from jackpot import links, pools
from jackpot.models import Contribution
from jackpot.pools import read_meter
from jackpot.reconcile import reconcile
from jackpot.rules.pool import Movement
from ledger.balance import balance
from tests.jackpot.dealt import ROYAL
from tests.world.calls import make_device
from tests.world.jackpot_table import conserved
from tests.world.money import dollars
from tests.world.people import MANAGER
from tests.world.server import Server

pytestmark = pytest.mark.usefixtures("live_floor")


def call(server: Server, token: str, path: str, body: Any, key: str) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
    status, answer, _ = server.send("POST", f"/api/v1/jackpot/{path}", body, **headers)
    return status, json.loads(answer)


def displayed(server: Server, token: str, link: str) -> str:
    status, answer, _ = server.send("GET", f"/api/v1/jackpot/pools/{link}", Authorization=f"Bearer {token}")
    assert status == 200
    return str(json.loads(answer)["displayed"])


def _eight_controllers(server: Server) -> None:
    """Every controller sends every message in batches and an order of its own, each call twice under one key and again
    under another: each message counts once."""
    now = datetime.now(UTC).isoformat()
    tables = ("CSP-01", "CSP-02", "BOOM-01")
    everything = [{"id": f"m{n}", "table": tables[n % 3], "wagers": n % 5 + 1, "at": now} for n in range(400)]
    counted: list[int] = []
    wrong: list[Any] = []
    tokens = [make_device("table")[1] for _ in range(8)]
    barrier = threading.Barrier(8)

    def controller(seed: int) -> None:
        dice = random.Random(seed)
        barrier.wait()
        mine = dice.sample(everything, len(everything))
        for first in range(0, len(mine), 100):
            sent = mine[first : first + 100]
            status, answer = call(server, tokens[seed], "contributions", sent, f"k{first}")
            if status == 200:
                counted.append(answer["counted"])
                again = call(server, tokens[seed], "contributions", sent, f"k{first}")  # the answer was lost
                other = call(server, tokens[seed], "contributions", sent[::-1], f"again{first}")
                if again != (200, answer) or other[1]["counted"] != 0:
                    wrong.append((again, other))
            else:
                wrong.append(answer)

    threads = [threading.Thread(target=controller, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert sum(counted) == len(everything) == Contribution.objects.count()
    csp = sum(each["wagers"] for each in everything if str(each["table"]).startswith("CSP"))  # type: ignore[misc]
    boom = sum(each["wagers"] for each in everything if str(each["table"]).startswith("BOOM"))  # type: ignore[misc]
    assert pools.read_pools("CSP").prize == dollars("50000.00") + dollars("1.75") * csp
    assert pools.read_pools("BOOM").prize == dollars("10000.00") + dollars("0.60") * boom
    assert balance(pools.account("CSP", pools.DROP)).amount == dollars("2.50") * csp
    for code in ("CSP", "BOOM"):
        conserved(code)
        assert reconcile(link=links.find_link(code)).fault == ""


def _linked_tables_race(server: Server, link: str, *, owed: tuple[str, str, str]) -> None:
    """Table A starts at a displayed $80,000; table B wins it, the pool restarts; then A's round ends with a royal."""
    missing = dollars("80000.00") - read_meter(links.find_link(link)).pools.prize
    pools.book(
        link=link,
        movements=[Movement("house", "prize", missing)],
        kind="jackpot.adjustment",
        reference="80",
        by=MANAGER,
        day=datetime.now(UTC).date(),
    )
    _, token = make_device("table")
    assert displayed(server, token, link) == "80000.00"
    hands = {"hands": [{"box": 1, "cards": ROYAL.split()}]}
    rounds = []
    for table in ("01", "02"):
        status, started = call(
            server, token, f"tables/{link}-{table}/rounds", {"wagers": [{"box": 1}]}, f"{link}{table}"
        )
        assert status == 201
        rounds.append(started)
    assert rounds[0]["displayed"] == "80000.00"
    _, won = call(server, token, f"rounds/{rounds[1]['round']}/finish", hands, f"{link}B")
    assert won["hits"][0]["kind"] == "royal"
    before = displayed(server, token, link)
    assert before == won["displayed"]
    _, ended = call(server, token, f"rounds/{rounds[0]['round']}/finish", hands, f"{link}A")
    (hit,) = ended["hits"]
    assert (hit["amount"], hit["measured_on"], hit["from_house"]) == owed
    assert hit["sequence"] == won["hits"][0]["sequence"] + 1
    conserved(link)


@pytest.mark.clause("act-cp:11.1-royal", "nsw-csp:12.1.1")
def test_against_one_server(server: Server) -> None:
    _eight_controllers(server)
    # Boomerang owes what was displayed when the round began; the house covers what the pool cannot.
    _linked_tables_race(server, "BOOM", owed=("80000.00", "80000.00", "70000.00"))
    # Caribbean Stud pays on the pool as it then is: what it restarted at.
    _linked_tables_race(server, "CSP", owed=("50000.00", "50000.00", "0.00"))
