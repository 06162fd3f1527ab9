"""What was typed survives an expired session: one signs in again over the page, and goes on where one was."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from house.models import Incident
from tests.console.browser import Person
from tests.world.demo import credential, sign_in

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


def test_the_door_comes_to_a_page_whose_session_has_ended(venue: None) -> None:
    over = {"X-Over-The-Page": "manager"}
    browser = Client(headers=over)
    form = browser.get("/sign-in/")
    assert form.headers["X-Over-The-Page"] == "door"
    assert "<html" not in form.content.decode()
    assert 'value="manager"' in form.content.decode()
    assert "auditor" not in form.content.decode()  # of the demo's people only the one whose page it is
    wrong = browser.post("/sign-in/", {"username": "manager", "password": "no"})
    assert (wrong.status_code, wrong.headers["X-Over-The-Page"]) == (401, "door")
    manager = credential("manager")
    code = browser.post("/sign-in/", {"username": "manager", "password": manager.password}, follow=True)
    assert (code.redirect_chain[-1][0], code.headers["X-Over-The-Page"]) == ("/sign-in/second-step/", "door")
    inside = browser.post("/sign-in/second-step/", {"code": credential("manager").code})
    assert inside.json()["person"] == "manager"
    assert len(inside.json()["token"]) == 64
    assert browser.get("/sign-in/").json()["person"] == "manager"  # signed in meanwhile, in another tab
    assert sign_in("auditor").get("/sign-in/", headers=over).json()["person"] == "auditor"  # who is led home
    assert Client().get("/sign-in/").headers.get("X-Over-The-Page") is None


@pytest.mark.long  # without a browser: above
def test_whoever_else_signs_in_over_a_page_finds_nothing_of_it(person: Callable[..., Person]) -> None:
    supervisor = person("supervisor")
    page = supervisor.go("/incidents/report/")
    page.get_by_label("What happened").fill("Mine.")
    for session in Session.objects.all():
        session.delete()
    over = page.get_by_role("dialog", name="Sign in")
    over.get_by_label("User name").fill("auditor")
    over.get_by_label("Password").fill(credential("auditor").password)
    over.get_by_role("button", name="Continue").click()
    page.get_by_role("dialog").get_by_label("Code", exact=True).fill(credential("auditor").code)
    page.get_by_role("dialog").get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", name="Arthur").wait_for()
    assert page.url == f"{supervisor.url}/"


def test_what_was_typed_is_still_there_after_signing_in_again(person: Callable[..., Person]) -> None:
    supervisor = person("supervisor")
    page = supervisor.go("/incidents/report/")
    page.get_by_label("What happened").fill("The lights went out at CSP-01.")
    for session in Session.objects.all():
        session.delete()
    over = page.get_by_role("dialog", name="Sign in")  # a part that the page fetches by itself finds it out
    over.get_by_role("button", name="Fill in Sunita Rao").click()
    over.get_by_role("button", name="Continue").click()
    page.get_by_role("dialog").get_by_label("Code", exact=True).fill(credential("supervisor").code)
    page.get_by_role("dialog").get_by_role("button", name="Sign in", exact=True).click()
    page.locator("#again").wait_for(state="hidden")
    assert page.url.endswith("/incidents/report/")
    assert page.get_by_label("What happened").input_value() == "The lights went out at CSP-01."
    page.get_by_label("What kind").select_option("other")
    page.get_by_role("button", name="Report").click()  # with the token of the new session
    page.wait_for_url(re.compile(r"/incidents/\d+/$"))
    assert Incident.objects.get().what == "The lights went out at CSP-01."
    supervisor.go("/incidents/report/").get_by_label("What happened").fill("And on again.")
    page.reload()  # and a reload, or a restart of the server
    page.get_by_text("What you typed before is still here.").wait_for()
    assert page.get_by_label("What happened").input_value() == "And on again."
    page.get_by_role("button", name="Start again").click()
    assert page.get_by_label("What happened").input_value() == ""
    page.reload()
    assert page.get_by_label("What happened").input_value() == ""
