"""The names behind identities: ``staff:anna`` is Anna Whitlock, ``device:W-0001`` the terminal on counter 1."""

from __future__ import annotations

from collections.abc import Iterable

from house.models import Device, Staff


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
            found[machine.identity] = f"{machine.code} {machine.name}"
    for identity in wanted:
        if identity.startswith("system:"):
            found[identity] = f"the system ({found[identity]})"
    return found
