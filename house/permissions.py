"""What people and devices may be allowed to do. Each room declares its own; who holds it is data.

A room's ``permissions.py`` calls :func:`declare` and is imported from its ``AppConfig.ready``. After a migration the
newly declared ones are inserted with the grants they declare (house.seed). From then on the grants belong to the
venue, which changes them through an approval: a later release never touches them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from house.roles import ROLES


@dataclass(frozen=True, slots=True)
class Declared:
    code: str
    label: str
    roles: frozenset[str]


_declared: dict[str, Declared] = {}


def declare(code: str, label: str, *, roles: Iterable[str] = ()) -> str:
    """Declare a permission and the roles that hold it in a new house. Answers the code, to be kept as a constant."""
    permission = Declared(code=code, label=label, roles=frozenset(roles))
    if strange := permission.roles - ROLES.keys():
        raise ValueError(f"{code} is to be granted to roles that do not exist: {', '.join(sorted(strange))}")
    if _declared.setdefault(code, permission) != permission:
        raise ValueError(f"{code} is declared twice, differently")
    return code


def declared() -> Mapping[str, Declared]:
    return MappingProxyType(_declared)


# The house's own.
declare("staff.view", "See staff and their roles", roles=("manager", "inspector", "administrator", "auditor"))
declare("staff.manage", "Hire, unlock and deactivate staff", roles=("administrator",))
declare("devices.view", "See devices", roles=("supervisor", "manager", "inspector", "administrator", "auditor"))
declare("devices.manage", "Register, provision and revoke devices", roles=("manager", "administrator"))
declare(
    "permissions.view", "See who may do what", roles=("supervisor", "manager", "inspector", "administrator", "auditor")
)
declare("permissions.manage", "Propose changes of what roles may do", roles=("administrator",))
declare(
    "approvals.view", "See proposed changes", roles=("supervisor", "manager", "inspector", "administrator", "auditor")
)
declare("approvals.propose", "Propose a change", roles=("supervisor", "manager", "administrator"))
declare("approvals.decide.house", "Approve changes of the venue’s opening hours", roles=("manager", "administrator"))
declare("approvals.decide.staff", "Approve changes of roles and rights", roles=("manager", "administrator"))
declare("incidents.view", "See incidents", roles=("supervisor", "manager", "inspector", "administrator", "auditor"))
declare(
    "incidents.report",
    "Report an incident",
    roles=("writer", "dealer", "table", "supervisor", "manager", "inspector", "administrator"),
)
declare("incidents.notify", "Record that somebody was told of an incident", roles=("supervisor", "manager"))
declare("incidents.close", "Close an incident", roles=("supervisor", "manager"))
declare("venue.manage", "Set up the venue", roles=("administrator",))
declare("gaming-day.close-early", "Close the gaming day early", roles=("manager",))
declare("players.view", "See players, their cards and limits", roles=("supervisor", "manager", "inspector", "auditor"))
declare("players.manage", "Register players and issue their cards", roles=("supervisor", "manager"))
declare("players.restrict", "Exclude players, and let them back", roles=("supervisor", "manager"))
declare("players.limits", "Set limits as players ask for them", roles=("writer", "supervisor", "manager"))
declare(
    "players.wager",
    "Ask for wagers at a table, keep declared chips",
    roles=("dealer", "table", "supervisor", "manager"),
)
declare("players.deposit", "Take a player’s deposit", roles=("writer", "supervisor", "manager"))
declare("audit.view", "Read the log of acts and the ledger", roles=("manager", "inspector", "administrator", "auditor"))
declare("metrics.view", "Read the figures for the machine room", roles=("administrator",))
