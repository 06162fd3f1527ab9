"""Promotions over HTTP: from a draft to a sealed list, refusals as problem documents, reports in their forms."""

from __future__ import annotations

from base64 import b64decode
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from house.devices import service_token
from house.models import Proposal
from ledger.models import Act
from promotions.imports import go_on
from promotions.locks import database_time
from promotions.models import Entry, Promotion, TermsVersion
from promotions.submit import submit_promotion
from tests.world import promotions as at
from tests.world.approvals import decide
from tests.world.calls import Caller, make_device, ok, problem

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> SimpleNamespace:
    roles = ("writer", "supervisor", "manager", "inspector", "signage")
    tokens = {role: service_token(role=role).secret for role in roles} | {"auditor": make_device("auditor")[1]}
    return SimpleNamespace(**{role: Caller(token) for role, token in tokens.items()})


@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2025:17.12", "nsw-promo-2025:17.12.1")
def test_a_promotion_from_its_draft_to_its_amendment(house: SimpleNamespace) -> None:
    begin = database_time() + timedelta(hours=25)
    terms = at.terms(begin)
    draft = {"code": "SPRING", "edition": "2025", "title": "Spring draw", "terms": at.without(terms, "manner")}
    made = ok(house.supervisor.post("promotions", draft), 201)
    assert (made["status"], made["version"], made["entries"]) == ("draft", None, 0)
    assert ok(house.auditor.get("promotions/SPRING/checklist")) == {
        "complete": False,
        "missing": [
            {
                "field": "manner",
                "clause": "nsw-promo-2025:17.7.1",
                "words": "The terms do not say how the prizes are awarded.",
            }
        ],
    }
    document = problem(house.manager.post("promotions/SPRING/submit"), 422, "terms-incomplete")
    assert document["clause"] == "nsw-promo-2025:17.7.1"
    ok(house.supervisor.post("promotions/SPRING/edit", {"terms": {"manner": terms["manner"]}}))
    sent = ok(house.manager.post("promotions/SPRING/submit", {"reference": "N-77"}))
    assert (sent["clause"], sent["reason"], sent["version"]) == ("nsw-promo-2025:17.12", "before-start", 1)
    paper = ok(house.inspector.get(f"promotions/submissions/{sent['id']}/paper"))
    assert b64decode(paper["content"]).startswith(b"%PDF-")
    problem(house.manager.post("promotions/SPRING/start"), 409, "submitted-too-recently")
    problem(
        house.manager.post("promotions/SPRING/amend", {"terms": {"place": "B"}, "why": "Why?"}),
        409,
        "promotion-submitted",
    )
    ok(house.supervisor.post("promotions/SPRING/redraft"))
    ok(house.manager.post("promotions/SPRING/give-up", {"why": "The sponsor left."}))
    assert ok(house.manager.get("promotions/SPRING"))["status"] == "cancelled"
    assert [each["status"] for each in ok(house.manager.get("promotions/SPRING/versions"))["results"]] == [
        "draft",
        "submitted",
    ]


def test_amending_over_the_api_under_either_edition(house: SimpleNamespace) -> None:
    at.running("NEW", "2025")
    at.running("OLD", "2019")
    change = {"terms": {"awarded_where": "Level 2"}, "why": "Works."}
    assert ok(house.manager.post("promotions/NEW/amend", change))["status"] == "submitted"
    own = Proposal.objects.get()
    problem(house.manager.post(f"approvals/{own.pk}/approve"), 403, "own-proposal")
    assert decide(own).status == "effective"
    versions = ok(house.manager.get("promotions/NEW/versions"))["results"]
    assert [(each["number"], each["status"]) for each in versions] == [(2, "in-force"), (1, "superseded")]
    assert ok(house.manager.post("promotions/OLD/amend", change))["status"] == "submitted"
    proposal = Proposal.objects.latest("id")
    problem(house.inspector.post(f"approvals/{proposal.pk}/approve"), 403, "needs-letter")
    assert decide(proposal).status == "effective"
    versions = ok(house.manager.get("promotions/OLD/versions"))["results"]
    assert [(each["number"], each["status"]) for each in versions] == [(2, "in-force"), (1, "superseded")]


