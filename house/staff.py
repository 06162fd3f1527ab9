"""People: who they are to the rest of the house, hiring them and letting them go.

Roles change through an approval (house.approvables): giving somebody power needs a second person.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from house import incidents, sessions, steps, tokens
from house.acts import (
    PasswordChanged,
    PersonDeactivated,
    PersonHired,
    PersonReactivated,
)
from house.incident_kinds import LEAVERS_TOKENS
from house.log import record_act
from house.models import Role, SecondStep, Staff
from house.people import USERNAME
from house.permissions import MANAGE_STAFF
from house.roles import ADMINISTRATOR
from kernel.actors import Actor, system
from kernel.refusal import Conflict, NotFound, Refusal
from ledger.models import Transfer
from web import words
from web.languages import LANGUAGES


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


@transaction.atomic
def hire(*, username: str, name: str, roles: Collection[str], by: Actor) -> Staff:
    """A new person, who has still to enrol (house/access.py): nobody hands out another's first password.

    Powerful roles are not handed out here: see ``APPROVED_ROLES``.
    """
    by.require(MANAGE_STAFF)
    if powerful := sorted(set(roles) & APPROVED_ROLES):
        raise Refusal(
            "role-needs-approval",
            f"The role “{powerful[0]}” is given through an approval: hire first, then propose the role.",
            field="roles",
        )
    return add_person(username=username, name=name, roles=roles, by=by)


# Roles that could be used to hand out power: one person alone never makes another of these.
APPROVED_ROLES = frozenset({"supervisor", "manager", "inspector", ADMINISTRATOR, "auditor"})


@dataclass(frozen=True, slots=True)
class Installed:
    staff: Staff
    password: str  # shown once, to be changed at the first sign-in


FIRST_ADMINISTRATORS = 2


@transaction.atomic
def first_administrator(*, username: str, name: str) -> Installed:
    """How a new installation gets its first two people, who let in everybody else together.

    Refused as soon as there are two, and as soon as anything is booked: from then on nobody is made at a command line.
    """
    Role.objects.select_for_update().get(code=ADMINISTRATOR)
    if Staff.objects.filter(roles=ADMINISTRATOR, is_demo=False).count() >= FIRST_ADMINISTRATORS:
        raise Conflict(
            "administrator-exists", "There are two administrators already; new people are hired in the console."
        )
    if Transfer.objects.exists():
        raise Conflict("already-at-work", "The books are in use: new people are hired in the console, by two people.")
    staff = add_person(username=username, name=name, roles=(ADMINISTRATOR,), by=system("installation"))
    password = secrets.token_urlsafe(12)
    staff.set_password(password)
    staff.save(update_fields=["password"])
    return Installed(staff=staff, password=password)


def add_person(*, username: str, name: str, roles: Collection[str], by: Actor) -> Staff:
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
    staff.set_unusable_password()
    staff.save()
    staff.roles.set(known_roles(roles))
    record_act(PersonHired(person=username, name=name, roles=sorted(set(roles))), by=by)
    return staff


def demo_holder(*, role: str, name: str, by: Actor) -> Staff:
    """A demo person for a token made at the command line: acts through it, never signs in, has no password.

    The caller holds Lock.DEVICES, so that two get two names.
    """
    number = Staff.objects.filter(signs_in=False).count() + 1
    while Staff.objects.filter(username=f"{role}-{number:04d}").exists():  # somebody else's already
        number += 1
    staff = Staff(username=f"{role}-{number:04d}", name=name.strip()[:120], is_demo=True, signs_in=False)
    staff.set_unusable_password()
    staff.save()
    staff.roles.set(known_roles([role]))
    SecondStep.objects.create(user=staff, name="Token", confirmed=True)
    record_act(PersonHired(person=staff.username, name=staff.name, roles=[role], demo=True), by=by)
    return staff


def _managed(username: str, *, why: str, by: Actor) -> Staff:
    """The person whom somebody may do something to, locked: not without saying why."""
    by.require(MANAGE_STAFF)
    refuse_without_reason(why)
    return lock(username)


@transaction.atomic
def deactivate(*, username: str, why: str, by: Actor) -> Staff:
    """The person signs in no more; every session of theirs ends now, and every device they hold with its tokens.

    Their acts stay on record. A terminal on the floor whose token they were shown goes on, as the floor has to: an
    incident names it, until somebody has rolled it.
    """
    by.require(MANAGE_STAFF)
    refuse_without_reason(why)
    keep_an_administrator(without=username)
    staff = lock(username)
    steps.refuse_deactivation(staff, by)
    staff.is_active = False
    staff.save(update_fields=["is_active"])
    sessions.end_all(staff)
    record_act(PersonDeactivated(person=staff.username, why=why), by=by)
    tokens.revoke_held(staff, why=f"{staff.username} was deactivated: {why}", by=by)
    if seen := tokens.shown_to(staff):
        incidents.open_incident(
            kind=LEAVERS_TOKENS,
            what=f"{staff.identity} was shown the tokens of {words.listed(seen)}. Roll them.",
            subject=staff.identity,
            by=by,
            caused_by=(),
        )
    return staff


@transaction.atomic
def reactivate(*, username: str, why: str, by: Actor) -> Staff:
    """The person works here again, and has to enrol anew: what they knew may be known to others by now."""
    staff = _managed(username, why=why, by=by)
    steps.refuse_reactivation(staff, by)
    staff.is_active = True
    staff.must_change_password = True
    staff.set_unusable_password()
    staff.save(update_fields=["is_active", "must_change_password", "password"])
    SecondStep.objects.filter(user=staff).delete()
    record_act(PersonReactivated(person=staff.username, why=why), by=by)
    return staff


def choose_password(person: Staff, password: str) -> None:
    """His own: a new one at will, or the first at enrolling."""
    try:
        validate_password(password, person)
    except ValidationError as weak:
        raise Refusal("password-weak", " ".join(weak.messages), field="new") from None
    person.set_password(password)
    person.must_change_password = False
    person.save(update_fields=["password", "must_change_password"])


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
    choose_password(person, new)
    sessions.end_all(person, but=session_key)
    record_act(PasswordChanged(person=person.username), by=person.as_actor())
    staff.refresh_from_db()


@transaction.atomic
def choose_language(*, staff: Staff, language: str) -> None:
    """In which language somebody reads the pages: his own matter, and nothing in the log."""
    if language not in LANGUAGES:
        raise Refusal("unknown-language", f"Choose one of: {', '.join(LANGUAGES.values())}.", field="language")
    person = lock(staff.username)
    person.language = language
    person.save(update_fields=["language"])
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
