"""What the tests of the house share: a log that remembers, people of every role, and a request with a session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

import pytest
import time_machine

from kernel.actors import Actor

if TYPE_CHECKING:  # read before Django is set up: models are imported where they are used
    from django.http import HttpRequest

    from house.models import Staff


@dataclass
class Log:
    """The acts written so far, as (kind, subject, identity), with their data beside."""

    written: Callable[..., int]  # the ledger's: what the house writes must be something that the log can hold
    acts: list[tuple[str, str, str]] = field(default_factory=list)
    data: list[Mapping[str, Any]] = field(default_factory=list)

    def write(self, *, kind: str, subject: str, by: Actor, data: Mapping[str, Any], **when: Any) -> int:
        self.acts.append((kind, subject, by.identity))
        self.data.append(data)
        return self.written(kind=kind, subject=subject, by=by, data=data, **when)

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _, _ in self.acts]


@pytest.fixture(autouse=True)
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    from ledger import log as ledger_log

    log = Log(ledger_log.write)
    monkeypatch.setattr(ledger_log, "write", log.write)
    return log


PASSWORD = "correct horse battery"


class MakePerson(Protocol):
    def __call__(self, username: str, *roles: str, **more: Any) -> Staff: ...


class MakeActor(Protocol):
    def __call__(self, username: str, *roles: str) -> Actor: ...


class MakeBrowser(Protocol):
    def __call__(self) -> HttpRequest: ...


class Clock(Protocol):
    def shift(self, delta: timedelta | float) -> None: ...


NOW = datetime(2026, 11, 16, 10, 4, tzinfo=UTC)  # Monday, 21:04 in Sydney


@pytest.fixture
def clock() -> Iterator[Clock]:
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


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

    def make(username: str, *roles: str) -> Actor:
        return (Staff.objects.filter(username=username).first() or person(username, *roles)).as_actor()

    return make


@pytest.fixture
def administrator(actor: MakeActor) -> Actor:
    return actor("administrator")


@pytest.fixture
def manager(actor: MakeActor) -> Actor:
    return actor("manager")


@pytest.fixture
def supervisor(actor: MakeActor) -> Actor:
    return actor("supervisor")


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