@pytest.mark.parametrize("body", [{"terms": []}, {"terms": "x"}, {"term": {}}, {"title": 7}])
def test_malformed_edits_are_400(house: SimpleNamespace, body: dict[str, Any]) -> None:
    at.drafted()
    assert house.manager.post("promotions/SPRING/edit", body).status_code == 400


def test_prohibited_and_unknown_particulars_are_422(house: SimpleNamespace) -> None:
    at.drafted()
    prizes = [at.prize(contains=["firearm"])]
    document = problem(
        house.manager.post("promotions/SPRING/edit", {"terms": {"prizes": prizes}}), 422, "prohibited-prize"
    )
    assert (document["clause"], document["field"]) == ("nsw-promo-2025:17.5", "prizes[0].contains")
    problem(house.manager.post("promotions/SPRING/edit", {"terms": {"plaice": "x"}}), 422, "terms-unreadable")


def test_entries_over_the_api_once_a_key_and_once_a_reference(house: SimpleNamespace) -> None:
    at.running(minimum_wager="20.00")
    body = {"card": "C-1001", "reference": "coupon 1", "wagered": "20.00", "name": "Anna Marsh"}
    first = house.writer.post("promotions/SPRING/entries", body, key="k-1")
    again = house.writer.post("promotions/SPRING/entries", body, key="k-1")
    assert ok(first, 201) == ok(again, 201)
    assert (first.json()["source"], first.json()["reference"]) == ("api", "coupon 1")
    assert "Anna" not in first.content.decode()
    problem(house.writer.post("promotions/SPRING/entries", body), 409, "already-entered")
    small = problem(
        house.writer.post("promotions/SPRING/entries", {"card": "C-2", "wagered": "1.00"}), 422, "wager-too-small"
    )
    assert small["clause"] == "nsw-promo-2025:17.7.4"
    problem(house.writer.post("promotions/NONE/entries", body), 404, "no-such-promotion")
    assert Entry.objects.count() == 1
    assert ok(house.supervisor.get("promotions/SPRING/entries"))["results"][0]["number"] == first.json()["number"]
    number = first.json()["number"]
    call = f"promotions/SPRING/entries/{number}/withdraw"
    assert ok(house.manager.post(call, {"why": "Under 18."}))["withdrawn_at"] is None
    problem(house.manager.post(call, {"why": "Again."}), 403, "same-person")
    assert ok(house.supervisor.post(call, {"why": "Yes."}))["withdrawn_why"] == "Under 18."


def test_closing_and_sealing_and_proving(house: SimpleNamespace) -> None:
    at.running()
    number = ok(house.writer.post("promotions/SPRING/entries", {"card": "C-1"}), 201)["number"]
    problem(house.manager.post("promotions/SPRING/close"), 409, "not-its-time")
    at.due()
    ok(house.manager.post("promotions/SPRING/close"))
    sealed = ok(house.manager.post("promotions/SPRING/seal"))
    assert (sealed["number"], sealed["count"], len(sealed["root"])) == (1, 1, 64)
    proof = ok(house.manager.get(f"promotions/SPRING/entries/{number}/proof"))
    assert (proof["index"], proof["ticket_count"], proof["path"]) == (0, 1, [])
    problem(house.supervisor.get(f"promotions/SPRING/entries/{number}/proof"), 403, "no-permission")


def test_a_particular_is_taken_back_by_null_prizes_too(house: SimpleNamespace) -> None:
    at.drafted()
    ok(house.manager.post("promotions/SPRING/edit", {"terms": {"prizes": None, "place": None}}))
    data = TermsVersion.objects.get().data
    assert not {"prizes", "place"} & data.keys()


