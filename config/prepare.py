"""Brings the database and the files up to this code before the first process serves: ``python -m config.prepare``.

Each step looks first and does only what is missing, so that a second start costs next to nothing. This is the one
program of a start that speaks to the database as its owner.
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

from config.services import witness
from config.services.addresses import database_name
from kernel import privileges
from kernel.environment import Trouble
from kernel.masking import mask_uncaught
from web import metrics


def main() -> None:
    mask_uncaught()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    metrics.start_afresh()
    try:
        _migrate()
        _seal()
    except Trouble as trouble:
        sys.exit(str(trouble))
    call_command("collectstatic", interactive=False, verbosity=0)
    _furnish_demo()


def _migrate() -> None:
    executor = MigrationExecutor(connection)
    waiting = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if waiting:
        _say(f"Applying {waiting} migrations.")
        call_command("migrate", interactive=False, verbosity=0)
    privileges.apply()  # also where nothing is migrated: roles may be new


def _seal() -> None:
    """The log's first act, which names its witness; and the witness beside us is told which log to watch.

    Finds out before the first sale where the key that the log names is not here, or the log is an older one.
    """
    from ledger.announce import announce_keys  # noqa: PLC0415  Django first
    from ledger.checkpoints import introduction  # noqa: PLC0415
    from ledger.keys import KeyMissing  # noqa: PLC0415
    from ledger.seal import CannotSeal, begin_log, seal_now  # noqa: PLC0415

    announce_keys()
    try:
        begin_log()
        if not settings.WITNESS_URL:
            witness.introduce(settings.DATA, introduction())
        seal_now()
    except (CannotSeal, KeyMissing) as error:
        raise Trouble(str(error)) from None


def _furnish_demo() -> None:
    """Once per database, while the demo setting is on. Noted when done: a start killed half-way repeats it."""
    done = settings.DATA / f"demo-made-{hashlib.sha256(database_name().encode()).hexdigest()[:12]}"
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
