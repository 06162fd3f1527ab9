"""What may be done next, by whom. The pages ask which steps to offer; the verbs make the same checks, and refuse.

A check (``refuse_…``) says why not, as a Refusal. A list of steps (``…_steps``) holds those whose check passes. What
depends on more than the thing and the actor (a reason given, a code that is right) is for the verb alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from house.approvals.steps import proposable
from house.models import (
    Device,
    DeviceStatus,
    GamingDay,
    Incident,
    IncidentStatus,
    Notice,
    Restriction,
    RestrictionKind,
    Staff,
)
from house.permissions import (
    CLOSE_EARLY,
    CLOSE_INCIDENTS,
    LIMIT_PLAYERS,
    MANAGE_DEVICES,
    MANAGE_PLAYERS,
    MANAGE_STAFF,
    NOTIFY_INCIDENTS,
    REPORT_INCIDENTS,
    RESTRICT_PLAYERS,
    VIEW_INCIDENTS,
    VIEW_STAFF,
)
from house.persons import is_another
from house.roles import HELD
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, Refusal

Steps = frozenset[str]
Check = Callable[[], object]


def allowed(checks: Mapping[str, Check]) -> Steps:
    steps = set()
    for step, check in checks.items():
        try:
            check()
        except Refusal:
            continue
        steps.add(step)
    return frozenset(steps)


# Devices


def refuse_device_step(device: Device, by: Actor) -> None:
    by.require(MANAGE_DEVICES)
    refuse_revoked(device)


def refuse_revoked(device: Device) -> None:
    if device.status != DeviceStatus.ACTIVE:
        raise Conflict("device-revoked", f"Device {device.code} is revoked.")


def refuse_provisioning(device: Device, by: Actor) -> None:
    """A code for whoever types it in first would be a way around the holder."""
    refuse_device_step(device, by)
    _refuse_held(device)


def refuse_roll(device: Device, by: Actor) -> None:
    refuse_device_step(device, by)
    _refuse_held(device)


def _refuse_held(device: Device) -> None:
    if device.profile in HELD:
        raise Conflict(
            "needs-second-person",
            f"{device.code} acts as the person who holds it: a new token is proposed, and collected by him.",
        )


def devices_steps(by: Actor) -> Steps:
    return allowed({"register": partial(by.require, MANAGE_DEVICES)})


def device_steps(device: Device, by: Actor) -> Steps:
    """What one person does alone; and what he may propose to another."""
    alone = allowed(
        {
            "provision": partial(refuse_provisioning, device, by),
            "roll": partial(refuse_roll, device, by),
            "revoke": partial(refuse_device_step, device, by),
        }
    )
    if "revoke" not in alone:
        return alone
    if device.profile in HELD:
        return alone | {"propose-token", "propose-holder"}
    return alone | {"propose-tables"} if device.profile == "table" else alone


# People


def refuse_unlock(person: Staff, by: Actor) -> None:
    by.require(MANAGE_STAFF)
    if person.identity == by.identity:
        raise Refusal("own-lock", "Another administrator has to unlock you.")


def refuse_access_proposal(person: Staff, by: Actor) -> None:
    """To let somebody enrol anew: another person agrees; one's own password is one's own to change."""
    by.require(MANAGE_STAFF)
    if person.identity == by.identity:
        raise Forbidden("own-affair", "Somebody else has to propose it: this is about yourself.")
    refuse_inspector_of(person)
    if not person.is_active or not person.signs_in:
        raise Conflict("never-signs-in", f"{person.name} does not sign in.")


def refuse_inspector_of(person: Staff) -> None:
    """His word binds the house, so nobody of the house takes it from him or speaks in his place."""
    if person.roles.filter(code="inspector").exists():
        raise Refusal("inspector-not-ours", f"{person.name} is an inspector: only his own authority lets him in or go.")


def refuse_deactivation(person: Staff, by: Actor) -> None:
    by.require(MANAGE_STAFF)
    if not person.is_active:
        raise Conflict("already-inactive", f"{person.name} is not active.")
    refuse_inspector_of(person)


def refuse_reactivation(person: Staff, by: Actor) -> None:
    by.require(MANAGE_STAFF)
    if person.is_active:
        raise Conflict("already-active", f"{person.name} is active.")
    refuse_inspector_of(person)


def staff_steps(by: Actor) -> Steps:
    return allowed({"hire": partial(by.require, MANAGE_STAFF), "view": partial(by.require, VIEW_STAFF)})


def person_steps(person: Staff, by: Actor, *, slowed: bool) -> Steps:
    """Empty for oneself: one's own access is another administrator's to change."""
    checks: dict[str, Check] = {
        "reset-access": partial(refuse_access_proposal, person, by),
        "deactivate": partial(refuse_deactivation, person, by),
        "reactivate": partial(refuse_reactivation, person, by),
    }
    if slowed:
        checks["unlock"] = partial(refuse_unlock, person, by)
    return allowed(checks) if person.identity != by.identity else frozenset()


def role_steps(person: Staff, by: Actor) -> Steps:
    """Another person decides, so one may propose it of oneself too."""
    may = person.is_active and "house.staff-roles" in proposable(by)
    return frozenset({"propose-roles"} if may else ())


# Incidents


def refuse_notice(by: Actor) -> None:
    by.require(NOTIFY_INCIDENTS)


def refuse_incident_close(incident: Incident, by: Actor) -> None:
    by.require(CLOSE_INCIDENTS)
    if incident.status == IncidentStatus.CLOSED:
        raise Conflict("incident-closed", f"Incident {incident.pk} is closed already.")
    if not is_another(by, CLOSE_INCIDENTS, *incident.concerns):
        raise Forbidden(
            "own-affair", "Another person closes it: it is about you, about what you did, or about a device of yours."
        )


def incidents_steps(by: Actor) -> Steps:
    return allowed({"report": partial(by.require, REPORT_INCIDENTS), "view": partial(by.require, VIEW_INCIDENTS)})


def incident_steps(incident: Incident, by: Actor) -> Steps:
    return allowed({"close": partial(refuse_incident_close, incident, by)})


def notice_steps(notice: Notice, by: Actor) -> Steps:
    """Whoever was told needs no telling, though a second telling would be kept too."""
    return allowed({"tell": partial(refuse_notice, by)}) if notice.told_at is None else frozenset()


# Players


def refuse_lift(restriction: Restriction, by: Actor, *, now: datetime) -> None:
    """Two others than who made it: an exclusion is not undone by whoever imposed it in haste, nor by one friend."""
    by.require(RESTRICT_PLAYERS)
    _refuse_over(restriction, now)
    if not is_another(by, RESTRICT_PLAYERS, restriction.made_by):
        raise Forbidden("same-person", "Somebody else lifts it than the person who made it.")
    if not is_another(by, RESTRICT_PLAYERS, restriction.lifting_said_by):
        raise Forbidden("same-person", "You said so already: another person says it, too, and then it is lifted.")


def refuse_confirmation(restriction: Restriction, by: Actor, *, now: datetime) -> None:
    """Another person, once: a break keeps nobody from anything that could be confirmed."""
    by.require(RESTRICT_PLAYERS)
    _refuse_over(restriction, now)
    if restriction.kind == RestrictionKind.BREAK or restriction.confirmed_at is not None:
        raise Conflict("already-confirmed", "There is nothing to confirm, or it has been confirmed already.")
    if not is_another(by, RESTRICT_PLAYERS, restriction.made_by):
        raise Forbidden("same-person", "Somebody else confirms it than the person who made it.")


def _refuse_over(restriction: Restriction, now: datetime) -> None:
    if restriction.lifted_at is not None or (restriction.until is not None and restriction.until <= now):
        raise Conflict("restriction-over", "It is over already.")


def players_steps(by: Actor) -> Steps:
    return allowed(
        {
            "register": partial(by.require, MANAGE_PLAYERS),
            "issue-card": partial(by.require, MANAGE_PLAYERS),
            "record-birth": partial(by.require, MANAGE_PLAYERS),
            "cancel-card": partial(by.require, MANAGE_PLAYERS),
            "set-limit": partial(by.require, LIMIT_PLAYERS),
            "restrict": partial(by.require, RESTRICT_PLAYERS),
        }
    )


def restriction_steps(restriction: Restriction, by: Actor, *, now: datetime) -> Steps:
    return allowed(
        {
            "confirm": partial(refuse_confirmation, restriction, by, now=now),
            "lift": partial(refuse_lift, restriction, by, now=now),
        }
    )


# The venue


def refuse_early_close(day: GamingDay | None, by: Actor) -> None:
    by.require(CLOSE_EARLY)
    if day is None:
        raise Conflict("outside-gaming-hours", "No gaming day is open.", clause="act-keno:13.1")
    if day.closed_early_at is not None:
        raise Conflict("closed-early-already", f"The gaming day {day} is closed early already.")


def day_steps(day: GamingDay | None, by: Actor) -> Steps:
    return allowed({"close-early": partial(refuse_early_close, day, by)})
