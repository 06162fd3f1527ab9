"""The demo venue's people, as the tests use them."""

from __future__ import annotations

from django.test import Client

from house import demo
from house.models import Staff
from kernel.actors import Actor

ROLES = ("writer", "dealer", "supervisor", "manager", "inspector", "administrator", "auditor")


def credential(username: str) -> demo.Credential:
    return next(each for each in demo.credentials() if each.username == username)


def sign_in(username: str) -> Client:
    """The way people sign in: password, then a code of the second step."""
    client, person = Client(), credential(username)
    answer = client.post("/sign-in/", {"username": username, "password": person.password})
    assert answer.headers["Location"] == "/sign-in/second-step/"
    answer = client.post("/sign-in/second-step/", {"code": person.code})
    assert answer.status_code == 302
    return client


def demo_actor(username: str) -> Actor:
    return Staff.objects.get(username=username).as_actor()
