"""Every jackpot call as its page promises it to whoever writes a table's program: request and answer by name, in the
demo venue."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.jackpot.dealt import FULL_HOUSE, GEE_JUN, ROYAL, STRAIGHT_FLUSH
from tests.jackpot.test_api import hand, someone
from tests.world.calls import ok, problem
from tests.world.players import registered

pytestmark = pytest.mark.usefixtures("floor")
PAYOUT = ("box", "hand", "kind", "amount", "from_pool", "from_house")
POOL = {"code", "rules", "displayed", "reserve", "increment_rate", "seed", "wager", "status", "tables"}
WON_BY_MATHEMATICS = {"hands", "fixed_return", "return_per_1000", "break_even", "mean_when_won"}
IDENTITY = {
    "name": "Wu Li",
    "born": "1980-02-29",
    "address": "1 George Street",
    "document": "passport",
    "document_number": "PA1234567",
}


def said(payouts: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [tuple(each[name] for name in PAYOUT) for each in payouts]


def minutes_ago(minutes: float) -> str:
    return (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat()


def won(table: str, text: str, **more: Any) -> Any:
    """A round on that table's second box, finished with these cards."""
    dealer = someone("table")
    started = ok(dealer.post(f"jackpot/tables/{table}/rounds", {"wagers": [{"box": 2, **more}]}), 201)
    return ok(dealer.post(f"jackpot/rounds/{started['round']}/finish", {"hands": [hand(2, text)], "folded": []}))


def test_what_a_round_would_pay() -> None:
    caller = someone("writer")
    asked: dict[str, Any] = {
        "rules": "caribbean-stud",
        "meter": "100000.00",
        "wagers": [1, 2, 5, 6],
        "hands": [hand(1, ROYAL), hand(2, STRAIGHT_FLUSH), hand(5, FULL_HOUSE)],
        "bonus": "100.00",
        "folded": [6],
    }
    stud = ok(caller.post("jackpot/evaluate", asked))
    assert said(stud["payouts"]) == [
        (5, "full-house", "fixed", "150.00", "0.00", "150.00"),
        (6, None, "bonus", "100.00", "0.00", "100.00"),
        (5, None, "bonus", "100.00", "0.00", "100.00"),
        (2, "straight-flush", "straight", "10000.00", "10000.00", "0.00"),
        (1, "royal-flush", "royal", "90000.00", "90000.00", "0.00"),
    ]
    assert stud["pool_after"] == "0.00"
    boomerang = {"rules": "boomerang", "meter": "22000.00", "wagers": [1, 2], "folded": [1]}
    folded = ok(caller.post("jackpot/evaluate", boomerang | {"hands": [hand(1, ROYAL), hand(2, STRAIGHT_FLUSH)]}))
    assert said(folded["payouts"]) == [(2, "straight-flush", "straight", "2200.00", "2200.00", "0.00")]
    assert folded["pool_after"] == "19800.00"
    tiles = {"rules": "gee-jun", "meter": "12000.00", "wagers": [1], "hands": [{"box": 1, "tiles": GEE_JUN.split()}]}
    major = ok(caller.post("jackpot/evaluate", tiles))
    assert [each[2:] for each in said(major["payouts"])] == [("major", "12000.00", "12000.00", "0.00")]
    assert major["pool_after"] == "0.00"


def test_what_a_link_is_worth() -> None:
    caller = someone("writer")
    for rules in ("caribbean-stud", "boomerang", "gee-jun"):
        assert ok(caller.post("jackpot/mathematics", {"rules": rules})).keys() >= WON_BY_MATHEMATICS
        terms = {"rules": rules, "wager": "2.50", "seed": "50000.00", "increment_rate": "0.70"}
        found = ok(caller.post("jackpot/mathematics", terms))
        assert found["wager"] == "2.50"
        assert found["mean_when_won"].keys() == found["hands"][0]["frequency"].keys() == {"fraction", "decimal"}


def test_the_pools() -> None:
    caller = someone("signage")
    listed = {each["code"]: each for each in ok(caller.get("jackpot/pools"))["results"]}
    for code, wager, seed, tables in (
        ("CSP", "2.50", "50000.00", ["CSP-01", "CSP-02", "CSP-03", "CSP-04"]),
        ("BOOM", "1.00", "10000.00", ["BOOM-01", "BOOM-02"]),
        ("GJ", "1.00", "10000.00", ["GJ-01", "GJ-02"]),
    ):
        one = ok(caller.get(f"jackpot/pools/{code}"))
        assert one == listed[code]
        assert one.keys() >= POOL
        assert (one["wager"], one["seed"], one["displayed"], one["tables"]) == (wager, seed, seed, tables)


