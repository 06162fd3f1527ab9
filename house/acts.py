"""What the house writes to the log of days, people and devices. Pure: the verifier reads the same.

Of approvals: ``house/approval_acts.py``; of incidents: ``house/incident_acts.py``; of players:
``house/players/acts.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from kernel.acts import Act, InSubject, OrMissing

# The venue and its days.


@dataclass(frozen=True, slots=True, kw_only=True)
class VenueSetUp(Act):
    kind: ClassVar[str] = "venue.set-up"
    code: str
    name: str
    time_zone: str

    @property
    def subject(self) -> str:
        return "venue"

    def sentence(self) -> str:
        return f"named the venue “{self.name}” ({self.code}), on the clock of {self.time_zone}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfGamingDay(Act):
    day: InSubject[date]

    @property
    def subject(self) -> str:
        return f"gaming-day:{self.day}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GamingDayScheduled(_OfGamingDay):
    kind: ClassVar[str] = "gaming-day.scheduled"
    opens_at: datetime
    closes_at: datetime

    def sentence(self) -> str:
        return f"scheduled the gaming day {self.day}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GamingDayClosedEarly(_OfGamingDay):
    kind: ClassVar[str] = "gaming-day.closed-early"
    at: datetime
    reason: str
    notice: str

    def sentence(self) -> str:
        return f"closed the gaming day {self.day} early: {self.reason}"


# People.


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfPerson(Act):
    person: InSubject[str]  # the user name

    @property
    def subject(self) -> str:
        return f"staff:{self.person}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonHired(_OfPerson):
    kind: ClassVar[str] = "staff.hired"
    name: str
    roles: list[str]
    demo: OrMissing[bool] = None

    def sentence(self) -> str:
        return f"hired {self.name} ({self.person}) as {', '.join(self.roles) or 'nobody in particular'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRolesChanged(_OfPerson):
    kind: ClassVar[str] = "staff.roles-changed"
    old: list[str]
    new: list[str]

    def sentence(self) -> str:
        return f"made {self.person} {', '.join(self.new) or 'nobody in particular'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RolePermissionsChanged(Act):
    kind: ClassVar[str] = "role.permissions-changed"
    role: InSubject[str]
    granted: list[str]
    revoked: list[str]

    @property
    def subject(self) -> str:
        return f"role:{self.role}"

    def sentence(self) -> str:
        parts = [f"may {word} {', '.join(codes)}" for word, codes in self._changes() if codes]
        return f"decided that the role {self.role} {' and '.join(parts)}"

    def _changes(self) -> tuple[tuple[str, list[str]], ...]:
        return ("also", self.granted), ("no longer", self.revoked)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDeactivated(_OfPerson):
    kind: ClassVar[str] = "staff.deactivated"
    why: str

    def sentence(self) -> str:
        return f"deactivated {self.person}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonReactivated(_OfPerson):
    kind: ClassVar[str] = "staff.reactivated"
    why: str

    def sentence(self) -> str:
        return f"reactivated {self.person}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessReset(_OfPerson):
    """Two people agreed that somebody enrols, the first time or anew."""

    kind: ClassVar[str] = "staff.access-reset"
    because: str

    def sentence(self) -> str:
        return f"let {self.person} enrol anew ({self.because})"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessHalfShown(_OfPerson):
    kind: ClassVar[str] = "staff.access-half-shown"

    def sentence(self) -> str:
        return f"looked at half of the code with which {self.person} enrols"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessTaken(_OfPerson):
    kind: ClassVar[str] = "staff.access-taken"

    def sentence(self) -> str:
        return "enrolled with a code of two halves, and chose a password"


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordChanged(_OfPerson):
    kind: ClassVar[str] = "staff.password-changed"

    def sentence(self) -> str:
        return "changed their own password"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonUnlocked(_OfPerson):
    kind: ClassVar[str] = "staff.unlocked"
    why: str

    def sentence(self) -> str:
        return f"let {self.person} sign in again: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorateNamed(Act):
    kind: ClassVar[str] = "inspectorate.named"
    name: str
    public_key: str

    @property
    def subject(self) -> str:
        return "inspectorate"

    def sentence(self) -> str:
        return f"named the inspectors’ authority, “{self.name}”, by its key {self.public_key[:16]}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorEnrolled(_OfPerson):
    kind: ClassVar[str] = "inspector.enrolled"
    code: str  # the hash of the authority's signed code

    def sentence(self) -> str:
        return "enrolled as an inspector, with a code of the inspectors’ own authority"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorWithdrawn(_OfPerson):
    kind: ClassVar[str] = "inspector.withdrawn"
    code: str

    def sentence(self) -> str:
        return f"let the inspector {self.person} go, by a code of the inspectors’ own authority"


# Signing in. Whoever is not known is "unknown": what was typed may be a password in the wrong field.


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInFailed(_OfPerson):
    """Failures that followed each other, in one act: whoever guesses must not be able to fill the log."""

    kind: ClassVar[str] = "staff.sign-in-failed"
    step: str
    failures: int
    addresses: list[str]
    since: datetime
    until: datetime

    def sentence(self) -> str:
        times = "once" if self.failures == 1 else f"{self.failures} times"
        return f"refused the sign-in of {self.person} at the {self.step}, {times}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodesGuessed(Act):
    kind: ClassVar[str] = "device.codes-guessed"
    failures: int
    addresses: list[str]
    since: datetime
    until: datetime

    @property
    def subject(self) -> str:
        return "devices"

    def sentence(self) -> str:
        return f"refused {self.failures} wrong provisioning codes"


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondStepEnrolled(_OfPerson):
    kind: ClassVar[str] = "staff.second-step-enrolled"
    address: str

    def sentence(self) -> str:
        return "set up their second step"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn(_OfPerson):
    kind: ClassVar[str] = "staff.signed-in"
    address: str

    def sentence(self) -> str:
        return "signed in"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOut(_OfPerson):
    kind: ClassVar[str] = "staff.signed-out"
    address: str

    def sentence(self) -> str:
        return "signed out"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOut(_OfPerson):
    kind: ClassVar[str] = "staff.timed-out"

    def sentence(self) -> str:
        return "was signed out after doing nothing for too long"


# Devices.


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfDevice(Act):
    device: InSubject[str]  # its code

    @property
    def subject(self) -> str:
        return f"device:{self.device}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRegistered(_OfDevice):
    kind: ClassVar[str] = "device.registered"
    name: str
    kind_: str
    profile: str
    place: str
    holder: OrMissing[str] = None
    tables: OrMissing[list[str]] = None

    def sentence(self) -> str:
        return f"registered the {self.kind_} {self.device}, “{self.name}”"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCodeMade(_OfDevice):
    kind: ClassVar[str] = "device.code-made"

    def sentence(self) -> str:
        return f"made a one-time code for {self.device}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTokenIssued(_OfDevice):
    kind: ClassVar[str] = "device.token-issued"
    prefix: str

    def sentence(self) -> str:
        return f"gave {self.device} a new token (it begins mh_{self.prefix})"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTokenDue(_OfDevice):
    """Two people agreed on a token; its holder may collect it."""

    kind: ClassVar[str] = "device.token-due"
    holder: str

    def sentence(self) -> str:
        return f"let {self.holder} collect a token for {self.device}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceHeld(_OfDevice):
    kind: ClassVar[str] = "device.held"
    profile: str
    holder: str

    def sentence(self) -> str:
        return f"made {self.device} a {self.profile} device that {self.holder} holds"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceBound(_OfDevice):
    kind: ClassVar[str] = "device.bound"
    tables: list[str]

    def sentence(self) -> str:
        return f"bound {self.device} to {', '.join(self.tables) or 'no table'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRevoked(_OfDevice):
    kind: ClassVar[str] = "device.revoked"
    why: str

    def sentence(self) -> str:
        return f"revoked {self.device}: {self.why}"


# Personal data.


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalDataErased(Act):
    """Two people have erased what the law keeps no longer: a kind of data, or one player by his number."""

    kind: ClassVar[str] = "personal-data.erased"
    of: InSubject[str]
    before: date
    records: int

    @property
    def subject(self) -> str:
        return f"personal-data:{self.of}"

    def sentence(self) -> str:
        return f"erased {self.records} personal records ({self.of}) last needed before {self.before}"
