"""Inspectors are let in by their own authority, and by nobody of the house.

The authority's public key is named once, at the installation, before anything is booked; after that only a message
signed with the present key names another. An inspector enrols with a code that the authority signed: he chooses his own
password and sets up his second step. The same way he enrols again, and the same way his authority takes him back.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from house import access, inspector_code, sessions, sign_in, staff, tokens
from house.acts import InspectorateNamed, InspectorEnrolled, InspectorWithdrawn
from house.log import record_act
from house.models import InspectorateKey, InspectorCode, Role, Staff
from house.venue import venue
from kernel.actors import Actor, system
from kernel.refusal import Conflict, NotSignedIn, Refusal
from ledger.models import Transfer

ROLE: Final = "inspector"
REPLACES: Final = b"meterhouse inspectorate key v1\n"
_KEY: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


def key_in_force() -> InspectorateKey | None:
    return InspectorateKey.objects.order_by("-pk").first()


@transaction.atomic
def name_inspectorate(*, name: str, public_key: str, signature: str = "") -> InspectorateKey:
    """``manage.py inspectorate``. The first before anything is booked; the next signed with the one before it."""
    Role.objects.select_for_update().get(code=ROLE)  # one at a time
    public_key = public_key.strip().lower()
    if not _KEY.fullmatch(public_key) or not name.strip():
        raise Refusal("key-not-readable", "Give a name, and an Ed25519 public key as 64 hexadecimal digits.")
    present = key_in_force()
    if present is not None:
        _refuse_unsigned(present, public_key, signature)
    elif Transfer.objects.exists() and not settings.DEMO:
        raise Conflict(
            "already-at-work",
            "The books are in use: whoever named the authority now could be anybody. It is named at the installation.",
        )
    made = InspectorateKey.objects.create(name=name.strip()[:120], public_key=public_key)
    record_act(InspectorateNamed(name=made.name, public_key=public_key), by=system("installation"))
    return made


def _refuse_unsigned(present: InspectorateKey, public_key: str, signature: str) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(present.public_key)).verify(
            bytes.fromhex(signature), REPLACES + public_key.encode()
        )
    except (InvalidSignature, ValueError):
        raise Conflict(
            "inspectorate-named", f"{present.name} is named already: only a message signed with its key names another."
        ) from None


@transaction.atomic
def enrol(*, request: HttpRequest, code: str, password: str) -> Staff:
    """An inspector comes in with his authority's code: new here, or anew. The second step is set up next."""
    said, hashed = _read(code, inspector_code.ENROL)
    person = _inspector(said)
    access.shut_out(person)
    staff.choose_password(person, password)
    InspectorCode.objects.create(hash=hashed, staff=person)
    record_act(InspectorEnrolled(person=person.username, code=hashed), by=Actor(person.identity, person.name))
    sign_in.await_second_step(request, person)
    return person


@transaction.atomic
def withdraw(*, code: str) -> Staff:
    """The authority takes somebody back: whoever brings its signed word, it is the authority's."""
    said, hashed = _read(code, inspector_code.WITHDRAW)
    person = staff.lock(said.username)
    if not person.roles.filter(code=ROLE).exists():
        raise Refusal("inspector-not-ours", f"{person.name} is no inspector.")
    person.is_active = False
    person.save(update_fields=["is_active"])
    sessions.end_all(person)
    InspectorCode.objects.create(hash=hashed, staff=person)
    by = system("inspectorate")
    record_act(InspectorWithdrawn(person=person.username, code=hashed), by=by)
    tokens.revoke_held(person, why="Taken back by the inspectors’ authority.", by=by)
    return person


def _read(text: str, what: str) -> tuple[inspector_code.InspectorCode, str]:
    Role.objects.select_for_update().get(code=ROLE)  # a code is used once: one at a time
    key = key_in_force()
    said = inspector_code.read(text, public_key=key.public_key) if key is not None else None
    hashed = hashlib.sha256(text.strip().encode()).hexdigest()
    usable = said is not None and (said.what, said.venue) == (what, venue().code)
    if (
        said is None
        or not usable
        or said.until < timezone.localdate().isoformat()
        or InspectorCode.objects.filter(hash=hashed).exists()
    ):
        raise NotSignedIn("code-not-valid", "This code is not the inspectors’ authority’s, or is used or too old.")
    return said, hashed


def _inspector(said: inspector_code.InspectorCode) -> Staff:
    """The person of that name: an inspector already, or nobody yet. Never somebody of the house."""
    found = Staff.objects.select_for_update().filter(username=said.username).first()
    if found is None:
        return staff.add_person(username=said.username, name=said.name, roles=(ROLE,), by=system("inspectorate"))
    if staff.roles_of(found) != [ROLE]:
        raise Refusal("inspector-not-ours", f"“{said.username}” is somebody of the house: take another user name.")
    found.is_active = True
    found.save(update_fields=["is_active"])
    return found
