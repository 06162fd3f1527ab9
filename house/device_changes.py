"""What two people do with devices: one proposes, another decides, and the holder collects what comes of it.

A privileged device is power, so nobody hands it out alone: not a new one, not a new token, not another holder or
profile. Neither is the holder asked to decide about his own. What a table's device may work at is decided likewise.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from house import devices, people, steps, tokens
from house.acts import DeviceBound, DeviceHeld, DeviceTokenDue
from house.approvables import CODES_SHAPE
from house.approvals import Approvable, Record, Shape, propose
from house.log import record_act
from house.models import Device, DeviceKind, Proposal, Staff, TokenDue
from house.permissions import DECIDE_STAFF, MANAGE_DEVICES
from house.persons import COMMAND_LINE
from house.roles import HELD
from kernel import locks
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.locks import Lock
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from web.fields import Choice, Text, WholeNumber
from web.words import listed

DUE_LIFE: Final = timedelta(days=7)
_TABLE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,31}", re.ASCII)
_PROFILES: Final = devices.PROFILES[DeviceKind.SERVICE]


def _hold(subject: str, new: object) -> None:
    locks.hold(Lock.DEVICES)


def _device_subject(subject: str) -> str:
    return f"device:{subject.strip().upper().removeprefix('DEVICE:')}"


def _device(subject: str) -> Device:
    found = Device.objects.select_related("holder").filter(code=subject.removeprefix("device:")).first()
    if found is None:
        raise NotFound("no-such-device", f"There is no {subject}.", field="subject")
    return found


def _held(subject: str) -> Device:
    device = _device(subject)
    if device.profile not in HELD:
        raise Conflict("device-not-held", f"{device.code} stands on the floor: nobody holds it.")
    return device


def _let_collect(device: Device, *, overlap_seconds: int = 0, by: Actor) -> None:
    assert device.holder is not None
    TokenDue.objects.filter(device=device, collected_at=None).delete()
    TokenDue.objects.create(
        device=device,
        holder=device.holder,
        overlap_seconds=overlap_seconds,
        expires_at=timezone.now() + DUE_LIFE,
    )
    record_act(DeviceTokenDue(device=device.code, holder=device.holder.identity), by=by)


# A new privileged device: the subject is who is to hold it.


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDevice:
    profile: str
    name: str
    place: str = ""


class NewDeviceValue(Record):
    profile = Choice(choices=_PROFILES, help_text="The role whose rights it has; its holder has that role himself.")
    name = Text(max_length=120)
    place = Text(max_length=80, required=False, allow_blank=True)
    makes = NewDevice


def _check_new(subject: str, new: NewDevice) -> None:
    devices.refuse_holder(new.profile, people.person_of(subject))


def _apply_new(proposal: Proposal, new: NewDevice, by: Actor) -> None:
    device = devices.add_device(
        name=new.name,
        kind=DeviceKind.SERVICE,
        profile=new.profile,
        place=new.place,
        opens_own_shift=False,
        holder=people.person_of(proposal.subject),
        by=by,
    )
    _let_collect(device, by=by)


NEW_DEVICE = Approvable(
    kind="house.device-registration",
    label="A privileged device",
    shape=Shape[NewDevice](NewDeviceValue(), unreadable="device-not-readable"),
    authority=Authority.HOUSE,
    permission=DECIDE_STAFF,
    propose_permission=MANAGE_DEVICES,
    describe=lambda subject, old, new: f"A new {new.profile} device, “{new.name}”, held by {_called(subject)}.",
    current=lambda subject: None,
    check=_check_new,
    hold=_hold,
    apply=_apply_new,
    canonical=people.canonical,
    concerns=lambda subject, new: (people.canonical(subject),),
    appoints=lambda subject, new: (people.canonical(subject),),
)


def _called(subject: str) -> str:
    return subject.removeprefix("staff:")


# A new token for one: the subject is the device.


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    overlap_seconds: int


class NewTokenValue(Record):
    overlap_seconds = WholeNumber(
        min_value=0,
        max_value=int(devices.TOKEN_OVERLAP_LIMIT.total_seconds()),
        help_text="For how long the old token goes on once the new one is collected.",
    )
    makes = NewToken


def _no_value(subject: str) -> None:
    _held(subject)


def _check_token(subject: str, new: NewToken) -> None:
    device = _held(subject)
    steps.refuse_revoked(device)
    devices.refuse_holder(device.profile, device.holder)


def _apply_token(proposal: Proposal, new: NewToken, by: Actor) -> None:
    """For whoever held it when it was proposed: a token that was agreed for one is not collected by the next."""
    held = Proposal.objects.filter(kind=HOLDING, subject=proposal.subject, effective_at__gt=proposal.proposed_at)
    if held.exists():
        raise Conflict("holder-changed", f"{_code(proposal.subject)} has another holder since: propose it again.")
    _let_collect(_held(proposal.subject), overlap_seconds=new.overlap_seconds, by=by)


def _holder_of(subject: str, new: object) -> Collection[str]:
    holder = _device(subject).holder
    return () if holder is None else (holder.identity,)


NEW_TOKEN = Approvable(
    kind="house.device-token",
    label="A new token",
    shape=Shape[NewToken](NewTokenValue(), unreadable="token-not-readable"),
    authority=Authority.HOUSE,
    permission=DECIDE_STAFF,
    propose_permission=MANAGE_DEVICES,
    describe=lambda subject, old, new: f"{_code(subject)} gets a new token, collected by its holder.",
    current=_no_value,
    check=_check_token,
    hold=_hold,
    apply=_apply_token,
    canonical=_device_subject,
    concerns=_holder_of,
)


def _code(subject: str) -> str:
    return subject.removeprefix("device:")


# Another holder or profile.


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    holder: str
    profile: str


class HoldingValue(Record):
    holder = Text(max_length=40, help_text="The user name of somebody who has that role himself.")
    profile = Choice(choices=_PROFILES)
    makes = Holding


def _current_holding(subject: str) -> Holding:
    device = _held(subject)
    assert device.holder is not None
    return Holding(holder=device.holder.username, profile=device.profile)


def _check_holding(subject: str, new: Holding) -> None:
    steps.refuse_revoked(_held(subject))
    person = people.person_of(new.holder)
    if person.username != new.holder:
        raise Refusal("holder-not-allowed", f"Write the holder like {person.username}.", field="new.holder")
    devices.refuse_holder(new.profile, person)


def _apply_holding(proposal: Proposal, new: Holding, by: Actor) -> None:
    device = devices.lock_active(_code(proposal.subject))
    tokens.stop_tokens(device)
    device.holder, device.profile = people.person_of(new.holder), new.profile
    device.save(update_fields=["holder", "profile"])
    record_act(DeviceHeld(device=device.code, profile=new.profile, holder=device.holder.identity), by=by)
    _let_collect(device, by=by)


def _both_holders(subject: str, new: Any) -> Collection[str]:
    return (*_holder_of(subject, new), people.canonical(new["holder"]))


HOLDING = Approvable(
    kind="house.device-holder",
    label="Who holds a device",
    shape=Shape[Holding](HoldingValue(), unreadable="holder-not-readable"),
    authority=Authority.HOUSE,
    permission=DECIDE_STAFF,
    propose_permission=MANAGE_DEVICES,
    describe=lambda subject, old, new: f"{_code(subject)} becomes a {new.profile} device that {new.holder} holds.",
    current=_current_holding,
    check=_check_holding,
    hold=_hold,
    apply=_apply_holding,
    canonical=_device_subject,
    concerns=_both_holders,
    appoints=lambda subject, new: (people.canonical(new["holder"]),),
)


# The tables at which a table's device works: ["CSP-01", "CSP-02"], sorted; none: at no table.


def _table_device(subject: str) -> Device:
    device = _device(subject)
    if device.profile != "table":
        raise Conflict("tables-not-allowed", f"{device.code} is no table's device.")
    return device


def _check_tables(subject: str, tables: list[str]) -> None:
    device = _table_device(subject)
    steps.refuse_revoked(device)
    if not settings.DEMO and device.tokens.filter(revoked_at=None, seen_by=COMMAND_LINE).exists():
        raise Conflict(
            "token-of-nobody",
            f"The token of {device.code} was made at a command line, by nobody knows whom: roll it in the console.",
        )
    if strange := [each for each in tables if not _TABLE.fullmatch(each)]:
        raise Refusal("table-not-readable", f"“{strange[0]}” is no code of a table.", field="new")


def _apply_tables(proposal: Proposal, tables: list[str], by: Actor) -> None:
    device = devices.lock_active(_code(proposal.subject))
    device.tables = tables
    device.save(update_fields=["tables"])
    record_act(DeviceBound(device=device.code, tables=tables), by=by)


TABLES = Approvable(
    kind="house.device-tables",
    label="The tables of a device",
    shape=CODES_SHAPE,
    authority=Authority.HOUSE,
    permission=DECIDE_STAFF,
    propose_permission=MANAGE_DEVICES,
    describe=lambda subject, old, new: f"{_code(subject)} works at {listed(new) or 'no table'}.",
    current=lambda subject: _table_device(subject).tables,
    check=_check_tables,
    hold=_hold,
    apply=_apply_tables,
    canonical=_device_subject,
)


# Collecting


def waiting_for(person: Staff) -> list[TokenDue]:
    """The tokens that somebody may collect now."""
    due = TokenDue.objects.filter(holder=person, collected_at=None, expires_at__gt=timezone.now())
    return list(due.select_related("device").order_by("pk"))


@transaction.atomic
def collect_token(*, code: str, by: Actor) -> tokens.Issued:
    """The holder takes his token, once, where he has signed in himself: not through a device, not for another."""
    device = devices.lock_active(code)
    if by.device is not None or device.holder is None or device.holder.identity != by.identity:
        raise Forbidden("not-the-holder", "Only who holds it collects its token, signed in at the console himself.")
    devices.refuse_holder(device.profile, device.holder)
    if not by.permissions:
        raise Forbidden("enrol-first", "Enrol first: until then nothing is given out in your name.")
    due = (
        TokenDue.objects.select_for_update()
        .filter(device=device, holder=device.holder, collected_at=None, expires_at__gt=timezone.now())
        .first()
    )
    if due is None:
        raise Conflict("no-token-due", f"There is no token to collect for {code}: it was collected, or took too long.")
    due.collected_at = timezone.now()
    due.save(update_fields=["collected_at"])
    return tokens.replace_token(device=device, overlap=timedelta(seconds=due.overlap_seconds), by=by)


def propose_service_token(*, role: str, holder: str | None, name: str | None) -> Proposal:
    """``manage.py token`` without the demo: the command line proposes and gives nothing out."""
    devices.kind_for(role)
    if role == "inspector" and not settings.DEMO:
        raise Refusal(
            "inspector-enrols-himself",
            "An inspector enrols himself with a code from his own authority, at /enrol/inspector/. "
            "Nothing here makes one.",
        )
    if holder is None:
        raise Refusal("holder-missing", f"A {role} token acts as a person: say who, with --holder.", field="holder")
    by = Actor(COMMAND_LINE, "the command line", frozenset({NEW_DEVICE.propose_permission}))
    value = {"profile": role, "name": name or f"{role.capitalize()} from the command line", "place": ""}
    return propose(kind=NEW_DEVICE, subject=holder, new=value, why="Asked for with manage.py token.", by=by)
