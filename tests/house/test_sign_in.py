from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from django.contrib.auth import SESSION_KEY, get_user
from django.db import connection
from django.http import HttpRequest
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from house import sign_in
from house.models import Staff
from house.refusal import Conflict, Forbidden, NotSignedIn, Refusal
from house.staff import actor_for
from tests.house.conftest import PASSWORD, Clock, Log, MakeActor, MakeBrowser, MakePerson

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 16, 10, 4, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[Clock]:
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def anna(person: MakePerson, clock: Clock) -> Staff:
    anna = person("anna", "manager")
    TOTPDevice.objects.create(user=anna, name="phone", confirmed=True)
    return anna


def code_of(staff: Staff, *, steps: int = 0) -> str:
    """RFC 6238, from the device's secret."""
    device = TOTPDevice.objects.get(user=staff)
    return f"{totp(device.bin_key, drift=steps):06d}"


def wrong_code(staff: Staff) -> str:
    right = {code_of(staff, steps=steps) for steps in (-1, 0, 1)}
    return next(code for code in ("000000", "111111", "222222", "333333") if code not in right)


def refused(call: Callable[[], object], code: str, error: type[Refusal] = NotSignedIn) -> None:
    with pytest.raises(error) as caught:
        call()
    assert caught.value.code == code


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
    assert request.session[DEVICE_ID_SESSION_KEY] == TOTPDevice.objects.get().persistent_id
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
    assert log.kinds == ["staff.signed-in", "staff.sign-in-failed", "staff.sign-in-failed", "staff.signed-in"]


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
    assert [subject for _, subject, _ in log.acts] == ["staff:anna", "staff:unknown", "staff:unknown", "staff:unknown"]
    assert "secret" not in str(log.acts) + str(log.data)  # a password typed into the wrong field


def test_who_left_is_refused(anna: Staff, browser: MakeBrowser) -> None:
    request = browser()
    try_password(request)
    Staff.objects.update(is_active=False)
    refused(lambda: sign_in.code_step(request=request, code=code_of(anna)), "password-first")
    refused(lambda: try_password(browser()), "sign-in-refused")


def test_five_wrong_passwords_lock_the_name_for_a_quarter_of_an_hour(
    anna: Staff, browser: MakeBrowser, clock: Clock, log: Log
) -> None:
    for _ in range(4):
        refused(lambda: try_password(browser(), password="wrong"), "sign-in-refused")
    refused(lambda: try_password(browser(), password="wrong"), "locked-out", Forbidden)
    assert log.kinds == ["staff.sign-in-failed"] * 5 + ["staff.locked-out"]
    # Locked: the right password is not even looked at, from another browser either, and the clock does not start again.
    request = browser()
    request.META["HTTP_USER_AGENT"] = "another"
    refused(lambda: try_password(request), "locked-out", Forbidden)
    assert not getattr(request, "axes_locked_out", False)
    clock.shift(timedelta(minutes=14, seconds=59))
    refused(lambda: try_password(browser()), "locked-out", Forbidden)
    clock.shift(timedelta(seconds=2))
    assert try_password(browser()) == "code"


@pytest.mark.django_db(transaction=True)
def test_the_fifth_failure_is_the_last_however_many_try_at_once(
    person: MakePerson, browser: MakeBrowser, log: Log
) -> None:
    person("anna", "manager")
    start = threading.Barrier(12)
    codes: list[str] = []

    def attempt(request: HttpRequest) -> None:
        start.wait()
        try:
            try_password(request, password="wrong")
        except Refusal as refusal:
            codes.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=attempt, args=(browser(),)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == ["locked-out"] * 8 + ["sign-in-refused"] * 4
    assert sorted(log.kinds) == ["staff.locked-out"] + ["staff.sign-in-failed"] * 5


def test_signing_in_forgets_earlier_failures(anna: Staff, browser: MakeBrowser, clock: Clock) -> None:
    for _ in range(3):
        for _ in range(4):
            refused(lambda: try_password(browser(), password="wrong"), "sign-in-refused")
        sign_in_as(browser(), anna)
        clock.shift(30)


def test_a_name_that_nobody_has_is_locked_too(browser: MakeBrowser, db: None) -> None:
    for _ in range(4):
        refused(lambda: try_password(browser(), "nobody"), "sign-in-refused")
    refused(lambda: try_password(browser(), "nobody"), "locked-out", Forbidden)


