"""The door, without a browser: what it shows, to whom, and what it keeps."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from house.models import Staff
from keno.demo import build_demo
from keno.shifts import open_shift
from kernel.money import Money
from tests.console.pages import text
from tests.world.demo import credential, demo_actor


def test_demo_people_are_shown_only_while_the_demo_is_on(venue: None, settings: Any) -> None:
    password = credential("writer").password
    assert password in Client().get("/sign-in/").content.decode()
    settings.DEMO = False
    page = Client().get("/sign-in/").content.decode()
    assert password not in page
    assert "Demo people" not in page


def test_a_password_alone_opens_nothing(venue: None) -> None:
    client = Client()
    client.post("/sign-in/", {"username": "manager", "password": credential("manager").password})
    assert client.get("/").headers["Location"] == "/sign-in/"
    assert client.get("/staff/").headers["Location"] == "/sign-in/?next=%2Fstaff%2F"


def test_a_wrong_password_says_no_more_than_that(venue: None) -> None:
    for username in ("manager", "nobody-here"):
        page = Client().post("/sign-in/", {"username": username, "password": "wrong"})
        assert page.status_code == 401
        assert "User name or password is wrong." in page.content.decode()


def test_an_empty_form_says_what_is_missing(venue: None) -> None:
    page = Client().post("/sign-in/", {"username": "", "password": ""})
    assert page.status_code == 422
    assert "User name is missing." in page.content.decode()
    assert "Password is missing." in page.content.decode()


def test_a_wrong_code_is_refused_and_the_right_one_then_works(venue: None) -> None:
    client, person = Client(), credential("manager")
    client.post("/sign-in/", {"username": "manager", "password": person.password})
    page = client.post("/sign-in/second-step/", {"code": "12345"})
    assert page.status_code == 401
    assert "That code is wrong" in page.content.decode()
    assert client.post("/sign-in/second-step/", {"code": person.code}).headers["Location"] == "/arrive/"


@pytest.mark.parametrize(
    ("wanted", "after"),
    [
        ("/incidents/?status=open", "/incidents/?status=open"),
        ("https://elsewhere.example/", "/arrive/"),
        ("//elsewhere.example/", "/arrive/"),
        ("", "/arrive/"),
    ],
)
def test_after_the_sign_in_only_ever_a_page_of_ours(wanted: str, after: str, venue: None) -> None:
    client, person = Client(), credential("manager")
    client.post("/sign-in/", {"username": "manager", "password": person.password, "next": wanted})
    assert client.post("/sign-in/second-step/", {"code": person.code}).headers["Location"] == after


def test_who_tries_too_often_is_told_when_to_try_again(venue: None) -> None:
    client = Client()
    with time_machine.travel(timezone.now(), tick=False):
        for _ in range(3):
            assert client.post("/sign-in/", {"username": "writer", "password": "wrong"}).status_code == 401
        page = client.post("/sign-in/", {"username": "writer", "password": credential("writer").password})
        until = timezone.now() + dt.timedelta(seconds=5)
        assert page.status_code == 429
        assert page.headers["Retry-After"] == "5"
        assert until.isoformat() in page.content.decode()
        assert "Too many attempts" in page.content.decode()
    with time_machine.travel(until, tick=False):
        page = client.post("/sign-in/", {"username": "writer", "password": credential("writer").password})
        assert page.headers["Location"] == "/sign-in/second-step/"


def test_a_page_that_refreshes_itself_does_not_keep_somebody_signed_in(
    signed_in: Callable[[str], Client], settings: Any
) -> None:
    client, start = signed_in("manager"), timezone.now()
    background = {"X-Background": "1"}
    half = settings.IDLE_TIMEOUT / 2
    with time_machine.travel(start + half, tick=False):
        assert client.get("/status/", headers=background).status_code == 200
    with time_machine.travel(start + settings.IDLE_TIMEOUT + half, tick=False):
        assert client.get("/status/", headers=background).status_code == 401
        assert client.get("/").headers["Location"] == "/sign-in/"


def test_staying_signed_in_does(signed_in: Callable[[str], Client], settings: Any) -> None:
    client, start = signed_in("manager"), timezone.now()
    half = settings.IDLE_TIMEOUT / 2
    with time_machine.travel(start + half, tick=False):
        assert client.get("/stay/").json() == {"signed_in": True}
    with time_machine.travel(start + settings.IDLE_TIMEOUT, tick=False):
        assert client.get("/").status_code == 200


def test_a_given_password_must_be_changed_first(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("manager")
    Staff.objects.filter(username="manager").update(must_change_password=True)
    assert client.get("/incidents/").headers["Location"] == "/password/"
    old = credential("manager").password
    refused = {
        ("wrong", "a new long password", "a new long password"): "That is not your present password.",
        (old, "a new long password", "another long password"): "The two new passwords differ.",
        (old, "short", "short"): "This password is too short.",
        (old, old, old): "The new password is the old one.",
    }
    for (current, new, again), words in refused.items():
        page = client.post("/password/", {"current": current, "new": new, "again": again})
        assert page.status_code == 422
        assert words in page.content.decode()
        assert Staff.objects.get(username="manager").check_password(old)
    new = "eleven grey herons at dawn"
    assert client.post("/password/", {"current": old, "new": new, "again": new}).headers["Location"] == "/"
    assert Staff.objects.get(username="manager").check_password(new)
    assert client.get("/incidents/").status_code == 200


def test_signing_out_is_an_act_not_a_link(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("manager")
    assert client.get("/sign-out/").status_code == 405
    assert client.get("/").status_code == 200
    assert client.post("/sign-out/").headers["Location"] == "/sign-in/"
    assert client.get("/").headers["Location"] == "/sign-in/"


def test_forms_need_their_token(venue: None) -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.post("/sign-in/", {"username": "manager", "password": "x"})
    assert page.status_code == 403
    assert "That form had expired" in page.content.decode()


def test_an_act_needs_its_token_too(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("administrator")
    client.handler.enforce_csrf_checks = True
    assert client.post("/staff/writer/deactivate/", {"comment": "No token."}).status_code == 403
    assert Staff.objects.get(username="writer").is_active


def test_the_demos_tour_shows_what_each_has_done(
    venue: None, settings: Any, signed_in: Callable[[str], Client]
) -> None:
    build_demo()
    door = text(Client().get("/sign-in/"))
    assert "A tour in four jobs" in door
    assert door.count("Choose ") == 4
    assert "Done" not in door
    assert "Your part of the tour" in text(signed_in("writer").get("/"))
    open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))
    assert text(Client().get("/sign-in/")).count("Done") == 1
    assert "Your part of the tour" not in text(signed_in("auditor").get("/"))
    settings.DEMO = False
    assert "A tour in four jobs" not in text(Client().get("/sign-in/"))
