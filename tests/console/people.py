"""The demo venue's people, as the tests use them."""

from __future__ import annotations

from house import demo, staff
from house.actors import Actor
from house.models import Staff

ROLES = ("writer", "dealer", "supervisor", "manager", "inspector", "administrator", "auditor")


def credential(username: str) -> demo.Credential:
    return next(each for each in demo.credentials() if each.username == username)


def actor(username: str) -> Actor:
    return staff.actor_for(Staff.objects.get(username=username))
