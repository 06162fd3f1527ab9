"""People: who they are to the rest of the house, hiring them and letting them go.

Roles change through an approval (house.approvables): giving somebody power needs a second person.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django_otp.plugins.otp_totp.models import TOTPDevice

from house import acts, sessions
from house.actors import Actor, system
from house.models import Grant, Role, Staff
from house.refusal import Conflict, NotFound, Refusal
from house.roles import ADMINISTRATOR

USERNAME = re.compile(r"[a-z][a-z0-9._-]{0,31}", re.ASCII)


def actor_for(staff: Staff) -> Actor:
    """The person as an actor: every permission of every role held. One query; the caller keeps it for the request.

    None at all for somebody who has left, has still to change a first password, or is of the demo when that is off.
    """
    permissions: frozenset[str] = frozenset()
    if staff.is_active and not staff.must_change_password and (settings.DEMO or not staff.is_demo):
        permissions = frozenset(Grant.objects.filter(role__staff=staff).values_list("permission_id", flat=True))
    return Actor(identity=staff.identity, name=staff.name, permissions=permissions)


def find(username: str) -> Staff:
    try:
        return Staff.objects.get(username=username)
    except Staff.DoesNotExist:
        raise NotFound("no-such-person", f"Nobody here is called “{username}”.") from None


def lock(username: str) -> Staff:
    """The person's row, held until the transaction ends."""
    try:
        return Staff.objects.select_for_update().get(username=username)
    except Staff.DoesNotExist:
        raise NotFound("no-such-person", f"Nobody here is called “{username}”.") from None


def roles_of(staff: Staff) -> list[str]:
    return sorted(staff.roles.values_list("code", flat=True))


def known_roles(roles: Collection[str]) -> list[Role]:
    found = list(Role.objects.filter(code__in=roles))
    if strange := set(roles) - {role.code for role in found}:
        raise Refusal("no-such-role", f"There is no role “{min(strange)}”.", field="roles")
    return found


@dataclass(frozen=True, slots=True)
class Hired:
    staff: Staff
    password: str  # shown once, to be changed at the first sign-in


@transaction.atomic
def hire(*, username: str, name: str, roles: Collection[str], by: Actor) -> Hired:
    """A new person with a first password. Powerful roles are not handed out here: see ``APPROVED_ROLES``."""
    by.require("staff.manage")
    if powerful := sorted(set(roles) & APPROVED_ROLES):
        raise Refusal(
            "role-needs-approval",
            f"The role “{powerful[0]}” is given through an approval: hire first, then propose the role.",
            field="roles",
        )
    return _hire(username=username, name=name, roles=roles, by=by)


# Roles that could be used to hand out power: one person alone never makes another of these.
APPROVED_ROLES = frozenset({"supervisor", "manager", "inspector", ADMINISTRATOR, "auditor"})


@transaction.atomic
def first_administrator(*, username: str, name: str) -> Hired:
    """How a new installation gets its first person. Refused as soon as there is an administrator."""
    Role.objects.select_for_update().get(code=ADMINISTRATOR)
    if Staff.objects.filter(roles=ADMINISTRATOR, is_active=True, is_demo=False).exists():
        raise Conflict(
            "administrator-exists", "There is an administrator already; new people are hired in the console."
        )
    return _hire(username=username, name=name, roles=(ADMINISTRATOR,), by=system("installation"))


def _hire(*, username: str, name: str, roles: Collection[str], by: Actor) -> Hired:
    if not USERNAME.fullmatch(username):
        raise Refusal(
            "username-not-allowed",
            "A user name starts with a letter and has up to 32 small letters, digits, dots, dashes and underscores.",
            field="username",
        )
    name = name.strip()
    if not 0 < len(name) <= 120:
        raise Refusal("name-missing", "A person has a name of at most 120 characters.", field="name")
    if Staff.objects.filter(username=username).exists():
        raise Conflict("username-taken", f"The user name “{username}” is taken.", field="username")
    staff = Staff(username=username, name=name, must_change_password=True)
    password = secrets.token_urlsafe(12)
    staff.set_password(password)
    staff.save()
    staff.roles.set(known_roles(roles))
    acts.record(kind="staff.hired", subject=staff.identity, by=by, data={"name": name, "roles": sorted(set(roles))})
    return Hired(staff=staff, password=password)


