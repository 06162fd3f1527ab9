"""Signing in: password, then a code of the second step; signing out; locking out; unlocking.

Nobody is signed in after the password alone: until the second step has passed, the session only remembers whose
password was right (``PENDING``), for a few minutes. So every signed-in session is a verified one.

A failed attempt must be kept although it is refused, so these verbs finish their transaction before they refuse.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from axes.handlers.proxy import AxesProxyHandler
from axes.utils import reset as axes_reset
from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.db import OperationalError, connection, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django_otp.plugins.otp_totp.models import TOTPDevice

from house import acts, middleware
from house.actors import Actor, system
from house.models import Staff
from house.refusal import Busy, Conflict, Forbidden, NotSignedIn, Refusal
from house.staff import USERNAME, actor_for, lock

PENDING: Final = "signing-in"
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
    try:
        with transaction.atomic():
            outcome = _password(request=request, username=username, password=password)
    except OperationalError:  # the same name is being tried many times at once
        raise Busy("sign-in-busy", "This user name is being signed in elsewhere right now. Try again.") from None
    if isinstance(outcome, Refusal):
        raise outcome
    return outcome


def _password(*, request: HttpRequest, username: str, password: str) -> str | Refusal:
    request.session.pop(PENDING, None)
    # What is no user name may be a password typed into the wrong field: it is not looked up, and never written down.
    well_formed = USERNAME.fullmatch(username) is not None and "\0" not in password
    person = Staff.objects.filter(username=username).first() if well_formed else None
    if not well_formed:
        return _failed(request, None, "user name or password wrong")
    with connection.cursor() as cursor:  # one attempt at a time a name, so that the fifth is really the last
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"sign-in:{username}"])
    if not AxesProxyHandler.is_allowed(request, {"username": username}):
        return _locked()
    if person is not None and person.is_demo and not settings.DEMO:
        return _failed(request, person, "demo people sign in only while the demo setting is on")
    verified = authenticate(request, username=username, password=password)
    locked_out = getattr(request, "axes_locked_out", False)
    request.axes_locked_out = False  # type: ignore[attr-defined]  # our page says it, not the middleware's
    if verified is None:
        refusal = _failed(request, person, "user name or password wrong")
        if locked_out:
            _record("staff.locked-out", person, request, {"step": "password"})
            return _locked()
        return refusal
    assert isinstance(verified, Staff)
    enrolled = TOTPDevice.objects.filter(user=verified, confirmed=True).exists()
    request.session.cycle_key()
    request.session[PENDING] = {
        "staff": verified.pk,
        "at": timezone.now().timestamp(),
        "hash": verified.get_session_auth_hash(),
    }
    return "code" if enrolled else "enrol"


def code_step(*, request: HttpRequest, code: str) -> Staff:
    """The second step. A code works once: a repeated one is refused like a wrong one."""
    with transaction.atomic():
        outcome = _code(request=request, code=code, device=None)
    if isinstance(outcome, Refusal):
        raise outcome
    return outcome


@transaction.atomic
def begin_enrolment(*, request: HttpRequest) -> Enrolment:
    """A new second step, to be confirmed with its first code. Asking again in the same attempt answers the same."""
    staff = _pending(request)
    if TOTPDevice.objects.filter(user=staff, confirmed=True).exists():
        raise Conflict("already-enrolled", "You have a second step; enter its code.")
    begun = request.session[PENDING].get("device")
    device = TOTPDevice.objects.filter(user=staff, confirmed=False, pk=begun).first() if begun else None
    if device is None:
        TOTPDevice.objects.filter(user=staff, confirmed=False).delete()
        device = TOTPDevice.objects.create(user=staff, name="Authenticator", confirmed=False)
        request.session[PENDING] = request.session[PENDING] | {"device": device.pk}
    return Enrolment(secret=base64.b32encode(device.bin_key).decode(), uri=device.config_url)


def confirm_enrolment(*, request: HttpRequest, code: str) -> Staff:
    """The first code of a new second step: it is set up, and the person is signed in."""
    begun = _pending_data(request).get("device")
    if begun is None:
        raise Conflict("not-enrolling", "Begin with setting up the second step.")
    with transaction.atomic():
        outcome = _code(request=request, code=code, device=begun)
    if isinstance(outcome, Refusal):
        raise outcome
    return outcome


def _code(*, request: HttpRequest, code: str, device: int | None) -> Staff | Refusal:
    """Check a code against the confirmed second step, or against the one being set up (*device*)."""
    staff = lock(_pending(request).username)
    now = timezone.now()
    if staff.second_step_locked_until is not None and staff.second_step_locked_until > now:
        return _locked()
    devices = TOTPDevice.objects.select_for_update().filter(user=staff)
    confirmed = devices.filter(confirmed=True).first()
    if device is not None and confirmed is not None:
        return Conflict("already-enrolled", "You have a second step; enter its code.")
    totp = confirmed if device is None else devices.filter(pk=device).first()
    if totp is None:
        return Conflict("not-enrolled", "You have no second step yet; set it up first.")
    digits = code.replace(" ", "")
    if not (_SIX_DIGITS.fullmatch(digits) and totp.verify_token(digits)):
        return _wrong_code(request, staff, now)
    if device is not None:
        totp.confirmed = True
        totp.save(update_fields=["confirmed"])
        devices.exclude(pk=totp.pk).delete()
        _record("staff.second-step-enrolled", staff, request, {}, by=actor_for(staff))
    staff.second_step_failures, staff.second_step_locked_until = 0, None
    staff.save(update_fields=["second_step_failures", "second_step_locked_until"])
    del request.session[PENDING]
    staff.otp_device = totp  # type: ignore[attr-defined]  # django-otp marks the session verified with it
    login(request, staff, backend=BACKEND)
    middleware.note_activity(request, now)
    _record("staff.signed-in", staff, request, {}, by=actor_for(staff))
    return staff


def _wrong_code(request: HttpRequest, staff: Staff, now: datetime) -> Refusal:
    staff.second_step_failures += 1
    locking = staff.second_step_failures >= settings.AXES_FAILURE_LIMIT
    if locking:
        staff.second_step_failures, staff.second_step_locked_until = 0, now + settings.AXES_COOLOFF_TIME
        del request.session[PENDING]
    staff.save(update_fields=["second_step_failures", "second_step_locked_until"])
    _record("staff.sign-in-failed", staff, request, {"step": "code", "why": "code wrong or used"})
    if locking:
        _record("staff.locked-out", staff, request, {"step": "code"})
        return _locked()
    return NotSignedIn("code-wrong", "That code is wrong or was used already. Wait for the next one.", field="code")


def sign_out(*, request: HttpRequest) -> None:
    with transaction.atomic():
        if isinstance(request.user, Staff):
            _record("staff.signed-out", request.user, request, {}, by=actor_for(request.user))
        logout(request)


@transaction.atomic
def unlock(*, username: str, why: str, by: Actor) -> Staff:
    """An administrator lets somebody try again before the quarter of an hour is over."""
    by.require("staff.manage")
    if not why.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: it stays on record.", field="why")
    staff = lock(username)
    if staff.identity == by.identity:
        raise Refusal("own-lock", "Another administrator has to unlock you.")
    axes_reset(username=staff.username)
    staff.second_step_failures, staff.second_step_locked_until = 0, None
    staff.save(update_fields=["second_step_failures", "second_step_locked_until"])
    acts.record(kind="staff.unlocked", subject=staff.identity, by=by, data={"why": why.strip()})
    return staff


def next_step(request: HttpRequest) -> str:
    """Where a half-done sign-in stands: ``"password"``, ``"code"`` or ``"enrol"``."""
    try:
        staff = _pending(request)
    except NotSignedIn:
        return "password"
    return "code" if TOTPDevice.objects.filter(user=staff, confirmed=True).exists() else "enrol"


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


def _failed(request: HttpRequest, staff: Staff | None, why: str) -> Refusal:
    _record("staff.sign-in-failed", staff, request, {"step": "password", "why": why})
    # The same words whether or not there is such a person.
    return NotSignedIn("sign-in-refused", "User name or password is wrong.")


def _locked() -> Refusal:
    minutes = int(settings.AXES_COOLOFF_TIME.total_seconds() // 60)
    return Forbidden(
        "locked-out", f"Too many failed attempts: locked for {minutes} minutes. An administrator can unlock it sooner."
    )


def _record(
    kind: str, staff: Staff | None, request: HttpRequest, data: dict[str, object], *, by: Actor | None = None
) -> None:
    acts.record(
        kind=kind,
        subject=staff.identity if staff else "staff:unknown",
        by=by or system("sign-in"),
        data={**data, "address": request.META.get("REMOTE_ADDR", "")},
    )
