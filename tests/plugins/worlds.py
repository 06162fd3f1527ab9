"""Worlds that are built once and lent to one test after another.

``floor = kept(open_floor)`` is a fixture. What ``open_floor`` builds and returns stands in a transaction that stays
open; each test that asks for it runs in a savepoint, and leaves it as it was. ``link = kept(open_floor, open_link)``
stands on the same floor. Each test gets a copy of what was returned, so that it may change that too.

A world is built as a test would build it: with a second party at hand, on the venue's clock, by a process that
remembers nothing. It is built anew after a minute, because a test reads the clock: a slow machine builds it more often.
A test that commits builds its own, and so does one that is ``at`` another moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

LASTS_SECONDS = 60.0
COMMITTING = frozenset({"transactional_db", "live_server"})
Build = Callable[[], Any]


def kept(*builds: Build) -> Any:
    """A fixture: what the last of these returns, which are built one on the other."""

    def lent(db: None, _worlds: Worlds) -> Any:
        if not _worlds.standing:
            return [build() for build in builds][-1]
        return deepcopy(_worlds.standing[len(builds) - 1].value)

    lent.builds = builds  # type: ignore[attr-defined]
    return pytest.fixture(lent)


@dataclass(frozen=True, slots=True)
class World:
    build: Build
    value: Any
    connection: Any
    """A browser in this thread has Django open another one, and close that when it goes."""
    transaction: Any
    since: float


class Worlds:
    """What stands on this process's connection, the lowest first."""

    def __init__(self) -> None:
        self.standing: list[World] = []

    def stand(self, *builds: Build) -> None:
        """Have these stand, and nothing else."""
        same = 0 if self._is_over() else self._how_many_of(builds)
        while len(self.standing) > same:
            self._fall()
        for build in builds[same:]:
            self._raise(build)

    def _is_over(self) -> bool:
        from django.db import DEFAULT_DB_ALIAS, connections

        if not self.standing:
            return False
        first, connection = self.standing[0], connections[DEFAULT_DB_ALIAS]
        lost = first.connection is not connection or connection.closed_in_transaction or connection.needs_rollback
        return lost or time.monotonic() - first.since > LASTS_SECONDS

    def _how_many_of(self, builds: tuple[Build, ...]) -> int:
        same = 0
        for each, build in zip(self.standing, builds, strict=False):
            if each.build is not build:
                break
            same += 1
        return same

    def _raise(self, build: Build) -> None:
        from django.db import DEFAULT_DB_ALIAS, connections, transaction
        from django.utils import timezone

        from house.middleware import VENUE_CLOCK
        from tests.world.memory import forget
        from tests.world.second_party import put_at_hand

        forget()
        around = transaction.atomic()
        around._from_testcase = True  # type: ignore[attr-defined]  # what must be outermost may be in it, as in a test
        around.__enter__()
        try:
            with timezone.override(VENUE_CLOCK), pytest.MonkeyPatch.context() as patched:
                put_at_hand(patched)
                value = build()
        except BaseException as wrong:
            around.__exit__(type(wrong), wrong, wrong.__traceback__)
            raise
        self.standing.append(World(build, value, connections[DEFAULT_DB_ALIAS], around, time.monotonic()))

    def _fall(self) -> None:
        from django.db import DEFAULT_DB_ALIAS, connections

        last, ours = self.standing.pop(), connections[DEFAULT_DB_ALIAS]
        connections[DEFAULT_DB_ALIAS] = last.connection
        try:
            last.connection.needs_rollback = True
            last.transaction.__exit__(None, None, None)
        finally:
            connections[DEFAULT_DB_ALIAS] = ours


@pytest.fixture(scope="session")
def _worlds(django_db_setup: None, django_db_blocker: Any) -> Iterator[Worlds]:
    worlds = Worlds()
    yield worlds
    with django_db_blocker.unblock():
        worlds.stand()


@pytest.fixture
def _world(request: pytest.FixtureRequest, _worlds: Worlds, django_db_blocker: Any) -> None:
    """Before the test's own transaction begins."""
    found = [getattr(each[-1].func, "builds", ()) for each in request.node._fixtureinfo.name2fixturedefs.values()]
    asked: tuple[Build, ...] = max(found, key=len, default=())
    assert all(asked[: len(each)] == each for each in found), "two worlds that do not stand on each other"
    with django_db_blocker.unblock():
        _worlds.stand(*(() if _builds_its_own(request) else asked))


def _builds_its_own(request: pytest.FixtureRequest) -> bool:
    marks = {mark.name: mark for mark in reversed(list(request.node.iter_markers()))}
    commits = "django_db" in marks and marks["django_db"].kwargs.get("transaction", False)
    return commits or "at" in marks or not COMMITTING.isdisjoint(request.fixturenames)


@pytest.fixture
def _django_db_helper(_world: None, _django_db_helper: None) -> None:
    """pytest-django's own, which begins the test's transaction, inside what stands."""
