"""What the pages do beyond opening: decisions, refusals with their clause, lists, what is shown once."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from house import approvals, callers, devices, incidents
from house.approvables import OPENING_HOURS, STAFF_ROLES
from house.models import Device, GamingDay, Incident, Proposal, Staff
from house.pages import compare
from jackpot import terms
from jackpot.demo import build_demo
from kernel.money import Money
from promotions import tournament_conditions
from tests.world.demo import demo_actor
from web import words

HOURS = {day: ["10:00", "04:00"] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}


def _proposed() -> Proposal:
    return approvals.propose(kind=OPENING_HOURS, subject="venue", new=HOURS, why="Winter.", by=demo_actor("manager"))


def test_nobody_decides_their_own(signed_in: Callable[[str], Client]) -> None:
    proposal, client = _proposed(), signed_in("manager")
    page = client.get(f"/approvals/{proposal.pk}/")
    assert "Needs a second person" in page.content.decode()
    assert f"/approvals/{proposal.pk}/approve/" not in page.content.decode()
    answer = client.post(f"/approvals/{proposal.pk}/approve/")
    assert answer.status_code == 403
    assert "nobody approves or rejects their own" in answer.content.decode()
    proposal.refresh_from_db()
    assert proposal.status == "proposed"


@pytest.mark.parametrize(
    ("role", "allowed"), [("administrator", True), ("supervisor", False), ("inspector", False), ("auditor", False)]
)
def test_who_may_decide_opening_hours(role: str, allowed: bool, signed_in: Callable[[str], Client]) -> None:
    proposal, client = _proposed(), signed_in(role)
    page = client.get(f"/approvals/{proposal.pk}/")
    assert page.status_code == 200
    assert (f"/approvals/{proposal.pk}/approve/" in page.content.decode()) is allowed
    answer = client.post(f"/approvals/{proposal.pk}/reject/", {"comment": "No."})
    assert answer.status_code == (302 if allowed else 403)
    proposal.refresh_from_db()
    assert proposal.status == ("rejected" if allowed else "proposed")


def test_nobody_decides_about_themselves(signed_in: Callable[[str], Client]) -> None:
    proposal = approvals.propose(
        kind=STAFF_ROLES,
        subject="staff:manager",
        new=["manager", "writer"],
        why="Cover.",
        by=demo_actor("administrator"),
    )
    client = signed_in("manager")
    assert client.get("/").context["waiting"] == []
    assert f"/approvals/{proposal.pk}/approve/" not in client.get(f"/approvals/{proposal.pk}/").content.decode()
    assert client.post(f"/approvals/{proposal.pk}/approve/").status_code == 403


def test_roles_are_proposed_from_the_persons_page(signed_in: Callable[[str], Client]) -> None:
    given = {"roles": ["writer", "dealer"], "why": "Both."}
    answer = signed_in("administrator").post("/staff/writer/roles/", given)
    proposal = Proposal.objects.get()
    assert answer.headers["Location"] == f"/approvals/{proposal.pk}/"
    assert (proposal.old, proposal.new) == (["writer"], ["dealer", "writer"])
    assert set(Staff.objects.get(username="writer").roles.values_list("code", flat=True)) == {"writer"}


def test_hours_that_overlap_are_refused_in_words(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("manager")
    given = {f"{day}_{part}": time for day in HOURS for part, time in (("opens", "10:00"), ("closes", "11:00"))}
    overlapping = given | {"mon_closes": "09:59", "tue_opens": "09:00", "why": "A try."}
    page = client.post("/approvals/propose/opening-hours/", overlapping)
    assert page.status_code == 422
    assert "Monday would still be open when the next day opens." in page.content.decode()
    page = client.post("/approvals/propose/opening-hours/", given | {"mon_opens": "", "why": "A try."})
    assert "Monday: give both times, or neither for a closed day." in page.content.decode()
    assert not Proposal.objects.exists()


@pytest.mark.clause("act-keno:13.2")
def test_closing_early_wants_the_notice_and_the_day_typed(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("manager")
    today = GamingDay.objects.get(opens_at__lte=timezone.now(), closes_at__gt=timezone.now())
    client.post("/venue/close-early/", {"reason": "Storm.", "notice": "We close now.", "typed": ""})
    page = client.post("/venue/close-early/", {"reason": "Storm.", "notice": "", "typed": today.date.isoformat()})
    assert page.status_code == 422
    assert "What players are told is missing." in page.content.decode()
    today.refresh_from_db()
    assert today.closed_early_at is None
    given = {"reason": "Storm.", "notice": "We close now.", "typed": today.date.isoformat()}
    assert client.post("/venue/close-early/", given).headers["Location"] == "/venue/"
    today.refresh_from_db()
    assert today.closed_early_at is not None
    assert Incident.objects.get().kind == "early-close"


def test_a_refusal_links_its_clause(signed_in: Callable[[str], Client]) -> None:
    incident = incidents.report_incident(kind="equipment-malfunction", what="Stuck.", by=demo_actor("supervisor"))
    client = signed_in("supervisor")
    answer = client.post(f"/incidents/{incident.pk}/close/", {"comment": "Done."}, follow=True)
    assert 'href="/rules/#nsw-csp:14.15"' in answer.content.decode()
    assert 'id="nsw-csp:14.15"' in client.get("/rules/").content.decode()


def test_overdue_comes_first_and_in_words(signed_in: Callable[[str], Client]) -> None:
    for hours in (50, 49):
        incidents.report_incident(
            kind="promotion-compromised-2025",
            what=f"{hours} hours ago",
            happened_at=timezone.now() - dt.timedelta(hours=hours),
            by=demo_actor("manager"),
        )
    page = signed_in("inspector").get("/incidents/")
    assert [notice.incident.what for notice in page.context["overdue"]] == ["50 hours ago", "49 hours ago"]
    assert "2 notices overdue" in page.content.decode()
    assert "Overdue by 2 hours" in page.content.decode()


def test_secrets_are_on_the_answer_and_nowhere_else(signed_in: Callable[[str], Client]) -> None:
    device = devices.register_device(name="Counter", kind="writer-terminal", by=demo_actor("manager"))
    client = signed_in("manager")
    page = client.post(f"/devices/{device.code}/roll/", {"overlap": "0"})
    token = page.context["secret"]
    assert token in page.content.decode()
    assert page.headers["Cache-Control"] == "no-store, private"
    assert token not in str(dict(client.session))
    assert token not in client.get(f"/devices/{device.code}/").content.decode()
    assert callers.actor_for_token(token) is not None


def test_a_list_is_paged_by_cursor_and_downloaded_whole(signed_in: Callable[[str], Client]) -> None:
    by = demo_actor("manager")
    for number in range(1, 121):
        devices.register_device(name=f"Counter {number}", kind="writer-terminal", by=by)
    Device.objects.filter(code="W-0003").update(name="=1+1")
    client = signed_in("manager")
    seen, url = [], "/devices/?order=-code"
    while url:
        page = client.get(url)
        seen += [row.code for row in page.context["listing"].rows]
        url = page.context["listing"].next
    assert seen == [f"W-{number:04d}" for number in range(120, 0, -1)]
    download = client.get("/devices/?format=csv")
    rows = list(csv.DictReader(download.getvalue().decode().splitlines()))
    assert len(rows) == 120
    assert rows[2]["Name"] == "'=1+1"  # never a formula
    assert [
        row["Code"]
        for row in csv.DictReader(client.get("/devices/?format=csv&q=Counter+119").getvalue().decode().splitlines())
    ] == ["W-0119"]


def test_what_somebody_typed_is_never_markup(signed_in: Callable[[str], Client]) -> None:
    incident = incidents.report_incident(kind="other", what="<script>alert(1)</script>", by=demo_actor("manager"))
    client = signed_in("manager")
    for path in ("/incidents/", f"/incidents/{incident.pk}/", "/search/?q=<script>alert", "/audit/"):
        assert "<script>alert" not in client.get(path).content.decode()


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("W-0001", "/devices/W-0001/"),
        ("Wendy", "/staff/writer/"),
        ("Report an incident", "/incidents/report/"),
        ("act-keno:3.1a", "/rules/#act-keno:3.1a"),
        ("Voids and reprints", "/keno/reports/voids/"),
    ],
)
def test_search_opens_what_is_named(query: str, where: str, signed_in: Callable[[str], Client]) -> None:
    devices.register_device(name="Counter", kind="writer-terminal", by=demo_actor("manager"))
    assert signed_in("manager").get("/search/", {"q": query}).headers["Location"] == where


def test_search_finds_only_what_one_may_see(signed_in: Callable[[str], Client]) -> None:
    devices.register_device(name="Counter", kind="writer-terminal", by=demo_actor("manager"))
    writer = signed_in("writer")
    for query in ("W-0001", "Voids and reprints"):
        page = writer.get("/search/", {"q": query})
        assert "Nothing found that you may see." in page.content.decode()


def test_search_finds_jackpots_before_clauses(signed_in: Callable[[str], Client]) -> None:
    build_demo()
    shown = signed_in("manager").get("/search/", {"q": "jackpot"}).context["groups"]
    titles = [group.title for group in shown]
    assert (titles[0], titles[-1]) == ("Pages", "Rules")
    assert {"Jackpots", "Actions", "Reports"} <= set(titles)
    (jackpots,) = (group for group in shown if group.title == "Jackpots")
    assert "/jackpots/CSP/" in [each.url for each in jackpots.found]


def test_the_search_over_any_page_offers_where_to_go_and_what_to_do(signed_in: Callable[[str], Client]) -> None:
    manager, writer = signed_in("manager"), signed_in("writer")
    palette = {"X-Palette": "1"}
    assert "Jackpots and tables" in manager.get("/search/", headers=palette).content.decode()
    found = manager.get("/search/", {"q": "incident"}, headers=palette).content.decode()
    assert "<html" not in found
    assert 'href="/incidents/report/"' in found
    assert (
        "Hire somebody" in signed_in("administrator").get("/search/", {"q": "hire"}, headers=palette).content.decode()
    )
    assert "Hire somebody" not in writer.get("/search/", {"q": "hire"}, headers=palette).content.decode()


@pytest.mark.parametrize(
    ("micros", "says"),
    [
        (0, "$0.00"),
        (1_060_000_000, "$1,060.00"),
        (48_213_509_999, "$48,213.50"),
        (-12_500_000, "−$12.50"),
    ],
)
def test_money_in_words(micros: int, says: str) -> None:
    assert words.money(Money(micros)) == says


@pytest.mark.parametrize(
    ("seconds", "says"),
    [
        (0, "no time"),
        (1, "1 second"),
        (59, "59 seconds"),
        (61, "1 minute"),
        (3_600, "1 hour"),
        (11_520, "3 hours 12 minutes"),
        (90_000, "1 day 1 hour"),
        (86_460, "1 day"),
    ],
)
def test_spans_in_words(seconds: int, says: str) -> None:
    assert words.span(dt.timedelta(seconds=seconds)) == says


def test_old_and_new_side_by_side(db: None) -> None:
    lines = compare.side_by_side({"mon": None} | {d: ["06:00", "06:00"] for d in list(HOURS)[1:]}, HOURS)
    assert (lines[0].label, lines[0].old, lines[0].new) == ("Monday", "closed", "10:00 to 04:00 next day")
    assert lines[1].old == "24 hours from 06:00"
    rates = {"levels": [{"name": "prize", "increment_rate": 6025}], "reserve_rate": 3975, "rounds_per_minute_limit": 20}
    lines = compare.side_by_side(rates | {"reserve_rate": 0}, rates, terms.SHAPE.form)
    said = {line.label: (line.old, line.new) for line in lines}
    assert said["Levels"][1] == "Name prize, Increment rate 60.25%"  # by the one formatter
    assert said["Reserve rate"] == ("0%", "39.75%")
    assert said["Rounds per minute limit"][1] == "20"
    cup = {"prizes": [6000, 3000, 1000], "retained": 1000, "most_entries": 12}
    lines = compare.side_by_side(None, cup, tournament_conditions.SHAPE.form)
    assert [(line.old, line.new) for line in lines] == [
        ("none", "60%, 30% and 10%"),
        ("none", "10%"),
        ("none", "12"),
    ]
    lines = compare.side_by_side(["writer"], ["dealer", "writer"])
    assert [(line.old, line.new, line.changed) for line in lines] == [
        ("–", "Dealer", True),
        ("Keno writer", "Keno writer", False),
    ]
