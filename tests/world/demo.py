"""The demo venue's people, as the tests use them."""

from __future__ import annotations

from django.test import Client

from house import demo
from house.models import Staff
from kernel.actors import Actor
from tests.world.sessions import signed_in

ROLES = ("writer", "dealer", "supervisor", "manager", "inspector", "administrator", "auditor")


def credential(username: str) -> demo.Credential:
    return next(each for each in demo.credentials() if each.username == username)


def sign_in(username: str) -> Client:
    """As after password and code; the door itself is tested in tests/house/test_sign_in.py."""
    return signed_in(Staff.objects.get(username=username))


def demo_actor(username: str) -> Actor:
    return Staff.objects.get(username=username).as_actor()
