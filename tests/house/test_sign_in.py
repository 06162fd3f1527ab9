from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth import SESSION_KEY, get_user
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.oath import totp

from house import guesses, sign_in
from house.models import Burst, Guesses, Incident, SecondStep, Staff
from kernel.refusal import Conflict, Forbidden, NotSignedIn, Refusal
from tests.house.conftest import PASSWORD, Clock, Log, MakeActor, MakeBrowser, MakePerson
from tests.world import refusals
from web.problems import TooMany

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna(person: MakePerson, clock: Clock) -> Staff:
    anna = person("anna", "manager")
    SecondStep.objects.create(user=anna, name="phone", confirmed=True)
    return anna


def code_of(staff: Staff, *, steps: int = 0) -> str:
    """RFC 6238, from the device's secret."""
    device = SecondStep.objects.get(user=staff)
    return f"{totp(device.bin_key, drift=steps):06d}"


def wrong_code(staff: Staff) -> str:
    right = {code_of(staff, steps=steps) for steps in (-1, 0, 1)}
    return next(code for code in ("000000", "111111", "222222", "333333") if code not in right)


refused = partial(refusals.refused, error=NotSignedIn)


def try_password(request: HttpRequest, username: str = "anna", password: str = PASSWORD) -> str:
    return sign_in.password_step(request=request, username=username, password=password)


def sign_in_as(request: HttpRequest, staff: Staff) -> Staff:
    assert try_password(request, staff.username) == "code"
    return sign_in.code_step(request=request, code=code_of(staff))


def test_a_password_alone_signs_nobody_in(anna: Staff, browser: MakeBrowser, log: Log) -> None:
    request = browser()
    assert try_password(request, " Anna ") == "code"
    assert SESSION_KEY not in request.session
    assert not get_user(request).is_authenticated
    assert not log.acts


def test_password_and_code_sign_in(anna: Staff, browser: MakeBrowser, log: Log) -> None:
    request = browser()
    before = request.session.session_key
    assert sign_in_as(request, anna) == anna
    assert request.session.session_key != before  # a session handed out before signing in is worth nothing
    assert get_user(request) == anna
    assert request.session[DEVICE_ID_SESSION_KEY] == SecondStep.objects.get().persistent_id
    assert sign_in.PENDING not in request.session
    assert log.acts == [("staff.signed-in", "staff:anna", "staff:anna")]
    assert log.data == [{"address": "127.0.0.1"}]
    request.user = get_user(request)
    sign_in.sign_out(request=request)
    assert not get_user(request).is_authenticated
    assert log.kinds == ["staff.signed-in", "staff.signed-out"]


def test_a_code_works_once(anna: Staff, browser: MakeBrowser, clock: Clock, log: Log) -> None:
    code = code_of(anna)
    sign_in_as(browser(), anna)
    again = browser()
    try_password(again)
    refused(lambda: sign_in.code_step(request=again, code=code), "code-wrong")
    assert SESSION_KEY not in again.session
    clock.shift(30)
    refused(lambda: sign_in.code_step(request=again, code=code), "code-wrong")  # still within tolerance, still used
    assert sign_in.code_step(request=again, code=code_of(anna)) == anna
    assert log.kinds == ["staff.signed-in", "staff.signed-in"]


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "+12345", "12 34 5"])
def test_what_is_no_code_is_wrong(anna: Staff, browser: MakeBrowser, code: str) -> None:
    request = browser()
    try_password(request)
    refused(lambda: sign_in.code_step(request=request, code=code), "code-wrong")


def test_wrong_password_and_unknown_name_sound_the_same(anna: Staff, browser: MakeBrowser, log: Log) -> None:
    words = set()
    for username, password in (("anna", "wrong"), ("nobody", PASSWORD), ("my secret Passw0rd!", "x"), ("anna", "a\0b")):
        with pytest.raises(NotSignedIn) as caught:
            try_password(browser(), username, password)
        words.add((caught.value.code, caught.value.detail))
    assert words == {("sign-in-refused", "User name or password is wrong.")}
    assert dict(Burst.objects.values_list("person", "failures")) == {"anna": 1, "unknown": 3}
    assert log.acts == []


