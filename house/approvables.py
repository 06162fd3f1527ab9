"""What the house changes only through an approval: opening hours, player protection, people's roles, their permissions.

Closing a gaming day early is not here: it cannot wait for a second person, and is notified instead (act-keno:13.2).
"""

from __future__ import annotations

import re
from datetime import time
from typing import Any, Final

from django.utils import timezone

from house import acts, gaming_days, staff
from house.actors import Actor
from house.approvals import approvable
from house.models import Grant, OpeningHours, Permission, Proposal, Role, Venue
from house.refusal import Conflict, Malformed, NotFound, Refusal
from house.roles import ADMINISTRATOR
from house.rules.gaming_day import Hours, Week, first_overlap
from house.venue import venue, week

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAMES: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CLOCK: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)


# Opening hours: {"mon": ["10:00", "04:00"], …, "sun": null}


def _read_time(text: Any) -> time:
    match = _CLOCK.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise Malformed("time-not-readable", "Write times like 10:00 and 04:00.", field="new")
    return time(int(match[1]), int(match[2]))


def _read_week(value: Any) -> Week:
    if not isinstance(value, dict) or set(value) != set(WEEKDAYS):
        raise Malformed("hours-not-readable", "Opening hours name each day once: mon, tue, … sun.", field="new")
    hours: dict[int, Hours | None] = {}
    for number, name in enumerate(WEEKDAYS):
        pair = value[name]
        if pair is None:
            hours[number] = None
        elif isinstance(pair, list) and len(pair) == 2:
            hours[number] = Hours(opens=_read_time(pair[0]), closes=_read_time(pair[1]))
        else:
            raise Malformed("hours-not-readable", "A day has an opening and a closing time, or is null.", field="new")
    return hours


def _write_week(hours: Week) -> dict[str, list[str] | None]:
    return {
        name: [f"{day.opens:%H:%M}", f"{day.closes:%H:%M}"] if (day := hours[number]) else None
        for number, name in enumerate(WEEKDAYS)
    }


def _refuse_subject(subject: str) -> None:
    if subject != "venue":
        raise NotFound("no-such-subject", "This belongs to the venue: the subject is “venue”.", field="subject")


def _current_hours(subject: str) -> Any:
    _refuse_subject(subject)
    return _write_week(week())


def _check_hours(subject: str, new: Any) -> None:
    _refuse_subject(subject)
    hours = _read_week(new)
    if not any(hours.values()):
        raise Refusal("never-open", "The house must be open on some day.", field="new")
    if (day := first_overlap(hours)) is not None:
        raise Refusal("hours-overlap", f"{_NAMES[day]} would still be open when the next day opens.", field="new")


def _apply_hours(proposal: Proposal, by: Actor) -> None:
    hours = _read_week(proposal.new)
    for number in range(7):
        day = hours[number]
        OpeningHours.objects.update_or_create(
            weekday=number,
            defaults={"opens": day.opens if day else None, "closes": day.closes if day else None},
        )
    gaming_days.reschedule(now=timezone.now())


def _describe_hours(subject: str, old: Any, new: Any) -> str:
    def words(pair: Any) -> str:
        return (
            "closed"
            if pair is None
            else f"{pair[0]} to {pair[1]}"
            if pair[0] != pair[1]
            else f"24 hours from {pair[0]}"
        )

    changes = [f"{_NAMES[n]} {words(new[day])}" for n, day in enumerate(WEEKDAYS) if old[day] != new[day]]
    return f"New opening hours: {', '.join(changes)}."


OPENING_HOURS = approvable(
    kind="house.opening-hours",
    label="Opening hours",
    permission="approvals.decide.house",
    describe=_describe_hours,
    current=_current_hours,
    check=_check_hours,
    apply=_apply_hours,
)


# Player protection: {"cards_required": true, "cooling_off_hours": 168}

_MOST_HOURS: Final = 24 * 365


def _current_protection(subject: str) -> Any:
    _refuse_subject(subject)
    place = venue()
    return {"cards_required": place.player_cards_required, "cooling_off_hours": place.limit_cooling_off_hours}


def _check_protection(subject: str, new: Any) -> None:
    _refuse_subject(subject)
    if not isinstance(new, dict) or set(new) != {"cards_required", "cooling_off_hours"}:
        raise Malformed("protection-not-readable", "Say cards_required and cooling_off_hours.", field="new")
    if type(new["cards_required"]) is not bool or type(new["cooling_off_hours"]) is not int:
        raise Malformed("protection-not-readable", "Write true or false, and whole hours.", field="new")
    if not 24 <= new["cooling_off_hours"] <= _MOST_HOURS:
        raise Refusal(
            "cooling-off-too-short", "A higher limit cools off for a day at least, a year at most.", field="new"
        )


