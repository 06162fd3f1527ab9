"""feed.json: what a display needs now, signed, unchanged while nothing happens."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import transaction
from django.test import Client
from django.utils import timezone

import jackpot.demo
from house import demo, gaming_days
from keno import jackpots
from keno.rules.schedules import GUARANTEES
from signage import meters as meters_room
from tests.signage import acts
from tests.signage.feeds import load
from tests.world.mystery_link import open_levels_link, open_mystery_link

pytestmark = pytest.mark.django_db(transaction=True)


def game(document: dict[str, Any], number: int) -> dict[str, Any]:
    return next(game for game in document["keno"]["games"] if game["number"] == number)


def test_an_empty_house_has_an_empty_board() -> None:
    document = load()
    assert document["version"] == 1
    assert document["as_of"] == "0-0"
    assert document["keno"] == {"games": []}
    assert document["jackpots"] == []
    assert document["statistics"] == {"games": 0, "hot": [], "cold": []}


def test_a_game_from_open_to_settled() -> None:
    acts.open_game(7)
    assert game(load(), 7)["status"] == "open"
    acts.close_game(7)
    assert game(load(), 7)["status"] == "closed"
    acts.record("keno.sealed", "keno-game:7", game=7, ticket_root="ab" * 32, ticket_count=3)
    assert (game(load(), 7)["status"], game(load(), 7)["ticket_count"]) == ("sealed", 3)
    acts.record("keno.waits", "keno-game:7", game=7, attempt=1)
    assert game(load(), 7)["waits"] is True
    numbers = acts.numbers_of(7)
    for place, number in enumerate(numbers, start=1):
        acts.ball(7, place, number)
        assert game(load(), 7)["drawn"] == numbers[:place]
    assert game(load(), 7)["status"] == "drawing"
    acts.finish_game(7, jackpots={"8": {"amount": "20000.00", "ways": 1}})
    settled = game(load(), 7)
    assert (settled["status"], settled["drawn"], settled["seed"]) == ("settled", numbers, "cd" * 32)
    won = next(link for link in load()["jackpots"] if link["code"] == "KENO-8")["last_win"]
    assert (won["table"], won["amount"]) == ("Keno game 7", "20000.00")
    assert "stakes" not in json.dumps(load())


def test_void_and_fallen_back() -> None:
    acts.open_game(1)
    acts.close_game(1)
    acts.ball(1, 1, 9)
    acts.ball(1, 2, 10)
    acts.record("keno.ball-fell-back", "keno-game:1", game=1, attempt=1, number=10)
    assert game(load(), 1)["drawn"] == [9]
    commitment = game(load(), 1)["commitment"]
    acts.record("keno.voided", "keno-game:1", game=1, attempt=1, cause="malfunction", numbers=[9], device="rng")
    void = game(load(), 1)
    assert (void["status"], void["drawn"], void["attempt"], void["commitment"]) == ("closed", [], 2, commitment)
    assert void["voids"] == [{"attempt": 1, "cause": "malfunction", "numbers": [9]}]
    acts.record("keno.invalidated", "keno-game:1", game=1, cause="fire", reason="typed by somebody")
    assert game(load(), 1)["status"] == "invalidated"
    assert "typed by somebody" not in json.dumps(load())


@pytest.mark.clause("act-keno:12.1-record")
def test_a_game_settled_again_shows_the_right_balls_and_who_won_then() -> None:
    acts.open_game(3)
    acts.close_game(3)
    acts.finish_game(3, jackpots={"6": {"amount": "1000.00", "ways": 1}})
    right = [number for number in range(1, 81) if number not in acts.numbers_of(3)][:20]
    said = {"attempt": 1, "recorded": acts.numbers_of(3), "numbers": right, "why": "typed by somebody", "proposal": 1}
    totals = {"jackpots": {"8": {"amount": "20000.00", "ways": 1}}}
    acts.record("keno.resettled", "keno-game:3", game=3, totals=totals, overpaid="5.00", underpaid="0.00", **said)
    board = load()
    assert (game(board, 3)["drawn"], game(board, 3)["recorded"]) == (right, acts.numbers_of(3))
    wins = {link["code"]: link["last_win"] for link in board["jackpots"]}
    assert (wins["KENO-6"], wins["KENO-8"]["amount"]) == (None, "20000.00")
    assert {hot["number"] for hot in board["statistics"]["hot"]} <= set(right)
    assert "typed by somebody" not in json.dumps(board)
    acts.record("keno.resettled", "keno-game:1", game=1, totals={"jackpots": {}}, **said)  # not shown any more
    assert [each["number"] for each in load()["keno"]["games"]] == [3]


def test_only_the_last_twenty_games_and_hot_and_cold_over_them() -> None:
    for number in range(1, 24):
        acts.play_game(number)
    document = load()
    assert [game["number"] for game in document["keno"]["games"]] == list(range(4, 24))
    times = {n: sum(n in acts.numbers_of(game) for game in range(1, 24)) for n in range(1, 81)}
    assert document["statistics"]["games"] == 23
    assert [hot["times"] for hot in document["statistics"]["hot"]] == sorted(times.values(), reverse=True)[:5]
    assert [cold["times"] for cold in document["statistics"]["cold"]] == sorted(times.values())[:5]
    assert all(times[one["number"]] == one["times"] for one in document["statistics"]["hot"])


def test_links_tables_and_a_win_pending_until_paid(meters: dict[str, str]) -> None:
    acts.open_link("CSP", "Caribbean Stud", "CSP-01", "CSP-02")
    acts.record("jackpot.table-suspended", "table:CSP-02", cause="reader broken")
    meters["CSP"] = "50000.00"
    link = load()["jackpots"][0]
    assert (link["title"], link["displayed"]) == ("Caribbean Stud", "50000.00")
    open_, suspended = ({"status": status, "link_down": False} for status in ("open", "suspended"))
    assert link["tables"] == [{"code": "CSP-01", **open_}, {"code": "CSP-02", **suspended}]
    acts.record("jackpot.table-suspended", "table:CSP-02", what="Link down: nothing was heard of CSP-02.")
    assert load()["jackpots"][0]["tables"][1] == {"code": "CSP-02", **suspended, "link_down": True}
    acts.hit("CSP", 3, "50000.00", table="CSP-01")
    acts.record("jackpot.hit", "jackpot:CSP", hit=4, link="CSP", table="CSP-01", amount="100.00", from_pool="0.00")
    link = load()["jackpots"][0]
    assert [win["hit"] for win in link["pending"]] == [3]
    acts.hit("CSP", 3, "50000.00", table="CSP-01", what="jackpot.hit-verified", status="verified")
    assert load()["jackpots"][0]["pending"][0]["status"] == "verified"
    acts.hit("CSP", 3, "50000.00", table="CSP-01", what="jackpot.hit-paid", status="paid")
    link = load()["jackpots"][0]
    assert link["pending"] == []
    assert (link["last_win"]["hit"], link["last_win"]["status"]) == (3, "paid")
    acts.record("jackpot.retired", "jackpot:CSP", into="BOOM")
    meters.clear()
    assert load()["jackpots"] == []


def test_the_meters_of_the_house_are_those_of_its_books() -> None:
    """The demo's links, and Keno's jackpots once they are opened."""
    gaming_days.forget()
    demo.build_demo()
    jackpot.demo.build_demo()
    assert meters_room.displayed() == {"BOOM": "10000.00", "CSP": "50000.00", "GJ": "10000.00"}
    shown = {link["code"]: (link["title"], len(link["tables"]), link["displayed"]) for link in load()["jackpots"]}
    assert {code: rest[1:] for code, rest in shown.items()} == {
        "BOOM": (2, "10000.00"),
        "CSP": (4, "50000.00"),
        "GJ": (2, "10000.00"),
    }
    with transaction.atomic():
        jackpots.hold_pools(day=gaming_days.gaming_day_at(timezone.now()).date)
    assert {code: amount for code, amount in meters_room.displayed().items() if code.startswith("KENO")} == {
        f"KENO-{spots}": str(guarantee) for spots, guarantee in GUARANTEES.items()
    }


def test_unchanged_is_304_and_an_event_changes_it(client: Client) -> None:
    acts.open_game(1)
    first = client.get("/signage/feed.json")
    assert first.status_code == 200
    assert first.headers["Access-Control-Allow-Origin"] == "*"
    again = client.get("/signage/feed.json", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    acts.close_game(1)
    assert client.get("/signage/feed.json", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_the_feed_is_signed_by_the_key_that_seals_the_log(client: Client) -> None:
    acts.open_game(1)
    answer = client.get("/signage/feed.json")
    signed = dict(re.findall(r'(\w+)="([^"]+)"', answer.headers["Meterhouse-Signature"]))
    key = client.get("/signage/key.json").json()
    assert (signed["keyid"], signed["alg"]) == (key["keyid"], "ed25519")
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key["public"]))
    public.verify(b64decode(signed["sig"]), b"meterhouse/feed/v1\n" + answer.content)
    with pytest.raises(InvalidSignature):
        public.verify(b64decode(signed["sig"]), b"meterhouse/feed/v1\n" + answer.content.replace(b"open", b"shut"))


def test_the_stream_is_elsewhere(client: Client, settings: Any) -> None:
    settings.STREAMS_PORT = 18000
    answer = client.get("/signage/stream?after=5-6", headers={"host": "localhost:8000"})
    assert (answer.status_code, answer["Location"]) == (307, "http://localhost:18000/signage/stream?after=5-6")
    assert answer["Access-Control-Allow-Origin"] == "*"
    settings.STREAMS_PORT = None
    assert client.get("/signage/stream").status_code == 503


def test_a_must_hit_by_link_says_the_ceiling_of_each_level() -> None:
    gaming_days.forget()
    demo.build_demo()
    open_mystery_link()
    open_levels_link()
    shown = {link["code"]: link for link in load()["jackpots"]}
    assert (shown["MYS"]["must_hit_by"], "must_hit_by_levels" in shown["MYS"]) == ("60.00", False)
    assert shown["LEV"]["must_hit_by_levels"] == {"mini": "2.00", "minor": "15.00", "major": "32.00"}
    assert "must_hit_by" not in shown["LEV"]