def test_who_left_is_refused(anna: Staff, browser: MakeBrowser) -> None:
    request = browser()
    try_password(request)
    Staff.objects.update(is_active=False)
    refused(lambda: sign_in.code_step(request=request, code=code_of(anna)), "password-first")
    refused(lambda: try_password(browser()), "sign-in-refused")


def slowed(call: Callable[[], object]) -> int:
    """Refused until later: in how many seconds the next try is heard."""
    with pytest.raises(TooMany) as caught:
        call()
    assert caught.value.code == "too-many-tries"
    return caught.value.retry_after_seconds


def at(request: HttpRequest, address: str, mark: str = "") -> HttpRequest:
    request.META["REMOTE_ADDR"] = address
    if mark:
        request.COOKIES[guesses.COOKIE] = mark
    return request


def test_wrong_passwords_are_heard_later_and_later(anna: Staff, browser: MakeBrowser, clock: Clock, log: Log) -> None:
    for _ in range(3):
        refused(lambda: try_password(browser(), password="wrong"), "sign-in-refused")
    waits = []
    for _ in range(10):
        # Not heard: the right password is not even looked at, and asking does not make it longer.
        waits.append(slowed(lambda: try_password(browser())))
        assert slowed(lambda: try_password(browser())) == waits[-1]
        clock.shift(waits[-1])
        refused(lambda: try_password(browser(), password="wrong"), "sign-in-refused")
    assert waits == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]
    assert "staff.sign-in-failed" not in log.kinds
    clock.shift(900)
    assert try_password(browser()) == "code"


def test_guesses_elsewhere_slow_nobody_who_sits_where_he_always_does(
    anna: Staff, browser: MakeBrowser, clock: Clock
) -> None:
    home = at(browser(), "10.0.0.7")
    sign_in_as(home, anna)
    mark = home.session[sign_in.BROWSER_MARK]
    clock.shift(30)
    heard = 0
    for n in range(60):  # every one from another address
        try:
            try_password(at(browser(), f"203.0.113.{n}"), password="wrong")
        except TooMany:
            continue
        except NotSignedIn:
            heard += 1
    assert heard == guesses.FREE_ELSEWHERE
    assert slowed(lambda: try_password(at(browser(), "198.51.100.1")))  # a place that anna has never signed in from
    assert try_password(at(browser(), "10.0.0.7")) == "code"
    # Even somebody at her own address slows only those who have not her browser.
    for _ in range(3):
        refused(lambda: try_password(at(browser(), "10.0.0.7"), password="wrong"), "sign-in-refused")
    assert slowed(lambda: try_password(at(browser(), "10.0.0.7")))
    assert sign_in_as(at(browser(), "10.0.0.7", mark), anna) == anna
    assert sign_in_as_again(at(browser(), "172.16.0.9", mark), anna, clock) == anna


def sign_in_as_again(request: HttpRequest, staff: Staff, clock: Clock) -> Staff:
    clock.shift(30)
    return sign_in_as(request, staff)


def test_one_address_over_many_names(person: MakePerson, browser: MakeBrowser, clock: Clock, log: Log) -> None:
    person("zoe", "manager")
    for n in range(guesses.FREE_FOR_AN_ADDRESS):
        refused(lambda n=n: try_password(browser(), f"nobody{n}"), "sign-in-refused")
    assert slowed(lambda: try_password(browser(), "zoe")) == 5
    assert try_password(at(browser(), "10.0.0.8"), "zoe") == "enrol"
    assert log.kinds == ["incident.reported"]  # and that is all that the log hears of it now
    clock.shift(timedelta(minutes=31))
    guesses.finish_bursts(timezone.now())
    assert log.kinds == ["incident.reported", "staff.sign-in-failed"]
    assert log.data[-1]["failures"] == 20
    assert not Burst.objects.exists()
    guesses.finish_bursts(timezone.now() + timedelta(days=2))
    assert not Guesses.objects.exists()