@pytest.mark.parametrize("separator", ["\u2028", "\x0b", "\x85", "\x0c", "\u2029"])
def test_only_the_ends_of_lines_end_a_row(house: SimpleNamespace, separator: str) -> None:
    at.running()
    body = {"name": "c.csv", "csv": f"reference,card,name\nR{separator}1,C-1,Ann{separator}Marsh\n"}
    made = ok(house.supervisor.post("promotions/SPRING/imports", body), 201)
    assert made["total"] == 1


def test_a_file_over_the_api_and_what_was_wrong_with_it(house: SimpleNamespace) -> None:
    at.running()
    body = {"name": "coupons.csv", "csv": "reference,card\nR-1,C-1\nR-2,\n", "all_or_nothing": False}
    made = ok(house.supervisor.post("promotions/SPRING/imports", body), 201)
    assert (made["state"], made["total"]) == ("waiting", 2)
    go_on(made["id"])
    done = ok(house.supervisor.get(f"promotions/imports/{made['id']}"))
    assert (done["state"], done["entered"], done["refused"]) == ("done", 1, 1)
    rows = ok(house.supervisor.get(f"promotions/imports/{made['id']}/refused"))["results"]
    assert rows == [{"line": 3, "reference": "R-2", "error": "A player card is needed to enter."}]
    problem(house.supervisor.post(f"promotions/imports/{made['id']}/cancel"), 409, "import-over")
    problem(house.supervisor.post("promotions/SPRING/imports", body | {"csv": "x\n"}), 422, "heading-unreadable")
    assert len(ok(house.supervisor.get("promotions/SPRING/imports"))["results"]) == 1
    problem(house.supervisor.get("promotions/imports/999"), 404, "no-such-import")


def test_people_are_seen_by_few_and_taken_away_on_record(house: SimpleNamespace) -> None:
    at.running()
    ok(house.writer.post("promotions/SPRING/entries", {"card": "C-1", "name": "=Anna", "telephone": "0400 1"}), 201)
    ok(house.writer.post("promotions/SPRING/entries", {"card": "C-2"}), 201)
    for role in ("writer", "supervisor", "auditor", "signage"):
        problem(getattr(house, role).get("promotions/SPRING/people"), 403, "no-permission")
    seen = ok(house.inspector.get("promotions/SPRING/people"))["results"]
    assert [(each["identity"], each["name"], each["entries"]) for each in seen] == [
        ("player:P-C-2", "", 1),
        ("player:P-C-1", "=Anna", 1),
    ]
    problem(house.inspector.post("promotions/SPRING/export", {"why": "Curious."}), 403, "no-permission")
    taken = ok(house.manager.post("promotions/SPRING/export", {"why": "Letters to winners."}))
    lines = b64decode(taken["content"]).decode().splitlines()
    assert lines[0] == "entrant,identity,name,address,telephone,email,entries"
    assert lines[1].split(",")[1:3] == ["player:P-C-1", "'=Anna"]  # a spreadsheet does not run it
    act = Act.objects.get(kind="promotion.personal-data-exported")
    assert act.data == {"entrants": 2, "why": "Letters to winners."}


def test_excluded_cards(house: SimpleNamespace) -> None:
    at.running()
    ok(house.manager.post("promotions/excluded-cards", {"card": "C-7", "why": "employee"}), 201)
    problem(house.writer.post("promotions/SPRING/entries", {"card": "C-7"}), 422, "not-eligible")
    assert [each["card"] for each in ok(house.manager.get("promotions/excluded-cards"))["results"]] == ["C-7"]
    problem(house.manager.post("promotions/excluded-cards/C-7/readmit"), 403, "same-person")
    for readmitted in (False, True):
        answer = ok(Caller(service_token(role="manager").secret).post("promotions/excluded-cards/C-7/readmit"))
        assert (answer["removed_at"] is not None) is readmitted
    ok(house.writer.post("promotions/SPRING/entries", {"card": "C-7"}), 201)


