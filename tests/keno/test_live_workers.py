"""Two beats and three workers on a real broker, which goes away; a real database, which crashes in mid-draw.

Nothing here waits a minute. A minute without a broker in a house with a game every three minutes misses one close at
most; here games close every three seconds, and the broker stays away until two closes are overdue. What a missed close
means does not depend on how long ago it was: due is a row (decision 8).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from chance import two_party
from draws.record import KINDS, DrawsOnRecord
from house.devices import service_token
from house.seed import seed
from keno.accounts import open_accounts
from keno.models import KenoSettings
from ledger.seal import begin_log
from tests.keno.live_house import LiveHouse
from tests.world import keno_counter as at
from tests.world.witness import RunningWitness, folder_with_keys

# The same in one process, by six threads: tests/keno/test_games_races.py.
pytestmark = pytest.mark.long
SHORT = {"interval": 3.0, "draw_after": 0.2, "pace": 0.1}  # seconds
ONCE = [
    "keno.opened", "keno.closed", "keno.sealed", "keno.locked", *["keno.ball"] * 20, "keno.drawn", "keno.settled",
]  # fmt: skip


@pytest.fixture(scope="module")
def houses() -> Iterator[list[LiveHouse]]:
    running: list[LiveHouse] = []
    yield running
    for house in running:
        house.close()


@pytest.fixture(scope="module")
def lasting_witness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWitness]:
    """One for all tests here, as the house is."""
    running = RunningWitness()
    running.begin(folder_with_keys(tmp_path_factory.mktemp("live") / "witness", same_machine=True))
    yield running
    running.end()


@pytest.fixture
def house(houses: list[LiveHouse], lasting_witness: RunningWitness, transactional_db: None) -> LiveHouse:
    """A house with a game on sale, two beats and three workers; one for all tests here, it is dear to start."""
    if not houses:
        seed()  # a flush before this test took what migrations had put there
        open_accounts()
        begin_log()
        lasting_witness.watch()
        at.open_day()
        KenoSettings.objects.create(pk=1, **{name: timedelta(seconds=each) for name, each in SHORT.items()})
        houses.append(LiveHouse(token=service_token(role="writer").secret))
        houses[0].start(workers=3, beats=2)
        on_sale(houses[0])
    return houses[0]


@pytest.fixture(autouse=True)
def second_party() -> None:
    """A real one is running."""


def on_sale(house: LiveHouse) -> int:
    return int(house.until(lambda: house.rows("SELECT number FROM keno_game WHERE status = 'open'"))[0])


def settled(house: LiveHouse, game: int) -> dict[str, Any]:
    """What its settlement published, once it has."""
    query = "SELECT data FROM ledger_act WHERE kind = 'keno.settled' AND subject = %s"
    return dict(house.until(lambda: house.rows(query, f"keno-game:{game}"))[0])


def played_once_and_as_promised(house: LiveHouse, game: int) -> dict[str, Any]:
    """Every step on record once; the numbers are those of the seed that was promised; the stakes booked once."""
    result = settled(house, game)
    acts = house.rows("SELECT kind, data FROM ledger_act WHERE subject = %s ORDER BY id", f"keno-game:{game}")
    assert [kind for kind, _ in acts] == ONCE
    opened = acts[0][1]
    record = DrawsOnRecord("keno")
    told = house.rows("SELECT kind, data FROM ledger_act WHERE kind = ANY(%s) ORDER BY tx, id", list(KINDS))
    for kind, data in told:
        record.act(kind, data)
    promise = record.promise(str(game))
    master = bytes.fromhex(result["seed"])
    assert (promise.commitment.hex(), promise.master) == (opened["commitment"], master)
    said = record.said(str(game), 1)
    assert (said.is_witnessed, said.question.root.hex()) == (True, result["ticket_root"])
    assert len(record.occasion(str(game)).attempts) == 1
    promised = two_party.numbers(master, said, pool=80, count=20)
    balls = [data["number"] for kind, data in acts if kind == "keno.ball"]
    assert balls == result["numbers"] == promised
    assert house.rows("SELECT attempt FROM keno_draw WHERE game_id = %s", game) == [1]
    tickets = house.rows("SELECT count(*) FROM keno_ticket WHERE first_game <= %s AND plays_to >= %s", game, game)
    assert tickets == [result["ticket_count"]]
    prizes = house.rows("SELECT ticket_id FROM keno_prize WHERE game = %s", game)
    assert len(prizes) == len(set(prizes))
    return result


def test_two_beats_and_three_workers_play_each_game_once(house: LiveHouse) -> None:
    first = on_sale(house)
    tickets = [house.sell(f"many-{n}", numbers=[1 + n, 20 + n, 60 + n], stake="1.00", games=3) for n in range(4)]
    last = max(ticket["last_game"] for ticket in tickets)
    settled(house, last)
    for game in range(first, last + 1):
        played_once_and_as_promised(house, game)
    stakes = house.rows("SELECT reference, count(*) FROM ledger_transfer WHERE kind = 'keno.stakes' GROUP BY 1")
    assert {count for _, count in stakes} == {1}


def test_without_a_broker_sales_go_on_and_the_games_catch_up(house: LiveHouse) -> None:
    house.redis.stop()
    game = on_sale(house)
    sold = [house.sell(f"alone-{n}", numbers=[n + 1, n + 40], stake="1.00", games=2) for n in range(3)]
    overdue = "SELECT number FROM keno_game WHERE status = 'open' AND closes_at < now() - interval '3 seconds'"
    house.until(lambda: house.rows(overdue))  # a tick that was under way has kept its games on time for a while
    assert {ticket["first_game"] for ticket in sold} <= {game, game + 1}
    waiting = on_sale(house)
    sold += [house.sell(f"overdue-{n}", numbers=[n + 1, n + 40], stake="1.00", games=2) for n in range(3)]
    assert {ticket["first_game"] for ticket in sold[3:]} == {waiting}
    assert not house.rows(
        "SELECT 1 FROM ledger_act WHERE kind = 'keno.closed' AND subject = %s", f"keno-game:{waiting}"
    )
    house.redis.start()
    last = max(ticket["last_game"] for ticket in sold)
    settled(house, last)
    for number in range(game, last + 1):
        played_once_and_as_promised(house, number)


def test_a_database_that_crashes_in_mid_draw_finishes_from_the_same_seed(house: LiveHouse) -> None:
    house.pace(interval=6.0, draw_after=0.2, pace=0.25)
    ticket = house.sell("crash", numbers=[5, 6, 7], stake="1.00", games=3)
    partly = """
        SELECT game_id, numbers, asked, ticket_root FROM keno_draw JOIN keno_game ON number = game_id
        WHERE status = 'drawing' AND cardinality(numbers) BETWEEN 2 AND 17 AND game_id >= %s
    """
    game, before, asked, root = house.until(lambda: house.rows(partly, ticket["first_game"]))[0]
    house.crash_the_database()
    result = played_once_and_as_promised(house, game)
    assert result["numbers"][: len(before)] == before
    kept = "SELECT asked, ticket_root FROM keno_draw JOIN keno_game ON number = game_id WHERE game_id = %s"
    assert house.rows(kept, game) == [(asked, root)]
    # A terminal whose call met a dead connection is told to try again, and does, with the same key.
    again = house.until(lambda: house.sell_or_unavailable("after", numbers=[5, 6, 7], stake="1.00"))
    assert again["first_game"] > game
    assert house.rows("SELECT count(*) FROM keno_ticket WHERE serial = %s", again["serial"]) == [1]
    assert house.rows("SELECT count(*) FROM keno_ticket WHERE first_game > %s", game) == [1]
    assert ticket["first_game"] <= game <= ticket["last_game"]