def test_names_as_typed_are_not_kept(browser: MakeBrowser, db: None) -> None:
    refused(lambda: try_password(browser(), "hunter2"), "sign-in-refused")
    refused(lambda: try_password(browser(), "My Secret!"), "sign-in-refused")
    kept = str([*Guesses.objects.values(), *Burst.objects.values()])
    assert "hunter2" not in kept
    assert "secret" not in kept.lower()


def try_at_once(browser: MakeBrowser, username: str) -> list[str]:
    """Twelve wrong passwords at the same moment; how each was refused."""
    start = threading.Barrier(12)
    codes: list[str] = []

    def attempt(request: HttpRequest) -> None:
        start.wait()
        try:
            try_password(request, username, password="wrong")
        except Refusal as refusal:
            codes.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=attempt, args=(browser(),)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(codes)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("username", ["anna", "nobody"])
def test_three_are_heard_however_many_try_at_once(person: MakePerson, browser: MakeBrowser, username: str) -> None:
    person("anna", "manager")
    assert try_at_once(browser, username) == ["sign-in-refused"] * 3 + ["too-many-tries"] * 9


def test_signing_in_forgets_earlier_failures(anna: Staff, browser: MakeBrowser, clock: Clock) -> None:
    for _ in range(3):
        for _ in range(2):
            refused(lambda: try_password(browser(), password="wrong"), "sign-in-refused")
        sign_in_as(browser(), anna)
        clock.shift(30)


def test_wrong_codes_are_heard_later_too(anna: Staff, browser: MakeBrowser, clock: Clock, log: Log) -> None:
    bad = wrong_code(anna)
    first = browser()
    try_password(first)
    for _ in range(2):
        refused(lambda: sign_in.code_step(request=first, code=bad), "code-wrong")
    request = browser()
    try_password(request)  # the password again does not buy more attempts
    refused(lambda: sign_in.code_step(request=request, code=bad), "code-wrong")
    assert slowed(lambda: sign_in.code_step(request=request, code=code_of(anna))) == 5
    assert log.kinds == []
    clock.shift(5)
    assert sign_in.code_step(request=request, code=code_of(anna)) == anna


def test_codes_from_many_addresses_are_counted_together(anna: Staff, browser: MakeBrowser, clock: Clock) -> None:
    bad, heard = wrong_code(anna), 0
    for n in range(40):
        request = at(browser(), f"203.0.113.{n}")
        try_password(request)
        try:
            sign_in.code_step(request=request, code=bad)
        except TooMany:
            continue
        except NotSignedIn:
            heard += 1
    assert heard == guesses.FREE_ELSEWHERE
    assert Incident.objects.get().subject == "staff:anna"


def test_an_administrator_lets_somebody_try_at_once(
    anna: Staff, actor: MakeActor, browser: MakeBrowser, log: Log
) -> None:
    administrator = actor("administrator")
    for _ in range(3):
        refused(lambda: try_password(browser(), password="wrong"), "sign-in-refused")
    assert set(guesses.slowed_until(["anna", "wim"])) == {"anna"}
    refused(
        lambda: sign_in.unlock(username="anna", why="Called", by=actor("manager")), "no-permission", error=Forbidden
    )
    refused(lambda: sign_in.unlock(username="anna", why="", by=administrator), "reason-missing", error=Refusal)
    refused(lambda: sign_in.unlock(username="administrator", why="Me", by=administrator), "own-lock", error=Refusal)
    log.acts.clear()
    sign_in.unlock(username="anna", why="Called, showed a badge", by=administrator)
    assert log.acts == [("staff.unlocked", "staff:anna", "staff:administrator")]
    assert sign_in_as(browser(), anna) == anna


