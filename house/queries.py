"""What is read of the house, by its calls and its pages alike. Of approvals: ``house/approvals/queries.py``."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import TypeVar

from django.db.models import Count, Exists, F, Model, OuterRef, Q, QuerySet
from django.utils import timezone

from house import devices, incidents
from house.models import (
    Device,
    GamingDay,
    Grant,
    Incident,
    Notice,
    Permission,
    Player,
    PlayLine,
    Restriction,
    Role,
    SecondStep,
    Staff,
    Venue,
)
from house.players.cards import known_card
from house.roles import HELD, ROLES
from house.rules.cards import read_card
from kernel.refusal import NotFound

MACHINE_ROLES = ("table", "signage")  # profiles of devices, never handed to people
DAYS_TO_CHOOSE_FROM = 31
DAYS_SHOWN = 21
Row = TypeVar("Row", bound=Model)


def venue_name() -> str | None:
    """None before there is a venue."""
    return Venue.objects.values_list("name", flat=True).first()


# Days


def begun_days() -> list[GamingDay]:
    """The gaming days that have begun, the latest first: a month of them."""
    return list(GamingDay.objects.filter(opens_at__lte=timezone.now()).order_by("-date")[:DAYS_TO_CHOOSE_FROM])


def day_named(text: str) -> GamingDay | None:
    try:
        return GamingDay.objects.filter(date=dt.date.fromisoformat(text)).first()
    except ValueError:
        return None


def days_around(now: dt.datetime) -> list[GamingDay]:
    """From the day before yesterday on, as far as they are made."""
    return list(GamingDay.objects.filter(closes_at__gt=now - dt.timedelta(days=2)).order_by("date")[:DAYS_SHOWN])


def open_day(now: dt.datetime) -> GamingDay | None:
    return GamingDay.objects.filter(opens_at__lte=now, closes_at__gt=now).order_by("-opens_at").first()


def next_gaming_day(now: dt.datetime) -> GamingDay | None:
    return GamingDay.objects.filter(opens_at__gt=now).order_by("opens_at").first()


def on_gaming_day(rows: QuerySet[Row], date: dt.date, *, column: str) -> QuerySet[Row]:
    """The rows of one gaming day: from its opening until the next one opens, the closed hours between included."""
    day = GamingDay.objects.filter(date=date).first()
    if day is None:
        return rows.none()
    rows = rows.filter(**{f"{column}__gte": day.opens_at})
    following = next_gaming_day(day.opens_at)
    return rows.filter(**{f"{column}__lt": following.opens_at}) if following else rows


# Devices


def all_devices() -> QuerySet[Device]:
    return Device.objects.select_related("seen", "holder").annotate(last_seen=F("seen__seen_at"))


def device_coded(code: str) -> Device:
    found = all_devices().filter(code=code).first()
    if found is None:
        raise NotFound("no-such-device", f"There is no device {code}.")
    return found


def devices_held_by(person: Staff) -> QuerySet[Device]:
    return all_devices().filter(holder=person, status="active").order_by("code")


def silent_devices() -> set[int]:
    return set(devices.offline().values_list("pk", flat=True))


def devices_in_state(rows: QuerySet[Device], state: str) -> QuerySet[Device]:
    silent = devices.offline().order_by().values("pk")
    if state == "revoked":
        return rows.filter(status="revoked")
    if state == "offline":
        return rows.filter(pk__in=silent)
    return rows.filter(status="active").exclude(pk__in=silent) if state == "online" else rows


def active_device_count() -> int:
    return Device.objects.filter(status="active").count()


def devices_called(text: str) -> QuerySet[Device]:
    named = Q(code__iexact=text) | Q(name__icontains=text) | Q(place__icontains=text)
    return Device.objects.filter(named).order_by("code")


def rights_of(role: str) -> QuerySet[Permission]:
    return Permission.objects.filter(grants__role_id=role)


# People


def all_people() -> QuerySet[Staff]:
    enrolled = SecondStep.objects.filter(user=OuterRef("pk"), confirmed=True)
    return Staff.objects.annotate(enrolled=Exists(enrolled)).prefetch_related("roles")


def person_named(username: str) -> Staff:
    found = all_people().filter(username=username).first()
    if found is None:
        raise NotFound("no-such-person", f"Nobody here is called “{username}”.")
    return found


def possible_holders() -> QuerySet[Staff]:
    """Who could hold a privileged device: everybody at work who has such a role and signs in himself."""
    return Staff.objects.filter(is_active=True, signs_in=True, roles__in=HELD).distinct().order_by("name")


def has_several_people() -> bool:
    """More than whoever set the house up."""
    return Staff.objects.filter(is_active=True)[:3].count() > 2


def has_devices() -> bool:
    return Device.objects.exists()


def staff_called(text: str) -> QuerySet[Staff]:
    return Staff.objects.filter(Q(username__iexact=text) | Q(name__icontains=text)).order_by("name")


def all_roles() -> QuerySet[Role]:
    return Role.objects.all()


def roles_of_people() -> QuerySet[Role]:
    return Role.objects.exclude(code__in=MACHINE_ROLES)


def roles_with_people() -> list[Role]:
    """Every role in the house's own order, with whoever has it."""
    return sorted(Role.objects.prefetch_related("staff"), key=lambda role: list(ROLES).index(role.code))