def _apply_protection(proposal: Proposal, by: Actor) -> None:
    new: Any = proposal.new
    Venue.objects.filter(pk=1).update(
        player_cards_required=new["cards_required"], limit_cooling_off_hours=new["cooling_off_hours"]
    )


def _describe_protection(subject: str, old: Any, new: Any) -> str:
    cards = "needed for every wager at a table" if new["cards_required"] else "not required"
    return f"Player cards {cards}; a higher limit counts after {new['cooling_off_hours']} hours."


PLAYER_PROTECTION = approvable(
    kind="house.player-protection",
    label="Player protection",
    permission="approvals.decide.house",
    describe=_describe_protection,
    current=_current_protection,
    check=_check_protection,
    apply=_apply_protection,
)


# A person's roles: subject "staff:anna", value ["supervisor", "writer"], sorted.


def _codes(value: Any, *, what: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(code, str) for code in value):
        raise Malformed("list-not-readable", f"Write a list of {what}.", field="new")
    if value != sorted(set(value)):
        raise Malformed("list-not-sorted", f"Write each of the {what} once, in order of the alphabet.", field="new")
    return value


def _username(subject: str) -> str:
    return subject.removeprefix("staff:")


def _current_roles(subject: str) -> Any:
    return staff.roles_of(staff.find(_username(subject)))


def _check_roles(subject: str, new: Any) -> None:
    person = staff.find(_username(subject))
    roles = _codes(new, what="roles")
    staff.known_roles(roles)
    if not person.is_active:
        raise Conflict("already-inactive", f"{person.name} is not active.")
    if ADMINISTRATOR not in roles:
        staff.keep_an_administrator(without=person.username)


def _apply_roles(proposal: Proposal, by: Actor) -> None:
    person = staff.lock(_username(proposal.subject))
    person.roles.set(staff.known_roles(_codes(proposal.new, what="roles")))
    acts.record(
        kind="staff.roles-changed", subject=person.identity, by=by, data={"old": proposal.old, "new": proposal.new}
    )


def _describe_roles(subject: str, old: Any, new: Any) -> str:
    return (
        f"{_username(subject)} becomes {', '.join(new) or 'nobody in particular'} (was {', '.join(old) or 'nothing'})."
    )


STAFF_ROLES = approvable(
    kind="house.staff-roles",
    label="A person’s roles",
    permission="approvals.decide.staff",
    propose_permission="staff.manage",
    describe=_describe_roles,
    current=_current_roles,
    check=_check_roles,
    apply=_apply_roles,
    concerns=lambda subject: subject,
)


# What a role may do: subject "role:writer", value [permission codes], sorted.

# Without these nobody could ever put the table right again.
KEPT_BY_ADMINISTRATORS: Final = frozenset({"staff.manage", "permissions.manage", "approvals.decide.staff"})


def _role(subject: str) -> Role:
    role = Role.objects.filter(code=subject.removeprefix("role:")).first()
    if role is None:
        raise NotFound("no-such-role", f"There is no {subject}.", field="subject")
    return role


def _current_grants(subject: str) -> Any:
    return sorted(Grant.objects.filter(role=_role(subject)).values_list("permission_id", flat=True))


def _check_grants(subject: str, new: Any) -> None:
    role, codes = _role(subject), _codes(new, what="permissions")
    known = set(Permission.objects.filter(code__in=codes).values_list("code", flat=True))
    if strange := set(codes) - known:
        raise Refusal("no-such-permission", f"There is no permission “{min(strange)}”.", field="new")
    if role.code == ADMINISTRATOR and (missing := KEPT_BY_ADMINISTRATORS - known):
        raise Refusal("administrator-keeps", f"Administrators keep “{min(missing)}”.", field="new")


def _apply_grants(proposal: Proposal, by: Actor) -> None:
    role = _role(proposal.subject)
    new, old = set(_codes(proposal.new, what="permissions")), set(_codes(proposal.old, what="permissions"))
    granted, revoked = sorted(new - old), sorted(old - new)
    Grant.objects.filter(role=role, permission_id__in=revoked).delete()
    Grant.objects.bulk_create([Grant(role=role, permission_id=code) for code in granted])
    acts.record(
        kind="role.permissions-changed",
        subject=f"role:{role.code}",
        by=by,
        data={"granted": granted, "revoked": revoked},
    )


def _describe_grants(subject: str, old: Any, new: Any) -> str:
    granted, revoked = sorted(set(new) - set(old)), sorted(set(old) - set(new))
    parts = [f"may also {', '.join(granted)}"] if granted else []
    parts += [f"may no longer {', '.join(revoked)}"] if revoked else []
    return f"{subject.removeprefix('role:').capitalize()} {' and '.join(parts)}."


ROLE_PERMISSIONS = approvable(
    kind="house.role-permissions",
    label="What a role may do",
    permission="approvals.decide.staff",
    propose_permission="permissions.manage",
    describe=_describe_grants,
    current=_current_grants,
    check=_check_grants,
    apply=_apply_grants,
)