def test_five_wrong_codes_lock_the_second_step(anna: Staff, browser: MakeBrowser, clock: Clock, log: Log) -> None:
    bad = wrong_code(anna)
    first = browser()
    try_password(first)
    for _ in range(2):
        refused(lambda: sign_in.code_step(request=first, code=bad), "code-wrong")
    request = browser()
    try_password(request)  # the password again does not buy more attempts
    for _ in range(2):
        refused(lambda: sign_in.code_step(request=request, code=bad), "code-wrong")
    refused(lambda: sign_in.code_step(request=request, code=bad), "locked-out", Forbidden)
    assert log.kinds == ["staff.sign-in-failed"] * 5 + ["staff.locked-out"]
    refused(lambda: sign_in.code_step(request=request, code=code_of(anna)), "password-first")
    try_password(request)
    refused(lambda: sign_in.code_step(request=request, code=code_of(anna)), "locked-out", Forbidden)
    clock.shift(timedelta(minutes=15))
    assert sign_in_as(browser(), anna) == anna


def test_an_administrator_unlocks(anna: Staff, actor: MakeActor, browser: MakeBrowser, log: Log) -> None:
    administrator = actor("administrator")
    for _ in range(5):
        with pytest.raises(Refusal):
            try_password(browser(), password="wrong")
    Staff.objects.filter(pk=anna.pk).update(second_step_locked_until=NOW + timedelta(minutes=10))
    refused(lambda: sign_in.unlock(username="anna", why="Called", by=actor("manager")), "no-permission", Forbidden)
    refused(lambda: sign_in.unlock(username="anna", why="", by=administrator), "reason-missing", Refusal)
    refused(lambda: sign_in.unlock(username="administrator", why="Me", by=administrator), "own-lock", Refusal)
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
    refused(lambda: sign_in.code_step(request=request, code="123456"), "not-enrolled", Conflict)
    refused(lambda: sign_in.confirm_enrolment(request=request, code="123456"), "not-enrolling", Conflict)
    enrolment = sign_in.begin_enrolment(request=request)
    assert sign_in.begin_enrolment(request=request) == enrolment  # the page may be loaded again
    uri = urlsplit(enrolment.uri)
    assert (uri.scheme, uri.netloc, uri.path) == ("otpauth", "totp", "/Meterhouse%3Awim")
    assert parse_qs(uri.query)["secret"] == [enrolment.secret]
    assert not TOTPDevice.objects.get().confirmed
    refused(lambda: sign_in.confirm_enrolment(request=request, code=wrong_code(wim)), "code-wrong")
    first = code_of(wim)
    assert sign_in.confirm_enrolment(request=request, code=first) == wim
    assert get_user(request) == wim
    assert TOTPDevice.objects.get().confirmed
    assert log.kinds == ["staff.sign-in-failed", "staff.second-step-enrolled", "staff.signed-in"]
    again = browser()
    assert try_password(again, "wim") == "code" == sign_in.next_step(again)
    refused(lambda: sign_in.code_step(request=again, code=first), "code-wrong")  # used by the enrolment
    refused(lambda: sign_in.begin_enrolment(request=again), "already-enrolled", Conflict)


def test_two_half_done_enrolments_make_one_second_step(person: MakePerson, browser: MakeBrowser, clock: Clock) -> None:
    wim = person("wim", "writer")
    one, two = browser(), browser()
    for request in (one, two):
        try_password(request, "wim")
        sign_in.begin_enrolment(request=request)
    # The second one's secret replaced the first one's.
    refused(lambda: sign_in.confirm_enrolment(request=one, code=code_of(wim)), "not-enrolled", Conflict)
    assert sign_in.confirm_enrolment(request=two, code=code_of(wim)) == wim
    assert TOTPDevice.objects.count() == 1


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
    TOTPDevice.objects.create(user=demo, name="phone", confirmed=True)
    settings.DEMO = True
    half_done = browser()
    try_password(half_done, "demo")
    settings.DEMO = False
    refused(lambda: try_password(browser(), "demo"), "sign-in-refused")
    refused(lambda: sign_in.code_step(request=half_done, code=code_of(demo)), "password-first")
    assert log.kinds == ["staff.sign-in-failed"]
    assert actor_for(demo).permissions == frozenset()
    settings.DEMO = True
    assert sign_in_as(browser(), demo) == demo
