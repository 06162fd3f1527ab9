"""What the house changes only through an approval: opening hours, player protection, people's roles, their permissions.

Closing a gaming day early is not here: it cannot wait for a second person, and is notified instead (act-keno:13.2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import time
from typing import Any, ClassVar, Final

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework.serializers import Field, ListField

from house import people, plan_days, staff
from house.acts import PersonRolesChanged, RolePermissionsChanged
from house.approvals import Approvable, Record, Shape
from house.log import record_act
from house.models import Grant, OpeningHours, Permission, Proposal, Role, Venue
from house.permissions import AS_INSPECTOR, DECIDE_HOUSE, DECIDE_STAFF, MANAGE_PERMISSIONS, MANAGE_STAFF, PROPOSE
from house.roles import ADMINISTRATOR, INSPECTOR
from house.rules.gaming_day import Hours, Week, first_overlap
from house.venue import venue, week
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict, NotFound, Refusal
from web.fields import Text, TrueOrFalse, WholeNumber

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAMES: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CLOCK: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)


# Opening hours: {"mon": ["10:00", "04:00"], …, "sun": null}


@extend_schema_field({"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$", "examples": ["10:00"]})
class _Clock(Field[time, object, str, object]):
    default_error_messages: ClassVar = {"not-a-time": "Write times like 10:00 and 04:00."}

    def to_internal_value(self, data: object) -> time:
        match = _CLOCK.fullmatch(data) if isinstance(data, str) else None
        if match is None:
            self.fail("not-a-time")
        return time(int(match[1]), int(match[2]))


class _Day(ListField):
    """When a day opens and closes; null where it does not."""

    def __init__(self) -> None:
        super().__init__(child=_Clock(), min_length=2, max_length=2, allow_null=True)


def _week(**days: list[time] | None) -> Week:
    pairs = enumerate(days[name] for name in WEEKDAYS)
    return {number: None if pair is None else Hours(opens=pair[0], closes=pair[1]) for number, pair in pairs}


class OpeningHoursValue(Record):
    """Every day of the week, each with its opening and its closing time, or null."""

    mon, tue, wed, thu, fri, sat, sun = (_Day() for _ in WEEKDAYS)
    makes = _week


def _write_week(hours: Week) -> dict[str, list[str] | None]:
    return {
        name: [f"{day.opens:%H:%M}", f"{day.closes:%H:%M}"] if (day := hours[number]) else None
        for number, name in enumerate(WEEKDAYS)
    }


HOURS_SHAPE: Final = Shape[Week](
    OpeningHoursValue(),
    write=_write_week,
    unreadable="hours-not-readable",
    codes={"not-a-time": "time-not-readable"},
)


def _refuse_subject(subject: str) -> None:
    if subject != "venue":
        raise NotFound("no-such-subject", "This belongs to the venue: the subject is “venue”.", field="subject")


def _current_hours(subject: str) -> Week:
    _refuse_subject(subject)
    return week()


def _check_hours(subject: str, hours: Week) -> None:
    if not any(hours.values()):
        raise Refusal("never-open", "The house must be open on some day.", field="new")
    if (day := first_overlap(hours)) is not None:
        raise Refusal("hours-overlap", f"{_NAMES[day]} would still be open when the next day opens.", field="new")


def _apply_hours(proposal: Proposal, hours: Week, by: Actor) -> None:
    for number in range(7):
        day = hours[number]
        OpeningHours.objects.update_or_create(
            weekday=number,
            defaults={"opens": day.opens if day else None, "closes": day.closes if day else None},
        )
    plan_days.reschedule(now=timezone.now())


def _hours_in_words(hours: Hours | None) -> str:
    if hours is None:
        return "closed"
    opens, closes = f"{hours.opens:%H:%M}", f"{hours.closes:%H:%M}"
    return f"{opens} to {closes}" if opens != closes else f"24 hours from {opens}"


def _describe_hours(subject: str, old: Week | None, new: Week) -> str:
    changed = [number for number in range(7) if old is None or old[number] != new[number]]
    return f"New opening hours: {', '.join(f'{_NAMES[n]} {_hours_in_words(new[n])}' for n in changed)}."


OPENING_HOURS = Approvable(
    kind="house.opening-hours",
    label="Opening hours",
    shape=HOURS_SHAPE,
    authority=Authority.HOUSE,
    permission=DECIDE_HOUSE,
    describe=_describe_hours,
    current=_current_hours,
    check=_check_hours,
    hold=lambda subject, new: plan_days.hold_days(),
    apply=_apply_hours,
)


# Player protection: {"cards_required": true, "cooling_off_hours": 168}. In force are the columns of the venue: every
# wager at a table reads that row anyhow, and the database holds them to their types. Older ones are in the proposals.

_COOLING_OFF_HOURS_MIN: Final = 24
_COOLING_OFF_HOURS_LIMIT: Final = 24 * 365


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    cards_required: bool
    cooling_off_hours: int


class PlayerProtectionValue(Record):
    """How players are protected at every table."""

    cards_required = TrueOrFalse(help_text="Whether every wager at a table needs a player card.")
    cooling_off_hours = WholeNumber(help_text="After how long a higher limit counts.")
    makes = Protection


def _current_protection(subject: str) -> Protection:
    _refuse_subject(subject)
    here = venue()
    return Protection(cards_required=here.player_cards_required, cooling_off_hours=here.limit_cooling_off_hours)


def _check_protection(subject: str, new: Protection) -> None:
    if not _COOLING_OFF_HOURS_MIN <= new.cooling_off_hours <= _COOLING_OFF_HOURS_LIMIT:
        raise Refusal(
            "cooling-off-too-short", "A higher limit cools off for a day at least, a year at most.", field="new"
        )


def _apply_protection(proposal: Proposal, new: Protection, by: Actor) -> None:
    Venue.objects.filter(pk=1).update(
        player_cards_required=new.cards_required, limit_cooling_off_hours=new.cooling_off_hours
    )


def _describe_protection(subject: str, old: Protection | None, new: Protection) -> str:
    cards = "needed for every wager at a table" if new.cards_required else "not required"
    return f"Player cards {cards}; a higher limit counts after {new.cooling_off_hours} hours."


PLAYER_PROTECTION = Approvable(
    kind="house.player-protection",
    label="Player protection",
    shape=Shape[Protection](PlayerProtectionValue(), unreadable="protection-not-readable"),
    authority=Authority.HOUSE,
    permission=DECIDE_HOUSE,
    describe=_describe_protection,
    current=_current_protection,
    check=_check_protection,
    apply=_apply_protection,
)


# A person's roles: subject "staff:anna", value ["supervisor", "writer"], sorted.


class _Codes(ListField):
    """Codes in order of the alphabet, each once: two people who mean the same write the same."""

    default_error_messages: ClassVar = {"not-sorted": "Write each once, in order of the alphabet."}

    def __init__(self, **options: Any) -> None:
        super().__init__(child=Text(max_length=64), **options)

    def to_internal_value(self, data: Any) -> list[str]:
        codes: list[str] = super().to_internal_value(data)
        if codes != sorted(set(codes)):
            self.fail("not-sorted")
        return codes


CODES_SHAPE: Final = Shape[list[str]](_Codes(), unreadable="list-not-readable", codes={"not-sorted": "list-not-sorted"})


def _current_roles(subject: str) -> list[str]:
    return staff.roles_of(people.person_of(subject))


def _check_roles(subject: str, roles: list[str]) -> None:
    person = people.person_of(subject)
    staff.known_roles(roles)
    if not person.is_active:
        raise Conflict("already-inactive", f"{person.name} is not active.")
    if ("inspector" in roles) != person.roles.filter(code="inspector").exists():
        raise Refusal("inspector-not-ours", "Nobody of the house makes an inspector, or takes the post from one.")
    if ADMINISTRATOR not in roles:
        staff.keep_an_administrator(without=person.username)


def _apply_roles(proposal: Proposal, roles: list[str], by: Actor) -> None:
    person = staff.lock(people.person_of(proposal.subject).username)
    person.roles.set(staff.known_roles(roles))
    record_act(PersonRolesChanged(person=person.username, old=proposal.old or [], new=roles), by=by)


def _describe_roles(subject: str, old: list[str] | None, new: list[str]) -> str:
    was = ", ".join(old or []) or "nothing"
    return f"{subject.removeprefix('staff:')} becomes {', '.join(new) or 'nobody in particular'} (was {was})."


STAFF_ROLES = Approvable(
    kind="house.staff-roles",
    label="A person’s roles",
    shape=CODES_SHAPE,
    authority=Authority.HOUSE,
    permission=DECIDE_STAFF,
    propose_permission=MANAGE_STAFF,
    describe=_describe_roles,
    current=_current_roles,
    check=_check_roles,
    apply=_apply_roles,
    canonical=people.canonical,
    concerns=lambda subject, new: (people.canonical(subject),),
)


# What a role may do: subject "role:writer", value [permission codes], sorted.

# Without these nobody could ever put the table right again.
KEPT_BY_ADMINISTRATORS: Final = frozenset({MANAGE_STAFF, MANAGE_PERMISSIONS, DECIDE_STAFF})


def _role_subject(subject: str) -> str:
    return f"role:{subject.strip().lower().removeprefix('role:')}"


def _role(subject: str) -> Role:
    role = Role.objects.filter(code=subject.removeprefix("role:")).first()
    if role is None:
        raise NotFound("no-such-role", f"There is no {subject}.", field="subject")
    return role


def _current_grants(subject: str) -> list[str]:
    return sorted(Grant.objects.filter(role=_role(subject)).values_list("permission_id", flat=True))


def _check_grants(subject: str, codes: list[str]) -> None:
    known = set(Permission.objects.filter(code__in=codes).values_list("code", flat=True))
    if strange := set(codes) - known:
        raise Refusal("no-such-permission", f"There is no permission “{min(strange)}”.", field="new")
    if (AS_INSPECTOR in codes) != (_role(subject).code == INSPECTOR):
        raise Refusal(
            "inspector-alone",
            "Deciding as an inspector is the inspector’s alone: the house neither gives nor takes it.",
        )
    if _role(subject).code == INSPECTOR and PROPOSE in codes:
        raise Refusal("inspector-proposes", "The house proposes; an inspector decides.", field="new")
    if _role(subject).code == ADMINISTRATOR and (missing := KEPT_BY_ADMINISTRATORS - known):
        raise Refusal("administrator-keeps", f"Administrators keep “{min(missing)}”.", field="new")


def _apply_grants(proposal: Proposal, codes: list[str], by: Actor) -> None:
    role = _role(proposal.subject)
    new, old = set(codes), set(_current_grants(proposal.subject))
    granted, revoked = sorted(new - old), sorted(old - new)
    Grant.objects.filter(role=role, permission_id__in=revoked).delete()
    Grant.objects.bulk_create([Grant(role=role, permission_id=code) for code in granted])
    record_act(RolePermissionsChanged(role=role.code, granted=granted, revoked=revoked), by=by)


def _describe_grants(subject: str, old: list[str] | None, new: list[str]) -> str:
    granted, revoked = sorted(set(new) - set(old or [])), sorted(set(old or []) - set(new))
    parts = [f"may also {', '.join(granted)}"] if granted else []
    parts += [f"may no longer {', '.join(revoked)}"] if revoked else []
    return f"{subject.removeprefix('role:').capitalize()} {' and '.join(parts)}."


ROLE_PERMISSIONS = Approvable(
    kind="house.role-permissions",
    label="What a role may do",
    shape=CODES_SHAPE,
    # What an inspector may do and see is not the house's to take away.
    authority=lambda subject, new: Authority.INSPECTOR if _role(subject).code == INSPECTOR else Authority.HOUSE,
    permission=DECIDE_STAFF,
    propose_permission=MANAGE_PERMISSIONS,
    describe=_describe_grants,
    current=_current_grants,
    check=_check_grants,
    apply=_apply_grants,
    canonical=_role_subject,
)
