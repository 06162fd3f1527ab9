"""What the log says of people and devices: who works here in which role, who may decide what, who holds which device.

Pure: read by whoever recomputes an export (``house/verify.py``). Two people are two persons: a device counts as whoever
holds it, and as whoever was shown a token of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from house import acts
from kernel.acts import Act
from kernel.export_check import ActOnRecord, Doubt

SYSTEM: Final = "system:"
INSPECTOR: Final = "inspector"
ADMINISTRATOR: Final = "administrator"
# Roles that two people give: nobody is hired into one, but by the demo or as one of the first two administrators.
GIVEN_BY_TWO: Final = frozenset({"supervisor", "manager", INSPECTOR, ADMINISTRATOR, "auditor"})
_FIRST_ADMINISTRATORS: Final = 2
_READ: Final[tuple[type[Act], ...]] = (
    acts.PersonHired,
    acts.PersonRolesChanged,
    acts.RolePermissionsChanged,
    acts.PersonDeactivated,
    acts.PersonReactivated,
    acts.InspectorateNamed,
    acts.InspectorEnrolled,
    acts.InspectorWithdrawn,
    acts.DeviceRegistered,
    acts.DeviceHeld,
    acts.DeviceTokenIssued,
    acts.DeviceRevoked,
)
KINDS: Final = frozenset(act.kind for act in _READ)


@dataclass(slots=True)
class PeopleOnRecord:
    """*powers*: which roles hold each power in a new house."""

    powers: Mapping[str, frozenset[str]]
    roles: dict[str, frozenset[str]] = field(default_factory=dict)  # by identity, of everybody who was ever hired
    gone: set[str] = field(default_factory=set)
    demo: set[str] = field(default_factory=set)  # made by the demo: nobody appointed them
    holders: dict[str, str] = field(default_factory=dict)  # by device
    shown: dict[str, set[str]] = field(default_factory=dict)  # by device: who was shown a token of it
    machines: dict[str, str] = field(default_factory=dict)  # on the floor, by identity: the role it has the powers of
    codes: set[str] = field(default_factory=set)  # with which inspectors came or went
    inspectorate: bool = False  # whether their authority was named
    granted: dict[tuple[str, str], bool] = field(default_factory=dict)  # by role and power: since the beginning

    def act(self, row: ActOnRecord) -> None:
        """An act of one of ``KINDS``, in the order of the log. Raises Doubt."""
        match row.act:
            case acts.PersonHired() as act:
                self._hired(act, row.actor)
            case acts.PersonRolesChanged() as act:
                self._roles_changed(act)
            case acts.RolePermissionsChanged() as act:
                self.granted |= {(act.role, power): True for power in act.granted}
                self.granted |= {(act.role, power): False for power in act.revoked}
            case acts.PersonDeactivated() as act:
                self.gone.add(self._known(act.person))
            case acts.PersonReactivated() as act:
                self.gone.discard(self._known(act.person))
            case acts.InspectorateNamed():
                self.inspectorate = True
            case acts.InspectorEnrolled() | acts.InspectorWithdrawn() as act:
                self._inspector(act)
            case _:
                self._of_device(row)

    def persons(self, *identities: str) -> set[str]:
        """Who may be behind these: themselves, and for a device its holder and whoever was shown its token."""
        found = set()
        for identity in identities:
            device = identity.removeprefix("device:")
            if identity.startswith("device:"):
                found |= {self.holders[device]} if device in self.holders else {identity, *self.shown.get(device, ())}
            elif identity:
                found.add(identity)
        return found

    def are_others(self, one: str, *others: str) -> bool:
        """Whether *one* is a person and another than all of these."""
        return not one.startswith(SYSTEM) and not self.persons(one) & self.persons(*others)

    def is_inspector(self, identity: str) -> bool:
        return self.is_here(identity) and INSPECTOR in self.roles[identity]

    def is_here(self, identity: str) -> bool:
        return identity in self.roles and identity not in self.gone

    def may(self, identity: str, power: str, *, anywhere: bool = False) -> bool:
        """Whether somebody who works here held that power then; *anywhere*: a device on the floor may, too."""
        if anywhere and identity in self.machines:
            return self._holds(self.machines[identity], power)
        return self.is_here(identity) and any(self._holds(role, power) for role in self.roles[identity])

    def _holds(self, role: str, power: str) -> bool:
        changed = self.granted.get((role, power))
        return role in self.powers.get(power, ()) if changed is None else changed

    def _known(self, username: str) -> str:
        if f"staff:{username}" not in self.roles:
            raise Doubt(f"there is word of {username}, whom nobody has hired.")
        return f"staff:{username}"

    def _hired(self, act: acts.PersonHired, by: str) -> None:
        identity = f"staff:{act.person}"
        if identity in self.roles:
            raise Doubt(f"{act.person} is hired a second time.")
        powerful = sorted(GIVEN_BY_TWO.intersection(act.roles))
        if powerful and not (by.startswith(SYSTEM) and (act.demo or self._at_the_beginning(act.roles, by))):
            raise Doubt(f"{act.person} is hired as {powerful[0]} by one person alone.")
        self.roles[identity] = frozenset(act.roles)
        if act.demo:
            self.demo.add(identity)

    def _at_the_beginning(self, roles: Iterable[str], by: str) -> bool:
        """The first two administrators, and inspectors, who come with a code of their own authority."""
        if by == f"{SYSTEM}inspectorate":
            return set(roles) == {INSPECTOR} and self.inspectorate
        administrators = [each for each, held in self.roles.items() if ADMINISTRATOR in held and each not in self.demo]
        return set(roles) == {ADMINISTRATOR} and len(administrators) < _FIRST_ADMINISTRATORS

    def _roles_changed(self, act: acts.PersonRolesChanged) -> None:
        identity = self._known(act.person)
        if self.roles[identity] != set(act.old):
            raise Doubt(f"{act.person} had other roles than those that are said to change.")
        if INSPECTOR in set(act.old) ^ set(act.new):
            raise Doubt(f"the house makes or unmakes an inspector of {act.person}.")
        self.roles[identity] = frozenset(act.new)

    def _inspector(self, act: acts.InspectorEnrolled | acts.InspectorWithdrawn) -> None:
        identity = self._known(act.person)
        if not self.inspectorate or INSPECTOR not in self.roles[identity]:
            raise Doubt(f"{act.person} comes or goes as an inspector, and is none of a named authority.")
        if act.code in self.codes:
            raise Doubt(f"the code with which {act.person} comes or goes was used before.")
        self.codes.add(act.code)
        (self.gone.add if isinstance(act, acts.InspectorWithdrawn) else self.gone.discard)(identity)

    def _of_device(self, row: ActOnRecord) -> None:
        match row.act:
            case acts.DeviceRegistered() as act:
                if act.device in self.shown:
                    raise Doubt(f"device {act.device} is registered a second time.")
                self.shown[act.device] = set()
                if act.holder:
                    self.holders[act.device] = act.holder
                else:
                    self.machines[row.subject] = act.profile
            case acts.DeviceHeld() as act:
                self.holders[act.device] = act.holder
                self.machines.pop(row.subject, None)
            case acts.DeviceTokenIssued() as act:
                self.shown.setdefault(act.device, set()).add(row.actor)
            case acts.DeviceRevoked() as act:
                self.holders.pop(act.device, None)
                self.machines.pop(row.subject, None)
