"""What the tests of the house share: a pen that remembers, people of every role, and a request with a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from house import acts
from house.actors import Actor

if TYPE_CHECKING:  # read before Django is set up: models are imported where they are used
    from django.http import HttpRequest

    from house.models import Staff


@dataclass
class Log:
    """The acts written so far, as (kind, subject, identity), with their data beside."""

    pen: acts.Pen  # the ledger's: what the house writes must be something that the log can hold
    acts: list[tuple[str, str, str]] = field(default_factory=list)
    data: list[Mapping[str, Any]] = field(default_factory=list)

    def write(self, *, kind: str, subject: str, by: Actor, data: Mapping[str, Any]) -> None:
        self.acts.append((kind, subject, by.identity))
        self.data.append(data)
        self.pen(kind=kind, subject=subject, by=by, data=data)

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _, _ in self.acts]


@pytest.fixture(autouse=True)
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    assert acts._pen is not None
    log = Log(acts._pen)
    monkeypatch.setattr(acts, "_pen", log.write)
    return log


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


PASSWORD = "correct horse battery"


class MakePerson(Protocol):
    def __call__(self, username: str, *roles: str, **more: Any) -> Staff: ...


class MakeActor(Protocol):
    def __call__(self, username: str, *roles: str) -> Actor: ...


class MakeBrowser(Protocol):
    def __call__(self) -> HttpRequest: ...


class Clock(Protocol):
    def shift(self, delta: timedelta | float) -> None: ...


@pytest.fixture
def person(db: None) -> MakePerson:
    from house.models import Role, Staff

    def make(username: str, *roles: str, **more: Any) -> Staff:
        staff = Staff(username=username, name=username.title(), **more)
        staff.set_password(PASSWORD)
        staff.save()
        staff.roles.set(Role.objects.filter(code__in=roles or (username,)))
        return staff

    return make


@pytest.fixture
def actor(person: MakePerson) -> MakeActor:
    """Somebody of these roles: ``actor("manager")``, or ``actor("mona", "manager")``."""

    from house.models import Staff
    from house.staff import actor_for

    def make(username: str, *roles: str) -> Actor:
        return actor_for(Staff.objects.filter(username=username).first() or person(username, *roles))

    return make


@pytest.fixture
def browser(db: None) -> MakeBrowser:
    from django.contrib.auth.models import AnonymousUser
    from django.contrib.sessions.backends.db import SessionStore
    from django.test import RequestFactory

    def make() -> HttpRequest:
        request = RequestFactory().post("/sign-in")
        request.session = SessionStore()
        request.session.create()
        request.user = AnonymousUser()
        return request

    return make
