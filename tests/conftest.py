"""Every pytest process gets a PostgreSQL and a Redis of its own, in a temporary folder, before Django sets itself up.

DATABASE_URL and REDIS_URL, where set, are used instead.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import psutil
import pytest
from django.conf import settings

from config.services.embedded import wanted
from config.services.lock import FolderLock
from tests.plugins.append_only import AppendOnly
from tests.plugins.clauses import Clauses

_PREFIX = "meterhouse-test-"


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
    """Runs before pytest-django's own, which sets Django up (that is why its settings are named here, not in
    pyproject.toml: named there, they would be read before this file)."""
    config.pluginmanager.register(Clauses(config), "meterhouse-clauses")
    if config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput"):
        return  # only hands out work; what it put into the environment its workers would inherit
    _sweep_killed_runs()
    data = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    os.environ["METERHOUSE_DATA"] = str(data)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    services = Services(data)
    config.pluginmanager.register(services, "meterhouse-services")
    config.pluginmanager.register(AppendOnly(), "meterhouse-append-only")
    services.start()
    _ = settings.DATABASES  # read now; pytest-django then finds settings configured and sets Django up


@pytest.fixture(autouse=True)
def _a_new_process() -> None:
    """What a process remembers between requests must not outlive a test's transaction."""
    from house import devices, gaming_days

    gaming_days.forget()
    devices._noted.clear()


def _sweep_killed_runs() -> None:
    """Folders of runs that were killed. Their servers died with them."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).split("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)