def role_coded(code: str) -> Role:
    role = Role.objects.filter(code=code).first()
    if role is None:
        raise NotFound("no-such-role", f"There is no role “{code}”.")
    return role


def granted_to(role: Role) -> list[str]:
    return list(Grant.objects.filter(role=role).values_list("permission_id", flat=True))


def labels_of(codes: Iterable[str]) -> dict[str, str]:
    """What people call these roles and permissions."""
    wanted = list(codes)
    roles = dict(Role.objects.filter(code__in=wanted).values_list("code", "name"))
    return roles | dict(Permission.objects.filter(code__in=wanted).values_list("code", "label"))


def all_permissions() -> QuerySet[Permission]:
    return Permission.objects.order_by("code").prefetch_related("grants")


def grants() -> set[tuple[str, str]]:
    return set(Grant.objects.values_list("role_id", "permission_id"))


# Incidents


def all_incidents() -> QuerySet[Incident]:
    return Incident.objects.select_related("gaming_day").prefetch_related("notices__attempts")


def incident_numbered(number: int) -> Incident:
    found = all_incidents().filter(pk=number).first()
    if found is None:
        raise NotFound("no-such-incident", f"There is no incident {number}.")
    return found


def open_incident_count() -> int:
    return Incident.objects.filter(status="open").count()


def incidents_about(text: str, *, number: int | None = None) -> QuerySet[Incident]:
    matching = Q(what__icontains=text) | Q(subject__icontains=text)
    return Incident.objects.filter(matching if number is None else matching | Q(pk=number))


def incidents_counted(now: dt.datetime) -> QuerySet[Incident]:
    """With how many must be told, how many of them are owed it still, and whether one is late."""
    owed = Q(notices__told_at=None, notices__due_at__isnull=False)
    return Incident.objects.annotate(
        notices_count=Count("notices"),
        owed=Count("notices", filter=owed),
        overdue=Exists(incidents.overdue(now=now).order_by().filter(incident=OuterRef("pk"))),
    )


def notices_due_before(moment: dt.datetime) -> QuerySet[Notice]:
    """Notices that nobody has given yet, the first due first."""
    return Notice.objects.filter(told_at=None, due_at__lt=moment).select_related("incident").order_by("due_at", "id")


def notices_of(incident: Incident) -> QuerySet[Notice]:
    notices = Notice.objects.filter(incident=incident).prefetch_related("attempts")
    return notices.order_by(F("due_at").asc(nulls_last=True), "id")


def notice_numbered(number: int) -> Notice:
    found = Notice.objects.filter(pk=number).first()
    if found is None:
        raise NotFound("no-such-notice", f"There is no notice {number}.")
    return found


# Players


def all_players() -> QuerySet[Player]:
    return Player.objects.prefetch_related("cards")


def player_numbered(number: str) -> Player:
    found = all_players().filter(number=number).first()
    if found is None:
        raise NotFound("no-such-player", f"There is no player {number}.")
    return found


def player_with_card(card: str) -> Player:
    return known_card(card).player


def players_with_card(card: str) -> QuerySet[Player]:
    return all_players().filter(cards__number=read_card(card))


def players_in_state(rows: QuerySet[Player], state: str) -> QuerySet[Player]:
    if state == "excluded":
        return rows.filter(pk__in=lasting_restrictions().values("player_id"))
    return rows.filter(limit_changes__isnull=False).distinct() if state == "limited" else rows


def lasting_restrictions() -> QuerySet[Restriction]:
    now = timezone.now()
    return Restriction.objects.filter(Q(until=None) | Q(until__gt=now), lifted_at=None)


def valid_card(player: Player) -> str:
    return next((card.number for card in player.cards.all() if card.cancelled_at is None), "")


def latest_play(player: Player, *, lines: int) -> QuerySet[PlayLine]:
    return PlayLine.objects.filter(player=player)[:lines]
