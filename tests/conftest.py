"""Every pytest process gets a PostgreSQL and a Redis of its own, in a temporary folder, before Django sets itself up.

DATABASE_URL and REDIS_URL, where set, are used instead.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import hypothesis
import psutil
import pytest
from django.conf import settings

from config import keys, separation
from config.services.embedded import wanted
from config.services.lock import FolderLock
from config.services.postgres import Postgres
from kernel.environment import Trouble
from tests.plugins import committed, compiled, database, foreign_database, once, one_browser, quick, schedule, worlds
from tests.plugins.clauses import Clauses

if TYPE_CHECKING:
    from pytest_django import DjangoDbBlocker

    from tests.world.falsified import Exported
    from tests.world.second_party import AtHand
    from tests.world.server import Server
    from tests.world.witness import RunningWitness

# Tests assert behaviour, never time: a busy machine is no failure. Nor is chance: make test tries the same examples
# every time, make test-long others, and more of them.
for name, count, the_same in (("some", 30, True), ("all", 300, False)):
    hypothesis.settings.register_profile(
        name,
        deadline=None,
        max_examples=count,
        derandomize=the_same,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
        print_blob=True,
    )

# A folder of a test run: this, the process that runs it, and something random.
PREFIX = "meterhouse-test-"
GARBAGE_OBJECTS = 500_000  # Python's own 700 would cost a tenth of the suite's time
SYDNEY = ZoneInfo("Australia/Sydney")


class Services:
    """The embedded services of this process (an xdist worker, or the only one)."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.services = wanted(data, durable=False)
        self.lock = FolderLock(data, what="pytest", serves=True)
        self.postgres = next((service for service in self.services if isinstance(service, Postgres)), None)

    def start(self) -> None:
        self.lock.take_within(0)
        if self.postgres is not None:
            database.restore_migrated(self.data)
        for service in self.services:
            service.start()

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        for service in reversed(self.services):
            service.stop()
        self.lock.release()
        shutil.rmtree(self.data, ignore_errors=True)


def pytest_configure(config: pytest.Config) -> None:
    """Runs before pytest-django's own, which sets Django up. That is why its settings are named here: named in
    pyproject.toml, or in the environment that workers inherit, they would be read before there is a database."""
    hypothesis.settings.load_profile("some" if "not long" in config.option.markexpr else "all")
    config.pluginmanager.register(Clauses(config), "meterhouse-clauses")
    config.pluginmanager.register(schedule, "meterhouse-schedule")
    config.pluginmanager.register(quick, "meterhouse-quick")
    config.pluginmanager.register(worlds, "meterhouse-worlds")
    config.pluginmanager.register(one_browser, "meterhouse-browser")
    is_worker = hasattr(config, "workerinput")
    if config.getoption("dist", "no") != "no" and not is_worker:
        if not config.option.markexpr.startswith("quick"):  # which imports a part of them
            compiled.for_every_process(config)
        return  # it hands the tests out and runs none
    if settings.configured:
        raise pytest.UsageError("Django has read its settings already: unset DJANGO_SETTINGS_MODULE for the tests.")
    _sweep_killed_runs()
    data = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    (data / "static").mkdir()  # whitenoise warns where it is missing
    services = Services(data)
    config.pluginmanager.register(services, "meterhouse-services")
    config.pluginmanager.register(database if services.postgres else foreign_database, "meterhouse-database")
    os.environ["METERHOUSE_DATA"] = str(data)
    keys.make()
    separation.arrange(data)
    try:
        services.start()
    except Trouble as trouble:
        raise pytest.UsageError(str(trouble)) from None
    if 4 <= datetime.now(SYDNEY).hour < 6:  # the demo venue’s clock
        os.environ.setdefault("METERHOUSE_DEMO_OPENS", "12:00")  # no game is on sale in the last minutes before six
    os.environ.setdefault("METERHOUSE_DEMO", "1")  # what a test starts is given the test's database
    os.environ.setdefault("KENO_PROMISED_AHEAD", "1")  # tests of Keno count what is promised
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    # Read now; pytest-django then finds settings configured and sets Django up.
    settings.PASSWORD_HASHERS = ["tests.plugins.hasher.QuickArgon2", *settings.PASSWORD_HASHERS]
    gc.set_threshold(GARBAGE_OBJECTS, 20, 10)  # the house's own, for processes that stay, is lower
    settings.SEALS = True  # no sealer runs beside a test, unless it starts one
    if services.postgres is not None:
        database.become_tester(settings.DATABASES["default"], services.postgres.sockets)