@pytest.mark.clause("nsw-promo-2025:17.12", "nsw-promo-2019:15.9", "nsw-promo-2025:17.12.1", "nsw-promo-2019:15.9.1")
def test_the_register_and_the_submissions_as_rows_csv_and_pdf(house: SimpleNamespace) -> None:
    at.running("NEW", "2025", prizes=[at.prize(quantity=2), at.prize(name="Fifty", value="50.00")])
    at.running("OLD", "2019")
    for code in ("NEW", "OLD"):
        change = {"terms": {"awarded_where": "Level 2"}, "why": "Works."}
        ok(house.manager.post(f"promotions/{code}/amend", change))
    decide(Proposal.objects.earliest("id"))
    ok(house.writer.post("promotions/NEW/entries", {"card": "C-1"}), 201)
    today = database_time().date()
    days = f"first={today - timedelta(days=3)}&last={today + timedelta(days=1)}"
    register = ok(house.auditor.get(f"promotions/reports/register?{days}"))
    by_name = [dict(zip(register["columns"], row, strict=True)) for row in register["rows"]]
    assert [
        (row["Code"], row["Edition"], row["Terms"], row["Prizes"], row["Value"], row["Entries"]) for row in by_name
    ] == [
        ("NEW", "2025 (17)", "2", "3", "4050.00", "1"),
        ("OLD", "2019 (15)", "1", "1", "2000.00", "0"),
    ]
    totals = dict(zip(register["columns"], register["totals"], strict=True))
    assert (totals["Code"], totals["Prizes"], totals["Value"], totals["Entries"]) == ("Total", "4", "6050.00", "1")
    page = ok(house.auditor.get(f"promotions/reports/register?{days}&start=1&limit=1"))
    assert (page["rows"], page["totals"], page["count"], page["next"]) == (
        register["rows"][1:],
        register["totals"],
        2,
        None,
    )
    sent = ok(house.inspector.get(f"promotions/reports/submissions?{days}"))
    found = [(row[1], row[2], row[3], row[4]) for row in sent["rows"]]
    assert found == [
        ("NEW", "1", "nsw-promo-2025:17.12", "before-start"),
        ("OLD", "1", "nsw-promo-2019:15.9", "before-start"),
        ("NEW", "2", "nsw-promo-2025:17.12.1", "amended"),
        ("OLD", "2", "nsw-promo-2019:15.9.1", "for-approval"),
    ]
    as_csv = house.auditor.get(f"promotions/reports/submissions?{days}&format=csv")
    assert as_csv.headers["Content-Type"].startswith("text/csv")
    assert as_csv.content.decode().splitlines()[0].startswith("At,Promotion,Terms,Clause")
    as_pdf = house.auditor.get(f"promotions/reports/register?{days}&format=pdf")
    assert as_pdf.content.startswith(b"%PDF-")
    named = [each["name"] for each in ok(house.auditor.get("promotions/reports"))["results"]]
    assert named == ["register", "submissions", "winners", "overdue-notifications"]
    problem(house.writer.get("promotions/reports"), 403, "no-permission")
    problem(house.auditor.get(f"promotions/reports/gossip?{days}"), 404, "no-such-report")
    problem(house.auditor.get("promotions/reports/register?first=2026-01-02&last=2026-01-01"), 400, "days-impossible")
    problem(house.writer.get(f"promotions/reports/register?{days}"), 403, "no-permission")


def test_lists_are_paged_and_filtered(house: SimpleNamespace) -> None:
    at.drafted("A")
    at.drafted("B")
    submit_promotion(code="B", by=at.manager(), now=at.NOW - timedelta(days=2))
    assert [each["code"] for each in ok(house.auditor.get("promotions"))["results"]] == ["B", "A"]
    assert [each["code"] for each in ok(house.auditor.get("promotions?status=draft"))["results"]] == ["A"]
    assert ok(house.auditor.get("promotions?limit=1"))["next"]
    assert len(ok(house.auditor.get("promotions/submissions"))["results"]) == 1
    assert Promotion.objects.count() == 2