@transaction.atomic
def deactivate(*, username: str, why: str, by: Actor) -> Staff:
    """The person signs in no more, and every session of theirs ends now. Their acts stay on record."""
    by.require("staff.manage")
    refuse_without_reason(why)
    keep_an_administrator(without=username)
    staff = lock(username)
    if not staff.is_active:
        raise Conflict("already-inactive", f"{staff.name} is not active.")
    staff.is_active = False
    staff.save(update_fields=["is_active"])
    sessions.end_all(staff)
    acts.record(kind="staff.deactivated", subject=staff.identity, by=by, data={"why": why})
    return staff


@transaction.atomic
def reactivate(*, username: str, why: str, by: Actor) -> Staff:
    """The person may sign in again, with the password that they had and a second step to be enrolled anew."""
    by.require("staff.manage")
    refuse_without_reason(why)
    staff = lock(username)
    if staff.is_active:
        raise Conflict("already-active", f"{staff.name} is active.")
    staff.is_active = True
    staff.must_change_password = True
    staff.save(update_fields=["is_active", "must_change_password"])
    TOTPDevice.objects.filter(user=staff).delete()
    acts.record(kind="staff.reactivated", subject=staff.identity, by=by, data={"why": why})
    return staff


@transaction.atomic
def reset_second_step(*, username: str, why: str, by: Actor) -> Staff:
    """A lost telephone: the next sign-in enrols a new second step. Never for oneself."""
    by.require("staff.manage")
    refuse_without_reason(why)
    staff = lock(username)
    if staff.identity == by.identity:
        raise Refusal("own-second-step", "Another administrator has to reset your second step.")
    TOTPDevice.objects.filter(user=staff).delete()
    staff.second_step_failures, staff.second_step_locked_until = 0, None
    staff.save(update_fields=["second_step_failures", "second_step_locked_until"])
    sessions.end_all(staff)
    acts.record(kind="staff.second-step-reset", subject=staff.identity, by=by, data={"why": why})
    return staff


@transaction.atomic
def reset_password(*, username: str, why: str, by: Actor) -> str:
    """A forgotten password: a new one, shown once, to be changed at the next sign-in."""
    by.require("staff.manage")
    refuse_without_reason(why)
    staff = lock(username)
    if staff.identity == by.identity:
        raise Refusal("own-password", "Change your own password yourself; another administrator can reset it.")
    password = secrets.token_urlsafe(12)
    staff.set_password(password)
    staff.must_change_password = True
    staff.save(update_fields=["password", "must_change_password"])
    sessions.end_all(staff)
    acts.record(kind="staff.password-reset", subject=staff.identity, by=by, data={"why": why})
    return password


@transaction.atomic
def change_own_password(*, staff: Staff, current: str, new: str, session_key: str | None = None) -> None:
    """The person's own password. Every other session of theirs ends; the one it is done in goes on.

    The caller refreshes that session's hash (django.contrib.auth.update_session_auth_hash).
    """
    person = lock(staff.username)
    if not person.is_active or not person.check_password(current):
        raise Refusal("wrong-password", "That is not your present password.", field="current")
    if current == new:
        raise Refusal("password-unchanged", "The new password is the old one.", field="new")
    try:
        validate_password(new, person)
    except ValidationError as weak:
        raise Refusal("password-weak", " ".join(weak.messages), field="new") from None
    person.set_password(new)
    person.must_change_password = False
    person.save(update_fields=["password", "must_change_password"])
    sessions.end_all(person, but=session_key)
    acts.record(kind="staff.password-changed", subject=person.identity, by=actor_for(person))
    staff.refresh_from_db()


def keep_an_administrator(*, without: str) -> None:
    """Refuse what would leave the house without an active administrator.

    The role's row is locked first, so that two who each remove the other's role do not both see one left.
    """
    Role.objects.select_for_update().get(code=ADMINISTRATOR)
    administrators = Staff.objects.filter(roles=ADMINISTRATOR, is_active=True)
    if administrators.filter(username=without).exists() and not administrators.exclude(username=without).exists():
        raise Refusal("last-administrator", "This is the last administrator; make another one first.")


def refuse_without_reason(why: str) -> None:
    if not why.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: it stays on record.", field="why")
