"""From sign-in to done, in a real browser, against the real server."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from house import callers, devices
from house.approvals import history
from house.guesses import FREE_AT_A_PLACE
from house.models import Device, Guesses, Incident, OpeningHours, Staff
from ledger.seal import seal_now
from tests.console import scene
from tests.console.browser import Person
from tests.world.browser import SIZES, WANTED
from tests.world.demo import ROLES

pytestmark = pytest.mark.django_db(transaction=True)


def test_everybody_signs_in_through_the_pages(person: Callable[..., Person], exhaustive: bool) -> None:
    """With both steps, by the button that fills them in; other journeys begin with a session."""
    for role in ROLES if exhaustive else ("manager", "inspector"):
        somebody = person().sign_in(role)
        somebody.go("/").get_by_role("button", name="Sign out").wait_for()  # writers and dealers arrive at a terminal


@pytest.mark.long  # without a browser: test_house_pages.py
def test_two_people_decide_the_opening_hours(person: Callable[..., Person]) -> None:
    proposer = person("supervisor")
    page = proposer.go("/")
    page.keyboard.press("g")
    page.keyboard.press("v")
    page.wait_for_url("**/venue/")
    page.get_by_role("link", name="Propose opening hours").click()
    page.get_by_label("Monday opens").fill("14:00")
    page.get_by_label("Monday closes").fill("04:00")
    page.get_by_label("Why").fill("Quiet Mondays.")
    page.get_by_role("button", name="Propose").click()
    page.get_by_text("Needs a second person.").first.wait_for()
    assert page.get_by_role("button", name="Approve").count() == 0  # never one's own

    decider = person("manager")
    page = decider.go("/")
    page.get_by_role("link", name="Decide", exact=True).click()
    assert "14:00 to 04:00 next day" in page.locator(".new").inner_text()
    page.get_by_role("button", name="Approve").click()
    dialog = page.get_by_role("dialog")
    assert "Monday 14:00 to 04:00" in dialog.inner_text()
    dialog.get_by_label("Comment").fill("Fine.")
    dialog.get_by_role("button", name="Approve").click()
    page.get_by_text("In effect").first.wait_for()

    proposal = history().get()
    assert (proposal.status, proposal.proposed_by, proposal.decided_by, proposal.comment) == (
        "effective",
        "staff:supervisor",
        "staff:manager",
        "Fine.",
    )
    monday = OpeningHours.objects.get(weekday=0)
    assert (f"{monday.opens:%H:%M}", f"{monday.closes:%H:%M}") == ("14:00", "04:00")


@pytest.mark.long  # without a browser: test_sign_pages.py
def test_an_incident_is_reported_told_and_closed(person: Callable[..., Person]) -> None:
    reporter = person("dealer")
    page = reporter.go("/")
    page.get_by_role("link", name="Report an incident").click()
    page.get_by_label("What kind of incident").select_option("equipment-malfunction")
    page.get_by_label("What happened").fill("The reader of table 2 is stuck.")
    page.get_by_role("button", name="Report", exact=True).click()
    page.get_by_role("heading", name=re.compile("is reported")).wait_for()

    incident = Incident.objects.get()
    told = person("supervisor")
    page = told.go("/")
    page.get_by_role("link", name=re.compile("Tell the inspector of incident")).click()
    page.get_by_role("button", name="Close incident").click()  # too early: somebody must be told first
    page.get_by_label("Outcome").fill("Repaired.")
    page.get_by_role("button", name="Close it").click()
    alert = page.get_by_role("alert")
    assert "inspector must be told first" in alert.inner_text()
    assert alert.get_by_role("link").get_attribute("href") == "/rules/#nsw-csp:14.15"
    incident.refresh_from_db()
    assert incident.status == "open"

    page.get_by_role("button", name="Record a notice").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("How").fill("telephone")
    dialog.get_by_role("button", name="Record it").click()
    page.get_by_text("told them by telephone").wait_for()
    page.get_by_role("button", name="Close incident").click()
    page.get_by_label("Outcome").fill("Repaired.")
    page.get_by_role("button", name="Close it").click()
    page.get_by_text(f"Incident {incident.pk} is closed.").wait_for()
    incident.refresh_from_db()
    assert (incident.status, incident.outcome, incident.closed_by) == ("closed", "Repaired.", "staff:supervisor")


@pytest.mark.long  # without a browser: test_house_pages.py, tests/house/test_devices.py
def test_a_device_is_provisioned_and_revoked(person: Callable[..., Person]) -> None:
    page = person("manager").go("/devices/")
    page.get_by_role("link", name="Register the first one").click()
    page.get_by_label("Name").fill("Keno counter, left")
    page.get_by_role("button", name="Register", exact=True).click()
    page.get_by_role("button", name="Make a provisioning code").click()
    code = page.locator("[data-once]").inner_text()
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}", code)
    assert page.locator(".qr svg").count() == 1
    page.reload()  # shown once
    assert page.locator("[data-once]").count() == 0
    token = devices.provision(code=code).secret
    caller = callers.actor_for_token(token)
    assert caller is not None
    assert caller.identity == "device:W-0001"

    page.reload()
    page.get_by_role("button", name="Revoke").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Why").fill("Stolen.")
    assert dialog.get_by_role("button", name="Revoke").is_disabled()
    dialog.get_by_label("Type W-0001 to go ahead").fill("W-0001")
    dialog.get_by_role("button", name="Revoke").click()
    page.get_by_text("W-0001 is revoked.").wait_for()
    assert Device.objects.get().status == "revoked"
    assert callers.actor_for_token(token) is None


@pytest.mark.long
def test_slowed_down_and_let_in_again(person: Callable[..., Person]) -> None:
    guesser = person()
    page = guesser.go("/sign-in/")
    for _ in range(FREE_AT_A_PLACE + 1):
        page.get_by_label("User name").fill("writer")
        page.get_by_label("Password").fill("not-the-password")
        page.get_by_role("button", name="Continue").click()
        page.wait_for_load_state()
        Guesses.objects.exclude(who="").filter(tries=2).update(tries=8)  # as after a long afternoon of it
    page.get_by_role("heading", name="Too many attempts").wait_for()
    assert "You can try again" in page.get_by_role("alert").inner_text()
    guesser.picture("slowed-down-1280-light")

    administrator = person("administrator").go("/staff/writer/")
    administrator.get_by_text("Slowed down").wait_for()
    administrator.get_by_role("button", name="Unlock").click()
    dialog = administrator.get_by_role("dialog")
    dialog.get_by_label("Why").fill("She rang me.")
    dialog.get_by_role("button", name="Unlock").click()
    administrator.get_by_text("Wendy Marsh is unlocked.").wait_for()

    guesser.sign_in("writer")
    guesser.page.wait_for_url("**/terminal/keno")  # where a writer lands


@pytest.mark.long
def test_a_new_person_sets_up_the_second_step(person: Callable[..., Person]) -> None:
    from django_otp.oath import totp

    from house.models import SecondStep

    administrator = person("administrator")
    page = administrator.go("/staff/hire/")
    page.get_by_label("Name", exact=True).fill("Priya Nair")
    page.get_by_label("User name").fill("priya.nair")
    page.get_by_label("Keno writer").check()
    page.get_by_role("button", name="Hire", exact=True).click()
    page.get_by_text("enrols once a second person has agreed").wait_for()
    manager = person("manager")
    manager.go("/").get_by_role("link", name="Decide", exact=True).click()
    manager.page.get_by_role("button", name="Approve").click()
    manager.page.get_by_role("dialog").get_by_role("button", name="Approve").click()
    manager.page.get_by_text("In effect").first.wait_for()
    halves = [_half(each, "/staff/priya.nair/") for each in (administrator, manager)]

    newcomer = person()
    page = newcomer.go("/enrol/")
    page.get_by_label("User name").fill("priya.nair")
    for label, half in zip(("One half of the code", "The other half"), halves, strict=True):
        page.get_by_label(label).fill(half)
    page.get_by_label("New password", exact=True).fill("eleven grey herons at dawn")
    page.get_by_label("New password again").fill("eleven grey herons at dawn")
    newcomer.picture("enrol-code-1280-light")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Set up your second step").wait_for()
    newcomer.picture("enrol-1280-light")
    device = SecondStep.objects.get(user__username="priya.nair")
    page.get_by_label("Code", exact=True).fill(f"{totp(device.bin_key):06d}")
    page.get_by_role("button", name="Confirm and sign in").click()
    page.wait_for_url(lambda url: "/sign-in/" not in url)
    assert not Staff.objects.get(username="priya.nair").must_change_password


def _half(somebody: Person, address: str) -> str:
    """Shown once to each of the two."""
    page = somebody.go(address)
    page.get_by_role("button", name="Show my half").click()
    half = page.locator("[data-once]").inner_text()
    page = somebody.go(address)
    assert page.locator("[data-once]").count() == page.get_by_role("button", name="Show my half").count() == 0
    return half


def test_keys_theme_and_sign_out(person: Callable[..., Person]) -> None:
    somebody = person("inspector")
    page = somebody.go("/")
    page.keyboard.press("?")
    assert "Approvals" in page.get_by_role("dialog").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"  # remembered
    page.keyboard.press("/")
    page.keyboard.type("act-keno:13.2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rules/#act-keno:13.2")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in/")
    page.goto(f"{somebody.url}/incidents/")
    page.wait_for_url("**/sign-in/?next=%2Fincidents%2F")


SCREENS = {  # the home page is pictured with Keno's, in test_keno_journeys
    "approvals": "/approvals/",
    "incidents": "/incidents/",
    "devices": "/devices/",
    "staff": "/staff/",
    "roles": "/roles/",
    "venue": "/venue/",
    "rules": "/rules/",
    "audit": "/audit/",
}


@pytest.mark.long  # test_axe looks for script errors too
def test_every_page_comes_up_without_a_script_error_and_has_its_picture_taken(
    person: Callable[..., Person], exhaustive: bool
) -> None:
    """METERHOUSE_SCREENSHOTS=1 takes the pictures, at every size and in both themes; else it looks at one."""
    scene.evening()
    approval = history().filter(status="proposed").order_by("pk").first()
    incident = Incident.objects.get(kind="equipment-malfunction")
    assert approval is not None
    own = {
        "approval": f"/approvals/{approval.pk}/",
        "incident": f"/incidents/{incident.pk}/",
        "device": "/devices/W-0001/",
    }
    # One sign-in for all of them: a code of the second step works once, and there are two a minute.
    cookies: Any = person("manager").context.cookies()
    for dark in (False, True) if WANTED or exhaustive else (False,):
        for size, (width, height) in list(SIZES.items())[: None if WANTED or exhaustive else 1]:
            somebody = person(width=width, height=height, dark=dark)
            tail = f"{size}-{'dark' if dark else 'light'}"
            somebody.go("/sign-in/")
            somebody.picture(f"sign-in-{tail}")
            somebody.context.clear_cookies()
            somebody.context.add_cookies(cookies)
            seal_now()  # as the worker does every second
            for name, path in (SCREENS | own).items():
                somebody.go(path)
                somebody.page.wait_for_load_state("networkidle")
                somebody.picture(f"{name}-{tail}")
            somebody.go("/devices/W-0002/")
            somebody.page.get_by_role("button", name="Make a provisioning code").click()
            somebody.page.locator(".qr svg").wait_for()
            somebody.picture(f"provisioning-{tail}")
