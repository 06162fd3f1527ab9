"""The names behind identities: ``staff:anna`` is Anna Whitlock, ``device:W-0001`` the terminal on counter 1.

And the other way round: however somebody writes a person's name, it is one person (``canonical``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from house.models import Device, Staff
from kernel.actors import SYSTEM
from kernel.refusal import NotFound
from web import words

USERNAME: Final = re.compile(r"[a-z][a-z0-9._-]{0,31}", re.ASCII)


def person_of(subject: str) -> Staff:
    """The person that somebody names: ``staff:anna``, ``anna`` and `` Anna `` are one; who is nobody is refused."""
    username = subject.strip().lower().removeprefix("staff:")
    found = Staff.objects.filter(username=username).first() if USERNAME.fullmatch(username) else None
    if found is None:
        raise NotFound("no-such-person", f"Nobody here is called “{username}”.", field="subject")
    return found


def canonical(subject: str) -> str:
    """The one way in which a person is written, wherever people are compared: ``staff:anna``."""
    return person_of(subject).identity


def names(identities: Iterable[str | None]) -> dict[str, str]:
    """One query for people, one for devices, whatever the number of rows on the page."""
    wanted = {identity for identity in identities if identity}
    found: dict[str, str] = {identity: identity.partition(":")[2] or identity for identity in wanted}
    people = [identity.removeprefix("staff:") for identity in wanted if identity.startswith("staff:")]
    machines = [identity.removeprefix("device:") for identity in wanted if identity.startswith("device:")]
    if people:
        for person in Staff.objects.filter(username__in=people).only("username", "name"):
            found[person.identity] = person.name
    if machines:
        for machine in Device.objects.filter(code__in=machines).only("code", "name"):
            found[f"device:{machine.code}"] = f"{machine.code} {machine.name}"
    for identity in wanted:
        if identity.startswith(SYSTEM):
            found[identity] = f"the system ({found[identity]})"
    return found


def roles_in_words(person: Staff) -> str:
    return words.listed(role.name for role in person.roles.all()) or "No role yet"
