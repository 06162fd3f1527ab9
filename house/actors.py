"""Who acts: a person at the console, a device with its token, or the system itself. Pure.

Every verb takes ``by: Actor``. The identity is what the ledger and the log keep, and what "never the same person
twice" compares.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from house.refusal import Forbidden


@dataclass(frozen=True, slots=True)
class Actor:
    identity: str  # "staff:anna", "device:W-0007", "system:sealer"
    name: str
    permissions: frozenset[str] = field(default=frozenset(), repr=False)

    def may(self, permission: str) -> bool:
        return permission in self.permissions

    def require(self, permission: str) -> None:
        if permission not in self.permissions:
            raise Forbidden("no-permission", f"{self.name} has no right to do this (it needs “{permission}”).")


def system(what: str) -> Actor:
    """The software acting by itself. It holds no permissions: verbs meant for it do not ask for any."""
    return Actor(identity=f"system:{what}", name=what)
