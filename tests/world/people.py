"""People with the rights of a role, who need no row of their own in the database."""

from __future__ import annotations

from house.acts import DeviceRegistered, PersonHired
from house.log import record_act
from house.models import Grant, Permission, Role, SecondStep, Staff
from house.permissions import AS_INSPECTOR, declared
from kernel.actors import Actor, system


def someone(role: str, name: str | None = None) -> Actor:
    """Somebody with what a new house grants to that role."""
    rights = frozenset(str(each) for each in declared().values() if role in each.roles)
    return Actor(f"staff:{name or role}", name or role, rights)


def actor(identity: str, *roles: str) -> Actor:
    """Somebody of this name with what the house grants to these roles today."""
    permissions = Grant.objects.filter(role__in=roles).values_list("permission_id", flat=True)
    return Actor(identity, identity.partition(":")[2].title(), frozenset(permissions))


def account(actor: Actor, role: str) -> Actor:
    """An account and a second step for somebody who has none yet: whoever signs with them needs both."""
    username = actor.identity.removeprefix("staff:")
    staff, _ = Staff.objects.get_or_create(username=username, defaults={"name": actor.name})
    staff.roles.add(Role.objects.get(code=role))
    if not SecondStep.objects.filter(user=staff, confirmed=True).exists():
        SecondStep.objects.create(user=staff, confirmed=True)
    return actor


def grant_everything(role: str) -> None:
    """Whatever the house can grant; the inspector's word is not the house's (the database refuses it)."""
    missing = Permission.objects.exclude(grants__role=role).exclude(code=str(AS_INSPECTOR))
    Grant.objects.bulk_create(Grant(role_id=role, permission=permission) for permission in missing)


def on_the_payroll(**roles: str) -> None:
    """The log says who they are: what they decide then counts for whoever checks an export. By name: the role."""
    for name, role in roles.items():
        record_act(PersonHired(person=name, name=name.title(), roles=[role], demo=True), by=system("demo"))


def on_the_floor(*terminals: str) -> None:
    """The log knows these writers' terminals."""
    for code in terminals:
        registered = DeviceRegistered(device=code, name=code, kind_="keno-terminal", profile="writer", place="")
        record_act(registered, by=system("demo"))


SUPERVISOR = someone("supervisor")
MANAGER = someone("manager")
DEALER = someone("dealer")
TABLE = someone("table")
DESK = someone("supervisor", "desk")
