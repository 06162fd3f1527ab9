"""The pit at its tables' signs: notices, a minimum raised at once, a player's own sign, closing; displays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from house.models import Incident, Proposal
from tablegames.demo import build_demo
from tablegames.models import Seat, SignMarker, SignNotice, TableClosing
from tests.console.pages import text

SIGN = "/tables/signs/CSP-01/"


@pytest.fixture
def supervisor(signed_in: Callable[[str], Client]) -> Client:
    build_demo()
    return signed_in("supervisor")


@pytest.mark.clause("nsw-csp:6.5", "nsw-csp:6.5.3", "nsw-csp:6.6", "nsw-csp:16.13")
def test_a_table_from_its_notice_to_its_closing(supervisor: Client, signed_in: Callable[[str], Client]) -> None:
    assert "ante $5.00 to $200.00" in text(supervisor.get("/tables/signs/"))
    refused = supervisor.post(f"{SIGN}limits/", {"limits": "ante 10 200"})
    assert refused.status_code == 422
    assert "at least 20 minutes" in text(refused)
    assert not SignNotice.objects.exists()
    supervisor.post(f"{SIGN}seats/", {"box": "3", "player": ""})
    seat = Seat.objects.get()
    raised = supervisor.post(f"{SIGN}limits/", {"limits": "ante 10 200", "at_once": "on"}, follow=True)
    assert "stays on the old minimum" in text(raised)
    assert "Who played before" in text(raised)
    own = f"{SIGN}seats/{seat.pk}/limits/"
    why = {"why": "A known player."}
    assert supervisor.post(own, {"limits": "ante 10 200", **why}).status_code == 422
    supervisor.post(own, {"limits": "ante 100 2000", **why})
    assert not SignMarker.objects.filter(kind="own-limits").exists()
    signed_in("manager").post(f"/approvals/{Proposal.objects.get().pk}/approve/")
    assert "a sign of his own" in text(supervisor.get(SIGN))
    assert supervisor.post(f"{SIGN}limits/", {"limits": "ante 10 900"}).status_code == 409
    supervisor.post(f"{SIGN}limits/", {"limits": "ante 10 900", **why})
    assert Proposal.objects.filter(status="proposed").count() == 1
    shown = Client().get("/signage/tables/CSP-01.json").json()  # a display: no login
    assert shown["limits"] == {"ante": {"minimum": "10.00", "maximum": "200.00"}}
    assert shown["previous_limits"] == [{"ante": {"minimum": "5.00", "maximum": "200.00"}}]
    assert {(each["box"], each["kind"]) for each in shown["markers"]} == {(3, "old-minimum"), (3, "own-limits")}
    assert "seats" not in shown
    supervisor.post(f"{SIGN}close/", HTTP_REFERER=f"http://testserver{SIGN}")
    assert not TableClosing.objects.exists()
    assert "16.13" in text(supervisor.get(SIGN))  # why not
    announced = supervisor.post(f"{SIGN}closing/", {"closes_at": "2035-01-01T12:00"}, follow=True)
    assert "This table closes at" in text(announced)
    marker = SignMarker.objects.get(kind="own-limits")
    supervisor.post(f"{SIGN}markers/{marker.pk}/remove/")
    supervisor.post(f"{SIGN}notices/{SignNotice.objects.get(limits__isnull=True).pk}/take-down/")
    supervisor.post(f"{SIGN}seats/{seat.pk}/leave/")
    assert not SignMarker.objects.filter(removed_at=None).exists()
    assert "is closed" in text(supervisor.post(f"{SIGN}close/", follow=True))
    assert Client().get("/signage/tables.json").json()["tables"][0]["code"]
    assert "is open" in text(supervisor.post(f"{SIGN}reopen/", follow=True))
    assert Client().get("/signage/tables/XX-01.json").status_code == 404


def test_who_looks_on_sees_no_button(supervisor: Client, signed_in: Callable[[str], Client]) -> None:
    inspector = signed_in("inspector")
    assert "Change the limits" not in text(inspector.get(SIGN))
    assert inspector.post(f"{SIGN}close/").status_code == 403
    assert not TableClosing.objects.exists()


@pytest.mark.clause("act-bj:16.10")
def test_an_incident_is_reported_under_the_rules_of_its_game(supervisor: Client) -> None:
    body = {"kind": "side-bet", "what": "Two of them.", "subject": "table:BJ-01", "rules": "act-bj"}
    supervisor.post("/incidents/report/", body)
    assert Incident.objects.get().clause == "act-bj:16.10"
    assert supervisor.post("/incidents/report/", body | {"rules": "nz-lp"}).status_code == 422
    assert Incident.objects.count() == 1
