"""Brings the database and the files up to this code before the first process serves: ``python -m config.prepare``.

Each step looks first and does only what is missing, so that a second start costs next to nothing.
"""

from __future__ import annotations

import hashlib
import os
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config import metrics
from config.services.addresses import database_url


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    metrics.start_afresh()
    _migrate()
    call_command("collectstatic", interactive=False, verbosity=0)
    _furnish_demo()


def _migrate() -> None:
    executor = MigrationExecutor(connection)
    waiting = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if waiting:
        _say(f"Applying {waiting} migrations.")
        call_command("migrate", interactive=False, verbosity=0)


def _furnish_demo() -> None:
    """Once per database, while the demo setting is on. Noted when done: a start killed half-way repeats it."""
    done = settings.DATA / f"demo-made-{hashlib.sha256(database_url().encode()).hexdigest()[:12]}"
    if not settings.DEMO or done.exists():
        return
    _say("Making the demo venue.")
    call_command("demo", days=settings.DEMO_DAYS)
    done.touch()


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