def test_a_round_from_wager_to_cheque() -> None:
    table, supervisor, manager = someone("table"), someone("supervisor"), someone("manager")
    registered("P-7")
    wagers = [{"box": 1, "ante": False}, {"box": 2, "ante": True, "player": "P-7"}, {"box": 3}]
    started = ok(table.post("jackpot/tables/CSP-01/rounds", {"wagers": wagers}), 201)
    assert started["displayed"] == "50000.00"
    assert [(each["box"], each["player"]) for each in started["accepted"]] == [(2, "P-7"), (3, None)]
    assert [each["box"] for each in started["refused"]] == [1]
    problem(table.post("jackpot/tables/CSP-01/rounds", {"wagers": wagers}), 409, "round-open")
    ended = ok(table.post(f"jackpot/rounds/{started['round']}/finish", {"hands": [hand(2, ROYAL)], "folded": [3]}))
    assert [(each["box"], each["kind"], each["status"]) for each in ended["hits"]] == [
        (3, "bonus", "claimed"),
        (2, "royal", "claimed"),
    ]
    bonus, royal = (f"jackpot/hits/{each['id']}" for each in ended["hits"])
    assert ok(supervisor.post(f"{bonus}/verify", {"surveillance": "CAM 1"}))["status"] == "verified"
    assert ok(manager.post(f"{bonus}/pay", {"method": "chips"}))["method"] == "chips"
    seen = {"cards": ROYAL.split()[::-1], "surveillance": "CAM 1", "player": "P-7"}
    problem(supervisor.post(f"{royal}/verify", {"surveillance": "CAM 1"}), 422, "cards-missing")
    problem(supervisor.post(f"{royal}/verify", seen | {"cards": STRAIGHT_FLUSH.split()}), 422, "hand-differs")
    assert ok(supervisor.post(f"{royal}/verify", seen))["status"] == "verified"
    cheque = {"method": "cheque", "reference": "000123", "identity": IDENTITY}
    for left_out, code in (("identity", "identity-missing"), ("reference", "cheque-number-missing")):
        without = {name: value for name, value in cheque.items() if name != left_out}
        problem(manager.post(f"{royal}/pay", without), 422, code)
    paid = ok(manager.post(f"{royal}/pay", cheque))
    assert (paid["status"], paid["method"], paid["amount"]) == ("paid", "cheque", "50003.50")


def test_never_the_same_person_twice_and_tiles_entered_again() -> None:
    (hit,) = won("GJ-01", GEE_JUN)["hits"]
    manager = someone("manager")
    at, seen = f"jackpot/hits/{hit['id']}", {"tiles": GEE_JUN.split(), "surveillance": "CAM 1"}
    problem(manager.post(f"{at}/verify", seen | {"tiles": ["teen", "teen", "gee-jun", "day"]}), 422, "hand-differs")
    assert ok(manager.post(f"{at}/verify", seen))["status"] == "verified"
    problem(manager.post(f"{at}/pay", {"method": "cash", "identity": IDENTITY}), 403, "same-person")
    assert ok(someone("manager").post(f"{at}/pay", {"method": "cash", "identity": IDENTITY}))["status"] == "paid"


def test_a_hit_denied_and_a_round_void() -> None:
    (hit,) = won("BOOM-01", STRAIGHT_FLUSH)["hits"]
    denied = ok(someone("supervisor").post(f"jackpot/hits/{hit['id']}/deny", {"reason": "A sixth card."}))
    assert (denied["status"], denied["reason"]) == ("denied", "A sixth card.")
    table = someone("table")
    before = ok(table.get("jackpot/pools/CSP"))["displayed"]
    started = ok(table.post("jackpot/tables/CSP-02/rounds", {"wagers": [{"box": 1}]}), 201)
    assert ok(table.get("jackpot/pools/CSP"))["displayed"] != before
    voided = ok(table.post(f"jackpot/rounds/{started['round']}/void", {"why": "Box 3 got six cards."}))
    assert (voided["status"], voided["why"]) == ("void", "misdeal: Box 3 got six cards.")
    assert ok(table.get("jackpot/pools/CSP"))["displayed"] == before


def test_a_call_with_messages_of_every_fate() -> None:
    """New, sent twice, with other content, unreasonably much, of no table and of tomorrow, and within a round."""
    table = someone("table")
    counted = {"id": "c-1", "table": "CSP-01", "wagers": 2, "at": minutes_ago(5)}
    assert ok(table.post("jackpot/contributions", [counted]))["accepted"] == 1
    started = ok(table.post("jackpot/tables/CSP-02/rounds", {"wagers": [{"box": 1}]}), 201)
    within = {"id": "c-8", "table": "CSP-02", "wagers": 1, "at": started["started_at"]}
    call = [
        counted,
        counted | {"wagers": 3},
        counted | {"id": "c-3", "wagers": 1_001},  # $2,502.50, and $2,500.00 is reasonable
        counted | {"id": "c-4", "table": "NONE"},
        counted | {"id": "c-5", "at": minutes_ago(-60 * 24)},
        counted | {"id": "c-6"},
        counted | {"id": "c-6"},
        within,
    ]
    answer = ok(table.post("jackpot/contributions", call))
    assert (answer["accepted"], answer["duplicates"]) == (1, 2)
    assert [each["id"] for each in answer["conflicts"]] == ["c-1", "c-8"]
    assert [each["id"] for each in answer["held"]] == ["c-3"]
    assert [each["id"] for each in answer["refused"]] == ["c-4", "c-5"]
    assert ok(table.get("jackpot/pools/CSP"))["displayed"] == "50008.75"  # five wagers of $1.75


def test_running_meters_and_heartbeats() -> None:
    table = someone("table")
    assert ok(table.post("jackpot/tables/CSP-01/heartbeat"))["status"] == "open"

    def sent(sequence: int, meter: int, minutes: float) -> dict[str, Any]:
        return {"table": "CSP-01", "sequence": sequence, "meter": meter, "at": minutes_ago(minutes)}

    first, second = sent(7, 1000, 30), sent(8, 1003, 29)
    answer = ok(table.post("jackpot/meters", [first, second, second, second | {"table": "NONE"}]))
    assert (answer["accepted"], answer["duplicates"], answer["wagers"]) == (2, 1, 3)
    assert [each["table"] for each in answer["refused"]] == ["NONE"]
    assert (answer["held"], answer["conflicts"], answer["noted"][0]["what"]) == ([], [], "baseline")
    later = ok(table.post("jackpot/meters", [sent(11, 1008, 26), sent(1, 4, 20)]))
    gap, restart = later["noted"]
    assert (gap["what"], gap["first"], gap["last"], restart["what"]) == ("gap", 9, 10, "restart")
    assert ok(table.get("jackpot/pools/CSP"))["displayed"] == "50021.00"  # 3 and 5 and 4 wagers of $1.75
