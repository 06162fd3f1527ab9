"""Every pytest process gets a PostgreSQL and a Redis of its own, in a temporary folder, before Django sets itself up.

DATABASE_URL and REDIS_URL, where set, are used instead.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import hypothesis
import psutil
import pytest
from django.conf import settings

from config.environment import Trouble
from config.services.embedded import wanted
from config.services.lock import FolderLock
from tests.plugins.append_only import AppendOnly
from tests.plugins.clauses import Clauses

# Tests assert behaviour, never time: a busy machine is no failure.
hypothesis.settings.register_profile(
    "house", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], print_blob=True
)
hypothesis.settings.load_profile("house")

# A folder of a test run: this, the process that runs it, and something random.
PREFIX = "meterhouse-test-"


class Services:
    """The embedded services of this process (an xdist worker, or the only one)."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.services = wanted(data, durable=False)
        self.lock = FolderLock(data, what="pytest", serves=True)

    def start(self) -> None:
        self.lock.take_within(0)
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
    config.pluginmanager.register(Clauses(config), "meterhouse-clauses")
    is_worker = hasattr(config, "workerinput")
    if config.getoption("dist", "no") != "no" and not is_worker:
        return  # it hands the tests out and runs none
    if settings.configured:
        raise pytest.UsageError("Django has read its settings already: unset DJANGO_SETTINGS_MODULE for the tests.")
    _sweep_killed_runs()
    data = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    (data / "static").mkdir()  # whitenoise warns where it is missing
    services = Services(data)
    config.pluginmanager.register(services, "meterhouse-services")
    config.pluginmanager.register(AppendOnly(), "meterhouse-append-only")
    try:
        services.start()
    except Trouble as trouble:
        raise pytest.UsageError(str(trouble)) from None
    os.environ["METERHOUSE_DATA"] = str(data)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    _ = settings.DATABASES  # read now; pytest-django then finds settings configured and sets Django up


@pytest.fixture(autouse=True)
def _a_new_process() -> None:
    """What a process remembers between requests must not outlive a test's transaction."""
    from house import devices, gaming_days

    gaming_days.forget()
    devices._noted.clear()


def _sweep_killed_runs() -> None:
    """Folders of runs that were killed. Their servers died with them."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        owner = folder.name.removeprefix(PREFIX).split("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)
