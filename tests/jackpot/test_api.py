"""The calls of API.md, over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from house.models import Proposal
from jackpot.models import Hit, Round
from jackpot.rules.catalogue import MUST_HIT_BY
from jackpot.rules.policies import as_data
from ledger.models import Transfer
from tests.jackpot.dealt import GEE_JUN, ROYAL
from tests.world.approvals import decide
from tests.world.calls import Caller, make_device, problem
from tests.world.players import registered

pytestmark = pytest.mark.usefixtures("floor")
STRAIGHT_FLUSH_3 = "7H 6H 5H 4H 3H"
STEEL_WHEEL = "5S 4S 3S 2S AS"


def someone(profile: str) -> Caller:
    return Caller(make_device(profile)[1])


def hand(box: int, text: str) -> dict[str, Any]:
    pieces = text.split()
    return {"box": box, "cards" if len(pieces) == 5 else "tiles": pieces}


@pytest.mark.clause("nsw-csp:11.9.1")
def test_pools_as_the_demo_venue_has_them() -> None:
    signage = someone("signage")
    listed = {link["code"]: link for link in signage.get("jackpot/pools").json()["results"]}
    assert list(listed) == ["CSP", "BOOM", "GJ"]
    csp = signage.get("jackpot/pools/CSP").json()
    assert csp == listed["CSP"]
    assert {
        name: csp[name] for name in ("rules", "displayed", "reserve", "increment_rate", "seed", "wager", "bonus")
    } == {
        "rules": "caribbean-stud",
        "displayed": "50000.00",
        "reserve": "0.00",
        "increment_rate": "0.70",
        "seed": "50000.00",
        "wager": "2.50",
        "bonus": "250.00",
    }
    assert (csp["status"], csp["tables"]) == ("open", ["CSP-01", "CSP-02", "CSP-03", "CSP-04"])
    assert (listed["BOOM"]["increment_rate"], listed["BOOM"]["reserve_rate"]) == ("0.60", "0.40")
    assert listed["GJ"]["tables"] == ["GJ-01", "GJ-02"]
    problem(signage.get("jackpot/pools/NONE"), 404, "no-such-pool")


@pytest.mark.clause("nsw-csp:11.2", "nsw-csp:11.3", "nsw-csp:11.11")
def test_a_round_from_wager_to_payment() -> None:
    table, supervisor, manager = someone("table"), someone("supervisor"), someone("manager")
    registered("P-7")
    body = {"wagers": [{"box": 1}, {"box": 2, "ante": False}, {"box": 3, "player": "P-7"}]}
    response = table.post("jackpot/tables/CSP-01/rounds", body, key="one")
    assert response.status_code == 201
    started = response.json()
    assert started["displayed"] == "50000.00"
    assert [each["box"] for each in started["accepted"]] == [1, 3]
    assert [(each["box"], each["code"], each["clause"]) for each in started["refused"]] == [
        (2, "no-ante", "nsw-csp:11.1")
    ]
    assert table.post("jackpot/tables/CSP-01/rounds", body, key="one").json() == started  # the answer was lost
    problem(table.post("jackpot/tables/CSP-01/rounds", body), 409, "round-open")
    problem(table.post("jackpot/tables/CSP-01/rounds", body, key=""), 400, "idempotency-key-missing")
    assert table.get("jackpot/pools/CSP").json()["displayed"] == "50003.50"

    finish = f"jackpot/rounds/{started['round']}/finish"
    ended = table.post(finish, {"hands": [hand(3, ROYAL)]}, key="two").json()
    assert [(each["box"], each["kind"], each["amount"], each["status"]) for each in ended["hits"]] == [
        (1, "bonus", "250.00", "claimed"),
        (3, "royal", "50003.50", "claimed"),
    ]
    assert ended["displayed"] == "50000.00"
    assert table.post(finish, {"hands": [hand(3, ROYAL)]}, key="two").json() == ended
    problem(table.post(finish, {"hands": [hand(3, ROYAL)]}), 409, "round-ended")

    bonus, royal = (f"jackpot/hits/{each['id']}" for each in ended["hits"])
    problem(table.post(f"{royal}/verify"), 403, "no-permission")
    problem(manager.post(f"{royal}/pay"), 409, "hit-not-ready")
    seen = {"surveillance": "CAM-1", "cards": ROYAL.split()}
    problem(supervisor.post(f"{royal}/verify", {"surveillance": "CAM-1"}), 422, "cards-missing")
    problem(supervisor.post(f"{royal}/verify", {"cards": ROYAL.split()}), 422, "surveillance-missing")
    problem(supervisor.post(f"{royal}/verify", seen | {"tiles": ROYAL.split()}), 400, "malformed")
    assert supervisor.post(f"{bonus}/verify", {"surveillance": "CAM-1"}).json()["status"] == "verified"
    assert supervisor.post(f"{royal}/verify", seen).json()["status"] == "verified"
    found = problem(manager.post(f"{royal}/pay"), 409, "paid-out-of-order")
    assert found["clause"] == "nsw-csp:11.10.4"
    assert manager.post(f"{bonus}/pay").json()["method"] == "cash"
    problem(manager.post(f"{royal}/pay", {"method": "cash"}), 422, "identity-missing")
    who = {"name": "Wu Li", "date_of_birth": "1980-02-29", "address": "1 George St", "document": "Passport PA1"}
    paid = manager.post(f"{royal}/pay", {"method": "cash", "identity": who}, key="pay").json()
    assert (paid["status"], paid["paid_by"][:7]) == ("paid", "staff:x")
    assert manager.post(f"{royal}/pay", {"method": "cash", "identity": who}, key="pay").json() == paid
    assert table.get("jackpot/hits?status=paid&link=CSP").json()["results"][0]["id"] == paid["id"]
    sign = table.get("jackpot/tables/CSP-01/sign").json()
    assert (sign["wager"], sign["bonus"], len(sign["prizes"])) == ("2.50", "250.00", 5)


@pytest.mark.clause("nsw-csp:16.18")
def test_void_and_deny() -> None:
    table, supervisor = someone("table"), someone("supervisor")
    started = table.post("jackpot/tables/GJ-01/rounds", {"wagers": [{"box": 1}]}).json()
    voided = table.post(f"jackpot/rounds/{started['round']}/void").json()
    assert (voided["status"], table.get("jackpot/pools/GJ").json()["displayed"]) == ("void", "10000.00")
    started = table.post("jackpot/tables/GJ-01/rounds", {"wagers": [{"box": 1}]}).json()
    ended = table.post(f"jackpot/rounds/{started['round']}/finish", {"hands": [hand(1, GEE_JUN)]}).json()
    (hit,) = ended["hits"]
    assert hit["amount"] == "10000.00"
    problem(supervisor.post(f"jackpot/hits/{hit['id']}/deny", {}), 400, "malformed")
    denied = supervisor.post(f"jackpot/hits/{hit['id']}/deny", {"reason": "A foreign tile."}).json()
    assert denied["status"] == "denied"
    assert "inspector" in denied["notice"]
    assert table.get("jackpot/pools/GJ").json()["displayed"] == "10000.00"
    invalidated = supervisor.post(
        f"jackpot/rounds/{started['round']}/invalidate", {"cause": "fire", "why": "A foreign tile."}
    )
    assert invalidated.json()["status"] == "invalidated"


def test_contributions_over_http() -> None:
    table = someone("table")
    now = datetime.now(UTC).isoformat()
    batch = [{"id": f"c-{n}", "table": "CSP-02", "wagers": 2, "at": now} for n in range(500)]
    answer = table.post("jackpot/contributions", batch).json()
    assert answer == {
        "accepted": 500, "counted": 500, "duplicates": 0, "held": [], "refused": [], "conflicts": [],
        "wagers": 1000, "amount": "2500.00",
    }  # fmt: skip
    assert table.post("jackpot/contributions", batch).json()["duplicates"] == 500
    assert table.get("jackpot/pools/CSP").json()["displayed"] == "51750.00"
    before = Transfer.objects.count()
    bodies: tuple[Any, ...] = (
        [],
        {},
        ["x"],
        [batch[0] | {"wagers": True}],
        [batch[0] | {"wagers": 0}],
        [batch[0] | {"id": " "}],
        [batch[0] | {"at": "today"}],
        [batch[0] | {"at": now.replace("+00:00", "")}],
        [batch[0] | {"more": 1}],
        [batch[0] | {"table": 7}],
    )
    for bad in bodies:
        problem(table.post("jackpot/contributions", bad), 400, "malformed")
    found = table.post("jackpot/contributions", [batch[0], batch[1] | {"table": "NONE"}]).json()
    assert found["duplicates"] == 1
    assert found["refused"] == [
        {"place": 1, "id": "c-1", "table": "NONE", "code": "no-such-table", "detail": "There is no table NONE."}
    ]
    problem(someone("manager").post("jackpot/contributions", batch), 403, "no-permission")
    assert Transfer.objects.count() == before


def test_tables_over_http() -> None:
    table, supervisor = someone("table"), someone("supervisor")
    assert supervisor.post("jackpot/tables/CSP-01/suspend", {"what": "Dark."}).json()["status"] == "suspended"
    found = problem(table.post("jackpot/tables/CSP-01/rounds", {"wagers": [{"box": 1}]}), 409, "table-not-open")
    assert found["clause"] == "nsw-csp:14.15"
    assert supervisor.post("jackpot/tables/CSP-01/open").json()["status"] == "open"
    assert supervisor.post("jackpot/tables/CSP-01/close").json()["status"] == "closed"
    problem(supervisor.post("jackpot/tables/CSP-01/close"), 409, "table-is-so")
    assert (Round.objects.count(), Hit.objects.count()) == (0, 0)


def test_the_largest_call_fits() -> None:
    """10,000 contributions with the longest ids, as a controller sends them after a long night off the network."""
    table = someone("table")
    now = datetime.now(UTC).astimezone(ZoneInfo("Australia/Sydney")).isoformat()
    batch = [{"id": f"{n:064d}", "table": "CSP-01", "wagers": 1, "at": now} for n in range(10_000)]
    assert table.post("jackpot/contributions", batch).json()["counted"] == 10_000
    more = [*batch, {"id": "one more", "table": "CSP-01", "wagers": 1, "at": now}]
    problem(table.post("jackpot/contributions", more), 400, "malformed")
    assert table.get("jackpot/pools/CSP").json()["displayed"] == "67500.00"


@pytest.mark.clause("nsw-csp:11.6", "nsw-csp:11.9.1", "nsw-csp:2.3")
def test_links_tables_terms_and_held_contributions_over_http() -> None:
    """A link of 50% is proposed, approved by another person, gets a table, holds back what is unreasonable."""
    proposer, manager, supervisor, table = map(someone, ("manager", "manager", "supervisor", "table"))
    (first,) = supervisor.get("jackpot/pools/CSP/terms").json()["results"]
    new = first["terms"] | {"contribution_limit": "25.00"}
    body = {"kind": "jackpot.link", "subject": "jackpot:NEW", "new": {"title": "New", "terms": new}, "why": "Floor 2."}
    proposed = proposer.post("approvals/", body)
    assert proposed.status_code == 201, proposed.content
    problem(supervisor.post("jackpot/tables", {"code": "NEW-01", "link": "NEW"}), 404, "no-such-pool")
    problem(proposer.post(f"approvals/{proposed.json()['id']}/approve"), 403, "own-proposal")
    problem(manager.post(f"approvals/{proposed.json()['id']}/approve"), 403, "needs-letter")
    assert decide(Proposal.objects.get(pk=proposed.json()["id"])).status == "effective"
    problem(table.post("jackpot/tables", {"code": "NEW-01", "link": "NEW"}), 403, "no-permission")
    joined = supervisor.post("jackpot/tables", {"code": "NEW-01", "link": "NEW", "boxes": 5})
    assert (joined.status_code, joined.json()) == (201, {"code": "NEW-01", "link": "NEW", "boxes": 5, "status": "open"})
    problem(supervisor.post("jackpot/tables", {"code": "NEW-01", "link": "NEW"}), 409, "table-exists")
    listed = table.get("jackpot/tables?link=NEW").json()["results"]
    assert listed == [joined.json()]
    now = datetime.now(UTC).isoformat()
    sent = [{"id": "much", "table": "NEW-01", "wagers": 11, "at": now}]
    assert [each["id"] for each in table.post("jackpot/contributions", sent).json()["held"]] == ["much"]
    (held,) = supervisor.get("jackpot/contributions?status=held").json()["results"]
    assert (held["table"], held["wagers"]) == ("NEW-01", 11)
    assert supervisor.post(f"jackpot/contributions/{held['id']}/release").json()["status"] == "released"
    assert table.get("jackpot/pools/NEW").json()["displayed"] == "50019.25"
    row = table.post("jackpot/tables/NEW-01/rounds", {"wagers": [{"box": 1}]}).json()
    assert table.get("jackpot/tables/NEW-01/rounds").json()["results"] == [row]
    problem(table.get("jackpot/tables/NONE/rounds"), 404, "no-such-table")


def propose(kind: str, subject: str, new: Any) -> Any:
    """Proposed by one manager, approved by another: over HTTP."""
    body = {"kind": kind, "subject": f"jackpot:{subject}", "new": new, "why": "As counted."}
    made = someone("manager").post("approvals/", body)
    assert made.status_code == 201, made.content
    decide(Proposal.objects.get(pk=made.json()["id"]))
    return someone("manager").get(f"approvals/{made.json()['id']}").json()


def test_adjustment_and_retirement_over_http() -> None:
    table = someone("table")
    done = propose("jackpot.adjustment", "CSP", {"purse": "prize", "amount": "-12.50", "cause": "overcount"})
    assert done["status"] == "effective"
    assert table.get("jackpot/pools/CSP").json()["displayed"] == "49987.50"
    bad = {"purse": "prize", "amount": "-99999999.00", "cause": "overcount"}
    body = {"kind": "jackpot.adjustment", "subject": "jackpot:CSP", "new": bad, "why": "As counted."}
    problem(someone("manager").post("approvals/", body), 422, "purse-short")
    assert propose("jackpot.retirement", "GJ", {"into": "BOOM"})["status"] == "effective"
    assert table.get("jackpot/pools/GJ").json()["status"] == "retired"
    assert table.get("jackpot/pools/BOOM").json()["displayed"] == "20000.00"
    problem(table.post("jackpot/tables/GJ-01/rounds", {"wagers": [{"box": 1}]}), 409, "table-not-open")


def test_a_link_that_cannot_keep_its_promise_is_refused_when_it_is_proposed() -> None:
    """Expected win above the ceiling; a level worse than 100,000,000 to 1."""
    manager = someone("manager")
    (first,) = manager.get("jackpot/pools/CSP/terms").json()["results"]
    terms = first["terms"]
    (level,) = terms["levels"]
    low = terms | {"levels": [level | {"ceiling": "60000.00"}]}
    body = {"kind": "jackpot.link", "subject": "jackpot:LOW", "new": {"title": "Low", "terms": low}, "why": "Try."}
    problem(manager.post("approvals/", body), 422, "expected-win-above-ceiling")
    # One wager in 100,000,001 or worse: a must-hit-by that takes longer than that on average.
    far = terms | {
        "rules": as_data(MUST_HIT_BY),
        "bonus": "0.00",
        "wager": "0.01",
        "levels": [level | {"seed": "1.00", "ceiling": "20000000.00", "increment_rate": 500}],
        "reserve_rate": 0,
        "retained_rate": 9500,
    }
    body = {"kind": "jackpot.link", "subject": "jackpot:FAR", "new": {"title": "Far", "terms": far}, "why": "Try."}
    problem(manager.post("approvals/", body), 422, "odds-too-long")
    assert {link["code"] for link in manager.get("jackpot/pools").json()["results"]} == {"CSP", "BOOM", "GJ"}


@pytest.mark.parametrize(("table", "break_even"), [(("100", "75", "50"), "263205"), (("150", "100", "50"), "246784")])
def test_the_published_break_evens(table: tuple[str, str, str], break_even: str) -> None:
    """Caribbean Stud paying 100% / 10% and these for four of a kind, full house and flush."""
    prizes = dict(zip(("four-of-a-kind", "full-house", "flush"), (f"{each}.00" for each in table), strict=True))
    body = {"rules": "caribbean-stud", "wager": "1.00", "prizes": prizes}
    found = someone("writer").post("jackpot/mathematics", body, key="").json()
    assert found["break_even"]["decimal"].split(".")[0] == break_even
    problem(
        someone("writer").post("jackpot/mathematics", body | {"prizes": {"royal-flush": "1.00"}}),
        422,
        "rule-set-invalid",
    )


def test_meters_heartbeats_and_moves_over_http() -> None:
    table, supervisor = someone("table"), someone("supervisor")
    at = datetime.now(UTC).isoformat()
    read = [{"table": "CSP-01", "sequence": n, "meter": 100 + n, "at": at} for n in (1, 2)]
    answer = table.post("jackpot/meters", read).json()
    assert (answer["accepted"], answer["wagers"], answer["noted"][0]["what"]) == (2, 1, "baseline")
    problem(table.post("jackpot/meters", [read[0] | {"meter": -1}]), 400, "malformed")
    problem(someone("manager").post("jackpot/meters", read), 403, "no-permission")
    assert table.post("jackpot/tables/CSP-01/heartbeat").json() == {
        "table": "CSP-01",
        "status": "open",
        "limit_seconds": 30,
    }
    moved = supervisor.post("jackpot/tables/CSP-01/move", {"link": "BOOM"}).json()
    assert (moved["link"], moved["status"]) == ("BOOM", "open")
    problem(supervisor.post("jackpot/tables/CSP-01/move", {"link": "NONE"}), 404, "no-such-pool")
