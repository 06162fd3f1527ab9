"""Who acts: a person, at the console or at a device that he holds; a device that stands on the floor; or the system
itself. Pure.

Every verb takes ``by: Actor``. The identity is what the ledger and the log keep, and what "never the same person
twice" compares: a privileged device acts as the person who holds it, so it is his, whatever it is called.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from kernel.authority import Authority
from kernel.codes import AT_THE_CONSOLE, At, Permission, Power
from kernel.refusal import Forbidden

SYSTEM: Final = "system:"  # begins the identity of whatever is no person and no device


@dataclass(frozen=True, slots=True)
class Actor:
    identity: str  # "staff:anna", "device:W-0007", "system:sealer"
    name: str
    permissions: frozenset[str] = field(default=frozenset(), repr=False)
    device: str | None = None
    """The code of the device that it comes through, "S-0003"; None at the console."""
    tables: frozenset[str] | None = None
    """The only tables at which this device works; None for whoever is bound to none."""

    @property
    def at(self) -> At:
        if self.identity.startswith("device:"):
            return At.FLOOR
        return At.SESSION if self.device is None else At.HELD

    def may(self, power: Power) -> bool:
        """Whether the right is there, and this is a place where it is used."""
        return any(self._holds(each) and self.at in each.at for each in power.alternatives)

    def _holds(self, permission: Permission) -> bool:
        return permission.everybody or permission in self.permissions

    def require(self, power: Power) -> None:
        if self.may(power):
            return
        if held := [each for each in power.alternatives if self._holds(each)]:
            device = "" if held[0].at == AT_THE_CONSOLE else " or with a device of his own"
            raise Forbidden("in-person", f"A person does this (“{power}”), at the console{device}.")
        if any(each.authority is Authority.INSPECTOR for each in power.alternatives):
            raise Forbidden("needs-inspector", f"An inspector does this, in his own name (it needs “{power}”).")
        raise Forbidden("no-permission", f"{self.name} has no right to do this (it needs “{power}”).")

    def shown(self, power: Permission, name: str) -> str:
        """Who somebody is, for whoever may know it; to others the initials."""
        assert power.personal, f"{power} is not declared as personal"
        return name if self.may(power) else initials(name)


def initials(name: str) -> str:
    return " ".join(f"{word[0].upper()}." for word in name.split())


def system(what: str) -> Actor:
    """The software acting by itself. It holds no permissions: verbs meant for it do not ask for any."""
    return Actor(identity=f"{SYSTEM}{what}", name=what)