def pytest_sessionstart() -> None:
    """As every program of the house does, or a task would be sent to a broker of Celery's own choice."""
    if settings.configured:
        import tests.plugins.quick_draws  # noqa: F401


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever reads the export of a house may be the one for whom it is made, which takes a database."""
    for item in items:
        if {"small_house", "keno_house"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.django_db)


def pytest_collection_finish() -> None:
    """What has been collected stays: the collector of garbage need not look through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(params=["some", pytest.param("all", marks=pytest.mark.long)])
def exhaustive(request: pytest.FixtureRequest) -> bool:
    """Whether to go through every case (make test-long), or through a fixed choice that has one of each kind."""
    return bool(request.param == "all")


@pytest.fixture(autouse=True)
def _a_new_process() -> None:
    """What a process remembers between requests must not outlive a test's transaction."""
    from tests.world.memory import forget

    forget()


@pytest.fixture(scope="session")
def _one_server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    from tests.world.server import Server

    one = Server(tmp_path_factory.mktemp("server") / "log")
    yield one
    one.stop()


@pytest.fixture
def server(_one_server: Server, witness: RunningWitness) -> Iterator[Server]:
    """The running copy of this test process, as if it had just been started: with its witness, and its sealer."""
    from tests.world.sealer import sealing

    _one_server.begin()
    with sealing():
        yield _one_server


@pytest.fixture(scope="session")
def _one_witness() -> RunningWitness:
    from tests.world.witness import RunningWitness

    return RunningWitness()


@pytest.fixture(scope="session")
def _houses(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> committed.Houses:
    embedded = pytestconfig.pluginmanager.get_plugin("meterhouse-database") is database
    return committed.Houses(tmp_path_factory.mktemp("houses"), keeps=embedded)


@pytest.fixture
def witness(
    request: pytest.FixtureRequest,
    _one_witness: RunningWitness,
    _houses: committed.Houses,
    tmp_path: Path,
    transactional_db: None,
) -> Iterator[RunningWitness]:
    """A running witness, which the log of this test begins with."""
    _houses.begin(_one_witness, tmp_path / "witness", committed.asked(request))
    yield _one_witness
    _one_witness.end()


@pytest.fixture(scope="session")
def export_of(
    pytestconfig: pytest.Config,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    _one_witness: RunningWitness,
    _worlds: worlds.Worlds,
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[Callable[[RunningWitness], Exported]], Exported]:
    """Makes a house and its audit export, with a running witness; nothing of it stays in the database. Of several test
    processes one makes it."""
    from django.test import TransactionTestCase

    from tests.world.memory import forget
    from tests.world.witness import folder_with_keys

    def made(make: Callable[[RunningWitness], Exported]) -> Exported:
        with django_db_blocker.unblock():
            _worlds.stand()  # nothing: what the test before stood on is still there
            _one_witness.begin(folder_with_keys(tmp_path_factory.mktemp("house") / "witness", same_machine=True))
            try:
                return make(_one_witness)
            finally:
                _one_witness.end()
                TransactionTestCase()._fixture_teardown()  # type: ignore[attr-defined]
                forget()

    return once.by_one_process(pytestconfig, tmp_path_factory, made)


@pytest.fixture(scope="session")
def small_house(export_of: Callable[[Callable[[RunningWitness], Exported]], Exported]) -> Exported:
    """The audit export of a small house."""
    from tests.world.small_house import make

    return export_of(make)


@pytest.fixture(scope="session")
def keno_house(export_of: Callable[[Callable[[RunningWitness], Exported]], Exported]) -> Exported:
    """The audit export of a day at a Keno counter."""
    from tests.world.keno_house import make

    return export_of(make)


@pytest.fixture(autouse=True)
def second_party(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AtHand | None:
    """A second party to draws for every test that has no running witness: see tests/world/second_party.py."""
    asked = set(request.fixturenames)
    has_database = request.node.get_closest_marker("django_db") is not None or {"db", "transactional_db"} & asked
    if {"witness", "server"} & asked or not has_database:
        return None
    from tests.world.second_party import put_at_hand

    return put_at_hand(monkeypatch)


@pytest.fixture(autouse=True)
def _the_venues_clock() -> Iterator[None]:
    """A test tells time as a request does."""
    from django.utils import timezone

    from house.middleware import VENUE_CLOCK

    with timezone.override(VENUE_CLOCK):
        yield


def _sweep_killed_runs() -> None:
    """Folders of runs that were killed. Their servers died with them."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        owner = folder.name.removeprefix(PREFIX).split("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def _no_tick_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is due a test does itself: a tick that it had sent would be done by the worker of another test."""
    monkeypatch.setattr("jackpot.movements.tick_after_commit", lambda room: None)
