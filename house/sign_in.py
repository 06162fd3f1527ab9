"""Signing in: password, then a code of the second step; signing out; letting somebody try again at once.

Nobody is signed in after the password alone: until the second step has passed, the session only remembers whose
password was right (``PENDING``), for a few minutes. So every signed-in session is a verified one.

A failed attempt must be counted although it is refused (house/guesses.py), so these verbs finish their transaction
before they refuse.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from house import guesses, middleware, steps
from house.acts import PersonUnlocked, SecondStepEnrolled, SignedIn, SignedOut
from house.guesses import Step
from house.log import record_act
from house.models import SecondStep, Staff
from house.people import USERNAME
from house.permissions import MANAGE_STAFF
from house.staff import lock, refuse_without_reason
from kernel.actors import Actor, system
from kernel.acts import Act
from kernel.refusal import Conflict, NotSignedIn, Refusal
from web.address import address_of

PENDING: Final = "signing-in"
BROWSER_MARK: Final = "browser-mark"  # for the page that answers, to leave with the browser
PENDING_LIFE: Final = timedelta(minutes=5)
BACKEND: Final = "django.contrib.auth.backends.ModelBackend"
_SIX_DIGITS: Final = re.compile(r"\d{6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Enrolment:
    """A second step to be set up: shown as text and as a QR code of the URI."""

    secret: str
    uri: str


def password_step(*, request: HttpRequest, username: str, password: str) -> str:
    """The first step. The answer is what comes next: ``"code"``, or ``"enrol"`` where there is no second step yet."""
    username = username.strip().lower()
    request.session.pop(PENDING, None)
    # What is no user name may be a password typed into the wrong field: it is not looked up, and never written down.
    well_formed = USERNAME.fullmatch(username) is not None and "\0" not in password
    guess = guesses.begin(Step.PASSWORD, request, username if well_formed else "")
    verified = authenticate(request, username=username, password=password) if well_formed else None
    if verified is not None:
        assert isinstance(verified, Staff)
        # Demo people sign in only while the demo is on; those of a token never do.
        if (verified.is_demo and not settings.DEMO) or not verified.signs_in:
            verified = None
    if verified is None:
        guess.was_wrong()
        # The same words whether or not there is such a person.
        raise NotSignedIn("sign-in-refused", "User name or password is wrong.")
    guess.was_right()
    enrolled = SecondStep.objects.filter(user=verified, confirmed=True).exists()
    await_second_step(request, verified)
    return "code" if enrolled else "enrol"


def await_second_step(request: HttpRequest, staff: Staff) -> None:
    """Remember for a few minutes whose password was right."""
    request.session.cycle_key()
    request.session[PENDING] = {
        "staff": staff.pk,
        "at": timezone.now().timestamp(),
        "hash": staff.get_session_auth_hash(),
    }


def code_step(*, request: HttpRequest, code: str) -> Staff:
    """The second step. A code works once: a repeated one is refused like a wrong one."""
    return _code_counted(request=request, code=code, device=None)


@transaction.atomic
def pending_person(request: HttpRequest) -> Staff:
    """Whose password was right, while his second step is awaited."""
    return _pending(request)


def begin_enrolment(*, request: HttpRequest) -> Enrolment:
    """A new second step, to be confirmed with its first code. Asking again in the same attempt answers the same."""
    staff = _pending(request)
    if SecondStep.objects.filter(user=staff, confirmed=True).exists():
        raise Conflict("already-enrolled", "You have a second step; enter its code.")
    begun = request.session[PENDING].get("device")
    device = SecondStep.objects.filter(user=staff, confirmed=False, pk=begun).first() if begun else None
    if device is None:
        SecondStep.objects.filter(user=staff, confirmed=False).delete()
        device = SecondStep.objects.create(user=staff, name="Authenticator", confirmed=False)
        request.session[PENDING] = request.session[PENDING] | {"device": device.pk}
    return Enrolment(secret=base64.b32encode(device.bin_key).decode(), uri=device.config_url)


def confirm_enrolment(*, request: HttpRequest, code: str) -> Staff:
    """The first code of a new second step: it is set up, and the person is signed in."""
    begun = _pending_data(request).get("device")
    if begun is None:
        raise Conflict("not-enrolling", "Begin with setting up the second step.")
    return _code_counted(request=request, code=code, device=begun)


def _code_counted(*, request: HttpRequest, code: str, device: int | None) -> Staff:
    guess = guesses.begin(Step.CODE, request, _pending(request).username)
    with transaction.atomic():
        outcome = _code(request=request, code=code, device=device)
    if isinstance(outcome, NotSignedIn):
        guess.was_wrong()
    else:
        guess.was_right()  # or there was nothing to guess at
    if isinstance(outcome, Refusal):
        raise outcome
    return outcome


def _code(*, request: HttpRequest, code: str, device: int | None) -> Staff | Refusal:
    """Check a code against the confirmed second step, or against the one being set up (*device*)."""
    staff = lock(_pending(request).username)
    devices = SecondStep.objects.select_for_update().filter(user=staff)
    confirmed = devices.filter(confirmed=True).first()
    if device is not None and confirmed is not None:
        return Conflict("already-enrolled", "You have a second step; enter its code.")
    totp = confirmed if device is None else devices.filter(pk=device).first()
    if totp is None:
        return Conflict("not-enrolled", "You have no second step yet; set it up first.")
    digits = code.replace(" ", "")
    if not (_SIX_DIGITS.fullmatch(digits) and totp.verify_token(digits)):
        return NotSignedIn("code-wrong", "That code is wrong or was used already. Wait for the next one.", field="code")
    if device is not None:
        totp.confirmed = True
        totp.save(update_fields=["confirmed"])
        devices.exclude(pk=totp.pk).delete()
        _record(SecondStepEnrolled(person=staff.username, address=_address(request)), by=staff)
    del request.session[PENDING]
    staff.otp_device = totp  # type: ignore[attr-defined]  # django-otp marks the session verified with it
    login(request, staff, backend=BACKEND)
    middleware.note_activity(request, timezone.now())
    mark = guesses.browser_mark(request)
    guesses.know_place(staff, request, mark=mark)
    request.session[BROWSER_MARK] = mark
    _record(SignedIn(person=staff.username, address=_address(request)), by=staff)
    return staff


def sign_out(*, request: HttpRequest) -> None:
    with transaction.atomic():
        if isinstance(request.user, Staff):
            _record(SignedOut(person=request.user.username, address=_address(request)), by=request.user)
        logout(request)


@transaction.atomic
def unlock(*, username: str, why: str, by: Actor) -> Staff:
    """An administrator lets somebody try again at once, wherever he sits."""
    by.require(MANAGE_STAFF)
    refuse_without_reason(why)
    staff = lock(username)
    steps.refuse_unlock(staff, by)
    guesses.forget(staff.username)
    record_act(PersonUnlocked(person=staff.username, why=why.strip()), by=by)
    return staff


def next_step(request: HttpRequest) -> str:
    """Where a half-done sign-in stands: ``"password"``, ``"code"`` or ``"enrol"``."""
    try:
        staff = _pending(request)
    except NotSignedIn:
        return "password"
    return "code" if SecondStep.objects.filter(user=staff, confirmed=True).exists() else "enrol"


def _pending_data(request: HttpRequest) -> dict[str, Any]:
    pending = request.session.get(PENDING)
    if not isinstance(pending, dict):
        raise NotSignedIn("password-first", "Enter your user name and password first.")
    return pending


def _pending(request: HttpRequest) -> Staff:
    """Whose password was right a moment ago, and still is."""
    pending = _pending_data(request)
    staff = Staff.objects.filter(pk=pending["staff"], is_active=True).first()
    age = timezone.now().timestamp() - float(pending["at"])
    if (
        staff is None
        or age > PENDING_LIFE.total_seconds()
        or not constant_time_compare(pending["hash"], staff.get_session_auth_hash())
        or (staff.is_demo and not settings.DEMO)
    ):
        del request.session[PENDING]
        raise NotSignedIn("password-first", "That took too long. Enter your user name and password again.")
    return staff


def _address(request: HttpRequest) -> str:
    return address_of(request)


def _record(act: Act, *, by: Staff | None = None) -> None:
    record_act(act, by=by.as_actor() if by else system("sign-in"))
