"""What was typed survives an expired session: one signs in again and goes on where one was."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from house.models import Incident
from tests.console.browser import Person

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_is_sent_after_the_session_has_ended_leads_back_to_its_page() -> None:
    before = Incident.objects.count()
    answer = Client().post(
        "/incidents/report/", {"what": "x"}, headers={"referer": "http://testserver/incidents/report/"}
    )
    assert answer.headers["Location"] == "/sign-in/?next=http%3A%2F%2Ftestserver%2Fincidents%2Freport%2F"
    elsewhere = Client().post("/incidents/report/", headers={"referer": "https://elsewhere.example/"})
    assert elsewhere.headers["Location"] == "/sign-in/"
    assert Incident.objects.count() == before


def test_what_was_typed_is_still_there_after_signing_in_again(person: Callable[..., Person]) -> None:
    supervisor = person("supervisor")
    page = supervisor.go("/incidents/report/")
    page.get_by_label("What happened").fill("The lights went out at CSP-01.")
    for session in Session.objects.all():
        session.delete()
    page.wait_for_url("**/sign-in/?idle=1&next=*incidents*")  # a part that the page fetches by itself finds it out
    supervisor.pass_the_door("supervisor")
    page.wait_for_url("**/incidents/report/")
    page.get_by_text("What you typed before is still here.").wait_for()
    assert page.get_by_label("What happened").input_value() == "The lights went out at CSP-01."
    supervisor.picture("draft-kept-1280-light")
    page.reload()  # and a reload, or a restart of the server
    assert page.get_by_label("What happened").input_value() == "The lights went out at CSP-01."
    page.get_by_role("button", name="Start again").click()
    assert page.get_by_label("What happened").input_value() == ""
    page.reload()
    assert page.get_by_label("What happened").input_value() == ""
