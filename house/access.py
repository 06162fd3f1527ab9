"""How somebody gets in, the first time or again: two people let him, and he alone knows what he chooses.

Whoever could set another's password could be him. So nobody does: one person proposes that somebody enrol, another
agrees, and each of them sees half of a code, once. The person needs both halves, chooses a password of his own and sets
up his second step. From the approval until then his sessions are over and he may do nothing, nor may his devices.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from house import people, sessions, sign_in, staff, steps
from house.acts import AccessHalfShown, AccessReset, AccessTaken
from house.approvals import Approvable, Record, Shape, propose
from house.log import record_act
from house.models import AccessCode, Proposal, SecondStep, Staff
from house.permissions import DECIDE_STAFF, MANAGE_STAFF
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict, Forbidden, NotSignedIn, Refusal
from web.fields import Choice

CODE_LIFE: Final = timedelta(hours=24)
BECAUSE: Final = {
    "new": "is new",
    "returned": "is back",
    "lost-password": "has lost the password",
    "lost-second-step": "has lost the second step",
    "lost-both": "has lost password and second step",
}
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
_HALF_LETTERS: Final = 12  # sixty bits each: whoever has seen one half guesses no other


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    because: str


class AccessValue(Record):
    because = Choice(choices=list(BECAUSE), help_text="Why somebody has to enrol.")
    makes = Access


def _check(subject: str, new: Access) -> None:
    person = people.person_of(subject)
    if not person.is_active:
        raise Conflict("already-inactive", f"{person.name} is not active.")
    if not person.signs_in:
        raise Refusal("never-signs-in", f"{person.name} acts through a token only, and never signs in.")
    steps.refuse_inspector_of(person)


def _apply(proposal: Proposal, new: Access, by: Actor) -> None:
    person = staff.lock(people.person_of(proposal.subject).username)
    shut_out(person)
    AccessCode.objects.create(
        staff=person,
        proposed_by=proposal.proposed_by,
        decided_by=by.identity,
        salt=secrets.token_hex(16),
        expires_at=timezone.now() + CODE_LIFE,
    )
    record_act(AccessReset(person=person.username, because=new.because), by=by)


def shut_out(person: Staff) -> None:
    """No password, no second step, no session and no older code: only enrolling lets him in again."""
    person.set_unusable_password()
    person.must_change_password = True
    person.save(update_fields=["password", "must_change_password"])
    SecondStep.objects.filter(user=person).delete()
    sessions.end_all(person)
    now = timezone.now()
    AccessCode.objects.filter(staff=person, used_at=None, expires_at__gt=now).update(expires_at=now)


ACCESS = Approvable(
    kind="house.access",
    label="Enrolment",
    shape=Shape[Access](AccessValue(), unreadable="access-not-readable"),
    authority=Authority.HOUSE,
    permission=DECIDE_STAFF,
    propose_permission=MANAGE_STAFF,
    describe=lambda subject, old, new: f"{subject.removeprefix('staff:')} {BECAUSE[new.because]}, and enrols anew.",
    current=lambda subject: None,
    check=_check,
    apply=_apply,
    canonical=people.canonical,
    concerns=lambda subject, new: (people.canonical(subject),),
)


@transaction.atomic
def propose_access(*, username: str, because: str, why: str, by: Actor) -> Proposal:
    """Ask that somebody may enrol. Not for oneself: one's own password is one's own to change."""
    person = staff.find(username)
    steps.refuse_access_proposal(person, by)
    return propose(kind=ACCESS, subject=person.identity, new={"because": because}, why=why, by=by)


@dataclass(frozen=True, slots=True)
class Hired:
    staff: Staff
    proposal: Proposal  # that he may enrol


@transaction.atomic
def hire(*, username: str, name: str, roles: Collection[str], by: Actor) -> Hired:
    """A new person, who gets in once another has agreed."""
    person = staff.hire(username=username, name=name, roles=roles, by=by)
    return Hired(person, propose_access(username=person.username, because="new", why="Newly hired.", by=by))


@transaction.atomic
def reactivate(*, username: str, why: str, by: Actor) -> Hired:
    person = staff.reactivate(username=username, why=why, by=by)
    return Hired(person, propose_access(username=person.username, because="returned", why=why, by=by))


# The two halves


def halves_for(person: Staff, by: Actor) -> AccessCode | None:
    """The code of which this actor may still see his half."""
    now = timezone.now()
    found = AccessCode.objects.filter(staff=person, used_at=None, expires_at__gt=now).order_by("-pk").first()
    if found is None or by.identity not in (found.proposed_by, found.decided_by):
        return None
    seen = found.proposer_saw_at if by.identity == found.proposed_by else found.decider_saw_at
    return found if seen is None else None


@transaction.atomic
def show_half(*, username: str, by: Actor) -> str:
    """One's own half, once, where one has signed in oneself."""
    person = staff.lock(username)
    found = halves_for(person, by)
    if by.device is not None or found is None:
        raise Forbidden(
            "no-half-for-you", "Only the two who agreed on it see half of the code, each his own, once, at the console."
        )
    which = "proposer" if by.identity == found.proposed_by else "decider"
    setattr(found, f"{which}_saw_at", timezone.now())
    found.save(update_fields=[f"{which}_saw_at"])
    record_act(AccessHalfShown(person=person.username), by=by)
    return _half(found, which)


def _half(code: AccessCode, which: str) -> str:
    digest = salted_hmac("house.access-half", f"{code.salt}:{which}", algorithm="sha256").digest()
    letters = "".join(_LETTERS[byte % 32] for byte in digest[:_HALF_LETTERS])
    return "-".join(letters[start : start + 4] for start in range(0, _HALF_LETTERS, 4))


@transaction.atomic
def enrol(*, request: HttpRequest, username: str, first: str, second: str, password: str) -> Staff:
    """Both halves and a password of one's own; the second step is set up next, and only then is anybody signed in."""
    username = username.strip().lower()
    person = Staff.objects.select_for_update().filter(username=username, is_active=True, signs_in=True).first()
    code = (
        AccessCode.objects.filter(staff=person, used_at=None, expires_at__gt=timezone.now()).order_by("-pk").first()
        if person is not None
        else None
    )
    if person is None or code is None or not _is_right(code, first, second):
        # The same words whether or not there is such a person, or a code for him.
        raise NotSignedIn("code-not-valid", "These halves are not right together, or the code is used or too old.")
    staff.choose_password(person, password)
    code.used_at = timezone.now()
    code.save(update_fields=["used_at"])
    record_act(AccessTaken(person=person.username), by=Actor(person.identity, person.name))
    sign_in.await_second_step(request, person)
    return person


def _is_right(code: AccessCode, first: str, second: str) -> bool:
    """In either order: nobody knows whose half is called the first."""
    typed = sorted(half.upper().translate(_READ_AS) for half in (first, second))
    right = sorted(_half(code, which).replace("-", "") for which in ("proposer", "decider"))
    return constant_time_compare("/".join(typed), "/".join(right))