def test_the_first_sign_in_enrols_the_second_step(
    person: MakePerson, browser: MakeBrowser, clock: Clock, log: Log
) -> None:
    wim = person("wim", "writer")
    request = browser()
    assert try_password(request, "wim") == "enrol" == sign_in.next_step(request)
    refused(lambda: sign_in.code_step(request=request, code="123456"), "not-enrolled", error=Conflict)
    refused(lambda: sign_in.confirm_enrolment(request=request, code="123456"), "not-enrolling", error=Conflict)
    enrolment = sign_in.begin_enrolment(request=request)
    assert sign_in.begin_enrolment(request=request) == enrolment  # the page may be loaded again
    uri = urlsplit(enrolment.uri)
    assert (uri.scheme, uri.netloc, uri.path) == ("otpauth", "totp", "/Meterhouse%3Awim")
    assert parse_qs(uri.query)["secret"] == [enrolment.secret]
    assert not SecondStep.objects.get().confirmed
    refused(lambda: sign_in.confirm_enrolment(request=request, code=wrong_code(wim)), "code-wrong")
    first = code_of(wim)
    assert sign_in.confirm_enrolment(request=request, code=first) == wim
    assert get_user(request) == wim
    assert SecondStep.objects.get().confirmed
    assert log.kinds == ["staff.second-step-enrolled", "staff.signed-in"]
    again = browser()
    assert try_password(again, "wim") == "code" == sign_in.next_step(again)
    refused(lambda: sign_in.code_step(request=again, code=first), "code-wrong")  # used by the enrolment
    refused(lambda: sign_in.begin_enrolment(request=again), "already-enrolled", error=Conflict)


def test_two_half_done_enrolments_make_one_second_step(person: MakePerson, browser: MakeBrowser, clock: Clock) -> None:
    wim = person("wim", "writer")
    one, two = browser(), browser()
    for request in (one, two):
        try_password(request, "wim")
        sign_in.begin_enrolment(request=request)
    # The second one's secret replaced the first one's.
    refused(lambda: sign_in.confirm_enrolment(request=one, code=code_of(wim)), "not-enrolled", error=Conflict)
    assert sign_in.confirm_enrolment(request=two, code=code_of(wim)) == wim
    assert SecondStep.objects.count() == 1


def test_a_right_password_is_remembered_for_five_minutes(anna: Staff, browser: MakeBrowser, clock: Clock) -> None:
    refused(lambda: sign_in.code_step(request=browser(), code=code_of(anna)), "password-first")
    request = browser()
    try_password(request)
    clock.shift(timedelta(minutes=5, seconds=1))
    assert sign_in.next_step(request) == "password"
    refused(lambda: sign_in.code_step(request=request, code=code_of(anna)), "password-first")


def test_a_changed_password_ends_a_half_done_sign_in(anna: Staff, browser: MakeBrowser) -> None:
    request = browser()
    try_password(request)
    anna.set_password("another one")
    anna.save()
    refused(lambda: sign_in.code_step(request=request, code=code_of(anna)), "password-first")


def test_demo_people_sign_in_only_while_the_demo_is_on(
    person: MakePerson, browser: MakeBrowser, clock: Clock, settings: Any, log: Log
) -> None:
    demo = person("demo", "manager", is_demo=True)
    SecondStep.objects.create(user=demo, name="phone", confirmed=True)
    settings.DEMO = True
    half_done = browser()
    try_password(half_done, "demo")
    settings.DEMO = False
    refused(lambda: try_password(browser(), "demo"), "sign-in-refused")
    refused(lambda: sign_in.code_step(request=half_done, code=code_of(demo)), "password-first")
    assert Burst.objects.get().failures == 1
    assert demo.as_actor().permissions == frozenset()
    settings.DEMO = True
    assert sign_in_as(browser(), demo) == demo
