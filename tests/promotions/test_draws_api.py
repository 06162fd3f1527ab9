"""Draws, winners, claims, tournaments and reports as terminals call them."""

from __future__ import annotations

import json
from base64 import b64decode
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from house import gaming_days
from house.approvals import propose
from house.models import GamingDay
from ledger.models import Act
from promotions import verify as checker
from promotions.locks import database_time
from promotions.models import Promotion, Win
from tests.world import promotion_draws as world
from tests.world.approvals import decide
from tests.world.calls import AtConsole, Caller, make_device, ok, problem
from tests.world.promotion_draws import CAR
from tests.world.promotions import prize
from tests.world.second_party import AtHand
from tests.world.tournaments import TERMS, card_of
from tournaments.models import TournamentEntry

pytestmark = pytest.mark.django_db


class People:
    """A device of every role; each its own identity."""

    def __init__(self) -> None:
        self.identities: dict[str, str] = {}
        for role in ("supervisor", "manager", "inspector", "auditor", "writer"):
            device, token = make_device(role)
            self.identities[role] = device.identity
            setattr(self, role, Caller(token))
            if role == "auditor" and device.holder is not None:  # who signs does so at the console
                self.auditor = AtConsole(device.holder)

    supervisor: Caller
    manager: Caller
    inspector: Caller
    auditor: Caller
    writer: Caller


@pytest.fixture
def people() -> People:
    return People()


def sealed(people: str = "ABCDEFGH", **terms: Any) -> None:
    """A promotion whose draw is due now."""
    world.sealed(people, **terms)
    now = database_time()
    Promotion.objects.update(starts_at=now - timedelta(days=8), closes_at=now - timedelta(hours=1), draw_at=now)


def public(what: str) -> Any:
    """As anybody sees it, without a login."""
    return Client().get(f"/promotions/SPRING/{what}")


def test_what_is_not_public_is_not_there() -> None:
    world.open_day()
    assert public("draw.json").status_code == 404
    world.closed()
    assert public("leaves.txt").status_code == 404
    assert public("draw.json?published").status_code == 404
    assert ok(public("draw.json"))["list"] is None
    assert Client().post("/promotions/SPRING/draw.json").status_code == 405


def test_from_the_draw_to_the_payment(people: People, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sealed("ABCDEFGH", prizes=[prize(quantity=2, alternates=1)])
    before = ok(public("draw.json"))
    assert before["published"] is None
    assert before["attempts"][0]["seed"] is None
    problem(people.auditor.post("promotions/SPRING/draw"), 403, "no-permission")
    problem(people.supervisor.post("promotions/NONE/draw"), 404, "no-such-promotion")
    drawn = ok(people.supervisor.post("promotions/SPRING/draw"))
    assert (drawn["status"], drawn["attempt"], len(drawn["numbers"])) == ("drawn", 1, 4)
    assert ok(people.manager.post("promotions/SPRING/draw"))["numbers"] == drawn["numbers"]
    assert ok(people.auditor.get("promotions/SPRING/draw"))["drawn_by"] == people.identities["supervisor"]
    # The proof as everybody gets it, checked offline against what was published before.
    after = ok(public("draw.json"))
    assert ok(people.writer.get("promotions/SPRING/proof")) == after
    (tmp_path / "draw.json").write_bytes(public("draw.json?published").content)
    (tmp_path / "leaves").write_bytes(b"".join(public("leaves.txt").streaming_content))
    arguments = [str(tmp_path / "draw.json"), "--commitment", before["attempts"][0]["commitment"]]
    arguments += [
        "--leaves",
        str(tmp_path / "leaves"),
        "--root",
        before["list"]["entry_root"],
        "--count",
        str(before["list"]["entry_count"]),
    ]
    assert checker.main(arguments) == 0
    assert "identity" not in json.dumps(after)
    assert "player:" not in json.dumps(after)
    problem(people.auditor.get("promotions/SPRING/proof/texts"), 403, "no-permission")
    texts = ok(people.inspector.get("promotions/SPRING/proof/texts"))["published"]["drawn"]
    assert all("player:" in line["text"] for line in texts)
    # Winners: numbers for everybody in the house, names for those who need them.
    won = ok(people.auditor.get("promotions/winners?promotion=SPRING&status=drawn"))["results"]
    assert sorted(win["entry"] for win in won) == sorted(drawn["numbers"][:2])
    win = won[0]["id"]
    problem(people.auditor.get(f"promotions/winners/{win}/person"), 403, "no-permission")
    person = ok(people.manager.get(f"promotions/winners/{win}/person"))
    assert person["name"].startswith("Person ")
    told = people.supervisor.post(f"promotions/winners/{win}/notifications", {"how": "email", "reached": True})
    assert ok(told, 201)["reached"] is True
    assert len(ok(people.auditor.get(f"promotions/winners/{win}/notifications"))["results"]) == 1
    asked: dict[str, Any] = {"name": person["name"], "address": person["address"], "grounds": "Card."}
    claim = ok(people.supervisor.post(f"promotions/winners/{win}/claim", asked), 201)
    problem(people.supervisor.post(f"promotions/claims/{claim['id']}/accept"), 403, "no-permission")
    ok(people.manager.post(f"promotions/claims/{claim['id']}/accept"))
    cash = {"parts": [{"method": "cash", "amount": "2000.00"}]}
    refusal = problem(people.supervisor.post(f"promotions/claims/{claim['id']}/pay", cash), 422, "never-cash")
    assert refusal["clause"] == "nsw-promo-2025:17.4"
    paid = {"parts": [{"method": "transfer", "amount": "2000.00", "reference": "T-1"}]}
    first = ok(people.supervisor.post(f"promotions/claims/{claim['id']}/pay", paid, key="pay-1"))
    assert first["parts"] == paid["parts"]
    assert ok(people.supervisor.post(f"promotions/claims/{claim['id']}/pay", paid, key="pay-1")) == first
    problem(people.supervisor.post(f"promotions/claims/{claim['id']}/pay", paid), 409, "already-paid")


@pytest.mark.clause("nsw-promo-2025:17.2")
def test_a_scrutineer_over_the_api(people: People) -> None:
    sealed(prizes=[CAR])
    problem(people.supervisor.post("promotions/SPRING/draw"), 409, "scrutineer-absent")
    ok(people.supervisor.post("promotions/SPRING/scrutineer", {"scrutineer": people.identities["auditor"]}))
    problem(people.inspector.post("promotions/SPRING/scrutineer/attend"), 403, "in-person")
    ok(people.auditor.post("promotions/SPRING/scrutineer/attend"))
    assert ok(people.supervisor.post("promotions/SPRING/draw"))["published_at"] is None
    assert ok(public("draw.json"))["published"] is None
    assert ok(people.auditor.post("promotions/SPRING/scrutineer/sign"))["published_at"] is not None
    assert ok(public("draw.json"))["published"]["draw"] == "SPRING"


def test_calls_over_the_api(people: People) -> None:
    sealed(must_be_present=True, call_seconds=60)
    ok(people.supervisor.post("promotions/SPRING/draw"))
    (win,) = ok(people.supervisor.get("promotions/winners"))["results"]
    called = ok(people.supervisor.post(f"promotions/winners/{win['id']}/call"))
    assert called["call_ends_at"] is not None
    problem(people.supervisor.post(f"promotions/winners/{win['id']}/absent"), 409, "call-not-over")
    Win.objects.update(call_ends_at=database_time() - timedelta(seconds=1))
    problem(people.supervisor.post(f"promotions/winners/{win['id']}/present"), 409, "call-over")
    noted = ok(people.supervisor.post(f"promotions/winners/{win['id']}/absent"))
    assert (noted["results"], noted["loss"]["reason"], noted["loss"]["seconded_at"]) == ([], "absent", None)
    loss = f"promotions/winners/{win['id']}/loss"
    problem(people.supervisor.post(f"{loss}/second"), 403, "same-person")
    problem(people.auditor.post(f"{loss}/sign"), 403, "not-the-scrutineer")
    ok(people.supervisor.post("promotions/SPRING/scrutineer", {"scrutineer": people.identities["auditor"]}))
    ok(people.auditor.post("promotions/SPRING/scrutineer/attend"))
    problem(people.auditor.post(f"{loss}/sign"), 409, "loss-not-seconded")
    assert ok(people.manager.post(f"{loss}/second"))["seconded_by"] == people.identities["manager"]
    (heir,) = ok(people.auditor.post(f"{loss}/sign"))["results"]
    ok(people.supervisor.post(f"promotions/winners/{heir['id']}/call"))
    assert ok(people.supervisor.post(f"promotions/winners/{heir['id']}/present"))["present_at"] is not None


@pytest.mark.clause("nsw-promo-2025:17.11")
def test_integrity_over_the_api(people: People) -> None:
    sealed()
    why = {"why": "A box was open."}
    problem(people.supervisor.post("promotions/SPRING/integrity/postpone", why), 403, "no-permission")
    doubt = ok(people.manager.post("promotions/SPRING/integrity/postpone", why))
    assert doubt["clause"] == "nsw-promo-2025:17.11"
    another = people.manager.post("promotions/SPRING/integrity/resume", {**why, "new_seed": True})
    problem(another, 409, "promise-stands")
    resumed = ok(people.manager.post("promotions/SPRING/integrity/resume", why))
    assert resumed == {"promotion": "SPRING", "status": "sealed"}
    assert [each["attempt"] for each in ok(public("draw.json"))["attempts"]] == [1]
    problem(people.manager.post("promotions/SPRING/integrity/void", why), 409, "not-asked")
    assert ok(people.manager.post("promotions/SPRING/disputes", {"what": "She was there."}), 201)["incident"] > 0
    ok(people.manager.post("promotions/SPRING/integrity/cancel", why))
    assert Promotion.objects.get().status == "cancelled"


@pytest.mark.clause("nsw-promo-2025:17.11", "nsw-promo-2019:15.12")
def test_a_draw_is_void_over_the_api_by_three(people: People) -> None:
    sealed(prizes=[prize(quantity=2)])
    drawn = ok(people.supervisor.post("promotions/SPRING/draw"))
    why = {"why": "The hall had to be cleared."}
    for step in ("postpone", "cancel"):
        refusal = problem(people.manager.post(f"promotions/SPRING/integrity/{step}", why), 409, "promotion-drawn")
        assert refusal["clause"] == "nsw-promo-2025:17.11"
    proposal = ok(people.manager.post("promotions/SPRING/integrity/void", why), 202)["proposal"]
    assert ok(people.manager.get("promotions/SPRING/draw"))["attempt"] == 1
    problem(people.manager.post(f"approvals/{proposal}/approve"), 403, "own-proposal")
    problem(people.inspector.post(f"approvals/{proposal}/approve"), 409, "needs-second-person")
    ok(people.supervisor.post(f"approvals/{proposal}/approve"))
    assert ok(people.manager.get("promotions/SPRING/draw"))["status"] == "drawn"
    problem(people.supervisor.post(f"approvals/{proposal}/approve"), 403, "needs-inspector")
    ok(people.inspector.post(f"approvals/{proposal}/approve"))
    shown = ok(public("draw.json"))
    assert (shown["status"], shown["published"]) == ("postponed", None)
    assert [(each["attempt"], each["void"], each["void_numbers"]) for each in shown["attempts"]] == [
        (1, why["why"], drawn["numbers"]),
        (2, None, []),
    ]


def test_a_draw_that_waits_over_the_api(people: People, second_party: AtHand) -> None:
    sealed()
    second_party.away = True
    waits = ok(people.supervisor.post("promotions/SPRING/draw"))
    assert (waits["status"], waits["how"], waits["numbers"], waits["drawn_at"]) == ("drawing", None, [], None)
    dice = {"dice": "165423" * 10, "why": "The line is down."}
    problem(people.manager.post("promotions/SPRING/draw/dice", dice), 403, "needs-inspector")
    problem(people.inspector.post("promotions/SPRING/draw/dice", dice), 409, "scrutineer-absent")
    ok(people.supervisor.post("promotions/SPRING/scrutineer", {"scrutineer": people.identities["auditor"]}))
    ok(people.auditor.post("promotions/SPRING/scrutineer/attend"))
    ok(people.inspector.post("promotions/SPRING/draw/dice", dice))
    drawn = ok(people.supervisor.post("promotions/SPRING/draw"))
    assert (drawn["status"], drawn["how"]) == ("drawn", "dice")
    attempt = ok(public("draw.json"))["attempts"][0]
    assert (attempt["how"], attempt["witness"]) == ("dice", None)


@pytest.mark.clause("nsw-promo-2025:17.9", "nsw-promo-2025:17.10")
def test_denials_and_reports_over_the_api(people: People) -> None:
    sealed(prizes=[prize(quantity=2)])
    ok(people.supervisor.post("promotions/SPRING/draw"))
    asked: dict[str, Any] = {"what": "=HYPERLINK(1)", "value": "500.00", "name": "Ben Ng"}
    claim = ok(people.supervisor.post("promotions/SPRING/claims", asked), 201)["id"]
    denied = people.manager.post(f"promotions/claims/{claim}/deny", {"reasons": "Not drawn."})
    assert problem(denied, 422, "claimant-incomplete")["clause"] == "nsw-promo-2025:17.9"
    ok(people.manager.post(f"promotions/claims/{claim}/deny", {"reasons": "Not drawn.", "address": "2 Hill Road"}))
    letter = ok(people.manager.get(f"promotions/claims/{claim}/letter"))
    assert b64decode(letter["content"]).startswith(b"%PDF")
    ok(people.supervisor.post(f"promotions/claims/{claim}/told", {"how": "mail"}))
    assert ok(people.manager.get("promotions/claims?status=denied"))["results"][0]["reasons"] == "Not drawn."
    seen = ok(people.auditor.get("promotions/claims"))["results"][0]
    assert (len(seen["name"]) < 6, seen["address"]) == (True, "")  # initials: names are a right of their own
    days = f"first={database_time() - timedelta(days=2):%Y-%m-%d}&last={database_time() + timedelta(days=2):%Y-%m-%d}"
    winners = ok(people.auditor.get(f"promotions/reports/winners?{days}"))
    assert [row[3] for row in winners["rows"]] == ["Two thousand dollars"] * 2
    problem(people.auditor.get(f"promotions/reports/denied-claims?{days}"), 403, "no-permission")
    kept = people.inspector.get(f"promotions/reports/denied-claims?{days}&format=csv")
    assert b"'=HYPERLINK(1)" in kept.content
    assert Act.objects.filter(kind="promotion.denied-claims-report").count() == 1  # who took names away is on record
    rows = ok(people.inspector.get(f"promotions/reports/denied-claims?{days}"))["rows"]
    assert [row[5:8] for row in rows] == [["Ben Ng", "2 Hill Road", "Not drawn."]]
    pdf = people.inspector.get(f"promotions/reports/denied-claims?{days}&format=pdf")
    assert pdf.content.startswith(b"%PDF")
    assert Act.objects.filter(kind="promotion.denied-claims-report").count() == 3
    assert ok(people.auditor.get(f"promotions/reports/overdue-notifications?{days}"))["rows"] == []
    problem(people.auditor.get(f"promotions/reports/none?{days}"), 404, "no-such-report")
    backwards = "first=2026-02-01&last=2026-01-01"
    problem(people.auditor.get(f"promotions/reports/winners?{backwards}"), 400, "days-impossible")


@pytest.mark.clause("act-cp:16.4")
def test_a_tournament_over_the_api(people: People) -> None:
    now = database_time()
    hour = timedelta(hours=1)
    GamingDay.objects.create(date=now.date(), opens_at=now - hour, closes_at=now + hour)
    gaming_days.forget()
    terms = TERMS | {"closes_at": (now + timedelta(seconds=30)).isoformat(), "entry_fee": "10.00"}
    asked: dict[str, Any] = {
        "kind": "promotions.tournament",
        "subject": "tournament:CUP",
        "new": terms,
        "why": "A cup.",
    }
    decide(propose(**asked, by=world.supervisor()))
    entry = ok(people.writer.post("tournaments/CUP/entries", {"card": card_of("Anna")}), 201)["id"]
    problem(people.supervisor.post("tournaments/CUP/finish"), 409, "not-scored")
    scores = {"scores": [{"entry": entry, "score": 7}]}
    problem(people.supervisor.post("tournaments/CUP/scores", scores), 409, "tournament-open")
    assert ok(people.auditor.get("tournaments/CUP/entries"))["results"][0]["player"] == "A."
    made = ok(people.supervisor.post("tournaments/CUP/cancel", {"why": "Too few."}))
    assert (made["code"], made["cancelled_at"]) == ("CUP", None)
    ok(people.manager.post(f"approvals/{made['proposal']}/approve"))
    ok(people.writer.post(f"tournament-entries/{entry}/refund"))
    assert TournamentEntry.objects.get().refunded_at is not None
